/** Schemas of the sandbox's own operations: logs, and the body of any action. [decisions 9] */
import { type TSchema, Type } from 'typebox';
import {
  ACTION_GROUPS,
  ACTION_NAMES,
  ACTIONS,
  ActionAnswer,
  ActionAnswers,
  actionBody,
  actionExample,
  type ExampleWords,
} from '../../contract/actions.ts';
import { EventType } from '../../contract/enumerations.ts';
import { List } from '../../contract/resources.ts';
import { AnyUuid, closed, described, inline, nullable, Time, Uuid, whole } from '../../contract/shapes.ts';

const DEFAULT_ROWS = 50;
const MOST_ROWS = 1_000;

export const LogQuery = inline({
  limit: Type.Optional(
    Type.String({
      pattern: '^0*([1-9]|[1-9]\\d|[1-9]\\d\\d|1000)$',
      description: 'How many rows at most.',
      'x-rule': `must be a whole number from 1 to ${MOST_ROWS}`,
      'x-parsed': 'integer',
      'x-schema': { type: 'integer', minimum: 1, maximum: MOST_ROWS, default: DEFAULT_ROWS },
    }),
  ),
});

export const DeliveryQuery = inline({
  ...LogQuery.properties,
  destination_id: Type.Optional(Type.String({ ...AnyUuid, description: 'Only the attempts to this destination.' })),
  event_id: Type.Optional(Type.String({ ...AnyUuid, description: 'Only the attempts to deliver this event.' })),
});

/** The answer of one actor, or those of a list. */
export const Acted = Type.Union([ActionAnswer, ActionAnswers]);

/** Discriminated by `action`. */
export const anyAction = (): TSchema =>
  Type.Union(
    ACTION_NAMES.map((name) => ({ ...actionBody(name), title: titleOf(name) })),
    { title: 'ActionBody', description: 'One action of the catalogue, by its name, and its fields.' },
  );

/** `press_ack` -> `PressAckAction`. */
const titleOf = (name: string): string =>
  `${name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Action`;

/** The entries of GET /v1/sandbox/actions, with examples built from these words. */
export async function catalogue(words: ExampleWords) {
  const { standalone } = await import('../openapi/schemas.ts');
  return ACTION_NAMES.map((action) => {
    const { title, help, group, clientMay } = ACTIONS[action];
    const [schema, example] = [standalone(actionBody(action)), actionExample(action, words)];
    return { action, title, help, group, client_may: clientMay, schema, example };
  });
}

export const ActionCatalogue = List(
  'ActionCatalogue',
  closed('CatalogueEntry', 'One action, and how to ask for it.', {
    action: Type.String(),
    title: Type.String(),
    help: Type.String(),
    group: Type.Enum([...ACTION_GROUPS], { type: 'string' }),
    client_may: Type.Boolean({ description: 'Whether a client’s token may do it; the control token may do all.' }),
    schema: Type.Object({}, { additionalProperties: true, description: 'JSON Schema of the body.' }),
    example: Type.Object({}, { additionalProperties: true, description: 'A body that fits.' }),
  }),
);

export const GapList = List(
  'GapList',
  closed('Gap', 'One question that the specification leaves open.', {
    id: Type.String(),
    clause: Type.String({ description: 'Of the specification.' }),
    question: Type.String(),
    here: Type.String({ description: 'What this sandbox does.' }),
    switch: nullable(Type.String(), '`name=default|other`, where it can be turned.'),
  }),
);

export const MailList = List(
  'MailList',
  closed('SentMail', 'An e-mail to the technical contact of a company.', {
    id: Type.String(),
    at: described(Time, 'Simulated time.'),
    to: Type.String(),
    subject: Type.String(),
    text: Type.String(),
  }),
);

export const WatchLogList = closed('WatchLog', 'What watches did at the broker lately, the newest first.', {
  data: Type.Array(
    closed('WatchLogLine', 'A watch came or went, was heard, or was turned away.', {
      id: Type.String(),
      at: described(Time, 'Simulated time.'),
      kind: Type.Enum(['online', 'offline', 'heard', 'noted', 'refused'], { type: 'string' }),
      serial: nullable(Type.String(), 'Null: nobody that is known.'),
      what: nullable(Type.String(), 'The kind of event that was heard, or what was turned away.'),
      why: nullable(Type.String()),
    }),
  ),
  refused: described(whole(0), 'How much was turned away since the start.'),
});

const milliseconds = (description: string) => Type.Number({ minimum: 0, description });

export const RequestLog = List(
  'RequestLog',
  closed('LoggedRequest', 'One request that the API answered, without its headers and body.', {
    id: Uuid,
    at: described(Time, 'Simulated time.'),
    wall_at: described(Time, 'Wall-clock time.'),
    client_id: nullable(Type.String(), 'Null where no client was known by its token.'),
    method: Type.String(),
    path: Type.String(),
    query: Type.String({ description: 'Without tokens and secrets.' }),
    status: whole(100, 599),
    code: nullable(Type.String(), 'Of the problem, where the answer was one.'),
    took_ms: milliseconds('How long it took; query time is charged by it.'),
    note: nullable(Type.String()),
    warnings: Type.Array(Type.String(), { description: 'What was taken here but may be refused in production.' }),
  }),
);

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
  request: inline({ url: Type.String(), headers: Type.Object({}, { additionalProperties: Type.String() }) }),
  answer: inline({ status: nullable(whole(100, 599)), body: nullable(Type.String()) }),
});

export const DeliveryLog = List('DeliveryLog', DeliveryAttempt);
