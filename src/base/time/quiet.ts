/** Tells when one whole turn of the event loop has passed in which nothing new happened. */
import { nextTurn } from './timers.ts';

export class QuietTurn {
  readonly #onTurn: (quiet: boolean) => void;
  #activity = 0;
  #activitySeen = 0;
  #asked = false;
  #soonPending = 0;

  /** Calls `onTurn` once for each `ask` that counted, on a later turn. */
  constructor(onTurn: (quiet: boolean) => void) {
    this.#onTurn = onTurn;
  }

  /** Something new happened: a turn that is under way is not quiet. */
  disturb(): void {
    this.#activity++;
  }

  /** Asks for a turn, unless one is asked for already or tasks of the next turn wait: the last of them asks again. */
  ask(): void {
    if (this.#asked || this.#soonPending > 0) return;
    this.#asked = true;
    this.#activitySeen = this.#activity;
    nextTurn(() => {
      this.#asked = false;
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
