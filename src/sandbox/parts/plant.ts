/** What acts in the plant: the fleet, background activity, ground truth, and the running scenarios. */
import { asError } from '../../base/assert.ts';
import type { Stops } from '../../base/stops.ts';
import { CLI } from '../../base/text/command-form.ts';
import type { ActionBody } from '../../contract/actions.ts';
import type { Fleet, FleetNotice } from '../../fleet/fleet.ts';
import { act } from '../actions/act.ts';
import { atWork, startAmbient } from '../actions/ambient.ts';
import { followUpsOf, startOwnFleet, unreadableWarning } from '../fleet/memory.ts';
import { reportWatch, toBroker } from '../fleet/watches.ts';
import { readyData, readyLineOf, readyWatches } from '../ready.ts';
import { writeTruth } from '../truth.ts';
import { writeWatchList } from '../watch-list.ts';
import type { SandboxControl } from './control.ts';

const refusedWarning = (url: string, { serial, why }: FleetNotice): string =>
  `The broker at ${url} does not let the watch ${serial} in (${why}). Give it the watches' keys: ${CLI} env --format ` +
  'mosquitto-passwords and mosquitto-acl write the files of Mosquitto, see docs/scaling-out.md. The watches try again by themselves.';

export async function startPlant(control: SandboxControl, stops: Stops) {
  const { options, engine, runs, opened, warnings } = control;
  // It stops together with the webhooks: deliveries settle while the watches disconnect. Null with `fleet: false`.
  const fleet = options.fleet === false ? null : await connected(control);
  if (fleet !== null) stops.add(background(control, fleet));
  const { truth: file, seed = null } = options;
  if (fleet !== null && file !== undefined) {
    const onFailed = (error: Error) => options.onTruthFailed?.(error);
    stops.add(writeTruth({ file, clock: engine.clock, fleet, seed, onFailed }));
  }
  // Scenarios use everything else, so they end before any of it stops.
  stops.add(() => runs.stop());

  // Whatever refuses a start has done so by now, and the sandbox is not announced yet.
  const kept = await opened.settle();
  if (kept !== null) warnings.push(`The database of an older version was upgraded; the old one is kept in ${kept}.`);
  // Other commands find the sandbox by its file, so it answers by then.
  const announced = announce(control, fleet);
  stops.add(announced.remove);
  return { fleet, announced };
}

/** The fleet, once its watches are connected. */
async function connected(control: SandboxControl): Promise<Fleet> {
  const { warnings, engine, planned, secrets, addresses, listeners, stored, fleetKept, fleets } = control;
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
}

/** Starts the background activity, and returns what stops it. */
function background({ options, engine, acting, stored, fleetKept }: SandboxControl, fleet: Fleet): () => void {
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
}

/** The description of a running sandbox, and the files that contain it. [cli, ready] */
function announce(control: SandboxControl, fleet: Fleet | null) {
  const { engine, secrets, addresses, folder, tls, warnings } = control;
  const { apiUrl, mqttUrl } = addresses;
  const running = {
    apiUrl,
    mqttUrl,
    dataDir: folder.path,
    caFile: tls?.caFile ?? null,
    pid: process.pid,
    fleet: fleet !== null,
  };
  const ready = readyData(engine.world, secrets, running);
  /** All watches, also those that the ready line omits. */
  const watches = readyWatches(engine.world, secrets, running.fleet);
  /** The first line of `up --json`, which is also the content of sandbox.json. */
  const readyLine = readyLineOf(ready, warnings);
  folder.writeSandboxFile(readyLine);
  /** Removes the file with the watches that the ready line omits. */
  const remove = watches.length > ready.watches.length ? writeWatchList(folder.path, watches) : () => {};
  return { ready, readyLine, watches, remove };
}
