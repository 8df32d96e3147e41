/** Steps that begin at one instant, each of its own sequence, and requests in flight: they begin in the order of the file, or in another one. [scenario-language, Simultaneous work] */

import { streams } from '../../base/random/streams.ts';
import { type Clock, type Instant, LANE } from '../../base/time/clock.ts';

/** Which order a run plays. Its number is a number of mixed radix: each group of steps takes a digit, the first group the lowest. */
export interface StepOrder {
  /** 0: the order of the file. */
  readonly number: number;
  /** Also permutes what is due at one instant inside the sandbox; then the number seeds the order of each group. */
  readonly shufflesTies: boolean;
}

interface WaitingStep {
  readonly begin: () => void;
  /** Of a step that another step can stand before. */
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

  /** The orders of the groups that were found so far: the product of their permutations. At most the largest safe integer. */
  get exist(): number {
    return Number(this.#exist > MOST_ORDERS ? MOST_ORDERS : this.#exist);
  }

  /** Resolves when simulated time is `due` and everything due before is done. Steps of other sequences may begin before it. */
  step(due: Instant): Promise<void> {
    return this.#wait(due, true);
  }

  /** The same for what is not a step, whose place no order changes. */
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

  /** A group of what is simultaneous, in the order of this run; counts its permutations. */
  permuted<T>(steps: readonly T[]): readonly T[] {
    const orders = factorial(steps.length);
    if (orders === 1n) return steps;
    this.#exist *= orders;
    return permutation(steps, this.#chooses(orders));
  }
}

const MOST_ORDERS = BigInt(Number.MAX_SAFE_INTEGER);

/** The digits of a number, the lowest first, each below the orders of its group. */
function digitsOf(number: bigint): (orders: bigint) => bigint {
  let rest = number;
  return (orders) => {
    const digit = rest % orders;
    rest /= orders;
    return digit;
  };
}

/** Orders drawn for each group; the first group has another than that of the file. */
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

/** The permutation of this number in lexicographic order; 0: as they are. */
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
