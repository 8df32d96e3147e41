/** Reads the files that options name: site, credentials and profile files, in the same way for every entrance. [decisions 9, Limits of scenario files] */

import { statSync } from 'node:fs';
import { CLI } from '../../base/text/command-form.ts';
import { shellWord } from '../../base/text/printable.ts';
import { FILE_LIMITS, readUserJson, readUserText } from '../../base/user-files.ts';
import type { Assumptions } from '../../contract/gaps.ts';
import { isMap } from '../../contract/schema.ts';
import type { Mistake } from '../../plant/mistakes.ts';
import { countOfMistakes, renderMistakes } from '../../plant/shown-mistakes.ts';
import type { SiteFile } from '../../plant/site-file.ts';
import { readYaml } from '../../plant/yaml-source.ts';
import { checkedSiteFile } from '../../scenario/mend/checked-part.ts';
import { readNamed } from '../../scenario/reading/merged-file.ts';
import type { CredentialsFile } from '../world/world-from-plan.ts';
import type { OptionReading, OptionRefusal, Pair } from './kinds.ts';
import type { SandboxOptions } from './options.ts';
import { assumptionsOf } from './readers.ts';
import { besides, credentialsOf } from './values.ts';

type Site = NonNullable<SandboxOptions['site']>;

/** Reads a site section as in scenarios, with all its mistakes and their positions in the file. */
export function siteIn(file: string): OptionReading<Site> {
  const text = readUserText(file, { mostBytes: FILE_LIMITS.document });
  if (typeof text !== 'string') return unreadable('site', file, text.why);
  const { plan, crew, contract, mistakes, warnings, notes } = checkedSiteFile(text, file, { readFile: besides(file) });
  if (plan === null || mistakes.length > 0) return [unsoundSite(mistakes, file, text)];
  return {
    value: { planned: plan, crew, contract, text },
    warnings: remarksOf({ warnings, notes: [] }, text),
    notes: remarksOf({ warnings: [], notes }, text),
  };
}

/** Warnings about values that are probably not intended, and notes about the defaults that apply. */
export function remarksOf({ warnings, notes }: Pick<SiteFile, 'warnings' | 'notes'>, text: string): string[] {
  const rendered = notes.map((note) =>
    renderMistakes([{ ...note, message: `note  ${note.message}` }], () => undefined),
  );
  return warnings.length === 0 ? rendered : [renderMistakes(warnings, () => text), ...rendered];
}

/** All mistakes of a site file, with their positions in the file. */
export const unsoundSite = (mistakes: readonly Mistake[], file: string, text: string): OptionRefusal =>
  unsound('site', mistakes, file, text);

function unsound(option: 'site' | 'profile', mistakes: readonly Mistake[], file: string, text: string): OptionRefusal {
  const read = readNamed(file);
  const textIn = (path: string): string => {
    const own = path === file ? text : read(path);
    return typeof own === 'string' ? own : text;
  };
  const shown = renderMistakes(mistakes, textIn);
  const many = mistakes.length === 1 ? 'a mistake' : countOfMistakes(mistakes.length);
  return {
    asText: () => `The ${option} file has ${many}:\n\n${shown}`,
    inCode: () => `The option ${option} names a file with mistakes:\n\n${shown}`,
    mistakes,
  };
}

/** Reads the user's own secrets from a JSON file. */
export function credentialsIn(file: string): OptionReading<CredentialsFile> {
  const json = readUserJson(file, { mostBytes: FILE_LIMITS.credentials });
  if (!('value' in json)) return unreadable('credentials', file, json.why);
  const read = credentialsFrom(json.value, `The credentials file ${file}`);
  return 'value' in read && isReadByOthers(file)
    ? {
        value: read.value,
        warnings: [`warning  others on this machine can read the credentials file ${file}: chmod 600 ${file}`],
      }
    : read;
}

/**
 * Reads the readings of open points that `sandbox compare --save` stored: its key `assume` is read as the option of
 * that name.
 */
export function profileIn(file: string): OptionReading<Partial<Assumptions>> {
  const text = readUserText(file, { mostBytes: FILE_LIMITS.document });
  if (typeof text !== 'string') return unreadable('profile', file, text.why);
  const { value, mistakes } = readYaml(text, file);
  if (mistakes.length > 0) return [unsound('profile', mistakes, file, text)];
  const { assume, observed: _, ...strange } = isMap(value) ? value : {};
  const readings = isMap(assume) ? Object.entries(assume) : [];
  const isProfile = isMap(assume) && Object.keys(strange).length === 0;
  if (!isProfile || readings.some(([, reading]) => typeof reading === 'object'))
    return [
      {
        asText: () => `The profile file ${file} is not a profile.`,
        advice: () => `Write one with: ${CLI} compare --to URL --client FILE --save ${shellWord(file)}`,
        inCode: () => `The option profile names ${file}, which is not a profile.`,
      },
    ];
  return assumptionsOf(readings.map(([name, reading]): Pair => [name, String(reading), `${name}=${String(reading)}`]));
}

/** Reads secrets from an object. `what` is the start of the error message when the secrets come from a file. */
export function credentialsFrom(content: unknown, what = 'The credentials file'): OptionReading<CredentialsFile> {
  const credentials = credentialsOf(content);
  if (typeof credentials !== 'string') return { value: credentials };
  return [
    {
      asText: () => `${what} ${credentials}.`,
      inCode: () => `The option credentials ${credentials}. Write it as {credentials: {control_token: '...'}}.`,
    },
  ];
}

/** Returns true if other users can read the file. The file belongs to the user, so its mode is not changed. */
const isReadByOthers = (file: string): boolean => {
  const { mode } = statSync(file);
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
};

const unreadable = (
  option: 'site' | 'credentials' | 'profile',
  file: string,
  why: string,
): readonly OptionRefusal[] => [
  {
    asText: () => `The ${option} file ${file} ${why}.`,
    advice: (write) => `${write()} names it.`,
    inCode: () => `The option ${option} names ${file}, which ${why}.`,
  },
];
