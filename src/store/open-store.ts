/** Opens the database of a data folder; missing or damaged files are reported with what is lost, before anything is written. [decisions 10] */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { randomSecret } from '../base/ids.ts';
import type { StorageBroken } from '../engine/store-port.ts';
import type { DataFolder } from './folder/data-folder.ts';
import { COMMITS_FILE, SEAL_FILE } from './folder/files.ts';
import { FolderGuard } from './folder/guard.ts';
import { finishReplacing, mayBeOlder, UpgradeDraft } from './folder/upgrade.ts';
import { CommitLedger } from './sqlite/commit-ledger.ts';
import { openingOutage, resultCode } from './sqlite/errors.ts';
import { Opening } from './sqlite/opening.ts';
import { NEWEST_SCHEMA } from './sqlite/schema.ts';
import { seal } from './sqlite/seal.ts';
import { NOTHING_AROUND, openSqliteStore, type SqliteStore } from './sqlite/store.ts';
import type { WorldStore } from './world-store.ts';

/** Bytes of randomness in the id of a database. */
const ID_BYTES = 12;

interface StoreOptions {
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
    const { openPostgresStore } = await import('./postgres/store.ts');
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
