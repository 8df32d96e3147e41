/** What reading one scenario may cost: its steps and values after expansion, so that a short file cannot cause long work. [decisions 9, Limits of scenario files] */
import { isMap } from '../../contract/schema.ts';

/** Steps of a scenario after expansion. [decisions 9] */
export const MOST_STEPS = 10_000;

/** `do`, `together` and `repeat` steps, which may be empty and within each other. */
const MOST_CONTAINERS = 10 * MOST_STEPS;

/** Lists, maps and plain values after the substitution of parameters. A file of the largest size has about 500,000. */
const MOST_VALUES = 2_000_000;

/** Ends the reading of a scenario whose expansion is too large. The message is a mistake of the file. */
export class ExpansionTooLarge extends Error {
  override readonly name = 'ExpansionTooLarge';
}

export class ReadingBudget {
  readonly #sizes = new WeakMap<object, number>();
  #steps = 0;
  #containers = 0;
  #values = 0;

  /** Counts a step that is read; `do`, `together` and `repeat` have steps and count as those. Throws `ExpansionTooLarge`. */
  takeStep({ hasSteps }: { readonly hasSteps: boolean }): void {
    if (hasSteps) this.#containers++;
    else this.#steps++;
    if (this.#steps > MOST_STEPS || this.#containers > MOST_CONTAINERS)
      throw new ExpansionTooLarge(tooManySteps('more than'));
  }

  /** Counts a value with all that is in it, before anything walks through it. Throws `ExpansionTooLarge`. */
  takeValue(value: unknown): void {
    this.#values += this.#sizeOf(value);
    if (this.#values <= MOST_VALUES) return;
    const what = `Parameters and macros repeat more than ${MOST_VALUES} values`;
    throw new ExpansionTooLarge(`${what}. Hand over shorter lists and maps, or split the file.`);
  }

  /** Substituted values are shared, so the size of each is remembered: a list of lists can stand for billions of values. */
  #sizeOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return 1;
    const known = this.#sizes.get(value);
    if (known !== undefined) return known;
    const parts: readonly unknown[] = Array.isArray(value) ? value : isMap(value) ? Object.values(value) : [];
    const size = parts.reduce<number>((sum, part) => sum + this.#sizeOf(part), 1);
    this.#sizes.set(value, size);
    return size;
  }
}

/** The mistake of a scenario with too many steps. `count`: the number, or "more than" where it is not known. */
export function tooManySteps(count: number | 'more than'): string {
  const has = count === 'more than' ? `more than ${MOST_STEPS}` : String(count);
  return `The scenario has ${has} steps after expansion. Write at most ${MOST_STEPS}, or split it.`;
}
