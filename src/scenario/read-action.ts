/** Reads the steps that are actions of the catalogue: people by their short names, alerts by `$name`, draws from ranges. */
import { explainDuration, formatDuration, parseRange } from '../base/durations.ts';
import { ACTIONS, type ActionName } from '../contract/actions.ts';
import { check } from '../contract/check.ts';
import { quoted } from '../contract/sentences.ts';
import { Duration } from '../contract/shapes.ts';
import type { Path } from '../plant/mistakes.ts';
import { didYouMean, shown } from '../plant/section-check.ts';
import { type Fields, isFields } from './merged-file.ts';
import { type Reading, sayUnknownPerson } from './read-matcher.ts';
import type { ReadStep } from './step-kinds.ts';
import type { FieldValue, Group } from './story.ts';

/** Stands for an alert that is found only in the run while the fields are checked by their schema. */
const SOME_ID = '00000000-0000-8000-8000-000000000000';

const SOME_OF = /^(\d+) of (.+)$/;

interface Rule {
  readonly enum?: readonly string[];
  readonly pattern?: string;
}

const DURATION_RULE = (Duration as Rule).pattern;

/** `sos: {who: ana}`. */
export function readAction(action: ActionName, value: unknown, path: Path, reading: Reading): ReadStep | null {
  if (value === undefined) return null;
  if (!isFields(value)) {
    const who = typeof value === 'string' && reading.cast.has(value) ? value : 'ana';
    reading.report.mistake(
      path,
      `${shown(value)} is not what ${quoted(action)} needs. Write ${action}: {who: ${who}}.`,
    );
    return null;
  }
  const fields: Record<string, FieldValue> = {};
  let whole = true;
  for (const [key, item] of Object.entries(value)) {
    const field = readField(action, key, item, [...path, key], reading);
    if (field === null) whole = false;
    else fields[key] = field;
  }
  const sound = sayBrokenRules(action, value, fields, path, reading);
  return whole && sound ? { body: { kind: 'action', action, fields }, text: textOf(action, value), names: null } : null;
}

function ruleOf(action: ActionName, key: string): Rule | undefined {
  const properties = ACTIONS[action].fields.properties as unknown as Readonly<Record<string, Rule>>;
  return Object.hasOwn(properties, key) ? properties[key] : undefined;
}

function readField(action: ActionName, key: string, value: unknown, path: Path, reading: Reading): FieldValue | null {
  if (value === undefined) return null;
  if (key === 'who' || key === 'near') return readWho(value, path, reading);
  // Somebody to go to is named as everybody else is.
  if (key === 'to' && typeof value === 'string' && reading.cast.has(value)) return readWho(value, path, reading);
  if (typeof value === 'string' && value.startsWith('$')) {
    const reference = reading.names.read(value, path, reading.report);
    return reference === null ? null : { kind: 'reference', reference };
  }
  const range = typeof value === 'string' && ruleOf(action, key)?.pattern === DURATION_RULE ? parseRange(value) : null;
  return range === null ? { kind: 'plain', value } : { kind: 'draw', ...range };
}

/** `ana`, `[ana, crew]` or `3 of crew`. */
function readWho(value: unknown, path: Path, reading: Reading): FieldValue | null {
  const listed = Array.isArray(value);
  const names: unknown[] = listed ? value : [value];
  if (names.length === 0) reading.report.mistake(path, 'The list is empty. Write who: ana.');
  const who = names.map((name, i) => readGroup(name, listed ? [...path, i] : path, reading));
  if (who.length === 0 || who.includes(null)) return null;
  return { kind: 'people', who: who as Group[], listed };
}

function readGroup(value: unknown, path: Path, { cast, report }: Reading): Group | null {
  if (typeof value === 'string' && cast.has(value)) return { name: value, count: null };
  const [, count, name] = typeof value === 'string' ? (SOME_OF.exec(value) ?? []) : [];
  const people = name === undefined ? undefined : cast.get(name);
  if (count === undefined || name === undefined || people === undefined) {
    sayUnknownPerson(name ?? value, path, cast, report);
    return null;
  }
  if (Number(count) >= 1 && Number(count) <= people.length) return { name, count: Number(count) };
  const cure = people.length === 1 ? `is one person. Write ${name}.` : `has ${people.length} people. Write fewer.`;
  report.mistake(path, `${quoted(name)} ${cure}`);
  return null;
}

/** Tells what the action's own schema refuses; false where it does. */
function sayBrokenRules(
  action: ActionName,
  value: Fields,
  fields: Readonly<Record<string, FieldValue>>,
  path: Path,
  { report }: Reading,
): boolean {
  const sample = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, sampleOf(fields[key], item)]));
  const checked = check(ACTIONS[action].fields, sample);
  if (checked.ok) return true;
  for (const { pointer, detail } of checked.errors) {
    const key = pointer.split('/')[1] ?? '';
    const known = Object.keys(ACTIONS[action].fields.properties);
    if (detail === 'is required') report.mistake(path, `${quoted(action)} needs ${quoted(key)}.`, 'key');
    else if (!known.includes(key)) {
      const free = known.filter((one) => !Object.hasOwn(value, one));
      report.mistake(
        [...path, key],
        `${quoted(key)} is not a key of ${quoted(action)}.${didYouMean(key, free)}`,
        'key',
      );
    } else if (fields[key] !== undefined) report.mistake([...path, key], complaint(action, key, value[key], detail));
  }
  return false;
}

function sampleOf(field: FieldValue | undefined, value: unknown): unknown {
  switch (field?.kind) {
    case 'people':
      return 'somebody';
    case 'reference':
      return SOME_ID;
    case 'draw':
      return formatDuration(field.min);
    case 'plain':
      return field.value;
    case undefined:
      // Its mistake is told already.
      return value;
  }
}

function complaint(action: ActionName, key: string, value: unknown, detail: string): string {
  const rule = ruleOf(action, key);
  if (rule?.enum !== undefined) {
    return `${shown(value)} is not a value of ${quoted(key)}.${didYouMean(typeof value === 'string' ? value : '', rule.enum)}`;
  }
  if (rule?.pattern === DURATION_RULE) return explainDuration(String(value));
  return `${quoted(key)} is ${shown(value)}, but ${detail}.`;
}

function textOf(action: ActionName, value: Fields): string {
  const { who, ...rest } = value;
  const people = Array.isArray(who) ? ` ${who.join(', ')}` : who === undefined ? '' : ` ${String(who)}`;
  const said = Object.entries(rest).map(
    ([key, item]) => `${key} ${typeof item === 'object' ? JSON.stringify(item) : item}`,
  );
  return [`${action}${people}`, ...said].join(', ');
}
