/** The data folder: where a sandbox keeps its root key and its world in files that only its user may read, and where other commands find the running one. */

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { asError, Outage } from '../../base/assert.ts';
import { randomSecret, sameSecret, sha256Hex } from '../../base/ids.ts';
import { errnoOf, folderOutage } from './errors.ts';
import { COMMITS_FILE, DATABASE_FILE, KEY_FILE, MEMORY_LOCK_FILE, SANDBOX_FILE, TLS_FILES } from './files.ts';
import { isHeld, takeLock, tryLock } from './lock.ts';
import { readIfThere, writePrivately } from './private-files.ts';

export { FolderTaken } from './lock.ts';

const KEY_BYTES = 32;

interface FolderOptions {
  /** The root key of a `--seed`; without it the folder's own, which is random. */
  readonly rootKey?: string;
  /** Wall time, ms: shown by a refused second process. */
  readonly startedAt?: number;
  /** Make a new root key where the old one is gone, although a world stands there whose secrets followed from it. */
  readonly acceptLoss?: boolean;
}

/** A folder that this process holds; in memory, one that it only announces itself in. */
export interface DataFolder {
  /** Absolute. Holds all kept data; for a sandbox in memory, only `sandbox.json`. */
  readonly path: string;
  /** Secrets are HMACs of it. [decisions 10] */
  readonly rootKey: string;
  /** What `openSqliteStore` opens: a file, or `:memory:`. */
  readonly database: string;
  /** False for a sandbox in memory. */
  readonly kept: boolean;
  /** Sentences about files that other users may read, and whose mode this user may not change. */
  readonly exposed: readonly string[];
  /** Publishes the addresses to the other commands: atomic, mode 0600. */
  writeSandboxFile(content: unknown): void;
  removeSandboxFile(): void;
  /** Removes the files that are true of a running sandbox only, and releases the folder. Idempotent. */
  close(): void;
}

/**
 * Makes the folder where it is missing, takes its lock and its key.
 * Throws `FolderTaken`, or another `Outage` that says what to do.
 */
export function openDataFolder(path: string, options: FolderOptions = {}): DataFolder {
  const folder = canonicalPath(path);
  let release = (): void => {};
  try {
    // A default data folder is in a project's own folder, and its key must not end up in that project's history.
    makePrivateFolder(folder, { ignored: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
    release = takeLock(folder, { pid: process.pid, startedAt: options.startedAt ?? null });
    // An existing file is of a killed sandbox, or of one in memory that gives way.
    rmSync(join(folder, SANDBOX_FILE), { force: true });
    const rootKey = takeKey(folder, options);
    const database = join(folder, DATABASE_FILE);
    // SQLite gives its -wal and -shm files the mode of the database.
    touchPrivately(database);
    const files = [database, `${database}-wal`, `${database}-shm`, join(folder, KEY_FILE)];
    const exposed = files.filter((file) => !keepPrivate(file)).map((file) => exposedWords(file));
    return { path: folder, rootKey, database, kept: true, exposed, ...announcing(folder, release, { durable: true }) };
  } catch (error) {
    release();
    throw folderOutage(folder, error);
  }
}

/**
 * A place for the `sandbox.json` of a sandbox that keeps nothing. It locks no data folder and is refused by none: the
 * file goes into the data folder where there is one and no sandbox announces itself there, else into a temporary
 * folder. The first of a path is found by that path, each further one by its own `path` only. [cli, up]
 */
export function memoryFolder(path: string, options: FolderOptions = {}): DataFolder {
  const folder = canonicalPath(path);
  try {
    const { place, release } = placeInMemory(folder);
    const rootKey = options.rootKey ?? randomSecret(KEY_BYTES);
    const shared = { rootKey, database: ':memory:', kept: false, exposed: [] };
    return { path: place, ...shared, ...announcing(place, release, { durable: false }) };
  } catch (error) {
    throw folderOutage(tmpdir(), error);
  }
}

/** Each place is claimed by an OS lock of its own, so that two sandboxes that start together do not share one. */
function placeInMemory(folder: string): { place: string; release: () => void } {
  const temporary = temporaryFolder(folder);
  const places = [() => isFolder(folder) && !isHeld(folder), () => isOwnFolder(temporary, { make: true })];
  for (const [index, place] of [folder, temporary].entries()) {
    const release = places[index]?.() === true ? tryLock(join(place, MEMORY_LOCK_FILE)) : null;
    if (release !== null) return { place, release: index === 0 ? release : () => leave(temporary, release) };
  }
  const place = mkdtempSync(join(tmpdir(), 'muster-sandbox-'));
  return { place, release: () => rmSync(place, { recursive: true, force: true }) };
}

/** Releases a temporary folder and removes it, unless another sandbox has entered it meanwhile. */
function leave(folder: string, release: () => void): void {
  // While the lock is held, no other sandbox uses the authority of this folder.
  for (const name of TLS_FILES) rmSync(join(folder, name), { force: true });
  release();
  try {
    rmdirSync(folder);
  } catch {
    // Not empty: the other one removes it.
  }
}

/** How a sandbox says in its folder where it is reached. */
function announcing(
  folder: string,
  release: () => void,
  how: { durable: boolean },
): Pick<DataFolder, 'writeSandboxFile' | 'removeSandboxFile' | 'close'> {
  const file = join(folder, SANDBOX_FILE);
  let written: string | null = null;
  // Of a sandbox in memory, the file may have been replaced by that of a sandbox on disk.
  const removeSandboxFile = (): void => {
    if (written !== null && readIfThere(file) === written) rmSync(file, { force: true });
    written = null;
  };
  let closed = false;
  return {
    writeSandboxFile(content) {
      const text = `${JSON.stringify(content)}\n`;
      try {
        writePrivately(file, text, how);
        written = text;
      } catch (error) {
        throw folderOutage(folder, error);
      }
    },
    removeSandboxFile,
    close() {
      if (closed) return;
      closed = true;
      removeSandboxFile();
      release();
    },
  };
}

/**
 * What the sandbox that runs on this data folder wrote about itself; null when none runs there.
 * After a kill -9 it is stale until a client tries to connect.
 */
export function readSandboxFile(path: string): unknown {
  const folder = canonicalPath(path);
  const temporary = temporaryFolder(folder);
  for (const place of isOwnFolder(temporary) ? [folder, temporary] : [folder]) {
    const file = join(place, SANDBOX_FILE);
    try {
      const text = readIfThere(file);
      if (text !== null) return JSON.parse(text);
    } catch (error) {
      throw new Outage({
        code: 'sandbox_file_unreadable',
        // The parser would quote the file, which has the control token.
        message: `${file} cannot be read: ${error instanceof SyntaxError ? 'it is not JSON' : asError(error).message}`,
        fix: 'Stop the sandbox and start it again; it writes the file again.',
        cause: error,
      });
    }
  }
  return null;
}

function takeKey(folder: string, { rootKey: given, acceptLoss = false }: FolderOptions): string {
  const file = join(folder, KEY_FILE);
  const stored = readIfThere(file)?.trim() ?? '';
  if (stored !== '' && given !== undefined && !sameSecret(stored, given)) {
    throw new Outage({
      code: 'root_key_differs',
      message: `The data folder ${folder} was made with another seed, or without a seed, so its secrets are different.`,
      fix: 'Start with the seed that it was made with (or without a seed), name another folder with --data-dir, or delete this one (its data is lost).',
    });
  }
  if (stored !== '') return stored;
  // From a seed it follows again; whether it is the right one, the database knows.
  if (given === undefined && !acceptLoss && (existsSync(file) || hasHistory(folder))) {
    throw new Outage({
      code: 'root_key_lost',
      message: `The root key ${file} is ${existsSync(file) ? 'empty' : 'missing'}: the secrets of all clients and watches, and the control token, followed from it and are lost.`,
      fix: 'Restore the key from a copy. Or start with --accept-loss: the world continues with new secrets.',
    });
  }
  const key = given ?? randomSecret(KEY_BYTES);
  writePrivately(file, `${key}\n`);
  return key;
}

function hasHistory(folder: string): boolean {
  const database = statSync(join(folder, DATABASE_FILE), { throwIfNoEntry: false });
  return (database?.size ?? 0) > 0 || existsSync(join(folder, COMMITS_FILE));
}

function temporaryFolder(folder: string): string {
  return join(tmpdir(), `muster-sandbox-${sha256Hex(folder).slice(0, 16)}`);
}

// The system's temporary folder is shared: a folder of that name may be a trap that another user laid.
function isOwnFolder(folder: string, { make = false } = {}): boolean {
  if (make) makePrivateFolder(folder);
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  if (!process.getuid) return true;
  return found.uid === process.getuid() && (found.mode & 0o077) === 0;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Makes an empty file with mode 0600 unless there is one. */
export function touchPrivately(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
}

/**
 * Sets mode 0600 on an existing file, whatever its mode was. False: other users may read it, and only its owner may change that, as
 * on a volume that a group shares (fsGroup of Kubernetes).
 */
export function keepPrivate(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile() || (found.mode & 0o077) === 0) return true;
  try {
    chmodSync(file, 0o600);
    return true;
  } catch (error) {
    if (errnoOf(error) !== 'EPERM') throw error;
    return false;
  }
}

function exposedWords(file: string): string {
  const { uid, mode } = statSync(file);
  const may = (mode & 0o007) === 0 ? 'its group' : 'every user of this machine';
  return `${file} can be read by ${may} (mode ${(mode & 0o777).toString(8).padStart(4, '0')}), and only its owner, uid ${uid}, may change that: run chmod 600 as that user, or start the sandbox as that user.`;
}

/**
 * Writes a file of the user's choosing with mode 0600, also where it existed with another mode. What is no file, such as
 * a pipe, is written to as it is.
 */
export function writeAnywherePrivately(file: string, text: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) writePrivately(canonicalPath(file), text);
  else writeFileSync(file, text);
}

/**
 * Makes the folder (and those above it) with mode 0700 unless it is there; `ignored`: kept out of version control.
 * Level by level, because Node's recursive `mkdir` says ENOENT where a read-only disk says EROFS.
 */
export function makePrivateFolder(folder: string, { ignored = false } = {}): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(folder);
  if (above !== folder) makePrivateFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it since we looked.
    if (errnoOf(error) === 'EEXIST' && statSync(folder).isDirectory()) return;
    throw error;
  }
  if (ignored) writeFileSync(join(folder, '.gitignore'), '*\n');
}

/** The one absolute name of a path, also of one that does not exist yet: two ways to write it give one name. */
export function canonicalPath(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    const above = dirname(absolute);
    return above === absolute ? absolute : join(canonicalPath(above), basename(absolute));
  }
}
