/** The composition root: a running sandbox, and what a program can do with it. */

import { Outage } from '../base/assert.ts';
import type { Clock } from '../base/time/clock.ts';
import type { ActionBody } from '../contract/actions.ts';
import type { Ready, ReadyLine, ReadyWatch } from '../contract/banner.ts';
import type { Notice } from '../contract/notices.ts';
import type { CoverageView } from '../contract/operations/coverage.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { RateLimiter } from '../service/api/access/limits.ts';
import type { InProcessGet } from '../service/api/in-process.ts';
import type { Arrivals } from '../service/api/requests/arrivals.ts';
import type { ActionOutcome, CheckedWait, FoundByWait } from '../service/api/route.ts';
import { isRejection, type Rejection } from '../service/domain/changes.ts';
import type { Engine } from '../service/engine/engine.ts';
import { StorageBroken, StorageFull, type Store } from '../service/engine/store-port.ts';
import { canonicalPath } from '../service/store/folder/data-folder.ts';
import { folderOutage, isFolderError } from '../service/store/folder/errors.ts';
import { databaseName } from '../service/store/postgres/name.ts';
import type { Webhooks } from '../service/webhooks/webhooks.ts';
import type { SandboxOptions } from './options/options.ts';
import { DEFAULT_DATA_DIR } from './options/values.ts';
import type { Runs } from './runs/runs.ts';
import { Lives } from './world/lives.ts';
import { asMade } from './world/made-with.ts';

/** A running sandbox: its API answers, its broker accepts watches, and its fleet is connected. */
export interface Sandbox {
  readonly ready: Ready;
  /** The first line of `up --json`, which is also the content of sandbox.json. */
  readonly readyLine: ReadyLine;
  /** PEM of the certificate authority that clients must trust; null without TLS. */
  readonly ca: string | null;
  /** True if nothing is kept on disk. */
  readonly memory: boolean;
  /** The name of the Postgres database that keeps the world, for display; null: a file in the data folder. */
  readonly database: string | null;
  readonly warnings: readonly string[];
  readonly clock: Clock;
  readonly engine: Engine;
  readonly store: Store;
  /** The limits of each client. [spec 8] */
  readonly limiter: RateLimiter;
  /** Requests that arrive at the API. */
  readonly arrivals: Arrivals;
  readonly webhooks: Webhooks;
  /** Performs an action of the catalogue with the permissions of the control token. [decisions 9] */
  act(body: ActionBody): Promise<ActionOutcome>;
  /** Returns what a client with this viewer's permissions would get from the API now. */
  readonly get: InProcessGet;
  /** Waits until a condition is met or the signal is aborted, with the permissions of the control token. [decisions 9] */
  wait(request: CheckedWait, signal: AbortSignal): Promise<FoundByWait | Rejection>;
  /** What of the contract the programs of the companies have met since the start. [decisions 9] */
  coverage(): CoverageView;
  /** Scenarios that run in the sandbox. */
  readonly runs: Runs;
  /** Null with `fleet: false`. */
  readonly fleet: Fleet | null;
  /** All watches, also those that the ready line omits. */
  watches(): ReadyWatch[];
  onNotice(listener: (notice: Notice) => void): () => void;
  /** Resets the world to its beginning; returns null, or the reason why it cannot. */
  reset(): Promise<Rejection | null>;
  /**
   * Watches publish that they go offline, deliveries in flight settle or stay pending, and the state is on disk.
   * Idempotent.
   */
  stop(): Promise<void>;
}

/**
 * Starts API, broker, fleet and deliveries. Resolves when the API answers, the broker accepts connections and the
 * fleet's watches are connected. Throws `Outage` with a fix if the environment does not allow it; parts that were
 * started are stopped.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  try {
    const made = asMade(options, options.dataDir ?? DEFAULT_DATA_DIR);
    return sandboxOf(await Lives.start(made));
  } catch (error) {
    throw storageOutage(error, options);
  }
}

/** A disk that fails during the start is a problem of the environment, not a bug of the sandbox. */
function storageOutage(error: unknown, options: SandboxOptions): unknown {
  const folder = canonicalPath(options.dataDir ?? DEFAULT_DATA_DIR);
  if (isFolderError(error, folder)) return folderOutage(folder, error);
  if (!(error instanceof StorageFull) && !(error instanceof StorageBroken)) return error;
  const { full, broken } = options.database === undefined ? FOLDER_FIXES : DATABASE_FIXES;
  const fix = error instanceof StorageFull ? full : broken;
  return new Outage({ code: 'storage_failed', message: error.message, fix, cause: error });
}

const FOLDER_FIXES = {
  full: 'Free space on the disk, or close the program that locks the database. Then start again.',
  broken:
    'Check the disk and the data folder, or name another folder with --data-dir. Everything that was acknowledged before is stored.',
};
const DATABASE_FIXES = {
  full: 'Check whether the Postgres server is running and has free space. Then start again.',
  broken: 'Check the Postgres server, or use another database. Everything that was acknowledged before is stored.',
};

const databaseOf = ({ database }: SandboxOptions): string | null =>
  database === undefined ? null : databaseName(database);

/** Parts change with each life, so they are looked up at each use. */
function sandboxOf(lives: Lives): Sandbox {
  const now = () => lives.now;
  return {
    get ready() {
      return now().announced.ready;
    },
    get readyLine() {
      return now().announced.readyLine;
    },
    ca: now().tls?.ca ?? null,
    memory: now().options.memory === true,
    database: databaseOf(now().options),
    get warnings() {
      return now().warnings;
    },
    get clock() {
      return now().engine.clock;
    },
    get engine() {
      return now().engine;
    },
    store: now().opened.store,
    get limiter() {
      return now().limiter;
    },
    get arrivals() {
      return now().arrivals;
    },
    get webhooks() {
      return now().webhooks;
    },
    act: (body) => now().perform(body, null),
    get: (viewer, target) => now().get(viewer, target),
    wait: (request, signal) => now().waits.wait(request, null, signal),
    coverage: () => now().coverage.view(now().engine.world, null),
    get runs() {
      return now().runs;
    },
    get fleet() {
      return now().fleet;
    },
    watches: () => now().announced.watches,
    onNotice: (listener) => lives.listen(listener),
    reset: async () => {
      const outcome = await lives.renew([]);
      if (isRejection(outcome)) return outcome;
      await outcome.finish();
      return null;
    },
    stop: () => lives.stop(),
  };
}
