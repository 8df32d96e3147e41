/** Reads a scenario and the parts that it uses into one map, and records the file of each key. */

import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isAscii, nameForm, withOneSpelling } from '../../base/text/same-name.ts';
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
  type WrittenValue,
} from '../../plant/mistakes.ts';
import { wordFix } from '../../plant/yaml-edit.ts';
import { withWritten, type YamlSource } from '../../plant/yaml-source.ts';
import { checkTitle, type FileForm } from '../language/head.ts';
import { readLongForm } from '../language/short-forms.ts';
import type { Values } from '../model/scenario.ts';
import { builtInPlant } from './built-in-plant.ts';
import { type CaseCells, readCasesFile, withValuesInstead } from './cases-file.ts';
import { reportFileKeys } from './file-keys.ts';
import { mergeFields } from './merge-fields.ts';
import { adviceOn, onlyOnce, UsedParts, usedBy } from './used-parts.ts';

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
  /** Gives each text that is a name of the files the spelling of the files. */
  spelled(value: JsonMap): JsonMap;
  /** Sets the case and the values of `--set`, for messages about values that are written as `$name`. */
  bind(values: Values | null, set: Values, setTexts: Readonly<Record<string, string>>): void;
  /** Returns the same texts without the reports since they were read, for another case. */
  afresh(): MergedFile;
}

/**
 * Reads `file` and the files that it uses. Maps are merged deeply; the file that names another has priority; lists and
 * plain values are replaced.
 */
export function readMerged(
  file: string,
  read: ReadText,
  form: FileForm = 'scenario',
  { isPlantless = false }: MergingOptions = {},
): MergedFile {
  const reading = new FileReading(read);
  return mergedOf(reading, file, reading.readAll(file, form, isPlantless));
}

interface MergingOptions {
  /** True for a check of a part alone: without a plant it does not play in the built-in plant. */
  readonly isPlantless?: boolean;
}

/** Creates a merged file with separate reports, which begin with the mistakes of the texts. */
function mergedOf(reading: FileReading, file: string, value: JsonMap): MergedFile {
  const mistakes = [...reading.mistakes];
  const warnings: Mistake[] = [];
  const notes: Mistake[] = [];
  let bound: BoundValues = { values: null, set: {}, setTexts: {} };
  const boundAt = (name: string): WrittenValue | undefined => reading.boundAt(name, value, bound);
  return {
    file,
    value,
    unread: reading.texts.has(file) ? null : reading.unread,
    texts: reading.texts,
    broken: reading.broken,
    mistakes: () => onlyOnce(reading.ordered(mistakes, file)),
    warnings: () => onlyOnce(reading.ordered(warnings, file)),
    notes: () => onlyOnce(reading.ordered(notes, file)),
    mistake: (path, message, spot, fix) =>
      collected(mistakes, reading.placed(path, reading.explained(path, message, boundAt, value), spot, fix)),
    missing: (path, message, spot) => {
      const mistake = reading.placed(path, reading.explained(path, message, boundAt, value), spot);
      if (!reading.used.isBroken(mistake.file, mistakes)) collected(mistakes, mistake);
    },
    writtenAt: (path) => reading.writtenAt(path),
    boundAt,
    spelled: (one) => reading.spelled(one, value),
    bind: (values, set, setTexts) => {
      bound = { values, set, setTexts };
    },
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

/** The values of parameters that are not the defaults of the file. */
interface BoundValues {
  readonly values: Values | null;
  readonly set: Values;
  /** The values of `set` as they are written, where that is known. */
  readonly setTexts: Readonly<Record<string, string>>;
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
  /** The cells of the CSV file of cases, by row and column; null if there is none. */
  #cells: readonly CaseCells[] | null = null;
  readonly used = new UsedParts();
  #uses = 0;
  #characters = 0;

  constructor(read: ReadText) {
    this.#read = read;
  }

  /** Returns the merged map of the file and its parts; empty if the file is unreadable, or has too many mistakes. */
  readAll(file: string, form: FileForm, isPlantless: boolean): JsonMap {
    try {
      const merged = this.include(file, form, []) ?? {};
      const isBuiltIn = form === 'scenario' && !isPlantless && this.unread === null && !this.broken;
      return isBuiltIn ? this.#withPlant(merged, file) : merged;
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
      at?.mistake(`${file} ${unread.why}. ${adviceOn(unread, 'Write a path relative to this file.')}`.trimEnd());
      return undefined;
    }
    if (!this.#takes(text, at)) return undefined;
    this.texts.set(file, text);
    const source = this.#sources.get(file) ?? readLongForm(text, file);
    this.#sources.set(file, source);
    this.mistakes.push(...source.mistakes);
    if (source.mistakes.length > 0) this.broken = true;
    this.#origins.set('[]', { source, own: [] });
    if (source.value === undefined) return undefined;
    const own = placeIn(this.#reportOn(source));
    if (!isMap(source.value)) {
      const write = form === 'part' ? 'part: and its name' : 'scenario: and a title, then steps:';
      own.mistake(`A file is a map of keys. Write ${write}.`);
      return undefined;
    }
    // A scenario that `explore` found uses the file with the rules as a part.
    const isRules = form === 'part' && Object.hasOwn(source.value, 'explore');
    const ownForm = isRules ? 'explore' : form;
    reportFileKeys(source.value, ownForm, own);
    if (ownForm !== 'scenario') checkTitle(source.value, ownForm, own);
    let merged: JsonMap = {};
    const before = this.mistakes.length;
    const uses = usedBy(source.value, own);
    if (this.mistakes.length > before) this.used.addBroken(file);
    for (const { name, at } of uses) {
      const used = this.#use(join(dirname(file), name), [...naming, file], at);
      if (used === undefined) this.used.addBroken(file);
      merged = mergeFields(merged, used ?? {});
    }
    const { part: _part, explore: _explore, use: _use, setup, ...rest } = source.value;
    const kept = { ...rest, ...this.#casesOf(rest, file, own) };
    // Without parts, all keys are in this file, so no origins are recorded.
    if (naming.length > 0 || this.texts.size > 1) this.#claim(source.value, [], { source, own: [] });
    return mergeFields(merged, setup === undefined ? kept : { ...kept, setup: this.#setupOf(setup, file, source) });
  }

  /** The scenario with the built-in plant, if its files name no plant. */
  #withPlant(merged: JsonMap, file: string): JsonMap {
    const isNamed = Object.hasOwn(merged, 'site') || Object.hasOwn(merged, 'sites');
    if (isNamed || this.used.isBroken(file, this.mistakes)) return merged;
    const source = builtInPlant();
    this.#claim(source.value, [], { source, own: [] });
    this.texts.set(source.file, source.text);
    this.#origins.set('[]', { source: this.#sources.get(file)!, own: [] });
    return mergeFields({ site: (source.value as JsonMap)['site'] }, merged);
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
      at.mistake(
        `${name} ${text.why}. ${adviceOn(text, 'Write a path relative to this file, or a list of cases.')}`.trimEnd(),
      );
      return { cases: undefined };
    }
    if (!this.#takes(text, at)) return { cases: undefined };
    this.texts.set(name, text);
    const rows = readCasesFile(text, name, at);
    if (rows === null) return { cases: undefined };
    this.#cells = rows.map(({ cells }) => cells);
    return { cases: rows.map(({ values }) => values) };
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
      this.used.add(naming.at(-1) ?? '', file);
      const included = this.include(file, 'part', naming, at);
      if (included === undefined) return undefined;
      const { about: _about, tags: _tags, ...shared } = included;
      return shared;
    }
    return undefined;
  }

  /** Returns the file that has the value, and the path of the value in it. */
  originOf(path: Path): ValueOrigin | undefined {
    if (this.#origins.size === 1) return { ...this.#origins.get('[]')!, own: path };
    for (let depth = path.length; depth >= 0; depth--) {
      const origin = this.#origins.get(nameForm(JSON.stringify(path.slice(0, depth))));
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

  /** `whole`: the merged map, which declares the names. Without letters of other alphabets there is one spelling. */
  spelled(value: JsonMap, whole: JsonMap): JsonMap {
    return [...this.texts.values()].every(isAscii) ? value : (withOneSpelling(value, whole) as JsonMap);
  }

  writtenAt(path: Path): string | undefined {
    const origin = this.originOf(path);
    return origin?.source.textOf(origin.own);
  }

  /** Returns where a parameter gets its value: from the command line, from `params`, or from the case. */
  boundAt(name: string, { params, cases }: JsonMap, { values, set, setTexts }: BoundValues): WrittenValue | undefined {
    // For a request, the text is not known.
    if (Object.hasOwn(set, name)) return { text: null, where: `in --set '${name}="${setTexts[name] ?? '...'}"'` };
    const inParams = isMap(params) && Object.hasOwn(params, name);
    const entry = Array.isArray(cases) ? cases.findIndex((one) => isDeepStrictEqual(one, values)) : -1;
    const cell = this.#cells?.[entry]?.[name];
    if (cell !== undefined && !inParams) return cell;
    const path = inParams ? ['params', name] : ['cases', entry, name];
    const [text, origin] = [this.writtenAt(path), this.originOf(path)];
    if (text === undefined || origin === undefined) return undefined;
    return { text, where: `at ${origin.source.file}:${origin.source.lineOf(origin.own)}` };
  }

  /**
   * The message with what the text at its place tells: a number as it is written; for a parameter, the cell of the CSV file
   * in which its value is; for a `$name` that has no value, the columns of that file and the name that may be meant.
   */
  explained(path: Path, message: string, boundAt: (name: string) => WrittenValue | undefined, whole: JsonMap): string {
    const written = this.writtenAt(path);
    if (written?.startsWith('$') !== true) return withWritten(message, written);
    const name = written.slice(1);
    const cell = boundAt(name);
    if (cell === undefined) {
      if (!message.startsWith(`${written} is not `) && !message.startsWith(`"${written}" is not `)) return message;
      return withValuesInstead(message, name, this.#cells, whole);
    }
    if (this.#cells === null || !('isText' in cell) || message.includes(cell.where)) return message;
    const fix = cell.isText ? ` If it is not a text, delete the quotes of that cell: ${cell.text}.` : '';
    return `${message} The value of ${written} is ${cell.where}.${fix}`;
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
      writtenAt: (path) => source.textOf(path),
    };
  }

  /** Records this file as the origin of the map's keys. */
  #claim(value: unknown, path: Path, { source, own }: ValueOrigin): void {
    this.#origins.set(nameForm(JSON.stringify(path)), { source, own });
    if (!isMap(value)) return;
    for (const [key, item] of Object.entries(value)) this.#claim(item, [...path, key], { source, own: [...own, key] });
  }
}
