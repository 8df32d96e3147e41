/** Mends what is certain in scenario files and their parts: one mistake after the other, each looked at again after it. [scenario-language, Messages] */

import type { Mistake } from '../../plant/mistakes.ts';
import { mended } from '../../plant/yaml-edit.ts';
import type { ReadText } from '../story/merged-file.ts';
import { type CheckedFile, mistakesOf } from './mistakes-of.ts';
import { unifiedDiff } from './unified-diff.ts';

/** More than this in one file is no slip of the pen. */
const MOST_FIXES = 500;

/** One file that would be, or was, written. */
export interface MendedFile {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

export interface Mending {
  /** What was mended, in the order of the text; places are those at that moment. */
  readonly fixes: readonly Mistake[];
  readonly files: readonly MendedFile[];
  /** What is left of each file that was asked for. */
  readonly left: ReadonlyMap<string, CheckedFile>;
  /** All files as one unified diff; empty where nothing was mended. */
  readonly diff: string;
}

/** The mending of these files. Nothing is written: that is for the caller. */
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
    // From the last to the first: places before it stay, and modifiers of one step come out in their order.
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

/** A fix is kept only where its mistake is gone; that others come to light is right. */
function isStillThere(mistake: Mistake, before: readonly Mistake[], after: readonly Mistake[]): boolean {
  const count = (all: readonly Mistake[]): number =>
    all.filter(({ file, message }) => file === mistake.file && message === mistake.message).length;
  return count(after) >= count(before);
}

const keyOf = ({ file, line, column, message }: Mistake): string => JSON.stringify([file, line, column, message]);
