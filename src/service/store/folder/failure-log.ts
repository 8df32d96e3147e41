/** The failure log of a data folder: one line for each caught exception, with the command that threw, so that the command can be replayed. */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { touchPrivately } from './data-folder.ts';

/** The file has mode 0600, because commands contain coordinates. */
const FAILURE_LOG = 'failures.ndjson';

/** Size at which the log rotates; the older part is kept in a second file. */
const MOST_BYTES = 1024 * 1024;

/**
 * Returns a function that appends records to the folder's log. If the disk is full the record is lost, because logging
 * must not cause another failure.
 */
export function failureLog(folder: string): (record: object) => void {
  const file = join(folder, FAILURE_LOG);
  return (record) => {
    try {
      const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
      if (size > MOST_BYTES) renameSync(file, join(folder, `older-${FAILURE_LOG}`));
      touchPrivately(file);
      appendFileSync(file, `${JSON.stringify(record)}\n`);
    } catch {
      // The notice about the failure is published anyway.
    }
  };
}
