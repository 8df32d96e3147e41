/**
 * The lines of `sandbox listen`: one per attempt, numbered, so that an event can be sent again by the number of its
 * line.
 */

import type { Event } from '../../contract/events.ts';
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
  /** The last text that a receiver refused with. */
  #reply = '';

  markShown(rows: readonly DeliveryAttempt[]): void {
    for (const { id } of rows) this.#known.add(id);
  }

  isNew({ id }: DeliveryAttempt): boolean {
    return !this.#known.has(id);
  }

  /**
   * Returns no lines if the attempt was shown before. `about`: what this command received itself, or the event of the attempt; null:
   * not known. `isBrief`: the reason of a failure is in another line.
   */
  of(row: DeliveryAttempt, about: ReceivedEvent | Event | null, isBrief: boolean): readonly string[] {
    if (!this.isNew(row)) return [];
    this.#known.add(row.id);
    const { id, event_id, delivery_id } = row;
    this.#shown.push({ id, event_id, delivery_id });
    const reply = replyOf(row);
    const isRepeated = reply === this.#reply;
    if (row.result !== 'delivered') this.#reply = reply;
    return linesOf(
      this.#shown.length,
      row,
      about,
      isBrief ? { why: false, reply: !isRepeated } : { why: true, reply: true },
    );
  }

  /** The attempt of a line. With null, the newest attempt. */
  attemptOf(line: number | null): AttemptIds | null {
    return (line === null ? this.#shown.at(-1) : this.#shown[line - 1]) ?? null;
  }
}

const replyOf = ({ answer }: DeliveryAttempt): string =>
  (answer.body ?? '').replace(/\s+/g, ' ').trim().slice(0, MOST_REPLY_CHARS);

/** `has`: what is said of a failure. */
function linesOf(
  number: number,
  row: DeliveryAttempt,
  about: ReceivedEvent | Event | null,
  has: { readonly why: boolean; readonly reply: boolean },
): readonly string[] {
  const paint = colourOf(process.stdout);
  const head = `${paint('dim', `${String(number).padStart(3)}  ${row.at.slice(11, 23)}`)}  ${row.event_type.padEnd(26)}`;
  const tail = paint('dim', `try ${row.try}, ${row.took_ms} ms`);
  if (about !== null && 'signature' in about) return [`${head} ${receivedText(about)}  ${tail}`];
  const named = about === null ? head : `${head} ${eventText(about)} `;
  const notes = row.note === null ? [] : [`     ${row.note}`];
  const { token, word } = DELIVERY_TERMS[row.result];
  if (row.result === 'delivered') return [`${named} ${paint(token, String(row.status))}  ${tail}`, ...notes];
  const reply = replyOf(row);
  const replied = has.reply && reply !== '' ? [`     the receiver said: ${reply}`] : [];
  const next = row.result === 'lost' ? RESULT_TEXT.lost : word;
  if (!has.why) return [`${named} ${paint(token, next)}  ${tail}`, ...replied];
  const why = paint(token, answerText(row));
  // The reason has a line of its own where one line would wrap inside a word.
  if (process.stdout.isTTY === true) return [`${named} ${paint(token, next)}  ${tail}`, `     ${why}`, ...replied];
  return [`${named} ${why}  ${paint(token, RESULT_TEXT[row.result])}  ${tail}`, ...replied];
}

const eventText = (event: Event): string => `${eventSigns(event, process.stdout)}${aboutText(event)}`;

/** What the event is about, and whether the signature is right. */
function receivedText({ event, signature }: ReceivedEvent): string {
  const paint = colourOf(process.stdout);
  const about = event === null ? 'the body is not an event' : eventText(event);
  return `${about}  ${signature === 'ok' ? paint('green', 'signature ok') : paint('red', `signature wrong: ${signature}`)}`;
}
