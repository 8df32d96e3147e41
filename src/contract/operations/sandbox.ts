/** The sandbox's own operations: actions and logs, and their schemas. [decisions 9] */
import { type TSchema, Type } from 'typebox';
import { ACTION_GROUPS, ACTION_NAMES, ActionAnswer, ActionAnswers, actionBody } from '../actions.ts';
import { Event } from '../events.ts';
import { flag } from '../requests.ts';
import { DeliveryAttempt, LoggedRequest } from '../resources/logs.ts';
import { List } from '../resources.ts';
import { AnyUuid, closed, described, inline, nullable, Time, whole } from '../shapes.ts';
import { operation } from './operation.ts';

const DEFAULT_ROWS = 50;

const MOST_ROWS = 1_000;

export const LogQuery = inline({
  limit: Type.Optional(
    Type.String({
      pattern: '^0*([1-9]|[1-9]\\d|[1-9]\\d\\d|1000)$',
      description: 'The maximum number of rows.',
      'x-rule': `must be a whole number from 1 to ${MOST_ROWS}`,
      'x-parsed': 'integer',
      'x-schema': { type: 'integer', minimum: 1, maximum: MOST_ROWS, default: DEFAULT_ROWS },
    }),
  ),
});

export const RequestQuery = inline({
  ...LogQuery.properties,
  own: flag('true: only requests of your own programs, as `sandbox logs` shows them. false: only the others.'),
});

export const DeliveryQuery = inline({
  ...LogQuery.properties,
  destination_id: Type.Optional(Type.String({ ...AnyUuid, description: 'Only the attempts to this destination.' })),
  event_id: Type.Optional(Type.String({ ...AnyUuid, description: 'Only the attempts to deliver this event.' })),
});

/** The answer for one actor, or the answers for a list of actors. */
export const Acted = Type.Union([ActionAnswer, ActionAnswers]);

/** The bodies of all actions, discriminated by `action`. */
const anyAction = (): TSchema =>
  Type.Union(
    ACTION_NAMES.map((name) => ({ ...actionBody(name), title: titleOf(name) })),
    { title: 'ActionBody', description: 'One action of the catalogue, by its name, and its fields.' },
  );

/** Converts `press_ack` to `PressAckAction`. */
const titleOf = (name: string): string =>
  `${name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Action`;

const ActionCatalogue = List(
  'ActionCatalogue',
  closed('CatalogueEntry', 'One action, with the schema of its body.', {
    action: Type.String(),
    title: Type.String(),
    help: Type.String(),
    group: Type.Enum([...ACTION_GROUPS], { type: 'string' }),
    client_may: Type.Boolean({
      description: 'Whether a client’s token may perform it. The control token may perform all actions.',
    }),
    schema: Type.Object({}, { additionalProperties: true, description: 'JSON Schema of the body.' }),
    example: Type.Object({}, { additionalProperties: true, description: 'An example of a valid body.' }),
  }),
);

const GapList = List(
  'GapList',
  closed('Gap', 'One open point of the specification.', {
    id: Type.String(),
    clause: Type.String({ description: 'The clause of the specification.' }),
    question: Type.String(),
    here: Type.String({ description: 'The behaviour of this sandbox.' }),
    switch: nullable(Type.String(), '`name=default|other`, where it can be turned.'),
  }),
);

const MailList = List(
  'MailList',
  closed('SentMail', 'An e-mail to the technical contact of a company.', {
    id: Type.String(),
    at: described(Time, 'Simulated time.'),
    to: Type.String(),
    subject: Type.String(),
    text: Type.String(),
  }),
);

const WatchLogList = closed('WatchLog', 'The newest connections and messages of watches at the broker.', {
  data: Type.Array(
    closed('WatchLogLine', 'A connection, a disconnection, an accepted message, or a refusal.', {
      id: Type.String(),
      at: described(Time, 'Simulated time.'),
      kind: Type.Enum(['online', 'offline', 'heard', 'noted', 'refused'], { type: 'string' }),
      serial: nullable(Type.String(), 'Null: an unknown client.'),
      what: nullable(Type.String(), 'The kind of the accepted event, or of the refused message.'),
      why: nullable(Type.String()),
    }),
  ),
  refused: described(whole(0), 'The number of refusals since the start.'),
});

const RequestLog = List('RequestLog', LoggedRequest);

const DeliveryLog = List('DeliveryLog', DeliveryAttempt);

export const listActions = operation('GET', '/v1/sandbox/actions', 'sandbox', {
  operationId: 'listActions',
  tag: 'Sandbox',
  summary: 'List the actions, as JSON Schema',
  description:
    'All actions, each with the schema of its body and an example. For a client, the examples name its own workers and places.',
  answers: { 200: ActionCatalogue },
});

export const performAction = operation('POST', '/v1/sandbox/actions', 'sandbox', {
  operationId: 'performAction',
  tag: 'Sandbox',
  summary: 'Perform one action now',
  description: `Performs an action of an emulated worker, a watch or the control room. The response is sent when the action is done: 200 if the service has received it, 202 with \`buffered: true\` if the watch has no coverage and sends it later. An action that joins an open alert has \`joined: true\` in its result, and no event is sent.

\`who\` is a worker's \`external_id\` or id, a watch's serial, or a list of them; for a list, the response has \`results\` in its order. An action that the current state does not allow gets 409 \`action_refused\`.`,
  reads: { media: ['application/json'], schema: anyAction },
  problems: ['insufficient_scope', 'not_found', 'action_refused'],
  body: Type.Unknown(),
  answers: { 200: Acted, 202: Acted },
});

export const listGaps = operation('GET', '/v1/sandbox/gaps', 'sandbox', {
  operationId: 'listGaps',
  tag: 'Sandbox',
  summary: 'List the open points of the specification, and the behaviour of this sandbox',
  description:
    'Every question that the API specification leaves open, with the behaviour of this sandbox. If `switch` is set, `sandbox up --assume NAME=VALUE` changes the behaviour, so that you can test a client with both interpretations.',
  answers: { 200: GapList },
});

export const listRequests = operation('GET', '/v1/sandbox/requests', 'sandbox', {
  operationId: 'listRequests',
  tag: 'Sandbox',
  summary: 'List the requests of the audit log, the newest first',
  description:
    'Every request that the API answered, without headers and bodies. A client sees the requests of its own company; the control token sees all. With `own=true`: requests with a client’s token, or with one that is refused, outside of `/v1/sandbox`, that no program of the sandbox sent (scenarios, library, tools), by their `agent`. `warnings` lists the non-standard input that production may refuse.',
  query: RequestQuery,
  answers: { 200: RequestLog },
});

export const listDeliveries = operation('GET', '/v1/sandbox/deliveries', 'sandbox', {
  operationId: 'listDeliveries',
  tag: 'Sandbox',
  summary: 'List the delivery attempts, the newest first',
  description:
    'Every attempt to deliver an event to a webhook destination: the request with its signature, and the answer of the receiver. A client sees the attempts of its own company, and needs the scope `webhooks:manage`.',
  clientScope: 'webhooks:manage',
  query: DeliveryQuery,
  answers: { 200: DeliveryLog },
});

export const listMail = operation('GET', '/v1/sandbox/mail', 'sandbox', {
  operationId: 'listMail',
  tag: 'Sandbox',
  summary: 'List the e-mails that were sent, the newest first',
  description:
    'The last 1,000 e-mails since the start. They inform the technical contact about lost deliveries: at most one e-mail per destination in 10 minutes, with the id of each lost event. A client sees the e-mails of its own company, and needs the scope `webhooks:manage`.',
  clientScope: 'webhooks:manage',
  query: LogQuery,
  answers: { 200: MailList },
});

export const listNewestEvents = operation('GET', '/v1/sandbox/events', 'control', {
  operationId: 'listNewestEvents',
  tag: 'Sandbox',
  summary: 'List the newest events of all companies, the newest first',
  description:
    'The last 1,000 events since the start, each as it is delivered. The call does not count towards the limits of a client. Needs the control token. A client can use `GET /v1/events`.',
  query: LogQuery,
  answers: { 200: List('NewestEvents', Event) },
});

export const listWatchLog = operation('GET', '/v1/sandbox/watches', 'control', {
  operationId: 'listWatchLog',
  tag: 'Sandbox',
  summary: 'List the newest connections and messages of watches at the broker',
  description:
    'Connections, disconnections, accepted events, and refused messages with the reason: a foreign topic, a wrong key, a payload that breaks its schema. `noted` is non-standard input that was accepted but that production may refuse: an old `t`, MQTT 3.1, a clock that is wrong, an id that is used twice. Repeated attempts with a wrong key are counted in one line. The last 1,000 since the start; `refused` counts all refused messages. Needs the control token.',
  query: LogQuery,
  answers: { 200: WatchLogList },
});

export const SANDBOX_OPERATIONS = [
  listActions,
  performAction,
  listGaps,
  listRequests,
  listDeliveries,
  listMail,
  listNewestEvents,
  listWatchLog,
];
