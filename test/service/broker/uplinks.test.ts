/** What becomes of uplinks: committed before the PUBACK, dropped without harm, or sent again. [watch-protocol] */
import { describe, expect, it } from 'vitest';
import { idFrom } from '../../../src/base/ids.ts';
import { upBatteryTopic, upEventTopic, upPositionTopic, upStatusTopic } from '../../../src/contract/watch.ts';
import { startBroker } from '../../../src/service/broker/broker.ts';
import { StorageFull } from '../../../src/service/engine/store-port.ts';
import { afterTest, bench } from '../../helpers/broker-bench.ts';
import { gatedStore } from '../../helpers/gated-store.ts';
import { RawWatch } from '../../helpers/raw-watch.ts';
import { deviceIdOf, type Plant, SITE, serialOf } from '../../helpers/watch-world.ts';

const OWN = serialOf(1);
const DEVICE = deviceIdOf(OWN);
const ID = idFrom('an', 'event');
const alertsOf = (plant: Plant) => [...plant.world.all('alert')].map(({ type }) => type);

describe('a PUBACK means that the message is committed', () => {
  it('so none comes while the commit is under way, and other packets are answered meanwhile', async () => {
    const store = await gatedStore();
    const { watch, plant } = await bench({ store });
    const caller = await watch();
    const gate = store.shut();
    const puback = caller.sos(ID);
    const before = caller.count('puback');
    await gate.waiting;
    await caller.ping();
    expect(caller.count('puback')).toBe(before);
    gate.open();
    await puback;
    expect(alertsOf(plant)).toEqual(['sos']);
  });

  it('so with a full disk the connection ends without one, and the message is heard when there is room', async () => {
    const store = await gatedStore();
    const { watch, plant } = await bench({ store });
    const first = await watch();
    store.fail(new StorageFull('no room'));
    await expect(first.sos(ID)).rejects.toThrow('ended');
    await first.ended;
    expect(alertsOf(plant)).toEqual([]);
    store.fail(null);
    const second = await watch(OWN, 2);
    await second.sos(ID, { session: 2 });
    expect(alertsOf(plant)).toEqual(['sos']);
  });

  it('and PUBACKs come in the order of the messages, none before the commit of an earlier one, also when one was refused at once', async () => {
    const store = await gatedStore();
    const { watch } = await bench({ store });
    const caller = await watch();
    const messages = [
      caller.message(upEventTopic(SITE, OWN, 'sos'), { id: ID, ...caller.stamp(), with: 'watch_button' }),
      caller.message(upBatteryTopic(SITE, OWN), { pulse: 80 }),
      caller.message(upBatteryTopic(SITE, OWN), { ...caller.stamp(), pct: 50, charging: false }),
    ];
    const before = caller.count('puback');
    const gate = store.shut();
    const [first, ...others] = messages as [(typeof messages)[0], ...typeof messages];
    caller.send(first);
    await gate.waiting;
    // One of the others is refused at once, but the one before it is not committed.
    for (const message of others) caller.send(message);
    await caller.ping();
    const early = caller.count('puback') - before;
    gate.open();
    expect(early).toBe(0);
    await caller.next('puback', ({ messageId }) => messageId === messages[2]?.messageId);
    const acknowledged = caller.received.filter(({ cmd }) => cmd === 'puback').map(({ messageId }) => messageId);
    expect(acknowledged.slice(-3)).toEqual(messages.map(({ messageId }) => messageId));
  });
});

describe('a payload that breaks its schema', () => {
  it('gets its PUBACK, is told and counted, and neither the engine nor the connection notices', async () => {
    const { watch, plant, broker, refused } = await bench();
    const sick = await watch();
    const topic = upPositionTopic(SITE, OWN);
    const position = {
      latitude: 37.2,
      longitude: -6.9,
      uncertainty_m: 5,
      source: 'gps',
      in_vehicle: false,
      worn: true,
    };
    const before = broker.counts().uplinks;
    await sick.publish(topic, { ...sick.stamp(), ...position, pulse: 88.40625 });
    expect(await refused(topic)).toMatchObject({ serial: OWN, why: expect.stringContaining('/pulse') });
    expect(plant.world.telemetry(DEVICE).fix).toBeNull();
    expect(broker.counts()).toMatchObject({ uplinks: before, refused: { payload: 1 }, connections: 1 });
    await sick.publish(topic, { ...sick.stamp(), ...position });
    expect(plant.world.telemetry(DEVICE).fix).toMatchObject({ latitude: 37.2 });
    expect(JSON.stringify(plant.notices)).not.toContain('88.40625');
  });

  it('is dropped with QoS 0 too', async () => {
    const { watch, refused, broker } = await bench();
    const sick = await watch();
    const topic = upBatteryTopic(SITE, OWN);
    sick.send(sick.message(topic, 'pulse', { qos: 0 }));
    await refused(topic);
    await sick.ping();
    expect(broker.counts().refused.payload).toBe(1);
  });

  it('an empty retained status is one, and clears nothing', async () => {
    const { watch, broker } = await bench();
    const odd = await watch();
    await odd.publish(upStatusTopic(SITE, OWN), '', { retain: true });
    expect(broker.counts()).toMatchObject({ watches: 1, refused: { payload: 1 } });
  });
});

describe('a message that was heard before', () => {
  it('is acknowledged again and makes nothing, whatever else is in it', async () => {
    const { watch, plant, broker } = await bench();
    const caller = await watch();
    await caller.sos(ID);
    await caller.sos(ID, { t: '2026-10-05T07:00:00.000Z' });
    await caller.publish(upEventTopic(SITE, OWN, 'fall'), { id: ID.toUpperCase(), ...caller.stamp() });
    expect(alertsOf(plant)).toEqual(['sos']);
    expect(plant.notices.filter(({ kind }) => kind === 'uplink-heard')).toHaveLength(1);
    expect(broker.counts().refused.dropped).toBe(0);
  });

  it('is recognised over a new session and a new broker', async () => {
    const { watch, plant, clock, broker } = await bench();
    await (await watch()).sos(ID);
    await broker.stop();
    const next = await startBroker({ engine: plant.engine, clock, host: '127.0.0.1', port: 0 });
    afterTest(() => next.stop());
    const again = new RawWatch(next.port, OWN);
    await again.connect();
    await again.birth(2);
    await again.sos(ID, { session: 2 });
    expect(alertsOf(plant)).toEqual(['sos']);
  });
});

describe('what cannot be', () => {
  it.each([
    ['help without a muster', 'help', { reason: 'trapped' }, 'report-help'],
    ['an acknowledgement of nothing', 'ack', {}, 'acknowledge-on-watch'],
    ['an answer to no prompt', 'prompt', { fall_id: ID, answer: 'ok' }, 'answer-prompt'],
  ] as const)('%s gets its PUBACK and is told', async (_case, kind, fields, what) => {
    const { watch, refused, broker, plant } = await bench();
    const hopeful = await watch();
    await hopeful.publish(upEventTopic(SITE, OWN, kind), { id: idFrom(kind), ...hopeful.stamp(), ...fields });
    expect(await refused(what)).toMatchObject({ serial: OWN });
    expect(broker.counts().refused.dropped).toBe(1);
    expect(plant.notices.some((notice) => notice.kind === 'uplink-heard')).toBe(false);
  });
});

it('an acknowledgement of somebody else’s alert gets its PUBACK and is dropped', async () => {
  const { watch, plant, refused } = await bench();
  const [own, other] = [await watch(OWN), await watch(serialOf(2))];
  await other.sos(ID);
  const [alert] = [...plant.world.all('alert')];
  await own.publish(upEventTopic(SITE, OWN, 'ack'), { id: idFrom('ack'), ...own.stamp(), alert_id: alert?.id });
  expect(await refused('acknowledge-on-watch')).toMatchObject({ serial: OWN });
  expect([...plant.world.all('alert')][0]?.workerAcknowledgedAt).toBeNull();
});

describe('the order of one watch', () => {
  it('is kept when many messages come in one piece', async () => {
    const { watch, plant } = await bench();
    const talker = await watch();
    const messages = Array.from({ length: 100 }, (_, index) =>
      talker.message(upBatteryTopic(SITE, OWN), { ...talker.stamp(), pct: 100 - (index % 30), charging: false }),
    );
    talker.send(...messages);
    await talker.next('puback', ({ messageId }) => messageId === messages.at(-1)?.messageId);
    expect(plant.world.telemetry(DEVICE).batteryPct).toBe(100 - (99 % 30));
  });

  it('is kept between a fall and the answer that follows it', async () => {
    const { watch, plant } = await bench();
    const faller = await watch();
    const fall = faller.message(upEventTopic(SITE, OWN, 'fall'), { id: ID, ...faller.stamp() });
    const answer = { id: idFrom('answer'), ...faller.stamp(), fall_id: ID, answer: 'help' };
    faller.send(fall);
    await faller.publish(upEventTopic(SITE, OWN, 'prompt'), answer);
    expect(alertsOf(plant).sort()).toEqual(['fall_detected', 'sos']);
  });
});

describe('contact is any packet', () => {
  const minute = async () => {
    const made = await bench();
    const { clock } = made;
    const watch = await made.watch();
    clock.pause();
    await clock.advance(60_000);
    const contact = () => made.plant.world.telemetry(DEVICE).lastContactAt;
    expect(contact()).toBeLessThan(clock.now());
    return { ...made, watch, contact };
  };

  it('a PINGREQ', async () => {
    const { watch, contact, clock } = await minute();
    await watch.ping();
    expect(contact()).toBe(clock.now());
  });

  it('a SUBSCRIBE', async () => {
    const { watch, contact, clock } = await minute();
    await watch.subscribe('wt/v1/host/state');
    await watch.ping();
    expect(contact()).toBe(clock.now());
  });

  it('an UNSUBSCRIBE', async () => {
    const { watch, contact, clock } = await minute();
    watch.send({ cmd: 'unsubscribe', messageId: watch.messageId(), unsubscriptions: ['wt/v1/host/state'] });
    await watch.next('unsuback');
    expect(contact()).toBe(clock.now());
  });

  it('a payload that breaks its schema', async () => {
    const { watch, contact, clock } = await minute();
    await watch.publish(upBatteryTopic(SITE, OWN), {});
    expect(contact()).toBe(clock.now());
  });

  it('a PUBACK', async () => {
    const { plant, watch, contact, clock } = await minute();
    const report = {
      type: 'report-sos',
      trigger: 'watch_button',
      deviceId: DEVICE,
      uplinkId: ID,
      watchTime: 0,
    } as const;
    watch.acknowledges = false;
    await plant.engine.submit(report);
    const reported = await watch.next(
      'publish',
      (packet) => packet.cmd === 'publish' && packet.topic.endsWith('/down/alert'),
    );
    watch.send({ cmd: 'puback', messageId: reported.messageId as number });
    // A goodbye is no contact, and its PUBACK tells that what went before it has arrived.
    await watch.publish(upStatusTopic(SITE, OWN), { online: false, session: 1 });
    expect(contact()).toBe(clock.now());
  });

  it('but neither a goodbye nor a last will', async () => {
    const { socket, contact, watch, clock, plant } = await minute();
    await watch.publish(upStatusTopic(SITE, OWN), { online: false, session: 1 });
    expect(contact()).toBeLessThan(clock.now());
    const payload = Buffer.from(JSON.stringify({ online: false, session: 2 }));
    const willing = socket();
    await willing.connect({ will: { topic: upStatusTopic(SITE, OWN), payload, qos: 1, retain: true } });
    await willing.birth(2);
    await clock.advance(60_000);
    await willing.vanish();
    await plant.seen(({ kind }) => kind === 'watch-offline', plant.notices.length - 1);
    expect(contact()).toBeLessThan(clock.now());
  });
});

it('a watch’s own clock is kept apart from the service’s', async () => {
  const { watch, plant } = await bench();
  const caller = await watch();
  await caller.sos(ID);
  await caller.publish(upEventTopic(SITE, OWN, 'ack'), {
    id: idFrom('ack'),
    ...caller.stamp(),
    t: '2001-01-01T00:00:00.000Z',
  });
  expect([...plant.world.all('alert')][0]?.workerAcknowledgedAt).toBe(978_307_200_000);
});
