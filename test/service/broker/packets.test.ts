/** What MQTT forbids, at the socket; what comes in one write; what is lawful and odd. [watch-protocol, fine print] */
import mqttPacket, { type IConnectPacket, type Packet } from 'mqtt-packet';
import { describe, expect, it } from 'vitest';
import { idFrom } from '../../../src/base/ids.ts';
import { formatInstant } from '../../../src/base/time/instants.ts';
import { upBatteryTopic, upEventTopic, upPositionTopic, upStatusTopic } from '../../../src/contract/watch.ts';
import { type Bench, bench } from '../../helpers/broker-bench.ts';
import { deviceIdOf, keyOf, type Plant, SITE, START, serialOf } from '../../helpers/watch-world.ts';

const OWN = serialOf(1);
const OTHER = serialOf(2);
const T = formatInstant(START);
const alertsOf = (plant: Plant) => [...plant.world.all('alert')].map(({ type }) => type);
const notesOf = (plant: Plant) =>
  plant.notices.flatMap((notice) => (notice.kind === 'watch-noted' ? [notice.why] : []));

const CONNECT: IConnectPacket = {
  cmd: 'connect',
  protocolId: 'MQTT',
  protocolVersion: 4,
  clean: true,
  clientId: OWN,
  keepalive: 0,
  username: OWN,
  password: Buffer.from(keyOf(OWN)),
};
const bytesOf = (packet: Packet): Buffer => mqttPacket.generate(packet);

/** A packet as its library would not make it: `change` gets its bytes. */
const changed = (packet: Packet, change: (bytes: Buffer) => void): Buffer => {
  const bytes = Buffer.from(bytesOf(packet));
  change(bytes);
  return bytes;
};
const replaced = (packet: Packet, text: string, by: Buffer): Buffer =>
  changed(packet, (bytes) => by.copy(bytes, bytes.indexOf(text)));

const EVENT = { id: idFrom('door', 1), session: 1, seq: 1, t: T, with: 'watch_button' };
const publish = (rest: object = {}): Packet =>
  ({
    cmd: 'publish',
    topic: upEventTopic(SITE, OWN, 'sos'),
    payload: JSON.stringify(EVENT),
    qos: 1,
    messageId: 7,
    dup: false,
    retain: false,
    ...rest,
  }) as Packet;
const subscribe = { cmd: 'subscribe', messageId: 7, subscriptions: [{ topic: 'wt/v1/host/state', qos: 1 }] } as Packet;
const unsubscribe = { cmd: 'unsubscribe', messageId: 7, unsubscriptions: ['wt/v1/host/state'] } as Packet;
/** The identifier is the first thing behind a header of two bytes. */
const idAt2 = (bytes: Buffer): void => void bytes.writeUInt16BE(0, 2);
const idBehindTopic = (bytes: Buffer): void =>
  void bytes.writeUInt16BE(0, bytes.indexOf(upEventTopic(SITE, OWN, 'sos')) + upEventTopic(SITE, OWN, 'sos').length);

describe('a packet that MQTT forbids ends its connection and is not acted on', () => {
  const cases: readonly [string, Buffer, RegExp][] = [
    ['a PUBLISH of QoS 1 with packet identifier 0', changed(publish(), idBehindTopic), /MQTT-2\.3\.1-1/],
    ['a SUBSCRIBE with packet identifier 0', changed(subscribe, idAt2), /MQTT-2\.3\.1-1/],
    ['an UNSUBSCRIBE with packet identifier 0', changed(unsubscribe, idAt2), /MQTT-2\.3\.1-1/],
    ['a PUBACK with packet identifier 0', changed({ cmd: 'puback', messageId: 7 }, idAt2), /MQTT-2\.3\.1-1/],
    [
      'DUP with QoS 0',
      changed(publish({ qos: 0, messageId: undefined }), (bytes) => (bytes[0]! |= 0x08)),
      /MQTT-3\.3\.1-2/,
    ],
    ['QoS 3', changed(publish(), (bytes) => (bytes[0]! |= 0x06)), /QoS/],
    ['a NUL in a topic', replaced(publish(), '/up/event', Buffer.from('\0')), /MQTT-1\.5\.3-2/],
    ['a NUL in a filter', replaced(subscribe, 'host', Buffer.from('\0')), /MQTT-1\.5\.3-2/],
    ['a NUL in a filter to leave', replaced(unsubscribe, 'host', Buffer.from('\0')), /MQTT-1\.5\.3-2/],
    ['a topic that is no UTF-8', replaced(publish(), '/up/event', Buffer.from([0xff])), /MQTT-1\.5\.3-1/],
    ['a surrogate in a filter', replaced(subscribe, 'host', Buffer.from([0xed, 0xa0, 0x80])), /MQTT-1\.5\.3-1/],
    ['a second CONNECT', bytesOf(CONNECT), /protocol/i],
  ];
  it.each(cases)('%s', async (_case, bytes, why) => {
    const { watch, broker, plant, refused } = await bench();
    const odd = await watch();
    const uplinks = broker.counts().uplinks;
    odd.socket.write(
      Buffer.concat([bytes, bytesOf(publish({ payload: JSON.stringify({ ...EVENT, id: idFrom('next') }) }))]),
    );
    await odd.ended;
    expect((await refused('connection')).why).toMatch(why);
    expect(broker.counts()).toMatchObject({ uplinks, refused: { protocol: 1 } });
    expect(alertsOf(plant)).toEqual([]);
  });

  const connects: readonly [string, Buffer][] = [
    ['a NUL in the client id', bytesOf({ ...CONNECT, clientId: `${OWN}/\0x` })],
    ['a NUL in the user name', replaced({ ...CONNECT, username: 'UUUUU' }, 'UUUUU', Buffer.from('\0'))],
    [
      'a NUL in the topic of the will',
      bytesOf({
        ...CONNECT,
        will: { topic: `${upStatusTopic(SITE, OWN)}\0`, payload: Buffer.from('x'), qos: 1, retain: false },
      }),
    ],
    ['a client id that is no UTF-8', replaced({ ...CONNECT, clientId: `${OWN}/xyz` }, 'xyz', Buffer.from([0xff]))],
  ];
  it.each(connects)('%s: nobody is let in', async (_case, bytes) => {
    const { socket, broker, plant } = await bench();
    const odd = socket();
    odd.socket.write(bytes);
    await odd.ended;
    expect(odd.received).toEqual([]);
    expect(broker.counts()).toMatchObject({ connections: 0, refused: { protocol: 1 } });
    expect(JSON.stringify(plant.notices)).not.toContain(keyOf(OWN));
  });
});

describe('a protocol level that nobody speaks gets CONNACK 1', () => {
  const at = bytesOf(CONNECT).indexOf('MQTT') + 4;
  it.each([0, 1, 2, 6, 7, 99, 127, 0x83, 0x84, 255])('level %i', async (level) => {
    const { socket, broker } = await bench();
    const odd = socket();
    odd.socket.write(changed(CONNECT, (bytes) => (bytes[at] = level)));
    expect(await odd.next('connack')).toMatchObject({ returnCode: 1, sessionPresent: false });
    await odd.ended;
    expect(broker.counts()).toMatchObject({ connections: 0, refused: { protocol: 1 } });
  });
});

describe('a CONNECT and a whole outbox in one write', () => {
  it.each([1, 41, 42, 43, 100, 1_000])('of %i messages: each is heard and has its PUBACK, in order', async (count) => {
    const { socket, plant } = await bench();
    const eager = socket();
    const birth = { online: true, session: 1, firmware: 'test', t: T };
    const batteries = Array.from({ length: count - 1 }, (_, n) =>
      eager.message(upBatteryTopic(SITE, OWN), { session: 1, seq: n + 2, t: T, pct: 99 - (n % 50), charging: false }),
    );
    const sos = eager.message(upEventTopic(SITE, OWN, 'sos'), EVENT);
    const messages = [eager.message(upStatusTopic(SITE, OWN), birth, { retain: true }), ...batteries, sos];
    eager.send(CONNECT, ...messages);
    await eager.next('puback', ({ messageId }) => messageId === sos.messageId);
    const acknowledged = eager.received.filter(({ cmd }) => cmd === 'puback').map(({ messageId }) => messageId);
    expect(acknowledged).toEqual(messages.map(({ messageId }) => messageId));
    expect(alertsOf(plant)).toEqual(['sos']);
    await eager.ping();
  });

  it('with a wrong key: nothing of it is heard', async () => {
    const { socket, plant, broker } = await bench();
    const eager = socket();
    const messages = Array.from({ length: 100 }, () => eager.message(upEventTopic(SITE, OWN, 'sos'), EVENT));
    eager.send({ ...CONNECT, password: Buffer.from('guess') }, ...messages);
    expect(await eager.next('connack')).toMatchObject({ returnCode: 4 });
    await eager.ended;
    expect(broker.counts().uplinks).toBe(0);
    expect(alertsOf(plant)).toEqual([]);
  });
});

describe('the watch and the id of its message decide together', () => {
  it('so two watches may use one id, each for an alert of its own', async () => {
    const { watch, plant } = await bench();
    const [one, two] = [await watch(OWN), await watch(OTHER)];
    await one.sos(EVENT.id);
    await two.sos(EVENT.id);
    await two.sos(EVENT.id);
    const alerts = [...plant.world.all('alert')];
    expect(alerts.map(({ device }) => device?.serial).sort()).toEqual([OWN, OTHER]);
    expect(new Set(alerts.map(({ id }) => id)).size).toBe(2);
  });

  it('so two falls of one id each have their prompt, and each watch answers its own', async () => {
    const { watch, plant } = await bench();
    const [one, two] = [await watch(OWN), await watch(OTHER)];
    for (const faller of [one, two])
      await faller.publish(upEventTopic(SITE, faller.serial, 'fall'), { id: EVENT.id, ...faller.stamp() });
    expect([...plant.world.all('prompt')].map(({ fallId }) => fallId)).toEqual([EVENT.id, EVENT.id]);
    await two.publish(upEventTopic(SITE, OTHER, 'prompt'), {
      id: idFrom('ok'),
      ...two.stamp(),
      fall_id: EVENT.id,
      answer: 'ok',
    });
    expect([...plant.world.all('prompt')].map(({ deviceId }) => deviceId)).toEqual([deviceIdOf(OWN)]);
  });

  it('and an id of other content is the same message, with a line in the log', async () => {
    const { watch, plant } = await bench();
    const caller = await watch();
    await caller.sos(EVENT.id);
    await caller.sos(EVENT.id, { session: 2, seq: 9 });
    expect(notesOf(plant)).toEqual([]);
    await caller.publish(upEventTopic(SITE, OWN, 'call'), { id: EVENT.id, ...caller.stamp(), voice_note: false });
    expect(alertsOf(plant)).toEqual(['sos']);
    expect(notesOf(plant)).toEqual([expect.stringContaining('used before for other content')]);
  });

  it('and the nil UUID is no id: a PUBACK, a line in the log, no alert', async () => {
    const { watch, plant, refused, broker } = await bench();
    const caller = await watch();
    await caller.sos('00000000-0000-0000-0000-000000000000');
    expect(await refused(upEventTopic(SITE, OWN, 'sos'))).toMatchObject({ serial: OWN, why: 'the nil UUID is no id' });
    expect(broker.counts().refused).toMatchObject({ dropped: 1, payload: 0 });
    expect(alertsOf(plant)).toEqual([]);
    await caller.ping();
  });
});

describe('what is lawful and odd is taken, and told', () => {
  const position = { latitude: 37.2, longitude: -6.9, uncertainty_m: 5, source: 'gps', in_vehicle: false, worn: true };
  /** A bench whose clock stands at START. */
  const still = async (): Promise<Bench> => {
    const made = await bench();
    made.clock.pause();
    return made;
  };
  const atOffset = (clock: Bench['clock'], seconds: number) => formatInstant(clock.now() + seconds * 1_000);

  it('a clock that is a minute off is no news, and one that is more is reported with both times', async () => {
    const { watch, plant, clock } = await still();
    const off = await watch();
    const say = (seconds: number) =>
      off.publish(upPositionTopic(SITE, OWN), { ...off.stamp(), ...position, t: atOffset(clock, seconds) });
    const before = notesOf(plant).length;
    await say(-60);
    await say(60);
    expect(notesOf(plant)).toHaveLength(before);
    await say(61);
    await say(62);
    expect(notesOf(plant).slice(before)).toEqual([
      `its t ${atOffset(clock, 61)} is 61 s ahead of the sandbox's clock, ${formatInstant(clock.now())}`,
    ]);
    await say(0);
    await say(-3_600);
    expect(notesOf(plant).at(-1)).toContain('3600 s behind');
  });

  it('an event with an old t, each time', async () => {
    const { watch, plant, clock } = await still();
    const late = await watch();
    const before = notesOf(plant).length;
    for (const n of [1, 2])
      await late.publish(upEventTopic(SITE, OWN, 'call'), {
        id: idFrom('late', n),
        ...late.stamp(),
        t: atOffset(clock, -600),
        voice_note: true,
      });
    expect(notesOf(plant).slice(before)).toHaveLength(2);
  });

  it('MQTT 3.1, and a session that is asked to be kept', async () => {
    const { socket, plant } = await bench();
    const old = socket();
    expect(await old.connect({ protocolId: 'MQIsdp', protocolVersion: 3, clean: false })).toMatchObject({
      returnCode: 0,
    });
    expect(notesOf(plant)).toEqual([expect.stringContaining('MQTT 3.1;'), expect.stringContaining('kept session')]);
  });

  it('are refusals with strict: MQTT 3.1, and the birth of an old session', async () => {
    const { watch, socket, plant, broker } = await bench({ strict: true });
    expect(await socket().connect({ protocolId: 'MQIsdp', protocolVersion: 3 })).toMatchObject({ returnCode: 5 });
    await (await watch(OWN, 5)).leave();
    const second = socket();
    await second.connect();
    await second.birth(5);
    expect([notesOf(plant), broker.counts().refused]).toMatchObject([[], { protocol: 1, payload: 1 }]);
  });

  it('an event by QoS 0, and a session number that does not rise', async () => {
    const { watch, socket, plant } = await still();
    const first = await watch(OWN, 5);
    first.send(first.message(upEventTopic(SITE, OWN, 'sos'), EVENT, { qos: 0 }));
    await first.ping();
    await first.leave();
    const second = socket();
    await second.connect();
    await second.birth(5);
    expect(notesOf(plant)).toEqual([
      expect.stringContaining('an event by QoS 0'),
      'session 5 is not above the last one, 5',
    ]);
    expect(alertsOf(plant)).toEqual(['sos']);
  });
});

it('refused connections are counted one by one, and reported once in a second of simulated time', async () => {
  const { socket, broker, plant, clock } = await bench();
  clock.pause();
  const guess = async (names: readonly string[]): Promise<void> => {
    for (const name of names) {
      const guesser = socket(OWN);
      await guesser.connect({ username: name, clientId: name, password: Buffer.from('guess') });
      await guesser.ended;
    }
  };
  const reported = () => plant.notices.filter((notice) => notice.kind === 'watch-refused');
  const strangers = Array.from({ length: 300 }, (_, n) => `stranger-${n}`);
  await guess(strangers);
  expect(broker.counts().refused.credentials).toBe(300);
  expect(reported()).toMatchObject([{ serial: 'stranger-0', times: 1, why: 'unknown serial or wrong key' }]);
  await clock.advance(1_000);
  expect(reported()).toHaveLength(2);
  expect(reported()[1]).toMatchObject({
    serial: null,
    times: 299,
    why: '299 more connections within a second; the last: unknown serial or wrong key',
  });
  await guess([OWN]);
  await clock.advance(1_000);
  expect(reported()).toHaveLength(3);
  expect(reported()[2]).toMatchObject({ times: 1 });
  // A second in which nobody was refused ends it: the next one is reported at once.
  await clock.advance(1_000);
  await guess([OWN]);
  expect(reported()[3]).toMatchObject({ serial: OWN, times: 1, why: 'unknown serial or wrong key' });
  await clock.advance(60_000);
  expect(reported()).toHaveLength(4);
});
