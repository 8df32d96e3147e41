/** The failure log of a data folder: one line for each exception that was contained, with the command that threw, so that it can be replayed. */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { touchPrivately } from './data-folder.ts';

/** In the data folder; mode 0600, since commands hold coordinates. */
const FAILURE_LOG = 'failures.ndjson';

/** Size at which the log rotates: the older half stays beside it. */
const MOST_BYTES = 1024 * 1024;

/** Appends records to the folder's log. A disk that is full loses the record: nothing may fail because of it. */
export function failureLog(folder: string): (record: object) => void {
  const file = join(folder, FAILURE_LOG);
  return (record) => {
    try {
      const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
      if (size > MOST_BYTES) renameSync(file, join(folder, `older-${FAILURE_LOG}`));
      touchPrivately(file);
      appendFileSync(file, `${JSON.stringify(record)}\n`);
    } catch {
      // The notice is published all the same.
    }
  };
}
