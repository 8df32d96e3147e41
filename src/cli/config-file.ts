/** `sandbox.config.yaml` in the project: defaults for flags, below the environment. [cli] */
import { existsSync } from 'node:fs';
import type { Command, Option } from 'commander';
import { FILE_LIMITS, readUserText } from '../base/user-files.ts';
import { didYouMean } from '../contract/sentences.ts';
import { JOB_VARIABLE } from './job-variable.ts';
import { CommandError, EXIT, usage } from './output.ts';
import { switchIn } from './values.ts';

export const CONFIG_FILE = 'sandbox.config.yaml';

/** Reads the variables of flags without a value: commander takes every value of them, also 0, for yes. */
export function readSwitches(command: Command): void {
  for (const option of command.options) {
    const { envVar } = option;
    const name = option.attributeName();
    if (envVar === undefined || !option.isBoolean() || command.getOptionValueSource(name) !== 'env') continue;
    const text = process.env[envVar] ?? '';
    const value = switchIn(text);
    if (value === undefined)
      throw usage(`${envVar}=${text} is neither 1 nor 0.`, `Write ${envVar}=1, or leave it out.`);
    command.setOptionValueWithSource(name, value, 'env');
  }
}

/**
 * Sets flags that neither the command line nor the environment set. Keys are flags of any command without dashes; each
 * command takes its own. `flagsOfAll` is called only for a key that is not the command's own.
 */
export async function applyConfig(command: Command, flagsOfAll: () => Promise<readonly Option[]>): Promise<void> {
  // Job processes of `run --jobs` get the parent's flags over their channel.
  if (!existsSync(CONFIG_FILE) || process.env[JOB_VARIABLE] === '1') return;
  const { readYaml } = await import('../plant/yaml-source.ts');
  const { renderMistakes } = await import('../plant/shown-mistakes.ts');
  const text = readUserText(CONFIG_FILE, { mostBytes: FILE_LIMITS.document });
  if (typeof text !== 'string') throw usage(`The settings ${CONFIG_FILE} cannot be used: the file ${text.why}.`);
  const { value, mistakes } = readYaml(text, CONFIG_FILE);
  if (mistakes.length > 0)
    throw new CommandError(
      EXIT.usage,
      'invalid_file',
      `A mistake in the settings:\n\n${renderMistakes(mistakes, () => text)}`,
    );
  if (value === null || value === undefined) return;
  if (typeof value !== 'object' || Array.isArray(value))
    throw usage(`${CONFIG_FILE} must hold flags and their values, such as "port: 4700".`);
  const own = new Map(command.options.map((option) => [keyOf(option), option]));
  let known: readonly string[] | null = null;
  for (const [key, given] of Object.entries(value)) {
    const option = own.get(key);
    if (option !== undefined) {
      setFromConfig(command, option, given);
      continue;
    }
    known ??= (await flagsOfAll()).map(keyOf);
    if (known.includes(key)) continue;
    throw usage(`${CONFIG_FILE}: "${key}" is not a flag of any command.${didYouMean(key, known)}`);
  }
}

const keyOf = ({ long }: Option): string => (long ?? '').replace(/^--(no-)?/, '');

function setFromConfig(command: Command, option: Option, given: unknown): void {
  const name = option.attributeName();
  const source = command.getOptionValueSource(name);
  if (source !== undefined && source !== 'default') return;
  let value: unknown = given;
  try {
    for (const one of Array.isArray(given) ? given : [given])
      if (typeof one !== 'boolean')
        value =
          option.parseArg === undefined
            ? String(one)
            : option.parseArg(String(one), Array.isArray(value) && value !== given ? value : (undefined as never));
  } catch (error) {
    throw usage(`${CONFIG_FILE}: ${keyOf(option)}: ${(error as Error).message}`);
  }
  command.setOptionValueWithSource(name, value, 'config');
}
