/** Which watches are there: births, goodbyes, last wills, and the older sessions that say nothing any more. [watch-protocol] */
import { expect, it } from 'vitest';
import { idFrom } from '../../../src/base/ids.ts';
import { upEventTopic, upStatusTopic } from '../../../src/contract/watch.ts';
import { bench } from '../../helpers/broker-bench.ts';
import { T } from '../../helpers/raw-watch.ts';
import { deviceIdOf, type Plant, SITE, serialOf } from '../../helpers/watch-world.ts';

const OWN = serialOf(1);
const STATUS = upStatusTopic(SITE, OWN);
const willOf = (session: number) => ({
  will: {
    topic: STATUS,
    payload: Buffer.from(JSON.stringify({ online: false, session })),
    qos: 1 as const,
    retain: true,
  },
});
const reported = ({ notices }: Plant) =>
  notices.flatMap(({ kind }) => (kind === 'watch-online' || kind === 'watch-offline' ? [kind] : []));

it('a watch is online from its birth until its connection ends', async () => {
  const { socket, plant, broker } = await bench();
  const watch = socket();
  await watch.connect(willOf(1));
  expect(reported(plant)).toEqual([]);
  await watch.birth(1);
  expect(broker.counts().watches).toBe(1);
  await watch.vanish();
  await plant.seen(({ kind }) => kind === 'watch-offline');
  expect(reported(plant)).toEqual(['watch-online', 'watch-offline']);
  expect(broker.counts()).toMatchObject({ watches: 0, connections: 0, refused: { payload: 0, topic: 0 } });
});

it('a goodbye is reported once, though its connection ends after it', async () => {
  const { watch, plant, broker } = await bench();
  const leaving = await watch();
  await leaving.publish(STATUS, { online: false, session: 1 });
  expect(reported(plant)).toEqual(['watch-online', 'watch-offline']);
  await leaving.leave();
  const next = await watch(OWN, 2);
  await next.ping();
  expect(reported(plant)).toEqual(['watch-online', 'watch-offline', 'watch-online']);
  expect(broker.counts().watches).toBe(1);
});

it('the goodbye of an older session is ignored', async () => {
  const { watch, plant, broker } = await bench();
  const own = await watch(OWN, 7);
  await own.publish(STATUS, { online: false, session: 6 });
  expect(reported(plant)).toEqual(['watch-online']);
  expect(broker.counts().watches).toBe(1);
});

it('a take-over fires the old session’s will, and the newer session stays', async () => {
  const { socket, plant, broker } = await bench();
  const old = socket();
  await old.connect(willOf(1));
  await old.birth(1);
  const young = socket();
  await young.connect(willOf(2));
  await old.ended;
  await young.birth(2);
  await young.ping();
  expect(broker.counts()).toMatchObject({ watches: 1, connections: 1 });
  expect(reported(plant).at(-1)).toBe('watch-online');
  expect(plant.world.telemetry(plant.world.indexes.deviceId(OWN) as string).session).toBe(2);
});

it('the end of an older connection that lingered does not end the newer session', async () => {
  const { socket, plant, broker } = await bench();
  const lingering = socket();
  await lingering.connect({ clientId: `${OWN}/old`, ...willOf(1) });
  await lingering.birth(1);
  const young = socket();
  await young.connect(willOf(2));
  await young.birth(2);
  await lingering.vanish();
  await young.ping();
  await young.birth(2);
  expect(broker.counts()).toMatchObject({ watches: 1, connections: 1 });
  expect(reported(plant)).toEqual(['watch-online']);
});

it('a last will is heard like any message of the watch', async () => {
  const { socket, plant } = await bench();
  const payload = { id: idFrom('last', 'will'), session: 1, seq: 1, t: T, with: 'watch_button' };
  const topic = upEventTopic(SITE, OWN, 'sos');
  const falling = socket();
  await falling.connect({ will: { topic, payload: Buffer.from(JSON.stringify(payload)), qos: 1, retain: false } });
  await falling.vanish();
  await plant.seen((notice) => notice.kind === 'alert-changed' && notice.alert.type === 'sos');
});

it('a watch that is removed from the world while it is connected is ended with its next message', async () => {
  const { watch, plant, refused } = await bench();
  const removed = await watch();
  plant.world.remove('device', deviceIdOf(OWN));
  plant.world.commit();
  await removed.ping();
  await expect(removed.sos(idFrom('sos'))).rejects.toThrow('ended');
  expect(await refused(upEventTopic(SITE, OWN, 'sos'))).toMatchObject({ serial: OWN });
});

it('the broker can end the connections of one watch, or of all', async () => {
  const { watch, broker } = await bench();
  const watches = await Promise.all([1, 2, 3].map((n) => watch(serialOf(n))));
  expect(broker.disconnect(serialOf(2))).toBe(1);
  await watches[1]?.ended;
  expect(broker.counts().connections).toBe(2);
  expect(broker.disconnect()).toBe(2);
  await Promise.all(watches.map(({ ended }) => ended));
});

it('a silent watch is ended after one and a half keep-alives', async () => {
  const { socket, clock, plant, broker } = await bench();
  const silent = socket();
  await silent.connect({ keepalive: 1 });
  await silent.birth();
  const start = clock.monotonic();
  await silent.ended;
  expect(clock.monotonic() - start).toBeGreaterThan(1_000);
  await plant.seen(({ kind }) => kind === 'watch-offline');
  expect(broker.counts().refused.protocol).toBe(0);
});
