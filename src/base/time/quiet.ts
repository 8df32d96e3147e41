/** Detects that one full turn of the event loop passed without new work. */
import { nextTurn } from './timers.ts';

export class QuietTurn {
  readonly #onTurn: (quiet: boolean) => void;
  #activity = 0;
  #activitySeen = 0;
  #isRequested = false;
  #soonPending = 0;

  /** Calls `onTurn` once for each effective `ask`, on a later turn. */
  constructor(onTurn: (quiet: boolean) => void) {
    this.#onTurn = onTurn;
  }

  /** Reports new work: the current turn is not quiet. */
  disturb(): void {
    this.#activity++;
  }

  /**
   * Requests a turn, unless one is already requested or tasks of the next turn wait. The last of these tasks requests
   * it again.
   */
  ask(): void {
    if (this.#isRequested || this.#soonPending > 0) return;
    this.#isRequested = true;
    this.#activitySeen = this.#activity;
    nextTurn(() => {
      this.#isRequested = false;
      this.#onTurn(this.#soonPending === 0 && this.#activity === this.#activitySeen);
    });
  }

  /** Runs a task in the next turn, which is then not quiet. */
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
