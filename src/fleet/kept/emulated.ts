/** Converts an emulated watch to stored documents and back. */
import type { MusterNotice } from '../../contract/watch.ts';
import type { KeptItem } from '../connection/outbox.ts';
import type { WatchBody } from '../watch/watch-body.ts';
import type { KeptWatch } from './documents.ts';

export function keptWatch(body: WatchBody): KeptWatch {
  const { machine, power, battery, cover, wrist, musterActions, reactions, plight, whereabouts } = body;
  const { plans, ...vehicle } = reactions.kept();
  const kept = machine.kept();
  return {
    person: whereabouts.personKept,
    machine: { ...kept, plans: [...kept.plans, ...plans] },
    power: power.kept(),
    network: cover.network,
    gps: cover.gps,
    docked: battery.docked,
    wornAs: wrist.wornAs,
    deeds: musterActions.kept(),
    ...whereabouts.kept(),
    ...vehicle,
    thoughts: plight.thoughts,
  };
}

/** The stored state from which a watch continues. */
export interface Resumption {
  /** The watch's own document; null if it could not be read. */
  readonly kept: KeptWatch | null;
  /** The messages that it had not yet delivered, by number. */
  readonly items: readonly (readonly [number, KeptItem])[];
  /** The notice that was on its screen. */
  readonly muster: MusterNotice | null;
  /** The downtime, in simulated time. */
  readonly gapMs: number;
}

export function resumeWatch(body: WatchBody, { kept, items, muster, gapMs }: Resumption): void {
  const { machine, power, battery, cover, wrist, musterActions, reactions, plight, whereabouts } = body;
  machine.resumeOutbox(items);
  if (kept === null) return;
  machine.resume(kept.machine, muster, gapMs);
  power.resume(kept.power, gapMs);
  battery.resume(kept.docked);
  cover.resume(kept);
  wrist.resume(kept.wornAs);
  musterActions.resume(kept.deeds);
  reactions.resume(kept, gapMs);
  plight.resume(kept.thoughts);
  whereabouts.resume(kept);
}
