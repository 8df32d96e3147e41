/** Reports top-level keys that are unknown, or that do not belong in this kind of file: scenario, part, or file of `sandbox explore`. */
import { CLI } from '../../base/text/command-form.ts';
import type { JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import { didYouMean, type FilePlace } from '../../plant/mistakes.ts';
import { FILE_FORMS, type FileForm } from '../language/head.ts';
import { isSection, SECTION_NAMES, SECTION_OF } from '../language/sections.ts';

/** Reports unknown keys and keys in the wrong kind of file. */
export function reportFileKeys(value: JsonMap, form: FileForm, root: FilePlace): void {
  // A file of another kind gets one message, not one for each of its keys.
  if (form === 'part' && !Object.hasOwn(value, 'part') && Object.hasOwn(value, 'scenario')) {
    root.of('scenario').mistake(misplaced('scenario', form), 'key');
    return;
  }
  if (form === 'part' && !Object.hasOwn(value, 'part') && !Object.keys(value).some(isSection)) {
    root.mistake(MISSING.part);
    return;
  }
  const fitting = SECTION_NAMES.filter((key) => SECTION_OF[key].forms.includes(form));
  const noun = NOUNS[form];
  for (const key of Object.keys(value)) {
    if (!isSection(key)) {
      root.of(key).mistake(`${quoted(key)} is not a key of ${noun}.${didYouMean(key, fitting)}`, 'key');
    } else if (!SECTION_OF[key].forms.includes(form)) root.of(key).mistake(misplaced(key, form), 'key');
  }
  if (!Object.hasOwn(value, form)) root.mistake(missing(form, value));
}

const NOUNS: Readonly<Record<FileForm, string>> = {
  scenario: 'a scenario',
  part: 'a part',
  explore: `a file of "${CLI} explore"`,
};

function misplaced(key: string, form: FileForm): string {
  if (key === 'part') return 'A part has no scenario to play. Run a file that uses it.';
  if (key === 'explore') return `This file has no scenario of its own. Search for one: ${CLI} explore and its name.`;
  if (key === 'scenario' && form === 'part') return 'This file is used as a part. Write part: and its name.';
  if (form === 'explore') return `The scenarios are made, so there is no ${quoted(key)} to write. Delete it.`;
  return `${NOUNS[form].replace(/^a/, 'A')} has no ${quoted(key)}. It belongs in the file that uses this one.`;
}

const MISSING: Readonly<Record<FileForm, string>> = {
  scenario: 'A scenario needs a title. Write scenario: and a sentence.',
  part: 'A part needs a name. Write part: and its name.',
  explore: `A file of "${CLI} explore" needs a title. Write explore: and what your system is.`,
};

function missing(form: FileForm, value: JsonMap): string {
  // The misplaced key has already been reported.
  const other = FILE_FORMS.find((key) => key !== form && Object.hasOwn(value, key));
  return other === undefined ? MISSING[form] : misplaced(other, form);
}
