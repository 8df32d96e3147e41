/** The clock at the start of a sandbox: the time at which simulated time continues, and whether that time came from a wrong clock. */

import { CLI } from '../../base/text/command-form.ts';
import { CLOCK_END, type Clock, type Instant } from '../../base/time/clock.ts';
import { realClock, scaledClock } from '../../base/time/clocks.ts';
import { roughDuration } from '../../base/time/durations.ts';
import type { ClockReading } from '../../service/domain/world/documents.ts';
import type { World } from '../../service/domain/world/world.ts';
import type { DatabaseClock } from '../../service/store/nodes/database-clock.ts';
import type { SandboxOptions } from '../options/options.ts';

/** The shared time of several nodes. */
export interface NodeTime {
  readonly time: DatabaseClock;
  /** True if no other node is alive. */
  readonly isFirst: boolean;
}

interface ResumedClock {
  readonly clock: Clock;
  /** The reading that must be stored; null: the stored one is correct. */
  readonly reading: ClockReading | null;
  /** A sentence with the fix, if simulated time continues at a time that came from a wrong clock. */
  readonly stray: string | null;
}

/** Clocks may differ by this much without being wrong, and the last reading may be this old; ms. */
const TOLERANCE_MS = 1_000;

/**
 * Simulated time continues from the later of the stored time and wall time + stored offset. [decisions 9, a restart]
 * `livedUntil`: the last simulated time that the emulated fleet stored; null: it stored nothing.
 */
export function resumeClock(
  { clock, speed = 1, start }: SandboxOptions,
  world: World,
  livedUntil: Instant | null,
): ResumedClock {
  if (clock !== undefined) return { clock, reading: null, stray: null };
  const from: { start?: Instant } = start === undefined ? {} : { start };
  const fresh = speed === 1 ? realClock(from) : scaledClock({ speed, ...from });
  const reading = world.get('clock', 'clock');
  if (reading === undefined || start !== undefined) return { clock: fresh, reading: null, stray: null };
  const wall = fresh.wall();
  // The reading is written behind: at a high speed the fleet and the events may be later than it.
  const latest = Math.max(reading.now, wall + reading.offsetMs, livedUntil ?? 0, occurredIn(world));
  fresh.stop();
  const resumed = { start: Math.min(latest, CLOCK_END) };
  // The wall clock is now earlier than it was when the reading was made.
  const wentBackMs = reading.now - reading.offsetMs - wall;
  const addedMs = wentBackMs > TOLERANCE_MS ? latest - (wall + reading.offsetMs) : 0;
  const strayMs = (reading.strayMs ?? 0) + addedMs;
  return {
    clock: speed === 1 ? realClock(resumed) : scaledClock({ speed, ...resumed }),
    reading: addedMs === 0 ? null : { id: 'clock', now: latest, offsetMs: latest - wall, strayMs },
    stray: strayMs > TOLERANCE_MS ? sentenceOf(strayMs, "this machine's clock") : null,
  };
}

/**
 * The clock of a node: the database's time plus the stored offset. All nodes use the same offset: only the first node
 * changes it, if the world is ahead of that time, and stores the result.
 */
export function nodeClock(world: World, { time, isFirst }: NodeTime): ResumedClock {
  const reading = world.get('clock', 'clock');
  const stored = reading?.offsetMs ?? 0;
  // Nodes run in real time. An offset of at most one second is a difference between earlier clocks and is ignored.
  let offsetMs = Math.abs(stored) <= TOLERANCE_MS ? 0 : stored;
  let strayMs = reading?.strayMs ?? 0;
  const aheadMs = Math.max(reading?.now ?? 0, occurredIn(world)) - (time.now() + offsetMs);
  const isAhead = isFirst && aheadMs > TOLERANCE_MS;
  if (isAhead) {
    offsetMs += aheadMs;
    strayMs += aheadMs;
  }
  const clock = realClock({ start: Math.min(time.now() + offsetMs, CLOCK_END), wall: () => time.now() });
  time.onCorrected((byMs) => clock.correct(byMs));
  return {
    clock,
    reading: isAhead ? { id: 'clock', now: time.now() + offsetMs, offsetMs, strayMs } : null,
    stray: strayMs > TOLERANCE_MS ? sentenceOf(strayMs, "the database's clock") : null,
  };
}

const occurredIn = (world: World): Instant =>
  [...world.all('organizationClock')].reduce((last, one) => Math.max(last, one.lastEventAt, one.lastModifiedAt), 0);

const sentenceOf = (strayMs: number, whose: string): string =>
  `Simulated time is ${roughDuration(strayMs)} ahead of ${whose}, because a clock was wrong when this world was last used: ` +
  `it showed that later time, and events never go back. If the clock is correct now, ${CLI} reset starts again at its time. Otherwise, set the clock and start again.`;
