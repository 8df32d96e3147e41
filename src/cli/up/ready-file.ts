/** The file of `--ready-file`: for scripts that wait until the sandbox is ready. [cli, up] */
import { realpathSync, rmSync, statSync } from 'node:fs';
import { Outage } from '../../base/assert.ts';
import { writeAnywherePrivately } from '../../service/store/folder/data-folder.ts';
import { talk } from '../output.ts';

/** Writes the file with mode 0600, even if an existing file has another mode. */
export function writeReady(file: string, line: unknown): void {
  try {
    writeAnywherePrivately(file, `${JSON.stringify(line)}\n`);
  } catch (error) {
    throw new Outage({
      code: 'ready_file_not_writable',
      message: `The ready file ${file} cannot be written: ${(error as Error).message}`,
      fix: 'Name a file in an existing, writable folder with --ready-file.',
    });
  }
}

/** Removes the file of an earlier sandbox. Ignores pipes. Prints a message if a file cannot be removed. */
export function removeReady(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return;
  try {
    // Resolves a link, so that the file with the secrets itself is removed.
    rmSync(realpathSync(file));
  } catch (error) {
    talk(`The ready file ${file} of an earlier sandbox cannot be removed: ${(error as Error).message}`);
  }
}
