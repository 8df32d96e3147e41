/** Reads the fields of steps that are actions of the catalogue: people by short name, alerts by `$name`, values with ranges, zones and sites by name, and the defaults for an omitted site or company. [scenario-language] */

import { declaredName } from '../../../base/text/same-name.ts';
import { explainDuration } from '../../../base/time/durations.ts';
import {
  ACTIONS,
  type ActionName,
  type ActionRow,
  type FieldNode,
  fieldsOfAction,
  type HeldKind,
  peopleFieldOf,
} from '../../../contract/actions.ts';
import { check } from '../../../contract/check.ts';
import { isMap, type JsonMap } from '../../../contract/schema.ts';
import { quoted } from '../../../contract/sentences.ts';
import { didYouMean, type FilePlace, shown, unquoted } from '../../../plant/mistakes.ts';
import { DURATION_PATTERN, endsOf, readDraws, shownSpan, withDrawn } from '../../model/draws.ts';
import { readReceiverName, reportUnknownPerson, type ScenarioReading } from '../../model/read-matcher.ts';
import type { CastGroup, FieldValue, StepBody } from '../../model/scenario.ts';
import type { Beside, ReadStep } from '../step.ts';
import { readLeftOut, reportOtherSite, reportUnknownName } from './action-places.ts';
import { lineInstead, SOME_OF } from './line-instead.ts';

type ActionStepBody = Extract<StepBody, { kind: 'action' }>;

/** Placeholder id for references during schema validation. */
const SOME_ID = '00000000-0000-4000-8000-000000000000';

/** Reads an action such as `sos: {who: ana}`; returns null after reporting a mistake. */
export function readAction(
  action: ActionName,
  value: unknown,
  at: ScenarioReading,
  { forMs }: Beside,
): ReadStep<ActionStepBody> | null {
  if (!isMap(value))
    return at.mistake(`${shown(value)} is not what ${quoted(action)} needs. Write ${lineInstead(action, value, at)}.`);
  const fields: Record<string, FieldValue> = {};
  let whole = true;
  for (const [key, item] of Object.entries(value)) {
    const field = readField(action, key, item, at.of(key));
    if (field === null) whole = false;
    else fields[key] = field;
  }
  const sound = reportSchemaErrors(action, value, fields, at);
  const leftOut = readLeftOut(action, value, at);
  if (!whole || !sound || leftOut === null || reportOtherSite(action, fields, value, at)) return null;
  Object.assign(fields, leftOut);
  const { binds = null } = ACTIONS[action] as ActionRow;
  const names = severalOf(fields[peopleFieldOf(action) ?? '']) ? null : binds;
  const lasting = forMs === null ? '' : `, for ${shownSpan(forMs)}`;
  return {
    body: { kind: 'action', action, fields, names, forMs },
    text: textOf(action, value) + lasting,
    names: binds === null ? 'step' : names,
  };
}

/** Returns true if several people act: they create several objects, but a name can bind only one. */
function severalOf(who: FieldValue | undefined): boolean {
  return who?.kind === 'people' && (who.listed || who.who.some(({ count, of }) => (count ?? of) > 1));
}

function nodeOf(action: ActionName, key: string): FieldNode | undefined {
  const fields = fieldsOfAction(action);
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

type FieldReader = (value: unknown, at: ScenarioReading, node: FieldNode) => FieldValue | null;

/** Reads a `$name`, or a value that may contain ranges. */
const readValue: FieldReader = (value, at, node) => {
  if (typeof value === 'string' && value.startsWith('$')) {
    const reference = at.names.read(value, at);
    return reference === null ? null : { kind: 'reference', reference };
  }
  const draws = readDraws(node, value, at);
  if (draws === null || reportUnknownName(node, value, at)) return null;
  return draws.length === 0 ? { kind: 'plain', value } : { kind: 'drawn', value, draws };
};

/** How the value of a field is read, by the kind of the field. */
const READERS: { readonly [K in HeldKind]: FieldReader } = {
  people: readWho,
  receiver: (value, at) => {
    const receiver = readReceiverName(value, at);
    return receiver === null ? null : { kind: 'receiver', receiver };
  },
  // A colleague whose position is the destination is also given by the short name.
  destination: (value, at, node) =>
    typeof value === 'string' && at.cast.has(value) ? readWho(value, at) : readValue(value, at, node),
  zone: readValue,
  point: readValue,
  place: readValue,
  site: readValue,
  company: readValue,
  alert: readValue,
  muster: readValue,
  watch: readValue,
  moment: readValue,
  parts: readValue,
  plain: readValue,
};

/** An unknown key has no kind, and is reported together with the errors of the schema. */
const UNKNOWN_FIELD: FieldNode = { 'x-holds': { kind: 'plain' } };

function readField(action: ActionName, key: string, value: unknown, at: ScenarioReading): FieldValue | null {
  if (value === undefined) return null;
  const node = nodeOf(action, key) ?? UNKNOWN_FIELD;
  return READERS[node['x-holds'].kind](value, at, node);
}

/** `ana`, `[ana, crew]` or `3 of crew`. */
function readWho(value: unknown, at: ScenarioReading): FieldValue | null {
  const listed = Array.isArray(value);
  const names: unknown[] = listed ? value : [value];
  if (names.length === 0) at.mistake('The list is empty. Write who: ana.');
  const who = names.map((name, i) => readGroup(name, listed ? at.of(i) : at));
  if (who.length === 0 || who.includes(null)) return null;
  return { kind: 'people', who: who as CastGroup[], listed };
}

function readGroup(value: unknown, at: ScenarioReading): CastGroup | null {
  if (typeof value === 'string' && at.cast.has(value))
    return { name: value, count: null, of: at.cast.get(value)!.length };
  const [, count, group] = typeof value === 'string' ? (SOME_OF.exec(value) ?? []) : [];
  const name = group === undefined ? undefined : declaredName(at.cast.keys(), group);
  const people = name === undefined ? undefined : at.cast.get(name);
  if (count === undefined || name === undefined || people === undefined) {
    reportUnknownPerson(name ?? value, at, at.cast);
    return null;
  }
  if (Number(count) >= 1 && Number(count) <= people.length) return { name, count: Number(count), of: people.length };
  const fix = people.length === 1 ? `is one person. Write ${name}.` : `has ${people.length} people. Write fewer.`;
  return at.mistake(`${quoted(name)} ${fix}`);
}

/** Reports violations of the action's schema; false if there are any. */
function reportSchemaErrors(
  action: ActionName,
  value: JsonMap,
  fields: Readonly<Record<string, FieldValue>>,
  at: ScenarioReading,
): boolean {
  // Both ends of a range must be valid, so the value is checked with each of them.
  const errors = [0, 1].flatMap((end) => {
    const sample = Object.entries(value).map(([key, item]) => [key, sampleOf(fields[key], item, end as 0 | 1)]);
    const checked = check(ACTIONS[action].fields, Object.fromEntries(sample));
    return checked.ok ? [] : checked.errors;
  });
  for (const { pointer, detail } of errors) {
    const key = pointer.split('/')[1] ?? '';
    const known = Object.keys(ACTIONS[action].fields.properties);
    if (detail === 'is required') at.mistake(`${quoted(action)} needs ${quoted(key)}.`, 'key');
    else if (!known.includes(key)) {
      const free = known.filter((one) => !Object.hasOwn(value, one));
      at.of(key).mistake(`${quoted(key)} is not a key of ${quoted(action)}.${didYouMean(key, free)}`, 'key');
    } else if (fields[key] !== undefined) reportUnfitting(action, value, pointer, detail, at);
  }
  return errors.length === 0 && !reportMisfit(action, value, fields, at);
}

/** Reports fields that do not fit together; true if there are any. */
function reportMisfit(
  action: ActionName,
  value: JsonMap,
  fields: Readonly<Record<string, FieldValue>>,
  at: ScenarioReading,
): boolean {
  const sample = Object.entries(value).map(([key, item]) => [key, sampleOf(fields[key], item, 0)]);
  const misfit = (ACTIONS[action] as ActionRow).misfit?.(Object.fromEntries(sample)) ?? null;
  if (misfit === null) return false;
  const [error] = misfit.errors;
  const key = error?.pointer.slice(1) ?? '';
  const place = Object.hasOwn(value, key) ? at.of(key) : at;
  const more = misfit.message.includes(key) ? '' : ` ${quoted(key)} ${error?.detail}.`;
  place.mistake(`${misfit.message}${more}`, 'key');
  return true;
}

function sampleOf(field: FieldValue | undefined, value: unknown, end: 0 | 1): unknown {
  switch (field?.kind) {
    case 'people':
      return 'somebody';
    case 'receiver':
      return field.receiver;
    case 'reference':
      return SOME_ID;
    case 'drawn':
      return withDrawn(field.value, field.draws, ({ draw }) => endsOf(draw)[end]);
    case 'plain':
      return field.value;
    case undefined:
      // A mistake in the value has already been reported.
      return value;
  }
}

/** Start of the contract's message about an unknown key. */
const UNKNOWN = 'is not a known field';

/** The contract's message about a value that must be a text, or may be one. */
const A_NAME = /^must be (?:[a-z, ]+ )?a string\b/;

/** Returns false if the field has a form, such as that of durations, that the value in quotes would not fit either. */
function fitsInQuotes(action: ActionName, key: string, part: string | number | undefined, value: unknown): boolean {
  const node = nodeOf(action, key);
  const { pattern = '', enum: words, format } = node?.properties?.[String(part)] ?? node ?? {};
  return words === undefined && (format ?? 'text') === 'text' && new RegExp(pattern, 'u').test(String(value));
}

/** Reports an invalid value at its own path within the field. */
function reportUnfitting(action: ActionName, value: JsonMap, pointer: string, detail: string, here: FilePlace) {
  const [key = '', ...inner] = pointer.split('/').slice(1);
  const steps = inner.map((one) => (/^\d+$/.test(one) ? Number(one) : one));
  const place = here.of(key, ...steps);
  const [last] = steps.slice(-1);
  const at = steps.reduce<unknown>(
    (whole, one) => (whole as Record<string | number, unknown> | null)?.[one],
    value[key],
  );
  const inQuotes = A_NAME.test(detail) && fitsInQuotes(action, key, last, at) ? unquoted(at, place) : null;
  if (inQuotes !== null) place.mistake(inQuotes);
  else if (last === undefined || typeof last === 'number') place.mistake(complaint(action, key, at, detail));
  else if (detail === 'is required')
    here.report.mistake(place.path.slice(0, -1), `${quoted(key)} needs ${quoted(last)}.`, 'key');
  else if (detail.startsWith(UNKNOWN)) {
    const meant = detail.slice(UNKNOWN.length).replace(/^; did/, ' Did');
    place.mistake(`${quoted(last)} is not a key of ${quoted(key)}.${meant}`, 'key');
  } else place.mistake(`${quoted(last)} is ${shown(at)}, but ${detail}.`);
}

function complaint(action: ActionName, key: string, value: unknown, detail: string): string {
  const rule = nodeOf(action, key);
  if (rule?.enum !== undefined) {
    return `${shown(value)} is not a value of ${quoted(key)}.${didYouMean(typeof value === 'string' ? value : '', rule.enum.map(String))}`;
  }
  if (rule?.pattern === DURATION_PATTERN) return explainDuration(String(value));
  return `${quoted(key)} is ${shown(value)}, but ${detail}.`;
}

function textOf(action: ActionName, value: JsonMap): string {
  const { who, ...rest } = value;
  const people = Array.isArray(who) ? ` ${who.join(', ')}` : who === undefined ? '' : ` ${String(who)}`;
  const fieldTexts = Object.entries(rest).map(([key, item]) => `${key} ${shownField(item)}`);
  return [`${action}${people}`, ...fieldTexts].join(', ');
}

function shownField(item: unknown): string {
  if (Array.isArray(item)) return `[${item.map(shownField).join(', ')}]`;
  if (!isMap(item)) return String(item);
  return `{${Object.entries(item)
    .map(([key, one]) => `${key} ${shownField(one)}`)
    .join(', ')}}`;
}
