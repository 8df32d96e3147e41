/** Destinations that fail: on a terminal each is one line that stays below the others until it answers again. [cli] */
import { formatInstant } from '../../base/time/instants.ts';
import { RETRY_SCHEDULE_MS } from '../../contract/resources/retry-schedule.ts';
import type { Paint } from '../../contract/resources/terminal-colours.ts';
import { DELIVERY_TERMS } from '../../contract/resources/vocabulary.ts';
import { answerText } from '../../watching/state/deliveries.ts';
import type { LiveLines } from '../live-lines.ts';

/** An attempt, as notices and the rows of the log have it. */
interface AnyAttempt {
  readonly at: string;
  readonly delivery_id: string;
  readonly offset_ms: number;
  readonly result: string;
  readonly status: number | null;
  readonly error: string | null;
}

class FailingDestination {
  /** Empty if the line names no destination. */
  readonly #url: string;
  #since = '';
  #last = '';
  #why = '';
  #tries = 0;
  /** When each delivery that waits is due; simulated ms. */
  readonly #due = new Map<string, number>();

  constructor(url: string) {
    this.#url = url;
  }

  add({ at, delivery_id, offset_ms, result, status, error }: AnyAttempt): void {
    if (this.#tries === 0) this.#since = at;
    this.#last = at;
    this.#why = answerText({ status, error });
    this.#tries++;
    this.#due.delete(delivery_id);
    if (result === 'lost') return;
    const next = RETRY_SCHEDULE_MS.find((ms) => ms > offset_ms) ?? offset_ms;
    this.#due.set(delivery_id, Date.parse(at) - offset_ms + next);
  }

  /** For example `10:00:31.200  failing ×12   http://127.0.0.1:9000/hook  503  since 10:00:00  3 deliveries wait, next try 10:01:01`. */
  text(paint: Paint): string {
    const [next] = [...this.#due.values()].toSorted((a, b) => a - b);
    const waits = this.#due.size === 1 ? '1 delivery waits' : `${this.#due.size} deliveries wait`;
    const then = next === undefined ? '' : `  ${waits}, next try ${clockOf(formatInstant(next))}`;
    return `${paint('dim', this.#last.slice(11, 23))}  ${this.#head(paint, 'failing')}  since ${clockOf(this.#since)}${then}`;
  }

  /** What remains of the line once the destination answers, without a time before it: later lines are above. */
  endText(paint: Paint): string {
    const { word } = DELIVERY_TERMS.failed;
    const indent = ' '.repeat(TIME_COLUMNS);
    return `${indent}  ${this.#head(paint, word)}  from ${clockOf(this.#since)} to ${clockOf(this.#last)}`;
  }

  #head(paint: Paint, word: string): string {
    const count = paint(DELIVERY_TERMS.failed.token, `${word} ×${this.#tries}`.padEnd(WORD_COLUMNS));
    return [`${count} ${this.#url}`.trimEnd(), this.#why].join('  ');
  }
}

/** Cells of the time of a line, and of the word after it, as in the lines of events. */
const TIME_COLUMNS = 12;
const WORD_COLUMNS = 27;

/** The attempts of a log. */
export class AttemptLog {
  readonly #lines: LiveLines;
  readonly #paint: Paint;
  /** By the destination. */
  readonly #failing = new Map<string, FailingDestination>();

  constructor(lines: LiveLines, paint: Paint) {
    this.#lines = lines;
    this.#paint = paint;
  }

  /** `url`: names the destination in its line; empty: there is no other. `isOwn`: the lines stay, also if the attempt failed. */
  add(
    id: string,
    url: string,
    attempt: AnyAttempt,
    { lines, isOwn }: { readonly lines: readonly string[]; readonly isOwn: boolean },
  ): void {
    if (attempt.result === 'delivered') {
      this.release(id);
      return this.#lines.add(lines);
    }
    const failing = this.#failing.get(id) ?? new FailingDestination(url);
    this.#failing.set(id, failing);
    failing.add(attempt);
    if (isOwn) this.#lines.add(lines);
    this.#lines.keep(id, failing.text(this.#paint), isOwn ? [] : lines);
  }

  /** The destination answers again, or is deleted. */
  release(id: string): void {
    const failing = this.#failing.get(id);
    this.#failing.delete(id);
    if (failing !== undefined) this.#lines.release(id, failing.endText(this.#paint));
  }
}

/** Whether an attempt in a log without events has lines of its own: a receiver that is away must hide no event. */
export const isFirstOrLast = ({ try: number, result }: { readonly try: number; readonly result: string }): boolean =>
  number === 1 || result === 'lost';

const clockOf = (at: string): string => at.slice(11, 19);
