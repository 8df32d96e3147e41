/** The lock on a folder: the operating system holds it while the process lives, and releases it in every case. */

import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'libsql';
import { Outage } from '../../../base/assert.ts';
import { formatInstant, parseInstant } from '../../../base/time/instants.ts';
import { isBusy } from '../sqlite/errors.ts';
import { openDatabase } from '../sqlite/libsql.ts';
import { LOCK_FILE } from './files.ts';
import { readIfThere, writePrivately } from './private-files.ts';

const HOLDER_FILE = 'holder.json';

/** The process that holds a folder, as it described itself; used only in messages, never for decisions. */
interface Holder {
  readonly pid: number;
  /** Wall time, ms. */
  readonly startedAt: number | null;
}

/** Another process uses the folder. */
export class FolderTaken extends Outage {
  readonly folder: string;
  /** Null if the holder has not written its description yet. */
  readonly holder: Holder | null;

  constructor(folder: string, holder: Holder | null) {
    const since = holder && holder.startedAt !== null ? `, started ${formatInstant(holder.startedAt)}` : '';
    const who = holder ? `process ${holder.pid}${since}` : 'another process';
    super({
      code: 'data_folder_taken',
      message: `The data folder ${folder} is in use by ${who}.`,
      fix: `Stop that process first${holder ? ` (Ctrl-C in its terminal, or: kill ${holder.pid})` : ''}, or give another folder with --data-dir.`,
      exitCode: 3,
    });
    this.folder = folder;
    this.holder = holder;
  }
}

// These references prevent that garbage collection closes a connection, which would release its lock.
const held = new Set<Database.Database>();

/** Another process that probes the lock holds it for at most this time; ms. */
const PROBED_FOR_MS = 50;

/**
 * Takes the lock on `folder` or throws `FolderTaken`.
 * The lock is SQLite's lock on an empty file. The system releases it with the process, also after kill -9, so no stale
 * file and no reused pid can block a folder. No other code in this process may open the file `lock`: closing any
 * descriptor of a file drops the process's POSIX locks on it.
 */
export function takeLock(folder: string, holder: Holder): () => void {
  const unlock = lock(join(folder, LOCK_FILE));
  if (unlock === null) throw new FolderTaken(folder, readHolder(folder));
  const release = (): void => {
    if (!held.has(unlock.database)) return;
    // The lock file is not removed: if it were removed and created again, two processes could hold locks under one
    // name.
    rmSync(join(folder, HOLDER_FILE), { force: true });
    unlock.release();
  };
  try {
    const startedAt = holder.startedAt === null ? null : formatInstant(holder.startedAt);
    const text = `${JSON.stringify({ pid: holder.pid, started_at: startedAt })}\n`;
    writePrivately(join(folder, HOLDER_FILE), text, { durable: false });
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

/**
 * Locks the file; the returned function removes it and releases the lock. Returns null if another process holds the
 * lock, or if the file cannot be written.
 */
export function tryLock(file: string, { waitMs = PROBED_FOR_MS } = {}): (() => void) | null {
  try {
    const before = inodeOf(file);
    const unlock = lock(file, waitMs);
    if (unlock === null) return null;
    const after = inodeOf(file);
    // The last holder removed the file while this process waited: a lock on a removed file excludes no other process.
    if (after === null || (before !== null && before !== after)) {
      unlock.release();
      return null;
    }
    return () => {
      // The file is removed before the lock is released, because afterwards it may belong to another process. Windows
      // cannot remove an open file, so there it is removed afterwards.
      const removed = tryRemove(file);
      unlock.release();
      if (!removed) tryRemove(file);
    };
  } catch {
    return null;
  }
}

const inodeOf = (file: string): bigint | null => statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? null;

function tryRemove(file: string): boolean {
  try {
    rmSync(file, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** True while a process has the lock of the folder. */
export function isHeld(folder: string): boolean {
  const file = join(folder, LOCK_FILE);
  if (!existsSync(file)) return false;
  const database = openDatabase(file, { timeout: 0, readonly: true });
  try {
    database.prepare('SELECT 1 FROM sqlite_master').get();
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    database.close();
  }
}

function lock(file: string, waitMs = PROBED_FOR_MS): { database: Database.Database; release: () => void } | null {
  const database = openDatabase(file, { timeout: waitMs });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
  held.add(database);
  return {
    database,
    release: () => {
      if (held.delete(database)) database.close();
    },
  };
}

function readHolder(folder: string): Holder | null {
  try {
    const { pid, started_at } = JSON.parse(readIfThere(join(folder, HOLDER_FILE)) ?? '{}');
    if (!Number.isSafeInteger(pid)) return null;
    return { pid, startedAt: typeof started_at === 'string' ? parseInstant(started_at) : null };
  } catch {
    // An unreadable description of the holder must not cause a different error.
    return null;
  }
}
