/** Checks the files of a data folder while its database is opened: losses are reported, and accepted or refused. [decisions 10] */

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type Database from 'libsql';
import { Outage } from '../../../base/assert.ts';
import { sha256Hex } from '../../../base/ids.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import { type DataFolder, touchPrivately } from '../folder/data-folder.ts';
import { COMMITS_FILE, DATABASE_FILE } from '../folder/files.ts';
import { type CommitCount, readLedger } from './commit-ledger.ts';
import { damagedRows } from './damaged-rows.ts';
import { openDatabase } from './libsql.ts';
import type { Migration } from './schema.ts';
import { isSealed } from './seal.ts';
import { openSqliteStore, type SqliteStore } from './store.ts';
import { inspectWal } from './wal.ts';

/** Maximum number of damaged rows that are listed by name. */
const NAMED_ROWS = 5;

export class Opening {
  readonly losses: string[] = [];
  rowsLost = false;
  readonly #folder: DataFolder;
  /** The database of the folder, or the draft of an upgrade. */
  readonly #file: string;
  readonly #acceptLoss: boolean;
  readonly #migrations: readonly Migration[];
  readonly #ledger: CommitCount | null | 'damaged';
  readonly #sealed: boolean;

  constructor(folder: DataFolder, file: string, acceptLoss: boolean, migrations: readonly Migration[]) {
    this.#folder = folder;
    this.#file = file;
    this.#acceptLoss = acceptLoss;
    this.#migrations = migrations;
    this.#ledger = readLedger(join(folder.path, COMMITS_FILE));
    this.#sealed = isSealed(folder);
  }

  /** Inspects the files before SQLite recovers what it can and discards the rest. */
  lookBefore(): void {
    const database = this.#file;
    if (statSync(database).size === 0) {
      if (typeof this.#ledger !== 'object' || (this.#ledger?.commits ?? 0) > 0)
        this.#lose(`The database ${this.#folder.database} is empty, and ${this.#ledgerWords()}: all of it is lost.`);
      return;
    }
    const { headerSound, cutOffFrames, cutOffCommits } = inspectWal(`${database}-wal`);
    if (headerSound && cutOffFrames === 0) return;
    const kept = countInCopy(database);
    // The copy has every commit of the ledger: frames that were cut off (by a power failure) were never acknowledged.
    if (
      kept !== null &&
      typeof this.#ledger === 'object' &&
      this.#ledger !== null &&
      this.#ledger.commits <= kept.commits
    )
      return;
    const how = headerSound
      ? `its write-ahead log ${basename(database)}-wal is damaged, and ${cutOffFrames} intact pages follow the bad one`
      : `the header of its write-ahead log ${basename(database)}-wal is damaged`;
    this.#lose(`${this.#lostSince(kept, cutOffCommits)}: ${how}.`);
    keepAside(this.#folder.path, [`${database}-wal`], copyFileSync);
  }

  async open(): Promise<SqliteStore> {
    try {
      return await openSqliteStore({
        file: this.#file,
        named: this.#folder.database,
        migrations: this.#migrations,
      });
    } catch (error) {
      if (!(error instanceof Outage) || error.code !== 'database_unreadable') throw error;
      this.#lose(`${error.message} ${capital(this.#ledgerWords())}: all of it is lost.`);
      return this.openAnew(null);
    }
  }

  /** Keeps the old file aside, and creates a new database. */
  async openAnew(damaged: SqliteStore | null): Promise<SqliteStore> {
    const { path } = this.#folder;
    const database = this.#file;
    damaged?.database.close();
    keepAside(path, [database, `${database}-wal`, `${database}-shm`], renameSync);
    touchPrivately(database);
    return openSqliteStore({ file: database, migrations: this.#migrations });
  }

  lookAtCount({ count }: SqliteStore): void {
    // The loss was already reported before the opening.
    if (this.losses.length > 0) return;
    if (typeof this.#ledger === 'object' && this.#ledger !== null) {
      if (this.#ledger.commits > count.commits)
        this.#lose(`${this.#lostSince(count, 0)}: the database does not have them, and ${this.#ledgerWords()}.`);
    } else if (count.commits > 0) {
      const state = this.#ledger === null ? 'is missing' : 'is damaged';
      this.#lose(
        `The commit ledger ${join(this.#folder.path, COMMITS_FILE)} ${state}, so it is unknown whether commits after ${timeOf(count)} are lost (the database has ${count.commits}).`,
      );
    }
  }

  /** Returns true if the loss of the whole database was accepted. */
  pagesAreDamaged({ database }: SqliteStore): boolean {
    if (this.#sealed) return false;
    const finding = quickCheck(database);
    if (finding === 'ok') return false;
    this.#lose(
      `Pages of the database ${this.#folder.database} are damaged (${finding}), and ${this.#ledgerWords()}: all of it is lost.`,
    );
    return true;
  }

  lookAtRows({ database }: SqliteStore): void {
    // The file is unchanged since a clean close, when it was sound.
    if (this.#sealed) return;
    const rows = damagedRows(database);
    if (rows.length === 0) return;
    const named = rows.slice(0, NAMED_ROWS).map(({ words }) => words);
    const more = rows.length > NAMED_ROWS ? [`And ${rows.length - NAMED_ROWS} more.`] : [];
    this.#lose(
      `${rows.length} stored ${rows.length === 1 ? 'row is' : 'rows are'} lost. ${[...named, ...more].join(' ')}`,
    );
    for (const row of rows) row.remove();
    this.rowsLost = true;
  }

  /** Reports the loss of the secrets if the hashes in the database come from a different key. */
  lookAtKey({ database, count }: SqliteStore): void {
    const hash = sha256Hex(`root key ${this.#folder.rootKey}`);
    const { key_hash: stored } = database.prepare('SELECT key_hash FROM commit_count').get() as {
      key_hash: string | null;
    };
    if (stored === hash) return;
    if (stored !== null && count.commits > 0)
      this.#lose(
        `The root key in ${this.#folder.path} is not the key that this world was made with. The secrets of its clients and watches, and its control token, are lost.`,
      );
    database.prepare('UPDATE commit_count SET key_hash = ?').run(hash);
  }

  #lose(words: string): void {
    if (!this.#acceptLoss) {
      throw new Outage({
        code: 'data_lost',
        message: words,
        fix: 'Restore the data folder from a copy. Or start with --accept-loss to continue without the lost data, or with another --data-dir.',
      });
    }
    this.losses.push(words);
  }

  #ledgerWords(): string {
    if (this.#ledger === null) return 'the number of its commits is unknown';
    if (this.#ledger === 'damaged') return 'the commit ledger beside it is damaged too';
    return `${commits(this.#ledger.commits)} were in it, the last of ${timeOf(this.#ledger)}`;
  }

  #lostSince(kept: CommitCount | null, cutOff: number): string {
    const counted = typeof this.#ledger === 'object' ? this.#ledger : null;
    const lost = kept !== null && counted !== null ? counted.commits - kept.commits : cutOff;
    const since = kept === null || kept.commits === 0 ? 'the beginning' : timeOf(kept);
    return `${lost > 0 ? commits(lost) : 'Commits'} since ${since} ${lost === 1 ? 'is' : 'are'} lost`;
  }
}

function quickCheck(database: Database.Database): string {
  try {
    const finding = (database.pragma('quick_check(1)') as { quick_check: string }[])[0]?.quick_check ?? 'no verdict';
    return finding.replace(/^\*+.*\*+\n/, '').replace(/\s+/g, ' ');
  } catch (error) {
    return (error as Error).message;
  }
}

const commits = (count: number): string => (count === 1 ? '1 commit' : `${count} commits`);
const timeOf = ({ at }: CommitCount): string => formatInstant(at);
const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/**
 * Returns the count that SQLite's recovery would keep, determined on a copy so that the original is unchanged; null if
 * unknown.
 */
function countInCopy(database: string): CommitCount | null {
  const folder = mkdtempSync(join(tmpdir(), 'muster-look-'));
  try {
    const copy = join(folder, DATABASE_FILE);
    copyFileSync(database, copy);
    copyFileSync(`${database}-wal`, `${copy}-wal`);
    const looking = openDatabase(copy);
    try {
      // No transaction has been copied from the log into the database file yet.
      const isEmpty = looking.prepare('SELECT name FROM sqlite_master LIMIT 1').get() === undefined;
      return isEmpty
        ? { commits: 0, at: 0 }
        : (looking.prepare('SELECT commits, at FROM commit_count').get() as CommitCount);
    } finally {
      looking.close();
    }
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Moves or copies (`keep`) damaged files aside for a manual repair. */
function keepAside(folder: string, files: readonly string[], keep: (from: string, to: string) => void): void {
  let place = '';
  for (let n = 1; place === '' || existsSync(place); n++) place = join(folder, `damaged-${n}`);
  mkdirSync(place, { mode: 0o700 });
  for (const file of files) if (existsSync(file)) keep(file, join(place, basename(file)));
}
