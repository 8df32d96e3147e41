/** A scenario that another thread has read up to its steps, as data that can be sent: it contains what the thread that plays the scenario needs to read the rest. */
import { isMap, type JsonMap } from '../../contract/schema.ts';
import type { Path } from '../../plant/mistakes.ts';
import { SECTION_NAMES, SECTION_OF } from '../language/sections.ts';
import type { OpenScenario } from './load.ts';
import type { MergedFile } from './merged-file.ts';

/** The line of a value, and of each value in it: for a list by index, for a map in the order of its keys. */
type LineTree = number | readonly LineTree[];

/** The data must be structured-cloneable. */
export interface TransferredScenario extends Omit<OpenScenario, 'merged'> {
  /** The files to which the numbers in `lines` refer. */
  readonly files: readonly string[];
  /** `line * files.length + index of the file`. */
  readonly lines: LineTree;
}

/** Sections that are read again by the thread that plays the scenario; the world is sent as it was read. */
const PLAYED = SECTION_NAMES.filter((name) => SECTION_OF[name].isPlayed === true);

export function toTransfer({ merged, value: whole, ...open }: OpenScenario): TransferredScenario {
  const value = Object.fromEntries(PLAYED.flatMap((key) => (Object.hasOwn(whole, key) ? [[key, whole[key]]] : [])));
  const files = [...new Set([merged.file, ...merged.texts.keys()])];
  const lineOf = (path: Path): number => {
    const { file, line } = merged.placeOf(path);
    return line * files.length + Math.max(0, files.indexOf(file));
  };
  return { ...open, value, files, lines: treeOf(value, [], lineOf) };
}

function treeOf(value: unknown, path: Path, lineOf: (path: Path) => number): LineTree {
  const own = lineOf(path);
  if (Array.isArray(value)) return [own, ...value.map((item: unknown, i) => treeOf(item, [...path, i], lineOf))];
  if (!isMap(value)) return own;
  return [own, ...Object.entries(value).map(([key, item]) => treeOf(item, [...path, key], lineOf))];
}

/** Restores the scenario. It has no mistakes, so its texts are not needed. */
export function fromTransfer({ files, lines, ...open }: TransferredScenario): OpenScenario {
  const ordinals = new WeakMap<object, ReadonlyMap<string, number>>();
  const ordinalOf = (map: JsonMap, key: string): number | undefined => {
    const known = ordinals.get(map) ?? new Map(Object.keys(map).map((name, i) => [name, i]));
    ordinals.set(map, known);
    return known.get(key);
  };
  const lineAt = (path: Path): number => {
    let [value, tree]: [unknown, LineTree] = [open.value, lines];
    for (const step of path) {
      const at = Array.isArray(value) ? Number(step) : isMap(value) ? ordinalOf(value, String(step)) : undefined;
      const below: LineTree | undefined = at === undefined || typeof tree === 'number' ? undefined : tree[at + 1];
      if (below === undefined) break;
      value = Array.isArray(value) ? value[Number(step)] : (value as JsonMap)[String(step)];
      tree = below;
    }
    return typeof tree === 'number' ? tree : (tree[0] as number);
  };
  const merged: MergedFile = {
    file: open.file,
    value: {},
    unread: null,
    broken: false,
    texts: new Map(),
    mistakes: () => found,
    warnings: () => [],
    notes: () => [],
    warning: () => {},
    mistake: (path, message) => {
      const { file, line } = merged.placeOf(path);
      found.push({ file, line, column: 1, length: 1, message });
    },
    placeOf: (path) => {
      const number = lineAt(path);
      return { file: files[number % files.length] ?? open.file, line: Math.floor(number / files.length) };
    },
    bind: () => {},
    spelled: (value) => value,
    afresh: () => merged,
  };
  const found: ReturnType<MergedFile['mistakes']> = [];
  return { ...open, merged };
}
