/** The watch machine as tables: what it says, in which order, and what it shows. [watch-protocol] */
import { describe, expect, it } from 'vitest';
import { idFrom } from '../../src/base/ids.ts';
import { formatInstant } from '../../src/base/time/instants.ts';
import { check } from '../../src/contract/check.ts';
import { MAX_WATCH_PAYLOAD_BYTES, UPLINK_EVENTS, UPLINKS } from '../../src/contract/watch.ts';
import type { Message } from '../../src/fleet/connection/messages.ts';
import { WatchMachine } from '../../src/fleet/watch/machine.ts';

const NOW = 1_791_180_000_000;
const ALERT = idFrom('alert');
const FALL = idFrom('fall');
const fixAt = (at: number) => ({
  t: formatInstant(at),
  latitude: 37.2000001,
  longitude: -6.9000001,
  uncertainty_m: 3,
  source: 'gps' as const,
  in_vehicle: false,
  worn: true,
});
const alert = (id: string, status: 'unacknowledged' | 'acknowledged' | 'resolved' = 'unacknowledged') =>
  ({ kind: 'alert', alert_id: id, type: 'sos', status, by: null }) as const;
const muster = (status: 'active' | 'completed') =>
  ({
    muster_id: FALL,
    status,
    kind: 'fire',
    phase: 'evacuating',
    revision: 1,
    deadline: null,
    points: [],
  }) as never;

function watch(parts: Partial<ConstructorParameters<typeof WatchMachine>[0]> = {}): WatchMachine {
  return new WatchMachine({
    serial: 'W-001',
    salt: 'test',
    lastSession: 4,
    worn: true,
    positionEveryMs: 10_000,
    alarmEveryMs: 5_000,
    stagger: 0.3,
    ...parts,
  });
}

/** Connected, with its birth published. */
function bornWatch(now = NOW): WatchMachine {
  const machine = watch();
  machine.beginSession();
  machine.connected(now);
  say(machine, now);
  return machine;
}

/** The next message, delivered. */
function say(machine: WatchMachine, now = NOW, assured = false): Message | null {
  const next = machine.next(now, assured);
  if (next !== null) machine.delivered(next.parcel);
  return next?.message ?? null;
}

const leaves = (machine: WatchMachine): string[] => {
  const leavesSoFar: string[] = [];
  for (let message = say(machine); message !== null; message = say(machine)) leavesSoFar.push(message.leaf);
  return leavesSoFar;
};

describe('what a watch says', () => {
  it('begins with its birth, one session after the last', () => {
    const machine = watch();
    expect(machine.beginSession()).toEqual({ online: false, session: 5 });
    machine.connected(NOW);
    expect(say(machine)).toEqual({
      leaf: 'status',
      payload: { online: true, session: 5, firmware: 'sandbox-watch 1.0', t: '2026-10-05T06:00:00.000Z' },
      qos: 1,
      retain: true,
    });
    expect(say(machine)).toBeNull();
  });

  it('puts SOS and falls first, then other events, then positions, then the charge', () => {
    const machine = watch();
    machine.reportBattery(50, NOW);
    machine.reportPosition(fixAt(NOW));
    machine.report('call', { voice_note: false }, NOW);
    machine.fall(null, NOW);
    machine.report('sos', { with: 'watch_button' }, NOW);
    machine.beginSession();
    machine.connected(NOW);
    expect(leaves(machine)).toEqual(['status', 'event/fall', 'event/sos', 'event/call', 'position', 'battery']);
  });

  it('fits the schemas of the protocol', () => {
    const machine = bornWatch();
    machine.reportBattery(50, NOW);
    machine.reportPosition(fixAt(NOW));
    machine.report('sos', { with: 'watch_hardware_button' }, NOW);
    machine.fall(null, NOW);
    machine.onAlert({ kind: 'prompt', fall_id: FALL, until: formatInstant(NOW + 30_000) }, NOW);
    machine.answer('ok', NOW);
    machine.acknowledge(ALERT, NOW);
    for (let message = say(machine); message !== null; message = say(machine)) {
      const [kind, event] = message.leaf.split('/') as ['position' | 'battery' | 'event', keyof typeof UPLINK_EVENTS];
      const schema = kind === 'event' ? UPLINK_EVENTS[event] : UPLINKS[kind];
      expect(check<typeof schema>(schema, message.payload)).toMatchObject({ ok: true });
    }
  });

  it('counts its messages from 1 in each session', () => {
    const machine = bornWatch();
    const places = () => {
      machine.reportBattery(50, NOW);
      return (say(machine)?.payload as { session: number; seq: number }) ?? null;
    };
    expect([places(), places()]).toMatchObject([
      { session: 5, seq: 1 },
      { session: 5, seq: 2 },
    ]);
    machine.beginSession();
    machine.connected(NOW);
    say(machine);
    expect(places()).toMatchObject({ session: 6, seq: 1 });
  });

  it('says an event with one id until it is delivered, and never again with it', () => {
    const machine = bornWatch();
    machine.report('sos', { with: 'watch_button' }, NOW);
    const first = machine.next(NOW, false)?.message.payload as { id: string };
    machine.beginSession();
    machine.connected(NOW + 5_000);
    say(machine);
    const second = say(machine, NOW + 5_000)?.payload as { id: string; t: string; session: number };
    expect(second).toMatchObject({ id: first.id, t: formatInstant(NOW), session: 6, seq: 1 });
    machine.report('sos', { with: 'watch_button' }, NOW + 5_000);
    expect((say(machine)?.payload as { id: string }).id).not.toBe(first.id);
  });

  it('makes other ids after a restart that forgot the last session', () => {
    const id = (now: number) => {
      const machine = bornWatch(now);
      return machine.report('sos', { with: 'watch_button' }, now).item.id;
    };
    expect(id(NOW)).toBe(id(NOW));
    expect(id(NOW)).not.toBe(id(NOW + 1));
  });

  it('brings the positions of an outage oldest first, as many in a message as it may carry', () => {
    const machine = watch();
    for (let n = 0; n < 1_200; n++) machine.reportPosition(fixAt(NOW + n * 10_000));
    machine.beginSession();
    machine.connected(NOW);
    say(machine);
    const times: string[] = [];
    for (let message = say(machine); message !== null; message = say(machine)) {
      expect(Buffer.byteLength(JSON.stringify(message.payload))).toBeLessThanOrEqual(MAX_WATCH_PAYLOAD_BYTES);
      expect(check(UPLINKS.position, message.payload).ok).toBe(true);
      times.push(...(message.payload as { t: string }[]).map(({ t }) => t));
    }
    // The oldest two hundred had to go.
    expect(times).toHaveLength(1_000);
    expect(times[0]).toBe(formatInstant(NOW + 200 * 10_000));
    expect([...times].sort()).toEqual(times);
  });

  it('keeps only the newest charge', () => {
    const machine = bornWatch();
    machine.reportBattery(50, NOW);
    machine.reportBattery(49, NOW);
    expect(say(machine)?.payload).toMatchObject({ pct: 49 });
    expect(say(machine)).toBeNull();
  });

  it('does not lose a charge that came while an older one was on its way', () => {
    const machine = bornWatch();
    machine.reportBattery(50, NOW);
    const underWay = machine.next(NOW, false);
    machine.reportBattery(49, NOW);
    if (underWay !== null) machine.delivered(underWay.parcel);
    expect(say(machine)?.payload).toMatchObject({ pct: 49 });
  });

  it.each([
    ['calm', () => {}, false, 0],
    ['in a fast run', () => {}, true, 1],
    ['with an open alert', (m: WatchMachine) => m.onAlert(alert(ALERT), NOW), false, 1],
    [
      'after its alert was resolved',
      (m: WatchMachine) => {
        m.onAlert(alert(ALERT), NOW);
        m.onAlert(alert(ALERT, 'resolved'), NOW);
      },
      false,
      0,
    ],
    ['in a muster', (m: WatchMachine) => m.onMuster(muster('active'), NOW), false, 1],
  ])('%s, positions go with QoS 1 or 0', (_case, before, assured, qos) => {
    const machine = bornWatch();
    before(machine);
    machine.reportPosition(fixAt(NOW));
    expect(machine.next(NOW, assured)?.message.qos).toBe(qos);
  });
});

describe('when a watch reports', () => {
  it('is every interval, at its own place in it', () => {
    const machine = bornWatch();
    expect(machine.nextReportAt).toBe(NOW + 3_000);
    machine.reported(NOW + 3_000);
    expect(machine.nextReportAt).toBe(NOW + 13_000);
    // Late once, it keeps its place.
    machine.reported(NOW + 13_900);
    expect(machine.nextReportAt).toBe(NOW + 23_000);
  });

  it('is sooner while there is an alert or a muster, and later again after', () => {
    const machine = bornWatch();
    machine.reported(NOW + 3_000);
    expect(machine.onAlert(alert(ALERT), NOW + 4_000)).toEqual([{ do: 'replan' }]);
    expect(machine.nextReportAt).toBe(NOW + 5_500);
    machine.reported(NOW + 5_500);
    expect(machine.nextReportAt).toBe(NOW + 10_500);
    machine.onAlert(alert(ALERT, 'resolved'), NOW + 6_000);
    machine.reported(NOW + 10_500);
    expect(machine.nextReportAt).toBe(NOW + 20_500);
    machine.onMuster(muster('active'), NOW + 11_000);
    expect(machine.nextReportAt).toBe(NOW + 12_500);
    machine.onMuster(muster('completed'), NOW + 12_000);
    expect(machine.alarmed).toBe(false);
  });

  it('is what the service says', () => {
    const machine = bornWatch();
    const config = { position_every_s: 60, alarm_every_s: 2.5, prompt_s: 30 };
    expect(machine.onConfig(config, NOW)).toEqual([{ do: 'replan' }]);
    expect(machine.nextReportAt).toBe(NOW + 18_000);
    expect(machine.onConfig(config, NOW + 1_000)).toEqual([]);
    expect(machine.nextReportAt).toBe(NOW + 18_000);
  });

  it('is never slower in an alarm than without one, whatever the service says', () => {
    const machine = bornWatch();
    machine.onConfig({ position_every_s: 4, alarm_every_s: 30, prompt_s: 30 }, NOW);
    machine.onAlert(alert(ALERT), NOW);
    expect(machine.nextReportAt).toBe(NOW + 1_200);
    machine.reported(NOW + 1_200);
    expect(machine.nextReportAt).toBe(NOW + 5_200);
  });

  it('is never before it was connected', () => {
    const machine = watch();
    machine.onAlert(alert(ALERT), NOW);
    machine.onConfig({ position_every_s: 1, alarm_every_s: 1, prompt_s: 30 }, NOW);
    expect(machine.nextReportAt).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('the prompt of a fall', () => {
  const prompt = { kind: 'prompt', fall_id: FALL, until: formatInstant(NOW + 30_000) } as const;

  it('is shown until its time has passed', () => {
    const machine = bornWatch();
    machine.onAlert(prompt, NOW);
    expect(machine.prompt(NOW + 29_999)).toEqual({ fallId: FALL, until: NOW + 30_000 });
    expect(machine.shown(NOW + 29_999).prompt).not.toBeNull();
    expect(machine.prompt(NOW + 30_000)).toBeNull();
    expect(machine.shown(NOW + 30_000).prompt).toBeNull();
    expect(machine.answer('ok', NOW + 30_000)).toBeNull();
  });

  it('is shown until it is answered, once', () => {
    const machine = bornWatch();
    machine.onAlert(prompt, NOW);
    expect(machine.answer('help', NOW + 1_000)?.item).toMatchObject({
      kind: 'prompt',
      fields: { fall_id: FALL, answer: 'help' },
    });
    expect(machine.answer('ok', NOW + 2_000)).toBeNull();
  });

  it('a prompt that came too late is not shown', () => {
    const machine = bornWatch();
    machine.onAlert(prompt, NOW + 30_000);
    expect(machine.shown(NOW + 30_000).prompt).toBeNull();
  });

  it('makes its wearer think of an answer once, though it is told again after a reconnect', () => {
    const machine = bornWatch();
    const plan = { answer: 'ok', afterMs: 4_000 } as const;
    const { id } = machine.fall(plan, NOW).item;
    const reported = { ...prompt, fall_id: id };
    expect(machine.onAlert(reported, NOW)).toEqual([{ do: 'answer-later', fallId: id, plan }]);
    machine.connected(NOW + 1_000);
    expect(machine.prompt(NOW + 1_000)).toBeNull();
    expect(machine.onAlert(reported, NOW + 1_000)).toEqual([]);
    expect(machine.prompt(NOW + 1_000)).toMatchObject({ fallId: id });
  });

  it('of somebody who never answers makes nobody think', () => {
    const machine = bornWatch();
    const { id } = machine.fall(null, NOW).item;
    expect(machine.onAlert({ ...prompt, fall_id: id }, NOW)).toEqual([]);
  });
});

describe('the press of acknowledge', () => {
  const [first, second] = [idFrom('first'), idFrom('second')];
  const acknowledged = (machine: WatchMachine) => machine.acknowledge(undefined, NOW)?.item.fields ?? null;

  it('means the newest alert that was not acknowledged, then the one before', () => {
    const machine = bornWatch();
    expect(acknowledged(machine)).toBeNull();
    machine.onAlert(alert(first), NOW);
    machine.onAlert(alert(second), NOW);
    expect(acknowledged(machine)).toEqual({ alert_id: second });
    // What the control room did does not press the button.
    machine.onAlert(alert(second, 'acknowledged'), NOW);
    expect(acknowledged(machine)).toEqual({ alert_id: first });
    expect(acknowledged(machine)).toBeNull();
  });

  it('does not mean one that is resolved, unless it is named', () => {
    const machine = bornWatch();
    machine.onAlert(alert(first), NOW);
    machine.onAlert(alert(first, 'resolved'), NOW);
    expect(acknowledged(machine)).toBeNull();
    expect(machine.acknowledge(first, NOW)?.item.fields).toEqual({ alert_id: first });
  });
});

it('what is shown is what was told since the last birth', () => {
  const machine = bornWatch();
  machine.onAlert(alert(ALERT), NOW);
  machine.onMuster(muster('active'), NOW);
  machine.onAlert({ kind: 'rest', alert_id: ALERT }, NOW);
  machine.onAlert({ kind: 'vehicle', warning_id: FALL, vehicle_type: 'forklift', distance_m: 8 }, NOW);
  expect(machine.shown(NOW)).toMatchObject({
    alerts: [{ alert_id: ALERT }],
    muster: { status: 'active' },
    rest: ALERT,
    vehicle: { distance_m: 8 },
  });
  machine.onAlert(alert(ALERT, 'resolved'), NOW);
  expect(machine.shown(NOW)).toMatchObject({ alerts: [], rest: null });
  machine.connected(NOW);
  expect(machine.shown(NOW)).toMatchObject({ alerts: [], muster: null });
});

it('a muster is shown in words: where to go, and not to return while the plant is inspected', () => {
  const machine = bornWatch();
  const point = { latitude: 0, longitude: 0, vertical: false, status: 'available', serves: ['general'] } as const;
  const points = [
    { ...point, id: 'a', name: 'Gate A' },
    { ...point, id: 'b', name: 'Gate B', status: 'excluded' as const },
    { ...point, id: 'c', name: 'Hill', serves: ['general', 'tsunami'] as const },
  ];
  const reported = { muster_id: FALL, status: 'active', revision: 1, deadline: null } as const;
  const say = (about: { kind: 'general' | 'tsunami'; phase: 'evacuating' | 'inspecting' }, shown: typeof points) => {
    machine.onMuster({ ...reported, ...about, points: shown as never }, NOW);
    return machine.shown(NOW).musterText;
  };
  expect(machine.shown(NOW).musterText).toBeNull();
  expect(say({ kind: 'general', phase: 'evacuating' }, points)).toBe('Evacuate to Gate A or Hill');
  expect(say({ kind: 'tsunami', phase: 'evacuating' }, points)).toBe('Evacuate to Hill');
  expect(say({ kind: 'general', phase: 'evacuating' }, [])).toBe('Evacuate, and wait for word where to go');
  expect(say({ kind: 'general', phase: 'inspecting' }, points)).toBe('Do not return until further notice');
  machine.onMuster({ ...reported, kind: 'general', phase: 'inspecting', status: 'completed', points: [] }, NOW);
  expect(machine.shown(NOW).musterText).toBeNull();
});
