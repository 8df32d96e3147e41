/** Reads the options of a sandbox as their entrances give them: limits, forms and contradictions, in the same way for every entrance. [cli, up] */
import { check } from '../../contract/check.ts';
import { isMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { type Contradiction, contradictionsOf, type GivenOptions, type OptionNaming } from './contradictions.ts';
import { credentialsFrom, credentialsIn, profileIn, siteIn } from './files.ts';
import { type OptionReading, type OptionRefusal, type OptionRow, type Pair, schemaOf } from './kinds.ts';
import type { SandboxOptions } from './options.ts';
import { OF_ENTRANCES, OPTION_NAMES, type OptionName, ROWS, targetOf } from './table.ts';

/** A refused option. */
interface RefusedOption {
  readonly name: OptionName;
  readonly refusal: OptionRefusal;
}

interface ReadOptions {
  readonly options: SandboxOptions;
  readonly refused: readonly RefusedOption[];
  readonly contradictions: readonly Contradiction[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Reads the options that an entrance gave: switches as booleans, numbers as numbers, the rest as texts, lists of
 * `NAME=VALUE` or, from code, in the types of the library. Options that only concern an entrance (`json`, `scenario`)
 * are checked and omitted.
 */
export function readOptions(given: GivenOptions, names: OptionNaming): ReadOptions {
  const options: Record<string, unknown> = {};
  const refused: RefusedOption[] = [];
  const warnings: string[] = [];
  const notes: string[] = [];
  const contradictions = contradictionsOf(given, names);
  // Options that contradict each other are not read, because one of them may name a file.
  for (const name of contradictions.length > 0 ? [] : OPTION_NAMES) {
    const value = given[name];
    if (value === undefined) continue;
    const read = readOption(ROWS[name], value);
    if ('value' in read) {
      if (!(OF_ENTRANCES as readonly OptionName[]).includes(name)) addOption(options, targetOf(name), read.value);
      warnings.push(...(read.warnings ?? []));
      notes.push(...(read.notes ?? []));
    } else for (const refusal of read) refused.push({ name, refusal });
  }
  return { options, refused, contradictions, warnings, notes };
}

/** A reading in `assume` replaces the same reading of `profile`, which is read first. */
function addOption(options: Record<string, unknown>, target: string, value: unknown): void {
  const before = options[target];
  options[target] = isMap(before) && isMap(value) ? { ...before, ...value } : value;
}

function readOption(row: OptionRow, given: unknown): OptionReading<unknown> {
  if (row.kind !== 'entries' && row.kind !== 'code') {
    const limited = check(schemaOf(row), given instanceof Date ? given.getTime() : given);
    // A word that is not in the list has its own message.
    const isListed = row.kind === 'text' && row.words !== undefined && typeof given === 'string';
    if (!limited.ok && !isListed) return limited.errors.map(({ detail }) => refusalOf(detail));
  }
  switch (row.kind) {
    case 'switch':
    case 'number':
      return { value: given };
    case 'text':
      return row.read(given as string);
    case 'file':
      return valueOfFile(row.file, given);
    case 'entries':
      return row.read(pairsOf(given));
    case 'code':
      return row.fits(given) ? { value: given } : [refusalOf('must be a function')];
  }
}

/** The refusal of a value that exceeds a limit. */
const refusalOf = (detail: string): OptionRefusal => ({
  asText: (write) => `${write()} ${detail}.`,
  inCode: (wrong) => wrong(detail),
});

function valueOfFile(file: 'site' | 'credentials' | 'profile', given: unknown): OptionReading<unknown> {
  switch (file) {
    case 'site':
      return siteIn(String(given));
    case 'profile':
      return profileIn(String(given));
    case 'credentials':
      return typeof given === 'string' ? credentialsIn(given) : credentialsFrom(given);
  }
}

/** Reads entries in the form of the command line, or an object or a map from code. */
function pairsOf(given: unknown): Pair[] {
  if (Array.isArray(given))
    return given.map(String).map((entry): Pair => {
      const [name = '', ...value] = entry.split('=');
      return [name, value.length === 0 ? undefined : value.join('='), entry];
    });
  const pairs = given instanceof Map ? [...given] : Object.entries(given as object);
  return pairs.map(
    ([name, value]): Pair => [String(name), value, `${name}=${typeof value === 'string' ? value : quoted(value)}`],
  );
}
