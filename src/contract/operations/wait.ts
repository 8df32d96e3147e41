/** A blocking wait for test code in any language. [decisions 9] */
import { Type } from 'typebox';
import { AnyTime, closed, Duration, described, nullable, Time, text, whole } from '../shapes.ts';
import { operation } from './operation.ts';

const WORD = text(2_048, 1);

export const WaitRequest = closed(
  'WaitRequest',
  'The condition: one of `event`, `alert`, `muster`, `request` and `delivery`, and the fields that it must have.',
  {
    event: Type.Optional(described(WORD, 'An event type, `alert.*`, `muster.*`, or the id of an event.')),
    alert: Type.Optional(described(WORD, 'An alert type, `any`, or the id of an alert.')),
    muster: Type.Optional(described(WORD, '`active`, or the id of a muster.')),
    request: Type.Optional(
      described(
        WORD,
        'A call of the company’s own client, such as `PATCH /v1/alerts/*`; `*` matches one segment of the path.',
      ),
    ),
    delivery: Type.Optional(described(WORD, 'A destination by its id, url or host, or `any`.')),
    match: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'The keys of a check in the scenario language: `of` (an external_id, id or serial), `about` (the id of an alert or muster), `object`, `count`, `result`, or any field of an alert or muster. Only the given keys are compared. A value is a plain value or `">= 3"`, `"35..45"`, `"/regex/"` (JavaScript’s syntax without look-around and back-references), `"any"`, `"not x"`, `"one of a, b"`.',
        },
      ),
    ),
    within: Type.Optional(described(Duration, 'The time limit, in simulated time. Default: `5s`.')),
    since: Type.Optional(
      described(AnyTime, 'Only what happened after this time counts. Default: the start of the last action.'),
    ),
  },
);

const WaitAnswer = closed('WaitAnswer', 'The object that was found.', {
  kind: Type.Enum(['alert', 'muster', 'event', 'delivery', 'answer'], {
    type: 'string',
    description: 'The kind of the object. `answer`: the answer of a request.',
  }),
  id: Type.String(),
  at: described(Time, 'The simulated time at which the condition became true.'),
  waited_ms: described(whole(0), 'The simulated time that the wait took, in milliseconds.'),
  ids: Type.Array(Type.String(), { description: 'The ids of all objects that were found, if `count` was given.' }),
  found: nullable(
    Type.Object({}, { additionalProperties: true }),
    'The alert, muster or event, as its GET returns it; for a delivery or a request, its entry in the logs.',
  ),
});

export const waitFor = operation('POST', '/v1/sandbox/wait', 'sandbox', {
  operationId: 'waitFor',
  tag: 'Sandbox',
  summary: 'Wait until a condition is true',
  description: `The response is sent as soon as the condition is true, immediately if it is already true. When \`within\` is over, the response is 408 \`request_timeout\`, with the nearest candidate in \`detail\` and its differences in \`errors\`. The visibility of the client applies: it does not see objects of other companies, or of other contractors if its contract is scoped. A wait for objects that the scopes of the token never show gets 403.

Conditions are level-triggered, not edge-triggered: a condition that is already true counts. An alert by its type, an event, a delivery or a request counts if it was created or changed since the beginning of the company's last action (\`POST /v1/sandbox/actions\`, or a scenario that it started). Without an action, the start of the sandbox is used; \`since\` sets another beginning. Therefore nothing is lost between an action and the wait for its effect. An object that is given by its id counts whenever it changed.

The wait uses no query time and does not stop the clock. It ends if the client closes the connection. A paused clock does not reach \`within\`.`,
  problems: ['request_timeout', 'insufficient_scope'],
  body: WaitRequest,
  answers: { 200: WaitAnswer },
});

export const WAIT_OPERATIONS = [waitFor];
