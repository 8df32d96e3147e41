/**
 * The lines of `sandbox listen`: one per attempt, numbered, so that an event can be sent again by the number of its
 * line.
 */

import type { DeliveryAttempt } from '../../contract/resources/logs.ts';
import { DELIVERY_TERMS } from '../../contract/resources/vocabulary.ts';
import { aboutText, answerText, RESULT_TEXT } from '../../watching/state/deliveries.ts';
import { eventSigns } from '../event-signs.ts';
import { colourOf } from '../output.ts';
import type { ReceivedEvent } from './listen-receiver.ts';

/** Maximum characters of a refusal's text. */
const MOST_REPLY_CHARS = 120;

/** The ids of an attempt. */
export type AttemptIds = Pick<DeliveryAttempt, 'id' | 'event_id' | 'delivery_id'>;

export class AttemptLines {
  readonly #known = new Set<string>();
  /** Attempts by the number of their line. */
  readonly #shown: AttemptIds[] = [];

  markShown(rows: readonly DeliveryAttempt[]): void {
    for (const { id } of rows) this.#known.add(id);
  }

  isNew({ id }: DeliveryAttempt): boolean {
    return !this.#known.has(id);
  }

  /** Returns no lines if the attempt was shown before. */
  of(row: DeliveryAttempt, received: ReceivedEvent | null = null): readonly string[] {
    if (!this.isNew(row)) return [];
    this.#known.add(row.id);
    const { id, event_id, delivery_id } = row;
    this.#shown.push({ id, event_id, delivery_id });
    return linesOf(this.#shown.length, row, received);
  }

  /** The attempt of a line. With null, the newest attempt. */
  attemptOf(line: number | null): AttemptIds | null {
    return (line === null ? this.#shown.at(-1) : this.#shown[line - 1]) ?? null;
  }
}

function linesOf(number: number, row: DeliveryAttempt, received: ReceivedEvent | null): readonly string[] {
  const paint = colourOf(process.stdout);
  const head = `${paint('dim', `${String(number).padStart(3)}  ${row.at.slice(11, 23)}`)}  ${row.event_type.padEnd(26)}`;
  const tail = paint('dim', `try ${row.try}, ${row.took_ms} ms, event ${row.event_id}`);
  if (received !== null) return [`${head} ${receivedText(received)}  ${tail}`];
  const notes = row.note === null ? [] : [`     ${row.note}`];
  if (row.result === 'delivered')
    return [`${head} ${paint(DELIVERY_TERMS.delivered.token, String(row.status))}  ${tail}`, ...notes];
  const next = paint(DELIVERY_TERMS[row.result].token, RESULT_TEXT[row.result]);
  const why = paint(DELIVERY_TERMS[row.result].token, answerText(row));
  const reply = (row.answer.body ?? '').replace(/\s+/g, ' ').trim().slice(0, MOST_REPLY_CHARS);
  return [`${head} ${why}  ${next}  ${tail}`, ...(reply === '' ? [] : [`     the receiver said: ${reply}`])];
}

/** What the event is about, and whether the signature is right. */
function receivedText({ event, signature }: ReceivedEvent): string {
  const paint = colourOf(process.stdout);
  const about = event === null ? 'the body is not an event' : `${eventSigns(event, process.stdout)}${aboutText(event)}`;
  return `${about}  ${signature === 'ok' ? paint('green', 'signature ok') : paint('red', `signature wrong: ${signature}`)}`;
}
