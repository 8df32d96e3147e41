/** The reference of the language for `sandbox explain`, derived from the declarations of the language. [scenario-language] */
import { CLI } from '../../../base/text/command-form.ts';
import { keysIn, type SchemaKey, type SchemaNode } from '../../../contract/schema.ts';
import { list, quoted } from '../../../contract/sentences.ts';
import { BEHAVIOUR_HELP } from '../../model/receiver-behaviour.ts';
import { TOKEN_HELP } from '../../model/scenario.ts';
import { VIEW_HELP } from '../condition.ts';
import type { FileForm } from '../head.ts';
import { MODIFIER_NAMES, MODIFIERS, type Modifier } from '../modifiers.ts';
import { describedSchema } from '../read-map.ts';
import { RULE_KEYS } from '../rules.ts';
import { SECTION_NAMES, SECTION_OF, type SectionName } from '../sections.ts';
import { STEP_GROUPS, type Step } from '../step.ts';
import { FIELD_HELP, MATCHER_HELP, TERM_HELP, type ValueHelp } from '../values.ts';
import { FIRST_EXAMPLE, WHEN_FIELDS } from '../whens.ts';
import { CONDITION_CATALOGUE, type ConditionHelp, STEPS_IN_GROUPS, wordsOf } from './catalogue.ts';

export const WORD_GROUPS = {
  file: 'Keys of a file',
  ...STEP_GROUPS,
  subjects: 'Conditions of checks',
  beside: 'Modifiers of steps',
  rules: 'Keys of rules and of when',
  values: 'How values are written',
  words: 'Words for receivers and tokens',
  terms: 'Terms',
} as const;
export type WordGroup = keyof typeof WORD_GROUPS;

/** A key below a word. */
export interface KeyHelp {
  readonly name: string;
  readonly required: boolean;
  /** A description, or the schema that has one. */
  readonly meaning: string | SchemaNode;
}

export interface WordHelp {
  readonly word: string;
  /** Synonyms. */
  readonly also: readonly string[];
  readonly group: WordGroup;
  readonly help: string;
  /** YAML: lines of a file, or list entries. */
  readonly example: string;
  readonly keys: readonly KeyHelp[];
  /** Further lines, such as the allowed modifiers. */
  readonly remarks: readonly string[];
  /** The action that a step performs; null for other words. */
  readonly action: string | null;
  /** The modifiers that a step may have. */
  readonly modifiers: readonly string[];
  /** A step with a value alone; null for words without a short form. */
  readonly short: string | null;
  /** A file of the package that shows the whole; null for most words. */
  readonly file: string | null;
}

const FORM_NOUNS: Readonly<Record<FileForm, string>> = {
  scenario: 'scenario',
  part: 'part',
  explore: `file of "${CLI} explore"`,
};

export const REFERENCE: readonly WordHelp[] = [
  ...SECTION_NAMES.map(sectionWord),
  ...STEPS_IN_GROUPS.map(stepWord),
  ...CONDITION_CATALOGUE.map(conditionWord),
  ...MODIFIER_NAMES.map((word) => modifierWord(word)),
  ...Object.entries(RULE_KEYS).map(([word, { field, example }]) => ({
    ...bare(word, 'rules'),
    help: field.help,
    example,
  })),
  { ...bare('first', 'rules'), help: WHEN_FIELDS.first.help, example: FIRST_EXAMPLE },
  ...[...Object.values(MATCHER_HELP), ...Object.values(FIELD_HELP)].flatMap((help) =>
    help === null ? [] : [valueWord(help)],
  ),
  ...TERM_HELP.map((help) => ({ ...valueWord(help), group: 'terms' as const })),
  ...Object.entries(BEHAVIOUR_HELP).map(([word, help]) => ({
    ...bare(word, 'words'),
    help: `${help} A value of "does" of a receiver.`,
    example: `- receiver: {name: erp, does: ${word}}`,
  })),
  ...Object.entries(TOKEN_HELP).map(([word, help]) => ({
    ...bare(word, 'words'),
    help: `${help} A value of "token" of the step "api".`,
    example: `- api: {get: /v1/alerts, token: ${word}}`,
  })),
];

/** Returns all entries of a word; for example, `worker` is both a step and a subject. Empty for an unknown word. */
export function entriesOf(word: string): readonly WordHelp[] {
  const lower = word.toLowerCase();
  return REFERENCE.filter((entry) => [entry.word, ...entry.also].some((one) => one.toLowerCase() === lower));
}

/** The words that have this key. */
export function wordsWithKey(key: string): readonly WordHelp[] {
  return REFERENCE.filter(({ keys }) => keys.some((one) => isKey(one, key)));
}

/** A key that has words as its values. */
export interface WordHolder extends Pick<WordHelp, 'word' | 'group'> {
  readonly key: string;
  readonly words: readonly string[];
}

/** The keys of steps, sections and checks whose values are words, with these words. */
const WORD_HOLDERS: readonly WordHolder[] = [
  ...REFERENCE.flatMap(({ word, group, keys }) =>
    keys.flatMap(({ name, meaning }) => {
      const words = typeof meaning === 'string' ? [] : wordsOf(meaning);
      return words.length === 0 ? [] : [{ word, group, key: name, words }];
    }),
  ),
  ...CONDITION_CATALOGUE.flatMap(({ word, words, wordsOfKeys }) => {
    const ofKeys = Object.entries(wordsOfKeys).map(([key, own]) => ({
      word,
      group: 'subjects' as const,
      key,
      words: own,
    }));
    return words.length === 0 ? ofKeys : [{ word, group: 'subjects' as const, key: word, words }, ...ofKeys];
  }),
];

/** The keys that can have this word as their value, such as `lost` of the step `signal`. */
export const holdersOfWord = (word: string): readonly WordHolder[] =>
  WORD_HOLDERS.filter(({ words }) => words.includes(word.toLowerCase()));

/** Every word that is the value of a key. */
export const VALUE_WORDS: readonly string[] = [...new Set(WORD_HOLDERS.flatMap(({ words }) => words))];

/** A key matches by its full name or by the last part of its name. */
export const isKey = ({ name }: KeyHelp, key: string): boolean => name === key || name.split('.').at(-1) === key;

function bare(word: string, group: WordGroup): Omit<WordHelp, 'help' | 'example'> {
  return { word, group, also: [], keys: [], remarks: [], action: null, modifiers: [], short: null, file: null };
}

function sectionWord(word: SectionName): WordHelp {
  const { help, example, forms, of, keys = {}, words = {} } = SECTION_OF[word];
  const explained = [
    ...Object.entries(keys).map(([name, { help: meaning, isRequired }]) => ({ name, required: isRequired, meaning })),
    ...Object.entries(words).map(([name, meaning]) => ({ name, required: false, meaning })),
  ];
  const where = forms.map((form) => FORM_NOUNS[form]).join(', ');
  return {
    ...bare(word, 'file'),
    help,
    example,
    keys: of === undefined ? explained : keysIn(of.schema as SchemaNode).map(keyHelp),
    remarks: [`Allowed in: ${where}.${of?.each === true ? ' Each entry has these keys.' : ''}`],
  };
}

function keyHelp({ name, required, node }: SchemaKey): KeyHelp {
  return { name, required, meaning: node };
}

function stepWord({ word, group, help, example, exampleModifiers, value, modifiers, action }: Step): WordHelp {
  const elsewhere =
    action === null
      ? []
      : [`In a running sandbox: ${CLI} trigger ${action}, or POST /v1/sandbox/actions {"action": "${action}", ...}`];
  const fitting = MODIFIER_NAMES.filter((name) => MODIFIERS[name].ofEveryStep || modifiers.some((own) => own === name));
  return {
    ...bare(word, group),
    help,
    example: `- ${word}: ${example}${exampleModifiers === null ? '' : `\n  ${exampleModifiers}`}`,
    keys: Object.entries(value.fields ?? {}).flatMap(([name, field]) => [
      { name, required: field.isRequired, meaning: describedSchema(field) as SchemaNode },
      ...keysIn(field.schema as SchemaNode, `${name}.`).map(keyHelp),
    ]),
    remarks: [...shortRemark(word, value), `Modifiers: ${fitting.join(', ')}`, ...elsewhere],
    action,
    modifiers: fitting,
    short: value.alone === undefined ? null : `- ${word}: ${value.alone.example}`,
  };
}

/** The short form of a step, if it has one. */
function shortRemark(word: string, { alone }: Step['value']): string[] {
  if (alone === undefined) return [];
  const keys = list(alone.keys.map(quoted));
  return [`A value alone stands for ${keys}: - ${word}: ${alone.example}`];
}

function modifierWord(word: Modifier): WordHelp {
  const { field, example } = MODIFIERS[word];
  return { ...bare(word, 'beside'), help: field.help, example };
}

function conditionWord({ word, help, value, keys, fields, example, sees }: ConditionHelp): WordHelp {
  return {
    ...bare(word, 'subjects'),
    help,
    // The answer of the user's own system is for rules only.
    example: `- ${sees === VIEW_HELP['own-system'] ? 'always' : 'expect'}: ${example}`,
    keys: [
      { name: word, required: true, meaning: value },
      ...Object.entries(keys).map(([name, meaning]) => ({ name, required: false, meaning })),
    ],
    remarks: [...(fields.length === 0 ? [] : [`and its fields: ${fields.join(', ')}`]), sees],
  };
}

function valueWord({ word, also = [], help, example, file }: ValueHelp): WordHelp {
  return { ...bare(word, 'values'), also, help, example, file: file ?? null };
}
