/** The mutations of a check: each of its details made wrong, one at a time. */

import { formatDuration, parseRange } from '../../base/durations.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { type Path, shown } from '../../plant/mistakes.ts';
import type { StoryChange, Version } from '../story/change.ts';
import { asksForOneOfSeveral, wrongValues } from './wrong-values.ts';

/** The names of the story, for details that hold one. */
export interface KnownNames {
  readonly people: readonly string[];
  readonly receivers: readonly string[];
  readonly companies: readonly string[];
  /** Names bound by `as`. */
  readonly given: readonly string[];
}

/** A mutation of a step, without its place in the file. */
export type Detail = Pick<StoryChange, 'detail' | 'versions' | 'anyVersion'> & { readonly path: Path };

/** Subjects that are states, which may have passed through other values. */
const LASTING = ['alert', 'alerts', 'muster', 'missing', 'destination', 'watch', 'worker', 'device', 'position'];

/** Subjects whose value identifies the object; the other keys are the details. */
const LOOKED_AT = ['muster', 'missing', 'destination', 'watch', 'worker', 'device', 'position', 'alerts'];

/** Substitutes tried for a person, receiver or name. */
const MOST_OTHERS = 4;

export function detailsOf(verb: string, value: unknown, path: Path, names: KnownNames): Detail[] {
  if (!isMap(value)) return [];
  const [word = ''] = Object.keys(value);
  const onTheWay = verb !== 'check' && LASTING.includes(word);
  return Object.entries(value).flatMap(([key, item]) => {
    const at = [...path, key];
    if (key === word) return subjectDetails(word, item, at, names);
    if (key === 'of') return othersThan(item, names.people, 'of', at);
    if (key === 'about')
      return othersThan(
        item,
        names.given.map((name) => `$${name}`),
        'about',
        at,
      );
    if (key === 'company') return othersThan(item, names.companies, 'company', at);
    return valueDetails(item, key, at, onTheWay);
  });
}

function subjectDetails(word: string, value: unknown, path: Path, names: KnownNames): Detail[] {
  if (LOOKED_AT.includes(word) || typeof value !== 'string' || value === 'any' || value.startsWith('$')) return [];
  if (['delivery', 'deliveries'].includes(word)) return othersThan(value, names.receivers, word, path);
  if (word === 'request') {
    const [method = '', ...rest] = value.split(' ');
    const versions = [versionOf(value, [method === 'DELETE' ? 'GET' : 'DELETE', ...rest].join(' '), path)];
    return [{ detail: word, versions, anyVersion: false, path }];
  }
  return valueDetails(value, word, path, false);
}

/** Every literal of a body; lists also lose an item. */
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

/** Other names of the story; empty if there are none. */
function othersThan(value: unknown, known: readonly string[], detail: string, path: Path): Detail[] {
  const said = [value].flat();
  const others = known.filter((name) => !said.includes(name)).slice(0, MOST_OTHERS);
  const versions = others.map((name) => versionOf(value, name, path));
  return versions.length === 0 ? [] : [{ detail, versions, anyVersion: true, path }];
}

/** `within: 29s..31s` has a lower limit, which is made wrong. */
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
  if (!isMap(never) || LASTING.includes(Object.keys(never)[0] ?? '')) return [];
  const turned = { ...beside, expect: never, within: lasting };
  const versions = [{ text: 'never -> expect', edits: [{ path, value: turned }] }];
  return [{ detail: 'never', versions, anyVersion: false, path: [...path, 'never'] }];
}

export const versionOf = (from: unknown, to: unknown, path: Path): Version => ({
  text: `${shown(from)} -> ${shown(to)}`,
  edits: [{ path, value: to }],
});
