/** Reads a scenario and the parts it uses into one map, and records which file each key came from. */

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
import { reportFileKeys } from './file-keys.ts';

/** Reads a file that a person named, wherever it is, and the files that it names in its own folder, the project or the package. [decisions 9] */
export function readNamed(root: string): ReadText {
  const folders = foldersBeside(root);
  const mostBytes = FILE_LIMITS.document;
  return (path) => readUserText(path, path === root ? { mostBytes } : { mostBytes, inside: folders });
}

/** Reads files of the project and the package only, as HTTP does. [decisions 9] */
export const readShared: ReadText = (path) =>
  readUserText(path, { mostBytes: FILE_LIMITS.document, inside: sharedFolders() });

/** Maximum depth of nested `use`. */
const DEEPEST_USE = 8;

/** Limits of a scenario with its parts, so that parts that use each other many times do not multiply the work. */
const MOST_USES = 200;
export const MOST_CHARACTERS = 4 * FILE_LIMITS.document;

/** A file merged with its parts; the file's own keys win. */
export interface MergedFile extends Report {
  readonly file: string;
  readonly value: JsonMap;
  readonly mistakes: () => Mistake[];
  readonly warnings: () => Mistake[];
  readonly notes: () => Mistake[];
  /** Some text was not valid YAML, so a missing key may only have been unreadable. */
  readonly broken: boolean;
  /** Why the file itself was not read; null: it was. */
  readonly unread: Unread | null;
  /** The text of each file that was read, by the file name used in mistakes. */
  readonly texts: ReadonlyMap<string, string>;
  placeOf(path: Path): { file: string; line: number };
  /** The same texts without what was reported since they were read, for another case. */
  afresh(): MergedFile;
}

/** Reads `file` and what it uses: maps merge deeply, the naming file wins, lists and plain values are replaced. */
export function readMerged(file: string, read: ReadText, form: FileForm = 'scenario'): MergedFile {
  const reading = new FileReading(read);
  return mergedOf(reading, file, reading.readAll(file, form));
}

/** With reports of its own, which begin with the mistakes of the texts. */
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
    sameFile: (one, other) => reading.sourceOf(one) === reading.sourceOf(other),
    warning: (path, message, spot) => warnings.push(reading.placed(path, message, spot)),
    note: (path, message, spot) => notes.push(reading.placed(path, message, spot)),
    placeOf: (path) => {
      const source = reading.sourceOf(path);
      return { file: source?.file ?? file, line: source?.lineOf(path) ?? 1 };
    },
    afresh: () => mergedOf(reading, file, value),
  };
}

/** The reported fix, or else a certain spelling fix. */
function fixOf(message: string, reported?: SuggestedFix): { fix?: SuggestedFix } {
  const fix = reported ?? wordFix(message);
  return fix === undefined ? {} : { fix };
}

/** Removes duplicates: the steps of a macro are read at each `do`. */
function onlyOnce(all: readonly Mistake[]): Mistake[] {
  const known = new Set<string>();
  return all.filter(({ file, line, column, message }) => {
    const key = JSON.stringify([file, line, column, message]);
    return known.size < known.add(key).size;
  });
}

/** What to do about a file that was not read. `otherwise`: where its name is wrong. */
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

class FileReading {
  readonly mistakes: Mistake[] = [];
  readonly texts = new Map<string, string>();
  broken = false;
  /** Why the first unreadable file was not read. */
  unread: Unread | null = null;
  readonly #read: ReadText;
  readonly #origins = new Map<string, YamlSource>();
  readonly #sources = new Map<string, YamlSource>();
  #uses = 0;
  #characters = 0;

  constructor(read: ReadText) {
    this.#read = read;
  }

  /** The merged map of the file and its parts; empty where it is unreadable, or has very many mistakes. */
  readAll(file: string, form: FileForm): JsonMap {
    try {
      return this.include(file, form, []) ?? {};
    } catch (error) {
      if (!(error instanceof TooManyMistakes)) throw error;
      this.broken = true;
      return {};
    }
  }

  /** The merged map of a file; undefined if unreadable. `naming` is the chain of includes that led here, `at` the place of the last. */
  include(file: string, form: FileForm, naming: readonly string[], at: FilePlace | null = null): JsonMap | undefined {
    const text = this.texts.get(file) ?? this.#read(file);
    if (typeof text !== 'string') {
      const unread = text ?? MISSING;
      this.unread ??= unread;
      at?.mistake(`${file} ${unread.why}. ${adviceOn(unread, 'Write a path relative to this file.')}`);
      return undefined;
    }
    this.#characters += text.length;
    if (this.#characters > MOST_CHARACTERS) {
      at?.mistake(
        `The files used here have more than ${MOST_CHARACTERS} characters together. Use fewer or smaller ones.`,
      );
      return undefined;
    }
    this.texts.set(file, text);
    const source = this.#sources.get(file) ?? readYaml(text, file);
    this.#sources.set(file, source);
    this.mistakes.push(...source.mistakes);
    if (source.mistakes.length > 0) this.broken = true;
    this.#origins.set('[]', source);
    if (source.value === undefined) return undefined;
    const own = placeIn(this.#reportOn(source));
    if (!isMap(source.value)) {
      own.mistake('A file is a map of keys. Write scenario: and a title, then steps:.');
      return undefined;
    }
    // A scenario that was found by `explore` uses the file with the rules.
    const isRules = form === 'part' && Object.hasOwn(source.value, 'explore');
    const ownForm = isRules ? 'explore' : form;
    reportFileKeys(source.value, ownForm, own);
    if (ownForm !== 'scenario') checkTitle(source.value, ownForm, own);
    let merged: JsonMap = {};
    for (const { name, at } of usedBy(source.value, own)) {
      const used = this.#use(join(dirname(file), name), [...naming, file], at);
      merged = mergeFields(merged, used ?? {});
    }
    const { part: _part, explore: _explore, use: _use, ...kept } = source.value;
    // Without parts all is of this file.
    if (naming.length > 0 || this.texts.size > 1) this.#claim(source.value, [], source);
    return mergeFields(merged, kept);
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

  sourceOf(path: Path): YamlSource | undefined {
    if (this.#origins.size === 1) return this.#origins.get('[]');
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
      mistake: (path, message, spot) => collected(this.mistakes, placed(path, message, spot)),
      warning: () => {},
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
  const at = root.of('use');
  const names = use === undefined ? null : HEAD_KEYS.use.read(use, at);
  return (names ?? []).flatMap((name, i) => (name === null ? [] : [{ name, at: at.of(i) }]));
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
