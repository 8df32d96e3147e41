/** `sandbox explain`: the words of the scenario language, each with an example, and the words of the API. */
import type { Command } from 'commander';
import { readShipped } from '../../base/shipped.ts';
import { CLI } from '../../base/text/command-form.ts';
import { PROBLEM_CODES } from '../../contract/problems.ts';
import { ALERT_KINDS } from '../../contract/resources/alert-kinds.ts';
import type { SchemaNode } from '../../contract/schema.ts';
import { closest, quoted } from '../../contract/sentences.ts';
import { CONTRACT_WORDS, type ContractWord, contractWordsOf, gapsAbout } from '../../contract/words.ts';
import { CONDITION_CATALOGUE, STEP_CATALOGUE } from '../../scenario/language/derive/catalogue.ts';
import {
  entriesOf,
  holdersOfWord,
  isKey,
  type KeyHelp,
  REFERENCE,
  VALUE_WORDS,
  WORD_GROUPS,
  type WordHelp,
  type WordHolder,
  wordsWithKey,
} from '../../scenario/language/derive/reference.ts';
import { colourOf, EXIT, envelope, out, usage } from '../output.ts';

const HELP = `
Examples:
  ${CLI} explain                all words by group: keys of a file, steps, checks, modifiers, values
  ${CLI} explain fall           a step
  ${CLI} explain delivery       a subject of a check
  ${CLI} explain rules          a key of a file
  ${CLI} explain within         a modifier of a step
  ${CLI} explain range          a kind of value
  ${CLI} explain fall_prompt    a nested key, such as a threshold of the service with its default
  ${CLI} explain lost_answer    a value: a reply of a receiver, a token, a state
  ${CLI} explain last action    a term
  ${CLI} explain plant          the plant of a scenario that names none
  ${CLI} explain fall_detected  a word of the API: an alert type, an event type, a status, a severity, a scope
  ${CLI} explain rate_limited   a problem code of the API, with its fix

You can write names with hyphens: start-muster. Exit codes: 0 explained, 2 the word does not exist.`;

export function defineExplain(program: Command, ended: (code: number) => void): void {
  program
    .command('explain [word...]')
    .description('explain a word of the scenario language or of the API')
    .option('--json', 'print the result as one JSON object')
    .addHelpText('after', HELP)
    .action((words: string[], { json }: { json?: boolean }) => {
      explainWord(words.length === 0 ? undefined : words.join(' '), json === true);
      ended(EXIT.done);
    });
}

/** True if the word is a word or a key of the reference, or a word of the API. */
export const isExplained = (word: string): boolean => {
  const { entries, holders, contract, values } = meaningsOf(word);
  return entries.length + holders.length + contract.length + values.length > 0;
};

/**
 * The meanings of a word. Keys of the scenario language count only if the word has no other meaning. Values count only
 * if the word has no entry outside of the group `words`.
 */
function meaningsOf(typed: string) {
  const word = entriesOf(typed).length === 0 ? typed.replaceAll('-', '_') : typed;
  const entries = entriesOf(word);
  const contract = contractWordsOf(typed);
  const isWord = entries.length + contract.length > 0;
  return {
    word,
    entries,
    contract,
    holders: isWord ? [] : wordsWithKey(word),
    values: entries.every(({ group }) => group === 'words') ? holdersOfWord(word) : [],
  };
}

/** Explains a word, or lists all words without one. An unknown word is a usage error. */
export function explainWord(typed: string | undefined, json: boolean): void {
  if (typed === undefined) return json ? out(JSON.stringify(envelope('explain', allData()))) : printAll();
  const { word, entries, holders, contract, values } = meaningsOf(typed);
  if (!isExplained(typed)) throw unknown(typed);
  const files = Object.fromEntries(entries.flatMap(({ file }) => (file === null ? [] : [[file, readShipped(file)]])));
  const data = { ...dataOf(word, entries, holders), contract, value_of: values, files };
  if (json) return out(JSON.stringify(envelope('explain', data)));
  for (const entry of entries) printWord(entry);
  for (const one of contract) printContractWord(one);
  for (const holder of holders) printKey(word, holder);
  for (const value of values) printValue(word, value);
}

function unknown(word: string) {
  const known = [...EVERY_WORD, ...CONTRACT_WORDS.map((one) => one.word), ...EVERY_KEY, ...VALUE_WORDS];
  const meant = closest(word, known);
  return usage(
    `${quoted(word)} is neither a word of the scenario language nor a word of the API.`,
    meant === undefined ? `${CLI} explain lists them all.` : `Did you mean "${meant}"?`,
  );
}

/** All words of the reference. Words take precedence over keys. */
export const EVERY_WORD: readonly string[] = REFERENCE.flatMap(({ word, also }) => [word, ...also]);
const EVERY_KEY: readonly string[] = REFERENCE.flatMap(({ keys }) =>
  keys.map(({ name }) => name.split('.').at(-1) ?? name),
);

function allData() {
  return { words: REFERENCE, steps: STEP_CATALOGUE, subjects: CONDITION_CATALOGUE, contract: CONTRACT_WORDS };
}

function dataOf(word: string, words: readonly WordHelp[], holders: readonly WordHelp[]) {
  const step = STEP_CATALOGUE.find((one) => one.word === word) ?? null;
  const subject = CONDITION_CATALOGUE.find((one) => one.word === word) ?? null;
  const key_of = holders.map((holder) => ({
    word: holder.word,
    group: holder.group,
    keys: holder.keys.filter((one) => isKey(one, word)),
  }));
  return { words, key_of, step, subject };
}

function printAll(): void {
  const paint = colourOf(process.stdout);
  for (const [group, title] of Object.entries(WORD_GROUPS)) {
    out(paint('bold', title));
    for (const { word, help } of REFERENCE.filter((one) => one.group === group))
      out(`  ${word.padEnd(16)} ${help.split(/(?<=[.]) /)[0]}`);
    out('');
  }
  out(paint('bold', 'Words of the API'));
  for (const { word, values, help } of CONTRACT_WORDS.filter((one) => one.word === one.of))
    out(`  ${word.padEnd(16)} ${help} ${values.join(', ')}.`);
  out(`  ${'ProblemCode'.padEnd(16)} The code of an error answer: ${PROBLEM_CODES.join(', ')}.\n`);
  out(`${CLI} explain WORD explains one of them.`);
}

function printContractWord(contractWord: ContractWord): void {
  const { word, of, help, values, facts, page } = contractWord;
  const paint = colourOf(process.stdout);
  const isField = of.endsWith('Details');
  const whole = isField ? 'a schema of the API' : 'an enumeration of the API';
  out(
    `${paint('bold', word)}  ${paint('dim', word === of ? whole : `a ${isField ? 'field' : 'value'} of ${of}, in the API`)}`,
  );
  out(`${help}\n`);
  const rows = { ...facts, ...severityOf(contractWord), ...(values.length === 0 ? {} : { [of]: values.join(', ') }) };
  for (const [name, value] of Object.entries(rows)) out(`  ${name.padEnd(12)} ${value}`);
  for (const { question, here } of gapsAbout(contractWord)) out(`  ${'open point'.padEnd(12)} ${question} ${here}`);
  out(`  ${'page'.padEnd(12)} ${page} of a running sandbox\n`);
}

/** For an alert type, its severity. For a severity, its alert types. [decisions 5] */
function severityOf({ word, of }: ContractWord): Record<string, string> {
  const types = Object.entries(ALERT_KINDS).filter(
    ([type, { severity }]) => word === (of === 'AlertType' ? type : severity),
  );
  if (types.length === 0) return {};
  if (of === 'AlertType') return { severity: types.map(([, { severity }]) => severity).join() };
  return of === 'Severity' ? { alerts: types.map(([type]) => type).join(', ') } : {};
}

function printWord({ word, group, help, example, keys, remarks, file }: WordHelp): void {
  const paint = colourOf(process.stdout);
  const where = group === 'subjects' ? 'in a check' : WORD_GROUPS[group];
  out(`${paint('bold', word)}  ${paint('dim', where)}`);
  out(`${help}\n`);
  for (const line of example.split('\n')) out(`  ${line}`);
  if (file !== null) out(`\n${paint('dim', file)}\n\n${readShipped(file).trimEnd()}`);
  out('');
  for (const key of keys) out(keyLine(key));
  if (keys.length > 0 && remarks.length > 0) out('');
  for (const remark of remarks) out(`  ${remark}`.replace(/^ {2}(?=Modifiers|In a running)/, ''));
  out('');
}

function printKey(key: string, { word, group, keys }: WordHelp): void {
  const paint = colourOf(process.stdout);
  out(`${paint('bold', key)}  ${paint('dim', `a key of "${word}" (${WORD_GROUPS[group]})`)}`);
  for (const found of keys.filter((one) => isKey(one, key))) out(keyLine(found));
  out('');
}

function printValue(value: string, { word, group, key, words }: WordHolder): void {
  const paint = colourOf(process.stdout);
  const of = key === word ? '' : ` of "${word}"`;
  out(`${paint('bold', value)}  ${paint('dim', `a value of "${key}"${of} (${WORD_GROUPS[group]})`)}`);
  out(`  ${key.padEnd(KEY_WIDTH)} ${words.join(', ')}\n`);
}

/** Width of the key column. */
const KEY_WIDTH = 24;

function keyLine({ name, required, meaning }: KeyHelp): string {
  const paint = colourOf(process.stdout);
  const painted = required ? paint('bold', name) : name;
  const width = required ? KEY_WIDTH + paint('bold', '').length : KEY_WIDTH;
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
