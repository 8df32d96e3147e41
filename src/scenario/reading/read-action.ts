/** Reads steps that are actions of the catalogue: people by short name, alerts by `$name`, values with ranges. */
import { explainDuration } from '../../base/durations.ts';
import { ACTIONS, type ActionName } from '../../contract/actions.ts';
import { check } from '../../contract/check.ts';
import { isMap, type JsonMap, type SchemaNode } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import type { Path, Report } from '../../plant/mistakes.ts';
import { didYouMean, shown } from '../../plant/section-check.ts';
import { DURATION_PATTERN, endsOf, readDraws, shownSpan, withDrawn } from '../story/draws.ts';
import { readReceiverName, reportUnknownPerson, type StoryReading } from '../story/read-matcher.ts';
import type { CastGroup, FieldValue } from '../story/story.ts';
import { PLACES, readLeftOut, reportOtherSite, reportUnknownPlace } from './read-places.ts';
import type { Beside, ReadStep } from './step-kinds.ts';

/** Placeholder id for references during schema validation. */
const SOME_ID = '00000000-0000-4000-8000-000000000000';

/** The kind that `as` binds, for actions that create or touch one. */
export const NAMES: { readonly [K in ActionName]?: 'alert' | 'muster' | 'permit' } = {
  ...{ sos: 'alert', fall: 'alert', answer: 'alert', press_ack: 'alert', cannot_evacuate: 'alert' },
  ...{ call_request: 'alert', battery: 'alert', enter: 'alert', heat: 'alert', hazard: 'alert', panel_sos: 'alert' },
  ...{ reopen: 'alert', assign: 'alert', permit: 'permit', start_muster: 'muster', change_kind: 'muster' },
};

const SOME_OF = /^(\d+) of (.+)$/;

/** `sos: {who: ana}`. */
export function readAction(
  action: ActionName,
  value: unknown,
  path: Path,
  reading: StoryReading,
  { forMs }: Beside,
): ReadStep | null {
  if (value === undefined) return null;
  if (!isMap(value)) {
    const who = typeof value === 'string' && reading.cast.has(value) ? value : 'ana';
    const write = ruleOf(action, 'who') === undefined ? flowOf(ACTIONS[action].example) : `{who: ${who}}`;
    reading.report.mistake(path, `${shown(value)} is not what ${quoted(action)} needs. Write ${action}: ${write}.`);
    return null;
  }
  const fields: Record<string, FieldValue> = {};
  let whole = true;
  for (const [key, item] of Object.entries(value)) {
    const field = readField(action, key, item, [...path, key], reading);
    if (field === null) whole = false;
    else fields[key] = field;
  }
  const sound = reportSchemaErrors(action, value, fields, path, reading);
  const leftOut = readLeftOut(action, value, path, reading);
  if (!whole || !sound || leftOut === null || reportOtherSite(fields, value, path, reading)) return null;
  Object.assign(fields, leftOut);
  const names = severalOf(fields.who) ? null : (NAMES[action] ?? null);
  const lasting = forMs === null ? '' : `, for ${shownSpan(forMs)}`;
  return { body: { kind: 'action', action, fields, names, forMs }, text: textOf(action, value) + lasting, names };
}

/** A map as YAML flow style. */
export function flowOf(example: object): string {
  const fields = Object.entries(example).map(([key, value]) => `${key}: ${flowValue(value)}`);
  return `{${fields.join(', ')}}`;
}

function flowValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowValue).join(', ')}]`;
  return typeof value === 'object' && value !== null ? flowOf(value) : String(value);
}

/** Several actors create several things, but a name is bound to one. */
function severalOf(who: FieldValue | undefined): boolean {
  return who?.kind === 'people' && (who.listed || who.who.some(({ count, of }) => (count ?? of) > 1));
}

function ruleOf(action: ActionName, key: string): SchemaNode | undefined {
  const properties = ACTIONS[action].fields.properties as unknown as Readonly<Record<string, SchemaNode>>;
  return Object.hasOwn(properties, key) ? properties[key] : undefined;
}

/** Its `to` is a receiver of the file. */
export const toReceiver = (action: ActionName): boolean => action === 'deliveries' || action === 'resend';

function readField(
  action: ActionName,
  key: string,
  value: unknown,
  path: Path,
  reading: StoryReading,
): FieldValue | null {
  if (value === undefined) return null;
  if (key === 'who' || key === 'near') return readWho(value, path, reading);
  if (toReceiver(action) && key === 'to') {
    const receiver = readReceiverName(value, path, reading);
    return receiver === null ? null : { kind: 'receiver', receiver };
  }
  // A person as destination is given by short name too.
  if (PLACES.includes(key) && typeof value === 'string' && reading.cast.has(value))
    return readWho(value, path, reading);
  if (typeof value === 'string' && value.startsWith('$')) {
    const reference = reading.names.read(value, path, reading.report);
    return reference === null ? null : { kind: 'reference', reference };
  }
  const draws = readDraws(ruleOf(action, key) ?? {}, value, path, reading.report);
  if (draws === null || reportUnknownPlace(action, key, value, path, reading)) return null;
  return draws.length === 0 ? { kind: 'plain', value } : { kind: 'drawn', value, draws };
}

/** `ana`, `[ana, crew]` or `3 of crew`. */
function readWho(value: unknown, path: Path, reading: StoryReading): FieldValue | null {
  const listed = Array.isArray(value);
  const names: unknown[] = listed ? value : [value];
  if (names.length === 0) reading.report.mistake(path, 'The list is empty. Write who: ana.');
  const who = names.map((name, i) => readGroup(name, listed ? [...path, i] : path, reading));
  if (who.length === 0 || who.includes(null)) return null;
  return { kind: 'people', who: who as CastGroup[], listed };
}

function readGroup(value: unknown, path: Path, { cast, report }: StoryReading): CastGroup | null {
  if (typeof value === 'string' && cast.has(value)) return { name: value, count: null, of: cast.get(value)!.length };
  const [, count, name] = typeof value === 'string' ? (SOME_OF.exec(value) ?? []) : [];
  const people = name === undefined ? undefined : cast.get(name);
  if (count === undefined || name === undefined || people === undefined) {
    reportUnknownPerson(name ?? value, path, cast, report);
    return null;
  }
  if (Number(count) >= 1 && Number(count) <= people.length) return { name, count: Number(count), of: people.length };
  const cure = people.length === 1 ? `is one person. Write ${name}.` : `has ${people.length} people. Write fewer.`;
  report.mistake(path, `${quoted(name)} ${cure}`);
  return null;
}

/** Reports violations of the action's schema; false if there are any. */
function reportSchemaErrors(
  action: ActionName,
  value: JsonMap,
  fields: Readonly<Record<string, FieldValue>>,
  path: Path,
  { report }: StoryReading,
): boolean {
  // Both ends of a range must be valid.
  const errors = [0, 1].flatMap((end) => {
    const sample = Object.entries(value).map(([key, item]) => [key, sampleOf(fields[key], item, end as 0 | 1)]);
    const checked = check(ACTIONS[action].fields, Object.fromEntries(sample));
    return checked.ok ? [] : checked.errors;
  });
  for (const { pointer, detail } of errors) {
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
    } else if (fields[key] !== undefined) reportUnfitting(action, value, pointer, detail, path, report);
  }
  return errors.length === 0;
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
      // Reported already.
      return value;
  }
}

/** Prefix of the contract's message about an unknown key. */
const UNKNOWN = 'is not a known field';

/** Reports an invalid value at its own place within the field. */
function reportUnfitting(
  action: ActionName,
  value: JsonMap,
  pointer: string,
  detail: string,
  path: Path,
  report: Report,
) {
  const [key = '', ...inner] = pointer.split('/').slice(1);
  const steps = inner.map((one) => (/^\d+$/.test(one) ? Number(one) : one));
  const place = [...path, key, ...steps];
  const [last] = steps.slice(-1);
  const at = steps.reduce<unknown>(
    (whole, one) => (whole as Record<string | number, unknown> | null)?.[one],
    value[key],
  );
  if (last === undefined || typeof last === 'number') report.mistake(place, complaint(action, key, at, detail));
  else if (detail === 'is required') report.mistake(place.slice(0, -1), `${quoted(key)} needs ${quoted(last)}.`, 'key');
  else if (detail.startsWith(UNKNOWN)) {
    const meant = detail.slice(UNKNOWN.length).replace(/^; did/, ' Did');
    report.mistake(place, `${quoted(last)} is not a key of ${quoted(key)}.${meant}`, 'key');
  } else report.mistake(place, `${quoted(last)} is ${shown(at)}, but ${detail}.`);
}

function complaint(action: ActionName, key: string, value: unknown, detail: string): string {
  const rule = ruleOf(action, key);
  if (rule?.enum !== undefined) {
    return `${shown(value)} is not a value of ${quoted(key)}.${didYouMean(typeof value === 'string' ? value : '', rule.enum.map(String))}`;
  }
  if (rule?.pattern === DURATION_PATTERN) return explainDuration(String(value));
  return `${quoted(key)} is ${shown(value)}, but ${detail}.`;
}

function textOf(action: ActionName, value: JsonMap): string {
  const { who, ...rest } = value;
  const people = Array.isArray(who) ? ` ${who.join(', ')}` : who === undefined ? '' : ` ${String(who)}`;
  const said = Object.entries(rest).map(([key, item]) => `${key} ${shownField(item)}`);
  return [`${action}${people}`, ...said].join(', ');
}

function shownField(item: unknown): string {
  if (Array.isArray(item)) return `[${item.map(shownField).join(', ')}]`;
  if (!isMap(item)) return String(item);
  return `{${Object.entries(item)
    .map(([key, one]) => `${key} ${shownField(one)}`)
    .join(', ')}}`;
}
