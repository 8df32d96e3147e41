/** Opens files that a user names: only regular files, with a size limit, and inside allowed folders if a rule requires it. [decisions 9, Limits of scenario files] */
import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { shippedPath } from './shipped.ts';
import { readJson } from './text/json-text.ts';

const MIB = 1024 * 1024;

/** The limits of each kind of file, in bytes. [decisions 9] */
export const FILE_LIMITS = {
  /** A scenario, part, site, rules, settings or CSV file, and other documents that are read as a whole. */
  document: MIB,
  credentials: 32 * MIB,
  /** Traffic recorded by a browser or a proxy. */
  traffic: 256 * MIB,
  /** One line of a snapshot or of a recording. Such a file is read line by line. */
  line: 32 * MIB,
} as const;

/**
 * The reason why a file was not read. `why` is the end of a sentence about the file: "is a folder". It never quotes the
 * content.
 */
export interface Unread {
  readonly code: 'missing' | 'folder' | 'special' | 'outside' | 'large' | 'encoding' | 'unreadable';
  readonly why: string;
  /** The system's error code, such as EACCES. */
  readonly errno?: string;
}

/** A file that does not exist. */
export const MISSING: Unread = { code: 'missing', why: 'does not exist' };

/** Reads a file by its path, or by its name relative to another file. Returns undefined if it does not exist. */
export type ReadText = (path: string) => string | Unread | undefined;

interface UserFileLimits {
  readonly mostBytes: number;
  /** Folders that may contain the file, after symbolic links are resolved; absent if it may be anywhere. */
  readonly inside?: readonly string[] | undefined;
}

/** A line of a file is longer than its limit, or is not text in UTF-8. The message is the end of a sentence about the file. */
export class UnreadableLine extends Error {
  override readonly name = 'UnreadableLine';
  readonly code: 'large' | 'encoding';

  constructor(code: 'large' | 'encoding', message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The text of the file, without a byte order mark. Never throws and never blocks: a named pipe without a writer is
 * refused, not opened.
 */
export function readUserText(path: string, limits: UserFileLimits): string | Unread {
  const text = readMarkedText(path, limits);
  return typeof text === 'string' && text.startsWith(MARK) ? text.slice(1) : text;
}

/** As `readUserText`, with a byte order mark: a signature covers it, and a file that is written again keeps it. */
export function readMarkedText(path: string, limits: UserFileLimits): string | Unread {
  const bytes = readUserBytes(path, limits);
  return Buffer.isBuffer(bytes) ? textOf(bytes) : bytes;
}

/** The value of a JSON file. Never throws and never blocks. */
export function readUserJson(path: string, limits: UserFileLimits): { readonly value: unknown } | Unread {
  const text = readUserText(path, limits);
  if (typeof text !== 'string') return text;
  const read = readJson(text);
  return 'value' in read ? read : { code: 'unreadable', why: read.why };
}

export const MARK = '\ufeff';

/** A replacement character would change the content, so other encodings are refused. */
function textOf(bytes: Buffer): string | Unread {
  if (isUtf16(bytes)) return { code: 'encoding', why: UTF_16 };
  return isUtf8(bytes) ? bytes.toString('utf8') : { code: 'encoding', why: NOT_UTF_8 };
}

const UTF_16 = 'is text in UTF-16. Save it in UTF-8';
const NOT_UTF_8 = 'is not text in UTF-8. Save it in UTF-8';

/** True for the byte order marks of UTF-16, and for text whose first characters have a zero byte each. */
function isUtf16(bytes: Buffer): boolean {
  const [first, second, third, fourth] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  return bytes.length >= 4 && ((first === 0 && third === 0) || (second === 0 && fourth === 0));
}

/** The bytes of the file. Never throws and never blocks. */
function readUserBytes(path: string, limits: UserFileLimits): Buffer | Unread {
  return withOpened(path, limits, (descriptor, { size }) => {
    if (size > limits.mostBytes) return tooLarge(limits.mostBytes);
    // The size may be wrong: files of /proc report 0, and another process may append meanwhile.
    const parts: Buffer[] = [];
    let length = 0;
    while (length <= limits.mostBytes) {
      const part = Buffer.allocUnsafe(Math.min(MIB, limits.mostBytes + 1 - length));
      const read = readSync(descriptor, part, 0, part.length, null);
      if (read === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, read));
      length += read;
    }
    return tooLarge(limits.mostBytes);
  });
}

/**
 * The lines of the file without their line ends (LF or CR LF) and without a byte order mark, read on demand. The limit
 * applies to one line. Closes the file when the caller stops reading. Throws `UnreadableLine`.
 */
export function openUserLines(path: string, limits: UserFileLimits): Generator<string, void> | Unread {
  const opened = open(path, limits);
  return 'why' in opened ? opened : linesIn(opened.descriptor, limits.mostBytes);
}

const NEWLINE = 0x0a;

function* linesIn(descriptor: number, mostBytes: number): Generator<string, void> {
  try {
    let rest: Buffer[] = [];
    let restLength = 0;
    let isFirst = true;
    for (;;) {
      const part = Buffer.allocUnsafe(64 * 1024);
      const read = readSync(descriptor, part, 0, part.length, null);
      if (read === 0) break;
      let from = 0;
      for (let end = part.indexOf(NEWLINE); end >= 0 && end < read; end = part.indexOf(NEWLINE, from)) {
        rest.push(part.subarray(from, end));
        yield lineOf(rest, isFirst);
        isFirst = false;
        [rest, restLength, from] = [[], 0, end + 1];
      }
      rest.push(part.subarray(from, read));
      restLength += read - from;
      if (restLength > mostBytes) throw new UnreadableLine('large', `has a line of more than ${shownBytes(mostBytes)}`);
    }
    if (restLength > 0) yield lineOf(rest, isFirst);
  } finally {
    closeSync(descriptor);
  }
}

/** Only the first line tells whether the file is in UTF-16. Throws `UnreadableLine`. */
function lineOf(parts: readonly Buffer[], isFirst: boolean): string {
  const bytes = Buffer.concat(parts);
  if (isFirst && isUtf16(bytes)) throw new UnreadableLine('encoding', UTF_16);
  if (!isUtf8(bytes)) throw new UnreadableLine('encoding', NOT_UTF_8);
  const text = bytes.toString('utf8').replace(/\r$/, '');
  return isFirst && text.startsWith(MARK) ? text.slice(1) : text;
}

/** All lines of the file, for a reader that needs them all. The limit applies to one line. Never throws. */
export function readUserLines(path: string, limits: UserFileLimits): string[] | Unread {
  const lines = openUserLines(path, limits);
  if ('why' in lines) return lines;
  try {
    return [...lines];
  } catch (error) {
    return error instanceof UnreadableLine ? { code: error.code, why: error.message } : unread(error);
  }
}

/**
 * True if there is a regular file at the path, after links are resolved. Never throws: a link to itself gives false.
 */
export const isRegularFile = (path: string): boolean => statOf(path)?.isFile() === true;

/** The wall time of the last change of the file, ms; 0 if there is no file. */
export const changedAtMs = (path: string): number => statOf(path)?.mtimeMs ?? 0;

function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

/**
 * The folders whose files a file on the command line may refer to: its own folder, the project and the package.
 * [decisions 9]
 */
export function foldersBeside(file: string): readonly string[] {
  const own = dirname(realPathOf(file) ?? resolve(file));
  return [own, ...folderOfRules(own), ...sharedFolders()];
}

/**
 * The results of `explore` are in `NAME.found`, next to the rules `NAME.explore.yaml`, which each scenario there uses.
 */
function folderOfRules(folder: string): readonly string[] {
  if (!folder.endsWith(FOUND)) return [];
  const rules = folder.slice(0, -FOUND.length);
  return ['.explore.yaml', '.explore.yml', '.yaml', '.yml'].some((ending) => isRegularFile(`${rules}${ending}`))
    ? [dirname(folder)]
    : [];
}

const FOUND = '.found';

/** The folders whose files may be read over HTTP: the project and the package. [decisions 9] */
export function sharedFolders(): readonly string[] {
  const shipped = shippedPath('package.json');
  return [process.cwd(), ...(shipped === null ? [] : [dirname(shipped)])];
}

/** A path of the host as a client may see it: relative to the project or the package, otherwise only the name. */
export function withoutHostPath(path: string): string {
  const absolute = resolve(path);
  const folder = sharedFolders().find((one) => isInside(absolute, one));
  return folder === undefined ? basename(absolute) : relative(folder, absolute);
}

/** Removes the folders of the host from a text. */
export function withoutHostFolders(text: string): string {
  const folders = sharedFolders().flatMap((folder) => [folder, realFolder(folder)]);
  return folders.reduce((shown, folder) => (folder === sep ? shown : shown.replaceAll(`${folder}${sep}`, '')), text);
}

interface Opened {
  readonly descriptor: number;
  readonly stat: Stats;
}

function withOpened<T>(path: string, limits: UserFileLimits, read: (descriptor: number, stat: Stats) => T): T | Unread {
  const opened = open(path, limits);
  if ('why' in opened) return opened;
  try {
    return read(opened.descriptor, opened.stat);
  } catch (error) {
    return unread(error);
  } finally {
    closeSync(opened.descriptor);
  }
}

function open(path: string, { inside }: UserFileLimits): Opened | Unread {
  try {
    if (path.includes('\0')) return { code: 'unreadable', why: 'cannot be read: its name contains a NUL' };
    const real = realPathOf(path);
    // A path outside is refused before the existence of the file is checked.
    if (inside !== undefined && !inside.some((folder) => isInside(real ?? nearestRealPath(path), realFolder(folder))))
      return { code: 'outside', why: 'is outside the folders that may be read' };
    const target = real ?? path;
    const wrong = kindRefusal(statSync(target));
    if (wrong !== null) return wrong;
    // The last link was resolved above. A link that replaced the file since then is refused, and a pipe that replaced
    // it does not block.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    const descriptor = openSync(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stat = fstatSync(descriptor);
    const changed = kindRefusal(stat);
    if (changed === null) return { descriptor, stat };
    closeSync(descriptor);
    return changed;
  } catch (error) {
    return unread(error);
  }
}

/**
 * Returns null for a regular file. Devices and pipes are not opened, because opening one can already have an effect.
 */
function kindRefusal(stat: Stats): Unread | null {
  if (stat.isFile()) return null;
  if (stat.isDirectory()) return { code: 'folder', why: 'is a folder' };
  const kind = stat.isFIFO() ? 'a named pipe' : stat.isSocket() ? 'a socket' : 'a device';
  return { code: 'special', why: `is ${kind}, and only regular files are read` };
}

const ERRNO: Readonly<Record<string, Unread>> = {
  ENOENT: MISSING,
  ENOTDIR: MISSING,
  EISDIR: { code: 'folder', why: 'is a folder' },
};

function unread(error: unknown): Unread {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return ERRNO[code] ?? { code: 'unreadable', why: `cannot be read (${code})`, errno: code };
}

const tooLarge = (mostBytes: number): Unread => ({
  code: 'large',
  why: `has more than ${shownBytes(mostBytes)}, the limit of such a file`,
});

const shownBytes = (bytes: number): string => `${bytes / MIB} MiB`;

/** Returns null if nothing exists, or if links form a cycle. */
function realPathOf(path: string): string | null {
  // Some systems and archives store names in another normal form than that in which people type them.
  for (const form of new Set([path, path.normalize('NFC'), path.normalize('NFD')])) {
    try {
      return realpathSync(form);
    } catch {
      // Another form may exist.
    }
  }
  return null;
}

const realFolder = (folder: string): string => realPathOf(folder) ?? resolve(folder);

/** The path, with the links of its nearest existing folder resolved. */
function nearestRealPath(path: string): string {
  const absolute = resolve(path);
  const above = dirname(absolute);
  return above === absolute ? absolute : join(realPathOf(above) ?? nearestRealPath(above), basename(absolute));
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
