/** The lines of `sandbox listen`: an attempt each, numbered, so that an event can be sent again by the number of its line. */

import { colourOf } from '../output.ts';
import { aboutText, type ReceivedEvent } from './listen-receiver.ts';

/** An attempt as `GET /v1/sandbox/deliveries` shows it. */
export interface AttemptRow {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly try: number;
  readonly at: string;
  readonly took_ms: number;
  readonly result: 'delivered' | 'failed' | 'lost';
  readonly status: number | null;
  readonly error: string | null;
  readonly note: string | null;
  readonly answer: { readonly body: string | null };
}

/** As much as is shown of a refusal's text. */
const MOST_REPLY_CHARS = 120;

export class AttemptLines {
  readonly #known = new Set<string>();
  /** Event ids, by line. */
  readonly #events: string[] = [];

  markShown(rows: readonly AttemptRow[]): void {
    for (const { id } of rows) this.#known.add(id);
  }

  isNew({ id }: AttemptRow): boolean {
    return !this.#known.has(id);
  }

  /** None: it was shown before. */
  of(row: AttemptRow, received: ReceivedEvent | null = null): readonly string[] {
    if (!this.isNew(row)) return [];
    this.#known.add(row.id);
    this.#events.push(row.event_id);
    return linesOf(this.#events.length, row, received);
  }

  /** The event of a line; null: of the newest. */
  eventOf(line: number | null): string | null {
    return (line === null ? this.#events.at(-1) : this.#events[line - 1]) ?? null;
  }
}

function linesOf(number: number, row: AttemptRow, received: ReceivedEvent | null): readonly string[] {
  const paint = colourOf(process.stdout);
  const head = `${paint(2, `${String(number).padStart(3)}  ${row.at.slice(11, 23)}`)}  ${row.event_type.padEnd(26)}`;
  const tail = paint(2, `try ${row.try}, ${row.took_ms} ms, event ${row.event_id}`);
  if (received !== null) return [`${head} ${receivedText(received)}  ${tail}`];
  const notes = row.note === null ? [] : [`     ${row.note}`];
  if (row.result === 'delivered') return [`${head} ${paint(32, String(row.status))}  ${tail}`, ...notes];
  const next = row.result === 'lost' ? paint(31, 'given up') : paint(33, 'will be tried again');
  const why = paint(31, row.status === null ? (row.error ?? 'no answer') : String(row.status));
  const reply = (row.answer.body ?? '').replace(/\s+/g, ' ').trim().slice(0, MOST_REPLY_CHARS);
  return [`${head} ${why}  ${next}  ${tail}`, ...(reply === '' ? [] : [`     the receiver said: ${reply}`])];
}

/** Who or what it is about, and whether the signature is right. */
function receivedText({ event, signature }: ReceivedEvent): string {
  const paint = colourOf(process.stdout);
  const about = event === null ? 'the body is not an event' : aboutText(event);
  return `${about}  ${signature === 'ok' ? paint(32, 'signature ok') : paint(31, `signature wrong: ${signature}`)}`;
}
