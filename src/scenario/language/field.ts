/** Fields of the scenario language: the values of words and keys. Each kind of field has its reader, JSON Schema, explanation and wrong values. */

import { explainDuration, parseDuration, parseRange } from '../../base/time/durations.ts';
import type { Slices } from '../../base/time/slices.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { didYouMean, type FilePlace, shown, unquoted } from '../../plant/mistakes.ts';
import { type LongForm, underKey } from '../../plant/short-forms.ts';
import { parseSpan } from '../model/draws.ts';
import type { Matcher } from '../model/matchers.ts';
import type { MsSpan } from '../model/planned-draws.ts';
import {
  readBody,
  readMatcher,
  readName,
  readReceiverName,
  readTimesOf,
  type ScenarioReading,
} from '../model/read-matcher.ts';
import type { SearchStart } from '../model/references.ts';
import type { Limit, RepeatCount, ScenarioStep } from '../model/scenario.ts';

type FieldKind =
  | 'any'
  | 'company'
  | 'condition'
  | 'count'
  | 'duration'
  | 'flag'
  | 'list'
  | 'map'
  | 'matcher'
  | 'name'
  | 'one-of'
  | 'people'
  | 'receiver'
  | 'reference'
  | 'steps'
  | 'text'
  | 'times';

/** The source of wrong values for `--mutate`: near and impossible values, other names of the file, another method. */
export type WrongValues = 'none' | 'values' | 'people' | 'receivers' | 'companies' | 'names' | 'method';

export interface Field<T> {
  readonly kind: FieldKind;
  /** The explanation, in sentences. */
  readonly help: string;
  /** Draft-07, without a description. */
  readonly schema: JsonMap;
  readonly isRequired: boolean;
  readonly wrong: WrongValues;
  /** The keys, if the value is a map. */
  readonly fields?: Fields;
  /** What a value alone stands for, if the value is a map. */
  readonly alone?: ValueAlone;
  /** Returns null after reporting a mistake. `at` is the position of the value. */
  read(value: unknown, at: ScenarioReading): T | null;
}

/** A value alone instead of a map: `sos: ana` means `sos: {who: ana}`. [scenario-language, Short forms] */
export interface ValueAlone {
  /** The key for which it stands, or the keys, of which the value says which one. */
  readonly keys: readonly [string, ...string[]];
  /** The value alone, as YAML on one line. */
  readonly example: string;
  /** Draft-07, of the value alone. */
  readonly schema: JsonMap;
  /** Returns null for a value that is no short form. */
  longOf(value: unknown): LongForm | null;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type ValueOf<F> = F extends Field<infer T> ? T : never;
type RequiredField<T> = Field<T> & { readonly isRequired: true };

/** The fields of declarations by their keys. */
export const fieldsOf = <D extends Readonly<Record<string, { readonly field: Field<unknown> }>>>(declarations: D) =>
  Object.fromEntries(Object.entries(declarations).map(([key, { field: one }]) => [key, one])) as {
    readonly [K in keyof D]: D[K]['field'];
  };

export const required = <T>(field: Field<T>): RequiredField<T> => ({ ...field, isRequired: true });

/** Returns the same field with another explanation. */
export const explained = <F extends Field<unknown>>(field: F, help: string): F => ({ ...field, help });

/** An optional field; its wrong values are literals unless `wrong` says otherwise. */
export function field<T>(
  kind: FieldKind,
  help: string,
  schema: JsonMap,
  read: Field<T>['read'],
  wrong: WrongValues = 'values',
): Field<T> {
  return { kind, help, schema, isRequired: false, wrong, read };
}

/** Any value that is not a map stands for this key; a list only if the schema takes lists. */
export const aloneFor = (key: string, example: string, schema: JsonMap): ValueAlone => ({
  keys: [key],
  example,
  schema,
  longOf: (value) => {
    const isUnfit = value === null || value === undefined || isMap(value);
    const isList = Array.isArray(value) && ![schema['type']].flat().includes('array');
    return isUnfit || isList ? null : underKey(key, value);
  },
});

/** The form of durations; part of their explanations. */
export const DURATION_FORM = 'Like 500ms, 45s, 2m, 1h30m, 24h.';

const TEXT: JsonMap = { type: 'string' };

/** Any JSON value. */
export const anything = (help: string): Field<unknown> => field('any', help, {}, (value) => value);

/**
 * A text of at most `most` characters. `blank`: the message for an empty text, if an empty
 * text is a mistake.
 */
export const text = (
  help: string,
  { most = Number.POSITIVE_INFINITY, blank }: { most?: number; blank?: string } = {},
) =>
  field<string>('text', help, TEXT, (value, at) => {
    if (typeof value !== 'string') return at.mistake(notText(value, at));
    if (filledText(value, at) === null) return null;
    if ([...value].length > most) return at.mistake(`${shown(value)} is too long. Write at most ${most} characters.`);
    return blank !== undefined && value.trim() === '' ? at.mistake(blank) : value;
  });

const notText = (value: unknown, at: FilePlace): string =>
  unquoted(value, at) ?? `${shown(value)} is not a text. Write it in quotes.`;

/** A text of any length. */
export const quotedText = (help: string): Field<string> =>
  field('text', help, TEXT, (value, at) => {
    if (typeof value !== 'string') return at.mistake(notText(value, at));
    return filledText(value, at);
  });

/**
 * The text, unless it is a whole value `$name` or `$name.field`, which is reported: parameters and cases have their
 * values before a text is read, and a name of an earlier step is known only in the run.
 */
export function filledText(value: string, at: ScenarioReading): string | null {
  if (!/^\$[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_]+)*$/.test(value)) return value;
  if (at.names.read(value, at) === null) return null;
  return at.mistake(`A text cannot be ${value}, which is known only in the run. Write the text itself.`);
}

/** One of the words. `noun` is used in the message: "x" is not NOUN. */
export const oneOf = <W extends string>(help: string, words: readonly W[], noun: string): Field<W> =>
  field('one-of', help, { type: 'string', enum: words }, (value, at) => {
    if (words.includes(value as W)) return value as W;
    return at.mistake(`${shown(value)} is not ${noun}.${didYouMean(value, words)}`);
  });

/** true or false. */
export const flag = (help: string): Field<boolean> =>
  field('flag', help, { type: 'boolean' }, (value, at) => {
    if (typeof value === 'boolean') return value;
    return at.mistake(`${shown(value)} is neither true nor false. Write ${at.path.at(-1)}: true.`);
  });

/** Milliseconds: a duration, or a range from which each run draws one. */
export const span = (help: string): Field<MsSpan> =>
  field('duration', help, TEXT, (value, at) => parseSpan(value) ?? at.mistake(explainDuration(String(value))), 'none');

/** Milliseconds: a duration without a range. */
export const duration = (help: string): Field<number> =>
  field('duration', help, TEXT, (value, at) => {
    const ms = typeof value === 'string' ? parseDuration(value) : null;
    return ms ?? at.mistake(explainDuration(String(value)));
  });

/** `5s` is an upper limit; `29s..31s` has a lower one too. */
export const limit = (help: string): Field<Limit> =>
  field('duration', help, TEXT, (value, at) => {
    const max = typeof value === 'string' ? parseDuration(value) : null;
    if (max !== null) return { min: 0, max };
    const range = typeof value === 'string' ? parseRange(value) : null;
    return range ?? at.mistake(explainDuration(String(value)));
  });

/** A name that `as` binds. The reader of the step binds it, because it knows the kind of the found object. */
export const boundName = (help: string): Field<unknown> =>
  field('name', help, { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_-]*$' }, (value) => value, 'none');

/** `start`, or the name that a step before this one bound. */
export const searchStart = (help: string): Field<SearchStart> =>
  field(
    'reference',
    help,
    TEXT,
    (value, at) => {
      if (value === 'start') return value;
      const [form, isName] = ['Write since: start, or the name that a step before this one bound.', /^\$/];
      if (typeof value !== 'string' || !isName.test(value))
        return at.mistake(`${shown(value)} is not where a search starts. ${form}`);
      const reference = at.names.readStart(value, at);
      if (reference === null || (reference.fields.length === 0 && at.names.kindOf(reference) !== 'value'))
        return reference;
      return at.mistake(`${value} is bound by no step. ${form}`);
    },
    'none',
  );

/** 1 to `most`, or a range from which each run draws. */
export const times = (help: string, most: number): Field<RepeatCount> =>
  field('times', help, { type: 'integer', minimum: 1 }, (value, at) => readTimesOf(value, most, at));

/** A receiver of the file by its short name. */
export const receiver = (help: string): Field<string> => field('receiver', help, TEXT, readReceiverName, 'receivers');

/** The name of a company of the file. */
export const company = (help: string): Field<string> =>
  field(
    'company',
    help,
    TEXT,
    (value, at) => readName(value, at.companies, 'not a company of the scenario', at),
    'companies',
  );

/** A matcher for a value. */
export const matcher = (help: string): Field<Matcher> =>
  field('matcher', help, {}, (value, at) => readMatcher(value, at));

/** A matcher for a body: only the given keys are compared. */
export const body = (help: string): Field<Matcher> => field('matcher', help, {}, readBody);

/** Steps; the step calls this reader, which reads them in slices. */
export type StepsReader = () => Slices<ScenarioStep[]>;

export const steps = (help: string): Field<StepsReader> =>
  field(
    'steps',
    help,
    { type: 'array', items: { $ref: '#/definitions/step' } },
    (value, at) => () => at.readSteps(value, at),
    'none',
  );
