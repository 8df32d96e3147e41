/** The retry schedule of retries in lock-step: when, how often, and what a destination's health says meanwhile. [spec 6.5 to 6.7, decisions 7] */
import Stripe from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scaledClock } from '../../../src/base/time/clocks.ts';
import { wallMs } from '../../../src/base/time/timers.ts';
import { ManualMachine } from '../../helpers/manual-machine.ts';
import { type Behaviour, hugeBody, ok, Receiver, raw, reset, status } from './receiver.ts';
import { HOUR, lockstep, SmallWorld, START } from './small-world.ts';

const S = 1_000;
const MIN = 60 * S;
/** Written out once more, so that a slip in the product's own table shows. [spec 6.5] */
const OFFSETS = [
  0,
  10 * S,
  30 * S,
  2 * MIN,
  10 * MIN,
  30 * MIN,
  ...Array.from({ length: 24 }, (_, n) => (n + 1) * HOUR),
];

let receiver: Receiver;
let small: SmallWorld;

beforeEach(async () => {
  receiver = await Receiver.start();
  small = await SmallWorld.start({ clock: lockstep() });
});

afterEach(async () => {
  await small.stop();
  await receiver.close();
});

test('an event that is never taken is tried 30 times at the exact offsets, then given up', async () => {
  const failures: Behaviour[] = [status(500), status(301), reset, raw('no HTTP'), status(404)];
  receiver.behave = (n) => failures[n % failures.length] as Behaviour;
  const { id } = await small.destination(receiver.url, { secret: 'whsec_schedule' });
  const [wallBefore, alertId] = [Math.floor(wallMs() / 1_000), await small.sos()];
  await small.clock.advance(48 * HOUR);

  expect(OFFSETS).toHaveLength(30);
  expect(small.attempts.map(({ offset_ms }) => offset_ms)).toEqual(OFFSETS);
  expect(small.attempts.map((attempt) => attempt.try)).toEqual(OFFSETS.map((_, n) => n + 1));
  expect(small.attempts.map(({ result }) => result)).toEqual([...OFFSETS.slice(1).map(() => 'waiting'), 'lost']);
  expect(small.attempts.every(({ object_id }) => object_id === alertId)).toBe(true);
  const records = await small.store.attempts({ limit: 100 });
  expect(records.map(({ outcome }) => outcome)).toEqual(['lost', ...OFFSETS.slice(1).map(() => 'failed')]);

  const [event] = await small.log();
  expect(receiver.received.map(({ body }) => body)).toEqual(OFFSETS.map(() => event?.body));
  // The simulated clock has gone two days; signatures are of the wall's now, each its own.
  const verifier = new Stripe('sk_test_x').webhooks;
  for (const { headers, body } of receiver.received) {
    const timestamp = Number(headers['x-service-timestamp']);
    expect(timestamp).toBeGreaterThanOrEqual(wallBefore);
    expect(timestamp).toBeLessThanOrEqual(wallMs() / 1_000);
    verifier.constructEvent(body, `t=${timestamp},${headers['x-service-signature']}`, 'whsec_schedule');
  }

  expect(small.lost).toMatchObject([{ eventId: event?.id, destinationId: id, slot: 29, tries: 29 }]);
  expect(small.waiting(id)).toEqual([]);
  expect(small.destinationNow(id)).toMatchObject({ isActive: true, failingSince: START });
});

test('failing_since is set by the first failure, kept by further ones and cleared by the next 2xx', async () => {
  const { id } = await small.destination(receiver.url);
  const failingSince = () => small.destinationNow(id)?.failingSince;
  await small.sos(0);
  await small.webhooks.idle();
  expect(failingSince()).toBeNull();
  receiver.behave = () => status(500);
  await small.clock.advance(5 * S);
  await small.sos(1);
  await small.clock.advance(60 * S);
  expect(failingSince()).toBe(START + 5 * S);
  expect(small.attempts).toHaveLength(4);
  receiver.behave = () => ok;
  await small.clock.advance(60 * S);
  expect(failingSince()).toBeNull();
  receiver.behave = () => status(500);
  await small.sos(2);
  await small.webhooks.idle();
  expect(failingSince()).toBe(START + 125 * S);
});

test('events of one transaction fall due a millisecond apart, each at its own', async () => {
  receiver.behave = (n) => (n < 6 ? status(500) : ok);
  await small.destination(receiver.url);
  await Promise.all([0, 1, 2, 3, 4, 5].map((n) => small.sos(n)));
  await small.clock.advance(11 * S);
  const times = small.attempts.map(({ at }) => Date.parse(at) - START);
  expect(times).toEqual([0, 1, 2, 3, 4, 5, 10_000, 10_001, 10_002, 10_003, 10_004, 10_005]);
  expect(small.attempts.slice(6).every(({ offset_ms, result }) => offset_ms === 10_000 && result === 'delivered')).toBe(
    true,
  );
});

test('new events wait for no far attempt of an old one', async () => {
  receiver.behave = () => status(500);
  await small.destination(receiver.url);
  await small.sos(0);
  await small.clock.advance(2 * HOUR);
  const before = small.attempts.length;
  // Two of one transaction: the second is due a millisecond later, an hour before the old one's next attempt.
  await Promise.all([small.sos(1), small.sos(2)]);
  await small.clock.advance(10 * S);
  expect(small.attempts.slice(before).map(({ offset_ms }) => offset_ms)).toEqual([0, 0, 10 * S]);
});

test('a huge answer at each attempt leaves the next attempt untouched', async () => {
  receiver.behave = (n) => (n < 3 ? hugeBody(1_000_000, 500) : ok);
  await small.destination(receiver.url);
  await small.sos();
  await small.clock.advance(2 * MIN);
  expect(small.attempts.map(({ offset_ms, result }) => [offset_ms, result])).toEqual([
    [0, 'waiting'],
    [10 * S, 'waiting'],
    [30 * S, 'waiting'],
    [2 * MIN, 'delivered'],
  ]);
});

test('attempts that fall due while their predecessor is in flight are skipped', async () => {
  await small.stop();
  // 0.4 s of the receiver are 40 s of the run: the attempts at 10 s and 30 s pass by.
  const machine = new ManualMachine();
  small = await SmallWorld.start({ clock: scaledClock({ speed: 100, start: START, machine }) });
  let answer = () => {};
  receiver.behave = (n) =>
    n > 0
      ? status(500)
      : (exchange) => {
          answer = () => status(500)(exchange);
        };
  await small.destination(receiver.url);
  await small.sos();
  await receiver.has(1);
  machine.pass(400);
  answer();
  await small.attempted(1);
  machine.pass(800);
  await small.attempted(2);
  const [first, second] = small.attempts;
  expect(first?.try).toBe(1);
  expect(second?.try).toBe(2);
  expect(second?.offset_ms).toBeGreaterThanOrEqual(2 * MIN);
  expect(second?.offset_ms).toBeLessThan(3 * MIN);
});
