/** The limits for reading one scenario: its steps and values after expansion, so that a short file cannot cause long work. [decisions 9, Limits of scenario files] */
import { isMap, type JsonMap } from '../../contract/schema.ts';

/** Maximum number of steps of a scenario after expansion. [decisions 9] */
export const MOST_STEPS = 10_000;

/** The limits are plain data, because they are sent between threads. */
export interface BudgetLimits {
  readonly steps: number;
  /** `do`, `together` and `repeat` steps, which may be empty or nested. */
  readonly containers: number;
  /** Lists, maps and plain values after the substitution of parameters. */
  readonly values: number;
  /** People of `crowd`. */
  readonly people: number;
  /** True if exceeding a limit is a mistake of the file; false if the work is then moved to another thread. */
  readonly isFull: boolean;
}

/**
 * A file of the largest size has about 500,000 values. The number of people equals the largest number of watches in a
 * world.
 */
export const FULL_BUDGET: BudgetLimits = {
  steps: MOST_STEPS,
  containers: 10 * MOST_STEPS,
  values: 2_000_000,
  people: 100_000,
  isFull: true,
};

/** The limits of what a server reads between two requests. */
export const LIGHT_BUDGET: BudgetLimits = {
  steps: 300,
  containers: 300,
  values: 20_000,
  people: 300,
  isFull: false,
};

/** Thrown when the expansion of a scenario is too large. The message is a mistake of the file. */
export class ExpansionTooLarge extends Error {
  override readonly name = 'ExpansionTooLarge';
}

/** Thrown when a scenario exceeds the light budget, so that it is read in another thread instead. */
export class NotLight extends Error {
  override readonly name = 'NotLight';
}

export class ReadingBudget {
  readonly #limits: BudgetLimits;
  readonly #sizes = new WeakMap<object, number>();
  #steps = 0;
  #containers = 0;
  #values = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** Counts a step that is read; `do`, `together` and `repeat` steps are counted separately. Throws `ExpansionTooLarge`. */
  takeStep({ hasSteps }: { readonly hasSteps: boolean }): void {
    if (hasSteps) this.#containers++;
    else this.#steps++;
    if (this.#steps > this.#limits.steps || this.#containers > this.#limits.containers)
      throw this.#exceeded(tooManySteps('more than'));
  }

  /** Counts a value with all its parts, before any code traverses it. Throws `ExpansionTooLarge`. */
  takeValue(value: unknown): void {
    this.takeValues(this.sizeOf(value));
  }

  /** Throws `ExpansionTooLarge`. */
  takeValues(count: number): void {
    this.#values += count;
    if (this.#values <= this.#limits.values) return;
    const what = `Parameters and macros repeat more than ${this.#limits.values} values`;
    throw this.#exceeded(`${what}. Hand over shorter lists and maps, or split the file.`);
  }

  /** Counts the people of `crowd` before any of them is created. Throws `ExpansionTooLarge`. */
  takePeople({ crowd }: JsonMap): void {
    const counts = Object.values(isMap(crowd) ? crowd : {}).map((one) => (isMap(one) ? Number(one['count']) : 0));
    const people = counts.reduce((sum, count) => sum + (count > 0 ? count : 0), 0);
    if (people <= this.#limits.people) return;
    throw this.#exceeded(`The crowds are ${people} people. Write at most ${this.#limits.people}.`);
  }

  #exceeded(message: string): Error {
    return this.#limits.isFull ? new ExpansionTooLarge(message) : new NotLight();
  }

  /** Substituted values are shared, so the size of each is memoised: a list of lists can expand to billions of values. */
  sizeOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return 1;
    const known = this.#sizes.get(value);
    if (known !== undefined) return known;
    const parts: readonly unknown[] = Array.isArray(value) ? value : isMap(value) ? Object.values(value) : [];
    const size = parts.reduce<number>((sum, part) => sum + this.sizeOf(part), 1);
    this.#sizes.set(value, size);
    return size;
  }
}

/** The mistake of a scenario with too many steps. `count`: the number, or "more than" if it is not known. */
export function tooManySteps(count: number | 'more than'): string {
  const has = count === 'more than' ? `more than ${MOST_STEPS}` : String(count);
  return `The scenario has ${has} steps after expansion. Write at most ${MOST_STEPS}, or split it.`;
}
