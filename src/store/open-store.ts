/** Opens the database of a data folder; missing or damaged files are reported with what is lost, before anything is written. [decisions 10] */

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type Database from 'libsql';
import { Outage } from '../base/assert.ts';
import { randomSecret, sha256Hex } from '../base/ids.ts';
import { formatInstant } from '../base/instants.ts';
import type { StorageBroken } from '../engine/store-port.ts';
import { type CommitCount, CommitLedger, readLedger } from './commit-ledger.ts';
import { damagedRows } from './damaged-rows.ts';
import { type DataFolder, touchPrivately, writePrivately } from './data-folder.ts';
import { COMMITS_FILE, DATABASE_FILE, SEAL_FILE } from './folder-files.ts';
import { FolderGuard } from './folder-guard.ts';
import { openDatabase } from './libsql.ts';
import { NOTHING_AROUND, openSqliteStore, type SqliteStore } from './sqlite.ts';
import { openingOutage, resultCode } from './sqlite-errors.ts';
import { NEWEST_SCHEMA } from './sqlite-schema.ts';
import { finishReplacing, mayBeOlder, UpgradeDraft } from './upgrade.ts';
import { inspectWal } from './wal.ts';
import type { WorldStore } from './world-store.ts';

/** Bytes of randomness in the id of a database. */
const ID_BYTES = 12;

/** Limit of the damaged rows listed by name. */
const NAMED_ROWS = 5;

export interface StoreOptions {
  /** Continue with the rest of a damaged folder. Default: refuse. */
  readonly acceptLoss?: boolean;
  /** A Postgres database; absent: the file in the folder. */
  readonly database?: string | undefined;
  /** This process is a node of this name among others at the database. */
  readonly node?: string | undefined;
  /** The folder's root key follows from a seed, so the world must be of it. */
  readonly isSeeded?: boolean;
  /** Called once when writes cannot be trusted any more, or the folder was changed: acknowledge nothing after it. */
  readonly onBroken: (error: StorageBroken) => void;
}

export interface OpenedStore {
  readonly store: WorldStore;
  /** All secrets of this world are HMACs of it: the folder's, or what the database was made with. [decisions 10] */
  readonly rootKey: string;
  /** Random, of this database, and never derived from a seed: names it among the sandboxes at one broker. [watch-protocol, "Claim"] */
  readonly sandboxId: string;
  /** What was lost and accepted; sentences. */
  readonly losses: readonly string[];
  /** Rows were taken out, so documents may name others that are gone. */
  readonly rowsLost: boolean;
  /**
   * To be called when the sandbox is ready: an upgraded database takes the place of the old one. Returns the folder that
   * keeps the old one; null where there is nothing to upgrade, or where it was done before.
   */
  settle(): Promise<string | null>;
}

const SETTLED = async (): Promise<null> => null;

/** Throws an `Outage` of exit code 3 that says what is lost and what to do. */
export async function openStore(
  folder: DataFolder,
  { acceptLoss = false, database, node, isSeeded = false, onBroken }: StoreOptions,
): Promise<OpenedStore> {
  const { rootKey } = folder;
  if (database !== undefined) {
    // Few sandboxes need its driver.
    const { openPostgresStore } = await import('./postgres.ts');
    const store = await openPostgresStore({ url: database, onBroken, ...(node === undefined ? {} : { node }) });
    try {
      const sandboxId = await store.sandboxId(randomSecret(ID_BYTES));
      const made = { rootKey: await store.rootKey(rootKey, isSeeded), sandboxId };
      return { store, ...made, losses: [], rowsLost: false, settle: SETTLED };
    } catch (error) {
      await store.close();
      throw error;
    }
  }
  if (!folder.kept) {
    const store = await openSqliteStore({ file: folder.database });
    const sandboxId = randomSecret(ID_BYTES);
    return { store, rootKey, sandboxId, losses: [], rowsLost: false, settle: SETTLED };
  }
  finishReplacing(folder.path);
  const draft = mayBeOlder(folder.database) ? new UpgradeDraft(folder) : null;
  if (draft !== null) {
    const upgraded = await openDraft(folder, draft, acceptLoss, onBroken);
    if (upgraded !== null) return upgraded;
  }
  const opened = await openFile(folder, folder.database, acceptLoss);
  surround(folder, opened.store, onBroken);
  return { ...opened, settle: SETTLED };
}

/** Null: the database is not of an older schema after all. */
async function openDraft(
  folder: DataFolder,
  draft: UpgradeDraft,
  acceptLoss: boolean,
  onBroken: (error: StorageBroken) => void,
): Promise<OpenedStore | null> {
  try {
    const opened = await openFile(folder, draft.database, acceptLoss);
    const { store } = opened;
    const { openedAs } = store;
    // Begun anew after an accepted loss, or not as old as its header says.
    if (openedAs === NEWEST_SCHEMA || openedAs === 0) {
      store.database.close();
      draft.discard();
      return null;
    }
    store.surround({ ...NOTHING_AROUND, onBroken, close: () => draft.discard() });
    let isSettled = false;
    const settle = async (): Promise<string | null> => {
      if (isSettled) return null;
      isSettled = true;
      let kept = '';
      await store.moveTo(folder.database, () => {
        kept = draft.replace(store.count, openedAs);
      });
      surround(folder, store, onBroken);
      return kept;
    };
    return { ...opened, settle };
  } catch (error) {
    draft.discard();
    throw error;
  }
}

async function openFile(
  folder: DataFolder,
  file: string,
  acceptLoss: boolean,
): Promise<Omit<OpenedStore, 'settle' | 'store'> & { readonly store: SqliteStore }> {
  const opening = new Opening(folder, file, acceptLoss);
  opening.lookBefore();
  let store = await opening.open();
  try {
    opening.lookAtCount(store);
    if (opening.pagesAreDamaged(store)) store = await opening.openAnew(store);
    opening.lookAtRows(store);
    opening.lookAtKey(store);
    return {
      store,
      rootKey: folder.rootKey,
      sandboxId: idOf(store),
      losses: opening.losses,
      rowsLost: opening.rowsLost,
    };
  } catch (error) {
    store.database.close();
    // The key, the id and the damaged rows are written here, on a disk that may be full.
    throw resultCode(error) === null ? error : openingOutage(folder.database, error);
  }
}

class Opening {
  readonly losses: string[] = [];
  rowsLost = false;
  readonly #folder: DataFolder;
  /** The database of the folder, or the draft of an upgrade. */
  readonly #file: string;
  readonly #acceptLoss: boolean;
  readonly #ledger: CommitCount | null | 'damaged';
  readonly #sealed: boolean;

  constructor(folder: DataFolder, file: string, acceptLoss: boolean) {
    this.#folder = folder;
    this.#file = file;
    this.#acceptLoss = acceptLoss;
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
    // The copy has every commit of the ledger: what was cut off (by a power cut) was never acknowledged.
    if (
      kept !== null &&
      typeof this.#ledger === 'object' &&
      this.#ledger !== null &&
      this.#ledger.commits <= kept.commits
    )
      return;
    const how = headerSound
      ? `its write-ahead log ${basename(database)}-wal is damaged, and ${cutOffFrames} sound pages stand behind the bad one`
      : `the header of its write-ahead log ${basename(database)}-wal is damaged`;
    this.#lose(`${this.#lostSince(kept, cutOffCommits)}: ${how}.`);
    keepAside(this.#folder.path, [`${database}-wal`], copyFileSync);
  }

  async open(): Promise<SqliteStore> {
    try {
      return await openSqliteStore({ file: this.#file, named: this.#folder.database });
    } catch (error) {
      if (!(error instanceof Outage) || error.code !== 'database_unreadable') throw error;
      this.#lose(`${error.message} ${capital(this.#ledgerWords())}: all of it is lost.`);
      return this.openAnew(null);
    }
  }

  /** The old file is kept aside, and a new database begins. */
  async openAnew(damaged: SqliteStore | null): Promise<SqliteStore> {
    const { path } = this.#folder;
    const database = this.#file;
    damaged?.database.close();
    keepAside(path, [database, `${database}-wal`, `${database}-shm`], renameSync);
    touchPrivately(database);
    return openSqliteStore({ file: database });
  }

  lookAtCount({ count }: SqliteStore): void {
    // Said already, before the opening.
    if (this.losses.length > 0) return;
    if (typeof this.#ledger === 'object' && this.#ledger !== null) {
      if (this.#ledger.commits > count.commits)
        this.#lose(`${this.#lostSince(count, 0)}: the database does not have them, and ${this.#ledgerWords()}.`);
    } else if (count.commits > 0) {
      const state = this.#ledger === null ? 'is missing' : 'is damaged';
      this.#lose(
        `The commit ledger ${join(this.#folder.path, COMMITS_FILE)} ${state}, so nobody can tell whether commits after ${timeOf(count)} are lost (the database has ${count.commits}).`,
      );
    }
  }

  /** True when the loss of all of it was accepted. */
  pagesAreDamaged({ database }: SqliteStore): boolean {
    if (this.#sealed) return false;
    const verdict = quickCheck(database);
    if (verdict === 'ok') return false;
    this.#lose(
      `Pages of the database ${this.#folder.database} are damaged (${verdict}), and ${this.#ledgerWords()}: all of it is lost.`,
    );
    return true;
  }

  lookAtRows({ database }: SqliteStore): void {
    // Unchanged since the clean close, when it was sound.
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

  /** Loses the secrets when the key is another than the one that the hashes in the database came from. */
  lookAtKey({ database, count }: SqliteStore): void {
    const hash = sha256Hex(`root key ${this.#folder.rootKey}`);
    const { key_hash: stored } = database.prepare('SELECT key_hash FROM commit_count').get() as {
      key_hash: string | null;
    };
    if (stored === hash) return;
    if (stored !== null && count.commits > 0)
      this.#lose(
        `The root key in ${this.#folder.path} is not the one that this world was made with: the secrets of its clients and watches, and its control token, are lost.`,
      );
    database.prepare('UPDATE commit_count SET key_hash = ?').run(hash);
  }

  #lose(words: string): void {
    if (!this.#acceptLoss) {
      throw new Outage({
        code: 'data_lost',
        message: words,
        cure: 'Put the data folder back from a copy; or start with --accept-loss to go on with what is left, or with another --data-dir.',
      });
    }
    this.losses.push(words);
  }

  #ledgerWords(): string {
    if (this.#ledger === null) return 'nothing tells how many commits stood in it';
    if (this.#ledger === 'damaged') return 'the commit ledger beside it is damaged too';
    return `${commits(this.#ledger.commits)} stood in it, the last of ${timeOf(this.#ledger)}`;
  }

  #lostSince(kept: CommitCount | null, cutOff: number): string {
    const counted = typeof this.#ledger === 'object' ? this.#ledger : null;
    const lost = kept !== null && counted !== null ? counted.commits - kept.commits : cutOff;
    const since = kept === null || kept.commits === 0 ? 'the beginning' : timeOf(kept);
    return `${lost > 0 ? commits(lost) : 'Commits'} since ${since} ${lost === 1 ? 'is' : 'are'} lost`;
  }
}

/** The stored id, or a new one from now on. */
function idOf({ database }: SqliteStore): string {
  const { sandbox_id: stored } = database.prepare('SELECT sandbox_id FROM commit_count').get() as {
    sandbox_id: string | null;
  };
  if (stored !== null) return stored;
  const made = randomSecret(ID_BYTES);
  database.prepare('UPDATE commit_count SET sandbox_id = ?').run(made);
  return made;
}

function quickCheck(database: Database.Database): string {
  try {
    const verdict = (database.pragma('quick_check(1)') as { quick_check: string }[])[0]?.quick_check ?? 'no verdict';
    return verdict.replace(/^\*+.*\*+\n/, '').replace(/\s+/g, ' ');
  } catch (error) {
    return (error as Error).message;
  }
}

const commits = (count: number): string => (count === 1 ? '1 commit' : `${count} commits`);
const timeOf = ({ at }: CommitCount): string => formatInstant(at);
const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** What SQLite's recovery would keep, determined on a copy so that the original is unchanged; null when unknown. */
function countInCopy(database: string): CommitCount | null {
  const folder = mkdtempSync(join(tmpdir(), 'muster-look-'));
  try {
    const copy = join(folder, DATABASE_FILE);
    copyFileSync(database, copy);
    copyFileSync(`${database}-wal`, `${copy}-wal`);
    const looking = openDatabase(copy);
    try {
      // Nothing of the first transactions has come out of the log yet.
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

function surround(folder: DataFolder, store: SqliteStore, onBroken: (error: StorageBroken) => void): void {
  const ledger = new CommitLedger(join(folder.path, COMMITS_FILE), store.count);
  const sealFile = join(folder.path, SEAL_FILE);
  rmSync(sealFile, { force: true });
  let isBroken = false;
  const broken = (error: StorageBroken): void => {
    if (isBroken) return;
    isBroken = true;
    onBroken(error);
  };
  const guard = new FolderGuard(folder.path, broken);
  guard.start();
  store.surround({
    check: () => guard.check(),
    glance: () => guard.glance(),
    remember: () => guard.remember(),
    counted: (count) => ledger.put(count),
    onBroken: broken,
    close: () => {
      guard.stop();
      ledger.close();
      if (!isBroken) seal(folder, sealFile);
    },
  });
}

/** What the database file looked like when it was closed. */
function sealOf({ database }: DataFolder): string | null {
  const stat = statSync(database, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.size} ${stat.mtimeNs}\n`;
}

function seal(folder: DataFolder, file: string): void {
  const text = sealOf(folder);
  try {
    if (text !== null && walBytes(folder) === 0) writePrivately(file, text);
  } catch {
    // Without a seal the next opening looks through all rows.
  }
}

function isSealed(folder: DataFolder): boolean {
  try {
    return walBytes(folder) === 0 && readFileSync(join(folder.path, SEAL_FILE), 'utf8') === sealOf(folder);
  } catch {
    return false;
  }
}

const walBytes = ({ database }: DataFolder): number =>
  statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0;
