import { describe, expect, test } from 'vitest';
import { isRejection } from '../../../src/service/domain/changes.ts';
import { SmallWorld, T0 } from './small-world.ts';

const SECOND = 1_000;

describe('an operator updates an alert', () => {
  const CASES = [
    { path: ['acknowledged'], status: 'acknowledged', events: ['alert.acknowledged'] },
    { path: ['resolved'], status: 'resolved', events: ['alert.resolved'] },
    { path: ['acknowledged', 'resolved'], status: 'resolved', events: ['alert.acknowledged', 'alert.resolved'] },
    { path: ['acknowledged', 'acknowledged'], status: 'acknowledged', events: ['alert.acknowledged'] },
    { path: ['resolved', 'resolved'], status: 'resolved', events: ['alert.resolved'] },
    {
      path: ['resolved', 'acknowledged'],
      status: 'resolved',
      events: ['alert.resolved'],
      refused: 'invalid_transition',
    },
  ] as const;

  test.each(CASES)('by $path it ends $status', ({ path, status, events, ...rest }) => {
    const small = new SmallWorld();
    small.sos(1);
    const answers = path.map((step) => small.update(small.alert('sos'), step));
    expect(small.alert('sos').status).toBe(status);
    expect(small.eventTypes()).toEqual(['alert.created', ...events]);
    const last = answers.at(-1);
    expect(isRejection(last) ? last.code : undefined).toBe('refused' in rest ? rest.refused : undefined);
  });

  test('taking charge assigns it to whoever did, if nobody had it', () => {
    const small = new SmallWorld();
    small.sos(1);
    small.now += SECOND;
    small.update(small.alert('sos'), 'acknowledged');
    const by = 'Customer operator (via integration)';
    expect(small.alert('sos')).toMatchObject({ acknowledged: { at: T0 + SECOND, by }, assignedTo: by });
  });

  test('resolving an unacknowledged one leaves acknowledged null, and keeps the note', () => {
    const small = new SmallWorld();
    small.sos(1);
    small.update(small.alert('sos'), 'resolved', { note: 'Sprained ankle', reason: 'Attended' });
    expect(small.alert('sos')).toMatchObject({
      acknowledged: null,
      assignedTo: null,
      resolved: { note: 'Sprained ankle' },
    });
    expect(small.alert('sos').timeline.at(-1)).toMatchObject({
      by: 'Desk 2',
      reason: 'Attended',
      note: 'Sprained ankle',
    });
  });

  test('and asking for what is so already changes nothing: the first actor stays', () => {
    const small = new SmallWorld();
    small.sos(1);
    small.update(small.alert('sos'), 'acknowledged');
    const before = small.alert('sos');
    small.now += SECOND;
    expect(small.update(before, 'acknowledged')).toMatchObject({ unchanged: true });
    expect(small.alert('sos')).toBe(before);
  });

  test('date_last_modified strictly increases, also twice in one millisecond', () => {
    const small = new SmallWorld();
    small.sos(1);
    const times = [small.alert('sos').modifiedAt];
    small.do({ type: 'acknowledge-on-watch', alertId: null, ...small.uplink(1) });
    times.push(small.alert('sos').modifiedAt);
    small.update(small.alert('sos'), 'acknowledged');
    times.push(small.alert('sos').modifiedAt);
    expect(times).toEqual([T0, T0 + 1, T0 + 2]);
  });
});

describe('events', () => {
  test('of a site have strictly increasing created_at, also in one millisecond', () => {
    const small = new SmallWorld();
    small.sos(1);
    small.sos(2);
    small.fall(1);
    expect(small.events.map(({ createdAt }) => createdAt - T0)).toEqual([0, 1, 2]);
    expect(new Set(small.events.map(({ id }) => id)).size).toBe(3);
  });

  test('say the worker by name only where the contract includes names', () => {
    const named = new SmallWorld();
    named.sos(1);
    expect(JSON.parse(named.events[0]?.body as string).data.alert).toMatchObject({
      title: 'SOS: Ana Ruiz in Dock',
      worker: { name: 'Ana Ruiz', external_id: 'E-1' },
    });
    const unnamed = new SmallWorld({ client: { includeWorkerNames: false } });
    unnamed.sos(1);
    expect(unnamed.events[0]?.body).not.toContain('Ana');
    expect(JSON.parse(unnamed.events[0]?.body as string).data.alert).toMatchObject({ title: 'SOS: E-1 in Dock' });
  });
});

describe('the on-demand veil', () => {
  const onDemand = { site: { privacyMode: 'on_demand', unveilMinSeverity: 'high' } } as const;

  test('withholds place and zone of an alert below the severity, for good', () => {
    const small = new SmallWorld(onDemand);
    small.do({ type: 'report-battery', deviceId: small.device(1), pct: 10, charging: false });
    expect(small.alert('low_battery')).toMatchObject({ location: null, locationWithheld: true, zone: null });
    small.sos(1);
    expect(small.alert('low_battery')).toMatchObject({ location: null, locationWithheld: true });
  });

  test('withholds nothing where there is no position', () => {
    const small = new SmallWorld(onDemand);
    small.do({ type: 'report-battery', deviceId: small.device(3), pct: 10, charging: false });
    expect(small.alert('low_battery')).toMatchObject({ location: null, locationWithheld: false, zone: null });
  });

  test('shows place and zone of an alert at or above it, also after resolution', () => {
    const small = new SmallWorld(onDemand);
    small.sos(1);
    small.update(small.alert('sos'), 'resolved');
    expect(small.alert('sos')).toMatchObject({
      locationWithheld: false,
      zone: { name: 'Dock' },
      location: { masked: false },
    });
  });
});
