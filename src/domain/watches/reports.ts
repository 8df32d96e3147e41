/** What a watch tells in passing: birth, positions, battery. Kept in memory, never an event by itself. [watch-protocol] */
import { judgeBattery } from '../alerts/from-telemetry.ts';
import type { Change } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import { contradict } from '../musters/from-watch.ts';
import { mayChangeStays, NONE, staysAfter } from '../musters/inside.ts';
import type { Stamp } from '../stamp.ts';
import type { Fix, Stay } from '../world/documents.ts';
import type { World } from '../world/world.ts';

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
  const before = world.telemetry(command.deviceId);
  let fix: Fix | null = before.fix;
  let worn = before.worn;
  let stays: readonly Stay[] = before.stays ?? NONE;
  const device = world.need('device', command.deviceId);
  const site = world.need('site', device.siteId);
  for (const { worn: reported, ...heard } of command.fixes) {
    if (stamp.now - heard.at > OLD_AFTER_MS) continue;
    fix = { ...heard, at: Math.min(heard.at, stamp.now) };
    worn = reported;
    if (mayChangeStays(world, site, { stays }, fix)) stays = staysAfter(world, site, stays, fix, stamp.now);
  }
  const telemetry = { ...before, fix, worn, stays, lastContactAt: stamp.now };
  const against = fix === null || fix === before.fix ? [] : contradict(world, device, fix);
  return [{ kind: 'telemetry-heard', telemetry }, ...against];
}

/** The charge as told, and whether it is low. */
export function reportBattery(world: World, stamp: Stamp, command: CommandOf<'report-battery'>): Change[] {
  const before = world.telemetry(command.deviceId);
  const telemetry = { ...before, batteryPct: command.pct, charging: command.charging, lastContactAt: stamp.now };
  return [{ kind: 'telemetry-heard', telemetry }, ...judgeBattery(world, stamp, command, telemetry)];
}
