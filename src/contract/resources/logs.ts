/** Rows of the logs: delivery attempts, explained deliveries, and requests. The API, the panel and the terminal show them. [decisions 9] */
import { type Static, Type } from 'typebox';
import { EventType } from '../enumerations.ts';
import { OAUTH_ERRORS, PROBLEMS, ProblemError } from '../problems.ts';
import { closed, described, inline, nullable, Time, Uuid, whole } from '../shapes.ts';

const milliseconds = (description: string) => Type.Number({ minimum: 0, description });

export const DeliveryAttempt = closed('DeliveryAttempt', 'One attempt to deliver one event to one destination.', {
  id: Type.String(),
  delivery_id: Type.String(),
  event_id: Uuid,
  event_type: EventType,
  destination_id: Uuid,
  try: described(whole(1), 'The number of the attempt; the first is 1.'),
  at: described(Time, 'Simulated time.'),
  wall_at: described(Time, 'Wall-clock time. The timestamp of the signature has this time.'),
  offset_ms: milliseconds('Time since `created_at` of the event, in milliseconds.'),
  took_ms: milliseconds('Wall time until the answer, in milliseconds; at most 5000.'),
  result: Type.Enum(['delivered', 'failed', 'lost'], {
    type: 'string',
    description: '`lost`: the last attempt failed, and there is no further attempt.',
  }),
  status: nullable(whole(100, 599), 'The HTTP status of the answer; null without an answer.'),
  error: nullable(Type.String(), 'The reason of the failure.'),
  note: nullable(Type.String(), 'A defect of an answer that counts as success, such as an incomplete body.'),
  request: inline({ url: Type.String(), headers: Type.Object({}, { additionalProperties: Type.String() }) }),
  answer: inline({
    status: nullable(whole(100, 599)),
    headers: {
      ...Type.Object({}, { additionalProperties: Type.String() }),
      description: 'Header names are in lower case. Empty without an answer.',
    },
    body: nullable(Type.String()),
  }),
});
/** The schema's open objects of headers, as texts by name. */
export type DeliveryAttempt = Omit<Static<typeof DeliveryAttempt>, 'request' | 'answer'> & {
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  readonly answer: {
    readonly status: number | null;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  };
};

const Recomputed = inline({
  secret: Type.String({ description: 'A description of the secret.' }),
  signature: Type.String({
    description: '`v1=` and the hexadecimal HMAC-SHA256 of `string_to_sign`, keyed with this secret.',
  }),
  is_sent: Type.Boolean({ description: 'Whether the header that was sent contains this signature.' }),
});

const SignedAttempt = closed('SignedAttempt', 'One attempt, and the input of its signatures.', {
  attempt: DeliveryAttempt,
  signed_with: Type.Array(Type.String(), {
    description: 'For each signature of the header, a description of its secret.',
  }),
  string_to_sign: Type.String({ description: 'The text that is signed: the timestamp, a dot, and the body.' }),
  recomputed: Type.Array(Recomputed, {
    description: 'The signature, computed again with each secret of the destination.',
  }),
});
export type SignedAttempt = Omit<Static<typeof SignedAttempt>, 'attempt'> & { readonly attempt: DeliveryAttempt };

const Cause = closed('RefusalCause', 'A possible reason why the receiver refused the delivery, and its fix.', {
  certain: Type.Boolean({
    description: 'True if a signature proves this cause. False if the answer only makes it likely.',
  }),
  says: Type.String(),
  // The published name of the field, which must not change.
  cure: Type.String(),
});

export const ExplainedDelivery = closed(
  'ExplainedDelivery',
  'One event for one destination: the body, the attempts, and the likely causes of a refusal.',
  {
    delivery_id: Type.String(),
    event_id: Uuid,
    event_type: EventType,
    destination_id: Uuid,
    url: nullable(Type.String(), 'The address; null if the destination was deleted.'),
    body: Type.String({ description: 'The text that is signed and sent, byte by byte.' }),
    body_bytes: whole(0),
    attempts: Type.Array(SignedAttempt),
    next_attempt_at: nullable(Time, 'Simulated time; null if no attempt is due.'),
    causes: Type.Array(Cause, {
      description: 'The possible causes, the most likely first. Empty if the delivery was accepted.',
    }),
  },
);
export type ExplainedDelivery = Omit<Static<typeof ExplainedDelivery>, 'attempts'> & {
  readonly attempts: readonly SignedAttempt[];
};

export const LoggedRequest = closed(
  'LoggedRequest',
  'One request that the API answered, without its headers and body.',
  {
    id: Uuid,
    at: described(Time, 'Simulated time.'),
    wall_at: described(Time, 'Wall-clock time.'),
    client_id: nullable(Type.String(), 'The client of the token; null if the token is not known.'),
    method: Type.String(),
    path: Type.String(),
    query: Type.String({ description: 'The query string, without tokens and secrets.' }),
    status: whole(100, 599),
    code: nullable(Type.String(), 'The problem code; null if the request succeeded.'),
    detail: nullable(Type.String(), 'The detail of the problem.'),
    errors: Type.Array(ProblemError, { description: 'The first places that the problem lists.' }),
    fix: nullable(Type.String(), 'The fix, as on the page of the problem.'),
    took_ms: milliseconds('The time that the request took, in milliseconds. It is charged as query time.'),
    note: nullable(Type.String()),
    agent: nullable(Type.String(), 'The User-Agent of the request.'),
    warnings: Type.Array(Type.String(), {
      description: 'The non-standard input that was accepted here, but that production may refuse.',
    }),
  },
);
export type LoggedRequest = Static<typeof LoggedRequest>;

/** The note of a request with the control token. */
export const CONTROL_NOTE = 'control token';

/** The fix for a problem or an OAuth error with this code; null for any other code. */
export function fixOf(code: string | null): string | null {
  if (code === null) return null;
  if (Object.hasOwn(PROBLEMS, code)) return PROBLEMS[code as keyof typeof PROBLEMS].fix;
  return Object.hasOwn(OAUTH_ERRORS, code) ? OAUTH_ERRORS[code as keyof typeof OAUTH_ERRORS].fix : null;
}
