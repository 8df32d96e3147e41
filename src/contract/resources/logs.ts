/** Rows of the logs: attempts to deliver, explained deliveries, and requests. The API, the panel and the terminal show these. [decisions 9] */
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
  try: described(whole(1), 'Counts from 1.'),
  at: described(Time, 'Simulated time.'),
  wall_at: described(Time, 'Wall-clock time, which the signature is made with.'),
  offset_ms: milliseconds('From `created_at` of the event.'),
  took_ms: milliseconds('Of wall time; 5000 is the limit.'),
  result: Type.Enum(['delivered', 'failed', 'lost'], { type: 'string', description: '`lost`: the last one failed.' }),
  status: nullable(whole(100, 599), 'Null where no answer came.'),
  error: nullable(Type.String(), 'Why it failed.'),
  note: nullable(Type.String(), 'What was wrong with an answer that counts, such as a body that did not end.'),
  request: inline({ url: Type.String(), headers: Type.Object({}, { additionalProperties: Type.String() }) }),
  answer: inline({
    status: nullable(whole(100, 599)),
    headers: {
      ...Type.Object({}, { additionalProperties: Type.String() }),
      description: 'Names in lower case; none where no answer came.',
    },
    body: nullable(Type.String()),
  }),
});
/** Its open objects of headers are texts by name. */
export type DeliveryAttempt = Omit<Static<typeof DeliveryAttempt>, 'request' | 'answer'> & {
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  readonly answer: {
    readonly status: number | null;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  };
};

const Recomputed = inline({
  secret: Type.String({ description: 'Which secret, in words.' }),
  signature: Type.String({ description: '`v1=` and the hex HMAC-SHA256 of `string_to_sign` with it.' }),
  is_sent: Type.Boolean({ description: 'It is in the header as it was sent.' }),
});

const SignedAttempt = closed('SignedAttempt', 'One attempt, and what its signatures were computed from.', {
  attempt: DeliveryAttempt,
  signed_with: Type.Array(Type.String(), { description: 'Which secret each signature of the header is of.' }),
  string_to_sign: Type.String({ description: 'The timestamp, a dot, and the body.' }),
  recomputed: Type.Array(Recomputed, {
    description: 'The signature computed again, with each secret of the destination.',
  }),
});
export type SignedAttempt = Omit<Static<typeof SignedAttempt>, 'attempt'> & { readonly attempt: DeliveryAttempt };

const Cause = closed('RefusalCause', 'Why a receiver refused it, and what to do.', {
  certain: Type.Boolean({ description: 'It was computed from a signature; else it is likely by the answer.' }),
  says: Type.String(),
  // The published name of the field.
  cure: Type.String(),
});

export const ExplainedDelivery = closed(
  'ExplainedDelivery',
  'One event for one destination: the bytes, the attempts, and the likely causes.',
  {
    delivery_id: Type.String(),
    event_id: Uuid,
    event_type: EventType,
    destination_id: Uuid,
    url: nullable(Type.String(), 'Null where the destination was deleted.'),
    body: Type.String({ description: 'The text that is signed and sent, byte by byte.' }),
    body_bytes: whole(0),
    attempts: Type.Array(SignedAttempt),
    next_attempt_at: nullable(Time, 'Simulated time; null where none is due.'),
    causes: Type.Array(Cause, { description: 'The best first; empty where it was accepted.' }),
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
    client_id: nullable(Type.String(), 'Null where no client was known by its token.'),
    method: Type.String(),
    path: Type.String(),
    query: Type.String({ description: 'Without tokens and secrets.' }),
    status: whole(100, 599),
    code: nullable(Type.String(), 'Of the problem, where the answer was one.'),
    detail: nullable(Type.String(), 'What the problem said.'),
    errors: Type.Array(ProblemError, { description: 'The places that the problem named, the first of them.' }),
    fix: nullable(Type.String(), 'What to do, as the page of the problem says.'),
    took_ms: milliseconds('How long it took; query time is charged by it.'),
    note: nullable(Type.String()),
    warnings: Type.Array(Type.String(), { description: 'What was taken here but may be refused in production.' }),
  },
);
export type LoggedRequest = Static<typeof LoggedRequest>;

/** What to do about a problem or an OAuth error of this code; null for another code. */
export function fixOf(code: string | null): string | null {
  if (code === null) return null;
  if (Object.hasOwn(PROBLEMS, code)) return PROBLEMS[code as keyof typeof PROBLEMS].fix;
  return Object.hasOwn(OAUTH_ERRORS, code) ? OAUTH_ERRORS[code as keyof typeof OAUTH_ERRORS].fix : null;
}
