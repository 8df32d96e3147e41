/** What lies under a sandbox: the plan, the data folder, its database; and of each life, the world with its clock. */

import { Outage } from '../../base/assert.ts';
import { hmacSecret } from '../../base/ids.ts';
import type { Stops } from '../../base/stops.ts';
import type { ChangedLimits } from '../../service/api/access/limits.ts';
import { Coverage } from '../../service/api/coverage/coverage.ts';
import type { ReplacedWorld } from '../../service/api/route.ts';
import type { Rejection } from '../../service/domain/changes.ts';
import { openAuthority } from '../../service/store/folder/authority.ts';
import { memoryFolder, openDataFolder } from '../../service/store/folder/data-folder.ts';
import type { Membership } from '../../service/store/nodes/membership.ts';
import { type OpenedStore, openStore } from '../../service/store/open-store.ts';
import type { StoredRow } from '../../service/store/state-rows.ts';
import { fleetMemory } from '../fleet/memory.ts';
import { certificateNames, isLoopback, LOOPBACK } from '../listeners/host-rule.ts';
import { enoughOpenFiles } from '../listeners/open-files.ts';
import type { SandboxOptions } from '../options/options.ts';
import { DEFAULT_DATA_DIR } from '../options/values.ts';
import { openWorld } from '../world/open-world.ts';
import { planOf, watchesOf } from '../world/plan-of.ts';
import type { NodeTime } from '../world/resumed-clock.ts';
import { secretsOf } from '../world/world-from-plan.ts';
import { StorageAlarm } from './storage-alarm.ts';

/** What a life may ask of the lives of the sandbox, `world/lives.ts`. */
export interface LifeControl {
  renew(rows: readonly StoredRow[]): Promise<ReplacedWorld | Rejection>;
  beginAgain(error: Error): void;
  suspend(why: string | null): void;
  notify(notice: { readonly kind: 'nodes-changed'; readonly detail: string }): void;
}

/** The ground of a sandbox outlasts a reset: the folder stays locked, and its database stays open. */
export async function openGround(options: SandboxOptions, stops: Stops) {
  const { seed, acceptLoss = false, memory = false, dataDir = DEFAULT_DATA_DIR, database, node } = options;
  const warnings: string[] = [];

  // What the machine or the options do not allow is refused before anything is written.
  refuseGuessableSecrets(options);
  const planned = planOf(options);
  // With the embedded broker, both ends of each connection are in this process, so no sockets are counted.
  if (options.fleet !== false) enoughOpenFiles(options.broker === undefined ? 0 : watchesOf(planned.plan));

  const opening = seed === undefined ? { acceptLoss } : { rootKey: hmacSecret(seed, 'root'), acceptLoss };
  const folder = await (memory ? memoryFolder(dataDir, opening) : openDataFolder(dataDir, opening));
  stops.add(() => folder.close());
  /** Null: http and mqtt without TLS. */
  const tls = options.tls === true ? await openAuthority(folder.path, { names: certificateNames(options) }) : null;

  const alarm = new StorageAlarm();
  const opened = await openStore(folder, {
    acceptLoss,
    database,
    node,
    isSeeded: seed !== undefined,
    onBroken: (error) => alarm.raise(error),
  });
  stops.add(() => opened.store.close());
  warnings.push(...folder.exposed);
  warnings.push(...opened.losses.map((loss) => `Lost, and accepted: ${loss}`));

  // The limits do not belong to a world: another world, or the same world after a reload, has them too.
  const limits: ChangedLimits = new Map();
  const secrets = secretsOf(opened.rootKey, options.credentials);
  // Of the process, also after a reset.
  const coverage = new Coverage();
  return { warnings, planned, folder, tls, alarm, opened, limits, secrets, coverage };
}

/** The ground, with the options of one life, and the sentences for its ready line. */
export type SandboxGround = Awaited<ReturnType<typeof openGround>> & { readonly options: SandboxOptions };

/** Loads or makes the world. */
export async function openState(ground: SandboxGround, lives: LifeControl, stops: Stops) {
  const { options, planned, folder, opened, secrets, warnings } = ground;
  const { memory, database, fleet, clock } = options;

  // Of two nodes that start at one time, one makes the world and the other finds it. Null: there is only one process.
  const membership = await joined(opened, lives);
  stops.add(() => membership?.leave());

  // A run in lock-step starts at the beginning of its scenario, so it persists no fleet state.
  const keeps = fleet !== false && clock?.mode !== 'lockstep';
  const fleetKept = keeps ? await fleetMemory(opened.store.kept, memory === true && database === undefined) : null;

  // The clock resumes from the latest time that the world or the fleet has seen, so both are read before.
  const nodes = await nodeTimeOf(membership);
  const stored = await openWorld(options, planned, folder, opened, secrets, fleetKept, nodes);
  // A clock of the caller is stopped by the caller.
  stops.add(() => clock ?? stored.clock.stop());
  await membership?.started();
  if (stored.stray !== null) warnings.push(stored.stray);
  return { membership, fleetKept, stored };
}

export type SandboxState = SandboxGround & Awaited<ReturnType<typeof openState>>;

async function joined({ store: { nodes } }: OpenedStore, lives: LifeControl): Promise<Membership | null> {
  if (nodes === null) return null;
  return nodes.join({
    onOutdated: (error) => lives.beginAgain(error),
    onUnsteady: (why) => lives.suspend(why),
    say: (detail) => lives.notify({ kind: 'nodes-changed', detail }),
  });
}

/**
 * Secrets that are derived from a known seed are not secret, so they must not be reachable from other machines.
 * [decisions 10]
 */
function refuseGuessableSecrets({ host = LOOPBACK, seed, credentials }: SandboxOptions): void {
  if (isLoopback(host) || seed === undefined || credentials !== undefined) return;
  throw new Outage({
    code: 'guessable_secrets',
    message: `--seed determines the secrets, so with --host ${host} anyone who knows the seed could access the sandbox.`,
    fix: 'Remove --seed, use a loopback address, or set the secrets with --credentials FILE.',
    exitCode: 2,
  });
}

/**
 * The shared time of all nodes, and whether this node is the first. The first node decides at which time the world
 * continues.
 */
async function nodeTimeOf(membership: Membership | null): Promise<NodeTime | null> {
  if (membership === null) return null;
  return { time: membership.time, isFirst: (await membership.nodes()).length === 1 };
}
