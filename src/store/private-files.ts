/** Files that are for their owner's eyes only, written whole or not at all. */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Outage } from '../base/assert.ts';

/**
 * Writes the file with mode 0600 by way of a neighbour and a rename, so that a reader sees the old text or the new one.
 * A file that means nothing after a power failure need not be durable: that saves two fsyncs.
 */
export function writePrivately(file: string, text: string, { durable = true } = {}): void {
  const draft = `${file}.new`;
  // A draft that a killed process left may have another mode; one writer at a time is what the folder's lock is for.
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(descriptor, text);
    if (durable) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
  if (durable) syncFolder(dirname(file));
}

/** Makes an empty file with mode 0600 unless there is one. */
export function touchPrivately(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
}

/** Sets mode 0600 on an existing file, whatever its mode was. */
export function keepPrivate(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() && (found.mode & 0o077) !== 0) chmodSync(file, 0o600);
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
 * Makes the folder (and those above it) with mode 0700; true when it was not there.
 * Level by level, because Node's recursive `mkdir` says ENOENT where a read-only disk says EROFS.
 */
export function makePrivateFolder(folder: string): boolean {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  const above = dirname(folder);
  if (above !== folder) makePrivateFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    // Another process may have made it since we looked.
    if (errnoOf(error) === 'EEXIST' && statSync(folder).isDirectory()) return false;
    throw error;
  }
}

/** The text of the file; null when there is none. */
export function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
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

/** A failure with a folder or its files, as an outage that names the folder and the cure. */
export function folderOutage(folder: string, error: unknown): Outage {
  if (error instanceof Outage) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new Outage({ ...folderTrouble(folder, errnoOf(error), reason), cause: error });
}

function folderTrouble(
  folder: string,
  code: string | undefined,
  reason: string,
): { code: string; message: string; cure: string } {
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return {
        code: 'data_folder_not_a_folder',
        message: `The data folder ${folder} cannot be made: a file stands there, or above it.`,
        cure: 'Move that file away, or give another folder with --data-dir.',
      };
    case 'EACCES':
    case 'EPERM':
      return {
        code: 'data_folder_forbidden',
        message: `This user may not write to the data folder ${folder}.`,
        cure: 'Change its owner or mode, give another folder with --data-dir, or keep nothing with --memory.',
      };
    case 'EROFS':
      return {
        code: 'data_folder_read_only',
        message: `The data folder ${folder} is on a read-only disk.`,
        cure: 'Give a folder on a writable disk with --data-dir, or keep nothing with --memory.',
      };
    case 'ENOSPC':
    case 'EDQUOT':
      return {
        code: 'data_folder_disk_full',
        message: `The disk of the data folder ${folder} is full.`,
        cure: 'Make room on it, give a folder on another disk with --data-dir, or keep nothing with --memory.',
      };
    default:
      return {
        code: 'data_folder_failed',
        message: `The data folder ${folder} cannot be used: ${reason}`,
        cure: 'Give another folder with --data-dir, or keep nothing with --memory.',
      };
  }
}

function errnoOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

// A rename is on the disk when its folder is. Windows opens no folders; there the rename alone must do.
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
