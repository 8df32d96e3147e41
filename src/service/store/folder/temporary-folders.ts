/** The temporary folders of sandboxes in memory: each holds the `sandbox.json` of one sandbox, and is removed with it. */
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '../../../base/ids.ts';
import { MEMORY_LOCK_FILE, SANDBOX_FILE, TLS_FILES } from './files.ts';
import { tryLock } from './lock.ts';
import { makePrivateFolder } from './private-files.ts';

/** The first sandbox of a data folder has the name without an ending; its path follows from that of the data folder. */
const NAME = /^muster-sandbox-[0-9a-f]{16}(?:-\w{6})?$/;

/** Attempts to claim a folder, in which another process may look for leftovers at the same instant. */
const MOST_ATTEMPTS = 20;

interface TemporaryPlace {
  readonly place: string;
  readonly release: () => void;
}

/** The folder in which commands look for the first sandbox in memory of a data folder that does not exist. */
export const temporaryFolder = (folder: string): string =>
  join(tmpdir(), `muster-sandbox-${sha256Hex(folder).slice(0, 16)}`);

/**
 * Claims a temporary folder with an OS lock, so that two sandboxes that start at the same time do not share one, and
 * removes those of sandboxes that were killed.
 */
export function temporaryPlace(folder: string): TemporaryPlace {
  const first = temporaryFolder(folder);
  const claimed = claimFirst(first);
  removeLeftovers();
  if (claimed !== null) return claimed;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const place = claim(mkdtempSync(`${first}-`), () => true);
    if (place !== null) return place;
  }
  // Without a lock nobody else removes it.
  const place = mkdtempSync(join(tmpdir(), 'muster-sandbox-'));
  return releasedAtExit(place, () => rmSync(place, { recursive: true, force: true }));
}

/**
 * Who looks for leftovers in the folder holds its lock for a moment, and removes it. The sandbox must not go elsewhere
 * because of that: commands would not find it. Null if another sandbox is in the folder.
 */
function claimFirst(first: string): TemporaryPlace | null {
  if (inUse.has(first)) return null;
  for (let attempt = 0, announced = 0; attempt < MOST_ATTEMPTS && announced < 2; attempt++) {
    const place = claim(first, () => isOwnFolder(first, { make: true }));
    if (place !== null) return place;
    if (existsSync(join(first, SANDBOX_FILE))) announced++;
  }
  return null;
}

function claim(place: string, isOwn: () => boolean): TemporaryPlace | null {
  const release = isOwn() ? tryLock(join(place, MEMORY_LOCK_FILE)) : null;
  return release === null ? null : releasedAtExit(place, () => leave(place, release));
}

/** Places of this process that are in use. */
const inUse = new Map<string, () => void>();

/** `process.exit()` in a test runner ends a sandbox without a stop. */
function releasedAtExit(place: string, leaveIt: () => void): TemporaryPlace {
  if (inUse.size === 0) process.on('exit', releaseAll);
  const release = (): void => {
    if (!inUse.delete(place)) return;
    if (inUse.size === 0) process.off('exit', releaseAll);
    leaveIt();
  };
  inUse.set(place, release);
  return { place, release };
}

function releaseAll(): void {
  for (const release of [...inUse.values()]) release();
}

/** Removes the folders whose sandbox was killed: nobody holds their lock. */
function removeLeftovers(): void {
  for (const name of namesIn(tmpdir())) {
    const place = join(tmpdir(), name);
    // No other code of this process may open the lock file of a place that it holds.
    if (!NAME.test(name) || inUse.has(place) || !isOwnFolder(place)) continue;
    const release = tryLock(join(place, MEMORY_LOCK_FILE), { waitMs: 0 });
    if (release !== null) leave(place, release);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A temporary folder in which others may write need not be readable.
    return [];
  }
}

/** Releases a temporary folder and removes it, unless another sandbox uses it in the meantime. */
function leave(folder: string, release: () => void): void {
  // While the lock is held, no other sandbox uses the authority of this folder, or announces itself in it.
  for (const name of [...TLS_FILES, SANDBOX_FILE, `${SANDBOX_FILE}.new`]) rmSync(join(folder, name), { force: true });
  release();
  try {
    rmdirSync(folder);
  } catch {
    // The folder is not empty: the other sandbox removes it.
  }
}

// The system's temporary folder is shared: another user may have created a folder of that name as a trap.
export function isOwnFolder(folder: string, { make = false } = {}): boolean {
  if (make) makePrivateFolder(folder);
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  if (!process.getuid) return true;
  return found.uid === process.getuid() && (found.mode & 0o077) === 0;
}
