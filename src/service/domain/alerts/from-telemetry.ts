/** Alerts that are derived from telemetry: a low battery, and a silent watch. [decisions 5] */
import type { Instant } from '../../../base/time/clock.ts';
import type { Change, Stamp } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import { insideSite } from '../privacy/places.ts';
import type { Device, Telemetry } from '../world/documents.ts';
import type { World } from '../world/world.ts';
import { type AlertDecision, raise, wearerOf } from './raise.ts';

/** Raises one alert at or below the threshold. The next one needs a battery that has risen above the clearing level. */
export function judgeBattery(
  world: World,
  stamp: Stamp,
  command: CommandOf<'report-battery'>,
  telemetry: Telemetry,
): Change[] {
  const device = world.need('device', command.deviceId);
  const { thresholds } = world.need('site', device.siteId);
  if (device.batteryLow) {
    if (command.pct <= thresholds.lowBatteryClearPct) return [];
    return [{ kind: 'device-changed', device: { ...device, batteryLow: false } }];
  }
  const wearer = wearerOf(world, device.id);
  if (command.pct > thresholds.lowBatteryPct || wearer === null) return [];
  const { changes } = raise(world, stamp, {
    ...wearer,
    type: 'low_battery',
    details: { battery_pct: command.pct },
    from: [device.id, stamp.now],
    what: `Battery at ${command.pct} %`,
    telemetry,
  });
  return [{ kind: 'device-changed', device: { ...device, batteryLow: true } }, ...changes];
}

/**
 * The instant at which silence becomes an alert; null if it never does: no position on site yet, out of service, or
 * already reported.
 */
export function silenceDue(world: World, device: Device, serviceStartedAt: Instant): Instant | null {
  if (device.status !== 'active' || device.silenceReported || device.workerId === null) return null;
  const telemetry = world.telemetry(device.id);
  const site = world.need('site', device.siteId);
  if (telemetry.fix === null || telemetry.lastContactAt === null || !insideSite(site, telemetry.fix)) return null;
  return Math.max(telemetry.lastContactAt, serviceStartedAt) + site.thresholds.offlineAfterMs;
}

/** No contact for 10 min after a last position on site. `minutes_silent` is as of now. */
export function judgeSilence(world: World, stamp: Stamp, command: CommandOf<'judge-silence'>): AlertDecision {
  const device = world.get('device', command.deviceId);
  // The plant of the watch may have left in the same transaction.
  const wearer = device === undefined ? null : wearerOf(world, device.id);
  if (device === undefined || wearer === null || !wearer.worker.isActive) return { changes: [] };
  const { lastContactAt } = world.telemetry(device.id);
  const minutes = Math.floor((stamp.now - (lastContactAt ?? stamp.now)) / 60_000);
  const { changes, alertId } = raise(world, stamp, {
    ...wearer,
    type: 'device_offline',
    details: { minutes_silent: minutes },
    from: [device.id, stamp.now],
    what: `No contact for ${minutes} min`,
  });
  return { changes: [{ kind: 'device-changed', device: { ...device, silenceReported: true } }, ...changes], alertId };
}

/** There is contact again after a reported silence, so the next silence raises a new alert. */
export function regainContact(world: World, command: CommandOf<'regain-contact'>): Change[] {
  const device = world.need('device', command.deviceId);
  return device.silenceReported ? [{ kind: 'device-changed', device: { ...device, silenceReported: false } }] : [];
}
