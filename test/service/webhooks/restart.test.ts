/** Stopping, starting again, and a disk that refuses: nothing that was promised is forgotten. [spec 6.2, decisions 7] */
import { expect, test } from 'vitest';
import { lockstepClock, realClock } from '../../../src/base/time/clocks.ts';
import { StorageFull, type Store } from '../../../src/service/engine/store-port.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { ManualMachine } from '../../helpers/manual-machine.ts';
import { Gate, hang, ok, Receiver, status } from './receiver.ts';
import { lockstep, SmallWorld, START } from './small-world.ts';

const MIN = 60_000;

/** Events are a millisecond apart at least, and are due then. */
const EACH_A_MS_LATER = 10;

test('what was in flight when the service stopped is delivered after the restart, the same bytes', async () => {
  const receiver = await Receiver.start(hang);
  const before = await SmallWorld.start();
  const { id } = await before.destination(receiver.url);
  await before.sos();
  await receiver.has(1);
  await before.stop();
  expect(before.attempts).toEqual([]);

  receiver.behave = () => ok;
  const after = await SmallWorld.start({ store: before.store, withoutSender: true });
  expect(after.waiting(id)).toHaveLength(1);
  after.forwards.set('receiver-0.example', receiver.url);
  after.startSender();
  await after.webhooks.idle();
  expect(after.attempts).toMatchObject([{ try: 1, result: 'delivered' }]);
  const [first, second] = receiver.received;
  expect(second?.body).toBe(first?.body);
  expect(second?.eventId).toBe(first?.eventId);
  expect(after.waiting(id)).toEqual([]);
  await after.stop();
  await receiver.close();
});

test('after a downtime there is one attempt at once, then the next future attempt', async () => {
  const receiver = await Receiver.start(status(500));
  const before = await SmallWorld.start({ clock: lockstep() });
  await before.destination(receiver.url);
  await before.sos();
  await before.webhooks.idle();
  await before.stop();
  expect(before.attempts).toMatchObject([{ try: 1, offset_ms: 0 }]);

  const clock = lockstepClock({ start: START + 45 * MIN });
  const after = await SmallWorld.start({ clock, store: before.store, withoutSender: true });
  after.forwards.set('receiver-0.example', receiver.url);
  after.startSender();
  await after.clock.advance(90 * MIN);
  expect(after.attempts.map((attempt) => [attempt.try, attempt.offset_ms / MIN])).toEqual([
    [2, 45],
    [3, 60],
    [4, 120],
  ]);
  await after.stop();
  await receiver.close();
});

test('a stop waits for what is in flight as long as it is given, and starts nothing more', async () => {
  const gate = new Gate();
  const receiver = await Receiver.start(gate.behaviour);
  const machine = new ManualMachine();
  const small = await SmallWorld.start({ clock: realClock({ machine }) });
  const { id } = await small.destination(receiver.url);
  for (let n = 0; n < 6; n++) await small.sos(n);
  machine.pass(EACH_A_MS_LATER);
  await receiver.has(4);
  const stopped = small.webhooks.stop(3_000);
  machine.pass(2_999);
  gate.open();
  await stopped;
  expect(small.attempts.map(({ result }) => result)).toEqual(['delivered', 'delivered', 'delivered', 'delivered']);
  expect(small.waiting(id)).toHaveLength(2);
  await small.sos(7);
  expect(receiver.received).toHaveLength(4);
  await small.stop();
  await receiver.close();
});

test('a stop takes no longer than it is given, and what hangs stays pending', async () => {
  const warnings: string[] = [];
  const warned = (warning: Error) => void warnings.push(warning.message);
  process.on('warning', warned);
  const receivers = await Promise.all([1, 2, 3].map(() => Receiver.start(hang)));
  const machine = new ManualMachine();
  const small = await SmallWorld.start({ clock: realClock({ machine }) });
  const ids: string[] = [];
  for (const { url } of receivers) ids.push((await small.destination(url)).id);
  for (let n = 0; n < 5; n++) await small.sos(n);
  machine.pass(EACH_A_MS_LATER);
  await Promise.all(receivers.map((receiver) => receiver.has(4)));
  let isOver = false;
  const stopped = Promise.all([small.webhooks.stop(150), small.webhooks.stop(150)]).then(() => {
    isOver = true;
  });
  machine.pass(149);
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  machine.pass(1);
  await stopped;
  for (const id of ids) {
    expect(small.waiting(id)).toHaveLength(5);
    expect(small.waiting(id).every(({ tries, state }) => tries === 0 && state === 'waiting')).toBe(true);
    expect(small.destinationNow(id)?.failingSince).toBeNull();
  }
  await small.stop();
  for (const receiver of receivers) await receiver.close();
  // Twelve attempts that hang are no leak.
  process.off('warning', warned);
  expect(warnings).toEqual([]);
});

test('an outcome that a full disk refuses is settled when there is room, and the event is not sent again', async () => {
  const receiver = await Receiver.start();
  const disk = await openSqliteStore({ file: ':memory:' });
  let full = false;
  let refused = 0;
  // Only the outcomes of attempts find the disk full.
  const commit: Store['commit'] = async (batch) => {
    if (!full || batch.attempts.length === 0) return disk.commit(batch);
    refused += 1;
    full = false;
    throw new StorageFull('no room');
  };
  const store = new Proxy(disk, {
    get: (of, name) => (name === 'commit' ? commit : Reflect.get(of, name, of).bind(of)),
  });
  const small = await SmallWorld.start({ store });
  const { id } = await small.destination(receiver.url);
  full = true;
  await small.sos();
  await small.webhooks.idle();
  expect(refused).toBe(1);
  expect(small.attempts).toMatchObject([{ try: 1, result: 'delivered' }]);
  expect(await store.attempts({ limit: 10 })).toHaveLength(1);
  expect(receiver.received).toHaveLength(1);
  expect(small.waiting(id)).toEqual([]);
  await small.stop();
  await receiver.close();
});

/** The destinations of one node, which the test gives and takes. */
function nodeClaims() {
  const own = new Set<string>();
  const claims = { has: (id: string) => own.has(id), isSure: () => claims.sure, sure: true };
  return { own, claims };
}

test('a node sends the deliveries of its own destinations alone, and those of others when it takes them', async () => {
  const receiver = await Receiver.start(ok);
  const { own, claims } = nodeClaims();
  const small = await SmallWorld.start({ claims });
  const { id } = await small.destination(receiver.url);
  await small.sos(0);
  await small.webhooks.idle();
  expect([receiver.received.length, small.waiting(id).length]).toEqual([0, 1]);
  own.add(id);
  small.webhooks.take([id]);
  await small.webhooks.idle();
  // Taken twice, it sends nothing twice.
  small.webhooks.take([id]);
  await small.sos(1);
  await small.webhooks.idle();
  expect([receiver.received.length, small.waiting(id).length]).toEqual([2, 0]);
  await small.stop();
  await receiver.close();
});

test('a released destination waits for its attempts in flight, and for no others, and then sends nothing more', async () => {
  const gate = new Gate();
  const receiver = await Receiver.start(gate.behaviour);
  const other = new Gate();
  const slower = await Receiver.start(other.behaviour);
  const { own, claims } = nodeClaims();
  const small = await SmallWorld.start({ claims, withoutSender: true });
  const { id } = await small.destination(receiver.url);
  const { id: kept } = await small.destination(slower.url);
  own.add(id).add(kept);
  small.startSender();
  await small.sos(0);
  await Promise.all([receiver.has(1), slower.has(1)]);
  own.delete(id);
  let isReleased = false;
  const released = small.webhooks.release([id, 'a destination without deliveries']).then(() => {
    isReleased = true;
  });
  await new Promise(setImmediate);
  expect(isReleased).toBe(false);
  gate.open();
  await released;
  expect(small.waiting(id)).toHaveLength(0);
  await small.sos(1);
  await slower.has(2);
  expect([receiver.received.length, small.waiting(id).length]).toEqual([1, 1]);
  await small.webhooks.release([id]);
  other.open();
  await small.webhooks.idle();
  await small.stop();
  await Promise.all([receiver.close(), slower.close()]);
});

test('a node that is not sure of its claims sends nothing, and looks again until it is', async () => {
  const receiver = await Receiver.start(ok);
  const { own, claims } = nodeClaims();
  const machine = new ManualMachine();
  const small = await SmallWorld.start({ clock: realClock({ machine }), claims });
  const { id } = await small.destination(receiver.url);
  own.add(id);
  small.webhooks.take([id]);
  claims.sure = false;
  await small.sos(0);
  machine.pass(EACH_A_MS_LATER);
  machine.pass(10_000);
  expect(receiver.received).toEqual([]);
  claims.sure = true;
  machine.pass(10_000);
  await receiver.has(1);
  await small.webhooks.idle();
  expect(small.waiting(id)).toEqual([]);
  await small.stop();
  await receiver.close();
});
