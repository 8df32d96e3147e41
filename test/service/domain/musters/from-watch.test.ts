/** What watches report in an evacuation, what they are sent of it, and whom the events reach. [watch-protocol, decisions 6, 7] */
import { describe, expect, test } from 'vitest';
import { check } from '../../../../src/contract/check.ts';
import { MusterNotice } from '../../../../src/contract/watch.ts';
import { isRejection } from '../../../../src/service/domain/changes.ts';
import { positioned } from '../../../../src/service/domain/views/person.ts';
import { ORG, SITE, T0 } from '../small-world.ts';
import { MusterWorld } from './muster-world.ts';

describe('a call of who cannot evacuate', () => {
  test('is one alert, however often it comes, and its reason follows', () => {
    const small = new MusterWorld();
    const { id } = small.start();
    small.help(1);
    const [created] = small.events.slice(-1);
    small.now += 1_000;
    small.help(1, 'trapped');
    const alert = small.alert('evacuation_help');
    expect(alert).toMatchObject({ details: { reason: 'trapped', muster_id: id }, modifiedAt: T0 + 1_000 });
    expect(alert.timeline.map(({ what }) => what)).toEqual(['Cannot evacuate', 'Cannot evacuate: trapped']);
    small.now += 1_000;
    small.help(1, 'trapped');
    small.help(1);
    expect(small.alert('evacuation_help')).toMatchObject({ details: { reason: 'trapped' }, modifiedAt: T0 + 1_000 });
    expect(small.alert('evacuation_help').timeline).toHaveLength(4);
    // A change without an event: GET shows it, and the alert's next event.
    expect(small.events.at(-1)).toBe(created);
  });

  test('a call for help that is sent again is taken once', () => {
    const small = new MusterWorld();
    small.start();
    const uplink = small.uplink(1);
    for (let n = 0; n < 2; n++) small.do({ type: 'report-help', reason: 'trapped', ...uplink });
    expect(small.alert('evacuation_help').timeline).toHaveLength(1);
  });

  test('in a later muster names that muster, though the old alert is still open', () => {
    const small = new MusterWorld();
    small.start();
    small.help(1, 'trapped');
    small.end();
    const { id } = small.start();
    expect(small.figures()).toMatchObject({ help: 1 });
    small.help(1);
    expect(small.alert('evacuation_help').details).toEqual({ reason: 'trapped', muster_id: id });
  });

  test('of somebody whom the muster does not expect is an alert all the same', () => {
    const small = new MusterWorld();
    small.worker(9, 'Nia Sol');
    small.start();
    small.help(9, 'injured');
    expect(small.alert('evacuation_help').worker?.name).toBe('Nia Sol');
    small.wait(5);
    expect(small.figures()).toEqual({ expected: 3, pending: 3 });
  });
});

describe('the watches of the site', () => {
  const noticesOf = (small: MusterWorld) =>
    small.effects.flatMap((effect) => (effect.kind === 'muster' ? [effect.payload] : []));

  test('hear of every step, and not of counts', () => {
    const small = new MusterWorld({ site: { plan: { general: 60_000 } } });
    const { id } = small.start();
    expect(noticesOf(small)).toEqual([
      {
        muster_id: id,
        status: 'active',
        kind: 'general',
        phase: 'evacuating',
        revision: 1,
        deadline: '2026-10-05T06:01:00.000Z',
        points: [
          expect.objectContaining({ name: 'Gate A', serves: ['general', 'earthquake'], vertical: false }),
          expect.objectContaining({ name: 'Hill North', status: 'available' }),
          expect.objectContaining({ name: 'Tower', serves: ['tsunami'], vertical: true }),
        ],
      },
    ]);
    small.goes(1, 'gate');
    small.wait(90);
    expect(noticesOf(small)).toHaveLength(1);
    small.begin('tsunami');
    small.exclude('Tower');
    small.reinstate('Tower');
    for (const n of [1, 2, 3]) small.declare(n, 'Tower');
    small.wait(5);
    small.inspect();
    small.end();
    const reported = noticesOf(small).slice(1);
    expect(reported.map(({ kind, revision, phase, status }) => [kind, revision, phase, status])).toEqual([
      ['tsunami', 2, 'evacuating', 'active'],
      ['tsunami', 3, 'evacuating', 'active'],
      ['tsunami', 4, 'evacuating', 'active'],
      ['tsunami', 4, 'inspecting', 'active'],
      ['tsunami', 4, 'inspecting', 'completed'],
    ]);
    expect(reported[1]?.points[2]).toMatchObject({ name: 'Tower', status: 'excluded' });
    for (const notice of noticesOf(small)) expect(check(MusterNotice, notice).ok).toBe(true);
  });
});

describe('the on-demand veil', () => {
  const visible = (small: MusterWorld) => {
    const viewer = { organizationId: ORG, names: true, contractors: null };
    return positioned(small.world, small.world.need('device', small.device(1)), viewer, small.now) !== null;
  };

  test('is lifted while a muster is active on the site, and falls with its end', () => {
    const small = new MusterWorld({ site: { privacyMode: 'on_demand' } });
    expect(visible(small)).toBe(false);
    small.start();
    expect(visible(small)).toBe(true);
    small.end();
    expect(visible(small)).toBe(false);
  });

  test('keeps what an alert below its severity has withheld, for good', () => {
    const small = new MusterWorld({ site: { privacyMode: 'on_demand' } });
    small.start();
    small.do({ type: 'report-battery', deviceId: small.device(1), pct: 5, charging: false });
    expect(small.alert('low_battery')).toMatchObject({ location: null, locationWithheld: true });
  });
});

describe('a destination', () => {
  const reported = (small: MusterWorld, id: string) =>
    [...small.world.all('delivery')].filter(({ destinationId }) => destinationId === id).map((one) => one.eventType);

  test.each([
    ['of muster.*', { eventTypes: ['muster.*'] }, ['muster.started', 'muster.ended']],
    ['of one type', { eventTypes: ['muster.ended'] }, ['muster.ended']],
    ['of alerts only', { eventTypes: ['alert.*'] }, []],
    ['of another site', { eventTypes: ['muster.*'], filters: { siteIds: [ORG] } }, []],
    ['of the site', { eventTypes: ['muster.started'], filters: { siteIds: [SITE] } }, ['muster.started']],
    [
      'of critical alerts: it does not restrict musters',
      { eventTypes: ['muster.ended'], filters: { minSeverity: 'critical' } },
      ['muster.ended'],
    ],
    [
      'of a contractor whose worker is expected',
      { eventTypes: ['muster.*'], filters: { contractors: ['Norte SL'] } },
      ['muster.started', 'muster.ended'],
    ],
    ['of a contractor without one', { eventTypes: ['muster.*'], filters: { contractors: ['Sur SL'] } }, []],
  ])('%s hears what it asked for', (_words, part, types) => {
    const small = new MusterWorld();
    const id = small.subscribe(part);
    small.start();
    small.end();
    expect(reported(small, id).sort()).toEqual([...types].sort());
  });

  test('of a contractor hears from when its first worker comes in', () => {
    const small = new MusterWorld();
    small.worker(9, 'Nia Sol', 'Sur SL');
    const id = small.subscribe({ eventTypes: ['muster.*'], filters: { contractors: ['Sur SL'] } });
    small.start();
    expect(reported(small, id)).toEqual([]);
    small.at(9, 40, 40);
    small.wait(5);
    expect(reported(small, id)).toEqual(['muster.updated']);
  });

  test('of a client that is scoped to contractors hears of musters: their totals are not scoped', () => {
    const small = new MusterWorld({ client: { contractors: ['Sur SL'] } });
    const id = small.subscribe({ eventTypes: ['muster.*'] });
    small.start();
    expect(reported(small, id)).toEqual(['muster.started']);
    expect(small.events.at(-1)?.contractor).toBeNull();
  });

  test('gets them behind cries for help and before the rest', () => {
    const small = new MusterWorld();
    small.subscribe({ eventTypes: ['muster.*', 'alert.*'] });
    small.start();
    small.help(1);
    small.do({ type: 'report-battery', deviceId: small.device(1), pct: 5, charging: false });
    const all = [...small.world.all('delivery')].map(({ eventType, priority }) => [eventType, priority]);
    expect(all).toEqual([
      ['muster.started', 1],
      ['alert.created', 0],
      ['alert.created', 2],
    ]);
  });
});

test('events of a site follow each other, also where two things happen at one instant', () => {
  const small = new MusterWorld();
  small.start();
  small.exclude('Gate A');
  small.reinstate('Gate A');
  small.end();
  const times = small.events.map(({ createdAt }) => createdAt - T0);
  expect(times).toEqual([0, 1, 2, 3]);
});

test('two musters that begin and end at one instant are two', () => {
  const small = new MusterWorld();
  const first = small.start().id;
  small.end();
  const second = small.start().id;
  expect(second).not.toBe(first);
  expect(isRejection(small.end())).toBe(false);
});
