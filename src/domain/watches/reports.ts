/** What a watch tells in passing: birth, positions, battery. Kept in memory, never an event by itself; what follows from it is judged here. [watch-protocol] */
import { judgeBattery } from '../alerts/from-telemetry.ts';
import { wearerOf } from '../alerts/wearer.ts';
import type { Change } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import { contradict } from '../musters/from-watch.ts';
import { mayChangeStays, staysAfter } from '../musters/inside.ts';
import type { Stamp } from '../stamp.ts';
import { judgeVehicles } from '../vehicles/warnings.ts';
import { isOutdoors, judgeHeat, sunAfter } from '../weather/judge-heat.ts';
import type { Device, Fix, Telemetry } from '../world/documents.ts';
import type { World } from '../world/world.ts';
import { judgeZones } from '../zones/stays.ts';

/** A `t` more than this before arrival is old: it fills history and does not move a person now. [watch-protocol] */
const OLD_AFTER_MS = 5 * 60_000;

export function reportBirth(world: World, stamp: Stamp, command: CommandOf<'report-birth'>): Change[] {
  const telemetry = {
    ...world.telemetry(command.deviceId),
    session: command.session,
    firmware: command.firmware,
    lastContactAt: stamp.now,
  };
  return [
    { kind: 'telemetry-heard', telemetry },
    { kind: 'watch-born', deviceId: command.deviceId },
  ];
}

/** The last fix that is not old becomes where the person is; a future time counts as arrival. */
export function reportPosition(world: World, stamp: Stamp, command: CommandOf<'report-position'>): Change[] {
  const { deviceId } = command;
  let telemetry: Telemetry = { ...world.telemetry(deviceId), lastContactAt: stamp.now };
  const device = world.need('device', deviceId);
  const wearer = wearerOf(world, deviceId);
  const judged = wearer?.worker.isActive && wearer.device.status === 'active' ? wearer : null;
  const stays = new Set(
    world.indexes.staysOfDevice
      .of(deviceId)
      .values()
      .map(({ zoneId }) => zoneId),
  );
  const changes: Change[] = [];
  for (const { worn, ...heard } of command.fixes) {
    if (stamp.now - heard.at > OLD_AFTER_MS) continue;
    const fix: Fix = { ...heard, at: Math.min(heard.at, stamp.now) };
    const moved = { ...telemetry, fix, worn, stays: pointStays(world, device, telemetry, fix, stamp) };
    telemetry = moved;
    if (judged === null) continue;
    const whereabouts = judgeZones(world, stamp, judged, moved, stays);
    telemetry = { ...moved, entering: whereabouts.entering };
    changes.push(...whereabouts.changes);
  }
  const { fix } = telemetry;
  if (fix === null || fix === world.telemetry(deviceId).fix) return [{ kind: 'telemetry-heard', telemetry }];
  changes.push(...contradict(world, device, fix));
  if (judged === null) return [{ kind: 'telemetry-heard', telemetry }, ...changes];
  const site = world.need('site', device.siteId);
  const outdoors = isOutdoors(world, site, fix);
  telemetry = { ...telemetry, ...sunAfter(site, telemetry, fix, outdoors) };
  const heat = judgeHeat(world, stamp, site, { ...judged, telemetry, outdoors });
  const vehicles = judgeVehicles(world, stamp, judged.device, fix);
  return [{ kind: 'telemetry-heard', telemetry }, ...changes, ...heat, ...vehicles];
}

/** The assembly points that the wearer is in after one more fix. [decisions 6] */
function pointStays(world: World, device: Device, telemetry: Telemetry, fix: Fix, { now }: Stamp): Telemetry['stays'] {
  const site = world.need('site', device.siteId);
  return mayChangeStays(world, site, telemetry, fix)
    ? staysAfter(world, site, telemetry.stays, fix, now)
    : telemetry.stays;
}

/** The charge as told, and whether it is low. */
export function reportBattery(world: World, stamp: Stamp, command: CommandOf<'report-battery'>): Change[] {
  const before = world.telemetry(command.deviceId);
  const telemetry = { ...before, batteryPct: command.pct, charging: command.charging, lastContactAt: stamp.now };
  return [{ kind: 'telemetry-heard', telemetry }, ...judgeBattery(world, stamp, command, telemetry)];
}
