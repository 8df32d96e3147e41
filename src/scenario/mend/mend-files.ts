/** Applies safe fixes to scenario files and their parts, one at a time, and validates again after each. [scenario-language, Messages] */

import type { ReadText } from '../../base/user-files.ts';
import { inOrder, type Mistake } from '../../plant/mistakes.ts';
import { mended } from '../../plant/yaml-edit.ts';
import type { Values } from '../model/scenario.ts';
import { countSteps } from '../reading/count-steps.ts';
import { loadScenario } from '../reading/load.ts';
import { type MergedFile, readMerged, readNamed } from '../reading/merged-file.ts';
import type { FileCommand } from '../reading/read-system.ts';
import { checkedPart, isPart } from './checked-part.ts';
import { unifiedDiff } from './unified-diff.ts';

/**
 * Limits of fixes per file. Each fix is checked by reading the file again, so the total number of characters read is
 * limited too.
 */
const MOST_FIXES = 500;
const MOST_READ = 5_000_000;

/** A file with fixes applied. */
interface MendedFile {
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

/**
 * Computes the fixes; the caller writes the files. `readerOf`: returns the reader with the files that a file of the
 * command line may read.
 */
export function mendFiles(named: readonly string[], readerOf: (file: string) => ReadText = readNamed): Mending {
  const texts = new Map<string, string>();
  const originals = new Map<string, string>();
  const nowOf = (file: string): ReadText => {
    const read = readerOf(file);
    return (path) => texts.get(path) ?? read(path);
  };
  const fixes = named.flatMap((file) => mendFile(file, { texts, originals }, nowOf(file)));
  const files = [...texts].flatMap(([file, after]) => {
    const before = originals.get(file) ?? after;
    return before === after ? [] : [{ file, before, after }];
  });
  return {
    fixes,
    files,
    left: new Map(named.map((file) => [file, mistakesOf(file, nowOf(file))])),
    diff: files.map(({ file, before, after }) => unifiedDiff(file, before, after)).join('\n'),
  };
}

interface MendingTexts {
  /** By file, with the applied fixes. */
  readonly texts: Map<string, string>;
  readonly originals: Map<string, string>;
}

function mendFile(file: string, { texts, originals }: MendingTexts, now: ReadText): Mistake[] {
  const made: Mistake[] = [];
  const refused = new Set<string>();
  let { mistakes } = mistakesOf(file, now);
  let spent = 0;
  while (made.length < MOST_FIXES && spent < MOST_READ) {
    // Last to first, so that earlier places stay valid and modifiers of a step keep their order.
    const next = mistakes.findLast((mistake) => mistake.fix !== undefined && !refused.has(keyOf(mistake)));
    if (next === undefined) break;
    const before = now(next.file);
    const after = typeof before !== 'string' || next.fix === undefined ? null : mended(before, next, next.fix);
    if (typeof before !== 'string' || after === null || after === before) {
      refused.add(keyOf(next));
      continue;
    }
    if (!originals.has(next.file)) originals.set(next.file, before);
    texts.set(next.file, after);
    spent += before.length;
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

/**
 * Returns true if the mistake is still there after the fix, so that the fix must be discarded; new mistakes may appear.
 */
function isStillThere(mistake: Mistake, before: readonly Mistake[], after: readonly Mistake[]): boolean {
  const count = (all: readonly Mistake[]): number =>
    all.filter(({ file, message }) => file === mistake.file && message === mistake.message).length;
  return count(after) >= count(before);
}

const keyOf = ({ file, line, column, message }: Mistake): string => JSON.stringify([file, line, column, message]);

// Every mistake, warning and note of one file, a scenario in all its cases or a part. [scenario-language, Messages]

interface CheckedFile {
  readonly mistakes: readonly Mistake[];
  readonly warnings: readonly Mistake[];
  /** The defaults that the people of a plant use, if the part does not set them. */
  readonly notes: readonly Mistake[];
  /** The commands that the file starts. */
  readonly commands: readonly FileCommand[];
}

/** Returns all mistakes, including those that only some cases have. */
export function mistakesOf(file: string, read: ReadText): CheckedFile {
  if (isPart(read(file))) {
    const { mistakes, notes, commands } = checkedPart(file, read);
    const own = notes.filter((note) => note.file === file);
    return { mistakes: inOrder(mistakes), warnings: [], notes: inOrder(own), commands };
  }
  const merged = readMerged(file, read);
  const first = loadScenario(file, { read, merged });
  const cases = first.ok ? checkedCases(first, merged) : [];
  const loaded = [first, ...cases.map((values) => loadScenario(file, { values, read, merged: merged.afresh() }))];
  const remarks = merged.afresh();
  if (first.ok && cases.length < first.cases.length) {
    const key = Object.hasOwn(merged.value, 'matrix') ? 'matrix' : 'cases';
    const counts = `${cases.length} of the ${first.cases.length} cases`;
    remarks.warning([key], `The file is long, so ${counts} are checked here. Each is checked before it runs.`, 'key');
  }
  const warnings = [...loaded.flatMap((one) => (one.ok ? one.warnings : [])), ...remarks.warnings()];
  return {
    mistakes: inOrder(loaded.flatMap((one) => (one.ok ? [] : one.mistakes))),
    warnings: inOrder(warnings),
    // Most scenarios use scripted workers, to whom these notes do not apply.
    notes: [],
    // A parameter can be a command, so cases can have different commands.
    commands: [...new Map(loaded.flatMap((one) => one.commands.map((own) => [JSON.stringify(own), own]))).values()],
  };
}

/** Maximum number of steps that are read in all cases together; a step takes about 20 microseconds. */
const MOST_STEPS_OF_CASES = 60_000;

/** Number of characters of a file that take as long to check as one step. */
const CHARACTERS_A_STEP = 100;

/**
 * Returns all cases; for a long file, as many as can be checked in a few seconds, spread evenly from the first to the
 * last.
 */
function checkedCases({ cases }: { readonly cases: readonly Values[] }, merged: MergedFile): readonly Values[] {
  const characters = [...merged.texts.values()].reduce((sum, { length }) => sum + length, 0);
  const cost = Math.max(countSteps(merged.value).steps, characters / CHARACTERS_A_STEP);
  const count = Math.max(2, Math.floor(MOST_STEPS_OF_CASES / Math.max(1, cost)));
  if (cases.length <= count) return cases;
  return Array.from({ length: count }, (_, i) => cases[Math.round((i * (cases.length - 1)) / (count - 1))] as Values);
}
