/** The state of the world as a whole: back to its beginning, or saved to a file and loaded again. [decisions 9, cli] */
import type { ListedSnapshot, WorldStates } from '../api/route.ts';
import type { Instant } from '../base/clock.ts';
import { formatInstant } from '../base/instants.ts';
import { wallMs } from '../base/timers.ts';
import { closest } from '../contract/sentences.ts';
import { type Rejection, reject } from '../domain/changes.ts';
import type { ClockReading, Meta } from '../domain/world/documents.ts';
import { canonicalPath } from '../store/data-folder.ts';
import {
  listSnapshots,
  readSnapshot,
  type SnapshotFile,
  type SnapshotOrigin,
  writeSnapshot,
} from '../store/snapshot-file.ts';
import type { SqliteStore } from '../store/sqlite.ts';
import type { StateRow } from '../store/state-rows.ts';
import type { Lives } from './lives.ts';
import type { SandboxOptions } from './options.ts';

/** What a snapshot is made of. */
export interface SavedWorld {
  readonly store: Pick<SqliteStore, 'readState'>;
  readonly meta: Meta;
  readonly now: Instant;
  readonly options: SandboxOptions;
}

/** `settle` writes what is written behind. Snapshots of a sandbox in memory too stand in the data folder that its user named. */
export function worldStates(lives: Lives, folder: string, settle: () => Promise<unknown>): WorldStates {
  return {
    reset: () => lives.renew([]),
    list: () => snapshotsIn(folder),
    save: async (name) => {
      await settle();
      const { opened, stored, options } = lives.parts;
      return saveSnapshot(folder, name, { store: opened.store, meta: stored.meta, now: stored.clock.now(), options });
    },
    load: async (name) => {
      const rows = loadSnapshot(folder, name, lives.parts.stored.meta);
      return 'rejected' in rows ? rows : lives.renew(rows);
    },
  };
}

export const snapshotsIn = (folder: string): ListedSnapshot[] => listSnapshots(canonicalPath(folder)).map(listed);

/** Replaces a snapshot of that name. */
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

/** Its rows, for a world with this meta document (null: for a folder without a world); time goes on from where it was saved. */
export function loadSnapshot(folder: string, name: string, meta: Meta | null): readonly StateRow[] | Rejection {
  const found = readSnapshot(canonicalPath(folder), name);
  if (found === null) {
    const names = snapshotsIn(folder).map((one) => one.name);
    const meant = closest(name, names);
    const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
    return reject('not_found', `There is no snapshot "${name}".${hint}`);
  }
  if (meta !== null && found.origin.origin !== meta.origin)
    return reject('action_refused', `The snapshot is of another world: it needs ${startOf(found.origin)}.`);
  const clock = found.rows.find(isClock);
  const { now } = JSON.parse(String(clock?.[3])) as ClockReading;
  return withClock(found.rows, { id: 'clock', now, offsetMs: now - wallMs() });
}

/** The command that starts a sandbox of that world. */
const startOf = ({ seed, watches, site }: SnapshotOrigin): string =>
  [
    'sandbox up',
    ...(seed === null ? [] : [`--seed ${seed}`]),
    ...(watches === null ? [] : [`--watches ${watches}`]),
    ...(site ? ['--site with its plant'] : []),
  ].join(' ');

const isClock = ([table, kind]: StateRow): boolean => table === 'documents' && kind === 'clock';

/** The clock's row is where one of its kind would stand, so that equal states stay equal. */
const withClock = (rows: readonly StateRow[], reading: ClockReading): StateRow[] => [
  ['documents', 'clock', reading.id, JSON.stringify(reading)],
  ...rows.filter((row) => !isClock(row)),
];

const listed = ({ savedAt, ...file }: SnapshotFile): ListedSnapshot => ({ ...file, saved_at: formatInstant(savedAt) });
