/** Reads a scenario and the parts that it uses into one map, and records the file of each key. */

import { dirname, join } from 'node:path';
import {
  FILE_LIMITS,
  foldersBeside,
  MISSING,
  type ReadText,
  readUserText,
  sharedFolders,
  type Unread,
} from '../../base/user-files.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import {
  collected,
  type FilePlace,
  inOrder,
  type Mistake,
  type Path,
  placeIn,
  type Report,
  type Spot,
  type SuggestedFix,
  TooManyMistakes,
  wordFix,
} from '../../plant/mistakes.ts';
import { readYaml, type YamlSource } from '../../plant/yaml-source.ts';
import { checkTitle, type FileForm, HEAD_KEYS } from '../language/head.ts';
import { readCasesFile } from './cases-file.ts';
import { reportFileKeys } from './file-keys.ts';

/** Reads a file that a person named, in any folder, and the files that it names in its own folder, the project or the package. [decisions 9] */
export function readNamed(root: string): ReadText {
  const folders = foldersBeside(root);
  const mostBytes = FILE_LIMITS.document;
  return (path) => readUserText(path, path === root ? { mostBytes } : { mostBytes, inside: folders });
}

/** Reads only files of the project and the package, as the HTTP API does. [decisions 9] */
export const readShared: ReadText = (path) =>
  readUserText(path, { mostBytes: FILE_LIMITS.document, inside: sharedFolders() });

/** Maximum depth of nested `use`. */
const DEEPEST_USE = 8;

/** Maximum number of parts of a scenario, so that parts that use each other many times do not multiply the work. */
const MOST_USES = 200;
export const MOST_CHARACTERS = 4 * FILE_LIMITS.document;

/** A file merged with its parts; the keys of the file override those of the parts. */
export interface MergedFile extends Report {
  readonly file: string;
  readonly value: JsonMap;
  readonly mistakes: () => Mistake[];
  readonly warnings: () => Mistake[];
  readonly notes: () => Mistake[];
  /** True if some text was not valid YAML, so that a missing key may just be unreadable. */
  readonly broken: boolean;
  /** The reason why the file itself was not read; null if it was read. */
  readonly unread: Unread | null;
  /** The text of each file that was read, by the file name used in mistakes. */
  readonly texts: ReadonlyMap<string, string>;
  placeOf(path: Path): { file: string; line: number };
  /** Returns the same texts without the reports since they were read, for another case. */
  afresh(): MergedFile;
}

/**
 * Reads `file` and the files that it uses. Maps are merged deeply; the file that names another has priority; lists and
 * plain values are replaced.
 */
export function readMerged(file: string, read: ReadText, form: FileForm = 'scenario'): MergedFile {
  const reading = new FileReading(read);
  return mergedOf(reading, file, reading.readAll(file, form));
}

/** Creates a merged file with separate reports, which begin with the mistakes of the texts. */
function mergedOf(reading: FileReading, file: string, value: JsonMap): MergedFile {
  const mistakes = [...reading.mistakes];
  const warnings: Mistake[] = [];
  const notes: Mistake[] = [];
  return {
    file,
    value,
    unread: reading.texts.has(file) ? null : reading.unread,
    texts: reading.texts,
    broken: reading.broken,
    mistakes: () => onlyOnce(reading.ordered(mistakes, file)),
    warnings: () => onlyOnce(reading.ordered(warnings, file)),
    notes: () => onlyOnce(reading.ordered(notes, file)),
    mistake: (path, message, spot, fix) => collected(mistakes, reading.placed(path, message, spot, fix)),
    sameFile: (one, other) => reading.originOf(one)?.source === reading.originOf(other)?.source,
    warning: (path, message, spot) => warnings.push(reading.placed(path, message, spot)),
    note: (path, message, spot) => notes.push(reading.placed(path, message, spot)),
    placeOf: (path) => {
      const origin = reading.originOf(path);
      return { file: origin?.source.file ?? file, line: origin?.source.lineOf(origin.own) ?? 1 };
    },
    afresh: () => mergedOf(reading, file, value),
  };
}

/** Returns the reported fix, or else a spelling fix that is certain. */
function fixOf(message: string, reported?: SuggestedFix): { fix?: SuggestedFix } {
  const fix = reported ?? wordFix(message);
  return fix === undefined ? {} : { fix };
}

/** Removes duplicates, because the steps of a macro are read at each `do`. */
function onlyOnce(all: readonly Mistake[]): Mistake[] {
  const known = new Set<string>();
  return all.filter(({ file, line, column, message }) => {
    const key = JSON.stringify([file, line, column, message]);
    return known.size < known.add(key).size;
  });
}

/** Returns the fix for a file that was not read. `otherwise`: the fix for a wrong name. */
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
  }
}

/** The origin of a value of the merged map. */
interface ValueOrigin {
  readonly source: YamlSource;
  /** The path of the value in that file. */
  readonly own: Path;
}

class FileReading {
  readonly mistakes: Mistake[] = [];
  readonly texts = new Map<string, string>();
  broken = false;
  /** The reason why the first unreadable file was not read. */
  unread: Unread | null = null;
  readonly #read: ReadText;
  readonly #origins = new Map<string, ValueOrigin>();
  /**
   * The position of the setup steps of each part, in the order of use. They run once, even if the part is used several
   * times.
   */
  readonly #setups = new Map<string, number>();
  readonly #sources = new Map<string, YamlSource>();
  #uses = 0;
  #characters = 0;

  constructor(read: ReadText) {
    this.#read = read;
  }

  /** Returns the merged map of the file and its parts; empty if the file is unreadable, or has too many mistakes. */
  readAll(file: string, form: FileForm): JsonMap {
    try {
      return this.include(file, form, []) ?? {};
    } catch (error) {
      if (!(error instanceof TooManyMistakes)) throw error;
      this.broken = true;
      return {};
    }
  }

  /**
   * Returns the merged map of a file; undefined if it is unreadable. `naming`: the chain of includes that led to the
   * file; `at`: the position of the last include.
   */
  include(file: string, form: FileForm, naming: readonly string[], at: FilePlace | null = null): JsonMap | undefined {
    const text = this.texts.get(file) ?? this.#read(file);
    if (typeof text !== 'string') {
      const unread = text ?? MISSING;
      this.unread ??= unread;
      at?.mistake(`${file} ${unread.why}. ${adviceOn(unread, 'Write a path relative to this file.')}`);
      return undefined;
    }
    if (!this.#takes(text, at)) return undefined;
    this.texts.set(file, text);
    const source = this.#sources.get(file) ?? readYaml(text, file);
    this.#sources.set(file, source);
    this.mistakes.push(...source.mistakes);
    if (source.mistakes.length > 0) this.broken = true;
    this.#origins.set('[]', { source, own: [] });
    if (source.value === undefined) return undefined;
    const own = placeIn(this.#reportOn(source));
    if (!isMap(source.value)) {
      own.mistake('A file is a map of keys. Write scenario: and a title, then steps:.');
      return undefined;
    }
    // A scenario that `explore` found uses the file with the rules as a part.
    const isRules = form === 'part' && Object.hasOwn(source.value, 'explore');
    const ownForm = isRules ? 'explore' : form;
    reportFileKeys(source.value, ownForm, own);
    if (ownForm !== 'scenario') checkTitle(source.value, ownForm, own);
    let merged: JsonMap = {};
    for (const { name, at } of usedBy(source.value, own)) {
      const used = this.#use(join(dirname(file), name), [...naming, file], at);
      merged = mergeFields(merged, used ?? {});
    }
    const { part: _part, explore: _explore, use: _use, setup, ...rest } = source.value;
    const kept = { ...rest, ...this.#casesOf(rest, file, own) };
    // Without parts, all keys are in this file, so no origins are recorded.
    if (naming.length > 0 || this.texts.size > 1) this.#claim(source.value, [], { source, own: [] });
    return mergeFields(merged, setup === undefined ? kept : { ...kept, setup: this.#setupOf(setup, file, source) });
  }

  /** Stores the setup steps of one part under its number, so that those of several parts do not replace each other. */
  #setupOf(setup: unknown, file: string, source: YamlSource): JsonMap {
    const number = this.#setups.get(file) ?? this.#setups.size;
    this.#setups.set(file, number);
    this.#claim(setup, ['setup', String(number)], { source, own: ['setup'] });
    return { [number]: setup };
  }

  /** Returns the cases that are in a separate file; nothing if they are in the scenario itself. */
  #casesOf({ cases }: JsonMap, file: string, root: FilePlace): JsonMap {
    if (typeof cases !== 'string') return {};
    const at = root.of('cases');
    const name = join(dirname(file), cases);
    const text = this.#read(name) ?? MISSING;
    if (typeof text !== 'string') {
      at.mistake(`${name} ${text.why}. ${adviceOn(text, 'Write a path relative to this file, or a list of cases.')}`);
      return { cases: undefined };
    }
    if (!this.#takes(text, at)) return { cases: undefined };
    this.texts.set(name, text);
    return { cases: readCasesFile(text, name, at) };
  }

  /** Returns true if all files together, including this one, stay within their limit. */
  #takes(text: string, at: FilePlace | null): boolean {
    this.#characters += text.length;
    if (this.#characters <= MOST_CHARACTERS) return true;
    at?.mistake(
      `The files used here have more than ${MOST_CHARACTERS} characters together. Use fewer or smaller ones.`,
    );
    return false;
  }

  #use(file: string, naming: readonly string[], at: FilePlace): JsonMap | undefined {
    if (naming.includes(file)) at.mistake(`${file} uses itself. Delete one of the uses.`);
    else if (++this.#uses > MOST_USES) at.mistake(`Files use each other more than ${MOST_USES} times. Merge some.`);
    else if (naming.length > DEEPEST_USE) at.mistake(`More than ${DEEPEST_USE} files use each other. Merge some.`);
    else {
      const { about: _about, tags: _tags, ...shared } = this.include(file, 'part', naming, at) ?? {};
      return shared;
    }
    return undefined;
  }

  /** Returns the file that has the value, and the path of the value in it. */
  originOf(path: Path): ValueOrigin | undefined {
    if (this.#origins.size === 1) return { ...this.#origins.get('[]')!, own: path };
    for (let depth = path.length; depth >= 0; depth--) {
      const origin = this.#origins.get(JSON.stringify(path.slice(0, depth)));
      if (origin !== undefined) return { ...origin, own: [...origin.own, ...path.slice(depth)] };
    }
    return undefined;
  }

  placed(path: Path, message: string, spot?: Spot, fix?: SuggestedFix): Mistake {
    const origin = this.originOf(path);
    if (origin === undefined) return { file: '', line: 1, column: 1, length: 1, message };
    const { source, own } = origin;
    return { file: source.file, ...source.placeOf(own, spot), message, ...fixOf(message, fix) };
  }

  /** Sorts the mistakes of the file itself first, then those of its parts. */
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
      mistake: (path, message, spot) => collected(this.mistakes, placed(path, message, spot)),
      warning: () => {},
    };
  }

  /** Records this file as the origin of the map's keys. */
  #claim(value: unknown, path: Path, { source, own }: ValueOrigin): void {
    this.#origins.set(JSON.stringify(path), { source, own });
    if (!isMap(value)) return;
    for (const [key, item] of Object.entries(value)) this.#claim(item, [...path, key], { source, own: [...own, key] });
  }
}

function usedBy({ use }: JsonMap, root: FilePlace): { name: string; at: FilePlace }[] {
  const at = root.of('use');
  const names = use === undefined ? null : HEAD_KEYS.use.read(use, at);
  return (names ?? []).flatMap((name, i) => (name === null ? [] : [{ name, at: at.of(i) }]));
}

function mergeFields(below: JsonMap, above: JsonMap): JsonMap {
  // A Map is used, because an assignment would treat `__proto__` specially.
  const merged = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    const under = merged.get(key);
    merged.set(key, isMap(under) && isMap(value) ? mergeFields(under, value) : value);
  }
  return Object.fromEntries(merged);
}
