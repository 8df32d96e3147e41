/** The parts of an emulated watch and its wearer, and their real state for display and checks. */
import type { Instant } from '../../base/time/clock.ts';
import type { Cover } from '../connection/cover.ts';
import type { Incapacitation } from '../wearer/incapacitation.ts';
import type { MusterActions } from '../wearer/muster-actions.ts';
import type { Reactions } from '../wearer/reactions.ts';
import type { WatchWhereabouts } from '../wearer/whereabouts.ts';
import type { Battery } from './battery.ts';
import type { WatchMachine } from './machine.ts';
import type { Power } from './power.ts';
import type { WatchTruth, WatchView } from './watch-view.ts';
import type { Wrist } from './wrist.ts';

export interface WatchBody {
  readonly siteId: string;
  readonly machine: WatchMachine;
  readonly power: Power;
  readonly battery: Battery;
  readonly cover: Cover;
  readonly wrist: Wrist;
  readonly musterActions: MusterActions;
  readonly reactions: Reactions;
  readonly plight: Incapacitation;
  /** The whereabouts of the current wearer. */
  readonly whereabouts: WatchWhereabouts;
}

export function viewOf(
  { machine, power, cover, whereabouts }: WatchBody,
  { connected, yielded }: Pick<WatchView, 'connected' | 'yielded'>,
  now: Instant,
): WatchView {
  return {
    serial: machine.serial,
    connected,
    session: machine.session,
    at: whereabouts.at(now),
    batteryPct: power.pct(now),
    network: cover.network,
    gps: cover.gps,
    yielded,
    worn: machine.worn,
    charging: power.charging,
    inVehicle: whereabouts.inVehicle,
    shown: machine.shown(now),
  };
}

/** The real state now, whatever the service knows. */
export function truthOf({ siteId, machine, power, cover, whereabouts }: WatchBody, now: Instant): WatchTruth {
  return {
    serial: machine.serial,
    siteId,
    ...whereabouts.truth(now),
    worn: machine.worn,
    batteryPct: power.pct(now),
    charging: power.charging,
    network: cover.network && !power.dead,
    gps: cover.gps,
  };
}
