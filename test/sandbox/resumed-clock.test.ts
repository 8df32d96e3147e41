/** The time at which a sandbox continues: never earlier than its events, and a wrong clock that it came from is said. [decisions 9, a restart] */
import { expect, test } from 'vitest';
import { resumeClock } from '../../src/sandbox/world/resumed-clock.ts';
import type { ClockReading } from '../../src/service/domain/world/documents.ts';
import { World } from '../../src/service/domain/world/world.ts';

const DAY_MS = 86_400_000;
/** What the wall clock may go on meanwhile. */
const SOON_MS = 3_600_000;
// Wall time: only a day and more is judged.
const NOW = Date.now();

/** A start with this reading: how far simulated time is ahead of the wall clock, what is stored, and the warning. */
function resumed(reading: Omit<ClockReading, 'id'>) {
  const world = new World();
  world.load('clock', { id: 'clock', ...reading });
  const { clock, reading: stored, stray } = resumeClock({}, world, null);
  const aheadMs = clock.now() - NOW;
  clock.stop();
  return { aheadMs, stored, stray };
}

test('a sandbox that continues at the time of a wrong clock says so at each start, and how to end it', () => {
  // The clock was a day ahead when the reading was made.
  const first = resumed({ now: NOW + DAY_MS, offsetMs: 0 });
  expect(first.stray).toMatch(/^Simulated time is 1d ahead of this machine's clock, because a clock was wrong .*reset/);
  expect(Math.abs(first.aheadMs - DAY_MS)).toBeLessThan(SOON_MS);
  const second = resumed(first.stored!);
  expect(second.stray).toBe(first.stray);
  expect(Math.abs(second.aheadMs - DAY_MS)).toBeLessThan(SOON_MS);
});

test('a sandbox whose time was advanced on purpose says nothing of a wrong clock', () => {
  const { aheadMs, stray } = resumed({ now: NOW + DAY_MS, offsetMs: DAY_MS });
  expect(stray).toBeNull();
  expect(Math.abs(aheadMs - DAY_MS)).toBeLessThan(SOON_MS);
});
