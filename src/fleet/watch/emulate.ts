/** Makes emulated watches of what they know of themselves. */

import type { WatchSurroundings } from '../surroundings.ts';
import type { WatchWhereabouts } from '../wearer/whereabouts.ts';
import { ALARM_DRAIN_PER_HOUR, Charge, DRAIN_PER_HOUR } from './charge.ts';
import { EmulatedWatch } from './emulated-watch.ts';
import type { FleetWatch } from './fleet-watch.ts';
import { WatchMachine } from './machine.ts';
import { Power } from './power.ts';

/** How well watches keep time. [realism 3.3] */
const CLOCK_SD_MS = 400;

/** Some watches die at once when they are empty, others a little before; percent. [realism 3.3] */
const MOST_DEAD_PCT = 3;

export function emulate(
  around: WatchSurroundings,
  watch: FleetWatch,
  whereabouts: WatchWhereabouts,
  salt: string,
): EmulatedWatch {
  const { clock, streams: chance } = around;
  const { serial } = watch;
  const isScripted = watch.behave === 'scripted';
  const battery = chance.stream(serial, 'battery');
  const normal = DRAIN_PER_HOUR.min + (DRAIN_PER_HOUR.max - DRAIN_PER_HOUR.min) * battery.float();
  const drains = isScripted ? { normal: 0, alarm: 0 } : { normal, alarm: ALARM_DRAIN_PER_HOUR };
  const machine = new WatchMachine({
    serial,
    salt,
    lastSession: watch.lastSession,
    worn: watch.worn === 'unknown' ? null : watch.worn === 'on',
    positionEveryMs: watch.positionEveryMs,
    alarmEveryMs: watch.alarmEveryMs,
    stagger: 1 - chance.stream(serial, 'stagger').float(),
  });
  if (!isScripted) machine.skewMs = Math.round(chance.stream(serial, 'clock').normal(0, CLOCK_SD_MS));
  // A watch that is not worn at the start lies at its worker's position, and must not walk to the assembly point.
  if (watch.worn === 'off') whereabouts.layDown(clock.now());
  return new EmulatedWatch(around, {
    key: watch.key,
    siteId: watch.siteId,
    whereabouts,
    power: new Power(new Charge(watch.batteryPct, drains, clock.now()), isScripted ? 0 : battery.int(0, MOST_DEAD_PCT)),
    machine,
  });
}
