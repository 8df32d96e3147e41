/** `sandbox.config.yaml` in the project: defaults for flags, below the environment. [cli] */
import { lstatSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { FILE_LIMITS, readUserText } from '../base/user-files.ts';
import { didYouMean } from '../contract/sentences.ts';
import type { YamlSource } from '../plant/yaml-source.ts';
import { JOB_VARIABLE } from './job-variable.ts';
import { CommandError, EXIT, usage } from './output.ts';
import { removedSettingRefusal } from './removed-flags.ts';
import { SETTINGS, switchIn } from './switches.ts';

export const CONFIG_FILE = 'sandbox.config.yaml';

/** Reads the environment variables of flags without a value. Commander would treat every value as true, even 0. */
export function readSwitches(command: Command): void {
  for (const option of command.options) {
    const { envVar } = option;
    const name = option.attributeName();
    if (envVar === undefined || !isSwitch(option) || command.getOptionValueSource(name) !== 'env') continue;
    const text = process.env[envVar] ?? '';
    const value = switchIn(text);
    if (value === undefined)
      throw usage(`${envVar}=${text} is neither 1 nor 0.`, `Write ${envVar}=1, or leave it out.`);
    command.setOptionValueWithSource(name, value, 'env');
  }
}

/** True for a flag without a value, also for one that begins with `no`. */
const isSwitch = ({ required, optional }: Option): boolean => !required && !optional;

/**
 * Sets flags that neither the command line nor the environment has set. Keys are flags of any command, without dashes;
 * each command uses its own. `flagsOfAll` is called only for a key that is not a flag of this command, or whose value
 * does not fit.
 */
export async function applyConfig(command: Command, flagsOfAll: () => Promise<readonly Option[]>): Promise<void> {
  // Job processes of `run --jobs` get the parent's flags over IPC.
  if (process.env[JOB_VARIABLE] === '1' || !isNamed(CONFIG_FILE)) return;
  let known: readonly string[] | null = null;
  const { settings, textOf } = await readSettings();
  for (const [key, given] of Object.entries(settings)) {
    if (key === ALLOW_COMMANDS)
      throw usage(
        `${CONFIG_FILE} cannot set "${key}": it would allow its own commands.`,
        `Delete the line, and give --${key} on the command line or set SANDBOX_ALLOW_COMMANDS=1.`,
      );
    const option = command.options.findLast((one) => keyOf(one) === key);
    if (option === undefined) {
      // A key may be a flag of another command.
      known ??= (await flagsOfAll()).map(keyOf);
      if (!known.includes(key))
        throw (
          removedSettingRefusal(CONFIG_FILE, key, given) ??
          usage(`${CONFIG_FILE}: "${key}" is not a flag of any command.${didYouMean(key, known)}`)
        );
    } else if (!(await isForOther(option, given, flagsOfAll))) {
      setFromConfig(command, option, given, (place) => textOf(Array.isArray(given) ? [key, place] : [key]));
      if (COMMAND_SETTINGS.includes(key)) refuseUnallowed(command, key);
    }
  }
}

/** The keys of the file with their values, none for an empty file; `textOf` returns a value as it is written. */
async function readSettings(): Promise<{ settings: object; textOf: YamlSource['textOf'] }> {
  const { readYaml } = await import('../plant/yaml-source.ts');
  const { renderMistakes } = await import('../plant/shown-mistakes.ts');
  const text = readUserText(CONFIG_FILE, { mostBytes: FILE_LIMITS.document });
  if (typeof text !== 'string') throw usage(`The settings ${CONFIG_FILE} cannot be used: the file ${text.why}.`);
  const { value, mistakes, textOf } = readYaml(text, CONFIG_FILE);
  if (mistakes.length > 0) {
    const shown = renderMistakes(mistakes, () => text);
    throw new CommandError(EXIT.usage, 'invalid_file', `A mistake in the settings:\n\n${shown}`);
  }
  const settings = value ?? {};
  if (typeof settings !== 'object' || Array.isArray(settings))
    throw usage(`${CONFIG_FILE} must hold flags and their values, such as "port: 4700".`);
  return { settings, textOf };
}

/**
 * True if the value is meant for the flag of the same name of another command: `truth: truth.ndjson` is a file of `up`,
 * and `truth` is a switch of `run`.
 */
async function isForOther(
  option: Option,
  given: unknown,
  flagsOfAll: () => Promise<readonly Option[]>,
): Promise<boolean> {
  if (!isSwitch(option) || switchIn(String(given)) !== undefined) return false;
  return (await flagsOfAll()).some((other) => keyOf(other) === keyOf(option) && !isSwitch(other));
}

/** The flag that only a person can give. The settings file cannot set it. */
const ALLOW_COMMANDS = 'allow-commands';

/** Settings whose value is a shell command. [cli, Shell commands in files] */
export const COMMAND_SETTINGS: readonly string[] = ['start-command'];

/** True if the value of a flag comes from the settings file. */
export const isFromSettings = (command: Command, flag: string): boolean =>
  command.options.some((option) => keyOf(option) === flag && sourceOf(command, option) === SETTINGS);

const sourceOf = (command: Command, option: Option) => command.getOptionValueSource(option.attributeName());

function refuseUnallowed(command: Command, key: string): void {
  const { allowCommands, list } = command.opts();
  // `--list` starts no command.
  if (!isFromSettings(command, key) || allowCommands === true || list === true) return;
  throw new CommandError(EXIT.usage, 'commands_not_allowed', `${CONFIG_FILE} names a command with "${key}".`, {
    actions: [
      'Read the command. To allow it, add --allow-commands or set SANDBOX_ALLOW_COMMANDS=1.',
      `Or give the command itself with --${key}.`,
    ],
  });
}

/** True if the working folder has an entry of that name, even a broken symbolic link. */
const isNamed = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined;

const keyOf = ({ long }: Option): string => (long ?? '').replace(/^--(no-)?/, '');

/** Maximum number of values for one key of the settings. */
const MOST_VALUES = 1_000;

/** `written`: the text of the value with this index, as it is written. */
function setFromConfig(
  command: Command,
  option: Option,
  given: unknown,
  written: (place: number) => string | undefined,
): void {
  const source = sourceOf(command, option);
  if (source !== undefined && source !== 'default') return;
  const what = `${CONFIG_FILE}: ${keyOf(option)}`;
  const values = Array.isArray(given) ? given : [given];
  if (values.length > MOST_VALUES) throw usage(`${what} has ${values.length} values. Write at most ${MOST_VALUES}.`);
  if (values.some((one) => one === null || typeof one === 'object'))
    throw usage(`${what} has no value that a flag can have.`, 'Write a text, a number, true or false after the colon.');
  let value: unknown;
  for (const [place, one] of values.entries()) {
    value = isSwitch(option)
      ? switchOf(what, given)
      : flagValue(option, what, asWritten(option, one, written(place)), value);
  }
  if (values.length > 1 && !Array.isArray(value)) throw usage(`${what} has ${values.length} values. Write one.`);
  command.setOptionValueWithSource(option.attributeName(), value, SETTINGS);
}

/**
 * A number keeps its text, as on the command line: 007, 1.10. A number in a form of YAML that the flag does not have, such
 * as 0x1F for a port, is used as a number.
 */
function asWritten({ parseArg }: Option, given: unknown, text: string | undefined): unknown {
  if (typeof given !== 'number' || text === undefined || text === String(given)) return given;
  try {
    parseArg?.(text, undefined as never);
    return text;
  } catch {
    return given;
  }
}

/** The value of a flag that has one; `before` is the value from the earlier entries. */
function flagValue({ optional, parseArg }: Option, what: string, given: unknown, before: unknown): unknown {
  // If the value of a flag is optional, `true` gives the flag without a value.
  if (typeof given === 'boolean' && optional) return given;
  if (typeof given === 'boolean') throw usage(`${what} needs a value, not ${given}.`);
  if (parseArg === undefined) return String(given);
  try {
    return parseArg(String(given), before as never);
  } catch (error) {
    throw usage(`${what}: ${(error as Error).message}`);
  }
}

function switchOf(what: string, given: unknown): boolean {
  const value = Array.isArray(given) ? undefined : switchIn(String(given));
  if (value === undefined) throw usage(`${what}: ${String(given)} is neither true nor false.`);
  return value;
}
