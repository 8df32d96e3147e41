/** Orders steps of different sequences that begin at one instant, and requests in flight: they begin in the order of the file, or in another one. [scenario-language, Simultaneous work] */

import { streams } from '../../base/random/streams.ts';
import { type Clock, type Instant, LANE } from '../../base/time/clock.ts';

/** The order of a run. Its number has a mixed radix: each group of steps uses one digit, the first group the lowest. */
export interface StepOrder {
  /** 0: the order of the file. */
  readonly number: number;
  /**
   * True if entries that are due at one instant inside the sandbox are permuted too; the number is then a seed for the
   * order of each group.
   */
  readonly shufflesTies: boolean;
}

interface WaitingStep {
  readonly begin: () => void;
  /** True for a step whose place in the order can change. */
  readonly isStep: boolean;
}

/** The steps of all sequences of one run: those of the scenario, of branches of `together`, and of `when`. */
export class SimultaneousSteps {
  readonly #clock: Clock;
  readonly #chooses: (orders: bigint) => bigint;
  readonly #due = new Map<Instant, WaitingStep[]>();
  #exist = 1n;

  constructor(clock: Clock, { number, shufflesTies }: StepOrder, seed: string) {
    this.#clock = clock;
    this.#chooses = shufflesTies ? drawnOrders(`${seed}/${number}`) : digitsOf(BigInt(number));
  }

  /**
   * The number of orders of the groups found until now: the product of their permutations, at most the largest safe
   * integer.
   */
  get exist(): number {
    return Number(this.#exist > MOST_ORDERS ? MOST_ORDERS : this.#exist);
  }

  /**
   * Resolves when simulated time is `due` and all work that was due before is done. Steps of other sequences may begin
   * before it.
   */
  step(due: Instant): Promise<void> {
    return this.#wait(due, true);
  }

  /** As `step`, for something that is not a step, whose place does not depend on the order. */
  turn(due: Instant): Promise<void> {
    return this.#wait(due, false);
  }

  #wait(due: Instant, isStep: boolean): Promise<void> {
    return new Promise((begin) => {
      const waiting = this.#due.get(due);
      if (waiting !== undefined) return void waiting.push({ begin, isStep });
      this.#due.set(due, [{ begin, isStep }]);
      this.#clock.at(due, { lane: LANE.step, actor: 'story' }, () => this.#begin(due));
    });
  }

  #begin(due: Instant): void {
    const waiting = this.#due.get(due) ?? [];
    this.#due.delete(due);
    const steps = this.permuted(waiting.filter(({ isStep }) => isStep));
    let next = 0;
    for (const one of waiting) (one.isStep ? steps[next++] : one)?.begin();
  }

  /** Returns a group of simultaneous items in the order of this run, and counts its permutations. */
  permuted<T>(steps: readonly T[]): readonly T[] {
    const orders = factorial(steps.length);
    if (orders === 1n) return steps;
    this.#exist *= orders;
    return permutation(steps, this.#chooses(orders));
  }
}

const MOST_ORDERS = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns the digits of a number, the lowest first; each is less than the number of orders of its group. */
function digitsOf(number: bigint): (orders: bigint) => bigint {
  let rest = number;
  return (orders) => {
    const digit = rest % orders;
    rest /= orders;
    return digit;
  };
}

/** Draws an order for each group; the order of the first group always differs from that of the file. */
function drawnOrders(seed: string): (orders: bigint) => bigint {
  const { int } = streams(seed).stream('orders', 'simultaneous steps');
  let isFirst = true;
  return (orders) => {
    const most = Number(orders > MOST_ORDERS ? MOST_ORDERS : orders) - 1;
    const drawn = int(isFirst ? 1 : 0, most);
    isFirst = false;
    return BigInt(drawn);
  };
}

function factorial(count: number): bigint {
  let product = 1n;
  for (let factor = 2n; factor <= count; factor++) product *= factor;
  return product;
}

/** Returns the permutation with this number in lexicographic order; 0: the original order. */
export function permutation<T>(items: readonly T[], number: bigint): T[] {
  const left = [...items];
  let rest = number;
  return items.map((_, place) => {
    const orders = factorial(items.length - place - 1);
    const [chosen] = left.splice(Number(rest / orders), 1);
    rest %= orders;
    return chosen as T;
  });
}
