/** The declaration of a condition, which is the subject of a check. Its reader, schema, explanation, permission and mutations are derived from it. */

import type { Scope } from '../../contract/enumerations.ts';
import type { JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import type { CheckSubject } from '../judging/subject.ts';
import { type Matcher, reportMisshapen } from '../model/matchers.ts';
import type { ScenarioReading } from '../model/read-matcher.ts';
import { readObjectFields } from './conditions/parts.ts';
import type { Field, Fields } from './field.ts';
import { type MapReading, readFields, reportUnknownKeys } from './read-map.ts';

/** The result of reading the condition of a check. */
export type ReadSubjectParts = Omit<CheckSubject, 'word' | 'lasts' | 'searches' | 'scopes'>;

/** How `sandbox run --mutate` treats the details of a condition. */
interface ConditionMutation {
  /** True if the state may have had another value before, so that a slightly wrong value can be true for a moment. */
  readonly isPassing: boolean;
}

/** What a check sees, by the side whose view it uses. [scenario-language, Subjects of checks] */
export const VIEW_HELP = {
  client:
    'The check sees what an unscoped client of the company sees: names of the contract and the veil apply, its scopes and contractors do not. To check what one particular client sees, use the step "api".',
  outgoing: 'The check sees what the sandbox sent.',
  screen: 'The check sees what the emulated watch shows to the worker.',
  calls: 'The check sees the calls of the customer’s client, and their answers.',
  'own-system': 'The check sees what your own system answers.',
} as const;
type ConditionView = keyof typeof VIEW_HELP;

/** `noun` is the name in messages, such as "an alert". */
export interface Resource {
  readonly schema: { readonly properties: object };
  readonly noun: string;
}

interface ConditionDeclaration<W extends string, F extends Fields> {
  readonly word: W;
  readonly help: string;
  /** As YAML on one line. */
  readonly example: string;
  /** True for a state; false for an occurrence, which only one expectation can take. */
  readonly lasts: boolean;
  /** True if only what came since the start of the search counts; `read` may return another value. */
  readonly searches?: true;
  readonly sees: ConditionView;
  /** The word and its own keys. */
  readonly fields: F & { readonly [K in W]: Field<unknown> };
  /** Values of the word that editors offer. */
  readonly words?: readonly string[];
  /** The resource whose fields are keys too; null: there are no other keys. */
  readonly resource: Resource | null;
  /** The resource with which a particular check compares; null: any body. */
  shapeOf?(given: JsonMap): Resource | null;
  /** A client without these scopes cannot see the subject of the check; `read` may return other scopes. */
  readonly scopes: readonly Scope[];
  readonly mutation: ConditionMutation;
  /** `body`: the matcher of the resource's fields; null if one of them has a mistake. */
  read(
    reading: MapReading<F> & { readonly body: Matcher | null },
    at: ScenarioReading,
  ): (ReadSubjectParts & Partial<Pick<CheckSubject, 'scopes' | 'searches'>>) | null;
}

/** A condition of the language. */
export interface Condition {
  readonly word: string;
  readonly help: string;
  readonly example: string;
  readonly lasts: boolean;
  readonly searches: boolean;
  readonly sees: ConditionView;
  readonly fields: Fields;
  readonly words: readonly string[];
  readonly resource: Resource | null;
  readonly scopes: readonly Scope[];
  readonly mutation: ConditionMutation;
  /** Reads a check with this word; returns null after reporting a mistake. */
  read(fields: JsonMap, at: ScenarioReading): CheckSubject | null;
}

export function defineCondition<const W extends string, F extends Fields>(
  declaration: ConditionDeclaration<W, F>,
): Condition {
  const { word, help, example, lasts, sees, fields, words = [], resource, scopes, mutation } = declaration;
  const searches = declaration.searches ?? false;
  const known = Object.keys(fields);
  const shapeOf = declaration.shapeOf ?? (() => resource);
  return {
    word,
    help,
    example,
    lasts,
    searches,
    sees,
    fields,
    words,
    resource,
    scopes,
    mutation,
    read: (given, at) => {
      if (resource === null) reportUnknownKeys(given, known, `is not a key of a check of ${quoted(word)}`, at);
      const { matcher, whole } = readObjectFields(resource === null ? {} : given, known, at);
      const shape = shapeOf(given);
      if (shape !== null) reportMisshapen(matcher, shape.schema, shape.noun, at);
      const reading = readFields(given, fields as F, at);
      const body = whole ? matcher : null;
      const read = declaration.read({ given, each: reading.each, whole: reading.whole, body }, at);
      return read === null ? null : { scopes, searches, ...read, word, lasts };
    },
  };
}
