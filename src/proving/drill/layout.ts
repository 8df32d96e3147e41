/** A layout in a drill: a site file, and the people on the site for the seed of each run. */

import { frame, type Point } from '../../base/geometry/shapes.ts';
import type { MusterKind } from '../../contract/enumerations.ts';
import type { MusterNotice } from '../../contract/watch.ts';
import { type Ground, groundOf } from '../../fleet/people/ground/ground.ts';
import type { FleetSite, SitePerson } from '../../fleet/people/ground/site.ts';
import { defaultWorld } from '../../plant/default-world.ts';
import { peopleFor } from '../../plant/people.ts';
import type { PlannedCrew, PlannedSite } from '../../plant/plan.ts';
import { shapeOf } from '../../plant/planned-site.ts';
import type { SiteFile } from '../../plant/site-file.ts';

/** 2026-10-05T06:00:00Z, the start of every shift in a drill. The walking model uses no other time of day. */
export const DRILL_START = 1_791_180_000_000;

/** Number of people if the file names neither workers nor a crew. */
const USUAL_PEOPLE = 60;

/**
 * The people are derived from the seed and the site's name. With one name for all layouts, two layouts have the same
 * people.
 */
const ONE_NAME = 'drill';

const NO_CREW: PlannedCrew = { count: 0, contractors: [], roles: [], permits: [], vehicles: [] };

export interface DrillLayout {
  /** The name that the user gave: a path, or a bundled plant. */
  readonly label: string;
  /** The site of the file, without the people of a run. */
  readonly planned: PlannedSite;
  /** The site in the form that people walk on, with the default doors, stairs and capacities that the file omits. */
  readonly ground: Ground;
  /** Number of people in each run. */
  readonly people: number;
  /** Number of workers whom the file names; the number of people cannot be lower. */
  readonly named: number;
  /**
   * Returns the site with the people of one run. Data of the file about a person is kept; the rest is derived from the
   * seed.
   */
  populate(seed: string): PopulatedLayout;
}

interface PopulatedLayout {
  readonly site: FleetSite;
  readonly persons: readonly SitePerson[];
  /** By person: the external id. */
  readonly ids: readonly string[];
}

interface LayoutSource {
  readonly label: string;
  /** Returns the checked site file with the people of a seed. */
  readonly read: (seed: string) => SiteFile;
}

/** Returns the layout, or the mistakes of its file. `people` absent: the number of people in the file. */
export function readLayout(
  { label, read }: LayoutSource,
  people?: number,
): Pick<SiteFile, 'mistakes' | 'warnings' | 'notes'> & { readonly layout: DrillLayout | null } {
  const { plan, crew, mistakes, warnings, notes } = read('1');
  if (plan === null) return { layout: null, mistakes, warnings, notes };
  const named = plan.workers.length;
  const count = people ?? (named > 0 ? named : (crew?.count ?? USUAL_PEOPLE));
  const populate = (seed: string): PopulatedLayout => {
    if (named === 0) return populated(crewed(plan, crew, count, seed));
    const own = read(seed).plan ?? plan;
    const taken = new Set(own.workers.flatMap(({ name, externalId, watch }) => [name, externalId ?? '', watch.serial]));
    return populated({
      ...own,
      workers: [
        ...own.workers,
        ...peopleFor({ ...own, name: ONE_NAME }, Math.max(0, count - named), seed, 1, { taken }),
      ],
    });
  };
  const ground = groundOf(fleetSiteOf(plan));
  return {
    layout: { label, planned: plan, ground, people: Math.max(count, named), named, populate },
    mistakes,
    warnings,
    notes,
  };
}

/** The people of the seed, with the permits and vehicles of the crew. */
function crewed(plan: PlannedSite, crew: PlannedCrew | null, count: number, seed: string): PlannedSite {
  const world = defaultWorld(seed, { site: { ...plan, name: ONE_NAME }, crew: { ...(crew ?? NO_CREW), count } });
  return { ...(world.organizations[0]?.sites[0] ?? plan), name: plan.name };
}

/** Every person is autonomous: a scripted worker would wait for actions, and a drill has none. */
function populated({ workers, permits, vehicles, ...site }: PlannedSite): PopulatedLayout {
  const serials = new Map(workers.map(({ externalId, watch }) => [externalId, watch.serial]));
  const persons = workers.map(({ watch, externalId, at, zone, floor, pace }): SitePerson => {
    const own = permits.filter(({ worker }) => worker === externalId);
    return {
      serial: watch.serial,
      at,
      zone,
      ...(floor === undefined ? {} : { floor }),
      area: site.zones.find(({ name }) => name === zone)?.ring ?? [at],
      pace,
      behave: 'auto',
      permits: own.map(({ zone: of, forMs }) => ({ zone: of, until: forMs === null ? null : DRILL_START + forMs })),
    };
  });
  return {
    site: fleetSiteOf({ ...site, vehicles }, serials),
    persons,
    ids: workers.map(({ externalId, watch }) => externalId ?? watch.serial),
  };
}

type SiteOutline = Pick<PlannedSite, 'name' | 'origin' | 'boundary' | 'zones' | 'water' | 'vehicles'>;

/** Returns the ground that people walk on; `serials`: the serials of drivers, by external id. */
function fleetSiteOf(site: SiteOutline, serials: ReadonlyMap<string | null, string> = new Map()): FleetSite {
  return {
    id: site.name,
    origin: site.origin,
    boundary: shapeOf(site),
    zones: site.zones.map(({ assemblyPoint, ...zone }) => ({
      ...zone,
      capacity: assemblyPoint?.capacity ?? null,
      minHeightM: assemblyPoint?.minHeightM ?? null,
    })),
    water: site.water ?? [],
    vehicles: site.vehicles.map(({ driver, ...vehicle }) => ({ ...vehicle, driver: serials.get(driver) ?? null })),
  };
}

export interface LayoutPoint {
  readonly name: string;
  readonly ring: readonly Point[];
  /** Number of people who fit. */
  readonly capacity: number;
  /** True if the file has no capacity, so that it is an assumption. */
  readonly isAssumed: boolean;
  /** Metres above the ground from which a person counts as safe; null: any height. */
  readonly leastM: number | null;
  readonly vertical: boolean;
  readonly kinds: readonly MusterKind[];
  readonly excluded: boolean;
  /** True if the point is for this kind of drill and is not excluded. */
  readonly serves: boolean;
}

/** The assembly points of a layout in a drill of that kind, in the order of the file. */
export function pointsOf(
  { planned, ground }: Pick<DrillLayout, 'planned' | 'ground'>,
  kind: MusterKind,
  excluded: readonly string[],
): readonly LayoutPoint[] {
  return planned.zones.flatMap(({ name, ring, floors, assemblyPoint }, i) => {
    if (assemblyPoint === null) return [];
    const { serves: kinds, minHeightM, vertical } = assemblyPoint;
    const { capacity = 0 } = ground.zones[i] ?? {};
    const isAssumed = assemblyPoint.capacity === null;
    const isOut = excluded.includes(name);
    const serves = !isOut && kinds.includes(kind);
    return [
      {
        name,
        ring,
        capacity,
        isAssumed,
        // Without floors no person can climb, and no watch reports a height. [decisions 6]
        leastM: vertical && floors.length > 0 ? minHeightM : null,
        vertical,
        kinds,
        excluded: isOut,
        serves,
      },
    ];
  });
}

/** The content that the watches of the site would show at the alarm; the name of a point is used as its id. */
export function noticeOf(
  { planned }: Pick<DrillLayout, 'planned'>,
  kind: MusterKind,
  points: readonly LayoutPoint[],
): MusterNotice {
  const { toDegrees } = frame(planned.origin);
  return {
    muster_id: 'drill',
    status: 'active',
    phase: 'evacuating',
    revision: 1,
    deadline: null,
    kind,
    points: points.map(({ name, ring, vertical, excluded, kinds }) => ({
      id: name,
      name,
      vertical,
      ...toDegrees(ring[0] ?? [0, 0]),
      status: excluded ? 'excluded' : 'available',
      serves: [...kinds],
    })),
  };
}
