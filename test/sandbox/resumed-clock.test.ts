/** The time at which a sandbox continues: never earlier than its events, and a wrong clock that it came from is said. [decisions 9, a restart] */
import { expect, test } from 'vitest';
import { resumeClock } from '../../src/sandbox/world/resumed-clock.ts';
import type { ClockReading } from '../../src/service/domain/world/documents.ts';
import { World } from '../../src/service/domain/world/world.ts';

const DAY_MS = 86_400_000;
// Wall time: compared with the wall clock of the same start, as it is read.
const NOW = Date.now();
/** Both clocks are read in whole milliseconds. */
const ROUNDING_MS = 2;

/** A start with this reading, which is to continue a day ahead of `NOW`: what is stored, and the warning. */
function resumed(reading: Omit<ClockReading, 'id'>) {
  const world = new World();
  world.load('clock', { id: 'clock', ...reading });
  const { clock, reading: stored, stray } = resumeClock({}, world, null);
  const passedMs = clock.now() - (NOW + DAY_MS);
  const wallMs = clock.wall() - NOW;
  clock.stop();
  // Since `NOW`, it has gone on by no more than the wall clock.
  expect(passedMs).toBeGreaterThanOrEqual(-ROUNDING_MS);
  expect(passedMs).toBeLessThanOrEqual(wallMs + ROUNDING_MS);
  return { stored, stray };
}

test('a sandbox that continues at the time of a wrong clock says so at each start, and how to end it', () => {
  // The clock was a day ahead when the reading was made.
  const first = resumed({ now: NOW + DAY_MS, offsetMs: 0 });
  expect(first.stray).toMatch(/^Simulated time is 1d ahead of this machine's clock, because a clock was wrong .*reset/);
  const second = resumed(first.stored!);
  expect(second.stray).toBe(first.stray);
});

test('a sandbox whose time was advanced on purpose says nothing of a wrong clock', () => {
  const { stray } = resumed({ now: NOW + DAY_MS, offsetMs: DAY_MS });
  expect(stray).toBeNull();
});
