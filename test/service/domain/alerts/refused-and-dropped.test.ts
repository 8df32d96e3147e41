/** What is refused because there is no such thing, and what a watch says that concerns nobody. [spec 3, decisions 2, 5] */
import { describe, expect, test } from 'vitest';
import { DEFAULT_ASSUMPTIONS } from '../../../../src/contract/gaps.ts';
import { silenceDue } from '../../../../src/service/domain/alerts/from-telemetry.ts';
import { integrationLabel } from '../../../../src/service/domain/alerts/integration-label.ts';
import { isRejection } from '../../../../src/service/domain/changes.ts';
import type { Command } from '../../../../src/service/domain/commands.ts';
import { SITE, SmallWorld, T0 } from '../small-world.ts';

const MINUTE = 60_000;
const hazard = { hazard: 'earthquake', magnitude: 7, distanceKm: 80, feltAtSite: true, eta: null } as const;

const update = { status: 'resolved', by: 'x', actor: 'Desk 2', reason: null, note: null } as const;
const UNKNOWN: readonly Command[] = [
  { type: 'update-alert', alertId: 'nothing', ...update },
  { type: 'reopen-alert', alertId: 'nothing', by: 'Lead' },
  { type: 'assign-alert', alertId: 'nothing', by: 'Lead', to: 'Desk 1' },
  { type: 'report-hazard', siteId: 'nowhere', official: true, ...hazard },
];

test.each(UNKNOWN)('$type of what does not exist: not_found', (command) => {
  const small = new SmallWorld();
  expect(small.do(command)).toMatchObject({ rejected: true, code: 'not_found' });
  expect(small.alerts()).toEqual([]);
});

describe('an action that the alert’s state does not allow is refused, and changes nothing', () => {
  test.each([
    { what: 'reopen-alert', state: 'unacknowledged' },
    { what: 'reopen-alert', state: 'acknowledged' },
    { what: 'assign-alert', state: 'resolved' },
  ] as const)('$what, when it is $state', ({ what, state }) => {
    const small = new SmallWorld();
    small.sos(1);
    if (state !== 'unacknowledged') small.update(small.alert('sos'), state);
    const before = small.alert('sos');
    const command = { type: what, alertId: before.id, by: 'Lead', to: 'Desk 1' } as const;
    expect(small.do(command)).toMatchObject({ rejected: true, code: 'action_refused' });
    expect(small.alert('sos')).toBe(before);
  });

  test('reopening while a newer one of the same is open', () => {
    const small = new SmallWorld();
    small.sos(1);
    const first = small.alert('sos');
    small.update(first, 'resolved');
    small.now += MINUTE;
    small.sos(1);
    const decision = small.do({ type: 'reopen-alert', alertId: first.id, by: 'Lead' });
    expect(decision).toMatchObject({ rejected: true, code: 'action_refused' });
    expect(small.alerts('sos').map(({ status }) => status)).toEqual(['resolved', 'unacknowledged']);
  });

  test('an SOS in the name of somebody who wears no watch, or does not exist', () => {
    const small = new SmallWorld();
    small.world.put('worker', { ...small.world.need('worker', small.workerId(1)), deviceId: null });
    for (const workerId of [small.workerId(1), 'nobody'])
      expect(small.do({ type: 'panel-sos', workerId, by: 'Lead' })).toMatchObject({ code: 'action_refused' });
    small.world.put('worker', { ...small.world.need('worker', small.workerId(2)), deviceId: 'no-such-watch' });
    expect(small.do({ type: 'panel-sos', workerId: small.workerId(2), by: 'Lead' })).toMatchObject({
      code: 'action_refused',
    });
    expect(small.alerts()).toEqual([]);
  });
});

test('assigning to whom has it already changes nothing', () => {
  const small = new SmallWorld();
  small.sos(1);
  const assign = () =>
    small.do({ type: 'assign-alert', alertId: small.alert('sos').id, by: 'Shift lead', to: 'Desk 1' });
  assign();
  const before = small.alert('sos');
  small.now += MINUTE;
  expect(assign()).toMatchObject({ changes: [], alertId: before.id });
  expect(small.alert('sos')).toBe(before);
});

describe('a watch that nobody wears', () => {
  const unworn = (workerId: string | null) => {
    const small = new SmallWorld();
    const fallId = small.fall(1);
    const known = small.alert('fall_detected');
    small.world.put('device', { ...small.world.need('device', small.device(1)), workerId });
    return { small, fallId, known };
  };
  const says = (small: SmallWorld, fallId: string): readonly Command[] => [
    { type: 'report-sos', trigger: 'watch_button', ...small.uplink(1) },
    { type: 'report-fall', ...small.uplink(1) },
    { type: 'request-call', voiceNote: false, ...small.uplink(1) },
    { type: 'answer-prompt', fallId, answer: 'help', ...small.uplink(1) },
    { type: 'acknowledge-on-watch', alertId: null, ...small.uplink(1) },
  ];

  test.each([null, 'somebody-who-left'])('raises nothing and answers nothing, whatever it says (%s)', (workerId) => {
    const { small, fallId, known } = unworn(workerId);
    for (const command of says(small, fallId)) {
      const decision = small.do(command);
      expect(isRejection(decision) ? decision : decision.dropped, command.type).toMatch(/no worker/);
    }
    expect(small.alerts()).toEqual([known]);
  });

  test('ends its prompt, and nobody’s SOS begins', () => {
    const { small, fallId } = unworn(null);
    small.do({ type: 'expire-prompt', promptId: small.promptOf(1, fallId) });
    expect(small.world.count('prompt')).toBe(0);
    expect(small.alerts('sos')).toEqual([]);
  });

  test('has no low battery and no silence', () => {
    const { small } = unworn(null);
    small.do({ type: 'report-battery', deviceId: small.device(1), pct: 5, charging: false });
    expect(small.world.need('device', small.device(1)).batteryLow).toBe(false);
    expect(silenceDue(small.world, small.world.need('device', small.device(1)), 0)).toBeNull();
    small.now += 20 * MINUTE;
    small.do({ type: 'judge-silence', deviceId: small.device(1) });
    expect(small.world.need('device', small.device(1)).silenceReported).toBe(false);
    expect(small.alerts('device_offline')).toEqual([]);
  });
});

describe('silence', () => {
  test('of a watch that left in the same transaction, or of somebody who is not active, is no alert', () => {
    const small = new SmallWorld();
    small.now += 20 * MINUTE;
    expect(small.do({ type: 'judge-silence', deviceId: 'gone' })).toMatchObject({ changes: [] });
    small.world.put('worker', { ...small.world.need('worker', small.workerId(1)), isActive: false });
    expect(small.do({ type: 'judge-silence', deviceId: small.device(1) })).toMatchObject({ changes: [] });
    expect(small.alerts()).toEqual([]);
  });

  test('is never due before a first position, though the watch is in contact', () => {
    const small = new SmallWorld();
    const due = () => silenceDue(small.world, small.world.need('device', small.device(3)), 0);
    small.do({ type: 'report-battery', deviceId: small.device(3), pct: 80, charging: false });
    expect(due()).toBeNull();
    small.at(3, 20, 20);
    expect(due()).toBe(T0 + 10 * MINUTE);
    small.world.put('telemetry', { ...small.world.telemetry(small.device(3)), lastContactAt: null });
    expect(due()).toBeNull();
  });
});

describe('a press of acknowledge', () => {
  test('of an alert that does not exist, or that is the whole plant’s, is dropped', () => {
    const small = new SmallWorld();
    small.do({ type: 'report-hazard', siteId: SITE, official: true, ...hazard });
    for (const alertId of ['nothing', small.alert('earthquake').id])
      expect(small.do({ type: 'acknowledge-on-watch', alertId, ...small.uplink(1) })).toMatchObject({
        dropped: /no such alert/,
      });
    expect(small.alert('earthquake').workerAcknowledgedAt).toBeNull();
  });

  test('on a resolved alert changes nothing', () => {
    const small = new SmallWorld();
    small.sos(1);
    small.update(small.alert('sos'), 'resolved');
    const before = small.alert('sos');
    small.now += MINUTE;
    expect(small.do({ type: 'acknowledge-on-watch', alertId: before.id, ...small.uplink(1) })).toMatchObject({
      alertId: before.id,
    });
    expect(small.alert('sos')).toBe(before);
  });
});

test.each([
  ['generic', 'Customer operator (via integration)'],
  ['actor', 'Desk 2 (via integration)'],
] as const)('under the reading by-label=%s the API signs as %s', (reading, label) => {
  expect(integrationLabel({ ...DEFAULT_ASSUMPTIONS, 'by-label': reading }, 'Desk 2')).toBe(label);
});
