/** Every mistake and warning of one file, a story in all its cases or a part. [scenario-language, Messages] */

import { basename, dirname, join } from 'node:path';
import { inOrder, type Mistake } from '../../plant/mistakes.ts';
import { loadStory } from '../reading/load.ts';
import { type ReadText, readFromDisk } from '../story/merged-file.ts';

export interface CheckedFile {
  readonly mistakes: readonly Mistake[];
  readonly warnings: readonly Mistake[];
}

/** Includes mistakes that only some cases have. */
export function mistakesOf(file: string, read: ReadText): CheckedFile {
  if (isPart(read(file))) return { mistakes: inOrder([...mistakesOfPart(file, read)]), warnings: [] };
  const first = loadStory(file, { read });
  const all = first.ok ? first.cases.map((values) => loadStory(file, { values, read })) : [first];
  const loaded = [first, ...all];
  return {
    mistakes: inOrder(loaded.flatMap((one) => (one.ok ? [] : one.mistakes))),
    warnings: inOrder(loaded.flatMap((one) => (one.ok ? one.warnings : []))),
  };
}

/** Whether the file has the key `part` and not `scenario`. */
export const isPart = (text: string | undefined): boolean =>
  text !== undefined && /^part[ \t]*:/m.test(text) && !/^scenario[ \t]*:/m.test(text);

/** The mistakes of the part and its own parts, without those about keys that only a story needs. */
export function mistakesOfPart(file: string, read: ReadText = readFromDisk): readonly Mistake[] {
  const story = join(dirname(file), `${basename(file)}.story`);
  const text = `scenario: A story that uses the part\nuse: [${JSON.stringify(basename(file))}]\nsteps:\n  - wait: 1s\n`;
  const loaded = loadStory(story, { read: (path) => (path === story ? text : read(path)) });
  return loaded.ok ? [] : loaded.mistakes.filter((mistake) => mistake.file !== story);
}
