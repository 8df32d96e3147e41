/** The parts that each file uses, and whether one of them has a mistake: then what the file lacks may only be unread. */

import type { Unread } from '../../base/user-files.ts';
import type { JsonMap } from '../../contract/schema.ts';
import type { FilePlace, Mistake } from '../../plant/mistakes.ts';
import { HEAD_KEYS } from '../language/head.ts';

export class UsedParts {
  readonly #partsOf = new Map<string, Set<string>>();
  /** The files of which a `use` has a mistake. */
  readonly #broken = new Set<string>();

  add(file: string, part: string): void {
    this.#partsOf.set(file, (this.#partsOf.get(file) ?? new Set()).add(part));
  }

  /** The file names a part that cannot be read. */
  addBroken(file: string): void {
    this.#broken.add(file);
  }

  /** True if a part that the file uses, directly or not, was not read or has one of these mistakes. */
  isBroken(file: string, mistakes: readonly Mistake[]): boolean {
    if (this.#broken.has(file)) return true;
    const parts = [...(this.#partsOf.get(file) ?? [])];
    return parts.some((part) => mistakes.some((one) => one.file === part) || this.isBroken(part, mistakes));
  }
}

/** The names of the parts in `use`, with their positions. */
export function usedBy({ use }: JsonMap, root: FilePlace): { name: string; at: FilePlace }[] {
  const at = root.of('use');
  const names = use === undefined ? null : HEAD_KEYS.use.read(use, at);
  return (names ?? []).flatMap((name, i) => (name === null ? [] : [{ name, at: at.of(i) }]));
}

/** Removes duplicates, because the steps of a macro are read at each `do`. */
export function onlyOnce(all: readonly Mistake[]): Mistake[] {
  const known = new Set<string>();
  return all.filter(({ file, line, column, message }) => {
    const key = JSON.stringify([file, line, column, message]);
    return known.size < known.add(key).size;
  });
}

/** Returns the fix for a file that was not read; empty if the reason contains it. `otherwise`: the fix for a wrong name. */
export function adviceOn({ code }: Unread, otherwise: string): string {
  switch (code) {
    case 'missing':
    case 'folder':
    case 'unreadable':
      return otherwise;
    case 'outside':
      return 'Copy it into the folder of the file that you run, or into the project.';
    case 'special':
      return 'Copy its content into a file.';
    case 'large':
      return 'Split it.';
    case 'encoding':
      return '';
  }
}
