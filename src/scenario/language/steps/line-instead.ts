/** The line to write for an action whose value is neither a map nor a short form. [scenario-language, Short forms] */

import {
  ACTIONS,
  type ActionName,
  type ActionRow,
  type FieldNode,
  fieldsOfAction,
  type HeldKind,
} from '../../../contract/actions.ts';
import { check } from '../../../contract/check.ts';
import type { JsonMap, SchemaNode } from '../../../contract/schema.ts';
import { flowOf, flowValue } from '../../model/flow.ts';
import type { ScenarioReading } from '../../model/read-matcher.ts';

/** `3 of crew`. */
export const SOME_OF = /^(\d+) of (.+)$/;

/** Returns `battery: {who: ana, pct: 18}` for `battery: ana`, and also for `battery: 18`, with names of the file. */
export function lineInstead(action: ActionName, value: unknown, at: ScenarioReading): string {
  const { alone, fields } = ACTIONS[action] as ActionRow;
  const nodes = fieldsOfAction(action);
  const { required = [] } = fields as SchemaNode;
  const example = ofThisFile(action, at);
  if (alone !== undefined) {
    // An empty value, or a list where one value is needed.
    const [first] = [value].flat();
    const usual = example[alone] ?? ALONE[nodes[alone]?.['x-holds'].kind ?? 'plain'];
    return `${action}: ${flowValue(typeof first === 'string' && first.startsWith('$') ? first : usual)}`;
  }
  const meant = Object.keys(nodes).find((key) => isMeantFor(nodes[key] as FieldNode, value, at));
  const own = meant === undefined ? {} : { [meant]: value };
  const kept = Object.keys(example).filter((key) => required.includes(key) || key === meant);
  const isEnough =
    meant !== undefined && [...kept, meant].some((key) => !IS_SUBJECT.has(nodes[key]?.['x-holds'].kind ?? 'plain'));
  const shown = isEnough ? Object.fromEntries(kept.map((key) => [key, example[key]])) : example;
  return `${action}: ${flowOf({ ...shown, ...own })}`;
}

/** The names of values that the examples do not have. */
const ALONE: Partial<Record<HeldKind, string>> = { muster: '$m', alert: '$sos' };

/** Kinds that say whom an action is about, and not what happens. */
const IS_SUBJECT: ReadonlySet<HeldKind> = new Set(['people', 'receiver']);

/** The example of the catalogue with names of the file, without the keys that can be left out in a scenario. */
function ofThisFile(action: ActionName, at: ScenarioReading): JsonMap {
  const nodes = fieldsOfAction(action);
  return Object.fromEntries(
    Object.entries(ACTIONS[action].example).flatMap(([key, value]): [string, unknown][] => {
      const { kind, inferredFrom } = (nodes[key] as FieldNode)['x-holds'];
      return key === 'by' || inferredFrom !== undefined ? [] : [[key, NAMES[kind]?.(at) ?? value]];
    }),
  );
}

const placeOf = ({ plants: { zones, points } }: ScenarioReading): string | undefined =>
  zones.find((zone) => !points.includes(zone));

/** A name of the file. */
const NAMES: { readonly [K in HeldKind]?: (at: ScenarioReading) => string | undefined } = {
  people: ({ cast }) => [...cast.keys()][0] ?? 'ana',
  zone: placeOf,
  place: placeOf,
  destination: placeOf,
  point: ({ plants }) => plants.points[0],
  site: ({ plants }) => plants.ownSites[0],
  company: ({ companies }) => companies[0],
  receiver: ({ receivers }) => receivers[0] ?? 'erp',
  alert: () => '$sos',
};

/** True if a person who writes this value alone probably means this field. */
function isMeantFor(node: FieldNode, value: unknown, at: ScenarioReading): boolean {
  const { kind } = node['x-holds'];
  const { cast, plants, receivers, companies } = at;
  const isName = (names: readonly string[]): boolean => typeof value === 'string' && names.includes(value);
  const isPerson = (one: unknown): boolean => typeof one === 'string' && (cast.has(one) || SOME_OF.test(one));
  switch (kind) {
    case 'people':
      return Array.isArray(value) ? value.length > 0 && value.every(isPerson) : isPerson(value);
    case 'zone':
    case 'place':
    case 'destination':
      return isName(plants.zones) || (kind !== 'zone' && Array.isArray(value) && check(node as never, value).ok);
    case 'point':
      return isName(plants.points);
    case 'site':
      return isName(plants.sites);
    case 'company':
      return isName(companies);
    case 'receiver':
      return isName(receivers);
    case 'alert':
    case 'muster':
      return typeof value === 'string' && value.startsWith('$');
    case 'plain':
    case 'moment':
      return value !== null && isPrecise(node) && check(node as never, value).ok;
    case 'watch':
    case 'parts':
      return false;
  }
}

/** False for a field that takes any text. */
const isPrecise = ({ type, enum: words, pattern, anyOf, format }: SchemaNode): boolean =>
  words !== undefined ||
  (anyOf ?? []).some(isPrecise) ||
  (type !== 'string' && type !== 'null' && anyOf === undefined) ||
  (type === 'string' && pattern !== undefined && format === undefined);
