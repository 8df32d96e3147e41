/** Validates a part on its own, as if a story used it. [scenario-language, File] */

import { basename, dirname, join } from 'node:path';
import type { Mistake } from '../../plant/mistakes.ts';
import { type ReadText, readFromDisk } from '../story/merged-file.ts';
import { loadStory } from './load.ts';

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
