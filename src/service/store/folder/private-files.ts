/** Files that only their owner may read, written whole or not at all. */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FILE_LIMITS, readUserText } from '../../../base/user-files.ts';
import { errnoOf } from './errors.ts';

/**
 * Writes the file through a temporary file in the same folder and a rename, so that a reader sees either the old text
 * or the new one. The mode is 0600 unless `mode` says otherwise. A file that is useless after a power failure need not
 * be durable, which saves two fsyncs.
 */
export function writePrivately(file: string, text: string, { durable = true, mode = 0o600 } = {}): void {
  const draft = `${file}.new`;
  // A temporary file that a killed process left may have another mode. The folder's lock guarantees that there is only
  // one writer.
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, 'wx', mode);
  try {
    writeFileSync(descriptor, text);
    if (durable) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
  if (durable) syncFolder(dirname(file));
}

/**
 * Returns the text of the file; null if there is none. Throws if it is not a regular file, or larger than any file of
 * the sandbox.
 */
export function readIfThere(file: string): string | null {
  const text = readUserText(file, { mostBytes: FILE_LIMITS.line });
  if (typeof text === 'string') return text;
  if (text.code === 'missing') return null;
  throw Object.assign(new Error(`${file} ${text.why}`), { code: text.errno, syscall: 'open', path: file });
}

// A rename is durable only after an fsync of its folder. Windows cannot open folders, so there the rename alone must
// suffice.
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Creates the folder (and its missing parents) with mode 0700; `ignored`: excluded from version control.
 * It creates one level at a time, because Node's recursive `mkdir` reports ENOENT on a read-only disk instead of EROFS.
 */
export function makePrivateFolder(folder: string, { ignored = false } = {}): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(folder);
  if (above !== folder) makePrivateFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created the folder since the check.
    if (errnoOf(error) === 'EEXIST' && statSync(folder).isDirectory()) return;
    throw error;
  }
  if (ignored) writeFileSync(join(folder, '.gitignore'), '*\n');
}
