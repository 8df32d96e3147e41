/** The mutations of a check: each of its details made wrong, one at a time. */

import { stringify } from 'yaml';
import { formatDuration, parseRange } from '../../base/time/durations.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { type Path, shown } from '../../plant/mistakes.ts';
import { conditionIn } from '../language/conditions.ts';
import type { WrongValues } from '../language/field.ts';
import type { ScenarioChange, Version } from '../model/change.ts';
import { asksForOneOfSeveral, wrongValues } from './wrong-values.ts';

/** The names of the scenario, for details and steps that contain a name. */
export interface KnownNames {
  readonly people: readonly string[];
  readonly receivers: readonly string[];
  readonly companies: readonly string[];
  readonly sites: readonly string[];
  /** Includes assembly points. */
  readonly zones: readonly string[];
  /** Names bound by `as`. */
  readonly given: readonly string[];
}

/** A mutation of a step, without its place in the file. */
export type Detail = Pick<ScenarioChange, 'detail' | 'versions' | 'anyVersion'> & { readonly path: Path };

/** Maximum number of substitutes that are tried for a person, receiver or name. */
const MOST_OTHERS = 4;

/** The details of the condition of a check with this word. */
export function detailsOf(verb: string, value: unknown, path: Path, names: KnownNames): Detail[] {
  if (!isMap(value)) return [];
  const condition = conditionIn(value);
  const isPassing = verb !== 'check' && condition?.mutation.isPassing === true;
  return Object.entries(value).flatMap(([key, item]) => {
    const at = [...path, key];
    const field = condition?.fields[key];
    if (key === 'count' && mayBeNone(item)) return [];
    // The value of the condition's word is mutated only if it is a literal; `any` and `$name` are kept.
    if (key === condition?.word && (typeof item !== 'string' || item === 'any' || item.startsWith('$'))) return [];
    return wrongDetails(field?.wrong ?? 'values', item, key, at, names, isPassing && key !== condition?.word);
  });
}

/** Returns the details of a body without a condition, such as a reply. */
export const detailsOfBody = (value: JsonMap, path: Path): Detail[] =>
  Object.entries(value).flatMap(([key, item]) => valueDetails(item, key, [...path, key], false));

function wrongDetails(
  wrong: WrongValues,
  value: unknown,
  key: string,
  path: Path,
  names: KnownNames,
  isPassing: boolean,
): Detail[] {
  switch (wrong) {
    case 'none':
      return [];
    case 'values':
      return valueDetails(value, key, path, isPassing);
    case 'people':
      return othersThan(value, names.people, key, path);
    case 'receivers':
      return othersThan(value, names.receivers, key, path);
    case 'companies':
      return othersThan(value, names.companies, key, path);
    case 'names':
      return othersThan(
        value,
        names.given.map((name) => `$${name}`),
        key,
        path,
      );
    case 'method':
      return methodDetails(value, key, path);
  }
}

/** Replaces the method of a call such as `PATCH /v1/alerts/*`. */
function methodDetails(value: unknown, key: string, path: Path): Detail[] {
  const [method = '', ...rest] = String(value).split(' ');
  const versions = [versionOf(value, [method === 'DELETE' ? 'GET' : 'DELETE', ...rest].join(' '), path)];
  return [{ detail: key, versions, anyVersion: false, path }];
}

/** Returns every literal of a body; for lists also the loss of an item. */
function valueDetails(value: unknown, detail: string, path: Path, onTheWay: boolean): Detail[] {
  if (Array.isArray(value)) {
    const shorter = value.length === 0 ? ['(no such item)'] : value.slice(0, -1);
    const text = value.length === 0 ? '[] -> one item' : 'without its last item';
    return [
      { detail, versions: [{ text, edits: [{ path, value: shorter }] }], anyVersion: false, path },
      ...itemDetails(value, detail, path, onTheWay),
    ];
  }
  if (isMap(value)) {
    return Object.entries(value).flatMap(([key, item]) => {
      if (key !== 'contains') return valueDetails(item, `${detail}.${key}`, [...path, key], onTheWay);
      const list = Array.isArray(item) ? item : null;
      const at = [...path, key];
      const inner = `${detail}.contains`;
      return list === null ? valueDetails(item, inner, at, onTheWay) : itemDetails(list, inner, at, onTheWay);
    });
  }
  const versions = wrongValues(value, onTheWay).map((wrong) => versionOf(value, wrong, path));
  const anyVersion = onTheWay || asksForOneOfSeveral(value);
  return versions.length === 0 ? [] : [{ detail, versions, anyVersion, path }];
}

const itemDetails = (list: readonly unknown[], detail: string, path: Path, onTheWay: boolean): Detail[] =>
  list.flatMap((item, i) => valueDetails(item, `${detail}[${i}]`, [...path, i], onTheWay));

/** Returns true for a count that every number satisfies. */
export const mayBeNone = (count: unknown): boolean => typeof count === 'string' && /^(?:0\.\.|>= *0)$/.test(count);

/** Other names of the scenario; empty if there are none. */
export function othersThan(value: unknown, known: readonly string[], detail: string, path: Path): Detail[] {
  const ownNames = [value].flat();
  const others = known.filter((name) => !ownNames.includes(name)).slice(0, MOST_OTHERS);
  const versions = others.map((name) => versionOf(value, name, path));
  return versions.length === 0 ? [] : [{ detail, versions, anyVersion: true, path }];
}

/** Only a range such as `within: 29s..31s` has a lower limit, which is made wrong. */
export function limitDetails(step: JsonMap, path: Path): Detail[] {
  const { within } = step;
  const range = typeof within === 'string' ? parseRange(within) : null;
  if (range === null || range.min === 0) return [];
  const at = [...path, 'within'];
  const versions = [versionOf(within, formatDuration(range.min - 1), at)];
  return [{ detail: 'within', versions, anyVersion: false, path: at }];
}

/** Inverts `never` into `expect`, which must fail; not for states, which may have been true before. */
export function neverDetails(step: JsonMap, path: Path): Detail[] {
  const { never, for: lasting, ...beside } = step;
  if (!isMap(never) || conditionIn(never)?.mutation.isPassing === true) return [];
  const turned = { ...beside, expect: never, within: lasting };
  const versions = [{ text: 'never -> expect', edits: [{ path, value: turned }] }];
  return [{ detail: 'never', versions, anyVersion: false, path: [...path, 'never'] }];
}

export const versionOf = (from: unknown, to: unknown, path: Path): Version => ({
  text: `${shown(from)} -> ${shown(to)}`,
  edits: [{ path, value: to }],
});

/** A value as YAML on one line. */
export const flowText = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 }).trimEnd();
