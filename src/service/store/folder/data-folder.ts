/** The data folder: a sandbox keeps its root key and its world there, in files that only its user may read, and other commands find the running sandbox there. */

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { asError, Outage } from '../../../base/assert.ts';
import { randomSecret, sameSecret } from '../../../base/ids.ts';
import { errnoOf, folderOutage } from './errors.ts';
import { COMMITS_FILE, DATABASE_FILE, KEY_FILE, MEMORY_LOCK_FILE, SANDBOX_FILE } from './files.ts';
import { isHeld, takeLock, tryLock } from './lock.ts';
import { makePrivateFolder, readIfThere, writePrivately } from './private-files.ts';
import { isOwnFolder, temporaryFolder, temporaryPlace } from './temporary-folders.ts';

export { FolderTaken } from './lock.ts';

const KEY_BYTES = 32;

interface FolderOptions {
  /** The root key derived from `--seed`; absent: the folder's own random key. */
  readonly rootKey?: string;
  /** Wall time, ms; shown in the error message of a second process. */
  readonly startedAt?: number;
  /**
   * Create a new root key if the old one is missing, although the folder has a world whose secrets were derived from
   * the old one.
   */
  readonly acceptLoss?: boolean;
}

/** A folder that this process has locked; for a sandbox in memory, a folder that only contains its `sandbox.json`. */
export interface DataFolder {
  /** Absolute path. The folder has all stored data; for a sandbox in memory, only `sandbox.json`. */
  readonly path: string;
  /** All secrets are HMACs of this key. [decisions 10] */
  readonly rootKey: string;
  /** The file that `openSqliteStore` opens, or `:memory:`. */
  readonly database: string;
  /** False for a sandbox in memory. */
  readonly kept: boolean;
  /** Sentences about files that other users may read, and whose mode this user may not change. */
  readonly exposed: readonly string[];
  /** Publishes the addresses to the other commands: atomic, mode 0600. */
  writeSandboxFile(content: unknown): void;
  removeSandboxFile(): void;
  /** Removes the files that only describe a running sandbox, and releases the folder. Idempotent. */
  close(): void;
}

/**
 * Creates a missing folder, takes its lock and reads its key.
 * Throws `FolderTaken`, or another `Outage` with the fix.
 */
export function openDataFolder(path: string, options: FolderOptions = {}): DataFolder {
  const folder = canonicalPath(path);
  let release = (): void => {};
  try {
    // A default data folder is in the folder of a project, and its key must not be committed to that project's
    // repository.
    makePrivateFolder(folder, { ignored: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
    release = takeLock(folder, { pid: process.pid, startedAt: options.startedAt ?? null });
    // An existing file belongs to a killed sandbox, or to one in memory, which loses the path to this sandbox.
    rmSync(join(folder, SANDBOX_FILE), { force: true });
    const rootKey = takeKey(folder, options);
    const database = join(folder, DATABASE_FILE);
    // SQLite creates its -wal and -shm files with the mode of the database.
    touchPrivately(database);
    const files = [database, `${database}-wal`, `${database}-shm`, join(folder, KEY_FILE)];
    const exposed = files.filter((file) => !keepPrivate(file)).map((file) => exposedWords(file));
    return { path: folder, rootKey, database, kept: true, exposed, ...announcing(folder, release) };
  } catch (error) {
    release();
    throw folderOutage(folder, error);
  }
}

/**
 * Returns a folder for the `sandbox.json` of a sandbox in memory. It does not lock the data folder, and a locked data
 * folder does not prevent it. The file is written to the data folder if that exists and no sandbox announces itself
 * there, else to a temporary folder. Commands find the first sandbox of a path by that path, and each further one only
 * by its own `path`. [cli, up]
 */
export function memoryFolder(path: string, options: FolderOptions = {}): DataFolder {
  const folder = canonicalPath(path);
  try {
    const own = isFolder(folder) && !isHeld(folder) ? tryLock(join(folder, MEMORY_LOCK_FILE)) : null;
    const { place, release } = own === null ? temporaryPlace(folder) : { place: folder, release: own };
    const rootKey = options.rootKey ?? randomSecret(KEY_BYTES);
    const shared = { rootKey, database: ':memory:', kept: false, exposed: [] };
    return { path: place, ...shared, ...announcing(place, release) };
  } catch (error) {
    throw folderOutage(tmpdir(), error);
  }
}

/** Publishes and removes the addresses of a sandbox in its folder. */
function announcing(
  folder: string,
  release: () => void,
): Pick<DataFolder, 'writeSandboxFile' | 'removeSandboxFile' | 'close'> {
  const file = join(folder, SANDBOX_FILE);
  let written: string | null = null;
  // A sandbox on disk may have replaced the file of a sandbox in memory.
  const removeSandboxFile = (): void => {
    if (written !== null && readIfThere(file) === written) rmSync(file, { force: true });
    written = null;
  };
  let closed = false;
  return {
    writeSandboxFile(content) {
      const text = `${JSON.stringify(content)}\n`;
      try {
        // After a power failure no sandbox runs, so the file need not be durable: two fsyncs take up to 100 ms.
        writePrivately(file, text, { durable: false });
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
 * Returns the description that the running sandbox wrote to this data folder; null if no sandbox runs there.
 * After a kill -9 the description is stale until a client tries to connect.
 */
export function readSandboxFile(path: string): unknown {
  const folder = canonicalPath(path);
  const temporary = temporaryFolder(folder);
  for (const place of isOwnFolder(temporary) ? [folder, temporary] : [folder]) {
    const file = join(place, SANDBOX_FILE);
    try {
      const text = readIfThere(file);
      // A power failure may leave an empty file.
      if (text !== null && text !== '') return JSON.parse(text);
    } catch (error) {
      throw new Outage({
        code: 'sandbox_file_unreadable',
        // The error message of the parser would quote the file, which contains the control token.
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
  // With a seed the key is derived again, and the database later checks whether it is the right one.
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

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Creates an empty file with mode 0600 unless the file exists. */
export function touchPrivately(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
}

/**
 * Sets mode 0600 on an existing file. Returns false if other users may read the file and only its owner may change
 * that, as on a volume that a group shares (fsGroup of Kubernetes).
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
 * Writes a file that the user named, with mode 0600 even if it existed with another mode. Anything other than a regular
 * file, such as a pipe, is written to without a change of mode.
 */
export function writeAnywherePrivately(file: string, text: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) writePrivately(canonicalPath(file), text);
  else writeFileSync(file, text);
}

/**
 * Returns the absolute path without symbolic links, also for a path that does not exist yet, so that two spellings of a
 * path give the same result.
 */
export function canonicalPath(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    const above = dirname(absolute);
    return above === absolute ? absolute : join(canonicalPath(above), basename(absolute));
  }
}
