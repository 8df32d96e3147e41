/** The people of a fleet, by site, each with the watch that they wear: as configured, or as stored. */

import type { Coordinates } from '../base/geometry/shapes.ts';
import type { Instant } from '../base/time/clock.ts';
import type { MusterNotice } from '../contract/watch.ts';
import type { FleetOptions } from './fleet-port.ts';
import type { Resumption } from './kept/emulated.ts';
import type { KeptGroup } from './kept/keeper.ts';
import type { Recalled } from './kept/recall.ts';
import type { FleetSite } from './people/ground/site.ts';
import { TICK_MS, WalkingPeople } from './people/site-people.ts';
import type { FleetWatch } from './watch/fleet-watch.ts';
import { noticeKey } from './watch/screen.ts';
import { Senses } from './watch/sensing.ts';
import { WatchWhereabouts } from './wearer/whereabouts.ts';

/** A watch and its wearer; `resumption` is null when both start from their configuration. */
interface WatchOnWearer {
  readonly watch: FleetWatch;
  readonly whereabouts: WatchWhereabouts;
  readonly resumption: Resumption | null;
}

interface FleetGroup extends KeptGroup {
  readonly wearers: readonly WatchOnWearer[];
  /** The number of its people that were restored from the memory. */
  readonly resumed: number;
  /** Notices that are shown on screens. */
  readonly notices: readonly MusterNotice[];
}

type Described = Pick<FleetOptions, 'watches' | 'sites' | 'seed' | 'keyOf'>;

/**
 * `failed` is called when the next step of a person threw (with their watch's serial), or the evacuation of a site
 * (with its id).
 */
export function groupsOf(
  described: Described,
  recalled: Recalled | null,
  now: Instant,
  failed: (who: string, error: Error) => void,
): FleetGroup[] {
  const { watches, sites = [] } = described;
  // No life is simulated for the downtime. Due work is postponed by it, in whole seconds.
  const gapMs = recalled === null ? 0 : Math.floor((now - recalled.at) / TICK_MS) * TICK_MS;
  return bySite(watches).map(([siteId, own]) => {
    const site = sites.find(({ id }) => id === siteId) ?? openField(siteId, own[0]!.origin);
    const people = new WalkingPeople(site, own, described.seed, now, (serial, error) =>
      failed(serial ?? siteId, error),
    );
    const serials = own.map(({ serial }) => serial);
    const senses = new Senses(described.seed, serials);
    const kept = recalled?.sites.get(siteId);
    if (kept !== undefined) people.resumeSite(kept);
    const resumed = recalled === null ? 0 : resumePeople(people, senses, serials, recalled, gapMs);
    const notices = kept?.shown ?? [];
    const worn = wornBy(own, described, recalled);
    const wearers = own.map((spec, person): WatchOnWearer => {
      const watch = worn[person]!;
      const whereabouts = new WatchWhereabouts({ people, person, senses: spec.behave === 'scripted' ? null : senses });
      return { watch, whereabouts, resumption: resumptionOf(watch.serial, recalled, notices, gapMs) };
    });
    return { siteId, people, senses, count: own.length, wearers, resumed, notices };
  });
}

function resumePeople(
  people: WalkingPeople,
  senses: Senses,
  serials: readonly string[],
  { persons }: Recalled,
  gapMs: number,
): number {
  let resumed = 0;
  for (const [i, serial] of serials.entries()) {
    const kept = persons.get(serial);
    if (kept === undefined) continue;
    people.resume(i, kept, gapMs);
    if (kept.senses !== null) senses.resume(i, kept.senses, gapMs);
    resumed += 1;
  }
  return resumed;
}

/**
 * The watch of each person, in the order of `own`: the one that they began with, unless they have put on another since.
 */
function wornBy(own: readonly FleetWatch[], { keyOf }: Described, recalled: Recalled | null): FleetWatch[] {
  const specs = new Map(own.map((spec) => [spec.serial, spec]));
  const others = new Map<string, string>();
  for (const [serial, { person }] of recalled?.watches ?? [])
    if (serial !== person && specs.has(person)) others.set(person, serial);
  return own.map((spec) => {
    const serial = others.get(spec.serial) ?? spec.serial;
    const other = specs.get(serial);
    const key = other?.key ?? keyOf?.(serial);
    return key === undefined ? spec : { ...spec, serial, key, lastSession: other?.lastSession ?? 0 };
  });
}

function resumptionOf(
  serial: string,
  recalled: Recalled | null,
  notices: readonly MusterNotice[],
  gapMs: number,
): Resumption | null {
  const kept = recalled?.watches.get(serial) ?? null;
  const items = recalled?.items.get(serial) ?? [];
  if (kept === null && items.length === 0) return null;
  const muster = notices.find((notice) => noticeKey(notice) === kept?.machine.screen.muster) ?? null;
  return { kept, items, muster, gapMs };
}

function bySite(watches: readonly FleetWatch[]): [siteId: string, watches: FleetWatch[]][] {
  const sites = new Map<string, FleetWatch[]>();
  for (const { siteId } of watches) if (!sites.has(siteId)) sites.set(siteId, []);
  for (const watch of watches) sites.get(watch.siteId)?.push(watch);
  return [...sites];
}

/** A field without zones and fences. */
const openField = (id: string, origin: Coordinates): FleetSite => ({
  id,
  origin,
  boundary: [],
  zones: [],
  vehicles: [],
});
