/** The watches that the fleet emulates and the sites that their wearers walk on, from the plan, the stored sessions and the permits in force. */

import type { FleetNotice, FleetOptions, FleetPermit, FleetSite, FleetWatch } from '../../fleet/fleet.ts';
import type { Plan, PlannedSite } from '../../plant/plan.ts';
import type { EmbeddedBroker } from '../../service/broker/broker.ts';
import type { World } from '../../service/domain/world/world.ts';
import type { Engine } from '../../service/engine/engine.ts';
import type { Secrets } from '../world/world-from-plan.ts';

/** Exceptions in an emulated watch or its wearer are reported as failures; other fleet notices are ignored here. */
export function reportWatch({ failures }: Engine, { kind, serial, error }: FleetNotice): void {
  if (error !== undefined)
    failures.report({ part: kind === 'person-failed' ? 'person' : 'watch', what: serial, error });
}

/** How the watches reach the broker: an embedded broker within the process, an external broker by its address. */
export const toBroker = (
  brokerUrl: string,
  own: EmbeddedBroker | null,
): Pick<FleetOptions, 'brokerUrl' | 'connect'> => ({
  brokerUrl,
  ...(own === null ? {} : { connect: () => own.connect() }),
});

/** The data of each watch and its wearer. */
export function fleetWatches(plan: Plan, world: World, secrets: Secrets): FleetWatch[] {
  const watches: FleetWatch[] = [];
  const permits = permitsByWorker(world);
  for (const { sites } of plan.organizations)
    for (const site of sites)
      for (const { watch, at, zone, floor, pace, worn, batteryPct, behave } of site.workers) {
        const deviceId = world.indexes.deviceId(watch.serial);
        if (deviceId === undefined || !watch.emulated) continue;
        const device = world.need('device', deviceId);
        const { thresholds, origin } = world.need('site', device.siteId);
        watches.push({
          serial: watch.serial,
          key: secrets.watch(watch.serial),
          siteId: device.siteId,
          origin,
          at,
          area: site.zones.find(({ name }) => name === zone)?.ring ?? [at],
          zone,
          ...(floor === undefined ? {} : { floor }),
          permits: permits.get(device.workerId ?? '') ?? [],
          pace,
          worn,
          batteryPct: world.telemetry(deviceId).batteryPct ?? batteryPct,
          behave,
          lastSession: world.telemetry(deviceId).session,
          positionEveryMs: thresholds.positionEveryMs,
          alarmEveryMs: thresholds.alarmEveryMs,
        });
      }
  return watches;
}

/** The plant of each site that has an emulated watch. */
export function fleetSites(plan: Plan, world: World): FleetSite[] {
  return plan.organizations.flatMap(({ sites }) =>
    sites.flatMap((planned): FleetSite[] => {
      const deviceId = planned.workers.map(({ watch }) => world.indexes.deviceId(watch.serial)).find((id) => id);
      if (deviceId === undefined) return [];
      const { id, origin, boundary } = world.need('site', world.need('device', deviceId).siteId);
      const zones = planned.zones.map(({ assemblyPoint, ...zone }) => ({
        ...zone,
        minHeightM: assemblyPoint?.minHeightM ?? null,
        capacity: assemblyPoint?.capacity ?? null,
      }));
      const { water = [] } = planned;
      return [{ id, origin, boundary, zones, water, vehicles: vehiclesOf(planned) }];
    }),
  );
}

function vehiclesOf({ vehicles, workers }: PlannedSite): FleetSite['vehicles'] {
  const serials = new Map(workers.map(({ externalId, watch }) => [externalId, watch.serial]));
  return vehicles.map(({ driver, ...vehicle }) => ({
    ...vehicle,
    driver: driver === null ? null : (serials.get(driver) ?? null),
  }));
}

function permitsByWorker(world: World): Map<string, FleetPermit[]> {
  const permits = new Map<string, FleetPermit[]>();
  for (const { workerId, zoneId, until, endedAt } of world.all('permit')) {
    if (endedAt !== null) continue;
    const own = permits.get(workerId) ?? [];
    permits.set(workerId, [...own, { zone: world.need('zone', zoneId).name, until }]);
  }
  return permits;
}
