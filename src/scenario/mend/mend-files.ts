/** Applies certain fixes to scenario files and their parts, one at a time, validating again after each. [scenario-language, Messages] */

import { inOrder, type Mistake } from '../../plant/mistakes.ts';
import { mended } from '../../plant/yaml-edit.ts';
import { loadStory } from '../reading/load.ts';
import type { ReadText } from '../story/merged-file.ts';
import { checkedPart, isPart } from './checked-part.ts';
import { unifiedDiff } from './unified-diff.ts';

/** Limit of fixes per file. */
const MOST_FIXES = 500;

/** A file with fixes applied. */
export interface MendedFile {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

export interface Mending {
  /** The applied fixes in order of the text, with their places at that moment. */
  readonly fixes: readonly Mistake[];
  readonly files: readonly MendedFile[];
  /** Remaining mistakes of each file. */
  readonly left: ReadonlyMap<string, CheckedFile>;
  /** One unified diff; empty without fixes. */
  readonly diff: string;
}

/** Computes the fixes; the caller writes the files. */
export function mendFiles(asked: readonly string[], read: ReadText): Mending {
  const texts = new Map<string, string>();
  const now: ReadText = (path) => texts.get(path) ?? read(path);
  const fixes = asked.flatMap((file) => mendFile(file, texts, now));
  const files = [...texts].flatMap(([file, after]) => {
    const before = read(file) ?? '';
    return before === after ? [] : [{ file, before, after }];
  });
  return {
    ...{ fixes, files },
    left: new Map(asked.map((file) => [file, mistakesOf(file, now)])),
    diff: files.map(({ file, before, after }) => unifiedDiff(file, before, after)).join('\n'),
  };
}

function mendFile(file: string, texts: Map<string, string>, now: ReadText): Mistake[] {
  const made: Mistake[] = [];
  const refused = new Set<string>();
  let { mistakes } = mistakesOf(file, now);
  while (made.length < MOST_FIXES) {
    // Last to first, so that earlier places stay valid and modifiers of a step keep their order.
    const next = mistakes.findLast((mistake) => mistake.fix !== undefined && !refused.has(keyOf(mistake)));
    if (next === undefined) break;
    const before = now(next.file);
    const after = before === undefined || next.fix === undefined ? null : mended(before, next, next.fix);
    if (before === undefined || after === null || after === before) {
      refused.add(keyOf(next));
      continue;
    }
    texts.set(next.file, after);
    const judged = mistakesOf(file, now).mistakes;
    if (isStillThere(next, mistakes, judged)) {
      texts.set(next.file, before);
      refused.add(keyOf(next));
      continue;
    }
    made.push(next);
    mistakes = judged;
  }
  return made.reverse();
}

/** Keeps a fix only if its mistake is gone; new mistakes may appear. */
function isStillThere(mistake: Mistake, before: readonly Mistake[], after: readonly Mistake[]): boolean {
  const count = (all: readonly Mistake[]): number =>
    all.filter(({ file, message }) => file === mistake.file && message === mistake.message).length;
  return count(after) >= count(before);
}

const keyOf = ({ file, line, column, message }: Mistake): string => JSON.stringify([file, line, column, message]);

// Every mistake, warning and note of one file, a story in all its cases or a part. [scenario-language, Messages]

interface CheckedFile {
  readonly mistakes: readonly Mistake[];
  readonly warnings: readonly Mistake[];
  /** What people assume of a plant where the part that draws it is silent. */
  readonly notes: readonly Mistake[];
}

/** Includes mistakes that only some cases have. */
export function mistakesOf(file: string, read: ReadText): CheckedFile {
  if (isPart(read(file))) {
    const { mistakes, notes } = checkedPart(file, read);
    const own = notes.filter((note) => note.file === file);
    return { mistakes: inOrder(mistakes), warnings: [], notes: inOrder(own) };
  }
  const first = loadStory(file, { read });
  const all = first.ok ? first.cases.map((values) => loadStory(file, { values, read })) : [first];
  const loaded = [first, ...all];
  return {
    mistakes: inOrder(loaded.flatMap((one) => (one.ok ? [] : one.mistakes))),
    warnings: inOrder(loaded.flatMap((one) => (one.ok ? one.warnings : []))),
    // Most stories are played by scripted workers, whom no door stops.
    notes: [],
  };
}
