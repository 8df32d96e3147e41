/** The steps that are actions, derived from the action catalogue. [decisions 9] */

import { ACTIONS, type ActionName, type ActionRow } from '../../../contract/actions.ts';
import type { JsonMap, SchemaNode } from '../../../contract/schema.ts';
import type { StepBody } from '../../model/scenario.ts';
import { type Field, type Fields, field, required } from '../field.ts';
import { schemaOf } from '../read-map.ts';
import { defineStep, type Step } from '../step.ts';
import { flowOf, readAction, toReceiver } from './read-action.ts';

/** Fields that hold names of the scenario instead of ids. */
const BY_NAME: Readonly<Record<string, string>> = {
  who: 'A short name, a list of them, or "3 of crew".',
  near: 'A short name, or a list of them.',
  alert: 'The name that a step gave to an alert: $sos.',
  muster: 'The name that a step gave to a muster: $m. Optional where one is active.',
};

function fieldsOf(action: ActionName): Fields {
  const { properties, required: needed = [] } = ACTIONS[action].fields as unknown as SchemaNode;
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([key, schema]): [string, Field<unknown>] => {
      const byName = BY_NAME[key];
      const { description = '', ...rest } = schema;
      // `readAction` reads the values, because they depend on each other.
      const read = (value: unknown) => value;
      const one = field('any', byName ?? description, byName === undefined ? (rest as JsonMap) : {}, read);
      return [key, needed.includes(key) ? required(one) : one];
    }),
  );
}

/** The step of an action. */
export function actionStep(action: ActionName): Step {
  const { group, help, undo }: ActionRow = ACTIONS[action];
  const fields = fieldsOf(action);
  return defineStep<{ readonly given: unknown }, Extract<StepBody, { kind: 'action' }>>({
    word: action,
    group,
    help,
    example: exampleOf(action),
    modifiers: undo === undefined ? ['as', 'refused'] : ['as', 'refused', 'for'],
    value: { ...field('map', help, schemaOf(fields), (given) => ({ given })), fields },
    mutation: { kind: 'left-out' },
    permission: (body) => ({ kind: 'action', action, fields: body.fields }),
    read: ({ given }, at, beside) => readAction(action, given, at, beside),
  });
}

/** The example of the action catalogue, with a scenario's names instead of those of the default world. */
function exampleOf(action: ActionName): string {
  const fields = Object.entries(ACTIONS[action].example).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'site' && action !== 'privacy') return [];
    if (toReceiver(action) && key === 'to') return [[key, 'erp']];
    return [[key, typeof value === 'string' ? scenarioWord(key, value) : value]];
  });
  return flowOf(Object.fromEntries(fields));
}

const ZONES: Readonly<Record<string, string>> = { 'Tank Farm': 'Tank farm', 'Container Yard': 'Dock' };

function scenarioWord(key: string, value: string): string {
  if (/^W-\d+$/.test(value)) return 'ana';
  if (/^[0-9a-f]{8}-/.test(value)) return '$sos';
  if (key === 'zone' || key === 'to') return ZONES[value] ?? value;
  if (key === 'point') return 'Gate A';
  if (key === 'site') return 'Harbour plant';
  return ['company', 'expire'].includes(key) ? 'customer' : value;
}
