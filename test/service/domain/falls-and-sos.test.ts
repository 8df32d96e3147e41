import { describe, expect, test } from 'vitest';
import { isRejection } from '../../../src/service/domain/changes.ts';
import { SmallWorld, T0 } from './small-world.ts';

const SECOND = 1_000;

describe('a fall', () => {
  test('raises a critical alert where the person is, and asks the watch whether they are well', () => {
    const small = new SmallWorld();
    const fallId = small.fall(1);
    const alert = small.alert('fall_detected');
    expect(alert).toMatchObject({
      severity: 'critical',
      status: 'unacknowledged',
      details: { escalated_to_sos: false },
      zone: { name: 'Dock' },
      locationWithheld: false,
      createdAt: T0,
    });
    expect(alert.location).toMatchObject({ masked: false, source: 'gps' });
    const prompts = small.effects.filter((effect) => effect.kind === 'downlink' && effect.payload.kind === 'prompt');
    expect(prompts).toMatchObject([{ payload: { fall_id: fallId, until: '2026-10-05T06:00:30.000Z' } }]);
    expect(small.eventTypes()).toEqual(['alert.created']);
  });

  test('an unanswered fall becomes an SOS after_fall, and its alert says so without an event of its own', () => {
    const small = new SmallWorld();
    const fallId = small.fall(1);
    const before = small.alert('fall_detected').modifiedAt;
    small.now = T0 + 30 * SECOND;
    small.do({ type: 'expire-prompt', promptId: small.promptOf(1, fallId) });
    expect(small.alert('fall_detected')).toMatchObject({
      details: { escalated_to_sos: true },
      status: 'unacknowledged',
    });
    expect(small.alert('fall_detected').modifiedAt).toBeGreaterThan(before);
    expect(small.alert('sos')).toMatchObject({ details: { trigger: 'after_fall' }, severity: 'critical' });
    expect(small.eventTypes()).toEqual(['alert.created', 'alert.created']);
    expect(small.world.count('prompt')).toBe(0);
  });

  test('answered "I\'m OK" stops the escalation and nothing more', () => {
    const small = new SmallWorld();
    const fallId = small.fall(1);
    const before = small.alert('fall_detected');
    small.do({ type: 'answer-prompt', fallId, answer: 'ok', ...small.uplink(1) });
    expect(small.alert('fall_detected')).toEqual({ ...before, timeline: expect.anything() });
    expect(small.alerts('sos')).toEqual([]);
    expect(small.world.count('prompt')).toBe(0);
    small.do({ type: 'expire-prompt', promptId: small.promptOf(1, fallId) });
    expect(small.alerts('sos')).toEqual([]);
  });

  test('answered "help" is an SOS after_fall at once', () => {
    const small = new SmallWorld();
    const fallId = small.fall(1);
    small.do({ type: 'answer-prompt', fallId, answer: 'help', ...small.uplink(1) });
    expect(small.alert('sos').details).toEqual({ trigger: 'after_fall' });
    small.do({ type: 'expire-prompt', promptId: small.promptOf(1, fallId) });
    expect(small.alert('fall_detected').details).toEqual({ escalated_to_sos: false });
  });

  test('cannot be answered by another watch, nor after it was answered', () => {
    const small = new SmallWorld();
    const fallId = small.fall(1);
    expect(small.do({ type: 'answer-prompt', fallId, answer: 'ok', ...small.uplink(2) })).toMatchObject({
      dropped: /prompt/,
    });
    expect(small.world.count('prompt')).toBe(1);
  });

  test('while one is open adds a line to its timeline and nothing else', () => {
    const small = new SmallWorld();
    small.fall(1);
    const { modifiedAt } = small.alert('fall_detected');
    small.now += SECOND;
    small.fall(1);
    expect(small.alert('fall_detected')).toMatchObject({ modifiedAt, timeline: [{}, {}] });
    expect(small.world.count('prompt')).toBe(1);
    expect(small.eventTypes()).toEqual(['alert.created']);
  });
});

describe('an SOS', () => {
  test.each(['watch_button', 'watch_hardware_button'] as const)('by the %s says so', (trigger) => {
    const small = new SmallWorld();
    small.do({ type: 'report-sos', trigger, ...small.uplink(1) });
    expect(small.alert('sos').details).toEqual({ trigger });
  });

  test('pressed again while open adds a line; after resolution it is a new alert', () => {
    const small = new SmallWorld();
    small.sos(1);
    small.sos(1);
    expect(small.alert('sos').timeline).toHaveLength(2);
    small.update(small.alert('sos'), 'resolved');
    small.sos(1);
    expect(small.alerts('sos').map(({ status }) => status)).toEqual(['resolved', 'unacknowledged']);
  });

  test('message that is sent again is heard once, also after resolution', () => {
    const small = new SmallWorld();
    const uplink = small.uplink(1);
    small.do({ type: 'report-sos', trigger: 'watch_button', ...uplink });
    small.update(small.alert('sos'), 'resolved');
    expect(small.do({ type: 'report-sos', trigger: 'watch_button', ...uplink })).toMatchObject({
      dropped: 'heard before',
    });
    expect(small.alert('sos').status).toBe('resolved');
  });

  test('without any position has no location and withholds none', () => {
    const small = new SmallWorld();
    small.sos(3);
    expect(small.alert('sos')).toMatchObject({ location: null, locationWithheld: false, zone: null, nearby: [] });
  });
});

describe('a worker who was near', () => {
  test('is reported with distance rounded down, nearest first, under 100 m, no older than 2 min', () => {
    const small = new SmallWorld();
    small.at(2, 20, 60.9);
    small.at(3, 20, 119.9);
    small.worker(4, 'Far Away');
    small.at(4, 20, 120.1);
    small.worker(5, 'Long Ago');
    small.at(5, 21, 21);
    small.now = T0 + 119 * SECOND;
    small.at(1, 20, 20);
    small.at(2, 20, 60.9);
    small.at(3, 20, 119.9);
    small.at(4, 20, 120.1);
    small.now += 2 * SECOND;
    small.sos(1);
    expect(small.alert('sos').nearby.map(({ worker, distanceM, kind }) => [worker.name, distanceM, kind])).toEqual([
      ['Luis Paz', 40, 'person'],
      ['Eva Mar', 99, 'person'],
    ]);
  });

  test('leaves out who is in a privacy zone, and is empty for who is alerted in one', () => {
    const small = new SmallWorld();
    small.at(2, 285, 165);
    small.at(1, 265, 140);
    small.sos(1);
    expect(small.alert('sos').nearby).toEqual([]);
    small.at(3, 268, 150);
    small.sos(2);
    const alert = small.alerts('sos')[1];
    expect(alert).toMatchObject({
      nearby: [],
      zone: { name: 'Canteen' },
      location: { source: 'zone', masked: true, uncertaintyM: null, height: null },
    });
  });

  test('counts a driver as the vehicle', () => {
    const small = new SmallWorld();
    small.world.put('vehicle', { id: 'v', siteId: 'x', type: 'forklift', driverId: small.workerId(2) });
    small.at(2, 20, 30.5, { inVehicle: true });
    small.fall(1);
    expect(small.alert('fall_detected').nearby).toMatchObject([
      { kind: 'vehicle', vehicleType: 'forklift', worker: { name: 'Luis Paz' }, distanceM: 10 },
    ]);
  });

  test('is reported for SOS and falls only', () => {
    const small = new SmallWorld();
    small.at(2, 20, 30);
    small.do({ type: 'request-call', voiceNote: false, ...small.uplink(1) });
    expect(small.alert('worker_call_request').nearby).toEqual([]);
  });
});

describe('the worker acknowledges on the watch', () => {
  test("by the watch's own clock, without changing the status", () => {
    const small = new SmallWorld();
    small.sos(1);
    const { id } = small.alert('sos');
    small.do({ type: 'acknowledge-on-watch', alertId: id, ...small.uplink(1), watchTime: T0 - 90 * SECOND });
    expect(small.alert('sos')).toMatchObject({ workerAcknowledgedAt: T0 - 90 * SECOND, status: 'unacknowledged' });
    expect(small.eventTypes()).toEqual(['alert.created', 'alert.worker_acknowledged']);
  });

  test('the newest open one that is not yet acknowledged, where none is named', () => {
    const small = new SmallWorld();
    small.fall(1);
    small.now += SECOND;
    small.sos(1);
    const press = () => small.do({ type: 'acknowledge-on-watch', alertId: null, ...small.uplink(1) });
    press();
    expect(small.alert('sos').workerAcknowledgedAt).not.toBeNull();
    expect(small.alert('fall_detected').workerAcknowledgedAt).toBeNull();
    press();
    expect(small.alert('fall_detected').workerAcknowledgedAt).not.toBeNull();
    expect(press()).toMatchObject({ dropped: /no such alert/ });
  });

  test("not another worker's alert, and not twice", () => {
    const small = new SmallWorld();
    small.sos(1);
    const { id } = small.alert('sos');
    expect(small.do({ type: 'acknowledge-on-watch', alertId: id, ...small.uplink(2) })).toMatchObject({
      dropped: /no such/,
    });
    small.do({ type: 'acknowledge-on-watch', alertId: id, ...small.uplink(1) });
    const before = small.alert('sos');
    small.now += SECOND;
    small.do({ type: 'acknowledge-on-watch', alertId: id, ...small.uplink(1) });
    expect(small.alert('sos')).toEqual(before);
  });
});

describe('a call request', () => {
  test.each([true, false])('tells whether a voice note was left: %s', (voiceNote) => {
    const small = new SmallWorld();
    const decision = small.do({ type: 'request-call', voiceNote, ...small.uplink(1) });
    expect(isRejection(decision)).toBe(false);
    expect(small.alert('worker_call_request')).toMatchObject({
      severity: 'medium',
      details: { voice_note: voiceNote },
    });
  });
});
