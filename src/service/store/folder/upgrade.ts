/**
 * The upgrade of a data folder's database from an older schema. It works on a draft, so that a failed start leaves the
 * old database unchanged. When the sandbox is ready, the draft replaces the old database, which is kept in a separate
 * folder.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { Outage } from '../../../base/assert.ts';
import { type CommitCount, CommitLedger } from '../sqlite/commit-ledger.ts';
import type { DataFolder } from './data-folder.ts';
import { COMMITS_FILE, DATABASE_FILE, DRAFT_FOLDER, REPLACING_FILE } from './files.ts';
import { makePrivateFolder, syncFolder, writePrivately } from './private-files.ts';

/** The offset at which SQLite stores `PRAGMA user_version`, big-endian, in the first page of a file. */
const USER_VERSION_AT = 60;

/** The suffix of staged files, which lie next to the files that they replace. */
const NEXT = '.next';

/**
 * Returns true if the database may have an older schema. The file is read without SQLite, which would modify it by
 * opening it. If its newest pages are still in the write-ahead log, the file may seem older than it is.
 */
export function mayBeOlder(database: string, newest: number): boolean {
  const { size } = statSync(database);
  if (size === 0) return false;
  const descriptor = openSync(database, 'r');
  try {
    const bytes = Buffer.alloc(4);
    return readSync(descriptor, bytes, 0, 4, USER_VERSION_AT) < 4 || bytes.readUInt32BE(0) < newest;
  } finally {
    closeSync(descriptor);
  }
}

/** A copy of the folder's database that the upgrade works on. */
export class UpgradeDraft {
  readonly database: string;
  readonly #folder: DataFolder;

  /** Throws an `Outage` if the disk has no space for the copy. */
  constructor(folder: DataFolder) {
    this.#folder = folder;
    const place = join(folder.path, DRAFT_FOLDER);
    this.database = join(place, DATABASE_FILE);
    rmSync(place, { recursive: true, force: true });
    try {
      makePrivateFolder(place);
      for (const end of ['', '-wal'])
        if (existsSync(`${folder.database}${end}`))
          copyFileSync(`${folder.database}${end}`, `${this.database}${end}`, constants.COPYFILE_FICLONE);
    } catch (error) {
      this.discard();
      throw copyOutage(folder.path, error);
    }
  }

  discard(): void {
    rmSync(join(this.#folder.path, DRAFT_FOLDER), { recursive: true, force: true });
  }

  /**
   * Replaces the database by the draft, which must not be open. Returns the folder that keeps the old database.
   * After a crash during the replacement, `finishReplacing` completes it.
   */
  replace(count: CommitCount, from: number): string {
    const { path, database } = this.#folder;
    // The draft is copied to a new file, because the library may keep a closed connection to the draft open for some
    // time.
    copyFileSync(this.database, `${database}${NEXT}`, constants.COPYFILE_FICLONE);
    syncFile(`${database}${NEXT}`);
    new CommitLedger(`${join(path, COMMITS_FILE)}${NEXT}`, count).close();
    const kept = keepOld(path, from, [database, `${database}-wal`, join(path, COMMITS_FILE)]);
    writePrivately(join(path, REPLACING_FILE), '');
    finishReplacing(path);
    this.discard();
    return kept;
  }
}

/**
 * Completes a replacement that has begun, possibly in an earlier process: from that point the old database is only in
 * its own folder.
 */
export function finishReplacing(path: string): void {
  const mark = join(path, REPLACING_FILE);
  const database = join(path, DATABASE_FILE);
  const ledger = join(path, COMMITS_FILE);
  if (existsSync(mark)) {
    if (existsSync(`${database}${NEXT}`)) {
      // These files belong to the old database.
      for (const end of ['-wal', '-shm']) rmSync(`${database}${end}`, { force: true });
      renameSync(`${database}${NEXT}`, database);
    }
    if (existsSync(`${ledger}${NEXT}`)) renameSync(`${ledger}${NEXT}`, ledger);
    syncFolder(path);
    rmSync(mark);
  }
  for (const file of [database, ledger]) rmSync(`${file}${NEXT}`, { force: true });
}

/** Keeps the old files with hard links, which need no space; with copies if the disk does not support links. */
function keepOld(path: string, from: number, files: readonly string[]): string {
  const name = `database-of-schema-${from}`;
  let place = join(path, name);
  for (let n = 2; existsSync(place); n++) place = join(path, `${name}-${n}`);
  mkdirSync(place, { mode: 0o700 });
  for (const file of files) {
    if (!existsSync(file)) continue;
    const copy = join(place, basename(file));
    try {
      linkSync(file, copy);
    } catch {
      copyFileSync(file, copy);
      syncFile(copy);
    }
  }
  syncFolder(place);
  return place;
}

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function copyOutage(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new Outage({
    code: 'data_folder_disk_full',
    message: `The disk of the data folder ${path} is full. Its database may be of an older version of the sandbox, and there is no space for the copy that an upgrade needs. The database was not changed.`,
    fix: 'Free space on the disk (twice the size of the database), or name another folder with --data-dir.',
    cause: error,
  });
}
