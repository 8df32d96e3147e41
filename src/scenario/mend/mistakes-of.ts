/** Every mistake and warning of one file, a story in all its cases or a part. [scenario-language, Messages] */

import { inOrder, type Mistake } from '../../plant/mistakes.ts';
import { loadStory } from '../reading/load.ts';
import { isPart, mistakesOfPart } from '../reading/load-part.ts';
import type { ReadText } from '../story/merged-file.ts';

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
