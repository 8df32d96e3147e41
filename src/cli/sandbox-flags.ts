/** The flags of a sandbox for commander, from the table of options. [cli, up] */
import { type Command, Option } from 'commander';
import { assert } from '../base/assert.ts';
import { shellWord } from '../base/text/printable.ts';
import { flagOf, type OptionRow } from '../sandbox/options/kinds.ts';
import { OPTION_NAMES, type OPTIONS, type OptionName, ROWS } from '../sandbox/options/table.ts';
import { DEFAULT_DATA_DIR, LONGEST_TEXT, listenHostOf } from '../sandbox/options/values.ts';
import { many, numberParser, seedOrRandom, textParser, wholeSeed } from './values.ts';

/** The words of a command that name the data folder of a sandbox; empty: the default. */
export const dataDirWords = (dataDir: string): string =>
  dataDir === DEFAULT_DATA_DIR ? '' : ` --data-dir ${shellWord(dataDir)}`;

/** Options of commander that this module has made, with the sandbox option that each sets. */
const MADE = new WeakMap<Option, OptionName>();

/** The sandbox option that a flag sets; undefined if the flag belongs to the command itself. */
export const optionOf = (option: Option): OptionName | undefined => MADE.get(option);

/**
 * Returns the flag of an option for a command that accepts it. Each command gets a new object, since commander keeps
 * state in it.
 */
export function sandboxFlag(name: OptionName, command: string): Option {
  const row: OptionRow = ROWS[name];
  const also = row.also?.[command];
  const takes = also !== undefined || command === 'up' || (command === 'exec' && row.isOfUpAlone !== true);
  assert(row.flags !== null && takes, () => `The table of options does not say that ${command} takes ${name}.`);
  const option = new Option(row.flags, also?.help ?? helpOf(row, command === 'exec'));
  if (row.variable !== null && also?.byVariable !== false) option.env(row.variable);
  if (row.kind === 'number') option.argParser(numberParser(row.range));
  if (row.kind === 'entries') option.argParser(many);
  if (also !== undefined && (row.kind === 'text' || row.kind === 'file')) option.argParser(textParser(row.longest));
  if (also !== undefined && name === 'seed') option.argParser(command === 'run' ? seedOrRandom : wholeSeed);
  if (also !== undefined && name === 'host')
    option.argParser((text: string) => listenHostOf(textParser(LONGEST_TEXT)(text)));
  if (also?.default !== undefined) option.default(also.default);
  MADE.set(option, name);
  return option;
}

/** Adds flags to a command, in this order. */
export function takes(command: Command, ...names: readonly OptionName[]): Command {
  for (const name of names) command.addOption(sandboxFlag(name, command.name()));
  return command;
}

/** The flags of `sandbox up`. Most of them are also flags of `sandbox exec`. */
export const upFlags = (command: 'up' | 'exec'): readonly Option[] =>
  OPTION_NAMES.filter(
    (name) => flagOf(ROWS[name]) !== null && (command === 'up' || ROWS[name].isOfUpAlone !== true),
  ).map((name) => sandboxFlag(name, command));

/** The help of an option of `up`, with its default. */
function helpOf(row: OptionRow, isExec: boolean): string {
  const known = (isExec ? row.defaultInExec : undefined) ?? row.default;
  return known === undefined ? row.help : `${row.help} (default: ${known})`;
}

type TableRow = (typeof OPTIONS)[OptionName];
type Camel<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type Long<F extends string> = F extends `${infer L} <${string}` ? L : F;
type Name<S extends string> = S extends `no-${infer Rest}` ? Rest : S;
type Attribute<F> = F extends `--${infer S}` ? Camel<Name<Long<S>>> : never;
type FlagValueOf<K extends OptionRow['kind']> = K extends 'switch'
  ? boolean
  : K extends 'number'
    ? number
    : K extends 'entries'
      ? string[]
      : string;

/** The values of the flags of `up`, by the property names of commander. */
export type UpFlags = { readonly [R in TableRow as Attribute<R['flags']>]?: FlagValueOf<R['kind']> };
