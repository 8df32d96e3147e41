/** The assembly point to which a person goes: the nearest that serves, the one that they are used to, or the next if the first is full. [realism 7.3] */
import type { Instant } from '../../../base/time/clock.ts';
import type { GatheringPoint } from './gatherings.ts';
import { HABIT_DETOUR_M } from './muster-knobs.ts';
import type { MusterPart } from './muster-part.ts';
import type { MusterWays, WayToPoint } from './muster-ways.ts';

export class PointChoice {
  /** The part of each person in the muster, by index; null if they have none. */
  readonly #parts: readonly (MusterPart | null)[];
  readonly #ways: MusterWays;
  /** The number of people at each point, by its id, as of `#countedAt`. */
  readonly #counts = new Map<string, number>();
  #countedAt: Instant = Number.NEGATIVE_INFINITY;

  constructor(parts: readonly (MusterPart | null)[], ways: MusterWays) {
    this.#parts = parts;
    this.#ways = ways;
  }

  /** The points from which a person chooses: those that serve, or for a mistaken person those that do not. */
  among(wrong: boolean, points: readonly GatheringPoint[]): readonly GatheringPoint[] {
    const notServing = wrong ? points.filter(({ serves }) => !serves) : [];
    return notServing.length > 0 ? notServing : points.filter(({ serves }) => serves);
  }

  /**
   * The nearest of the points, or the one that the person is used to if it is not much farther; null if no way leads to
   * any.
   */
  of(
    i: number,
    { temper: { habit } }: MusterPart,
    among: readonly GatheringPoint[],
    points: readonly GatheringPoint[],
    now: Instant,
  ): WayToPoint | null {
    const nearest = this.#ways.nearest(i, among, now);
    const familiar = habit == null ? undefined : points[Math.floor(habit * points.length)];
    if (nearest === null || familiar === undefined || !among.includes(familiar)) return nearest;
    const used = this.#ways.nearest(i, [familiar], now);
    return used !== null && used.metres - nearest.metres <= HABIT_DETOUR_M ? used : nearest;
  }

  /** A person has come to a point. Returns true if there is no room for them. */
  arrives({ id, capacity }: GatheringPoint, now: Instant): boolean {
    // The point has room for everyone.
    if (capacity >= this.#parts.length) return false;
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
