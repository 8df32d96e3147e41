/** The lock on a folder: kept by the operating system for as long as the process lives, however it ends. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { Outage } from '../base/assert.ts';
import { formatInstant, parseInstant } from '../base/instants.ts';
import { readIfThere, writePrivately } from './data-folder.ts';
import { LOCK_FILE } from './folder-files.ts';
import { isBusy } from './sqlite-errors.ts';

const HOLDER_FILE = 'holder.json';

/** The holder of a folder, as it wrote it there; for messages only, never for decisions. */
export interface Holder {
  readonly pid: number;
  /** Wall time, ms. */
  readonly startedAt: number | null;
}

/** Another process works in the folder. */
export class FolderTaken extends Outage {
  readonly folder: string;
  /** Null when the holder has not written its name yet. */
  readonly holder: Holder | null;

  constructor(folder: string, holder: Holder | null) {
    const since = holder && holder.startedAt !== null ? `, started ${formatInstant(holder.startedAt)}` : '';
    const who = holder ? `process ${holder.pid}${since}` : 'another process';
    super({
      code: 'data_folder_taken',
      message: `The data folder ${folder} is in use by ${who}.`,
      cure: `Stop that process first${holder ? ` (Ctrl-C in its terminal, or: kill ${holder.pid})` : ''}, or give another folder with --data-dir.`,
      exitCode: 3,
    });
    this.folder = folder;
    this.holder = holder;
  }
}

// Garbage collection of the connection would release its lock.
const held = new Set<Database.Database>();

/**
 * Takes the lock on `folder` or throws `FolderTaken`, which names `named`: the folder that the person asked for.
 * It is SQLite's lock on an empty file, so the system lets it go with the process, also after kill -9, and no stale
 * file or reused pid can keep a folder shut. Nothing in this process may open `lock` by itself: closing any
 * descriptor of a file drops the process's POSIX locks on it.
 */
export function takeLock(folder: string, named: string, holder: Holder): () => void {
  const database = new Database(join(folder, LOCK_FILE), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw isBusy(error) ? new FolderTaken(named, readHolder(folder)) : error;
  }
  held.add(database);
  const release = (): void => {
    if (!held.delete(database)) return;
    // The lock file stays: one that is removed and made anew can be held twice, under one name.
    rmSync(join(folder, HOLDER_FILE), { force: true });
    database.close();
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

function readHolder(folder: string): Holder | null {
  try {
    const { pid, started_at } = JSON.parse(readIfThere(join(folder, HOLDER_FILE)) ?? '{}');
    if (!Number.isSafeInteger(pid)) return null;
    return { pid, startedAt: typeof started_at === 'string' ? parseInstant(started_at) : null };
  } catch {
    // Half a word about the holder is no reason to fail differently.
    return null;
  }
}
