/** All watches of a running sandbox: the ready line has the first 200, a separate file has all of them. [cli, ready] */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_LIMITS, readUserJson } from '../base/user-files.ts';
import type { Ready, ReadyWatch } from '../contract/banner.ts';
import { writePrivately } from '../service/store/folder/private-files.ts';

const WATCHES_FILE = 'watches.json';

export function allWatches(ready: Ready): ReadyWatch[] {
  const read = readUserJson(join(ready.data_dir, WATCHES_FILE), { mostBytes: FILE_LIMITS.credentials });
  return 'value' in read ? (read.value as ReadyWatch[]) : ready.watches;
}

/** Writes the file; returns the function that removes it. */
export function writeWatchList(folder: string, watches: readonly ReadyWatch[]): () => void {
  const file = join(folder, WATCHES_FILE);
  writePrivately(file, JSON.stringify(watches));
  return () => rmSync(file, { force: true });
}
