/** Files that only their owner may read, written whole or not at all. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { FILE_LIMITS, readUserText } from '../../base/user-files.ts';

/**
 * Writes the file by way of a neighbour and a rename, so that a reader sees the old text or the new one. Its mode is 0600
 * unless the text is no secret. A file that means nothing after a power failure need not be durable: that saves two fsyncs.
 */
export function writePrivately(file: string, text: string, { durable = true, mode = 0o600 } = {}): void {
  const draft = `${file}.new`;
  // A draft that a killed process left may have another mode; one writer at a time is what the folder's lock is for.
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

/** The text of the file; null when there is none. Throws for what is no regular file, or too large for one of ours. */
export function readIfThere(file: string): string | null {
  const text = readUserText(file, { mostBytes: FILE_LIMITS.line });
  if (typeof text === 'string') return text;
  if (text.code === 'missing') return null;
  throw Object.assign(new Error(`${file} ${text.why}`), { code: text.errno, syscall: 'open', path: file });
}

// A rename is on the disk when its folder is. Windows opens no folders; there the rename alone must do.
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
