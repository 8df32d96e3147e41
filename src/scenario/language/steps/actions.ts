/** The steps that are actions, derived from the action catalogue. [decisions 9] */

import {
  ACTIONS,
  type ActionName,
  type ActionRow,
  type FieldNode,
  fieldsOfAction,
  type HeldKind,
} from '../../../contract/actions.ts';
import { type JsonMap, type SchemaNode, withoutKeywords } from '../../../contract/schema.ts';
import { flowOf } from '../../model/flow.ts';
import type { StepBody } from '../../model/scenario.ts';
import { aloneFor, type Field, type Fields, field, required } from '../field.ts';
import { schemaOf } from '../read-map.ts';
import { defineStep, type Step } from '../step.ts';
import { readAction } from './read-action.ts';

/** How a scenario writes a field of this kind. */
interface Written {
  /** Replaces the explanation of a field that takes ids, if a scenario uses names for them. */
  readonly help: string | null;
  /** Replaces the schema, if a scenario uses names for ids. */
  readonly schema?: JsonMap;
  /** Returns the value of the catalogue's example with the names that the scenarios of the documentation use. */
  example(value: string): string;
}

const asIs = (value: string): string => value;
const ZONES: Readonly<Record<string, string>> = { 'Tank Farm': 'Tank farm', 'Container Yard': 'Dock' };
const PLACE: Written = { help: null, example: (value) => ZONES[value] ?? value };
const PLAIN: Written = { help: null, example: asIs };

const NAME: JsonMap = { type: 'string' };

const WRITTEN: { readonly [K in HeldKind]: Written } = {
  people: {
    help: 'A short name, a list of them, or "3 of crew".',
    schema: { type: ['string', 'array'] },
    example: () => 'ana',
  },
  zone: PLACE,
  point: { help: null, example: () => 'Gate A' },
  place: PLACE,
  destination: PLACE,
  site: { help: null, example: () => 'Harbour plant' },
  company: { help: null, example: () => 'customer' },
  alert: { help: 'The name that a step gave to an alert: $sos.', schema: NAME, example: () => '$sos' },
  muster: {
    help: 'The name that a step gave to a muster: $m. Optional where one is active.',
    schema: NAME,
    example: () => '$m',
  },
  watch: PLAIN,
  receiver: { help: 'A receiver of the file, by its short name.', schema: NAME, example: () => 'erp' },
  moment: PLAIN,
  parts: PLAIN,
  plain: PLAIN,
};

/** `x-holds` is only for this program, and is removed from the published schemas. */
const isHolding = (keyword: string): boolean => keyword === 'x-holds';

function fieldsOf(action: ActionName): Fields {
  const { required: needed = [] } = ACTIONS[action].fields as SchemaNode;
  return Object.fromEntries(
    Object.entries(fieldsOfAction(action)).map(([key, node]): [string, Field<unknown>] => {
      const { description = '', 'x-holds': held, ...schema } = node;
      const { help, schema: written } = WRITTEN[held.kind];
      // `readAction` reads the values, because they depend on each other, so this reader returns them unchanged.
      const read = (value: unknown) => value;
      const own = written ?? (withoutKeywords(schema, isHolding) as JsonMap);
      const one = field('any', help ?? description, own, read);
      return [key, needed.includes(key) ? required(one) : one];
    }),
  );
}

/** The step of an action. */
export function actionStep(action: ActionName): Step {
  const { group, help, undo, alone }: ActionRow = ACTIONS[action];
  const fields = fieldsOf(action);
  const ofAlone = alone === undefined ? {} : { alone: aloneFor(alone, ...writtenAlone(action, alone)) };
  return defineStep<{ readonly given: unknown }, Extract<StepBody, { kind: 'action' }>>({
    word: action,
    group,
    help,
    example: exampleOf(action),
    modifiers: undo === undefined ? ['as', 'refused'] : ['as', 'refused', 'for'],
    value: { ...field('map', help, schemaOf(fields), (given) => ({ given })), fields, ...ofAlone },
    mutation: { kind: 'left-out' },
    permission: (body) => ({ kind: 'action', action, fields: body.fields }),
    read: ({ given }, at, beside) => readAction(action, given, at, beside),
  });
}

/** The example and the schema of a value alone. */
function writtenAlone(action: ActionName, key: string): [example: string, schema: JsonMap] {
  const { kind } = (fieldsOfAction(action)[key] as FieldNode)['x-holds'];
  const inExample = (ACTIONS[action].example as JsonMap)[key];
  const example = WRITTEN[kind].example(typeof inExample === 'string' ? inExample : '');
  return [example, fieldsOf(action)[key]?.schema ?? {}];
}

/** The example of the action catalogue, with a scenario's names instead of those of the default world. */
function exampleOf(action: ActionName): string {
  const fields = fieldsOfAction(action);
  const shown = Object.entries(ACTIONS[action].example).flatMap(([key, value]): [string, unknown][] => {
    const { kind, inferredFrom } = (fields[key] as FieldNode)['x-holds'];
    // The scenarios of the documentation have only one site, so it is omitted.
    if (kind === 'site' && inferredFrom !== undefined) return [];
    return [[key, typeof value === 'string' ? WRITTEN[kind].example(value) : value]];
  });
  return flowOf(Object.fromEntries(shown));
}
