/** The top-level keys of scenario files, parts and files of `sandbox explore`, and in which of them each is allowed. */
import { CLI } from '../../base/command-form.ts';
import type { JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, type FilePlace } from '../../plant/mistakes.ts';

/** What a file is, by the key of its title. */
export type FileForm = 'scenario' | 'part' | 'explore';

interface FileKey {
  readonly stands: readonly FileForm[];
}

const FORMS = {
  scenario: ['scenario'],
  part: ['part'],
  explore: ['explore'],
  both: ['scenario', 'part', 'explore'],
  judged: ['scenario', 'explore'],
} as const satisfies Readonly<Record<string, readonly FileForm[]>>;

const may = (stands: keyof typeof FORMS): FileKey => ({ stands: FORMS[stands] });

export const FILE_KEYS = {
  scenario: may('scenario'),
  part: may('part'),
  explore: may('explore'),
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
  system: may('both'),
  probes: may('both'),
  macros: may('both'),
  steps: may('scenario'),
  when: may('scenario'),
  rules: may('judged'),
  finally: may('scenario'),
} as const satisfies Readonly<Record<string, FileKey>>;
export type FileKeyName = keyof typeof FILE_KEYS;

/** Reports unknown keys and keys in the wrong kind of file. */
export function reportFileKeys(value: JsonMap, form: FileForm, root: FilePlace): void {
  const fitting = Object.keys(FILE_KEYS).filter((key) => stands(key, form));
  const noun = NOUNS[form];
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(FILE_KEYS, key)) {
      root.of(key).mistake(`${quoted(key)} is not a key of ${noun}.${didYouMean(key, fitting)}`, 'key');
    } else if (!stands(key, form)) root.of(key).mistake(misplaced(key, form), 'key');
  }
  if (!Object.hasOwn(value, form)) root.mistake(missing(form, value));
}

const NOUNS: Readonly<Record<FileForm, string>> = {
  scenario: 'a scenario',
  part: 'a part',
  explore: `a file of "${CLI} explore"`,
};

function stands(key: string, form: FileForm): boolean {
  const { stands: where }: FileKey = FILE_KEYS[key as FileKeyName];
  return where.includes(form);
}

function misplaced(key: string, form: FileForm): string {
  if (key === 'part') return 'A part has no story to play. Run a file that uses it.';
  if (key === 'explore') return `This file has no story of its own. Search for one: ${CLI} explore and its name.`;
  if (key === 'scenario' && form === 'part') return 'This file is used as a part. Write part: and its name.';
  if (form === 'explore') return `The stories are made, so there is no ${quoted(key)} to write. Delete it.`;
  return `${NOUNS[form].replace(/^a/, 'A')} has no ${quoted(key)}. It belongs in the file that uses this one.`;
}

const MISSING: Readonly<Record<FileForm, string>> = {
  scenario: 'A scenario needs a title. Write scenario: and a sentence.',
  part: 'A part needs a name. Write part: and its name.',
  explore: `A file of "${CLI} explore" needs a title. Write explore: and what your system is.`,
};

function missing(form: FileForm, value: JsonMap): string {
  // The misplaced key was reported already.
  const other = (['scenario', 'part', 'explore'] as const).find((key) => key !== form && Object.hasOwn(value, key));
  return other === undefined ? MISSING[form] : misplaced(other, form);
}
