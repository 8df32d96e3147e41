/** To which assembly point people go: the nearest that serves, the one that they are used to, or the next where the first is full. [realism 7.3] */
import type { Instant } from '../../base/clock.ts';
import type { GatheringPoint } from './gatherings.ts';
import type { MusterPart } from './muster-part.ts';

export class PointChoice {
  /** By person; null: they have no part in the muster. */
  readonly #parts: readonly (MusterPart | null)[];
  /** People at each point, by its id, as of `#countedAt`. */
  readonly #counts = new Map<string, number>();
  #countedAt: Instant = Number.NEGATIVE_INFINITY;

  constructor(parts: readonly (MusterPart | null)[]) {
    this.#parts = parts;
  }

  /** The points among which the person takes the nearest; where no way leads to those of a list, among those of the next. */
  among({ temper }: MusterPart, wrong: boolean, points: readonly GatheringPoint[]): GatheringPoint[][] {
    const notServing = wrong ? points.filter(({ serves }) => !serves) : [];
    if (notServing.length > 0) return [notServing];
    const familiar = temper.habit == null ? undefined : points[Math.floor(temper.habit * points.length)];
    const serving = points.filter(({ serves }) => serves);
    return familiar?.serves === true ? [[familiar], serving] : [serving];
  }

  /** Someone has come to a point; true: there is no room for them. */
  arrives({ id, capacity }: GatheringPoint, now: Instant): boolean {
    const there = this.#countAt(id, now);
    if (there >= capacity) return true;
    this.#counts.set(id, there + 1);
    return false;
  }

  /** The other points that serve and have room. */
  withRoom(full: GatheringPoint, points: readonly GatheringPoint[], now: Instant): GatheringPoint[] {
    return points.filter((point) => {
      return point.serves && point.id !== full.id && this.#countAt(point.id, now) < point.capacity;
    });
  }

  #countAt(id: string, now: Instant): number {
    if (this.#countedAt !== now) {
      this.#countedAt = now;
      this.#counts.clear();
      for (const part of this.#parts) {
        if (part?.stage !== 'there' || part.point === null) continue;
        this.#counts.set(part.point.id, (this.#counts.get(part.point.id) ?? 0) + 1);
      }
    }
    return this.#counts.get(id) ?? 0;
  }
}
