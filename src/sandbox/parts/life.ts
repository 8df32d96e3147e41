/** The parts that act in the plant: the fleet, background activity, ground truth, and the running scenarios. */
import { asError } from '../../base/assert.ts';
import { CLI } from '../../base/text/command-form.ts';
import type { ActionBody } from '../../contract/actions.ts';
import type { FleetNotice } from '../../fleet/fleet.ts';
import { act } from '../actions/act.ts';
import { atWork, startAmbient } from '../actions/ambient.ts';
import { followUpsOf, startOwnFleet, unreadableWarning } from '../fleet/memory.ts';
import { reportWatch, toBroker } from '../fleet/watches.ts';
import { readyData, readyLineOf, readyWatches } from '../ready.ts';
import { writeTruth } from '../truth.ts';
import { writeWatchList } from '../watch-list.ts';
import { part, type SandboxPart } from './parts.ts';

const refusedWarning = (url: string, { serial, why }: FleetNotice): string =>
  `The broker at ${url} does not let the watch ${serial} in (${why}). Give it the watches' keys: ${CLI} env --format ` +
  'mosquitto-passwords and mosquitto-acl write the files of Mosquitto, see docs/scaling-out.md. The watches try again by themselves.';

export const LIFE_PARTS: readonly SandboxPart[] = [
  part({
    name: 'fleet',
    needs: [
      'options',
      'warnings',
      'engine',
      'planned',
      'secrets',
      'addresses',
      'listeners',
      'stored',
      'fleetKept',
      'fleets',
    ],
    // The fleet stops together with the webhooks: deliveries settle while the watches disconnect.
    start: async ({ options, warnings, engine, planned, secrets, addresses, listeners, stored, fleetKept, fleets }) => {
      if (options.fleet === false) return null;
      let onRefused: (notice: FleetNotice) => void = () => {};
      const refused = new Promise<FleetNotice>((resolve) => {
        onRefused = resolve;
      });
      const fleet = await startOwnFleet({
        engine,
        plan: planned.plan,
        secrets,
        seed: stored.meta.salt,
        kept: fleetKept,
        toBroker: toBroker(addresses.mqttUrl, listeners.broker),
        onNotice: (notice) => {
          reportWatch(engine, notice);
          if (notice.refused === true) onRefused(notice);
        },
      });
      fleets.own = fleet;
      warnings.push(...unreadableWarning(fleet));
      // An external broker may not know the watches yet, because their keys are known only when the sandbox runs. So a
      // refusal is a warning.
      const notice = await Promise.race([fleet.ready(), refused]);
      if (notice !== undefined) warnings.push(refusedWarning(addresses.mqttUrl, notice));
      return fleet;
    },
  }),
  part({
    name: 'ambient',
    needs: ['options', 'engine', 'acting', 'stored', 'fleet', 'fleetKept'],
    start: ({ options, engine, acting, stored, fleet, fleetKept }) => {
      if (fleet === null) return () => {};
      const { clock, world } = engine;
      const asControl = (body: ActionBody) =>
        act({ ...acting, isBackground: true }, body, null).catch((error) => {
          engine.failures.report({ part: 'task', what: `ambient ${body.action}`, error: asError(error) });
        });
      // Needed also without --ambient: effects that an earlier start began must still end.
      const isFree = (workerId: string) => {
        const worker = world.get('worker', workerId);
        return worker !== undefined && atWork(world, fleet)(worker);
      };
      const followUps = followUpsOf({ clock, act: asControl, isFree, kept: fleetKept });
      const { ambient: mood } = options;
      const end =
        mood === undefined
          ? () => {}
          : startAmbient({ clock, world, fleet, seed: stored.meta.salt, mood, act: asControl, followUps });
      return () => {
        end();
        followUps.stop();
      };
    },
    stop: (end) => end(),
  }),
  part({
    name: 'truth',
    needs: ['options', 'engine', 'fleet'],
    start: ({ options, engine, fleet }) => {
      const { truth: file, seed = null } = options;
      if (fleet === null || file === undefined) return () => {};
      const onFailed = (error: Error) => options.onTruthFailed?.(error);
      return writeTruth({ file, clock: engine.clock, fleet, seed, onFailed });
    },
    stop: (end) => end(),
  }),
  part({
    name: 'scenarios',
    needs: ['runs'],
    because: 'Scenarios use every part, so they end before any of them stops.',
    start: ({ runs }) => runs,
    stop: (runs) => runs.stop(),
  }),
  part({
    name: 'settled',
    needs: ['opened', 'warnings', 'fleet', 'ambient', 'truth'],
    because: 'Whatever refuses a start has done so by now, and the sandbox is not announced yet.',
    start: async ({ opened, warnings }) => {
      const kept = await opened.settle();
      if (kept !== null)
        warnings.push(`The database of an older version was upgraded; the old one is kept in ${kept}.`);
      return true as const;
    },
  }),
  part({
    name: 'announced',
    needs: ['engine', 'secrets', 'addresses', 'folder', 'tls', 'fleet', 'warnings', 'settled'],
    because: 'Other commands find the sandbox by its file, so it answers by then.',
    start: ({ engine, secrets, addresses: { apiUrl, mqttUrl }, folder, tls, fleet, warnings }) => {
      const running = {
        apiUrl,
        mqttUrl,
        dataDir: folder.path,
        caFile: tls?.caFile ?? null,
        pid: process.pid,
        fleet: fleet !== null,
      };
      const ready = readyData(engine.world, secrets, running);
      const watches = readyWatches(engine.world, secrets, running.fleet);
      const readyLine = readyLineOf(ready, warnings);
      folder.writeSandboxFile(readyLine);
      const remove = watches.length > ready.watches.length ? writeWatchList(folder.path, watches) : () => {};
      return { ready, readyLine, watches, remove };
    },
    stop: ({ remove }) => remove(),
  }),
];
