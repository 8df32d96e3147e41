/** The top-level keys of scenario files and parts, and in which of the two each is allowed. */
import type { JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, type FilePlace } from '../../plant/mistakes.ts';

interface FileKey {
  readonly stands: 'scenario' | 'part' | 'both';
}

const may = (stands: FileKey['stands']): FileKey => ({ stands });

export const FILE_KEYS = {
  scenario: may('scenario'),
  part: may('part'),
  about: may('both'),
  tags: may('both'),
  use: may('both'),
  seed: may('scenario'),
  clock: may('scenario'),
  modes: may('scenario'),
  params: may('scenario'),
  matrix: may('scenario'),
  cases: may('scenario'),
  site: may('both'),
  sites: may('both'),
  contract: may('both'),
  companies: may('both'),
  service: may('both'),
  workers: may('both'),
  crowd: may('both'),
  vehicles: may('both'),
  crew: may('part'),
  receivers: may('both'),
  macros: may('both'),
  steps: may('scenario'),
  when: may('scenario'),
  rules: may('scenario'),
  finally: may('scenario'),
} as const satisfies Readonly<Record<string, FileKey>>;
export type FileKeyName = keyof typeof FILE_KEYS;

/** Reports unknown keys and keys in the wrong kind of file. */
export function reportFileKeys(value: JsonMap, form: 'scenario' | 'part', root: FilePlace): void {
  const fitting = Object.keys(FILE_KEYS).filter((key) => stands(key, form));
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(FILE_KEYS, key)) {
      root.of(key).mistake(`${quoted(key)} is not a key of a ${form}.${didYouMean(key, fitting)}`, 'key');
    } else if (!stands(key, form)) root.of(key).mistake(misplaced(key, form), 'key');
  }
  if (!Object.hasOwn(value, form)) root.mistake(missing(form, value));
}

function stands(key: string, form: 'scenario' | 'part'): boolean {
  const { stands: where } = FILE_KEYS[key as FileKeyName];
  return where === 'both' || where === form;
}

function misplaced(key: string, form: 'scenario' | 'part'): string {
  if (key === 'part') return 'A part has no story to play. Run a file that uses it.';
  if (key === 'scenario') return 'This file is used as a part. Write part: and its name.';
  return `A ${form} has no ${quoted(key)}. It belongs in the file that uses this one.`;
}

function missing(form: 'scenario' | 'part', value: JsonMap): string {
  const other = form === 'scenario' ? 'part' : 'scenario';
  // The misplaced key was reported already.
  if (Object.hasOwn(value, other)) return misplaced(other, form);
  return form === 'scenario'
    ? 'A scenario needs a title. Write scenario: and a sentence.'
    : 'A part needs a name. Write part: and its name.';
}
