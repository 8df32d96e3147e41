/** Opens the database of a data folder; missing or damaged files are reported with what is lost, before anything is written. [decisions 10] */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { randomSecret } from '../../base/ids.ts';
import type { StorageBroken } from '../engine/store-port.ts';
import type { DataFolder } from './folder/data-folder.ts';
import { COMMITS_FILE, SEAL_FILE } from './folder/files.ts';
import { FolderGuard } from './folder/guard.ts';
import { finishReplacing, mayBeOlder, UpgradeDraft } from './folder/upgrade.ts';
import { CommitLedger } from './sqlite/commit-ledger.ts';
import { openingOutage, resultCode } from './sqlite/errors.ts';
import { Opening } from './sqlite/opening.ts';
import { MIGRATIONS, type Migration, newestOf } from './sqlite/schema.ts';
import { seal } from './sqlite/seal.ts';
import { NOTHING_AROUND, openSqliteStore, type SqliteStore } from './sqlite/store.ts';
import type { WorldStore } from './world-store.ts';

/** Random bytes in the id of a database. */
const ID_BYTES = 12;

interface StoreOptions {
  /** Continue with the remaining content of a damaged folder. Default: refuse. */
  readonly acceptLoss?: boolean;
  /** A Postgres database; absent: the file in the folder. */
  readonly database?: string | undefined;
  /** The name of this process as one of several nodes that share the database. */
  readonly node?: string | undefined;
  /** True if the folder's root key is derived from a seed, so that the database must have that key. */
  readonly isSeeded?: boolean;
  /** Default: those of this version. */
  readonly migrations?: readonly Migration[];
  /**
   * Called once when writes cannot be trusted any more, or the folder was changed: nothing may be acknowledged after
   * it.
   */
  readonly onBroken: (error: StorageBroken) => void;
}

export interface OpenedStore {
  readonly store: WorldStore;
  /**
   * All secrets of this world are HMACs of this key: the folder's key, or the key with which the database was made.
   * [decisions 10]
   */
  readonly rootKey: string;
  /**
   * A random id of this database, never derived from a seed. It identifies the sandbox among those at one broker.
   * [watch-protocol, "Claim"]
   */
  readonly sandboxId: string;
  /** Sentences about accepted losses. */
  readonly losses: readonly string[];
  /** True if rows were removed, so that documents may refer to missing ones. */
  readonly rowsLost: boolean;
  /**
   * Call this when the sandbox is ready: an upgraded database then replaces the old one. Returns the folder that keeps
   * the old database; null if there is nothing to upgrade, or if it was done before.
   */
  settle(): Promise<string | null>;
}

const SETTLED = async (): Promise<null> => null;

/** Throws an `Outage` of exit code 3 that names the loss and the fix. */
export async function openStore(folder: DataFolder, options: StoreOptions): Promise<OpenedStore> {
  const { acceptLoss = false, database, node, isSeeded = false, onBroken, migrations = MIGRATIONS } = options;
  const { rootKey } = folder;
  if (database !== undefined) {
    // The Postgres driver is loaded only here, because few sandboxes need it.
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
  const draft = mayBeOlder(folder.database, newestOf(migrations)) ? new UpgradeDraft(folder) : null;
  if (draft !== null) {
    const upgraded = await openDraft(folder, draft, { acceptLoss, onBroken, migrations });
    if (upgraded !== null) return upgraded;
  }
  const opened = await openFile(folder, folder.database, { acceptLoss, migrations });
  surround(folder, opened.store, onBroken);
  return { ...opened, settle: SETTLED };
}

type OpenedFile = Required<Pick<StoreOptions, 'acceptLoss' | 'migrations'>>;

/** Returns null if the database does not have an older schema after all. */
async function openDraft(
  folder: DataFolder,
  draft: UpgradeDraft,
  options: OpenedFile & Pick<StoreOptions, 'onBroken'>,
): Promise<OpenedStore | null> {
  const { onBroken, migrations } = options;
  try {
    const opened = await openFile(folder, draft.database, options);
    const { store } = opened;
    const { openedAs } = store;
    // The database was created again after an accepted loss, or its schema is newer than its header says.
    if (openedAs === newestOf(migrations) || openedAs === 0) {
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
  { acceptLoss, migrations }: OpenedFile,
): Promise<Omit<OpenedStore, 'settle' | 'store'> & { readonly store: SqliteStore }> {
  const opening = new Opening(folder, file, acceptLoss, migrations);
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
    // The key, the id and the repaired rows are written here, and the disk may be full.
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

/** Returns the stored id, or stores a new one. */
function idOf({ database }: SqliteStore): string {
  const { sandbox_id: stored } = database.prepare('SELECT sandbox_id FROM commit_count').get() as {
    sandbox_id: string | null;
  };
  if (stored !== null) return stored;
  const made = randomSecret(ID_BYTES);
  database.prepare('UPDATE commit_count SET sandbox_id = ?').run(made);
  return made;
}
