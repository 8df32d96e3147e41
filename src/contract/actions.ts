/** The action catalogue: one row for each thing that can be made to happen in the sandbox. */
import { type Static, type TObject, Type } from 'typebox';
import { type ActionRow, Reference, row, Who } from './action-row.ts';
import { PrivacyMode, Scope, Severity } from './enumerations.ts';
import { MUSTER_ACTIONS } from './muster-actions.ts';
import { BatteryPct, closed, Duration, name, nullable, Time, Uuid, words } from './shapes.ts';

export { ACTION_GROUPS, type ActionGroup, type ActionRow } from './action-row.ts';

/** An organization's name or a client_id; may be left out where there is only one [decisions 9]. */
const Company = name(200);

/** name -> row; each row stands alone, and a new action is a new row [decisions 9]. */
export const ACTIONS = {
  sos: row({
    title: 'Press SOS',
    help: 'The worker presses the SOS button. Out of coverage the watch keeps it and sends it later.',
    example: { who: 'W-014', with: 'watch_hardware_button' },
    group: 'worker',
    clientMay: true,
    fields: {
      who: Who,
      with: Type.Optional(
        Type.Enum(['watch_button', 'watch_hardware_button'], { type: 'string', default: 'watch_button' }),
      ),
    },
  }),
  fall: row({
    title: 'Fall',
    help: 'The worker falls and the watch reports it. Unanswered for the prompt time, the fall becomes an SOS.',
    example: { who: 'W-014', answers: 'ok', answers_after: '10s' },
    group: 'worker',
    clientMay: true,
    fields: {
      who: Who,
      answers: Type.Optional(Type.Enum(['ok', 'help', 'never'], { type: 'string', default: 'never' })),
      answers_after: Type.Optional(Duration),
    },
  }),
  answer: row({
    title: 'Answer the fall prompt',
    help: 'The worker answers the are-you-ok prompt that the watch shows. Refused when it shows none.',
    example: { who: 'W-014', with: 'ok' },
    group: 'worker',
    clientMay: true,
    fields: { who: Who, with: Type.Enum(['ok', 'help'], { type: 'string' }) },
  }),
  press_ack: row({
    title: 'Press acknowledge',
    help: 'The worker acknowledges an alert on the watch; without `alert`, the newest open one not yet acknowledged.',
    example: { who: 'W-014' },
    group: 'worker',
    clientMay: true,
    fields: { who: Who, alert: Type.Optional(Reference) },
  }),
  battery: row({
    title: 'Set the battery',
    help: 'The watch has this charge now (`pct`), or loses so many points an hour from now on (`drain`), or both.',
    example: { who: 'W-014', pct: 18 },
    group: 'worker',
    clientMay: true,
    fields: {
      who: Who,
      pct: Type.Optional(BatteryPct),
      drain: Type.Optional(
        Type.Number({ minimum: 0, maximum: 360_000, description: 'Percentage points an hour; 0: steady.' }),
      ),
    },
  }),
  signal: row({
    title: 'Lose or regain signal',
    help: 'The watch loses its network, its GPS or both, or has them back; `back` answers when it is connected again.',
    example: { who: 'W-014', is: 'lost', kind: 'network' },
    group: 'worker',
    clientMay: true,
    fields: {
      who: Who,
      is: Type.Enum(['lost', 'back'], { type: 'string' }),
      kind: Type.Optional(Type.Enum(['network', 'gps', 'both'], { type: 'string', default: 'both' })),
    },
  }),
  ...MUSTER_ACTIONS,
  token: row({
    title: 'End the tokens of a company',
    help: 'Every access token of the company expires, or is revoked, now: its next call is 401.',
    example: { expire: 'austral_metales_y_puertos' },
    group: 'customer',
    clientMay: false,
    fields: { expire: Type.Optional(Company), revoke: Type.Optional(Company) },
  }),
  limits: row({
    title: 'Change the limits of a company',
    help: 'Requests and query seconds a minute, and a factor on the query time, so that both 429 can be rehearsed.',
    example: { company: 'austral_metales_y_puertos', requests_per_minute: 600 },
    group: 'faults',
    clientMay: false,
    fields: {
      company: Type.Optional(Company),
      requests_per_minute: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
      query_seconds_per_minute: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
      query_time_factor: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
    },
  }),
  privacy: row({
    title: 'Change the privacy of a site',
    help: 'The mode, and the severity that unveils a person. An alert keeps the place that it was raised with.',
    example: { site: 'Terminal Puerto Alerce', mode: 'continuous' },
    group: 'faults',
    clientMay: false,
    fields: {
      site: Reference,
      mode: Type.Optional(PrivacyMode),
      unveil_min_severity: Type.Optional(Severity),
    },
  }),
  contract: row({
    title: 'Change the contract of a company',
    help: 'Names, scopes, and the contractors it is scoped to (null: none). It holds for what is rendered after it.',
    example: { company: 'austral_metales_y_puertos', include_worker_names: true },
    group: 'faults',
    clientMay: false,
    fields: {
      company: Type.Optional(Company),
      include_worker_names: Type.Optional(Type.Boolean()),
      scopes: Type.Optional(Type.Array(Scope)),
      contractors: Type.Optional(nullable(Type.Array(name(200)))),
    },
  }),
} as const satisfies Record<string, ActionRow>;

/** The name of an action: its step in the scenario language [decisions 9]. */
export type ActionName = keyof typeof ACTIONS;

/** All names, in the order of the catalogue. */
export const ACTION_NAMES = Object.keys(ACTIONS) as [ActionName, ...ActionName[]];

/** The fields of an action, without its name. */
export type ActionFields<K extends ActionName = ActionName> = Static<(typeof ACTIONS)[K]['fields']>;

/** The body of POST /v1/sandbox/actions: the name and its fields [decisions 9]. */
export type ActionBody<K extends ActionName = ActionName> = { [N in K]: { action: N } & ActionFields<N> }[K];

const bodies = new Map<string, TObject>();

/** The body schema of an action, `{action, ...fields}`, derived from its row; always the same object. */
export function actionBody<K extends ActionName>(action: K): TObject {
  let body = bodies.get(action);
  if (body === undefined) {
    const { title, help, fields } = ACTIONS[action] as ActionRow;
    body = closed(title, help, { action: Type.Literal(action), ...fields.properties });
    bodies.set(action, body);
  }
  return body;
}

/** The example of an action as a whole body. */
export function actionExample(action: ActionName): ActionBody {
  return { action, ...ACTIONS[action].example } as ActionBody;
}

/** The ids of what one actor's action touched or made [decisions 9]. */
export const ActionResult = closed('ActionResult', 'What the action touched or made [decisions 9].', {
  worker_id: Type.Optional(Uuid),
  device_id: Type.Optional(Uuid),
  alert_id: Type.Optional(Uuid),
  muster_id: Type.Optional(Uuid),
  permit_id: Type.Optional(Uuid),
  site_id: Type.Optional(Uuid),
  client_id: Type.Optional(Type.String()),
  buffered: Type.Optional(Type.Boolean({ description: 'Kept by the watch, to be sent later (202).' })),
});
export type ActionResult = Static<typeof ActionResult>;

const answered = { action: words('ActionName', 'An action of the catalogue [decisions 9].', ACTION_NAMES), at: Time };

/** The answer to an action of one actor [decisions 9]. */
export const ActionAnswer = closed('ActionAnswer', 'The actor has acted [decisions 9].', {
  ...answered,
  result: ActionResult,
});
export type ActionAnswer = Static<typeof ActionAnswer>;

/** The answer to an action whose `who` was a list, in its order [decisions 9]. */
export const ActionAnswers = closed('ActionAnswers', 'The actors have acted, in the order of `who` [decisions 9].', {
  ...answered,
  results: Type.Array(ActionResult),
});
export type ActionAnswers = Static<typeof ActionAnswers>;
