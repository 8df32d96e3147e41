/** A temporary folder that one test file owns. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates an empty folder; the caller calls `remove` when its tests are over. */
export function ownFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'muster-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
