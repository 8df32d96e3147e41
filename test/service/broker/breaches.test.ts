/** Payloads that break their schema, at the socket: a PUBACK, a line in the log, and nothing else. [watch-protocol, access] */
import { describe, expect, it } from 'vitest';
import { idFrom } from '../../../src/base/ids.ts';
import {
  UPLINK_EVENT_KINDS,
  type UplinkEventKind,
  upBatteryTopic,
  upEventTopic,
  upPositionTopic,
  upStatusTopic,
} from '../../../src/contract/watch.ts';
import { bench } from '../../helpers/broker-bench.ts';
import { T } from '../../helpers/raw-watch.ts';
import { deviceIdOf, SITE, serialOf } from '../../helpers/watch-world.ts';

const OWN = serialOf(1);
const ID = idFrom('an', 'event');
const stamp = { session: 1, seq: 1, t: T };
const fix = {
  ...stamp,
  latitude: 37.2,
  longitude: -6.9,
  uncertainty_m: 5,
  source: 'gps',
  in_vehicle: false,
  worn: true,
};
const EVENTS: { readonly [K in UplinkEventKind]: object } = {
  sos: { with: 'watch_button' },
  fall: {},
  prompt: { fall_id: ID, answer: 'ok' },
  ack: {},
  call: { voice_note: false },
  help: { reason: null },
  declare: { point_id: ID },
  vehicle_ack: { warning_id: ID },
};

/** One right payload for every topic of a watch. */
const RIGHT: readonly (readonly [string, Record<string, unknown>])[] = [
  [upStatusTopic(SITE, OWN), { online: true, session: 1, firmware: 'test 1', t: T }],
  [upPositionTopic(SITE, OWN), fix],
  [upBatteryTopic(SITE, OWN), { ...stamp, pct: 80, charging: false }],
  ...UPLINK_EVENT_KINDS.map((kind) => [upEventTopic(SITE, OWN, kind), { id: ID, ...stamp, ...EVENTS[kind] }] as const),
];
const nameOf = (topic: string) => topic.slice(topic.indexOf('/up/') + 1);

/** The watch published it with QoS 1, then asks whether anybody is still there. */
async function dropped(topic: string, payload: unknown) {
  const { watch, broker, plant, refused } = await bench();
  const odd = await watch();
  const before = broker.counts().uplinks;
  await odd.publish(topic, payload);
  const published = await refused(topic);
  await odd.ping();
  expect(published.serial).toBe(OWN);
  expect(broker.counts()).toMatchObject({
    uplinks: before,
    connections: 1,
    watches: 1,
    refused: { payload: 1, protocol: 0 },
  });
  expect(plant.world.telemetry(deviceIdOf(OWN))).toMatchObject({ fix: null, batteryPct: null });
  expect(plant.world.count('alert')).toBe(0);
  return published.why;
}

describe('what breaks its schema gets its PUBACK and is dropped', () => {
  it.each(
    RIGHT.map(([topic, payload]) => [nameOf(topic), topic, payload] as const),
  )('on %s with a pulse in it', async (_name, topic, payload) => {
    expect(await dropped(topic, { ...payload, pulse: 88 })).toContain('/pulse');
  });

  const missing = RIGHT.map(([topic, payload]) => {
    const { session: _, ...rest } = payload;
    return [nameOf(topic), topic, rest] as const;
  });
  it.each(missing)('on %s without its session', async (_name, topic, payload) => {
    expect(await dropped(topic, payload)).toContain('/session');
  });

  it.each([
    ['a word', '"here"'],
    ['a number', '7'],
    ['null', 'null'],
    ['no JSON', '{"session": 1,'],
    ['two values', '{}{}'],
    ['not a byte', ''],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['a mark of byte order', `\u{feff}${JSON.stringify(fix)}`],
    ['a hundred levels of arrays', `${'['.repeat(100)}${']'.repeat(100)}`],
    ['an empty array', '[]'],
    ['an array with one bad position', JSON.stringify([fix, { ...fix, seq: 2, latitude: 91 }, { ...fix, seq: 3 }])],
    ['an array with a pulse in one position', JSON.stringify([fix, { ...fix, pulse: 88 }])],
    ['a height of null', JSON.stringify({ ...fix, height: null })],
    ['a time in seconds', JSON.stringify({ ...fix, t: 1_791_180_000 })],
    ['a time with an offset', JSON.stringify({ ...fix, t: '2026-10-05T08:00:00.000+02:00' })],
    ['a day that the calendar does not have', JSON.stringify({ ...fix, t: '2026-02-30T08:00:00.000Z' })],
    ['a prototype', `{"__proto__": {"pulse": 1}, ${JSON.stringify(fix).slice(1)}`],
  ])('as a position: %s', async (_case, payload) => {
    expect(await dropped(upPositionTopic(SITE, OWN), payload)).not.toBe('');
  });

  it('and its words are not repeated in the log', async () => {
    const why = await dropped(upBatteryTopic(SITE, OWN), { ...stamp, pct: 'heart rate 187', charging: false });
    expect(why).toContain('/pct');
    expect(why).not.toContain('187');
  });

  it('and what stood before and behind it in the same piece is heard', async () => {
    const { watch, plant, broker } = await bench();
    const talker = await watch();
    const messages = [70, 'pulse', 60].map((pct) =>
      talker.message(upBatteryTopic(SITE, OWN), { ...talker.stamp(), pct, charging: false }),
    );
    talker.send(...messages);
    await talker.next('puback', ({ messageId }) => messageId === messages[2]?.messageId);
    expect(plant.world.telemetry(deviceIdOf(OWN)).batteryPct).toBe(60);
    expect(broker.counts().refused.payload).toBe(1);
  });
});

describe('the service takes', () => {
  it.each(
    RIGHT.flatMap(([topic, payload]) => [0, 1].map((qos) => [nameOf(topic), qos as 0 | 1, topic, payload] as const)),
  )('%s with QoS %i', async (_name, qos, topic, payload) => {
    const { watch, broker } = await bench();
    const own = await watch();
    const before = broker.counts().uplinks;
    own.send(own.message(topic, payload, { qos }));
    // An answer to what comes after it tells that it has arrived.
    await own.publish(upStatusTopic(SITE, OWN), { online: false, session: 1 });
    expect(broker.counts().uplinks).toBe(before + 1);
    expect(broker.counts().refused).toMatchObject({ payload: 0, topic: 0, qos: 0 });
  });

  it.each(
    RIGHT.map(([topic, payload]) => [nameOf(topic), topic, payload] as const),
  )('%s as a retained one, which nobody is told', async (_name, topic, payload) => {
    const { watch, broker } = await bench();
    const own = await watch();
    await own.publish(topic, payload, { retain: true });
    const published = own.received.filter((packet) => packet.cmd === 'publish' && packet.topic === topic);
    expect(published).toEqual([]);
    expect(broker.counts().connections).toBe(1);
  });
});

describe('the times of positions', () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const reported = async (...ages: number[]) => {
    const { watch, plant, clock } = await bench();
    const own = await watch();
    clock.pause();
    const now = clock.now();
    const fixes = ages.map((age, index) => ({ ...fix, seq: index + 1, t: at(now - age), latitude: 37 + index / 1e4 }));
    await own.publish(upPositionTopic(SITE, OWN), fixes.length === 1 ? fixes[0] : fixes);
    const known = plant.world.telemetry(deviceIdOf(OWN)).fix;
    return known === null ? null : { index: Math.round((known.latitude - 37) * 1e4), age: now - known.at };
  };

  it('one of just now moves the person', async () => {
    expect(await reported(1_000)).toEqual({ index: 0, age: 1_000 });
  });

  it('one of more than 5 min ago does not', async () => {
    expect(await reported(301_000)).toBeNull();
  });

  it('one of the future counts as the arrival', async () => {
    expect(await reported(-3_600_000)).toEqual({ index: 0, age: 0 });
  });

  it('of an outage, the last that is not old does', async () => {
    expect(await reported(900_000, 240_000, 120_000)).toEqual({ index: 2, age: 120_000 });
  });
});
