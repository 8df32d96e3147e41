/** The keys of a scenario file and of a part: which are known, where they may stand, and which are still to come. */
import { quoted } from '../contract/sentences.ts';
import type { Report } from '../plant/mistakes.ts';
import { didYouMean } from '../plant/section-check.ts';
import type { Fields } from './merged-file.ts';

interface FileKey {
  readonly stands: 'scenario' | 'part' | 'both';
  readonly ready: boolean;
}

const ready = (stands: FileKey['stands']): FileKey => ({ stands, ready: true });
const later = (stands: FileKey['stands']): FileKey => ({ stands, ready: false });

/** Every key of the language. */
const FILE_KEYS: Readonly<Record<string, FileKey>> = {
  scenario: ready('scenario'),
  part: ready('part'),
  about: ready('both'),
  tags: ready('both'),
  use: ready('both'),
  seed: ready('scenario'),
  clock: ready('scenario'),
  modes: ready('scenario'),
  params: ready('scenario'),
  matrix: ready('scenario'),
  cases: ready('scenario'),
  site: ready('both'),
  sites: ready('both'),
  contract: ready('both'),
  companies: later('both'),
  service: ready('both'),
  workers: ready('both'),
  crowd: ready('both'),
  vehicles: ready('both'),
  receivers: ready('both'),
  macros: ready('both'),
  steps: ready('scenario'),
  when: ready('scenario'),
  rules: ready('scenario'),
  finally: ready('scenario'),
};

/** The sentence for a word of the language that this version does not play: never passed over in silence. */
export function notYet(word: string): string {
  return `${quoted(word)} is part of the language, but not yet of this version. Leave it out.`;
}

/** Tells of unknown keys, of those that stand in the wrong kind of file, and of those still to come. */
export function sayFileKeys(value: Fields, form: 'scenario' | 'part', report: Report): void {
  const fitting = Object.keys(FILE_KEYS).filter((key) => stands(key, form));
  const free = fitting.filter((key) => !Object.hasOwn(value, key));
  for (const key of Object.keys(value)) {
    const known = Object.hasOwn(FILE_KEYS, key) ? FILE_KEYS[key] : undefined;
    if (known === undefined) {
      report.mistake([key], `${quoted(key)} is not a key of a ${form}.${didYouMean(key, free)}`, 'key');
    } else if (!stands(key, form)) report.mistake([key], misplaced(key, form), 'key');
    else if (!known.ready) report.mistake([key], notYet(key), 'key');
  }
  if (!Object.hasOwn(value, form)) report.mistake([], missing(form, value));
}

function stands(key: string, form: 'scenario' | 'part'): boolean {
  const { stands: where } = FILE_KEYS[key]!;
  return where === 'both' || where === form;
}

function misplaced(key: string, form: 'scenario' | 'part'): string {
  if (key === 'part') return 'A part has no story to play. Run a file that uses it.';
  if (key === 'scenario') return 'This file is used as a part. Write part: and its name.';
  return `A ${form} has no ${quoted(key)}. It belongs in the file that uses this one.`;
}

function missing(form: 'scenario' | 'part', value: Fields): string {
  const other = form === 'scenario' ? 'part' : 'scenario';
  // The misplaced key says it already; the sentence here would say it twice.
  if (Object.hasOwn(value, other)) return misplaced(other, form);
  return form === 'scenario'
    ? 'A scenario needs a title. Write scenario: and a sentence.'
    : 'A part needs a name. Write part: and its name.';
}
