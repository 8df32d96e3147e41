/** A client of the user's that obeys `Retry-After` by the wall clock, while limits follow simulated time. */
import { afterEach, expect, test } from 'vitest';
import { type Clock, LANE } from '../../../src/base/time/clock.ts';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { RetryWaits } from '../../../src/scenario/customer/retry-waits.ts';

const running: Clock[] = [];
afterEach(() => {
  for (const clock of running.splice(0)) clock.stop();
});

/** A lock-step clock whose wall time passes when the test says so. */
function world() {
  const wall = { now: 0 };
  const timers: { readonly at: number; readonly task: () => void }[] = [];
  const clock: Clock = Object.assign(lockstepClock({ start: 0 }), {
    monotonic: () => wall.now,
    afterWall: (ms: number, task: () => void) => {
      timers.push({ at: wall.now + ms, task });
      return () => {};
    },
  });
  running.push(clock);
  const waits = new RetryWaits(clock);
  const passed: number[] = [];
  for (const at of [1_000, 1_999, 2_000, 2_001, 60_000])
    clock.at(at, { lane: LANE.step, actor: `mark ${at}` }, () => passed.push(at));
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const wallTo = async (now: number) => {
    for (let next = due(now); next !== undefined; next = due(now)) {
      timers.splice(timers.indexOf(next), 1);
      wall.now = Math.max(wall.now, next.at);
      next.task();
      await settle();
    }
    wall.now = now;
  };
  const due = (now: number) => timers.filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at)[0];
  /** The process does not run meanwhile. */
  const sleepTo = (now: number) => {
    wall.now = now;
  };
  return { clock, waits, passed, settle, wallTo, sleepTo };
}

test('time stands still before the end of the limit until Retry-After has passed, so that who calls too soon is refused again', async () => {
  const { clock, waits, passed, settle, wallTo } = world();
  waits.answered('customer', 2);
  clock.start();
  await settle();
  expect(passed).toEqual([1_000, 1_999]);
  await wallTo(1_900);
  expect(clock.now()).toBe(1_999);
});

test('then the limit is over, and time stands still until the client has called', async () => {
  const { clock, waits, passed, settle, wallTo } = world();
  waits.answered('customer', 2);
  clock.start();
  await settle();
  await wallTo(2_020);
  expect(passed).toEqual([1_000, 1_999, 2_000]);
  waits.answered('customer', null);
  await wallTo(2_080);
  expect(passed).toEqual([1_000, 1_999, 2_000, 2_001, 60_000]);
});

test('a client that never calls again holds nothing up', async () => {
  const { clock, waits, passed, settle, wallTo } = world();
  waits.answered('customer', 2);
  clock.start();
  await settle();
  await wallTo(2_500);
  expect(passed.at(-1)).toBe(60_000);
});

test('a client gets the time to call once more where this process was late, and only once', async () => {
  const { clock, waits, passed, settle, wallTo, sleepTo } = world();
  waits.answered('customer', 2);
  clock.start();
  await settle();
  await wallTo(2_020);
  sleepTo(2_600);
  await wallTo(2_850);
  expect(passed.at(-1)).toBe(2_000);
  sleepTo(3_200);
  await wallTo(3_240);
  expect(passed.at(-1)).toBe(60_000);
});

test('a client that is refused again waits for the later limit', async () => {
  const { clock, waits, passed, settle, wallTo } = world();
  waits.answered('customer', 2);
  waits.answered('customer', 60);
  clock.start();
  await settle();
  await wallTo(50_000);
  expect(passed.at(-1)).toBe(2_001);
  await wallTo(60_500);
  expect(passed.at(-1)).toBe(60_000);
});
