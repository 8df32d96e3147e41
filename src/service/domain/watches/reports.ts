/**
 * Telemetry of a watch: birth, positions, battery. It is kept in memory and is never an event by itself. The alerts
 * that are derived from it are decided here. [watch-protocol]
 */
import { judgeBattery } from '../alerts/from-telemetry.ts';
import { wearerOf } from '../alerts/raise.ts';
import type { Change, Stamp } from '../changes.ts';
import type { CommandOf, StreamPlace } from '../commands.ts';
import { contradict } from '../musters/from-watch.ts';
import { mayChangeStays, staysAfter } from '../musters/inside.ts';
import { judgeVehicles } from '../vehicles/warnings.ts';
import { isOutdoors, judgeHeat, sunAfter } from '../weather/judge-heat.ts';
import type { Device, Telemetry } from '../world/documents.ts';
import type { Fix } from '../world/embedded.ts';
import type { World } from '../world/world.ts';
import { judgeZones } from '../zones/stays.ts';

/**
 * A `t` that is more than this before the arrival is old: it fills the history and does not change the person's current
 * position. [watch-protocol]
 */
const OLD_AFTER_MS = 5 * 60_000;

/** The reason why a birth has no effect. */
const OLD_BIRTH = 'a repeated birth of an older session';

/**
 * A birth opens its session, even with a lower number: then the watch counts anew, so that its battery is heard. A
 * repeated one may be older than what is known. A retained one restores what the watch said last, so that one of the
 * known session changes nothing; it is no contact. [watch-protocol, fine print, Order; Retained messages]
 */
export function reportBirth(
  world: World,
  stamp: Stamp,
  command: CommandOf<'report-birth'>,
): { readonly changes: Change[]; readonly dropped?: string } {
  const { deviceId, session, firmware, arrival = 'live' } = command;
  const before = world.telemetry(deviceId);
  const heard = arrival === 'retained' ? before : { ...before, lastContactAt: stamp.now };
  if (arrival === 'again' && session < before.session)
    return { changes: [{ kind: 'telemetry-heard', telemetry: heard }], dropped: OLD_BIRTH };
  const countsAnew = session < before.session || (arrival === 'live' && session === before.session);
  const batteryPlace = countsAnew ? null : before.batteryPlace;
  return {
    changes: [
      { kind: 'telemetry-heard', telemetry: { ...heard, session, firmware, batteryPlace } },
      { kind: 'watch-born', deviceId },
    ],
  };
}

/**
 * The last fix that is neither old nor older than the known one becomes the person's position. A future time counts as
 * the arrival.
 */
export function reportPosition(world: World, stamp: Stamp, command: CommandOf<'report-position'>): Change[] {
  const { deviceId } = command;
  const before = world.telemetry(deviceId);
  const device = world.need('device', deviceId);
  const wearer = wearerOf(world, deviceId);
  const judged = wearer?.worker.isActive && wearer.device.status === 'active' ? wearer : null;
  // One copy, which is filled in while the fixes are judged: this runs for every message of every watch.
  const telemetry: Draft = { ...before, lastContactAt: stamp.now };
  // A higher session opens without a birth.
  if (command.session !== undefined && command.session > before.session) telemetry.session = command.session;
  const changes: Change[] = [{ kind: 'telemetry-heard', telemetry }];
  let stays: Set<string> | null = null;
  for (const reported of command.fixes) {
    // Late fixes fill the history: they never move the person back. [watch-protocol, fine print]
    if (stamp.now - reported.at > OLD_AFTER_MS || (telemetry.fix !== null && reported.at < telemetry.fix.at)) continue;
    const fix = fixOf(reported, stamp);
    telemetry.stays = pointStays(world, device, telemetry, fix, stamp);
    telemetry.fix = fix;
    telemetry.worn = reported.worn;
    if (judged === null) continue;
    stays ??= zonesStayedIn(world, deviceId);
    const whereabouts = judgeZones(world, stamp, judged, telemetry as Draft & { fix: Fix }, stays, changes);
    telemetry.entering = whereabouts.entering;
    changes.push(...whereabouts.changes);
  }
  const { fix } = telemetry;
  if (fix === null || fix === before.fix) return changes;
  changes.push(...contradict(world, device, fix));
  if (judged === null) return changes;
  const site = world.need('site', device.siteId);
  const outdoors = isOutdoors(world, site, fix);
  const { sun, inSun } = sunAfter(site, telemetry, fix, outdoors);
  telemetry.sun = sun;
  telemetry.inSun = inSun;
  changes.push(...judgeHeat(world, stamp, site, { worker: judged.worker, device: judged.device, telemetry, outdoors }));
  changes.push(...judgeVehicles(world, stamp, judged.device, fix));
  return changes;
}

/** Telemetry that is not yet in the world. */
type Draft = { -readonly [K in keyof Telemetry]: Telemetry[K] };

/** Written out: an object made with a rest pattern is slower to make and larger in memory (measured). */
const fixOf = (reported: Fix, { now }: Stamp): Fix => ({
  latitude: reported.latitude,
  longitude: reported.longitude,
  uncertaintyM: reported.uncertaintyM,
  source: reported.source,
  height: reported.height,
  inVehicle: reported.inVehicle,
  at: Math.min(reported.at, now),
});

const zonesStayedIn = (world: World, deviceId: string): Set<string> => {
  const zones = new Set<string>();
  for (const { zoneId } of world.indexes.staysOfDevice.of(deviceId).values()) zones.add(zoneId);
  return zones;
};

/** The assembly points that the wearer is in after this fix. [decisions 6] */
function pointStays(world: World, device: Device, telemetry: Telemetry, fix: Fix, { now }: Stamp): Telemetry['stays'] {
  const site = world.need('site', device.siteId);
  return mayChangeStays(world, site, telemetry, fix)
    ? staysAfter(world, site, telemetry.stays, fix, now)
    : telemetry.stays;
}

/**
 * Stores the reported charge, and judges whether it is low. A late report is contact and nothing else.
 * [watch-protocol, fine print, Order]
 */
export function reportBattery(world: World, stamp: Stamp, command: CommandOf<'report-battery'>): Change[] {
  const { deviceId, pct, charging, place } = command;
  const before = world.telemetry(deviceId);
  const heard = { ...before, lastContactAt: stamp.now };
  if (place !== undefined && isLateBattery(place, before)) return [{ kind: 'telemetry-heard', telemetry: heard }];
  const session = Math.max(before.session, place?.session ?? 0);
  const telemetry = { ...heard, batteryPct: pct, charging, session, batteryPlace: place ?? before.batteryPlace };
  return [{ kind: 'telemetry-heard', telemetry }, ...judgeBattery(world, stamp, command, telemetry)];
}

/** True for a report of an older session, or one that is not newer than the last battery report. */
function isLateBattery({ session, seq }: StreamPlace, { session: current, batteryPlace: last }: Telemetry): boolean {
  if (session < current) return true;
  return last !== null && (session < last.session || (session === last.session && seq <= last.seq));
}
