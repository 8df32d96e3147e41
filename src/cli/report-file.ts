/** Writes the report files of commands. A reader sees the complete old report or the complete new one. [cli] */
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Outage } from '../base/assert.ts';
import { writePrivately } from '../service/store/folder/private-files.ts';

/** Writes the file, and creates its folder. Throws an `Outage` if the file cannot be written. */
export function writeReportFile(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    // A rename would replace a pipe, a device such as /dev/stdout, or a link.
    const isReplaced = lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
    if (isReplaced) writePrivately(file, text, { durable: false, mode: 0o666 });
    else writeFileSync(file, text);
  } catch (error) {
    const fix = 'Name another file, in a folder that exists.';
    throw new Outage({ code: 'not_writable', message: `${file} cannot be written: ${(error as Error).message}`, fix });
  }
}
