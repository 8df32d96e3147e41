/** Emulated watches alone, against a remote broker: the people and plants of the plan, with given keys. [cli, fleet] */

import { Outage } from '../../base/assert.ts';
import { hmacSecret } from '../../base/ids.ts';
import { CLI } from '../../base/text/command-form.ts';
import type { Clock, Instant } from '../../base/time/clock.ts';
import { realClock, scaledClock } from '../../base/time/clocks.ts';
import type { ReadyWatch } from '../../contract/banner.ts';
import { type Fleet, type FleetNotice, type FleetWatch, startFleet } from '../../fleet/fleet.ts';
import type { FleetOptions } from '../../fleet/fleet-port.ts';
import { World } from '../../service/domain/world/world.ts';
import { brokerFix } from '../listeners/broker-fixes.ts';
import { enoughOpenFiles } from '../listeners/open-files.ts';
import type { SandboxOptions } from '../options/options.ts';
import { planOf } from '../world/plan-of.ts';
import { documentsOf, secretsOf } from '../world/world-from-plan.ts';
import { fleetSites, fleetWatches } from './watches.ts';

/** A part of the fleet: number `part` (from 1) of `of` parts. */
interface Shard {
  readonly part: number;
  readonly of: number;
}

export interface LoneFleetOptions
  extends Pick<SandboxOptions, 'seed' | 'site' | 'speed' | 'start'>,
    Pick<FleetOptions, 'brokerUrl' | 'brokerTls' | 'mqttVersion' | 'onNotice'> {
  /** The watches of the sandbox that uses the broker; null: the watches are derived from the seed. */
  readonly listed: readonly ListedWatch[] | null;
  /** Number of watches before sharding. With a seed, the number of watches of its whole world, as in `up --watches`. */
  readonly watches?: number;
  readonly shard?: Shard;
}

type ListedWatch = Pick<ReadyWatch, 'serial' | 'key' | 'site_id' | 'emulated'>;

export interface LoneFleet {
  readonly clock: Clock;
  readonly fleet: Fleet;
  readonly watches: number;
  /** Every watch publishes that it goes offline and disconnects; then the clock stops. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Resolves when every watch is connected and acknowledged. Throws `Outage` if there is nothing to emulate, or if the
 * broker cannot be reached or refuses a watch before all are connected; watches that were connected are disconnected
 * first.
 */
export async function startLoneFleet(options: LoneFleetOptions): Promise<LoneFleet> {
  const { brokerUrl, brokerTls, mqttVersion, seed, speed = 1, start } = options;
  const from: { start?: Instant } = start === undefined ? {} : { start };
  const clock = speed === 1 ? realClock(from) : scaledClock({ speed, ...from });
  const { watches, sites } = crewOf(options, clock);
  enoughOpenFiles(watches.length);
  let failed: (outage: Outage) => void = () => {};
  const trouble = new Promise<never>((_, reject) => {
    failed = reject;
  });
  let started = false;
  let anybody = false;
  const onNotice = (notice: FleetNotice): void => {
    anybody ||= fleet.views().some(({ connected }) => connected);
    if (started || notice.kind !== 'link-failed') options.onNotice?.(notice);
    else if (notice.refused === true) failed(refused(brokerUrl, notice));
    else if (!anybody) failed(unreachable(brokerUrl, notice));
    else options.onNotice?.(notice);
  };
  clock.contain((error, actor) => onNotice({ kind: 'watch-failed', serial: actor, why: error.message, error }));
  const fleet = startFleet({
    clock,
    brokerUrl,
    seed: seed ?? 'lone fleet',
    watches,
    sites,
    onNotice,
    ...(brokerTls === undefined ? {} : { brokerTls }),
    ...(mqttVersion === undefined ? {} : { mqttVersion }),
  });
  const stop = async () => {
    await fleet.stop();
    clock.stop();
  };
  clock.start();
  try {
    await Promise.race([fleet.ready(), trouble]);
  } catch (error) {
    await stop();
    throw error;
  }
  started = true;
  return { clock, fleet, watches: watches.length, stop };
}

/** Selects the watches that the fleet emulates: those that `up` would emulate, with the given keys. */
function crewOf(options: LoneFleetOptions, clock: Clock) {
  const { listed, shard = { part: 1, of: 1 } } = options;
  // The world of a list has as many watches as the list; without a list it has the requested number.
  const total = listed === null ? options.watches : listed.length;
  const { seed, site } = options;
  const { plan, worldSeed } = planOf({
    ...(total === undefined ? {} : { watches: total }),
    ...(seed === undefined ? {} : { seed }),
    ...(site === undefined ? {} : { site }),
  });
  const keys = new Map(listed?.map(({ serial, key }) => [serial, key]));
  const rootKey = hmacSecret(seed ?? '', 'root');
  const secrets = secretsOf(rootKey, { watches: Object.fromEntries(keys) });
  const world = new World();
  for (const { kind, document } of documentsOf(plan, worldSeed, secrets, clock.now())) world.load(kind, document);
  const planned = fleetWatches(plan, world, secrets);
  if (listed !== null) samePlan(listed, world);
  const free = new Set(listed?.filter(({ emulated }) => !emulated).map(({ serial }) => serial));
  const own = listed === null ? planned : planned.filter(({ serial }) => free.has(serial));
  if (own.length === 0) throw nobodyFree();
  const wanted = listed === null ? own : spread(own, options.watches ?? own.length);
  const chosen = wanted.filter((_, i) => i % shard.of === shard.part - 1);
  if (chosen.length === 0) throw emptyShard(shard, wanted.length);
  // Higher than the session numbers of an earlier fleet, because this fleet does not store them.
  const lastSession = Math.floor(clock.wall() / 1_000);
  return { watches: chosen.map((watch) => ({ ...watch, lastSession })), sites: fleetSites(plan, world) };
}

/** Takes `count` watches evenly from all sites. */
function spread(watches: readonly FleetWatch[], count: number): FleetWatch[] {
  if (count > watches.length)
    throw new Outage({
      code: 'too_few_watches',
      message: `--watches ${count} is more than the ${watches.length} watches that there are to emulate.`,
      fix: `Use at most ${watches.length} watches, or start the sandbox with more: ${CLI} up --no-fleet --watches N.`,
      exitCode: 2,
    });
  return Array.from({ length: count }, (_, i) => watches[Math.floor((i * watches.length) / count)] as FleetWatch);
}

/** Refuses watches that are not in the plan: the plan draws the sites, so it must be the plan of the sandbox. */
function samePlan(listed: readonly ListedWatch[], world: World): void {
  const stranger = listed.find(({ serial, site_id }) => {
    const id = world.indexes.deviceId(serial);
    return id === undefined || world.need('device', id).siteId !== site_id;
  });
  if (stranger === undefined) return;
  throw new Outage({
    code: 'other_world',
    message: `The watch ${stranger.serial} of site ${stranger.site_id} is not in the world of these options.`,
    fix: `Give the --seed and --site that the sandbox was started with, and all of its watches: ${CLI} env --format json > watches.json`,
    exitCode: 2,
  });
}

const nobodyFree = (): Outage =>
  new Outage({
    code: 'no_free_watch',
    message: 'The sandbox emulates all its watches itself, so none is left for this fleet.',
    fix: `Start it without them: ${CLI} up --no-fleet`,
  });

const emptyShard = ({ part, of }: Shard, watches: number): Outage =>
  new Outage({
    code: 'empty_shard',
    message: `--shard ${part}/${of} has no watch: there are ${watches} to share.`,
    fix: `Use at most ${watches} processes.`,
    exitCode: 2,
  });

const unreachable = (brokerUrl: string, { why, code = '' }: FleetNotice): Outage =>
  new Outage({
    code: 'broker_unreachable',
    message: `No watch could connect to the broker at ${brokerUrl}: ${why}.`,
    fix: brokerFix(code, '--ca FILE') ?? `Is it running, and is this its address? ${speaks(brokerUrl)}`,
    exitCode: 3,
  });

/** Describes which protocol the broker must speak at this address; most brokers have a port for each protocol. */
function speaks(brokerUrl: string): string {
  const { protocol } = new URL(brokerUrl);
  if (protocol === 'mqtt:')
    return `${CLI} env prints the address of a running sandbox. A port with TLS needs mqtts://.`;
  if (protocol === 'mqtts:') return 'Its port must speak MQTT over TLS.';
  return `Its port must speak MQTT over WebSockets${protocol === 'wss:' ? ' with TLS' : ''}, and the path must be the broker's.`;
}

const refused = (brokerUrl: string, { serial, why, code }: FleetNotice): Outage =>
  new Outage({
    code: 'watch_refused',
    message: `The broker at ${brokerUrl} refused the watch ${serial}: ${why}.`,
    fix:
      code === 'MQTT_VERSION'
        ? 'Try the other version: --mqtt-version 4 is MQTT 3.1.1, which the broker of a sandbox speaks; 5 is MQTT 5.'
        : `Give the keys of that sandbox: --credentials FILE with what its "${CLI} env --format json" wrote, or the --seed it was started with.`,
    exitCode: 3,
  });
