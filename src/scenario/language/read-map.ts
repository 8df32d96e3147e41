/** The reader of maps: unknown and missing keys, keys that exclude each other, modifiers inside braces, and the values of the fields. */

import { isSlices, type Slices } from '../../base/time/slices.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, type FilePlace, shown } from '../../plant/mistakes.ts';
import type { ScenarioReading } from '../model/read-matcher.ts';
import type { Field, Fields, ValueAlone, ValueOf } from './field.ts';

type ExplainedKeys = Readonly<Record<string, Pick<Field<unknown>, 'schema' | 'help' | 'isRequired'>>>;

/** The values of a map without mistakes; undefined for an absent key. */
type MapValues<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends { readonly isRequired: true } ? ValueOf<F[K]> : ValueOf<F[K]> | undefined;
};

/** A map as read. */
export interface MapReading<F extends Fields> {
  readonly given: JsonMap;
  /** Null for a value with a mistake; undefined for an absent key. */
  readonly each: { readonly [K in keyof F]: ValueOf<F[K]> | null | undefined };
  /** Null if a value has a mistake or a required key is absent. Unknown keys are reported but do not matter here. */
  readonly whole: MapValues<F> | null;
}

interface MapShape<F extends Fields> {
  /** The word that has these keys; messages use it. */
  readonly word: string;
  readonly fields: F;
  /** The correct form, for the message about a value that is not a map. */
  readonly write: string | ((value: unknown, at: ScenarioReading) => string);
  /** What a value alone stands for. */
  readonly alone?: ValueAlone;
  /** Keys that belong to another word, with their messages. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** Exactly one of these keys must be present; `message` is reported for none or several. */
  readonly only?: { readonly keys: readonly (keyof F & string)[]; readonly message: string };
}

/** A map with these keys. */
export function map<F extends Fields>(help: string, shape: MapShape<F>): Field<MapReading<F>> & { readonly fields: F } {
  const { word, fields, write, alone, only, elsewhere = {} } = shape;
  const written = typeof write === 'string' ? () => write : write;
  return {
    kind: 'map',
    help,
    schema: schemaOf(fields),
    isRequired: false,
    wrong: 'none',
    fields,
    ...(alone === undefined ? {} : { alone }),
    read: (value, at) => {
      if (!isMap(value))
        return at.mistake(`${shown(value)} is not what ${quoted(word)} needs. Write ${word}: ${written(value, at)}.`);
      reportUnknownKeys(value, Object.keys(fields), `is not a key of ${quoted(word)}`, at, elsewhere);
      for (const [key, { isRequired }] of Object.entries(fields))
        if (isRequired && !Object.hasOwn(value, key)) at.mistake(`${quoted(word)} needs ${quoted(key)}.`, 'key');
      if (only !== undefined && only.keys.filter((key) => Object.hasOwn(value, key)).length !== 1)
        return at.mistake(only.message, 'key');
      return readFields(value, fields, at);
    },
  };
}

/** The draft-07 schema of a map that has only these keys. */
export function schemaOf(fields: ExplainedKeys): JsonMap {
  const needed = Object.entries(fields).flatMap(([key, { isRequired }]) => (isRequired ? [key] : []));
  const schema: JsonMap = {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(fields).map(([key, one]) => [key, describedSchema(one)])),
  };
  return needed.length === 0 ? schema : { ...schema, required: needed };
}

/** The schema of a value with its explanation. */
export const describedSchema = ({ schema, help }: Pick<Field<unknown>, 'schema' | 'help'>): JsonMap =>
  help === '' ? schema : { ...schema, description: help };

/** Reads the values of the keys that have a field; other keys are ignored. */
export function readFields<F extends Fields>(given: JsonMap, fields: F, at: ScenarioReading): MapReading<F> {
  const each: Record<string, unknown> = {};
  let whole = true;
  for (const [key, { kind, isRequired, read }] of Object.entries(fields)) {
    if (!Object.hasOwn(given, key)) {
      whole &&= !isRequired;
      continue;
    }
    const value = given[key];
    // Undefined: the YAML reader has already reported why.
    const found = value === undefined ? null : read(value, at.of(key));
    each[key] = found;
    // These kinds accept null as a value: `body: null` of a call, and a name, which its binder reports.
    whole &&= found !== null || (value === null && (kind === 'any' || kind === 'name'));
  }
  return {
    given,
    each: each as MapReading<F>['each'],
    whole: whole ? (each as MapValues<F>) : null,
  };
}

/** Reports unknown keys, each as `"key" ISNOT.`; false if there is one. */
export function reportUnknownKeys(
  value: JsonMap,
  known: readonly string[],
  isNot: string,
  at: FilePlace,
  elsewhere: Readonly<Record<string, string>> = {},
): boolean {
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length === 0) return true;
  const free = known.filter((key) => !Object.hasOwn(value, key));
  for (const key of unknown) {
    const message = Object.hasOwn(elsewhere, key) ? elsewhere[key] : undefined;
    at.of(key).mistake(message ?? `${quoted(key)} ${isNot}.${didYouMean(key, free)}`, 'key');
  }
  return false;
}

interface ModifiersAround {
  /** The modifiers of all words. */
  readonly modifiers: readonly string[];
  /** The modifiers of this word. */
  readonly fitting: readonly string[];
  /** The keys of the word itself that have the name of a modifier, such as `at` of `position`. */
  readonly own: Fields | undefined;
}

/**
 * Returns the step, rule or `when` with its modifiers moved next to the word. Each moved modifier is reported with the
 * fix, or as not allowed for this word. [scenario-language, Time and reference]
 */
export function withModifiersBeside(step: JsonMap, word: string, around: ModifiersAround, place: FilePlace): JsonMap {
  const value = step[word];
  if (!isMap(value)) return step;
  const { modifiers, fitting, own = {} } = around;
  const inside = Object.keys(value).filter((key) => modifiers.includes(key) && !Object.hasOwn(own, key));
  if (inside.length === 0) return step;
  const meant: Record<string, unknown> = { ...step };
  for (const key of inside) {
    const at = place.of(word, key);
    if (!fitting.includes(key)) {
      at.mistake(`${quoted(key)} has no effect in ${quoted(word)} or next to it. Delete it.`, 'key');
      continue;
    }
    const twice = Object.hasOwn(step, key);
    const sentence = `${quoted(key)} belongs next to ${quoted(word)}, not inside.`;
    if (twice) at.mistake(`${sentence} It is there already: delete this one.`, 'key');
    else
      at.mistake(`${sentence} Write it next to the step, on its own line${asLine(key, value[key], at)}.`, 'key', {
        kind: 'beside',
      });
    // A number as its text: at the place to which it moves, the file has none.
    if (!twice) meant[key] = typeof value[key] === 'number' ? writtenText(value[key], at) : value[key];
  }
  meant[word] = Object.fromEntries(Object.entries(value).filter(([key]) => !inside.includes(key)));
  return meant;
}

function asLine(key: string, value: unknown, at: FilePlace): string {
  if (typeof value === 'object') return '';
  const written = writtenText(value, at);
  return `: ${key}: ${key === 'note' && typeof value === 'number' ? quoted(written) : written}`;
}

/** `1.10` where YAML reads 1.1. */
const writtenText = (value: unknown, { report, path }: FilePlace): string =>
  typeof value === 'number' ? (report.writtenAt?.(path) ?? String(value)) : String(value);

/**
 * Reads the entries of a list, in slices; entries with mistakes are reported and omitted. `notList`: the message for a
 * value that is not a list. `read` returns null after a mistake.
 */
export function* readList<T>(
  value: unknown,
  at: ScenarioReading,
  notList: string,
  read: (entry: unknown, at: ScenarioReading) => T | null | Slices<T | null>,
): Slices<T[]> {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    at.mistake(notList, 'key');
    return [];
  }
  const entries: T[] = [];
  for (const [place, entry] of value.entries()) {
    const reading = read(entry, at.of(place));
    const one = isSlices(reading) ? yield* reading : reading;
    if (one !== null) entries.push(one);
    yield;
  }
  return entries;
}
