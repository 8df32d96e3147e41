/** Makes emulated watches from their configuration. */

import type { Stream } from '../../base/random/streams.ts';
import type { WatchSurroundings } from '../surroundings.ts';
import type { WatchWhereabouts } from '../wearer/whereabouts.ts';
import { Charge, drainsOf } from './charge.ts';
import { EmulatedWatch } from './emulated-watch.ts';
import type { FleetWatch } from './fleet-watch.ts';
import { WatchMachine } from './machine.ts';
import { Power } from './power.ts';

/** Standard deviation of the clock error of watches. [realism 3.3] */
const CLOCK_SD_MS = 400;

/** Share of watches with a wrong clock, and how far it is ahead or behind. [realism 3.3] */
const WRONG_CLOCK = { share: 0.005, minMs: 20_000, maxMs: 120_000 } as const;

/** Watches die when the charge is between 0 and this; percent. [realism 3.3] */
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
  const drains = isScripted ? { normal: 0, alarm: 0 } : drainsOf(battery);
  const machine = new WatchMachine({
    serial,
    salt,
    lastSession: watch.lastSession,
    worn: watch.worn === 'unknown' ? null : watch.worn === 'on',
    positionEveryMs: watch.positionEveryMs,
    alarmEveryMs: watch.alarmEveryMs,
    stagger: 1 - chance.stream(serial, 'stagger').float(),
  });
  if (!isScripted) machine.skewMs = Math.round(skewOf(chance.stream(serial, 'clock')));
  // A watch that is not worn at the start lies at its worker's position, and must not move to the assembly point with
  // them.
  if (watch.worn === 'off') whereabouts.layDown(clock.now());
  return new EmulatedWatch(around, {
    key: watch.key,
    siteId: watch.siteId,
    whereabouts,
    power: new Power(new Charge(watch.batteryPct, drains, clock.now()), isScripted ? 0 : battery.int(0, MOST_DEAD_PCT)),
    machine,
  });
}

/**
 * The clock error of a watch. It always makes three draws after the first one, so that no outcome shifts the stream.
 */
export function skewOf(clock: Stream): number {
  const usual = clock.normal(0, CLOCK_SD_MS);
  const isWrong = clock.chance(WRONG_CLOCK.share);
  const wrong = WRONG_CLOCK.minMs + (WRONG_CLOCK.maxMs - WRONG_CLOCK.minMs) * clock.float();
  const sign = clock.chance(0.5) ? 1 : -1;
  return isWrong ? sign * wrong : usual;
}
