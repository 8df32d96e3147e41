/** The options of `startSandbox`, checked before anything starts; messages name options, as the caller wrote them. */

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

/** Texts, numbers, and values of other types by their kinds. A text is read further by the reader of its option. */
const OptionsSchema = Type.Partial(
  closed(
    'SandboxOptions',
    'The options of startSandbox.',
    Object.fromEntries(LIBRARY_OPTIONS.map((name) => [name, schemaOf(ROWS[name])])),
  ),
  { additionalProperties: false },
);

/** A mistake in the options: all of them, each with how to write it. */
export class OptionError extends TypeError {
  override readonly name = 'OptionError';
  readonly code = 'invalid_options';

  constructor(mistakes: readonly string[]) {
    const listed = mistakes.slice(0, MOST_LISTED).join('\n- ');
    super(mistakes.length === 1 ? mistakes[0] : `The options have ${mistakes.length} mistakes.\n- ${listed}`);
  }
}

/** The options as the sandbox takes them, and what a file of them says but hardly means. Throws an `OptionError`. */
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

/** As JSON has it: a map is an object, and a date a number of milliseconds. */
const plain = (value: unknown): unknown =>
  value instanceof Map ? {} : value instanceof Date ? value.getTime() : value;

/** `The option speed is "fast"; it must be a number. Write it as {speed: 60}.` */
function sentence(pointer: string, detail: string, given: Readonly<Record<string, unknown>>): string {
  const name = pointer.slice(1).split('/')[0] ?? '';
  const known = LIBRARY_OPTIONS.find((one) => one === name);
  if (known === undefined) return `There is no option ${quoted(name)}.${didYouMean(name, LIBRARY_OPTIONS)}`;
  return wrongInCode(known, detail, shown(given[known], ROWS[known]));
}

/** A value in a message. */
function shown(value: unknown, row?: OptionRow): string {
  if (typeof value === 'string') return quoted(row?.isSecret === true ? withoutPassword(value) : value);
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
