/** The people of a site in a muster, and when each notices that the serving points have changed. */
import type { Instant } from '../../../base/time/clock.ts';
import { type KeptPart, keptInstant, resumedInstant } from '../../kept/documents.ts';
import { NEVER, type People } from '../people.ts';
import type { GatheringPoint } from './gatherings.ts';
import { ESCORTED, type Temper } from './muster-knobs.ts';
import type { MusterPart } from './muster-part.ts';

export class MusterParts {
  /** The part of each person, by index; null if they have none. */
  readonly all: (MusterPart | null)[];
  readonly perceivesAt: Float64Array;
  readonly #people: People;
  readonly #serials: readonly string[];
  #taking = 0;

  constructor(people: People, serials: readonly string[]) {
    this.#people = people;
    this.#serials = serials;
    this.all = serials.map(() => null);
    this.perceivesAt = new Float64Array(serials.length).fill(NEVER);
  }

  of(i: number): MusterPart | null {
    return this.all[i]!;
  }

  /** True if anyone in the muster can move. People who must still be freed do not count. */
  get anybodyGoes(): boolean {
    return this.#taking > 0 && this.all.some((part, i) => part !== null && !this.#people.stuck.has(i));
  }

  /** Clears all parts. */
  clear(): void {
    this.all.fill(null);
    this.perceivesAt.fill(NEVER);
    this.#taking = 0;
  }

  take(i: number, temper: Temper): MusterPart {
    const { behaviour } = temper;
    return this.#set(i, {
      temper,
      from: this.#people.at(i),
      fromHeightM: this.#people.height[i]!,
      stage: behaviour === 'trapped' || behaviour === 'injured' ? 'calls' : 'starts',
      point: null,
      helped: -1,
      pace: behaviour === 'injured' ? ESCORTED : 1,
      declareAt: NEVER,
      leaveAt: NEVER,
      corrected: false,
    });
  }

  drop(i: number): void {
    this.all[i] = null;
    this.#taking -= 1;
  }

  kept(i: number): KeptPart | null {
    const part = this.all[i]!;
    if (part === null) return null;
    const { temper, from, fromHeightM, stage, point, helped, pace, declareAt, leaveAt, corrected } = part;
    return {
      temper,
      from: [...from],
      fromHeightM,
      stage,
      point: point === null ? null : { id: point.id, serves: point.serves },
      helped: helped < 0 ? null : this.#serials[helped]!,
      pace,
      declareAt: keptInstant(declareAt),
      leaveAt: keptInstant(leaveAt),
      corrected,
    };
  }

  /** `points`: the assembly points of the muster, as its people know them. */
  resume(i: number, kept: KeptPart, points: readonly GatheringPoint[], gapMs: number): void {
    const { point: meant, helped, declareAt, leaveAt, ...rest } = kept;
    const known = meant === null ? undefined : points.find(({ id }) => id === meant.id);
    this.#set(i, {
      ...rest,
      point: known === undefined || meant === null ? null : { ...known, serves: meant.serves },
      helped: helped === null ? -1 : this.#serials.indexOf(helped),
      declareAt: resumedInstant(declareAt, gapMs),
      leaveAt: resumedInstant(leaveAt, gapMs),
    });
  }

  /** The people whose reaction time is over. */
  *perceiving(now: Instant): Iterable<number> {
    for (let i = 0; i < this.perceivesAt.length; i++) if (this.perceivesAt[i]! <= now) yield i;
  }

  #set(i: number, part: MusterPart): MusterPart {
    if (this.all[i] === null) this.#taking += 1;
    this.all[i] = part;
    return part;
  }
}
