import { describe, expect, test } from 'vitest';
import { positionVisible } from '../../../src/service/domain/privacy/places.ts';
import { SITE, SmallWorld, T0 } from './small-world.ts';

const MINUTE = 60_000;

describe('reopening', () => {
  test('a resolved alert makes it unacknowledged; who had it, and what its wearer saw, stays', () => {
    const small = new SmallWorld();
    small.sos(1);
    const { id } = small.alert('sos');
    small.do({ type: 'acknowledge-on-watch', alertId: id, ...small.uplink(1) });
    small.update(small.alert('sos'), 'acknowledged');
    small.update(small.alert('sos'), 'resolved', { note: 'Attended' });
    const before = small.alert('sos');
    small.do({ type: 'reopen-alert', alertId: id, by: 'Shift lead' });
    const after = small.alert('sos');
    expect(after).toMatchObject({
      status: 'unacknowledged',
      acknowledged: null,
      resolved: null,
      assignedTo: before.assignedTo,
      workerAcknowledgedAt: before.workerAcknowledgedAt,
    });
    expect(before.assignedTo).not.toBeNull();
    expect(after.modifiedAt).toBeGreaterThan(before.modifiedAt);
    expect(small.eventTypes().at(-1)).toBe('alert.reopened');
  });

  test.each(['unacknowledged', 'acknowledged'] as const)('an alert that is %s is refused', (status) => {
    const small = new SmallWorld();
    small.sos(1);
    if (status === 'acknowledged') small.update(small.alert('sos'), 'acknowledged');
    const { id } = small.alert('sos');
    expect(small.do({ type: 'reopen-alert', alertId: id, by: 'Lead' })).toMatchObject({ code: 'action_refused' });
  });

  test('is refused while a newer alert of the same is open: there is one open alert per worker and type', () => {
    const small = new SmallWorld();
    small.sos(1);
    const { id } = small.alert('sos');
    small.update(small.alert('sos'), 'resolved');
    small.sos(1);
    expect(small.do({ type: 'reopen-alert', alertId: id, by: 'Lead' })).toMatchObject({ code: 'action_refused' });
  });

  test('after it, a second press folds into the reopened alert', () => {
    const small = new SmallWorld();
    small.sos(1);
    small.update(small.alert('sos'), 'resolved');
    small.do({ type: 'reopen-alert', alertId: small.alert('sos').id, by: 'Lead' });
    small.sos(1);
    expect(small.alerts('sos')).toHaveLength(1);
  });
});

describe('assigning', () => {
  test('an open alert changes who has it, and no event tells of it', () => {
    const small = new SmallWorld();
    small.sos(1);
    const { id, modifiedAt } = small.alert('sos');
    small.do({ type: 'assign-alert', alertId: id, by: 'Lead', to: 'Desk 2' });
    expect(small.alert('sos')).toMatchObject({ assignedTo: 'Desk 2', status: 'unacknowledged' });
    expect(small.alert('sos').modifiedAt).toBeGreaterThan(modifiedAt);
    expect(small.eventTypes()).toEqual(['alert.created']);
    small.update(small.alert('sos'), 'acknowledged');
    expect(small.alert('sos').assignedTo).toBe('Desk 2');
  });

  test('a resolved alert is refused', () => {
    const small = new SmallWorld();
    small.sos(1);
    small.update(small.alert('sos'), 'resolved');
    const { id } = small.alert('sos');
    expect(small.do({ type: 'assign-alert', alertId: id, by: 'Lead', to: 'Desk 2' })).toMatchObject({
      code: 'action_refused',
    });
  });
});

test('an SOS by the control room says so, and names who raised it in the timeline', () => {
  const small = new SmallWorld();
  small.do({ type: 'panel-sos', workerId: small.workerId(1), by: 'Desk 2' });
  expect(small.alert('sos')).toMatchObject({
    severity: 'critical',
    details: { trigger: 'control_room' },
    worker: { externalId: 'E-1' },
    timeline: [{ by: 'Desk 2' }],
  });
});

describe('an approved position request', () => {
  const veiled = () => new SmallWorld({ site: { privacyMode: 'on_demand' } });
  const visible = (small: SmallWorld, now: number) =>
    positionVisible(small.world, small.world.need('site', SITE), small.workerId(1), now);

  test('shows the person until it ends', () => {
    const small = veiled();
    expect(visible(small, T0)).toBe(false);
    small.do({ type: 'unveil', workerId: small.workerId(1), by: 'Lead', until: T0 + MINUTE });
    expect([visible(small, T0), visible(small, T0 + MINUTE - 1), visible(small, T0 + MINUTE)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('is refused on a site without a veil', () => {
    const small = new SmallWorld();
    const request = { type: 'unveil', workerId: small.workerId(1), by: 'Lead', until: T0 + MINUTE } as const;
    expect(small.do(request)).toMatchObject({ code: 'action_refused' });
  });
});

describe('the register', () => {
  test('changes a role, a contractor and whether somebody is active', () => {
    const small = new SmallWorld();
    const change = { type: 'change-worker', workerId: small.workerId(1) } as const;
    small.do({ ...change, role: 'Rigger', contractor: 'Norte SL', isActive: false });
    expect(small.world.need('worker', small.workerId(1))).toMatchObject({
      role: 'Rigger',
      contractor: 'Norte SL',
      isActive: false,
    });
    small.do({ ...change, contractor: null });
    expect(small.world.need('worker', small.workerId(1))).toMatchObject({ role: 'Rigger', contractor: null });
  });

  test('gives a worker another watch, and the other worker theirs', () => {
    const small = new SmallWorld();
    small.do({ type: 'swap-watch', workerId: small.workerId(1), serial: 'SIM-2', keyHash: '' });
    expect(small.world.need('worker', small.workerId(1)).deviceId).toBe(small.device(2));
    expect(small.world.need('worker', small.workerId(2)).deviceId).toBe(small.device(1));
    expect(small.world.need('device', small.device(1)).workerId).toBe(small.workerId(2));
  });

  test('takes a watch from the stores where the serial is new', () => {
    const small = new SmallWorld();
    small.do({ type: 'swap-watch', workerId: small.workerId(1), serial: 'NEW-1', keyHash: 'h' });
    const { deviceId } = small.world.need('worker', small.workerId(1));
    expect(small.world.need('device', deviceId as string)).toMatchObject({ serial: 'NEW-1', keyHash: 'h' });
    expect(small.world.need('device', small.device(1)).workerId).toBeNull();
    small.do({ type: 'swap-watch', workerId: small.workerId(1), serial: 'SIM-1', keyHash: '' });
    expect(small.world.need('worker', small.workerId(1)).deviceId).toBe(small.device(1));
  });
});
