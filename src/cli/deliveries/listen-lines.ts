/**
 * The lines of `sandbox listen`: one per attempt, numbered, so that an event can be sent again by the number of its
 * line.
 */

import type { Event } from '../../contract/events.ts';
import type { DeliveryAttempt } from '../../contract/resources/logs.ts';
import { DELIVERY_TERMS } from '../../contract/resources/vocabulary.ts';
import { plural } from '../../contract/sentences.ts';
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
  of(row: DeliveryAttempt, about: ReceivedEvent | Event | null = null): readonly string[] {
    if (!this.isNew(row)) return [];
    this.#known.add(row.id);
    const { id, event_id, delivery_id } = row;
    this.#shown.push({ id, event_id, delivery_id });
    return linesOf(this.#shown.length, row, about);
  }

  /** The attempt of a line. With null, the newest attempt. */
  attemptOf(line: number | null): AttemptIds | null {
    return (line === null ? this.#shown.at(-1) : this.#shown[line - 1]) ?? null;
  }
}

/**
 * The further attempts of deliveries that fail, as one line that stays below the others until something is delivered: first
 * attempts, ends and what is delivered have lines of their own, so a receiver that is away hides no event.
 */
export class RepeatedFailures {
  #tries = 0;
  readonly #events = new Set<string>();

  /** True if the attempt is one of them. */
  static has({ result, try: number }: DeliveryAttempt): boolean {
    return result === 'failed' && number > 1;
  }

  /** Counts the attempt. Returns for example `12 further tries of 2 events failed: 503`. */
  text(row: DeliveryAttempt): string {
    this.#tries++;
    this.#events.add(row.event_id);
    const tries = `${this.#tries} further ${this.#tries === 1 ? 'try' : 'tries'} of ${plural(this.#events.size, 'event')}`;
    return `     ${row.at.slice(11, 19)}  ${tries} ${DELIVERY_TERMS.failed.word}: ${answerText(row)}`;
  }

  /** Something was delivered: the next one begins a new line. */
  end(): void {
    this.#tries = 0;
    this.#events.clear();
  }
}

/** `about`: what this command received itself, or the event of the attempt; null: not known. */
function linesOf(number: number, row: DeliveryAttempt, about: ReceivedEvent | Event | null): readonly string[] {
  const paint = colourOf(process.stdout);
  const head = `${paint('dim', `${String(number).padStart(3)}  ${row.at.slice(11, 23)}`)}  ${row.event_type.padEnd(26)}`;
  const tail = paint('dim', `try ${row.try}, ${row.took_ms} ms`);
  if (about !== null && 'signature' in about) return [`${head} ${receivedText(about)}  ${tail}`];
  const named = about === null ? head : `${head} ${eventText(about)} `;
  const notes = row.note === null ? [] : [`     ${row.note}`];
  if (row.result === 'delivered')
    return [`${named} ${paint(DELIVERY_TERMS.delivered.token, String(row.status))}  ${tail}`, ...notes];
  const next = paint(DELIVERY_TERMS[row.result].token, RESULT_TEXT[row.result]);
  const why = paint(DELIVERY_TERMS[row.result].token, answerText(row));
  const reply = (row.answer.body ?? '').replace(/\s+/g, ' ').trim().slice(0, MOST_REPLY_CHARS);
  const { token, word } = DELIVERY_TERMS[row.result];
  // The reason has a line of its own where one line would wrap inside a word.
  const first =
    process.stdout.isTTY === true
      ? [`${named} ${paint(token, word)}  ${tail}`, `     ${why}`]
      : [`${named} ${why}  ${next}  ${tail}`];
  return [...first, ...(reply === '' ? [] : [`     the receiver said: ${reply}`])];
}

const eventText = (event: Event): string => `${eventSigns(event, process.stdout)}${aboutText(event)}`;

/** What the event is about, and whether the signature is right. */
function receivedText({ event, signature }: ReceivedEvent): string {
  const paint = colourOf(process.stdout);
  const about = event === null ? 'the body is not an event' : eventText(event);
  return `${about}  ${signature === 'ok' ? paint('green', 'signature ok') : paint('red', `signature wrong: ${signature}`)}`;
}
