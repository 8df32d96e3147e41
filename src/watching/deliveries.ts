/** What the panel and the terminal say about a delivery: the same facts, and the same curl command. [spec 5, cli] */
import { isPrintable } from '../base/text/printable.ts';
import type { Event } from '../contract/events.ts';
import type { DeliveryAttempt, SignedAttempt } from '../contract/resources/logs.ts';

/** `SOS: Ana Ruiz in Quay (W-014)`, `general muster at Harbour`. */
export function aboutText({ data }: Event): string {
  if ('muster' in data) return `${data.muster.kind} muster at ${data.muster.site.name}`;
  const { title, worker } = data.alert;
  const code = worker?.external_id ?? null;
  return code === null || title.includes(code) ? title : `${title} (${code})`;
}

/** The status of the answer, or why there was none. */
export const answerText = ({ status, error }: Pick<DeliveryAttempt, 'status' | 'error'>): string =>
  status === null ? (error ?? 'no answer') : String(status);

/** What follows from the attempt. */
export const RESULT_TEXT: { readonly [R in DeliveryAttempt['result']]: string } = {
  delivered: 'delivered',
  failed: 'will be tried again',
  lost: 'given up',
};

/** One signature of the header as it was sent, and the secret that gives it again. */
interface SentSignature {
  readonly signature: string;
  readonly secret: string;
  /** The same signature was computed again. */
  readonly isRight: boolean;
}

export const sentSignatures = ({ attempt, signed_with, recomputed }: SignedAttempt): SentSignature[] =>
  (attempt.request.headers['X-Service-Signature'] ?? '').split(',').map((signature, place) => ({
    signature,
    secret: signed_with[place] ?? '',
    isRight: recomputed.some((one) => one.signature === signature),
  }));

/** The time of the signature, in Unix seconds. */
export const timestampOf = ({ request }: DeliveryAttempt): string => request.headers['X-Service-Timestamp'] ?? '';

/** A longer argument is refused by Linux (MAX_ARG_STRLEN is 128 KiB). */
const LONGEST_ARGUMENT = 100_000;

/**
 * A command of a POSIX shell that sends the request of an attempt again: the same headers and the same bytes. `Accept`
 * is taken away, since curl would add it and the delivery has none.
 */
export function curlOf({ request }: DeliveryAttempt, body: string): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const command = [`curl -i -g ${quoted(request.url)}`, ...headers, "-H 'Accept:'"];
  if (isPrintable(body) && body.length <= LONGEST_ARGUMENT)
    return [...command, `--data-binary ${quoted(body)}`].join(' \\\n  ');
  // printf is a part of the shell, which has no limit, and writes what a terminal or a clipboard would change.
  return `printf ${quoted(octal(body))} |\n  ${[...command, '--data-binary @-'].join(' \\\n  ')}`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The format of printf that writes these bytes. */
const octal = (text: string): string =>
  [...text]
    .map((character) => {
      if (character === '%') return '%%';
      if (character === '\\') return '\\\\';
      if (isPrintable(character)) return character;
      return [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
    })
    .join('');
