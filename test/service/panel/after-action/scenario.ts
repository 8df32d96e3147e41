/** A muster small enough to compute by hand: five people, 75 seconds, one exclusion. */
import { afterAction } from '../../../../src/service/panel/after-action/after-action.ts';
import type { AfterAction } from '../../../../src/service/panel/after-action/record.ts';
import { MusterWorld } from '../../domain/musters/muster-world.ts';
import { T0 } from '../../domain/small-world.ts';

/** The instant of a second of the scenario, which begins half a minute after the small world. */
export const at = (seconds: number): number => T0 + 30_000 + seconds * 1_000;

export const reportOf = (small: MusterWorld): AfterAction => {
  const muster = small.muster();
  return afterAction(small.world, muster, small.world.indexes.courseOfMuster.of(muster.id).values(), small.now);
};

/**
 * | s | what | safe of expected, by the next count |
 * |---|---|---|
 * | 0 | it starts with Ana, Luis, Eva, Óscar; Ana is at Gate A | 0 of 4, at 10: 1 |
 * | 12 | Luis (Norte SL) declares Gate A | at 15: 2 |
 * | 20 | Eva is trapped, and presses SOS | help 1 |
 * | 26 | Gate A is excluded | at 30: 0, wrong point 2 |
 * | 32 | the SOS is acknowledged | |
 * | 40 | Gate A is reinstated | at 45: 2 |
 * | 46 | Óscar reaches Hill North | at 60: 3 |
 * | 48 | Nia (Norte SL) comes in | at 50: 2 of 5 |
 * | 60 | the deadline | 3 of 5 |
 * | 62 | Eva is marked safe at Hill North | at 65: 4 |
 * | 66 | Nia declares Hill North | at 70: 5 |
 * | 71 | the SOS is resolved | |
 * | 75 | it ends | 5 of 5 |
 */
export function scenario(until = Number.POSITIVE_INFINITY): MusterWorld {
  const small = new MusterWorld();
  small.worker(4, 'Óscar Gil');
  small.worker(5, 'Nia Sol', 'Norte SL');
  small.at(4, 40, 40);
  small.sos(2);
  small.do({ type: 'request-call', voiceNote: false, ...small.uplink(1) });
  small.now += 30_000;
  // The scenario's own zero.
  const zero = small.now;
  const steps: [number, () => unknown][] = [
    [0, () => small.start({ reason: 'Drill', deadline: { at: zero + 60_000, source: 'official' } })],
    [0, () => small.goes(1, 'gate')],
    [12, () => small.declare(2, 'Gate A')],
    [20, () => small.help(3, 'trapped')],
    [20, () => small.sos(3)],
    [26, () => small.exclude('Gate A')],
    [32, () => small.update(sosOf(small, 3), 'acknowledged')],
    [40, () => small.reinstate('Gate A')],
    [46, () => small.goes(4, 'hill')],
    [48, () => small.at(5, 40, 40)],
    [62, () => small.mark(3, 'Hill North')],
    [66, () => small.declare(5, 'Hill North')],
    [71, () => small.update(sosOf(small, 3), 'resolved', { reason: 'Freed', note: 'Walked out' })],
    [75, () => small.end()],
  ];
  for (const [second, happens] of steps) {
    if (second > until) break;
    small.wait((zero + second * 1_000 - small.now) / 1_000);
    happens();
  }
  if (Number.isFinite(until)) small.wait((zero + until * 1_000 - small.now) / 1_000);
  return small;
}

const sosOf = (small: MusterWorld, n: number) => {
  const found = small.alerts('sos').find(({ worker }) => worker?.id === small.workerId(n));
  if (found === undefined) throw new Error(`worker ${n} has no SOS`);
  return found;
};
