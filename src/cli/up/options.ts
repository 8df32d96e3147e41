/**
 * Converts flags to the options of a sandbox. Messages name an option as its source does: a flag, a variable or a
 * setting. [cli, up, Precedence]
 */
import type { Command } from 'commander';
import { assert } from '../../base/assert.ts';
import { FILE_LIMITS, readUserText } from '../../base/user-files.ts';
import type { Mistake } from '../../plant/mistakes.ts';
import type { SiteFile } from '../../plant/site-file.ts';
import { remarksOf, unsoundSite as siteRefusal } from '../../sandbox/options/files.ts';
import { givenBy, type OptionRefusal, type OptionRow, settingsKeyOf } from '../../sandbox/options/kinds.ts';
import { type Entrance, exampleIn, nameIn, writeIn } from '../../sandbox/options/names.ts';
import type { SandboxOptions } from '../../sandbox/options/options.ts';
import { readOptions } from '../../sandbox/options/read-options.ts';
import { OPTION_NAMES, type OptionName, ROWS } from '../../sandbox/options/table.ts';
import { type BrokerEndpoint, endpointOf } from '../../service/broker/external/address.ts';
import { CONFIG_FILE } from '../config-file.ts';
import { CommandError, EXIT, talk, usage } from '../output.ts';
import type { UpFlags } from '../sandbox-flags.ts';
import { SETTINGS } from '../switches.ts';

/** Where the value of an option comes from. */
export type Sources = (name: OptionName) => Entrance;

/** Without a command, all options are treated as flags. */
const AS_FLAGS: Sources = () => 'flag';

/** The sources of the flags of a command. */
export const sourcesOf =
  (command: Command): Sources =>
  (name) => {
    const source = command.getOptionValueSource(attributeOf(name));
    return source === 'env' ? 'variable' : source === SETTINGS ? 'settings' : 'flag';
  };

/** Returns the options. Throws a usage error for the first option that is wrong, or contradicts another. */
export function sandboxOptions(flags: UpFlags, sources: Sources = AS_FLAGS): SandboxOptions {
  const given = Object.fromEntries(
    OPTION_NAMES.flatMap((name) => {
      const value = (flags as Readonly<Record<string, unknown>>)[attributeOf(name)];
      const row: OptionRow = ROWS[name];
      // Commander also sets the property of a `--no-...` flag that was not given. A switch with the value that it has
      // without its flag counts as not given.
      const isGiven = row.kind === 'switch' ? value === givenBy(row) : value !== undefined;
      return isGiven ? [[name, value] as const] : [];
    }),
  );
  const read = readOptions(given, (name, value) => {
    const entrance = sources(name);
    return value === undefined ? nameIn(entrance, name, given[name]) : exampleIn(entrance, name)(value);
  });
  const [contradiction] = read.contradictions;
  if (contradiction !== undefined) {
    const { of, message, advice } = contradiction;
    const isOfSettings = of.some((name) => sources(name) === 'settings');
    throw usage(isOfSettings ? `${CONFIG_FILE}: ${message}` : message, ...(advice === null ? [] : [advice]));
  }
  const [refused] = read.refused;
  if (refused !== undefined) throw refusedOption(refused.name, refused.refusal, sources(refused.name));
  for (const remark of [...read.warnings, ...read.notes]) talk(remark);
  // A node has no fleet, because its watches run elsewhere.
  return flags.node === undefined ? read.options : Object.assign(read.options, { fleet: false });
}

/** The broker of `--broker`. Throws a usage error. */
export function externalBrokerOf(broker: string, sources?: Sources): BrokerEndpoint {
  const endpoint = endpointOf(sandboxOptions({ broker }, sources).broker ?? '');
  assert(endpoint !== null, () => 'An address of a broker that was accepted is none.');
  return endpoint;
}

/** The error about a refused value, which names the option as its source does. */
function refusedOption(
  name: OptionName,
  { asText, advice, mistakes }: OptionRefusal,
  entrance: Entrance,
): CommandError {
  const write = writeIn(entrance, name);
  const message = `${entrance === 'settings' ? `${CONFIG_FILE}: ` : ''}${asText(write)}`;
  const actions = advice === undefined ? [] : [advice(exampleIn(entrance, name))];
  return mistakes === undefined
    ? usage(message, ...actions)
    : new CommandError(EXIT.usage, 'invalid_file', message, { details: mistakes, actions });
}

/** The error about a site file with mistakes that another command reads. */
export const unsoundSite = (mistakes: readonly Mistake[], file: string, text: string): CommandError =>
  refusedOption('site', siteRefusal(mistakes, file, text), 'flag');

/** Reads a file that the user named. Throws a usage error. [decisions 9, Limits of scenario files] */
export function readText(file: string, what: string): string {
  const text = readUserText(file, { mostBytes: FILE_LIMITS.document });
  if (typeof text === 'string') return text;
  throw usage(`The ${what} ${file} ${text.why}.`);
}

/** Prints warnings about values of a site file that are probably mistakes, and notes about default values. */
export function talkRemarks({ warnings, notes }: Pick<SiteFile, 'warnings' | 'notes'>, text: string): void {
  for (const remark of remarksOf({ warnings, notes }, text)) talk(remark);
}

/** The property in which commander keeps the value of the flag. */
const attributeOf = (name: OptionName): string =>
  (settingsKeyOf(ROWS[name]) ?? name).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
