/**
 * The time limit for the reply to an attempt: 5 s of wall time, or of simulated time while a receiver in this process
 * delays its reply in a fast run. [spec 8, decisions 7]
 */
import { type Cancel, type Clock, type Instant, LANE } from '../../base/time/clock.ts';
import type { AttemptHold } from './attempt-hold.ts';
import { ANSWER_LIMIT_MS } from './outcome.ts';

interface PatienceParts {
  readonly clock: Clock;
  readonly held: AttemptHold;
  /** Start of the attempt, simulated time. */
  readonly at: Instant;
  /** Orders attempts whose limit ends at the same instant. */
  readonly key: string;
  /** Called when the limit is exceeded. */
  readonly onLate: () => void;
}

export class Patience {
  readonly #parts: PatienceParts;
  #cancel: Cancel;
  #ended = false;

  constructor(parts: PatienceParts) {
    this.#parts = parts;
    const { clock, onLate } = parts;
    // Waits for one more tick of the event loop, so that a reply that arrived while the process was busy counts as in
    // time.
    this.#cancel = clock.afterWall(ANSWER_LIMIT_MS, () => clock.soon(onLate));
  }

  /**
   * From now on the limit is in simulated time, and simulated time passes; until the returned function is called, or
   * permanently.
   */
  park(): () => void {
    const { clock, held, at, key, onLate } = this.#parts;
    if (this.#ended) return () => {};
    this.#cancel();
    this.#cancel = clock.at(at + ANSWER_LIMIT_MS, { lane: LANE.delivery, actor: key }, () => {
      held.reopen();
      onLate();
    });
    held.close();
    return () => {
      if (this.#ended) return;
      this.#cancel();
      held.reopen();
    };
  }

  end(): void {
    this.#ended = true;
    this.#cancel();
  }
}
