/** In lock-step, answers that arrive in any order settle in one: two runs tell the same scenario. [house, Time and chance] */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { streams } from '../../../src/base/random/streams.ts';
import { LANE } from '../../../src/base/time/clock.ts';
import { Gate, hang, ok, Receiver, reset, slow, status } from './receiver.ts';
import { HOUR, lockstep, SmallWorld, START } from './small-world.ts';

/** Two hours with three receivers that fail in a fixed pattern and answer after chance delays. */
async function scenario(seed: string): Promise<unknown[]> {
  const chance = streams(seed).stream('receivers', 'delay');
  const arrivals: string[] = [];
  const receivers = await Promise.all([0, 1, 2].map(() => Receiver.start()));
  const small = await SmallWorld.start({ clock: lockstep() });
  for (const [n, receiver] of receivers.entries()) {
    const seen = new Map<string, number>();
    receiver.behave = (_count, { eventId }) => {
      arrivals.push(`${n} ${eventId}`);
      const tries = (seen.get(eventId) ?? 0) + 1;
      seen.set(eventId, tries);
      const digit = createHash('sha256').update(`${n}/${eventId}/${tries}`).digest()[0] as number;
      return slow(chance.int(0, 12), [ok, status(500), reset, ok][digit % 4]);
    };
    await small.destination(receiver.url);
  }
  const steps = streams('story').stream('steps', 'when');
  for (let n = 0; n < 24; n++) {
    const [at, kind] = [START + steps.int(0, 40) * 250, n % 3];
    small.clock.at(at, { lane: LANE.uplink, actor: `worker-${n}` }, () => {
      const raised = kind === 0 ? small.sos(n) : small.call(n);
      // What a receiver or an operator does with an alert comes while others of its deliveries are in flight.
      if (kind === 1) void raised.then((alertId) => small.acknowledge(alertId));
    });
  }
  await small.clock.advance(2 * HOUR);
  await small.stop();
  for (const receiver of receivers) await receiver.close();
  expect(arrivals.length).toBeGreaterThan(100);
  return small.attempts.map(({ took_ms: _, ...rest }) => rest);
}

test('two runs with receivers of chance delays tell the same attempts in the same order', async () => {
  const first = await scenario('first');
  expect(first.length).toBeGreaterThan(100);
  expect(await scenario('second')).toEqual(first);
});

test('answers of one instant settle by priority, then event, whoever answers first', async () => {
  const gates = [new Gate(), new Gate()] as const;
  const receivers = await Promise.all(gates.map(({ behaviour }) => Receiver.start(behaviour)));
  const small = await SmallWorld.start({ clock: lockstep() });
  for (const receiver of receivers) await small.destination(receiver.url);
  await small.call(0);
  await small.sos(1);
  await Promise.all(receivers.map((receiver) => receiver.has(1)));
  const played = small.clock.advance(1_000);
  gates[1].open();
  gates[0].open();
  await played;
  const settled = small.attempts.map(({ event_id, delivery_id }) => ({ event_id, delivery_id }));
  const events = (await small.log()).map(({ id }) => id);
  expect(settled).toHaveLength(4);
  // The SOS came a millisecond after the call, which stood still until the call was answered.
  expect(settled.map(({ event_id }) => events.indexOf(event_id))).toEqual([0, 0, 1, 1]);
  for (const [a, b] of [settled.slice(0, 2), settled.slice(2)] as const)
    expect(a!.delivery_id < b!.delivery_id).toBe(true);
  await small.stop();
  for (const receiver of receivers) await receiver.close();
});

test('time stands still while attempts are in flight, and goes on when the last is settled', async () => {
  const gate = new Gate();
  const receiver = await Receiver.start(gate.behaviour);
  const small = await SmallWorld.start({ clock: lockstep() });
  await small.destination(receiver.url);
  // More than may be in flight: those that wait their turn hold nothing, and must not be forgotten.
  for (let n = 0; n < 12; n++) await small.sos(n);
  let played = false;
  small.clock.at(START + 50, { lane: LANE.rest, actor: 'test' }, () => {
    played = true;
  });
  const advanced = small.clock.advance(100);
  await receiver.has(1);
  expect(small.clock.holders().map(({ lane, label }) => [lane, label])).toEqual([
    ['delivery', 'attempt 1 to deliver alert.created to https://receiver-0.example/hook'],
  ]);
  expect(played).toBe(false);
  gate.open();
  await advanced;
  expect(played).toBe(true);
  expect(receiver.received).toHaveLength(12);
  expect(small.attempts.every(({ offset_ms }) => offset_ms === 0)).toBe(true);
  await small.stop();
  await receiver.close();
});

test('after a downtime a backlog drains at one instant, four at a time, the urgent first', async () => {
  const receiver = await Receiver.start(slow(25));
  const small = await SmallWorld.start({ clock: lockstep(), withoutSender: true });
  await small.destination(receiver.url);
  for (let n = 0; n < 25; n++) await (n === 20 || n === 24 ? small.sos(n) : small.call(n));
  await small.clock.advance(5_000);
  small.startSender();
  const before = small.clock.now();
  await small.webhooks.idle();
  expect(small.clock.now()).toBe(before);
  const log = (await small.log()).map(({ id }) => id);
  const order = small.attempts.map(({ event_id }) => log.indexOf(event_id));
  expect(order).toEqual([20, 24, ...Array.from({ length: 25 }, (_, n) => n).filter((n) => n !== 20 && n !== 24)]);
  expect(receiver.peak).toBe(4);
  await small.stop();
  await receiver.close();
});

test('a sender that stops lets go of the clock', async () => {
  const receiver = await Receiver.start(hang);
  const small = await SmallWorld.start({ clock: lockstep() });
  const { id } = await small.destination(receiver.url);
  await small.sos();
  await receiver.has(1);
  const advanced = small.clock.advance(1_000);
  await small.webhooks.stop(0);
  await advanced;
  expect(small.clock.now()).toBe(START + 1_000);
  expect(small.clock.holders()).toEqual([]);
  expect(small.waiting(id)).toHaveLength(1);
  await small.stop();
  await receiver.close();
});
