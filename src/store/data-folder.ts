/** The data folder: where a sandbox keeps its root key and its world, and where other commands find the running one. */
import { accessSync, constants, existsSync, lstatSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Outage } from '../base/assert.ts';
import { randomSecret, sameSecret, sha256Hex } from '../base/ids.ts';
import { COMMITS_FILE, DATABASE_FILE, KEY_FILE, SANDBOX_FILE } from './folder-files.ts';
import { takeLock } from './folder-lock.ts';
import {
  canonicalPath,
  folderOutage,
  keepPrivate,
  makePrivateFolder,
  readIfThere,
  touchPrivately,
  writePrivately,
} from './private-files.ts';

export { FolderTaken } from './folder-lock.ts';

const KEY_BYTES = 32;

export interface FolderOptions {
  /** The root key of a `--seed`; without it the folder's own, which is random. */
  readonly rootKey?: string;
  /** Wall time, ms: shown by a refused second process. */
  readonly startedAt?: number;
  /** Make a new root key where the old one is gone, although a world stands there whose secrets followed from it. */
  readonly acceptLoss?: boolean;
}

/** A folder that this process holds. */
export interface DataFolder {
  /** Absolute. Holds all kept data; for a sandbox in memory, only `sandbox.json` and the lock. */
  readonly path: string;
  /** Secrets are HMACs of it. [decisions 10] */
  readonly rootKey: string;
  /** What `openSqliteStore` opens: a file, or `:memory:`. */
  readonly database: string;
  /** False for a sandbox in memory. */
  readonly kept: boolean;
  /** Publishes the addresses to the other commands: atomic, mode 0600. */
  writeSandboxFile(content: unknown): void;
  removeSandboxFile(): void;
  /** Removes the files that are true of a running sandbox only, and releases the lock. Idempotent. */
  close(): void;
}

/**
 * Makes the folder where it is missing, takes its lock and its key.
 * Throws `FolderTaken`, or another `Outage` that says what to do.
 */
export function openDataFolder(path: string, options: FolderOptions = {}): DataFolder {
  const folder = canonicalPath(path);
  return holding(folder, (take) => {
    // A default data folder stands in a project's own folder, and its key must not end up in that project's history.
    if (makePrivateFolder(folder)) writeFileSync(join(folder, '.gitignore'), '*\n');
    accessSync(folder, constants.W_OK | constants.X_OK);
    take(folder, options);
    // A sandbox in memory under this path holds the temporary folder; it looks here, and we there, after our own lock.
    const temporary = temporaryFolder(folder);
    if (isOwnFolder(temporary)) take(temporary, options);
    const rootKey = takeKey(folder, options);
    const database = join(folder, DATABASE_FILE);
    // SQLite gives its -wal and -shm files the mode of the database.
    touchPrivately(database);
    for (const file of [database, `${database}-wal`, `${database}-shm`, join(folder, KEY_FILE)]) keepPrivate(file);
    return { path: folder, rootKey, database, kept: true };
  });
}

/**
 * Holds a path for a sandbox that keeps nothing. `sandbox.json` goes into the data folder where there is one, else into
 * a folder in the temporary one, where the other commands look for it by the data folder's path.
 */
export function memoryFolder(path: string, options: FolderOptions = {}): DataFolder {
  const folder = canonicalPath(path);
  return holding(folder, (take) => {
    const temporary = temporaryFolder(folder);
    makePrivateFolder(temporary);
    if (!isOwnFolder(temporary)) throw strangersFolder(temporary);
    take(temporary, options);
    const place = isFolder(folder) ? folder : temporary;
    if (place === folder) take(folder, options);
    return { path: place, rootKey: options.rootKey ?? randomSecret(KEY_BYTES), database: ':memory:', kept: false };
  });
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
        message: `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        cure: 'Stop the sandbox and start it again; it writes the file anew.',
        cause: error,
      });
    }
  }
  return null;
}

type Take = (place: string, options: FolderOptions) => void;
type LockedFolder = Pick<DataFolder, 'path' | 'rootKey' | 'database' | 'kept'>;

// Opens a folder by `open`, which takes locks one after the other; when a later step fails, the earlier locks are let go.
function holding(folder: string, open: (take: Take) => LockedFolder): DataFolder {
  const releases: (() => void)[] = [];
  const close = (): void => {
    for (const release of releases.splice(0).reverse()) release();
  };
  const take: Take = (place, { startedAt = null }) => {
    const unlock = takeLock(place, folder, { pid: process.pid, startedAt });
    const removeSandboxFile = (): void => rmSync(join(place, SANDBOX_FILE), { force: true });
    releases.push(unlock, removeSandboxFile);
    // An existing file is of a killed sandbox: the holder of the lock knows that it is gone.
    removeSandboxFile();
  };
  try {
    const opened = open(take);
    const sandboxFile = join(opened.path, SANDBOX_FILE);
    return {
      ...opened,
      writeSandboxFile(content) {
        try {
          writePrivately(sandboxFile, `${JSON.stringify(content)}\n`, { durable: opened.kept });
        } catch (error) {
          throw folderOutage(folder, error);
        }
      },
      removeSandboxFile: () => rmSync(sandboxFile, { force: true }),
      close,
    };
  } catch (error) {
    close();
    throw folderOutage(folder, error);
  }
}

function takeKey(folder: string, { rootKey: given, acceptLoss = false }: FolderOptions): string {
  const file = join(folder, KEY_FILE);
  const stored = readIfThere(file)?.trim() ?? '';
  if (stored !== '' && given !== undefined && !sameSecret(stored, given)) {
    throw new Outage({
      code: 'root_key_differs',
      message: `The data folder ${folder} was made with another seed, or with none: its secrets follow from another root key.`,
      cure: 'Start with the seed that it was made with (or none), give another folder with --data-dir, or delete this one (what it holds is lost).',
    });
  }
  if (stored !== '') return stored;
  // From a seed it follows again; whether it is the right one, the database knows.
  if (given === undefined && !acceptLoss && (existsSync(file) || hasHistory(folder))) {
    throw new Outage({
      code: 'root_key_lost',
      message: `The root key ${file} is ${existsSync(file) ? 'empty' : 'missing'}: the secrets of all clients and watches, and the control token, followed from it and are lost.`,
      cure: 'Put the key back from a copy; or start with --accept-loss: the world goes on, with new secrets.',
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

// The temporary folder is shared: a folder of that name may be a trap that another user laid.
function isOwnFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  if (!process.getuid) return true;
  return found.uid === process.getuid() && (found.mode & 0o077) === 0;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function strangersFolder(folder: string): Outage {
  return new Outage({
    code: 'temporary_folder_unsafe',
    message: `${folder} is not a folder that only you can open, so no secrets are written there.`,
    cure: 'Remove it, or set TMPDIR to a folder of your own.',
  });
}
