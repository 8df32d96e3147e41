/** Heat stress: from heat index and minutes of sun, never from a vital sign. [spec 2 HeatStressDetails, decisions 5 `heat_stress`] */
import type { Instant } from '../../../base/time/clock.ts';
import { type AlertDecision, raise, wearerOf } from '../alerts/raise.ts';
import { type Change, type Rejection, reject, type Stamp } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import { pointOf } from '../privacy/places.ts';
import type { Device, Site, Telemetry, Worker } from '../world/documents.ts';
import type { Fix } from '../world/embedded.ts';
import type { World } from '../world/world.ts';
import { fenceOf } from '../zones/fence.ts';
import { sunIsHigh } from './daylight.ts';
import { inSunAt, sunBetween } from './sun-spans.ts';

/** A position older than this does not show who is outdoors now; milliseconds. */
const FIX_MAX_AGE_MS = 15 * 60_000;

/** True outside all buildings. */
export const isOutdoors = (world: World, site: Site, fix: Fix): boolean =>
  !fenceOf(world, site.id).inBuilding(pointOf(site, fix));

/** The sun exposure after a fix. */
export function sunAfter(
  site: Site,
  telemetry: Telemetry,
  fix: Fix,
  outdoors: boolean,
): Pick<Telemetry, 'sun' | 'inSun'> {
  if (!outdoors || !sunIsHigh(site.origin, fix.at)) return { sun: telemetry.sun, inSun: false };
  const since = fix.at - site.thresholds.heat.windowMs;
  return { sun: inSunAt(telemetry.sun, fix.at, telemetry.inSun, since), inSun: true };
}

interface Exposed {
  readonly worker: Worker;
  readonly device: Device;
  readonly telemetry: Telemetry;
  readonly outdoors: boolean;
}

/**
 * Raises the alert if heat and sun require it and the last one is at least `againAfterMs` old. Also records when it was
 * raised in the given `device`.
 */
export function judgeHeat(world: World, stamp: Stamp, site: Site, exposed: Exposed): Change[] {
  const { worker, device, telemetry, outdoors } = exposed;
  const { heat } = site.thresholds;
  const index = device.heatIndexC ?? (outdoors ? site.heatIndexC : null);
  if (index === null || index < Math.min(heat.indexC, heat.sunIndexC)) return [];
  if (device.heatAlertedAt !== null && stamp.now - device.heatAlertedAt < heat.againAfterMs) return [];
  const sunMs = sunBetween(telemetry.sun, stamp.now - heat.windowMs, stamp.now);
  if (index < heat.indexC && !(index >= heat.sunIndexC && sunMs >= heat.sunMs)) return [];
  const indexC = Math.round(index * 10) / 10;
  const { changes } = raise(world, stamp, {
    worker,
    device,
    type: 'heat_stress',
    details: {
      action: 'stop_and_rest',
      heat_index_c: indexC,
      sun_exposure_minutes: Math.floor(sunMs / 60_000),
    },
    from: [device.id, stamp.now],
    what: `Heat index ${indexC} °C, ${Math.floor(sunMs / 60_000)} min of sun`,
    telemetry,
  });
  return [{ kind: 'device-changed', device: { ...device, heatAlertedAt: stamp.now } }, ...changes];
}

/** Applies the plant's heat index to everyone outdoors. */
export function reportPlantHeat(
  world: World,
  stamp: Stamp,
  { siteId, indexC, sunMs }: CommandOf<'report-plant-heat'>,
): AlertDecision | Rejection {
  const before = world.get('site', siteId);
  if (before === undefined) return reject('not_found', 'There is no such site.');
  const site: Site = { ...before, heatIndexC: indexC };
  const changes: Change[] = [{ kind: 'site-changed', site }];
  for (const worker of world.indexes.workersOfSite.of(siteId).values()) {
    if (!worker.isActive || worker.deviceId === null) continue;
    const device = world.need('device', worker.deviceId);
    const { fix } = world.telemetry(device.id);
    if (device.status !== 'active' || fix === null || stamp.now - fix.at > FIX_MAX_AGE_MS) continue;
    if (!isOutdoors(world, site, fix)) continue;
    const telemetry = withSun(world.telemetry(device.id), sunMs, stamp.now);
    if (sunMs !== null) changes.push({ kind: 'telemetry-heard', telemetry });
    changes.push(...judgeHeat(world, stamp, site, { worker, device, telemetry, outdoors: true }));
  }
  return { changes };
}

/** Applies the heat index and the sun exposure of one person. */
export function reportPersonHeat(
  world: World,
  stamp: Stamp,
  { deviceId, indexC, sunMs }: CommandOf<'report-person-heat'>,
): AlertDecision | Rejection {
  const wearer = wearerOf(world, deviceId);
  if (wearer === null) return reject('action_refused', 'Nobody wears this watch.');
  const site = world.need('site', wearer.device.siteId);
  const device = { ...wearer.device, heatIndexC: indexC };
  const telemetry = withSun(world.telemetry(deviceId), sunMs, stamp.now);
  const changes: Change[] = [{ kind: 'device-changed', device }];
  if (sunMs !== null) changes.push({ kind: 'telemetry-heard', telemetry });
  const outdoors = telemetry.fix !== null && isOutdoors(world, site, telemetry.fix);
  const judged = judgeHeat(world, stamp, site, { worker: wearer.worker, device, telemetry, outdoors });
  return { changes: [...changes, ...judged] };
}

const withSun = (telemetry: Telemetry, sunMs: number | null, now: Instant): Telemetry =>
  sunMs === null ? telemetry : { ...telemetry, sun: [[now - sunMs, now]] };
