/** A receiver in this process that takes its time in a fast run: simulated time passes meanwhile, and the 5 s are counted by it. [decisions 7] */
import { describe, expect, onTestFinished, test } from 'vitest';
import { LANE } from '../../../src/base/time/clock.ts';
import { formatInstant } from '../../../src/base/time/instants.ts';
import { ok, Receiver } from './receiver.ts';
import { lockstep, SmallWorld, START } from './small-world.ts';

const URL_OF_FIRST = 'https://receiver-0.example/hook';

/** Answers `delayMs` of simulated time after the n-th request came, as a built-in receiver does. */
async function taking(delayMs: (n: number) => number) {
  const receiver = await Receiver.start();
  const small = await SmallWorld.start({ clock: lockstep() });
  onTestFinished(async () => {
    await small.stop();
    await receiver.close();
  });
  receiver.behave = (n, { eventId }) => {
    const takes = delayMs(n);
    if (takes === 0) return ok;
    return (exchange) => {
      const answer = small.webhooks.park(URL_OF_FIRST, eventId);
      if (answer === null) throw new Error('nothing of the kind is in flight');
      small.clock.at(small.clock.now() + takes, { lane: LANE.delivery, actor: 'receiver' }, () => {
        answer();
        ok(exchange);
      });
    };
  };
  const { id } = await small.destination(receiver.url);
  return { small, receiver, id };
}

const settledAt = (small: SmallWorld) => small.attempts.map(({ at, result, error }) => ({ at, result, error }));
const at = (ms: number) => formatInstant(START + ms);

describe('an answer', () => {
  test('after 4.9 s is in time, and the attempt is of when it began', async () => {
    const { small, id } = await taking(() => 4_900);
    await small.sos();
    await small.clock.advance(4_899);
    expect(small.attempts).toEqual([]);
    await small.clock.advance(1);
    expect(settledAt(small)).toEqual([{ at: at(0), result: 'delivered', error: null }]);
    expect(small.waiting(id)).toEqual([]);
    // Nothing of it is left on the clock, which no attempt holds.
    await small.clock.advance(60_000);
    expect(small.attempts).toHaveLength(1);
    expect(small.clock.holders()).toEqual([]);
  });

  test('after 5 s is too late, at that very moment, and the next attempt comes', async () => {
    const { small } = await taking((n) => (n === 0 ? 5_001 : 0));
    await small.sos();
    await small.clock.advance(4_999);
    expect(small.attempts).toEqual([]);
    await small.clock.advance(1);
    expect(settledAt(small)).toEqual([{ at: at(0), result: 'waiting', error: 'No answer within 5 s.' }]);
    await small.clock.advance(5_000);
    expect(settledAt(small)[1]).toEqual({ at: at(10_000), result: 'delivered', error: null });
  });

  test('a slow answer holds up no other delivery, and time continues for all', async () => {
    const { small } = await taking(() => 3_000);
    const quick = await Receiver.start();
    onTestFinished(() => quick.close());
    const { id } = await small.destination(quick.url);
    await small.sos();
    await small.clock.advance(2_000);
    expect(small.attempts.map(({ destination_id }) => destination_id)).toEqual([id]);
    await small.sos(1);
    await small.clock.advance(1_000);
    expect(small.attempts).toHaveLength(3);
    await small.clock.advance(2_000);
    expect(small.attempts).toHaveLength(4);
  });
});

describe('nothing is parked', () => {
  test('an event that is not in flight is not parked', async () => {
    const { small } = await taking(() => 0);
    await small.sos();
    await small.clock.advance(0);
    const [event] = await small.log();
    expect(small.webhooks.park(URL_OF_FIRST, event?.id ?? '')).toBeNull();
    expect(small.webhooks.park(URL_OF_FIRST, 'another')).toBeNull();
  });

  test('an attempt under the wall-clock limit is not parked', async () => {
    const receiver = await Receiver.start();
    const small = await SmallWorld.start();
    onTestFinished(async () => {
      await small.stop();
      await receiver.close();
    });
    const parked: unknown[] = [];
    receiver.behave = (_, { eventId }) => {
      parked.push(small.webhooks.park(URL_OF_FIRST, eventId));
      return ok;
    };
    await small.destination(receiver.url);
    await small.sos();
    await small.attempted(1);
    expect(parked).toEqual([null]);
  });
});
