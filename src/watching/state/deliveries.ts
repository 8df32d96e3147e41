/** How the panel and the terminal describe a delivery: the same facts, the same curl command. [spec 5, cli] */
import { isPrintable } from '../../base/text/printable.ts';
import type { Event } from '../../contract/events.ts';
import type { DeliveryAttempt, SignedAttempt } from '../../contract/resources/logs.ts';
import type { Muster } from '../../contract/resources.ts';
import { codeOf, musterText } from './events.ts';
import { whatText, whereText, whomText } from './happened.ts';

/** For example `SOS: Ana Ruiz in Quay (W-014)` or `general muster at Harbour`. */
export function aboutText({ data }: Event): string {
  if ('muster' in data) return `${data.muster.kind} muster at ${data.muster.site.name}`;
  const { title, worker } = data.alert;
  const code = worker?.external_id ?? null;
  return code === null || title.includes(code) ? title : `${title} (${code})`;
}

/** An event in the parts that a row has. */
interface EventWords {
  /** For example `SOS by button` or `safe 52 to 53`. */
  readonly what: string;
  /** For example `Ana Ruiz (W-014)` or `general muster`. */
  readonly whom: string;
  readonly where: string;
}

/** `before`: the muster at its previous event, so that the row says what changed; null: not known. */
export function eventWords({ type, data }: Event, before: Muster | null): EventWords {
  if ('muster' in data) {
    const { kind, site } = data.muster;
    const text = musterText(type, data.muster, before ?? undefined);
    // The kind is in the next part.
    const what = type === 'muster.started' ? `started${text.slice(kind.length)}` : text;
    return { what, whom: `${kind} muster`, where: site.name };
  }
  const { alert } = data;
  const [whom, code] = [whomText(alert), alert.worker === null ? null : codeOf(alert.worker)];
  return {
    what: whatText(alert),
    whom: code === null || whom === code ? whom : `${whom} (${code})`,
    where: whereText(alert) || alert.site.name,
  };
}

/** The status of the reply, or the reason why there was none. */
export const answerText = ({ status, error }: Pick<DeliveryAttempt, 'status' | 'error'>): string =>
  status === null ? (error ?? 'no answer') : String(status);

/** The consequence of the attempt's result. */
export const RESULT_TEXT: { readonly [R in DeliveryAttempt['result']]: string } = {
  delivered: 'delivered',
  failed: 'will be tried again',
  lost: 'given up',
};

/** The consequence of an attempt as it is now. `isWaiting`: it is the last one of a delivery that is to be tried again. */
export function attemptText(
  result: DeliveryAttempt['result'],
  { isWaiting, isDeleted }: { readonly isWaiting: boolean; readonly isDeleted: boolean },
): string {
  if (result !== 'failed') return RESULT_TEXT[result];
  if (isDeleted) return 'not tried again: the destination was deleted';
  return isWaiting ? RESULT_TEXT.failed : 'was tried again';
}

/** One signature of the header as it was sent, and the secret that reproduces it. */
interface SentSignature {
  readonly signature: string;
  readonly secret: string;
  /** True if computing the signature again gave the same value. */
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

/** Longest argument of a command; Linux refuses longer ones (MAX_ARG_STRLEN is 128 KiB). */
const LONGEST_ARGUMENT = 100_000;

/**
 * A POSIX shell command that sends the request of an attempt again, with the same headers and the same bytes. The
 * header `Accept` is removed, because curl would add it and the delivery does not have it.
 */
export function curlOf({ request }: DeliveryAttempt, body: string): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const command = [`curl -i -g ${quoted(request.url)}`, ...headers, "-H 'Accept:'"];
  if (isPrintable(body) && body.length <= LONGEST_ARGUMENT)
    return [...command, `--data-binary ${quoted(body)}`].join(' \\\n  ');
  // printf is built into the shell and has no limit. It can write bytes that a terminal or a clipboard would change.
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
