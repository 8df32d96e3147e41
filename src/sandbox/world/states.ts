/** The whole state of the world: reset to its beginning, or saved to a file and loaded again. [decisions 9, cli] */

import { Outage } from '../../base/assert.ts';
import { CLI } from '../../base/text/command-form.ts';
import type { Instant } from '../../base/time/clock.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { inSlices } from '../../base/time/slices.ts';
import { nextTurn, wallMs } from '../../base/time/timers.ts';
import { SNAPSHOT_NAME } from '../../contract/operations/states.ts';
import { didYouMean } from '../../contract/sentences.ts';
import type { ListedSnapshot, WorldStates } from '../../service/api/route.ts';
import { type Rejection, reject } from '../../service/domain/changes.ts';
import type { ClockReading, Meta } from '../../service/domain/world/documents.ts';
import { canonicalPath, openDataFolder } from '../../service/store/folder/data-folder.ts';
import {
  listSnapshots,
  readSnapshot,
  type SnapshotFile,
  type SnapshotOrigin,
  writeSnapshot,
} from '../../service/store/folder/snapshot-file.ts';
import { openStore } from '../../service/store/open-store.ts';
import type { StoredRow } from '../../service/store/state-rows.ts';
import type { WorldStore } from '../../service/store/world-store.ts';
import type { SandboxOptions } from '../options/options.ts';
import { DEFAULT_DATA_DIR } from '../options/values.ts';
import type { LifeControl, SandboxState } from '../parts/storage.ts';
import { asMade } from './made-with.ts';
import { loadStored } from './open-world.ts';

/** The contents of a snapshot. */
interface SavedWorld {
  readonly store: Pick<WorldStore, 'readState'>;
  readonly meta: Meta;
  readonly now: Instant;
  readonly options: SandboxOptions;
}

/**
 * `settle` flushes what is written behind. Snapshots of a sandbox in memory are also written to the data folder that
 * the user named.
 */
export function worldStates(
  { opened, stored, options }: Pick<SandboxState, 'opened' | 'stored' | 'options'>,
  lives: Pick<LifeControl, 'renew'>,
  settle: () => Promise<unknown>,
): WorldStates {
  const folder = options.dataDir ?? DEFAULT_DATA_DIR;
  return {
    reset: () => lives.renew([]),
    list: () => snapshotsIn(folder),
    save: async (name) => {
      await settle();
      return saveSnapshot(folder, name, { store: opened.store, meta: stored.meta, now: stored.clock.now(), options });
    },
    load: async (name) => {
      const rows = await loadSnapshot(folder, name, stored.meta);
      return 'rejected' in rows ? rows : lives.renew(rows);
    },
  };
}

export const snapshotsIn = (folder: string): ListedSnapshot[] => listSnapshots(canonicalPath(folder)).map(listed);

/** Saves a snapshot; an existing snapshot of that name is replaced. */
export async function saveSnapshot(
  folder: string,
  name: string,
  { store, meta, now, options }: SavedWorld,
): Promise<ListedSnapshot> {
  const { seed = null, watches = null, site } = options;
  const origin: SnapshotOrigin = { origin: meta.origin, seed, watches, site: site !== undefined };
  const rows = withClock(await store.readState(), { id: 'clock', now, offsetMs: 0 });
  return listed(writeSnapshot(canonicalPath(folder), name, origin, rows));
}

/**
 * Returns the rows of a snapshot for a world with this meta document (null: a folder without a world); time continues
 * from the time at which the snapshot was saved.
 */
export async function loadSnapshot(
  folder: string,
  name: string,
  meta: Meta | null,
): Promise<readonly StoredRow[] | Rejection> {
  const pause = () => new Promise<void>((resolve) => void nextTurn(resolve));
  const found = SNAPSHOT_NAME.test(name) ? await inSlices(readSnapshot(canonicalPath(folder), name), pause) : null;
  if (typeof found === 'string')
    return reject('action_refused', `${found} Nothing was changed. Save the snapshot again.`);
  if (found === null) {
    const names = snapshotsIn(folder).map((one) => one.name);
    return reject('not_found', `There is no snapshot "${name}".${didYouMean(name, names)}`);
  }
  if (meta !== null && found.origin.origin !== meta.origin)
    return reject('action_refused', `The snapshot is of another world: it needs ${startOf(found.origin)}.`);
  const { now } = clockIn(found.rows);
  return withClock(found.rows, { id: 'clock', now, offsetMs: now - wallMs() });
}

/** The command that starts a sandbox of that world. */
const startOf = ({ seed, watches, site }: SnapshotOrigin): string =>
  [
    `${CLI} up`,
    ...(seed === null ? [] : [`--seed ${seed}`]),
    ...(watches === null ? [] : [`--watches ${watches}`]),
    ...(site ? ['--site with its plant'] : []),
  ].join(' ');

const isClock = ([table, kind]: StoredRow): boolean => table === 'documents' && kind === 'clock';

const clockIn = (rows: readonly StoredRow[]): ClockReading =>
  JSON.parse(String(rows.find(isClock)?.[3])) as ClockReading;

/** Puts the clock's row at the position of its kind, so that equal states stay equal. */
const withClock = (rows: readonly StoredRow[], reading: ClockReading): StoredRow[] => [
  ['documents', 'clock', reading.id, JSON.stringify(reading)],
  ...rows.filter((row) => !isClock(row)),
];

const listed = ({ savedAt, ...file }: SnapshotFile): ListedSnapshot => ({ ...file, saved_at: formatInstant(savedAt) });

/**
 * Saves a snapshot of a data folder on which no sandbox runs. Throws an `Outage` if a sandbox runs, or if the folder
 * has no world.
 */
export const saveFromFolder = (dataDir: string, name: string): Promise<ListedSnapshot> =>
  inFolder(dataDir, async (store, meta, now) =>
    saveSnapshot(dataDir, name, { store, meta, now, options: asMade({}, dataDir) }),
  );

/**
 * Loads a snapshot into a data folder on which no sandbox runs; the previous world is replaced. Returns the time of its
 * clock.
 */
export const loadIntoFolder = (dataDir: string, name: string): Promise<{ readonly now: string }> =>
  inFolder(dataDir, async (store, meta) => {
    const rows = await loadSnapshot(dataDir, name, meta);
    if ('rejected' in rows)
      throw new Outage({
        code: rows.code,
        message: rows.detail,
        fix: `${CLI} snapshot list shows the saved snapshots.`,
        exitCode: rows.code === 'not_found' ? 2 : 1,
      });
    await store.replaceState(rows);
    return { now: formatInstant(clockIn(rows).now) };
  });

/** Locks the folder during the work, as a sandbox does. */
async function inFolder<T>(
  dataDir: string,
  work: (store: WorldStore, meta: Meta, now: Instant) => Promise<T>,
): Promise<T> {
  const folder = openDataFolder(dataDir);
  try {
    const { store } = await openStore(folder, { onBroken: () => {} });
    try {
      const { meta, world } = await loadStored(store);
      if (meta === null)
        throw new Outage({
          code: 'no_world',
          message: `The data folder ${folder.path} contains no world.`,
          fix: `Start one with: ${CLI} up`,
        });
      return await work(store, meta, world.get('clock', 'clock')?.now ?? wallMs());
    } finally {
      await store.close();
    }
  } finally {
    folder.close();
  }
}
