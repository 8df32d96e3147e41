/** A temporary folder that one test file owns. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates an empty folder; the caller calls `remove` when its tests are over. */
export function ownFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'muster-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A folder like `ownFolder`, and empty folders in it: `next` makes another one. */
export function ownFolders(): { path: string; next: () => string; remove: () => void } {
  const own = ownFolder();
  let made = 0;
  const next = (): string => {
    const path = join(own.path, String(++made));
    mkdirSync(path);
    return path;
  };
  return { ...own, next };
}
