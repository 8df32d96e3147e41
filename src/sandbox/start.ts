/** The composition root: wires the parts, starts them in order, stops them in reverse order. */
import { join } from 'node:path';
import { ApiFaults } from '../api/faults.ts';
import { RateLimiter } from '../api/limits.ts';
import type { ActionOutcome, AskedWait, FoundByWait } from '../api/parts.ts';
import { type Api, startApi } from '../api/server.ts';
import { Eye } from '../api/stream/eye.ts';
import { asError, Outage } from '../base/assert.ts';
import type { Clock } from '../base/clock.ts';
import { hmacSecret, idFrom, randomSecret } from '../base/ids.ts';
import { type Broker, startBroker } from '../broker/broker.ts';
import type { ActionBody } from '../contract/actions.ts';
import type { Ready, ReadyLine, ReadyWatch } from '../contract/banner.ts';
import { DEFAULT_ASSUMPTIONS } from '../contract/gaps.ts';
import type { Notice } from '../contract/notices.ts';
import type { TokenViewer } from '../domain/access/viewer.ts';
import type { Rejection } from '../domain/rejection.ts';
import type { Delivery } from '../domain/world/documents.ts';
import { followDeliveries } from '../engine/delivery-totals.ts';
import { Engine } from '../engine/engine.ts';
import { EventLog } from '../engine/event-log.ts';
import { StorageBroken, StorageFull, type Store } from '../engine/store-port.ts';
import { WatchLog } from '../engine/watch-log.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { panelPages } from '../panel/pages.ts';
import { type DataFolder, memoryFolder, openDataFolder } from '../store/data-folder.ts';
import { failureLog } from '../store/failure-log.ts';
import { openStore } from '../store/open-store.ts';
import { judgeDestination, systemResolver } from '../webhooks/resolver.ts';
import { startWebhooks, type Webhooks } from '../webhooks/webhooks.ts';
import { type Acting, act } from './act.ts';
import { startAmbient } from './ambient.ts';
import { fleetMemory, followUpsOf, startOwnFleet, unreadableWarning } from './fleet-memory.ts';
import { reportWatch } from './fleet-watches.ts';
import { hostRule, isGuessable, isLoopback } from './host-rule.ts';
import { asMade } from './made-with.ts';
import { Mailbox } from './mailbox.ts';
import { enoughOpenFiles } from './open-files.ts';
import { openWorld } from './open-world.ts';
import type { SandboxOptions } from './options.ts';
import { planOf, watchesOf } from './plan-of.ts';
import { listenOn } from './ports.ts';
import { readyData, readyLineOf, readyWatches } from './ready.ts';
import { Recorder } from './recording/recorder.ts';
import { followRescues } from './rescue.ts';
import { endGuestsLeft } from './runs/before.ts';
import { Fleets } from './runs/fleets.ts';
import { Runs } from './runs/runs.ts';
import { storyFolders } from './runs/story-folders.ts';
import { Waits } from './runs/waits.ts';
import { looksInto } from './stage-looks.ts';
import { personTruths, writeTruth } from './truth.ts';
import { writeWatchList } from './watch-list.ts';
import { firstCredentials, secretsOf } from './world-from-plan.ts';

const API_PORT = 4600;
const MQTT_PORT = 1883;
const LOOPBACK = '127.0.0.1';

/** Deliveries in flight get this long to settle at a stop; milliseconds of wall time. */
const GRACE_MS = 1_000;

/** A sandbox that answers, accepts watches and has its fleet connected. */
export interface Sandbox {
  readonly ready: Ready;
  /** What `up --json` prints first, and what stands in sandbox.json. */
  readonly readyLine: ReadyLine;
  /** Nothing is kept on disk. */
  readonly memory: boolean;
  readonly warnings: readonly string[];
  readonly clock: Clock;
  readonly engine: Engine;
  readonly store: Store;
  /** The limits of each client. [spec 8] */
  readonly limiter: RateLimiter;
  readonly webhooks: Webhooks;
  /** Does an action of the catalogue, as the control token may. [decisions 9] */
  act(body: ActionBody): Promise<ActionOutcome>;
  /** What a client of this viewer would get from the API now. */
  readonly get: Api['get'];
  /** Waits until something is so, as the control token may. [decisions 9] */
  wait(asked: AskedWait): Promise<FoundByWait | Rejection>;
  /** Stories that play in it. */
  readonly runs: Runs;
  /** Null with `fleet: false`. */
  readonly fleet: Fleet | null;
  /** All watches, also beyond those that the ready line lists. */
  watches(): ReadyWatch[];
  onNotice(listener: (notice: Notice) => void): () => void;
  /** Watches say goodbye, deliveries in flight settle or stay pending, state is on disk. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Boots API, broker, fleet and deliveries. Resolves when the API answers, the broker accepts and the fleet's watches
 * are connected. Throws `Outage` with a cure where the environment does not allow it; what was started is stopped.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const stops: (() => Promise<void> | void)[] = [];
  const stop = async () => {
    // The reverse of the order of starting: whoever uses a part ends before it.
    for (let one = stops.pop(); one !== undefined; one = stops.pop()) await one();
  };
  try {
    return await start(options, stops, stop);
  } catch (error) {
    await stop();
    throw storageOutage(error);
  }
}

/** A disk that fails during the boot is the environment's trouble, not a bug of ours. */
function storageOutage(error: unknown): unknown {
  if (!(error instanceof StorageFull) && !(error instanceof StorageBroken)) return error;
  const cure =
    error instanceof StorageFull
      ? 'Make room on the disk, or close whatever holds the database; then start again.'
      : 'Check the disk and the data folder; what was acknowledged before is kept. Or give another folder with --data-dir.';
  return new Outage({ code: 'storage_failed', message: error.message, cure, cause: error });
}

type Stops = (() => Promise<void> | void)[];

async function start(given: SandboxOptions, stops: Stops, stop: () => Promise<void>): Promise<Sandbox> {
  const { host = LOOPBACK, memory = false, dataDir = '.sandbox' } = given;
  const options = asMade(given, dataDir);
  refuseGuessableSecrets(options, host);
  const warnings: string[] = [];
  const asked = planOf(options);
  if (options.fleet !== false) enoughOpenFiles(watchesOf(asked.plan), 2);
  const folder = openFolder(options, memory, dataDir);
  stops.push(() => folder.close());
  // A change of the folder may be found before there is an engine to stop.
  const storage: { broken: Error | null; fail: (error: Error) => void } = {
    broken: null,
    fail: (error) => {
      storage.broken = error;
    },
  };
  const opened = await openStore(folder, {
    acceptLoss: options.acceptLoss === true,
    onBroken: (error) => storage.fail(error),
  });
  const { store } = opened;
  stops.push(() => store.close());
  warnings.push(...opened.losses.map((loss) => `Lost, and accepted: ${loss}`));
  const secrets = secretsOf(folder.rootKey, options.credentials);
  // A run in lock-step begins where its story does.
  const keeps = !memory && options.fleet !== false && options.clock?.mode !== 'lockstep';
  const fleetKept = keeps ? await fleetMemory(store.kept) : null;
  const { world, meta, clock } = await openWorld(options, asked, folder, opened, secrets, fleetKept);
  if (options.clock === undefined) stops.push(() => clock.stop());

  let publicUrl = options.publicUrl?.replace(/\/+$/, '') ?? '';
  const baseUrl = () => publicUrl;
  let apiUrl = '';
  let mqttUrl = '';
  const assumptions = { ...DEFAULT_ASSUMPTIONS, ...options.assumptions };
  const addresses = {
    get panelUrl() {
      return `${publicUrl}/panel`;
    },
  };
  const engine = new Engine({
    clock,
    store,
    world,
    salt: meta.salt,
    assumptions,
    addresses,
    onBroken: (error) => options.onBroken?.(error),
    ...(folder.kept ? { recordFailure: failureLog(folder.path) } : {}),
  });
  stops.push(() => engine.stop());
  storage.fail = (error) => engine.fail(error);
  if (storage.broken !== null) engine.fail(storage.broken);
  clock.contain((error, actor) => engine.failures.report({ part: 'task', what: actor, error }));
  if (options.onNotice !== undefined) engine.listen({ notice: options.onNotice });
  const watchLog = new WatchLog();
  engine.listen({ notice: (notice) => watchLog.take(notice) });
  const eventLog = new EventLog();
  engine.listen({ notice: (notice) => eventLog.take(notice) });
  const deliveries = await followDeliveries(engine, store);

  let fleet: Fleet | null = null;
  // With a seed they follow from it, as all secrets do, so that equal runs are equal. [decisions 10]
  let made = 0;
  const webhookSecret = () =>
    options.seed === undefined ? randomSecret(32) : hmacSecret(folder.rootKey, 'webhook', clock.now(), ++made);
  const forwards = new Map([...(options.forwards ?? [])].map(([name, url]) => [name.toLowerCase(), new URL(url)]));
  const resolve = systemResolver(clock);
  const limiter = new RateLimiter();
  const faults = new ApiFaults(clock, meta.salt);
  const mailbox = new Mailbox({ engine, folder: memory ? null : join(folder.path, 'mail') });
  stops.push(() => mailbox.stop());
  const doors: { broker: Broker | null; webhooks: Webhooks | null } = { broker: null, webhooks: null };
  const fleets = new Fleets();
  followRescues(engine, fleets);
  const waits = new Waits({
    engine,
    addresses,
    lookOf: (viewer) => looksInto({ engine, fleet: fleets, get: api.get }, viewer),
  });
  stops.push(() => waits.stop());
  const acting: Acting = {
    engine,
    limiter,
    faults,
    doors,
    assumptions,
    fleet: fleets,
    watchKey: (serial: string) => secrets.watch(serial),
  };
  const recorder = new Recorder({ engine, addresses, fleets, plan: asked.plan, newId: () => newId('recording') });
  stops.push(() => recorder.stop());
  let told = 0;
  const newId = (kind: string) => idFrom(meta.salt, kind, clock.now(), ++told);
  const runs = new Runs({
    house: {
      ...{ engine, addresses, secrets, forwards, fleets, controlToken: secrets.control() },
      apiUrl: () => apiUrl,
      mqttUrl: () => mqttUrl,
      webhooks: () => doors.webhooks,
      acting: () => acting,
      get: (viewer, target) => api.get(viewer, target),
    },
    folders: storyFolders(),
    newId: () => newId('run'),
    began: (organizationId) => waits.began(organizationId),
  });
  const perform = async (body: ActionBody, viewer: TokenViewer | null) => {
    const [done, taken] = [waits.begin(viewer), recorder.acting(body, viewer)];
    const outcome = await act(acting, body, viewer);
    done(outcome);
    taken(outcome);
    return outcome;
  };
  // With a panel user's eyes: all companies, with names, and no more than the veil lets through. [decisions 4]
  const unseen = (what: string, error: Error) => engine.failures.report({ part: 'stream', what, error });
  const eye = new Eye(world, addresses, () => ({ viewer: null, scopes: [] }), { deliveries, failed: unseen });
  const isOwnHost = hostRule(host, options.publicUrl);
  let boundPort = 0;
  const api = await listenOn<Api>(
    { name: 'API', flag: '--port', asked: options.port, standard: API_PORT, host },
    (port) =>
      startApi(
        {
          engine,
          store,
          clock,
          settle: async () => void (await Promise.all([engine.flush(), fleets.keep()])),
          baseUrl,
          mqttUrl: () => mqttUrl,
          controlToken: secrets.control(),
          cursorKey: secrets.cursor(),
          judgeDestination: (url) => judgeDestination(url, { resolve, forwards }),
          act: perform,
          stories: runs.forClients(),
          recordings: recorder,
          updating: (alertId, update, viewer) => recorder.updating(alertId, update, viewer),
          wait: (body, viewer, gone) => waits.wait(body, viewer, gone),
          assumptions,
          mail: (limit, organizationId) => mailbox.newest(limit, organizationId),
          watchLog,
          eventLog,
          deliveries,
          truth: () => personTruths(world, fleets),
          faults,
          newSecret: () => `whsec_${webhookSecret()}`,
          isOwnHost,
          ownHostOnly: isLoopback(host) && isGuessable(options),
          pages: [
            panelPages({
              port: () => boundPort,
              ...{ engine, store, clock, baseUrl },
              controlToken: secrets.control(),
              hostAllowed: isOwnHost,
              snapshot: () => eye.snapshot(clock),
              act: (body) => perform(body, null),
              stories: runs.forClients(),
              credentials: () => firstCredentials(world, secrets),
            }),
          ],
        },
        { host, port },
        limiter,
      ),
    (listening) => listening.port,
    warnings,
  );
  stops.push(() => api.stop());
  boundPort = api.port;
  apiUrl = `http://${urlHost(host)}:${api.port}`;
  if (publicUrl === '') publicUrl = apiUrl;

  const broker = await listenOn<Broker>(
    { name: 'MQTT', flag: '--mqtt-port', asked: options.mqttPort, standard: MQTT_PORT, host },
    (port) =>
      startBroker({
        engine,
        clock,
        host,
        port,
        isFleetPort: (local) => fleets.ownsPort(local),
        // Whoever takes an emulated watch's serial over gets it: the fleet yields until a reset. [cli, ready]
        onTakeOver: (serial) => fleets.yieldWatch(serial),
      }),
    (listening) => listening.port,
    warnings,
  );
  stops.push(() => broker.stop());
  doors.broker = broker;
  const onLost = (delivery: Delivery) => mailbox.lost(delivery);
  const webhooks = startWebhooks({ engine, store, clock, resolve, forwards, onLost, seed: meta.salt });
  doors.webhooks = webhooks;
  stops.push(async () => {
    // What was heard last is on disk first; then what is in flight settles while the watches say goodbye.
    await engine.flush();
    await Promise.all([webhooks.stop(GRACE_MS), fleet?.stop()]);
  });
  await endGuestsLeft(engine, acting);
  engine.start();
  if (options.clock === undefined) clock.start();

  mqttUrl = `mqtt://${urlHost(host)}:${broker.port}`;
  if (options.fleet !== false) {
    const { plan } = asked;
    fleet = startOwnFleet({
      ...{ engine, plan, secrets, mqttUrl, seed: meta.salt },
      kept: fleetKept,
      onNotice: (notice) => reportWatch(engine, notice),
    });
    fleets.own = fleet;
    warnings.push(...unreadableWarning(fleet));
    await fleet.ready();
    const asControl = (body: ActionBody) =>
      act(acting, body, null).catch((error) => {
        engine.failures.report({ part: 'task', what: `ambient ${body.action}`, error: asError(error) });
      });
    const followUps = followUpsOf({ clock, act: asControl, kept: fleetKept });
    stops.push(() => followUps.stop());
    if (options.ambient !== undefined) {
      const mood = options.ambient;
      stops.push(startAmbient({ clock, world, fleet, seed: meta.salt, mood, act: asControl, followUps }));
    }
    if (options.truth !== undefined) {
      const onFailed = (error: Error) => options.onTruthFailed?.(error);
      stops.push(writeTruth({ file: options.truth, clock, fleet, seed: options.seed ?? null, onFailed }));
    }
  }
  // Before everything that they use.
  stops.push(() => runs.stop());
  const ready = readyData(world, secrets, {
    apiUrl,
    mqttUrl,
    dataDir: folder.path,
    pid: process.pid,
    fleet: fleet !== null,
  });
  const watches = readyWatches(world, secrets, fleet !== null);
  const readyLine = readyLineOf(ready, warnings);
  folder.writeSandboxFile(readyLine);
  if (watches.length > ready.watches.length) stops.push(writeWatchList(folder.path, watches));
  return {
    ready,
    readyLine,
    memory,
    warnings,
    clock,
    engine,
    store,
    limiter,
    webhooks,
    act: (body) => perform(body, null),
    get: api.get,
    wait: (asked) => waits.wait(asked, null, new AbortController().signal),
    runs,
    fleet,
    watches: () => watches,
    onNotice: (listener) => engine.listen({ notice: listener }),
    stop,
  };
}

/** Secrets that follow from a seed are no secrets, so they never leave this machine. [decisions 10] */
function refuseGuessableSecrets({ seed, credentials }: SandboxOptions, host: string): void {
  if (isLoopback(host) || seed === undefined || credentials !== undefined) return;
  throw new Outage({
    code: 'guessable_secrets',
    message: `With --seed the secrets follow from the seed, so --host ${host} would open the sandbox to anybody who knows it.`,
    cure: 'Leave out --seed, stay on a loopback address, or set the secrets with --credentials FILE.',
    exitCode: 2,
  });
}

function openFolder({ seed, acceptLoss = false }: SandboxOptions, memory: boolean, dataDir: string): DataFolder {
  const options = seed === undefined ? { acceptLoss } : { rootKey: hmacSecret(seed, 'root'), acceptLoss };
  return memory ? memoryFolder(dataDir, options) : openDataFolder(dataDir, options);
}

const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);
