/** Reads a scenario and the parts it uses into one map, and records which file each key came from. */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { quoted } from '../../contract/sentences.ts';
import {
  type FilePlace,
  inOrder,
  type Mistake,
  type Path,
  placeIn,
  type Report,
  type Spot,
  type SuggestedFix,
  wordFix,
} from '../../plant/mistakes.ts';
import { readYaml, type YamlSource } from '../../plant/yaml-source.ts';
import { type FileForm, reportFileKeys } from './file-keys.ts';

/** Returns the text of a file; undefined if it cannot be read. */
export type ReadText = (path: string) => string | undefined;

export const readFromDisk: ReadText = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

/** Maximum depth of nested `use`. */
const DEEPEST_USE = 8;

/** A file merged with its parts; the file's own keys win. */
export interface MergedFile extends Report {
  readonly file: string;
  readonly value: JsonMap;
  readonly mistakes: () => Mistake[];
  readonly warnings: () => Mistake[];
  readonly notes: () => Mistake[];
  /** Some text was not valid YAML, so a missing key may only have been unreadable. */
  readonly broken: boolean;
  /** The text of each file that was read, by the file name used in mistakes. */
  readonly texts: ReadonlyMap<string, string>;
  placeOf(path: Path): { file: string; line: number };
}

/** Reads `file` and what it uses: maps merge deeply, the naming file wins, lists and plain values are replaced. */
export function readMerged(file: string, read: ReadText, form: FileForm = 'scenario'): MergedFile {
  const reading = new FileReading(read);
  const value = reading.include(file, form, []) ?? {};
  return {
    file,
    value,
    texts: reading.texts,
    broken: reading.broken,
    mistakes: () => onlyOnce(reading.ordered(reading.mistakes, file)),
    warnings: () => onlyOnce(reading.ordered(reading.warnings, file)),
    notes: () => onlyOnce(reading.ordered(reading.notes, file)),
    mistake: (path, message, spot, fix) => reading.mistakes.push(reading.placed(path, message, spot, fix)),
    sameFile: (one, other) => reading.sourceOf(one) === reading.sourceOf(other),
    warning: (path, message, spot) => reading.warnings.push(reading.placed(path, message, spot)),
    note: (path, message, spot) => reading.notes.push(reading.placed(path, message, spot)),
    placeOf: (path) => {
      const source = reading.sourceOf(path);
      return { file: source?.file ?? file, line: source?.placeOf(path).line ?? 1 };
    },
  };
}

/** The reported fix, or else a certain spelling fix. */
function fixOf(message: string, reported?: SuggestedFix): { fix?: SuggestedFix } {
  const fix = reported ?? wordFix(message);
  return fix === undefined ? {} : { fix };
}

/** Removes duplicates: the steps of a macro are read at each `do`. */
function onlyOnce(all: readonly Mistake[]): Mistake[] {
  const keys = all.map(({ file, line, column, message }) => JSON.stringify([file, line, column, message]));
  return all.filter((_, i) => keys.indexOf(keys[i] as string) === i);
}

class FileReading {
  readonly mistakes: Mistake[] = [];
  readonly warnings: Mistake[] = [];
  readonly notes: Mistake[] = [];
  readonly texts = new Map<string, string>();
  broken = false;
  readonly #read: ReadText;
  readonly #origins = new Map<string, YamlSource>();

  constructor(read: ReadText) {
    this.#read = read;
  }

  /** The merged map of a file; undefined if unreadable. `naming` is the chain of includes that led here. */
  include(file: string, form: FileForm, naming: readonly string[]): JsonMap | undefined {
    const text = this.#read(file);
    if (text === undefined) return undefined;
    this.texts.set(file, text);
    const source = readYaml(text, file);
    this.mistakes.push(...source.mistakes);
    if (source.mistakes.length > 0) this.broken = true;
    this.#origins.set('[]', source);
    if (source.value === undefined) return undefined;
    const own = placeIn(this.#reportOn(source));
    if (!isMap(source.value)) {
      own.mistake('A file is a map of keys. Write scenario: and a title, then steps:.');
      return undefined;
    }
    // A story that was found by `explore` uses the file with the rules.
    const isRules = form === 'part' && Object.hasOwn(source.value, 'explore');
    reportFileKeys(source.value, isRules ? 'explore' : form, own);
    let merged: JsonMap = {};
    for (const { name, at } of usedBy(source.value, own)) {
      const used = this.#use(join(dirname(file), name), [...naming, file], at);
      merged = mergeFields(merged, used ?? {});
    }
    const { part: _part, explore: _explore, use: _use, ...kept } = source.value;
    this.#claim(source.value, [], source);
    return mergeFields(merged, kept);
  }

  #use(file: string, naming: readonly string[], at: FilePlace): JsonMap | undefined {
    if (naming.includes(file)) at.mistake(`${file} uses itself. Delete one of the uses.`);
    else if (naming.length > DEEPEST_USE) at.mistake(`More than ${DEEPEST_USE} files use each other. Merge some.`);
    else if (this.#read(file) === undefined) at.mistake(`${file} cannot be read. Write a path relative to this file.`);
    else {
      const { about: _about, tags: _tags, ...shared } = this.include(file, 'part', naming) ?? {};
      return shared;
    }
    return undefined;
  }

  sourceOf(path: Path): YamlSource | undefined {
    for (let depth = path.length; depth >= 0; depth--) {
      const source = this.#origins.get(JSON.stringify(path.slice(0, depth)));
      if (source !== undefined) return source;
    }
    return undefined;
  }

  placed(path: Path, message: string, spot?: Spot, fix?: SuggestedFix): Mistake {
    const source = this.sourceOf(path);
    if (source === undefined) return { file: '', line: 1, column: 1, length: 1, message };
    return { file: source.file, ...source.placeOf(path, spot), message, ...fixOf(message, fix) };
  }

  /** The file itself first, then its parts. */
  ordered(all: readonly Mistake[], file: string): Mistake[] {
    return inOrder([...all.filter((one) => one.file === file), ...all.filter((one) => one.file !== file)]);
  }

  #reportOn(source: YamlSource): Report {
    const placed = (path: Path, message: string, spot?: Spot) => ({
      file: source.file,
      ...source.placeOf(path, spot),
      message,
      ...fixOf(message),
    });
    return {
      mistake: (path, message, spot) => this.mistakes.push(placed(path, message, spot)),
      warning: (path, message, spot) => this.warnings.push(placed(path, message, spot)),
    };
  }

  /** Records this file as the origin of the map's keys. */
  #claim(value: unknown, path: Path, source: YamlSource): void {
    this.#origins.set(JSON.stringify(path), source);
    if (!isMap(value)) return;
    for (const [key, item] of Object.entries(value)) this.#claim(item, [...path, key], source);
  }
}

function usedBy({ use }: JsonMap, root: FilePlace): { name: string; at: FilePlace }[] {
  if (use === undefined) return [];
  const names = Array.isArray(use) ? use : [];
  if (!Array.isArray(use)) root.of('use').mistake('Parts are a list of files. Write use: [sites/harbour.yaml].');
  return names.flatMap((name: unknown, i) => {
    const at = root.of('use', i);
    if (typeof name === 'string') return [{ name, at }];
    at.mistake(`${quoted(name)} is not a file. Write a path relative to this file.`);
    return [];
  });
}

function mergeFields(below: JsonMap, above: JsonMap): JsonMap {
  // Built from entries: assignment would treat `__proto__` specially.
  const merged = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    const under = merged.get(key);
    merged.set(key, isMap(under) && isMap(value) ? mergeFields(under, value) : value);
  }
  return Object.fromEntries(merged);
}
