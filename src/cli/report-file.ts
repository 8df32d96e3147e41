/** Writes the report files of commands. A reader sees the complete old report or the complete new one. [cli] */
import { lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Outage } from '../base/assert.ts';
import { writePrivately } from '../service/store/folder/private-files.ts';

/** Writes the file, and creates its folder. Throws an `Outage` if the file cannot be written. */
export function writeReportFile(file: string, text: string): void {
  try {
    makeFolder(dirname(file));
    // A rename would replace a pipe, a device such as /dev/stdout, or a link.
    const isReplaced = lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
    if (isReplaced) writePrivately(file, text, { durable: false, mode: 0o666 });
    else writeFileSync(file, text);
  } catch (error) {
    const fix = 'Name another file, in a folder that exists.';
    throw new Outage({ code: 'not_writable', message: `${file} cannot be written: ${(error as Error).message}`, fix });
  }
}

/**
 * Creates the folder and its parents, and returns the first that it created; undefined if all exist. Node's own
 * `recursive` never returns where a parent exists but takes no folder, as in /proc.
 */
export function makeFolder(path: string): string | undefined {
  const first = tryFolder(path);
  if (first === null) return undefined;
  if (first === 'created') return path;
  if (first.code !== 'ENOENT' || dirname(path) === path) throw first;
  const made = makeFolder(dirname(path));
  const second = tryFolder(path);
  if (second instanceof Error) throw second;
  return made ?? (second === 'created' ? path : undefined);
}

/** Returns null if the folder exists already, or the error. */
function tryFolder(path: string): 'created' | NodeJS.ErrnoException | null {
  try {
    mkdirSync(path);
    return 'created';
  } catch (error) {
    const isThere = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
    return isThere ? null : (error as NodeJS.ErrnoException);
  }
}
