/** How a built-in receiver replies to a delivery, as set by the step `receiver`. [scenario-language, Customer side] */

import { quoted } from '../../contract/sentences.ts';
import { didYouMean, type FilePlace, shown } from '../../plant/mistakes.ts';

/** Each behaviour with its explanation. */
export const BEHAVIOUR_HELP = {
  ok: 'The receiver answers 204 at once.',
  slow: 'The receiver answers after 7 s, or after "delay". The service waits 5 s for an answer.',
  redirect: 'The receiver answers with a redirect, which the service does not follow.',
  reset: 'The receiver closes the connection without an answer.',
  lost_answer: 'The receiver accepts the attempt, and the connection breaks before its answer arrives.',
  hang: 'The receiver accepts the request and never answers.',
  refuse: 'The connection is refused, because nothing listens on the port. It cannot be used in a list.',
  garbage: 'The receiver answers with bytes that are not HTTP.',
} as const;
type BehaviourWord = keyof typeof BEHAVIOUR_HELP;
export const BEHAVIOUR_WORDS = Object.keys(BEHAVIOUR_HELP) as readonly BehaviourWord[];

/**
 * A behaviour by name, or the HTTP status of the reply. With `lost_answer` the delivery is accepted, but the connection
 * breaks off before the reply.
 */
export type ReceiverBehaviour = BehaviourWord | number;

/** Default delay of `slow`, ms: longer than the service's timeout of 5 s. [spec 4] */
export const SLOW_MS = 7_000;

/**
 * Reads the value of `does`: one behaviour, or a list of which each request uses the next one; the last one repeats.
 * Returns null after reporting anything else.
 */
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
