/** Reports the difference between the clock of the node's machine and that of the database: at the start, every minute, and when the node refuses changes because of it. */
import { monotonicMs } from '../../../base/time/timers.ts';
import { CLOCK_FIX, type DatabaseClock, wordsOf } from './database-clock.ts';

/** Interval between two reports; wall ms. */
const REPORT_MS = 60_000;

/** A difference below this is reported only at the start, unless it has changed by at least this; ms. */
const WORTH_REPORTING_MS = 100;

export interface ClockReportParts {
  readonly time: Pick<DatabaseClock, 'difference' | 'isSteady'>;
  /** The name of the database, for display. */
  readonly database: string;
  /**
   * Called with a reason when the difference exceeds the limit, so that no changes are accepted; null: changes are
   * accepted again.
   */
  readonly onUnsteady: (why: string | null) => void;
  /** Reports a sentence about an event among the nodes. */
  readonly say: (words: string) => void;
}

export class ClockReport {
  readonly #parts: ClockReportParts;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #reportedMs: number | null = null;
  #wasSteady = true;

  constructor(parts: ClockReportParts) {
    this.#parts = parts;
  }

  /** Called after each measurement. `isReady`: the node has started, so that reports are displayed. */
  look(isReady: boolean): void {
    const { time, database, onUnsteady, say } = this.#parts;
    const { difference, isSteady } = time;
    const off = `The clock of this node is ${wordsOf(difference)} that of ${database}`;
    if (isSteady !== this.#wasSteady) {
      this.#wasSteady = isSteady;
      onUnsteady(isSteady ? null : `${off}, so this node accepts no changes.`);
      say(
        isSteady
          ? `${off}: it accepts changes again.`
          : `${off}: it accepts no changes, and releases its sites and destinations to the other nodes. ${CLOCK_FIX}`,
      );
    }
    if (!isReady || monotonicMs() - this.#lookedAtMs < REPORT_MS) return;
    this.#lookedAtMs = monotonicMs();
    const { aheadMs, uncertainMs } = difference;
    const before = this.#reportedMs;
    const isSmall = Math.max(Math.abs(aheadMs), Math.abs(aheadMs - (before ?? 0))) < WORTH_REPORTING_MS;
    if (before !== null && isSmall) return;
    this.#reportedMs = aheadMs;
    say(`${off}, give or take ${Math.ceil(uncertainMs)} ms.`);
  }
}
