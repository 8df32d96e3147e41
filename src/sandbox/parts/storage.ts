/** The parts that open the stored state: the plan, the data folder, its database, and the world with its clock. */

import { Outage } from '../../base/assert.ts';
import { hmacSecret } from '../../base/ids.ts';
import type { ChangedLimits } from '../../service/api/access/limits.ts';
import { openAuthority } from '../../service/store/folder/authority.ts';
import { memoryFolder, openDataFolder } from '../../service/store/folder/data-folder.ts';
import type { Membership } from '../../service/store/nodes/membership.ts';
import { openStore } from '../../service/store/open-store.ts';
import { fleetMemory } from '../fleet/memory.ts';
import { certificateNames, isLoopback, LOOPBACK } from '../listeners/host-rule.ts';
import { enoughOpenFiles } from '../listeners/open-files.ts';
import type { SandboxOptions } from '../options/options.ts';
import { DEFAULT_DATA_DIR } from '../options/values.ts';
import { openWorld } from '../world/open-world.ts';
import { planOf, watchesOf } from '../world/plan-of.ts';
import type { NodeTime } from '../world/resumed-clock.ts';
import { secretsOf } from '../world/world-from-plan.ts';
import { part, type SandboxPart } from './parts.ts';
import { StorageAlarm } from './storage-alarm.ts';

/** These parts outlast a reset: the folder stays locked, and its database stays open. */
export const GROUND_PARTS: readonly SandboxPart[] = [
  part({
    name: 'planned',
    needs: ['options'],
    because: 'What the machine or the options do not allow is refused before anything is written.',
    start: ({ options }) => {
      refuseGuessableSecrets(options);
      const planned = planOf(options);
      // With the embedded broker, both ends of each connection are in this process, so no sockets are counted.
      if (options.fleet !== false) enoughOpenFiles(options.broker === undefined ? 0 : watchesOf(planned.plan));
      return planned;
    },
  }),
  part({
    name: 'folder',
    needs: ['options'],
    start: ({ options: { seed, acceptLoss = false, memory = false, dataDir = DEFAULT_DATA_DIR } }) => {
      const options = seed === undefined ? { acceptLoss } : { rootKey: hmacSecret(seed, 'root'), acceptLoss };
      return memory ? memoryFolder(dataDir, options) : openDataFolder(dataDir, options);
    },
    stop: (folder) => folder.close(),
  }),
  part({
    name: 'tls',
    needs: ['folder', 'options'],
    start: ({ folder, options }) =>
      options.tls === true ? openAuthority(folder.path, { names: certificateNames(options) }) : null,
  }),
  part({ name: 'alarm', needs: [], start: () => new StorageAlarm() }),
  part({
    name: 'limits',
    needs: [],
    because: 'They do not belong to a world: another world, or the same world after a reload, has them too.',
    start: (): ChangedLimits => new Map(),
  }),
  part({
    name: 'opened',
    needs: ['folder', 'options', 'alarm', 'warnings'],
    start: async ({ folder, options, alarm, warnings }) => {
      const acceptLoss = options.acceptLoss === true;
      const { database, seed, node } = options;
      const opened = await openStore(folder, {
        acceptLoss,
        database,
        node,
        isSeeded: seed !== undefined,
        onBroken: (error) => alarm.raise(error),
      });
      warnings.push(...folder.exposed);
      warnings.push(...opened.losses.map((loss) => `Lost, and accepted: ${loss}`));
      return opened;
    },
    stop: ({ store }) => store.close(),
  }),
  part({
    name: 'secrets',
    needs: ['opened', 'options'],
    start: ({ opened, options }) => secretsOf(opened.rootKey, options.credentials),
  }),
];

export const STORED_PARTS: readonly SandboxPart[] = [
  part({
    name: 'membership',
    needs: ['opened', 'lives'],
    because: 'Of two nodes that start at one time, one makes the world and the other finds it.',
    start: async ({ opened, lives }) => {
      const { nodes } = opened.store;
      if (nodes === null) return null;
      return nodes.join({
        onOutdated: (error) => lives.beginAgain(error),
        onUnsteady: (why) => lives.suspend(why),
        say: (detail) => lives.notify({ kind: 'nodes-changed', detail }),
      });
    },
    stop: (membership) => membership?.leave(),
  }),
  part({
    name: 'fleetKept',
    needs: ['opened', 'options'],
    start: ({ opened, options: { memory, database, fleet, clock } }) => {
      // A run in lock-step starts at the beginning of its scenario, so it persists no fleet state.
      const keeps = fleet !== false && clock?.mode !== 'lockstep';
      return keeps ? fleetMemory(opened.store.kept, memory === true && database === undefined) : null;
    },
  }),
  part({
    name: 'stored',
    needs: ['options', 'planned', 'folder', 'opened', 'secrets', 'fleetKept', 'membership', 'warnings'],
    because: 'The clock resumes from the latest time that the world or the fleet has seen, so both are read before.',
    start: async ({ options, planned, folder, opened, secrets, fleetKept, membership, warnings }) => {
      const nodes = await nodeTimeOf(membership);
      const world = await openWorld(options, planned, folder, opened, secrets, fleetKept, nodes);
      await membership?.started();
      if (world.stray !== null) warnings.push(world.stray);
      return world;
    },
    // A clock of the caller is stopped by the caller.
    stop: ({ clock }, { options }) => options.clock ?? clock.stop(),
  }),
];

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
