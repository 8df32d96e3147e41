/** The watches of people in a muster: planned changes, until the fleet applies them. [realism 2.3, 3.3] */

import type { Point } from '../../../base/geometry/shapes.ts';
import type { Instant } from '../../../base/time/clock.ts';
import { type KeptMusterSide, keptInstant, resumedInstant } from '../../kept/documents.ts';
import type { WatchDraws } from './muster-knobs.ts';
import type { MusterAct } from './muster-part.ts';

/** The position of a watch that is not with its wearer. */
interface LeftWatch {
  readonly at: Point;
  readonly heightM: number;
}

interface RadioOutage {
  /** `NEVER` if the outage has begun. */
  lostAt: Instant;
  readonly backAt: Instant;
}

export class MusterWatches {
  readonly #touched: Set<number>;
  readonly #acts = new Map<number, MusterAct[]>();
  readonly #outages = new Map<number, RadioOutage>();
  readonly #left = new Map<number, LeftWatch>();

  /** `touched` collects the people whose state changed. */
  constructor(touched: Set<number>) {
    this.#touched = touched;
  }

  /** Applies the drawn state of the watch at the alarm. */
  begin(i: number, draws: WatchDraws, lies: LeftWatch, at: Instant): void {
    if (draws.coverLostMs !== null && !this.#outages.has(i)) {
      const lostAt = at + draws.coverLostMs;
      this.#outages.set(i, { lostAt, backAt: lostAt + draws.outageMs });
    }
    if (!draws.off || this.#left.has(i)) return;
    this.#left.set(i, lies);
    this.add(i, { kind: 'takes-off' });
  }

  /** The position where the watch lies; undefined if it is with its wearer. */
  leftOf(i: number): LeftWatch | undefined {
    return this.#left.get(i);
  }

  /** The person takes back their watch, if they had left it. */
  putOn(i: number): void {
    if (this.#left.delete(i)) this.add(i, { kind: 'puts-on' });
  }

  /** Outages begin and end, in a muster and after it. */
  tick(now: Instant): void {
    for (const [i, outage] of this.#outages) {
      if (outage.lostAt <= now) {
        outage.lostAt = Number.POSITIVE_INFINITY;
        this.add(i, { kind: 'cover-lost' });
      }
      if (outage.backAt > now) continue;
      this.#outages.delete(i);
      this.add(i, { kind: 'cover-back' });
    }
  }

  /** True if a watch has a pending or current outage. */
  get waits(): boolean {
    return this.#outages.size > 0;
  }

  /** The state of a person's watch to store. */
  kept(i: number): Pick<KeptMusterSide, 'deeds' | 'outage' | 'left'> {
    const [outage, left] = [this.#outages.get(i), this.#left.get(i)];
    return {
      deeds: [...(this.#acts.get(i) ?? NOTHING)],
      outage: outage === undefined ? null : { lostAt: keptInstant(outage.lostAt), backAt: outage.backAt },
      left: left === undefined ? null : { at: [...left.at], heightM: left.heightM },
    };
  }

  resume(i: number, { deeds, outage, left }: Pick<KeptMusterSide, 'deeds' | 'outage' | 'left'>, gapMs: number): void {
    if (deeds.length > 0) this.#acts.set(i, deeds);
    if (outage !== null) {
      const lostAt = resumedInstant(outage.lostAt, gapMs);
      this.#outages.set(i, { lostAt, backAt: outage.backAt + gapMs });
    }
    if (left !== null) this.#left.set(i, left);
  }

  add(i: number, act: MusterAct): void {
    this.#touched.add(i);
    this.#acts.set(i, [...(this.#acts.get(i) ?? []), act]);
  }

  has(i: number): boolean {
    return this.#acts.has(i);
  }

  /** What was done since the last call. */
  take(i: number): readonly MusterAct[] {
    const done = this.#acts.get(i);
    if (done === undefined) return NOTHING;
    this.#acts.delete(i);
    this.#touched.add(i);
    return done;
  }
}

const NOTHING: readonly MusterAct[] = [];
