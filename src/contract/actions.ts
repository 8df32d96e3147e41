/** The action catalogue: one row for each action of the sandbox. */
import { type Static, type TObject, Type } from 'typebox';
import { CONTROL_ROOM_ACTIONS } from './actions/control-room.ts';
import { DEFAULT_WORDS, type ExampleWords, inWords } from './actions/example-words.ts';
import type { FieldHolding, HeldKind, Holding } from './actions/field-kinds.ts';
import { LIMITS_AND_TOKENS_ACTIONS } from './actions/limits-and-tokens.ts';
import { MOVEMENT_ACTIONS } from './actions/movement.ts';
import { MUSTER_ACTIONS } from './actions/muster.ts';
import { PLANT_ACTIONS } from './actions/plant.ts';
import type { ActionRow } from './actions/row.ts';
import { WORKER_ACTIONS } from './actions/worker.ts';
import type { SchemaNode } from './schema.ts';
import { closed, Time, Uuid, words } from './shapes.ts';

export { DEFAULT_WORDS, type ExampleWords, exampleWorkerOf, NOBODYS_WORDS } from './actions/example-words.ts';
export type { FieldHolding, HeldKind } from './actions/field-kinds.ts';
export { ACTION_GROUPS, type ActionGroup, type ActionRow, DEFAULT_OPERATOR } from './actions/row.ts';

/** The rows by action name. They do not depend on each other [decisions 9]. */
export const ACTIONS = {
  ...WORKER_ACTIONS,
  ...MOVEMENT_ACTIONS,
  ...PLANT_ACTIONS,
  ...MUSTER_ACTIONS,
  ...CONTROL_ROOM_ACTIONS,
  ...LIMITS_AND_TOKENS_ACTIONS,
} as const satisfies Record<string, ActionRow>;

/** The name of an action: its step in the scenario language [decisions 9]. */
export type ActionName = keyof typeof ACTIONS;

/** All names, in the order of the catalogue. */
export const ACTION_NAMES = Object.keys(ACTIONS) as [ActionName, ...ActionName[]];

export type ActionFields<K extends ActionName = ActionName> = Static<(typeof ACTIONS)[K]['fields']>;

/** The field of an action that contains the acting people; `never` if it has none. */
export type PeopleField<K extends ActionName = ActionName> = {
  [N in K]: PeopleKey<(typeof ACTIONS)[N]['fields']['properties']>;
}[K];
type PeopleKey<P> = { [F in keyof P]: P[F] extends Holding<'people'> ? F : never }[keyof P];

/** The schema of a field, with the kind of value that it holds. */
export type FieldNode = SchemaNode & Holding;

/** The fields of an action by name. */
export const fieldsOfAction = (action: ActionName): Readonly<Record<string, FieldNode>> =>
  ACTIONS[action].fields.properties as object as Readonly<Record<string, FieldNode>>;

/** The kind of value that a field holds; undefined if the action has no such field. */
export function holdingOf(action: ActionName, field: string): FieldHolding | undefined {
  const fields = fieldsOfAction(action);
  return Object.hasOwn(fields, field) ? fields[field]?.['x-holds'] : undefined;
}

/** The fields of an action that hold a value of one of these kinds. */
export const fieldsHolding = (action: ActionName, ...kinds: readonly HeldKind[]): readonly string[] =>
  Object.entries(fieldsOfAction(action)).flatMap(([name, node]) =>
    kinds.includes(node['x-holds'].kind) ? [name] : [],
  );

/** The field that contains the acting people; undefined if there is none. */
export const peopleFieldOf = (action: ActionName): string | undefined => fieldsHolding(action, 'people')[0];

/** The body of POST /v1/sandbox/actions: the name and its fields [decisions 9]. */
export type ActionBody<K extends ActionName = ActionName> = { [N in K]: { action: N } & ActionFields<N> }[K];

const bodies = new Map<string, TObject>();

/** The schema of `{action, ...fields}`, derived from the row; memoised. */
export function actionBody<K extends ActionName>(action: K): TObject {
  let body = bodies.get(action);
  if (body === undefined) {
    const { title, help, fields } = ACTIONS[action] as ActionRow;
    body = closed(title, help, { action: Type.Literal(action), ...fields.properties });
    bodies.set(action, body);
  }
  return body;
}

/** A whole body as an example. It works in the default world, or in the world that these words name. */
export function actionExample(action: ActionName, words: ExampleWords = DEFAULT_WORDS): ActionBody {
  return { action, ...inWords(ACTIONS[action].example, words) } as ActionBody;
}

/** The ids of the objects that an action changed or created [decisions 9]. */
export const ActionResult = closed(
  'ActionResult',
  'The ids of the objects that the action changed or created [decisions 9].',
  {
    worker_id: Type.Optional(Uuid),
    device_id: Type.Optional(Uuid),
    alert_id: Type.Optional(Uuid),
    muster_id: Type.Optional(Uuid),
    permit_id: Type.Optional(Uuid),
    site_id: Type.Optional(Uuid),
    client_id: Type.Optional(Type.String()),
    resent: Type.Optional(Type.Integer({ minimum: 0, description: 'The number of events that are delivered again.' })),
    joined: Type.Optional(
      Type.Literal(true, {
        description:
          'The worker had an open alert of this type already: the action joined it, and no event was sent [decisions 5].',
      }),
    ),
    buffered: Type.Optional(
      Type.Boolean({ description: 'True if the watch has no coverage, stores the message and sends it later (202).' }),
    ),
  },
);
export type ActionResult = Static<typeof ActionResult>;

const answered = { action: words('ActionName', 'The name of the action [decisions 9].', ACTION_NAMES), at: Time };

/** The reply to an action of one actor [decisions 9]. */
export const ActionAnswer = closed('ActionAnswer', 'The result of an action of one actor [decisions 9].', {
  ...answered,
  result: ActionResult,
});
export type ActionAnswer = Static<typeof ActionAnswer>;

/** The reply to an action of several actors, in their order [decisions 9]. */
export const ActionAnswers = closed(
  'ActionAnswers',
  'The results of an action of several actors, in the order of `who` [decisions 9].',
  {
    ...answered,
    results: Type.Array(ActionResult),
  },
);
export type ActionAnswers = Static<typeof ActionAnswers>;
