/** The state of the fleet in the data folder, and the notifications that a restart sends to people whose fleet was not running. [decisions 9, a restart] */
import type { Instant } from '../../base/time/clock.ts';
import { formatInstant } from '../../base/time/instants.ts';
import type { AlertType } from '../../contract/enumerations.ts';
import { plural } from '../../contract/sentences.ts';
import {
  type Fleet,
  type FleetMemory,
  type FleetNotice,
  type FleetOptions,
  type FleetWatch,
  startFleet,
} from '../../fleet/fleet.ts';
import type { Plan } from '../../plant/plan.ts';
import { alertsOf } from '../../service/domain/alerts/alerts-of.ts';
import { pointOf } from '../../service/domain/privacy/places.ts';
import type { Telemetry } from '../../service/domain/world/documents.ts';
import type { World } from '../../service/domain/world/world.ts';
import type { Engine } from '../../service/engine/engine.ts';
import type { KeptTexts } from '../../service/store/sqlite/kept.ts';
import { FOLLOW_UPS_KEY, type FollowUpParts, FollowUps } from '../actions/follow-ups.ts';
import type { Secrets } from '../world/world-from-plan.ts';
import { fleetSites, fleetWatches } from './watches.ts';

/** The state that earlier starts persisted in the data folder, and the store for new state. */
export interface Kept {
  readonly texts: KeptTexts;
  readonly memory: FleetMemory;
  readonly followUps: string | undefined;
}

/** `onDemand`: true for a store in memory, where only snapshots need the state. */
export async function fleetMemory(texts: KeptTexts, onDemand: boolean): Promise<Kept> {
  const recalled = new Map(await texts.load());
  const followUps = recalled.get(FOLLOW_UPS_KEY);
  recalled.delete(FOLLOW_UPS_KEY);
  return { texts, memory: { recalled, onDemand, keep: (changes) => texts.keep(changes) }, followUps };
}

/** Creates the follow-ups, with those that background activity of an earlier start left. */
export const followUpsOf = ({
  kept,
  ...parts
}: Pick<FollowUpParts, 'clock' | 'act' | 'isFree'> & { readonly kept: Kept | null }): FollowUps =>
  new FollowUps({ ...parts, kept: kept?.texts ?? null, recalled: kept?.followUps });

interface OwnFleetParts {
  readonly engine: Engine;
  readonly plan: Plan;
  readonly secrets: Secrets;
  /** The address of the broker, and how to connect to it. */
  readonly toBroker: Pick<FleetOptions, 'brokerUrl' | 'connect'>;
  readonly seed: string;
  /** Null: nothing is persisted, and the fleet starts from the plan. */
  readonly kept: Kept | null;
  readonly onNotice: (notice: FleetNotice) => void;
}

/** Starts the sandbox's own fleet: in the state that the data folder has, or new. */
export async function startOwnFleet(parts: OwnFleetParts): Promise<Fleet> {
  const { engine, plan, secrets, toBroker, seed, kept, onNotice } = parts;
  const { clock, world } = engine;
  const planned = fleetWatches(plan, world, secrets);
  const fleet = startFleet({
    clock,
    ...toBroker,
    seed,
    sites: fleetSites(plan, world),
    watches: kept === null ? planned : whereLastSeen(planned, world),
    ...(kept === null ? {} : { memory: kept.memory }),
    activeMusters: new Set([...world.indexes.activeMusters()].map(({ id }) => id)),
    keyOf: (serial) => secrets.watch(serial),
    onNotice,
    onUnkept: ({ message }) => engine.notify({ kind: 'storage-full', at: formatInstant(clock.now()), detail: message }),
  });
  const rescued = await engine.read(() => rescuedOf(fleet, world));
  for (const { serial, type } of rescued) fleet.rescued(serial, type);
  return fleet;
}

/** People without readable stored state continue from the place where the service last saw them. */
function whereLastSeen(watches: readonly FleetWatch[], world: World): FleetWatch[] {
  return watches.map((watch) => {
    const device = world.get('device', world.indexes.deviceId(watch.serial) ?? '');
    const telemetry = device === undefined ? undefined : world.telemetry(device.id);
    if (device === undefined || telemetry?.fix == null) return watch;
    const { floor: _, ...rest } = watch;
    const floor = telemetry.fix.height?.floor ?? null;
    const at = pointOf(world.need('site', device.siteId), telemetry.fix);
    return { ...rest, at, worn: wornAs(telemetry, watch), ...(floor === null ? {} : { floor }) };
  });
}

// A watch that was stored as not worn while it was charging is worn again as planned.
function wornAs({ worn, charging }: Telemetry, watch: FleetWatch): FleetWatch['worn'] {
  if (worn === null) return 'unknown';
  return worn ? 'on' : charging ? watch.worn : 'off';
}

/**
 * Returns people whose alert was resolved in the last second before a kill: the service has stored the resolution, but
 * the fleet may not have.
 */
function rescuedOf(fleet: Fleet, world: World): { readonly serial: string; readonly type: AlertType }[] {
  return fleet.held().flatMap(({ serial, since }) => {
    const device = world.get('device', world.indexes.deviceId(serial) ?? '');
    if (device?.workerId == null) return [];
    const { organizationId, workerId } = device;
    const changed = alertsOf(world, { organizationId, workerIds: [workerId], modifiedSince: since });
    return changed.filter(({ resolved }) => resolvedAfter(resolved, since)).map(({ type }) => ({ serial, type }));
  });
}

const resolvedAfter = (resolved: { readonly at: Instant } | null, since: Instant): boolean =>
  resolved !== null && resolved.at >= since;

/**
 * Returns one sentence about the parts of the fleet's state that could not be read; empty if all parts were readable.
 */
export function unreadableWarning(fleet: Fleet): string[] {
  const unreadable = fleet.resumed?.unreadable ?? [];
  const [first] = unreadable;
  if (first === undefined) return [];
  return [
    `${plural(unreadable.length, 'part')} of what the emulated fleet kept cannot be read (${first}). ` +
      'Their workers continue at the last position that the service knows. Messages that their watches had not sent are lost.',
  ];
}
