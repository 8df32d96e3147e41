/** Where the wall time of a search goes. */
import { expect, test } from 'vitest';
import { namedWallTime, summedWallTime, WallTime } from '../../../src/proving/explore/wall-time.ts';

test('each moment of a play counts once, for the first wait of the list', () => {
  let nowMs = 1_000;
  const time = new WallTime(() => nowMs);
  const pass = (ms: number) => {
    nowMs += ms;
  };
  pass(70);
  const played = time.begin();
  pass(10);
  const woken = time.onWait('wake');
  pass(20);
  const limited = time.onWait('retry_after');
  pass(600);
  woken();
  woken();
  limited();
  pass(5);
  played();
  pass(70);
  const { wake, retry_after, sandbox_work, ...others } = time.shares;
  expect({ wake, retry_after, sandbox_work }).toEqual({ wake: 20, retry_after: 600, sandbox_work: 15 });
  expect(Object.values(others).every((ms) => ms === 0)).toBe(true);
  expect(namedWallTime(summedWallTime([time.shares, time.shares]))).toEqual([
    { name: 'Retry-After', ms: 1_200, pct: 94 },
    { name: 'wake calls', ms: 40, pct: 3 },
    { name: 'work of sandboxes', ms: 30, pct: 2 },
  ]);
});
