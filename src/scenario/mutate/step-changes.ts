/** The mutations of the events: a step with another worker or another value, and a service with another threshold. */

import { formatDuration, parseDuration } from '../../base/time/durations.ts';
import { ACTIONS, type ActionName, fieldsOfAction, type HeldKind } from '../../contract/actions.ts';
import { isMap, type JsonMap, type SchemaNode } from '../../contract/schema.ts';
import type { Path } from '../../plant/mistakes.ts';
import type { Field } from '../language/field.ts';
import type { Step } from '../language/step.ts';
import { type Detail, type KnownNames, othersThan, versionOf } from './check-changes.ts';

/**
 * Replaces each value of a step that affects decisions of the sandbox. Free texts, such as a name or a reason, are only
 * stored, so they are not replaced.
 */
export function otherDetails({ word, value }: Step, given: JsonMap, path: Path, names: KnownNames): Detail[] {
  const held = Object.hasOwn(ACTIONS, word) ? fieldsOfAction(word as ActionName) : {};
  return Object.entries(given).flatMap(([key, item]) => {
    const at = [...path, key];
    const node = Object.hasOwn(held, key) ? held[key] : undefined;
    const field = value.fields?.[key];
    if (node !== undefined) return heldDetails(node['x-holds'].kind, node, item, key, at, names);
    return field === undefined ? [] : fieldDetails(field, item, key, at, names);
  });
}

function heldDetails(
  kind: HeldKind,
  node: SchemaNode,
  value: unknown,
  detail: string,
  path: Path,
  names: KnownNames,
): Detail[] {
  const isName = typeof value === 'string' && !value.startsWith('$');
  switch (kind) {
    case 'people':
      return isName || Array.isArray(value) ? othersThan(value, names.people, detail, path) : [];
    case 'zone':
    case 'point':
    case 'place':
    case 'destination':
      return isName ? othersThan(value, names.zones, detail, path) : [];
    case 'site':
      return othersThan(value, names.sites, detail, path);
    case 'company':
      return othersThan(value, names.companies, detail, path);
    case 'receiver':
      return othersThan(value, names.receivers, detail, path);
    case 'alert':
    case 'muster':
      return isName ? [] : othersThan(value, referencesTo(names), detail, path);
    case 'moment':
    case 'plain':
      return valueDetails(otherValues(node, value), value, detail, path);
    case 'watch':
    case 'parts':
      return [];
  }
}

const referencesTo = ({ given }: KnownNames): string[] => given.map((name) => `$${name}`);

/** Mutations of a key of a step that is not an action. */
function fieldDetails(field: Field<unknown>, value: unknown, detail: string, path: Path, names: KnownNames): Detail[] {
  if (field.kind === 'receiver') return othersThan(value, names.receivers, detail, path);
  if (field.kind === 'company') return othersThan(value, names.companies, detail, path);
  // A receiver succeeds where it failed, and vice versa.
  if (detail === 'does') return valueDetails(value === 'ok' ? [503] : ['ok'], value, detail, path);
  return valueDetails(otherValues(field.schema as SchemaNode, value), value, detail, path);
}

function valueDetails(others: readonly unknown[], value: unknown, detail: string, path: Path): Detail[] {
  const versions = others.map((other) => versionOf(value, other, path));
  return versions.length === 0 ? [] : [{ detail, versions, anyVersion: true, path }];
}

/** Returns other values of the same schema; the reader refuses values outside of its limits. */
function otherValues(node: SchemaNode, value: unknown): unknown[] {
  const words = wordsOf(node);
  if (words.includes(value)) return words.filter((word) => word !== value);
  return otherAmounts(value);
}

const wordsOf = ({ enum: words, anyOf = [] }: SchemaNode): readonly unknown[] => words ?? anyOf.flatMap(wordsOf);

/** Returns the opposite truth value, or twice and half of a number or duration. */
function otherAmounts(value: unknown): unknown[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number')
    return value === 0 ? [1] : [value * 2, Number.isInteger(value) ? Math.floor(value / 2) : value / 2];
  const ms = typeof value === 'string' ? parseDuration(value) : null;
  return ms === null ? [] : [formatDuration(ms * 2), formatDuration(Math.floor(ms / 2))];
}

/** Mutates each threshold of a section: its default, twice its value and half its value. */
export function thresholdDetails(service: JsonMap, path: Path, prefix = ''): Detail[] {
  return Object.entries(service).flatMap(([key, value]): Detail[] => {
    const at = [...path, key];
    if (key === 'equivalent') return [];
    if (isMap(value)) return thresholdDetails(value, at, `${key}.`);
    const standard = { text: 'its default', edits: [{ path: at, value: undefined }] };
    const versions = [...otherAmounts(value).map((other) => versionOf(value, other, at)), standard];
    return [{ detail: `${prefix}${key}`, versions, anyVersion: true, path: at }];
  });
}
