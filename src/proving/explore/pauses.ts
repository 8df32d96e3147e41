/** The pauses of the user's system in one play: how long after a refusal it called again, or after a delivery it was right. */
import { monotonicMs } from '../../base/time/timers.ts';
import type { Notice } from '../../contract/notices.ts';
import { isTrouble } from '../../scenario/log/run-record.ts';

/** A rule that held only after the patience of the file, so that the system is slow and not broken. */
export interface LateRule {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** The pause of the system; wall ms. */
  readonly pauseMs: number;
  /** The patience of the file; wall ms. */
  readonly patienceMs: number;
  /** The pause as a sentence without its end, such as "your system called again 10.2 s after the 503". */
  readonly pause: string;
}

/** Calls and deliveries that are kept; older ones began no pause that still lasts. */
const MOST_KEPT = 200;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

export class SystemPauses {
  readonly #nowMs: () => number;
  readonly #calls: { readonly ms: number; readonly status: number }[] = [];
  /** When the system answered deliveries; monotonic ms. */
  readonly #answeredMs: number[] = [];

  constructor(nowMs: () => number = monotonicMs) {
    this.#nowMs = nowMs;
  }

  onNotice(notice: Notice): void {
    if (notice.kind === 'delivery-attempted' && notice.result === 'delivered') this.#answeredMs.push(this.#nowMs());
    if (notice.kind === 'request-answered') this.#calls.push({ ms: this.#nowMs(), status: notice.status });
    for (const list of [this.#calls, this.#answeredMs]) if (list.length > MOST_KEPT) list.shift();
  }

  /** Returns the pause that ends now, after simulated time was held for the system; `heldMs`: wall ms. */
  pauseAfter(heldMs: number): Pick<LateRule, 'pauseMs' | 'pause'> {
    const nowMs = this.#nowMs();
    const heldFromMs = nowMs - heldMs;
    const again = this.#calls.findIndex(({ ms }) => ms > heldFromMs);
    const refused = again < 0 ? undefined : this.#calls.slice(0, again).at(-1);
    if (refused !== undefined && isTrouble(refused.status)) {
      const pauseMs = (this.#calls[again]?.ms ?? nowMs) - refused.ms;
      return { pauseMs, pause: `your system called again ${seconds(pauseMs)} after the ${refused.status}` };
    }
    const answeredMs = this.#answeredMs.findLast((ms) => ms <= heldFromMs);
    if (answeredMs !== undefined)
      return {
        pauseMs: nowMs - answeredMs,
        pause: `your system was right ${seconds(nowMs - answeredMs)} after it answered the last delivery`,
      };
    return { pauseMs: heldMs, pause: `your system was right ${seconds(heldMs)} after the limit` };
  }
}
