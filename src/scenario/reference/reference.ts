/** The reference of the language for `sandbox explain`, derived from the catalogues, which are total by their types. [scenario-language] */
import { CLI } from '../../base/command-form.ts';
import { keysIn, type SchemaKey, type SchemaNode } from '../../contract/schema.ts';
import { FILE_KEYS, type FileForm } from '../story/file-keys.ts';
import { MODIFIER_HELP, RULE_HELP } from './beside-catalogue.ts';
import { SECTION_HELP, type SectionHelp } from './section-catalogue.ts';
import { STEP_CATALOGUE, STEP_GROUPS, type StepHelp } from './step-catalogue.ts';
import { SUBJECT_CATALOGUE, type SubjectHelp } from './subject-catalogue.ts';
import { FIELD_HELP, MATCHER_HELP, type ValueHelp } from './value-catalogue.ts';

export const WORD_GROUPS = {
  file: 'Keys of a file',
  ...STEP_GROUPS,
  subjects: 'What a check can be about',
  beside: 'Beside the word of a step',
  rules: 'In rules and when',
  values: 'How values are written',
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
}

/** The word of "when" that rules do not have. */
const FIRST: Pick<WordHelp, 'help' | 'example'> = {
  help: 'Of "when": the steps run the first time that the check comes true.',
  example: '- first: {alert: any}\n  steps: [{mark: The first alert}]',
};

const FORM_NOUNS: Readonly<Record<FileForm, string>> = {
  scenario: 'scenario',
  part: 'part',
  explore: `file of "${CLI} explore"`,
};

export const REFERENCE: readonly WordHelp[] = [
  ...Object.entries(SECTION_HELP).map(([word, help]) => sectionWord(word, help)),
  ...STEP_CATALOGUE.map(stepWord),
  ...SUBJECT_CATALOGUE.map(subjectWord),
  ...Object.entries(MODIFIER_HELP).map(([word, help]) => ({ ...bare(word, 'beside'), ...help })),
  ...Object.entries(RULE_HELP).map(([word, help]) => ({ ...bare(word, 'rules'), ...help })),
  { ...bare('first', 'rules'), ...FIRST },
  ...[...Object.values(MATCHER_HELP), ...Object.values(FIELD_HELP)].flatMap((help) =>
    help === null ? [] : [valueWord(help)],
  ),
];

/** All entries of a word, such as the step and the subject `worker`. Empty for an unknown one. */
export function entriesOf(word: string): readonly WordHelp[] {
  const lower = word.toLowerCase();
  return REFERENCE.filter((entry) => [entry.word, ...entry.also].some((one) => one.toLowerCase() === lower));
}

/** The words that have this key. */
export function wordsWithKey(key: string): readonly WordHelp[] {
  return REFERENCE.filter(({ keys }) => keys.some((one) => isKey(one, key)));
}

/** Keys match by full name or by last part. */
export const isKey = ({ name }: KeyHelp, key: string): boolean => name === key || name.split('.').at(-1) === key;

function bare(word: string, group: WordGroup): Pick<WordHelp, 'word' | 'group' | 'also' | 'keys' | 'remarks'> {
  return { word, group, also: [], keys: [], remarks: [] };
}

function sectionWord(word: string, { help, example, of, keys = {} }: SectionHelp): WordHelp {
  const keyHelps = Object.entries(keys).map(([name, meaning]) => ({ name, required: false, meaning }));
  const stands = FILE_KEYS[word as keyof typeof FILE_KEYS].stands;
  const where = stands.map((form) => FORM_NOUNS[form]).join(', ');
  return {
    ...bare(word, 'file'),
    ...{ help, example },
    keys: of === undefined ? keyHelps : keysIn(of.schema as SchemaNode).map(keyHelp),
    remarks: [`Allowed in: ${where}.${of?.each === true ? ' Each entry has these keys.' : ''}`],
  };
}

function keyHelp({ name, required, node }: SchemaKey): KeyHelp {
  return { name, required, meaning: node };
}

function stepWord({ word, group, help, example, fields, beside, action }: StepHelp): WordHelp {
  const elsewhere =
    action === null
      ? []
      : [`In a running sandbox: ${CLI} trigger ${action}, or POST /v1/sandbox/actions {"action": "${action}", ...}`];
  // `never` needs `for`.
  const lines = `- ${word}: ${example}${word === 'never' ? '\n  for: 1m' : ''}`;
  return {
    ...bare(word, group),
    ...{ help, example: lines },
    keys: fields.flatMap(({ name, required, schema }) => [
      { name, required, meaning: schema as SchemaNode },
      ...keysIn(schema as SchemaNode, `${name}.`).map(keyHelp),
    ]),
    remarks: [`Beside it: ${['after', 'at', ...beside, 'only', 'note'].join(', ')}`, ...elsewhere],
  };
}

function subjectWord({ word, help, value, keys, fields, example }: SubjectHelp): WordHelp {
  return {
    ...bare(word, 'subjects'),
    ...{ help, example: `- expect: ${example}` },
    keys: [
      { name: word, required: true, meaning: value },
      ...Object.entries(keys).map(([name, meaning]) => ({ name, required: false, meaning })),
    ],
    remarks: fields.length === 0 ? [] : [`and its fields: ${fields.join(', ')}`],
  };
}

function valueWord({ word, also = [], help, example }: ValueHelp): WordHelp {
  return { ...bare(word, 'values'), also, help, example };
}
