/** `sandbox explain`: what a step or the subject of a check is, with its keys and an example. */
import type { Command } from 'commander';
import { closest } from '../contract/sentences.ts';
import { STEP_CATALOGUE, STEP_GROUPS, type StepHelp } from '../scenario/step-catalogue.ts';
import { SUBJECT_CATALOGUE, type SubjectHelp } from '../scenario/subject-catalogue.ts';
import { EXIT, usage } from './exit.ts';
import { colourOf, envelope, out } from './output.ts';

const HELP = `
Examples:
  sandbox explain                all steps by group, and what a check can be about
  sandbox explain fall
  sandbox explain delivery       the subject of a check`;

export function defineExplain(program: Command, ended: (code: number) => void): void {
  program
    .command('explain [word]')
    .description('tell what a step of a scenario does')
    .option('--json', 'as one JSON object')
    .addHelpText('after', HELP)
    .action((word: string | undefined, { json }: { json?: boolean }) => {
      explainWord(word, json === true);
      ended(EXIT.done);
    });
}

/** All steps and subjects without a word. An unknown word is wrong usage. */
export function explainWord(word: string | undefined, json: boolean): void {
  const step = STEP_CATALOGUE.find((one) => one.word === word);
  const subject = SUBJECT_CATALOGUE.find((one) => one.word === word);
  if (word !== undefined && step === undefined && subject === undefined) throw unknown(word);
  if (json) return out(JSON.stringify(envelope('explain', dataOf(word, step, subject))));
  if (step !== undefined) tellStep(step);
  // A word can be both, as `worker` and `device` are.
  if (subject !== undefined) tellSubject(subject);
  if (word === undefined) tellAll();
}

function unknown(word: string) {
  const known = [...STEP_CATALOGUE, ...SUBJECT_CATALOGUE].map((one) => one.word);
  const meant = closest(word, known);
  return usage(
    `"${word}" is neither a step nor what a check can be about.`,
    meant === undefined ? 'sandbox explain lists them all.' : `Did you mean "${meant}"?`,
  );
}

function dataOf(word: string | undefined, step: StepHelp | undefined, subject: SubjectHelp | undefined) {
  if (word === undefined) return { steps: STEP_CATALOGUE, subjects: SUBJECT_CATALOGUE };
  return { step: step ?? null, subject: subject ?? null };
}

function tellAll(): void {
  const paint = colourOf(process.stdout);
  for (const [group, title] of Object.entries(STEP_GROUPS)) {
    out(paint(1, title));
    for (const { word, help } of STEP_CATALOGUE.filter((one) => one.group === group))
      out(`  ${word.padEnd(16)} ${help}`);
    out('');
  }
  out(paint(1, 'What a check can be about'));
  for (const { word, help } of SUBJECT_CATALOGUE) out(`  ${word.padEnd(16)} ${help}`);
}

function tellStep({ word, group, help, example, fields, beside, action }: StepHelp): void {
  const paint = colourOf(process.stdout);
  out(`${paint(1, word)}  ${paint(2, STEP_GROUPS[group])}`);
  out(`${help}\n`);
  out(`  - ${word}: ${example}\n`);
  for (const { name, required, schema } of fields)
    out(
      `  ${(required ? paint(1, name) : name).padEnd(required ? 18 + paint(1, '').length : 18)} ${required ? 'needed. ' : ''}${meaningOf(schema)}`,
    );
  if (fields.length > 0) out('');
  out(`Beside it: ${['after', 'at', ...beside, 'only', 'note'].join(', ')}`);
  if (action !== null)
    out(`In a running sandbox: sandbox trigger ${action}, or POST /v1/sandbox/actions {"action": "${action}", ...}`);
}

function tellSubject({ word, help, value, keys, fields, example }: SubjectHelp): void {
  const paint = colourOf(process.stdout);
  out(`${paint(1, word)}  ${paint(2, 'in a check')}`);
  out(`${help}\n`);
  out(`  - expect: ${example}\n`);
  out(`  ${paint(1, word).padEnd(18 + paint(1, '').length)} ${value}`);
  for (const [name, meant] of Object.entries(keys)) out(`  ${name.padEnd(18)} ${meant}`);
  if (fields.length > 0) out(`  and its fields: ${fields.join(', ')}`);
}

/** What a value may be, from its schema. */
export function meaningOf(schema: object): string {
  const {
    description,
    enum: words,
    default: standard,
    minimum,
    maximum,
  } = schema as {
    description?: string;
    enum?: readonly unknown[];
    default?: unknown;
    minimum?: number;
    maximum?: number;
  };
  const range = minimum === undefined || maximum === undefined ? '' : `${minimum} to ${maximum}.`;
  const listed =
    words === undefined ? '' : `${words.join(', ')}${standard === undefined ? '' : ` (default ${String(standard)})`}.`;
  return [listed, range, description ?? kindOf(schema)].filter((part) => part !== '').join(' ');
}

function kindOf(schema: object): string {
  const {
    type,
    pattern,
    anyOf,
    enum: words,
  } = schema as { type?: string; pattern?: string; anyOf?: object[]; enum?: unknown };
  if (words !== undefined) return '';
  if (pattern?.includes('ms)?$')) return 'A duration: 500ms, 45s, 2m, 1h30m.';
  if (anyOf !== undefined)
    return anyOf.map((one) => ((one as { type?: string }).type === 'null' ? 'or null' : meaningOf(one))).join(' ');
  const nouns: Readonly<Record<string, string>> = {
    string: 'A text.',
    number: 'A number.',
    integer: 'A whole number.',
    boolean: 'true or false.',
    array: 'A list.',
    object: 'A map.',
  };
  return nouns[type ?? ''] ?? '';
}
