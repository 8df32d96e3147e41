/** How a built-in receiver answers a delivery, as set by the step `receiver`. [scenario-language, Customer side] */

import { quoted } from '../../contract/sentences.ts';
import { didYouMean, type FilePlace, shown } from '../../plant/mistakes.ts';

export const BEHAVIOUR_WORDS = ['ok', 'slow', 'redirect', 'reset', 'lost_answer', 'hang', 'refuse', 'garbage'] as const;
type BehaviourWord = (typeof BEHAVIOUR_WORDS)[number];

/** A behaviour by name, or the HTTP status to answer. With `lost_answer` the delivery is taken, and the connection breaks off before its answer. */
export type ReceiverBehaviour = BehaviourWord | number;

/** Default delay of `slow`, ms: above the service's timeout of 5 s. [spec 4] */
export const SLOW_MS = 7_000;

/** `does:` one behaviour, or a list consumed one per request, the last one repeating; null after reporting anything else. */
export function readBehaviours(value: unknown, at: FilePlace): readonly ReceiverBehaviour[] | null {
  const listed = Array.isArray(value);
  const items: readonly unknown[] = listed ? value : [value];
  if (items.length === 0) return at.mistake('The list is empty. Write does: [503, 503, ok].');
  const read = items.map((item, i) => readBehaviour(item, listed ? at.of(i) : at));
  if (listed && items.length > 1 && items.includes('refuse'))
    return at.mistake('"refuse" is for all requests: nothing listens. Write reset in a list, or does: refuse.');
  return read.includes(null) ? null : (read as ReceiverBehaviour[]);
}

function readBehaviour(value: unknown, at: FilePlace): ReceiverBehaviour | null {
  if (BEHAVIOUR_WORDS.includes(value as BehaviourWord)) return value as BehaviourWord;
  if (Number.isInteger(value) && (value as number) >= 200 && (value as number) <= 599) return value as number;
  const meant = typeof value === 'string' ? didYouMean(value, BEHAVIOUR_WORDS) : ' Write a status, 200 to 599, or ok.';
  const what = typeof value === 'string' ? quoted(value) : shown(value);
  return at.mistake(`${what} is not how a receiver behaves.${meant}`);
}
