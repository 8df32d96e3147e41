/** `GET /v1/sandbox/deliveries/{id}`: what was signed and sent, and why a receiver may have refused it. [spec 5, decisions 9] */
import { Type } from 'typebox';
import { EventType } from '../../contract/enumerations.ts';
import type { Query } from '../../contract/query.ts';
import { List } from '../../contract/resources.ts';
import { closed, inline, nullable, Uuid, whole } from '../../contract/shapes.ts';
import { explainSignature, type NamedSecret } from '../../domain/deliveries/mistakes.ts';
import { likelyCauses, type RefusalCause } from '../../domain/deliveries/refusal-causes.ts';
import { signatureOf } from '../../domain/deliveries/signature.ts';
import type { Destination, EventRecord } from '../../domain/world/documents.ts';
import type { AttemptRecord } from '../../engine/store-port.ts';
import { ProblemAnswer } from '../answers/problem-answer.ts';
import { type Call, type Route, route } from '../route.ts';
import { attemptView, DeliveryAttempt } from './sandbox-shapes.ts';

/** Attempts that are searched for a delivery by its own id, and shown of an event at most. */
const MOST_ATTEMPTS = 1_000;

const Signed = closed('SignedAttempt', 'One attempt, and what its signatures were computed from.', {
  attempt: DeliveryAttempt,
  signed_with: Type.Array(Type.String(), { description: 'Which secret each signature of the header is of.' }),
  string_to_sign: Type.String({ description: 'The timestamp, a dot, and the body.' }),
});

const Cause = closed('RefusalCause', 'Why a receiver refused it, and what to do.', {
  certain: Type.Boolean({ description: 'It was computed from a signature; else it is likely by the answer.' }),
  says: Type.String(),
  // The published name of the field.
  cure: Type.String(),
});

const ExplainedDeliveries = List(
  'ExplainedDeliveryList',
  closed('ExplainedDelivery', 'One event for one destination: the bytes, the attempts, and the likely causes.', {
    delivery_id: Type.String(),
    event_id: Uuid,
    event_type: EventType,
    destination_id: Uuid,
    url: nullable(Type.String(), 'Null where the destination was deleted.'),
    body: Type.String({ description: 'The text that is signed and sent, byte by byte.' }),
    body_bytes: whole(0),
    attempts: Type.Array(Signed),
    causes: Type.Array(Cause, { description: 'The best first; empty where it was accepted.' }),
  }),
);

const ExplainQuery = inline({
  got: Type.Optional(
    Type.String({ maxLength: 300, description: 'The signature that the receiver computed, with or without `v1=`.' }),
  ),
});

export const EXPLAINED_DELIVERY_ROUTES: readonly Route[] = [
  route('GET', '/v1/sandbox/deliveries/:id', 'control', {
    operationId: 'explainDelivery',
    tag: 'Sandbox',
    summary: 'What was signed and sent, and why it may have been refused',
    description:
      'By the id of a delivery or of an event: the text that was signed, each attempt, and causes of a refusal. Where a signature that the receiver computed is known (`got`, or in its answer), the mistake that gives it is named with certainty. Needs the control token.',
    query: ExplainQuery,
    problems: ['not_found'],
    answers: { 200: ExplainedDeliveries },
    handle: explain,
  }),
];

async function explain(call: Call) {
  const { engine, store } = call.parts;
  const id = call.params['id'] ?? '';
  const { got } = call.query as Query<typeof ExplainQuery>;
  await engine.flush();
  const event = await eventOf(call, id);
  if (event === null)
    throw new ProblemAnswer(
      'not_found',
      `There is no delivery or event ${id}; a delivery is found by its own id among the last ${MOST_ATTEMPTS} attempts.`,
    );
  const attempts = await store.attempts({ eventId: event.id, limit: MOST_ATTEMPTS });
  const waiting = await call.read((world) => [...world.all('delivery')].filter(({ eventId }) => eventId === event.id));
  const pairs = [
    ...attempts,
    ...waiting.map((delivery) => ({ deliveryId: delivery.id, destinationId: delivery.destinationId })),
  ];
  const ids = new Map(pairs.map(({ deliveryId, destinationId }) => [deliveryId, destinationId]));
  const data = [];
  for (const [deliveryId, destinationId] of ids) {
    if (id !== event.id && id !== deliveryId) continue;
    const destinations = await call.read((world) => {
      const own = world.get('destination', destinationId);
      const all = [...world.all('destination')].filter((one) => one.organizationId === event.organizationId);
      return { own, secrets: [...secretsOf(own, all), ...ofSessions(call, event.organizationId, all)] };
    });
    const made = attempts.filter((one) => one.deliveryId === deliveryId).reverse();
    data.push({
      delivery_id: deliveryId,
      event_id: event.id,
      event_type: event.type,
      destination_id: destinationId,
      url: destinations.own?.url ?? null,
      body: event.body,
      body_bytes: Buffer.byteLength(event.body),
      attempts: made.map((attempt) => signed(attempt, event, destinations.secrets)),
      causes: causesOf(made, event, destinations.secrets, got),
    });
  }
  return { status: 200, body: { data }, rows: attempts.length };
}

async function eventOf(call: Call, id: string): Promise<EventRecord | null> {
  const { store } = call.parts;
  const event = await store.event(id);
  if (event !== null) return event;
  const waiting = await call.read((world) => world.get('delivery', id)?.eventId);
  if (waiting !== undefined) return store.event(waiting);
  const attempt = (await store.attempts({ limit: MOST_ATTEMPTS })).find(({ deliveryId }) => deliveryId === id);
  return attempt === undefined ? null : store.event(attempt.eventId);
}

/** The destination's own first; those of the company's other destinations are often taken for it. */
function secretsOf(own: Destination | undefined, all: readonly Destination[]): NamedSecret[] {
  const named = (one: Destination, of: string): NamedSecret[] => [
    { name: `the secret${of}`, secret: one.secret },
    ...(one.previousSecret === null ? [] : [{ name: `the previous secret${of}`, secret: one.previousSecret.secret }]),
  ];
  const others = all.filter(({ id }) => id !== own?.id).flatMap((one) => named(one, ` of the destination ${one.url}`));
  return [...(own === undefined ? [] : named(own, '')), ...others];
}

/** Every session of a company signs with one secret, which is known when the session has ended too. */
function ofSessions({ parts }: Call, organizationId: string, all: readonly Destination[]): NamedSecret[] {
  const secret = parts.sessionSecret(organizationId);
  return all.some((one) => one.secret === secret) ? [] : [{ name: 'the secret of sandbox listen', secret }];
}

const timestampOf = ({ requestHeaders }: AttemptRecord): number => Number(requestHeaders['X-Service-Timestamp']);
const signaturesOf = ({ requestHeaders }: AttemptRecord): string[] =>
  (requestHeaders['X-Service-Signature'] ?? '').split(',');

function signed(attempt: AttemptRecord, { body }: EventRecord, secrets: readonly NamedSecret[]) {
  const timestamp = timestampOf(attempt);
  const named = secrets.map(({ name, secret }) => ({ name, signature: signatureOf(secret, timestamp, body) }));
  return {
    attempt: attemptView(attempt),
    signed_with: signaturesOf(attempt).map(
      (one) =>
        named.find(({ signature }) => signature === one)?.name ??
        'a secret that is no longer known: rotated away, or of a deleted destination',
    ),
    string_to_sign: `${timestamp}.${body}`,
  };
}

/** Texts of an answer that may be a signature: hexadecimal or base64 of SHA-1, SHA-256 or SHA-512. */
const SIGNATURES = /\b[0-9a-fA-F]{40,128}\b|[A-Za-z0-9+/_-]{27,86}={0,2}/g;

function causesOf(
  attempts: readonly AttemptRecord[],
  event: EventRecord,
  secrets: readonly NamedSecret[],
  got: string | undefined,
) {
  const last = attempts.at(-1);
  if (last === undefined) return [];
  // The newest attempt first: its signature is the one that a developer looks at.
  const refused = [...attempts].reverse().filter(({ outcome }) => outcome !== 'delivered');
  for (const attempt of got === undefined ? refused : [...attempts].reverse()) {
    const given =
      got === undefined ? [...(attempt.responseBody ?? '').matchAll(SIGNATURES)].map(([one]) => one) : [got];
    for (const one of given) {
      const cause = namedCause(one, attempt, event, secrets, got !== undefined);
      if (cause !== null) return [view(cause)];
    }
  }
  const { status, error, responseBody, outcome } = last;
  // An answer that counts may have a signature in it for any reason.
  const isRefusal = outcome !== 'delivered';
  const hasSignature = got !== undefined || (isRefusal && /\b[0-9a-f]{64}\b/i.test(responseBody ?? ''));
  const unknown = hasSignature ? [view(UNKNOWN)] : [];
  return [...unknown, ...likelyCauses({ status, error, answer: responseBody ?? '', body: event.body }).map(view)];
}

const UNKNOWN: RefusalCause = {
  isCertain: false,
  says: 'It computes a signature that no known mistake gives, with no secret that is known here.',
  fix: 'Compare what it signs with string_to_sign, byte by byte, and its secret with the one of the destination.',
};

const view = ({ isCertain, says, fix }: RefusalCause) => ({ certain: isCertain, says, cure: fix });

/** Null: no known mistake gives it, or it is the sent one, which an answer may repeat. */
function namedCause(
  got: string,
  attempt: AttemptRecord,
  event: EventRecord,
  secrets: readonly NamedSecret[],
  isGiven: boolean,
): RefusalCause | null {
  const { id: eventId, body } = event;
  const found = explainSignature(got, { eventId, timestamp: timestampOf(attempt), body }, secrets);
  if (found === null) return null;
  const { mistakes, secretName } = found;
  const isOwn = secretName === 'the secret' || secretName === 'the previous secret';
  const isSent = signaturesOf(attempt).some((one) => one.slice(3) === got.replace(/^v1=/, ''));
  if (mistakes.length === 0 && isSent)
    return isGiven
      ? {
          isCertain: true,
          says: 'It computes the right signature, and compares it wrongly.',
          fix: 'Split X-Service-Signature at commas, and compare "v1=" and your hex with each of the parts.',
        }
      : null;
  const says = mistakes.map((one) => one.says);
  const stale =
    secretName === 'the previous secret' && !isSent ? ['signs with the previous secret, which has run out'] : [];
  const parts = [...says, ...stale, ...(isOwn ? [] : [`signs with ${secretName}`])];
  if (parts.length === 0) return null;
  const fixes = [
    ...new Set(mistakes.map(({ fix }) => fix)),
    ...(isOwn && stale.length === 0
      ? []
      : ['Take the secret of this destination, which its creation or its last rotation returned.']),
  ];
  return { isCertain: true, says: `It ${parts.join(', and ')}.`, fix: fixes.join(' ') };
}
