/** The seal of a clean close: while the database is unchanged since then, the next opening does not scan its rows. */

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DataFolder } from '../folder/data-folder.ts';
import { SEAL_FILE } from '../folder/files.ts';
import { writePrivately } from '../folder/private-files.ts';

/** Size and modification time of the database file when it was closed. */
function sealOf({ database }: DataFolder): string | null {
  const stat = statSync(database, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.size} ${stat.mtimeNs}\n`;
}

export function seal(folder: DataFolder, file: string): void {
  const text = sealOf(folder);
  try {
    if (text !== null && walBytes(folder) === 0) writePrivately(file, text);
  } catch {
    // Without a seal the next start scans all rows.
  }
}

export function isSealed(folder: DataFolder): boolean {
  try {
    return walBytes(folder) === 0 && readFileSync(join(folder.path, SEAL_FILE), 'utf8') === sealOf(folder);
  } catch {
    return false;
  }
}

const walBytes = ({ database }: DataFolder): number =>
  statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0;
