/** A blocking wait for test code in any language. [decisions 9] */
import { Type } from 'typebox';
import { formatInstant } from '../../base/time/instants.ts';
import { AnyTime, closed, Duration, described, nullable, Time, text, whole } from '../../contract/shapes.ts';
import { isRejection } from '../../domain/changes.ts';
import { type Call, type CheckedWait, type Route, refuse, route } from '../route.ts';

const WORD = text(2_048, 1);

export const WaitRequest = closed(
  'WaitRequest',
  'The condition: one of five subjects, and the fields that it must have.',
  {
    event: Type.Optional(described(WORD, 'An event type, `alert.*`, `muster.*`, or the id of an event.')),
    alert: Type.Optional(described(WORD, 'An alert type, `any`, or the id of an alert.')),
    muster: Type.Optional(described(WORD, '`active`, or the id of a muster.')),
    request: Type.Optional(
      described(WORD, 'A call of the company’s own client, such as `PATCH /v1/alerts/*`; `*` stands for one part.'),
    ),
    delivery: Type.Optional(described(WORD, 'A destination by its id, url or host, or `any`.')),
    match: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'The keys of the subject in a check of the scenario language: `of` (an external_id, id or serial), `about` (the id of an alert or muster), `object`, `count`, `result`, or any field of an alert or muster. Bodies match partly; values are plain or `">= 3"`, `"35..45"`, `"/regex/"` (JavaScript’s syntax without look-around and back-references), `"any"`, `"not x"`, `"one of a, b"`.',
        },
      ),
    ),
    within: Type.Optional(described(Duration, 'How long, in simulated time. Default `5s`.')),
    since: Type.Optional(
      described(AnyTime, 'Only what happened after this time counts. Default: the start of the last action.'),
    ),
  },
);

const WaitAnswer = closed('WaitAnswer', 'What was found.', {
  kind: Type.Enum(['alert', 'muster', 'event', 'delivery', 'answer'], {
    type: 'string',
    description: '`answer`: that of a request.',
  }),
  id: Type.String(),
  at: described(Time, 'When the condition became true, in simulated time.'),
  waited_ms: described(whole(0), 'Of simulated time.'),
  ids: Type.Array(Type.String(), { description: 'Of all that was found, where a `count` was asked for.' }),
  found: nullable(
    Type.Object({}, { additionalProperties: true }),
    'The alert, muster or event as its GET shows it; of a delivery or a request what the logs have of it.',
  ),
});

export const WAIT_ROUTES: readonly Route[] = [
  route('POST', '/v1/sandbox/wait', 'sandbox', {
    operationId: 'waitFor',
    tag: 'Sandbox',
    summary: 'Wait until a condition is true',
    description: `The response comes as soon as the condition is true, at once if it is already true; 408 \`request_timeout\` when \`within\` is over, with the nearest candidate in \`detail\`, and its differences in \`errors\`. A client waits in its own view: another company's things, and other contractors' where it is scoped, are not there; waiting for what the scopes of the token never show is 403.

Conditions are level, never edge: what is already true counts. An alert by its type, an event, a delivery or a request counts when it came or changed since the beginning of the company's last action (\`POST /v1/sandbox/actions\`, or a scenario that it started), or since the sandbox started where there was none; \`since\` names another beginning. So between an action and the wait for its effect nothing is lost. An id is looked at whenever it changed.

The wait spends no query time and does not hold the clock; a client that hangs up ends it. A paused clock does not reach \`within\`.`,
    problems: ['request_timeout', 'insufficient_scope'],
    body: WaitRequest,
    answers: { 200: WaitAnswer },
    handle: (call) => wait(call),
  }),
];

const HEADERS: Readonly<Record<string, Record<string, string>>> = {
  rate_limited: { 'retry-after': '1' },
  insufficient_scope: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
};

async function wait(call: Call) {
  const { parts, principal, request, reply } = call;
  // A request that waits for time to pass must not hold it.
  request.visit.release();
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const viewer = principal.kind === 'client' ? principal.viewer : null;
  const waited = await parts.wait(call.body as CheckedWait, viewer, gone.signal);
  if (isRejection(waited)) return refuse(waited, HEADERS[waited.code] ?? {});
  const { kind, id, at, waitedMs, ids, found } = waited;
  return { status: 200, body: { kind, id, at: formatInstant(at), waited_ms: waitedMs, ids, found } };
}
