/** The steps and conditions as data, for `explain --json` and `trigger`. */
import type { ActionName } from '../../../contract/actions.ts';
import { type JsonMap, type SchemaNode, variantsOf } from '../../../contract/schema.ts';
import { type Condition, VIEW_HELP } from '../condition.ts';
import { CONDITIONS } from '../conditions.ts';
import { describedSchema } from '../read-map.ts';
import { STEP_GROUPS, type Step, type StepGroup } from '../step.ts';
import { STEPS } from '../steps.ts';

interface FieldHelp {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonMap;
}

interface StepHelp {
  readonly word: string;
  readonly group: StepGroup;
  readonly help: string;
  /** The value of the word, as YAML on one line. */
  readonly example: string;
  /** Empty if the value is not a map. */
  readonly fields: readonly FieldHelp[];
  /** Modifiers in addition to those of every step. */
  readonly beside: readonly string[];
  /** The action with the same name, if there is one. */
  readonly action: ActionName | null;
}

export interface ConditionHelp {
  readonly word: string;
  readonly help: string;
  /** The value of the word. */
  readonly value: string;
  /** The condition's own keys with explanations. */
  readonly keys: Readonly<Record<string, string>>;
  /** Fields of the resource that the condition accepts. */
  readonly fields: readonly string[];
  readonly example: string;
  /** Words that are possible values. */
  readonly words: readonly string[];
  /** The view that a check of this condition uses. */
  readonly sees: string;
  /** Keys whose values are words, with these words. */
  readonly wordsOfKeys: Readonly<Record<string, readonly string[]>>;
}

const GROUPS = Object.keys(STEP_GROUPS);

/** In the order of their groups. */
export const STEPS_IN_GROUPS: readonly Step[] = [...STEPS.values()].toSorted(
  (a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group),
);

export const STEP_CATALOGUE: readonly StepHelp[] = STEPS_IN_GROUPS.map(
  ({ word, group, help, example, modifiers, value, action }) => ({
    word,
    group,
    help,
    example,
    fields: Object.entries(value.fields ?? {}).map(([name, field]) => ({
      name,
      required: field.isRequired,
      schema: describedSchema(field),
    })),
    beside: modifiers,
    action,
  }),
);

export const CONDITION_CATALOGUE: readonly ConditionHelp[] = [...CONDITIONS.values()].map(conditionHelp);

function conditionHelp({ word, help, example, sees, fields, resource, words }: Condition): ConditionHelp {
  const own = Object.entries(fields).filter(([key]) => key !== word);
  return {
    word,
    help,
    value: fields[word]?.help ?? '',
    keys: Object.fromEntries(own.map(([key, field]) => [key, field.help])),
    fields: Object.keys(resource?.schema.properties ?? {}),
    example,
    words,
    sees: VIEW_HELP[sees],
    wordsOfKeys: Object.fromEntries(
      Object.entries(fields).flatMap(([key, { schema }]) => {
        const own = wordsOf(schema as SchemaNode);
        return own.length === 0 ? [] : [[key, own]];
      }),
    ),
  };
}

/** The words that a value of the schema can be, also as an item of a list. */
export function wordsOf(schema: SchemaNode): readonly string[] {
  return variantsOf(schema).flatMap(({ enum: words = [], items }) => [
    ...words.filter((word) => typeof word === 'string'),
    ...(items === undefined ? [] : wordsOf(items)),
  ]);
}
