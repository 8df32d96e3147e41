/** Documentation of every step, from which the editor schema, `explain` and the readme are derived. */

import { type TSchema, Type } from 'typebox';
import { ACTION_NAMES, ACTIONS, type ActionName } from '../../contract/actions.ts';
import { flowOf, toReceiver } from '../reading/read-action.ts';
import { type OwnStep, STEP_KINDS } from '../reading/step-kinds.ts';
import { BEHAVIOUR_WORDS } from '../story/receiver-behaviour.ts';
import { TOKEN_KINDS } from '../story/story.ts';

export const STEP_GROUPS = {
  worker: 'Worker and watch',
  movement: 'Movement',
  plant: 'Plant',
  control_room: 'Control room',
  customer: 'Customer side',
  faults: 'Faults and rules',
  flow: 'Flow',
  checks: 'Checks',
} as const;
export type StepGroup = keyof typeof STEP_GROUPS;

export interface FieldHelp {
  readonly name: string;
  readonly required: boolean;
  readonly schema: TSchema;
}

export interface StepHelp {
  readonly word: string;
  readonly group: StepGroup;
  readonly help: string;
  /** The value of the word, as YAML on one line. */
  readonly example: string;
  /** Empty if the value is not a map. */
  readonly fields: readonly FieldHelp[];
  /** Modifiers besides `after`, `at`, `note` and `only`. */
  readonly beside: readonly string[];
  /** The action of the same name, if any. */
  readonly action: ActionName | null;
}

const text = (description: string): TSchema => Type.String({ description });
const one = (description: string, ...values: string[]): TSchema => Type.Enum(values, { type: 'string', description });
const steps: TSchema = Type.Array(Type.Unsafe({ $ref: '#/definitions/step' }), {
  description: 'Steps, each with "- ".',
});
const duration = (description: string): TSchema =>
  Type.String({ description: `${description} Like 500ms, 45s, 2m, 1h30m, 24h.` });
const anything = (description: string): TSchema => Type.Unsafe({ description });

type Own = Pick<StepHelp, 'group' | 'example'> & {
  readonly fields?: Readonly<Record<string, TSchema>>;
  readonly needs?: readonly string[];
};

const update = (example: string): Own => ({
  group: 'control_room',
  example,
  needs: ['alert', 'by'],
  fields: {
    alert: anything('The name of an alert, or a list of names.'),
    by: text('The operator.'),
    note: text('At most 500 characters.'),
    reason: text('Why, when resolving; at most 200 characters.'),
    external_id: text('The operator’s id in the customer’s system.'),
    via: one('Through the API as the customer’s system does it (default), or at the panel.', 'api', 'panel'),
  },
});

/** Steps that are not actions, or are read differently from their action: all must be documented. */
export type OwnStepDocs = { readonly [K in OwnStep]: Own };

const OWN: OwnStepDocs = {
  acknowledge: update('{alert: $sos, by: Control desk 2}'),
  resolve: update('{alert: $sos, by: Control desk 2, reason: Worker attended}'),
  api: {
    group: 'customer',
    example: '{get: /v1/alerts, query: {status: unacknowledged}, answers: {status: 200}}',
    fields: {
      get: text('The path; $name and $name.field may stand in it.'),
      post: text('The path.'),
      patch: text('The path.'),
      delete: text('The path.'),
      query: anything('Query parameters.'),
      body: anything('The JSON body.'),
      company: text('Whose client calls; default: the file’s own company.'),
      token: one('Default: valid.', ...TOKEN_KINDS),
      scope: text('The scopes asked for, with spaces.'),
      times: Type.Integer({ minimum: 1, description: 'How often it is called; the last answer is judged.' }),
      answers: anything('What must come back: {status, code, body, headers}. Without it any answer will do.'),
    },
  },
  webhook: {
    group: 'customer',
    example: '{rotate_secret: erp}',
    fields: {
      create: text('A receiver whose destination was deleted.'),
      delete: text('A receiver: its pending deliveries are dropped.'),
      rotate_secret: text('A receiver: both secrets sign for 24 h.'),
      test: text('A receiver: a test event is sent to it alone.'),
    },
  },
  receiver: {
    group: 'customer',
    example: '{name: erp, does: 503}',
    needs: ['name', 'does'],
    fields: {
      name: text('A receiver of the file.'),
      does: anything(`A status, or ${BEHAVIOUR_WORDS.join(', ')}; or a list, of which each delivery takes the next.`),
      delay: duration('It answers after this.'),
    },
  },
  wait: { group: 'flow', example: '45s' },
  wait_for: { group: 'flow', example: '{muster: $m, totals: {safe: ">= 12"}}' },
  mark: { group: 'flow', example: 'Nobody answers for 30 s' },
  together: { group: 'flow', example: '[{sos: {who: ana}}, {fall: {who: luis}}]' },
  repeat: {
    group: 'flow',
    example: '{times: 3, every: 10s, steps: [{sos: {who: ana}}]}',
    needs: ['times', 'steps'],
    fields: {
      times: Type.Integer({ minimum: 1, description: 'How often.' }),
      every: duration('From beginning to beginning.'),
      steps,
    },
  },
  do: {
    group: 'flow',
    example: '{macro: attend, with: {alert: $sos}}',
    needs: ['macro'],
    fields: { macro: text('A macro of the file.'), with: anything('A value for each of its parameters.') },
  },
  clock: {
    group: 'flow',
    example: '{advance: 10m}',
    fields: {
      advance: duration('Time jumps; everything due in between happens.'),
      speed: Type.Number({ description: 'Simulated seconds per second, in scaled and real time.' }),
      pause: duration('Time stands still for so much wall time.'),
    },
  },
  expect: { group: 'checks', example: '{alert: sos, of: ana, severity: critical}' },
  check: { group: 'checks', example: '{alerts: open, count: 0}' },
  never: { group: 'checks', example: '{event: alert.created, of: ana}' },
};

/** Fields that hold names of the story instead of ids. */
const OF_PEOPLE: Readonly<Record<string, TSchema>> = {
  who: anything('A short name, a list of them, or "3 of crew".'),
  near: anything('A short name, or a list of them.'),
  alert: anything('The name that a step gave to an alert: $sos.'),
  muster: anything('The name that a step gave to a muster: $m. May be left out where one is active.'),
};

const ZONES: Readonly<Record<string, string>> = { 'Tank Farm': 'Tank farm', 'Container Yard': 'Dock' };

export const STEP_CATALOGUE: readonly StepHelp[] = inGroups([...STEP_KINDS.keys()].map(helpOf));

function helpOf(word: string): StepHelp {
  const { help, beside } = STEP_KINDS.get(word)!;
  const own = Object.hasOwn(OWN, word) ? OWN[word as OwnStep] : undefined;
  const action = ACTION_NAMES.find((name) => name === word) ?? null;
  if (own !== undefined) {
    const { group, example, fields = {}, needs = [] } = own;
    const fieldHelps = Object.entries(fields).map(([name, schema]) => ({
      name,
      required: needs.includes(name),
      schema,
    }));
    return { word, group, help, example, fields: fieldHelps, beside, action };
  }
  const name = word as ActionName;
  const { group, fields } = ACTIONS[name];
  const required: readonly string[] = (fields as { required?: string[] }).required ?? [];
  const fieldHelps = Object.entries(fields.properties as Record<string, TSchema>).map(([key, schema]) => ({
    ...{ name: key, required: required.includes(key) },
    schema: OF_PEOPLE[key] ?? schema,
  }));
  return { word, group, help, example: storyExample(name), fields: fieldHelps, beside, action: name };
}

/** The example of the action catalogue, with a story's names instead of those of the default world. */
function storyExample(action: ActionName): string {
  const said = Object.entries(ACTIONS[action].example).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'site' && action !== 'privacy') return [];
    if (toReceiver(action) && key === 'to') return [[key, 'erp']];
    return [[key, typeof value === 'string' ? storyWord(key, value) : value]];
  });
  return flowOf(Object.fromEntries(said));
}

function storyWord(key: string, value: string): string {
  if (/^W-\d+$/.test(value)) return 'ana';
  if (/^[0-9a-f]{8}-/.test(value)) return '$sos';
  if (key === 'zone' || key === 'to') return ZONES[value] ?? value;
  if (key === 'point') return 'Gate A';
  if (key === 'site') return 'Harbour plant';
  return ['company', 'expire'].includes(key) ? 'customer' : value;
}

function inGroups(all: readonly StepHelp[]): StepHelp[] {
  const order = Object.keys(STEP_GROUPS);
  return all.toSorted((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}
