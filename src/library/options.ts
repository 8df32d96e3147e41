/**
 * The options of `startSandbox`. They are checked before anything starts. Messages name options as the caller wrote
 * them.
 */

import { Type } from 'typebox';
import { check } from '../contract/check.ts';
import { didYouMean, quoted } from '../contract/sentences.ts';
import { closed } from '../contract/shapes.ts';
import { MOST_LISTED } from '../plant/shown-mistakes.ts';
import { type OptionRow, schemaOf } from '../sandbox/options/kinds.ts';
import { nameIn, wrongInCode } from '../sandbox/options/names.ts';
import type { SandboxOptions as InternalOptions } from '../sandbox/options/options.ts';
import { readOptions } from '../sandbox/options/read-options.ts';
import { OPTION_NAMES, ROWS } from '../sandbox/options/table.ts';
import { withoutPassword } from '../sandbox/options/values.ts';
import type { SandboxOptions } from './types.ts';

/** The options that code can set. */
export const LIBRARY_OPTIONS = OPTION_NAMES.filter((name) => ROWS[name].inLibrary !== null);

/** The schema of the options, by the kinds of their values. Texts are then parsed by the reader of their option. */
const OptionsSchema = Type.Partial(
  closed(
    'SandboxOptions',
    'The options of startSandbox.',
    Object.fromEntries(LIBRARY_OPTIONS.map((name) => [name, schemaOf(ROWS[name])])),
  ),
  { additionalProperties: false },
);

/** All mistakes in the options, each with the correct form. */
export class OptionError extends TypeError {
  override readonly name = 'OptionError';
  readonly code = 'invalid_options';

  constructor(mistakes: readonly string[]) {
    const listed = mistakes.slice(0, MOST_LISTED).join('\n- ');
    super(mistakes.length === 1 ? mistakes[0] : `The options have ${mistakes.length} mistakes.\n- ${listed}`);
  }
}

/**
 * Returns the options in the form that the sandbox uses, and warnings about values in a site file that are probably
 * mistakes. Throws an `OptionError`.
 */
export function checkedOptions(input: SandboxOptions): { options: InternalOptions; warnings: string[] } {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new OptionError([`The options must be an object, as startSandbox({memory: true}), not ${shown(input)}.`]);
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const checkable = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, plain(value)]));
  const checked = check(OptionsSchema, checkable);
  if (!checked.ok)
    throw new OptionError(
      checked.errors.slice(0, MOST_LISTED).map(({ pointer, detail }) => sentence(pointer, detail, given)),
    );
  const read = readOptions(given, (name) => nameIn('library', name, given[name]));
  const mistakes = [
    ...read.contradictions.map(({ message }) => `The option ${message}`),
    ...read.refused.map(({ name, refusal }) =>
      refusal.inCode((must) => wrongInCode(name, must, shown(given[name], ROWS[name]))),
    ),
  ];
  if (mistakes.length > 0) throw new OptionError(mistakes);
  return { options: read.options, warnings: [...read.warnings] };
}

/** Converts a value to its JSON form: a map becomes an object, and a date a number of milliseconds. */
const plain = (value: unknown): unknown =>
  value instanceof Map ? {} : value instanceof Date ? value.getTime() : value;

/** The message, such as `The option speed is "fast"; it must be a number. Write it as {speed: 60}.` */
function sentence(pointer: string, detail: string, given: Readonly<Record<string, unknown>>): string {
  const name = pointer.slice(1).split('/')[0] ?? '';
  const known = LIBRARY_OPTIONS.find((one) => one === name);
  if (known === undefined) return `There is no option ${quoted(name)}.${didYouMean(name, LIBRARY_OPTIONS)}`;
  return wrongInCode(known, detail, shown(given[known], ROWS[known]));
}

/** A value as a message shows it. */
function shown(value: unknown, row?: OptionRow): string {
  if (typeof value === 'string') return quoted(row?.isSecret === true ? withoutPassword(value) : value);
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
