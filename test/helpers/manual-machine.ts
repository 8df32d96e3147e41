/** The monotonic clock and the timers of a process in the hands of a test: time passes when the test says so, and timers may be late. */
import { type MachineTime, nextTurn } from '../../src/base/time/timers.ts';

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly task: () => void;
}

export class ManualMachine implements MachineTime {
  #nowMs = 0;
  #timers: readonly Timer[] = [];
  #order = 0;

  monotonicMs(): number {
    return this.#nowMs;
  }

  later(delayMs: number, task: () => void): () => void {
    if (delayMs <= 0) return nextTurn(task);
    const timer = { dueMs: this.#nowMs + delayMs, order: this.#order++, task };
    this.#timers = [...this.#timers, timer];
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  /** Passes time; each timer fires at its due time. */
  pass(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const [next] = this.#due(endMs);
      if (next === undefined) break;
      this.#nowMs = next.dueMs;
      this.#fire(next);
    }
    this.#nowMs = endMs;
  }

  /** Passes time in which the process does not run, as on a machine that has no time for it: no timer fires. */
  sleep(ms: number): void {
    this.#nowMs += ms;
  }

  /** What is due now fires, late after a `sleep`. */
  wake(): void {
    for (const timer of this.#due(this.#nowMs)) if (this.#timers.includes(timer)) this.#fire(timer);
  }

  #due(endMs: number): Timer[] {
    const due = this.#timers.filter(({ dueMs }) => dueMs <= endMs);
    return due.toSorted((a, b) => a.dueMs - b.dueMs || a.order - b.order);
  }

  #fire(timer: Timer): void {
    this.#timers = this.#timers.filter((one) => one !== timer);
    timer.task();
  }
}

/** Time that passes at once where somebody waits for it. */
export class EagerMachine implements MachineTime {
  nowMs = 0;

  monotonicMs(): number {
    return this.nowMs;
  }

  later(delayMs: number, task: () => void): () => void {
    return nextTurn(() => {
      this.nowMs += delayMs;
      task();
    });
  }
}

/** Each look at the time is ten seconds after the one before, so a judgement finds its own timers late; `judgements`: the first ones alone. */
export function lateMachine(judgements = Number.POSITIVE_INFINITY): MachineTime {
  let [nowMs, begun] = [0, 0];
  return {
    monotonicMs: () => {
      if (begun <= judgements) nowMs += 10_000;
      return nowMs;
    },
    // A judgement arms its timer once, because this timer never fires.
    later: () => {
      begun += 1;
      return () => {};
    },
  };
}

/** Time that does not pass: no timer of it is ever late. For tests of judgements that a busy machine must not repeat. */
export const PUNCTUAL: MachineTime = { monotonicMs: () => 0, later: () => () => {} };
