/** The watches that the fleet emulates: what a watch and its wearer know of themselves, from the plan and the stored sessions. */
import type { World } from '../domain/world/world.ts';
import type { FleetWatch } from '../fleet/fleet.ts';
import type { Plan } from '../plant/plan.ts';
import type { Secrets } from './world-from-plan.ts';

export function fleetWatches(plan: Plan, world: World, secrets: Secrets): FleetWatch[] {
  const watches: FleetWatch[] = [];
  for (const { sites } of plan.organizations)
    for (const site of sites)
      for (const { watch, at, zone, pace, worn, batteryPct, behave } of site.workers) {
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
