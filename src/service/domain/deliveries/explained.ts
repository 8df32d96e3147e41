/** Explains an attempt: what was signed with which secret, and why a receiver may have refused it. [spec 5, decisions 9] */
import type { DeliveryAttempt, ExplainedDelivery, SignedAttempt } from '../../../contract/resources/logs.ts';
import type { Destination, EventRecord } from '../world/documents.ts';
import { explainSignature, type NamedSecret } from './mistakes.ts';
import { likelyCauses, type RefusalCause } from './refusal-causes.ts';
import { signatureOf } from './signature.ts';

const OWN_SECRETS = ['the secret', 'the previous secret'] as const;
const UNKNOWN_SECRET = 'a secret that is no longer known: rotated away, or of a deleted destination';

/**
 * The destination's own secrets first, then those of the company's other destinations, which are often used by mistake.
 * Every session of a company signs with `ofSessions`, which is also known after the session has ended.
 */
export function secretsOf(
  own: Destination | undefined,
  all: readonly Destination[],
  ofSessions: string,
): NamedSecret[] {
  const named = (one: Destination, of: string): NamedSecret[] => [
    { name: `${OWN_SECRETS[0]}${of}`, secret: one.secret },
    ...(one.previousSecret === null ? [] : [{ name: `${OWN_SECRETS[1]}${of}`, secret: one.previousSecret.secret }]),
  ];
  const others = all.filter(({ id }) => id !== own?.id).flatMap((one) => named(one, ` of the destination ${one.url}`));
  const isHeld = all.some(({ secret }) => secret === ofSessions);
  const sessions = isHeld ? [] : [{ name: 'the secret of sandbox listen', secret: ofSessions }];
  return [...(own === undefined ? [] : named(own, '')), ...others, ...sessions];
}

const timestampOf = ({ request }: DeliveryAttempt): number => Number(request.headers['X-Service-Timestamp']);
const signaturesOf = ({ request }: DeliveryAttempt): string[] =>
  (request.headers['X-Service-Signature'] ?? '').split(',');

export function signedAttempt(attempt: DeliveryAttempt, body: string, secrets: readonly NamedSecret[]): SignedAttempt {
  const timestamp = timestampOf(attempt);
  const sent = signaturesOf(attempt);
  const computed = secrets.map(({ name, secret }) => {
    const signature = signatureOf(secret, timestamp, body);
    return { secret: name, signature, is_sent: sent.includes(signature) };
  });
  return {
    attempt,
    signed_with: sent.map((one) => computed.find(({ signature }) => signature === one)?.secret ?? UNKNOWN_SECRET),
    string_to_sign: `${timestamp}.${body}`,
    recomputed: computed.filter(({ secret, is_sent }) => is_sent || isOwn(secret)),
  };
}

const isOwn = (name: string): boolean => (OWN_SECRETS as readonly string[]).includes(name);

/** Parts of a reply that may be a signature: hexadecimal or base64 of SHA-1, SHA-256 or SHA-512. */
const SIGNATURES = /\b[0-9a-fA-F]{40,128}\b|[A-Za-z0-9+/_-]{27,86}={0,2}/g;

/** The most parts of one reply that are compared as signatures: each comparison computes thousands of signatures. */
const MOST_SEARCHED = 8;

const signaturesIn = (text: string): string[] =>
  [...text.matchAll(SIGNATURES)].slice(0, MOST_SEARCHED).map(([one]) => one);

/**
 * Causes from the content of the newest reply only; none for a delivery that was accepted. `attempts`: the oldest
 * first.
 */
export function likelyCausesOf(attempts: readonly DeliveryAttempt[], body: string): ExplainedDelivery['causes'] {
  const last = attempts.at(-1);
  if (last === undefined) return [];
  return likelyCauses({ status: last.status, error: last.error, answer: last.answer.body ?? '', body }).map(view);
}

/** Causes that also use the signatures in the replies. `got`: the signature that the receiver computed. */
export function causesOf(
  attempts: readonly DeliveryAttempt[],
  event: Pick<EventRecord, 'id' | 'body'>,
  secrets: readonly NamedSecret[],
  got: string | undefined,
): ExplainedDelivery['causes'] {
  const last = attempts.at(-1);
  if (last === undefined) return [];
  // The newest attempt comes first, because it is the one under investigation.
  const refused = [...attempts].reverse().filter(({ result }) => result !== 'delivered');
  for (const attempt of got === undefined ? refused : [...attempts].reverse()) {
    const given = got === undefined ? signaturesIn(attempt.answer.body ?? '') : [got];
    for (const one of given) {
      const cause = namedCause(one, attempt, event, secrets, got !== undefined);
      if (cause !== null) return [view(cause)];
    }
  }
  // A reply that accepted the delivery may contain a signature for any reason.
  const isRefusal = last.result !== 'delivered';
  const hasSignature = got !== undefined || (isRefusal && /\b[0-9a-f]{64}\b/i.test(last.answer.body ?? ''));
  const unknown = hasSignature ? [view(UNKNOWN)] : [];
  return [...unknown, ...likelyCausesOf(attempts, event.body)];
}

const UNKNOWN: RefusalCause = {
  isCertain: false,
  says: 'The signature that it computes matches no known mistake and no secret of this sandbox.',
  fix: 'Compare the text that it signs with string_to_sign, byte by byte, and compare its secret with that of the destination.',
};

const view = ({ isCertain, says, fix }: RefusalCause) => ({ certain: isCertain, says, cure: fix });

/** Null if no known mistake gives the signature, or if it is the sent one, which a reply may repeat. */
function namedCause(
  got: string,
  attempt: DeliveryAttempt,
  { id: eventId, body }: Pick<EventRecord, 'id' | 'body'>,
  secrets: readonly NamedSecret[],
  isGiven: boolean,
): RefusalCause | null {
  const found = explainSignature(got, { eventId, timestamp: timestampOf(attempt), body }, secrets);
  if (found === null) return null;
  const { mistakes, secretName } = found;
  const isSent = signaturesOf(attempt).some((one) => one.slice(3) === got.replace(/^v1=/, ''));
  if (mistakes.length === 0 && isSent)
    return isGiven
      ? {
          isCertain: true,
          says: 'It computes the correct signature, but its comparison is wrong.',
          fix: 'Split X-Service-Signature at commas, and compare "v1=" and your hex with each of the parts.',
        }
      : null;
  const says = mistakes.map((one) => one.says);
  const stale = secretName === OWN_SECRETS[1] && !isSent ? ['signs with the previous secret, which has run out'] : [];
  const parts = [...says, ...stale, ...(isOwn(secretName) ? [] : [`signs with ${secretName}`])];
  if (parts.length === 0) return null;
  const fixes = [
    ...new Set(mistakes.map(({ fix }) => fix)),
    ...(isOwn(secretName) && stale.length === 0
      ? []
      : ['Take the secret of this destination, which its creation or its last rotation returned.']),
  ];
  return { isCertain: true, says: `It ${parts.join(', and ')}.`, fix: fixes.join(' ') };
}
