/** Detects that one full turn of the event loop passed without new work. */
import { nextTurn } from './timers.ts';

export class QuietTurn {
  readonly #onTurn: (quiet: boolean) => void;
  #activity = 0;
  #activitySeen = 0;
  #isRequested = false;
  #soonPending = 0;

  /** Calls `onTurn` once for each `ask` that counted, on a later turn. */
  constructor(onTurn: (quiet: boolean) => void) {
    this.#onTurn = onTurn;
  }

  /** Something new happened: a turn that is under way is not quiet. */
  disturb(): void {
    this.#activity++;
  }

  /** Requests a turn, unless one is requested already or tasks of the next turn wait: the last of them asks again. */
  ask(): void {
    if (this.#isRequested || this.#soonPending > 0) return;
    this.#isRequested = true;
    this.#activitySeen = this.#activity;
    nextTurn(() => {
      this.#isRequested = false;
      this.#onTurn(this.#soonPending === 0 && this.#activity === this.#activitySeen);
    });
  }

  /** Runs a task on the next turn, which is not quiet then. */
  soon(task: () => void, done: () => void): void {
    this.#soonPending++;
    nextTurn(() => {
      this.#soonPending--;
      try {
        task();
      } finally {
        done();
      }
    });
  }
}
