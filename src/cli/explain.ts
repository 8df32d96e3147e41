/** `sandbox explain`: the reference of the scenario language, word by word, each with an example. */
import type { Command } from 'commander';
import { CLI } from '../base/command-form.ts';
import type { SchemaNode } from '../contract/schema.ts';
import { closest, quoted } from '../contract/sentences.ts';
import {
  entriesOf,
  isKey,
  type KeyHelp,
  REFERENCE,
  WORD_GROUPS,
  type WordHelp,
  wordsWithKey,
} from '../scenario/reference/reference.ts';
import { STEP_CATALOGUE } from '../scenario/reference/step-catalogue.ts';
import { SUBJECT_CATALOGUE } from '../scenario/reference/subject-catalogue.ts';
import { colourOf, EXIT, envelope, out, usage } from './output.ts';

const HELP = `
Examples:
  ${CLI} explain                every word by group: keys of a file, steps, checks, what stands beside them, values
  ${CLI} explain fall           a step
  ${CLI} explain delivery       what a check can be about
  ${CLI} explain rules          a key of a file
  ${CLI} explain within         what stands beside a step
  ${CLI} explain range          how a value is written
  ${CLI} explain fall_prompt    a key of one of them

Exit codes: 0 told, 2 there is no such word.`;

export function defineExplain(program: Command, ended: (code: number) => void): void {
  program
    .command('explain [word...]')
    .description('tell what a word of the scenario language means, with an example')
    .option('--json', 'as one JSON object')
    .addHelpText('after', HELP)
    .action((words: string[], { json }: { json?: boolean }) => {
      explainWord(words.length === 0 ? undefined : words.join(' '), json === true);
      ended(EXIT.done);
    });
}

/** Whether the word is in the reference, as a word or as a key. */
export const isExplained = (word: string): boolean => entriesOf(word).length > 0 || wordsWithKey(word).length > 0;

/** Without a word, lists all. An unknown word is a usage error. */
export function explainWord(word: string | undefined, json: boolean): void {
  if (word === undefined) return json ? out(JSON.stringify(envelope('explain', allData()))) : printAll();
  const entries = entriesOf(word);
  const holders = entries.length > 0 ? [] : wordsWithKey(word);
  if (entries.length + holders.length === 0) throw unknown(word);
  if (json) return out(JSON.stringify(envelope('explain', dataOf(word, entries, holders))));
  for (const entry of entries) printWord(entry);
  for (const holder of holders) printKey(word, holder);
}

function unknown(word: string) {
  const meant = closest(word, [...EVERY_WORD, ...EVERY_KEY]);
  return usage(
    `${quoted(word)} is no word of the language: neither a key, a step, what a check can be about, nor a value.`,
    meant === undefined ? `${CLI} explain lists them all.` : `Did you mean "${meant}"?`,
  );
}

/** Words take precedence over keys. */
export const EVERY_WORD: readonly string[] = REFERENCE.flatMap(({ word, also }) => [word, ...also]);
const EVERY_KEY: readonly string[] = REFERENCE.flatMap(({ keys }) =>
  keys.map(({ name }) => name.split('.').at(-1) ?? name),
);

function allData() {
  return { words: REFERENCE, steps: STEP_CATALOGUE, subjects: SUBJECT_CATALOGUE };
}

function dataOf(word: string, words: readonly WordHelp[], holders: readonly WordHelp[]) {
  const step = STEP_CATALOGUE.find((one) => one.word === word) ?? null;
  const subject = SUBJECT_CATALOGUE.find((one) => one.word === word) ?? null;
  const key_of = holders.map((holder) => ({
    ...{ word: holder.word, group: holder.group },
    keys: holder.keys.filter((one) => isKey(one, word)),
  }));
  return { words, key_of, step, subject };
}

function printAll(): void {
  const paint = colourOf(process.stdout);
  for (const [group, title] of Object.entries(WORD_GROUPS)) {
    out(paint(1, title));
    for (const { word, help } of REFERENCE.filter((one) => one.group === group))
      out(`  ${word.padEnd(16)} ${help.split(/(?<=[.]) /)[0]}`);
    out('');
  }
  out(`${CLI} explain WORD tells more of each.`);
}

function printWord({ word, group, help, example, keys, remarks }: WordHelp): void {
  const paint = colourOf(process.stdout);
  const where = group === 'subjects' ? 'in a check' : WORD_GROUPS[group];
  out(`${paint(1, word)}  ${paint(2, where)}`);
  out(`${help}\n`);
  for (const line of example.split('\n')) out(`  ${line}`);
  out('');
  for (const key of keys) out(keyLine(key));
  if (keys.length > 0 && remarks.length > 0) out('');
  for (const remark of remarks) out(`  ${remark}`.replace(/^ {2}(?=Beside|In a running)/, ''));
  out('');
}

function printKey(key: string, { word, group, keys }: WordHelp): void {
  const paint = colourOf(process.stdout);
  out(`${paint(1, key)}  ${paint(2, `a key of "${word}" (${WORD_GROUPS[group]})`)}`);
  for (const found of keys.filter((one) => isKey(one, key))) out(keyLine(found));
  out('');
}

/** Width of the key column. */
const KEY_WIDTH = 24;

function keyLine({ name, required, meaning }: KeyHelp): string {
  const paint = colourOf(process.stdout);
  const painted = required ? paint(1, name) : name;
  const width = required ? KEY_WIDTH + paint(1, '').length : KEY_WIDTH;
  return `  ${painted.padEnd(width)} ${required ? 'needed. ' : ''}${typeof meaning === 'string' ? meaning : meaningOf(meaning)}`;
}

/** The allowed values of a schema in words. */
export function meaningOf(schema: SchemaNode): string {
  const { description, enum: words, default: standard, minimum, maximum } = schema;
  const range = minimum === undefined || maximum === undefined ? '' : `${minimum} to ${maximum}.`;
  const listed =
    words === undefined ? '' : `${words.join(', ')}${standard === undefined ? '' : ` (default ${String(standard)})`}.`;
  return [listed, range, description ?? nounOf(schema)].filter((part) => part !== '').join(' ');
}

const TYPE_NOUNS: Readonly<Record<string, string>> = {
  string: 'A text.',
  number: 'A number.',
  integer: 'A whole number.',
  boolean: 'true or false.',
  array: 'A list.',
  object: 'A map.',
};

function nounOf({ type, pattern, anyOf, enum: words, 'x-noun': noun, 'x-write': write }: SchemaNode): string {
  if (words !== undefined) return '';
  if (noun !== undefined) return [`${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}.`, write ?? ''].join(' ').trim();
  if (pattern?.includes('ms)?$')) return 'A duration: 500ms, 45s, 2m, 1h30m.';
  if (anyOf !== undefined) return anyOf.map((one) => (one.type === 'null' ? 'or null' : meaningOf(one))).join(' ');
  return TYPE_NOUNS[type ?? ''] ?? '';
}
