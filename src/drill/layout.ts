/** A layout under drill: a site file, and for the seed of each run the people who are on it. */

import { frame, type Point } from '../base/geometry/shapes.ts';
import type { ReadText } from '../base/user-files.ts';
import type { MusterKind } from '../contract/enumerations.ts';
import type { MusterNotice } from '../contract/watch.ts';
import { type Ground, groundOf } from '../fleet/people/ground/ground.ts';
import type { FleetSite, SitePerson } from '../fleet/people/ground/site.ts';
import { defaultWorld } from '../plant/default-world.ts';
import { peopleFor } from '../plant/people.ts';
import type { PlannedCrew, PlannedSite } from '../plant/plan.ts';
import { shapeOf } from '../plant/planned-site.ts';
import type { SiteFile } from '../plant/site-file.ts';
import { checkedSiteFile } from '../scenario/mend/checked-part.ts';

/** 2026-10-05T06:00:00Z, when every shift of a drill begins. The walking model has no other time of day. */
export const DRILL_START = 1_791_180_000_000;

/** People of a file that names neither workers nor a crew. */
const USUAL_PEOPLE = 60;

/** People follow from the seed and the site's name; under one name those of two layouts are the same. */
const ONE_NAME = 'drill';

const NO_CREW: PlannedCrew = { count: 0, contractors: [], roles: [], permits: [], vehicles: [] };

export interface DrillLayout {
  /** As the user named it: a path, or a bundled plant. */
  readonly label: string;
  /** The site as drawn; without the people of a run. */
  readonly planned: PlannedSite;
  /** The same as people walk on it, with the doors, stairs and capacities that hold where the file is silent. */
  readonly ground: Ground;
  /** People in each run. */
  readonly people: number;
  /** Workers that the file names, whose number cannot be lowered. */
  readonly named: number;
  /** The site with the people of one run. What the file says of a person stays; the rest follows from the seed. */
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
  readonly text: string;
  /** The text of a file that the site file names. */
  readonly readFile: ReadText;
}

/** The layout, or the mistakes of its file. `people`: absent: those that the file names. */
export function readLayout(
  { label, text, readFile }: LayoutSource,
  people?: number,
): Pick<SiteFile, 'mistakes' | 'warnings' | 'notes'> & { readonly layout: DrillLayout | null } {
  const read = (seed: string) => checkedSiteFile(text, label, { seed, readFile });
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

/** Everyone walks: a scripted worker would wait for actions, and a drill has none. */
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

/** What people walk on; `serials`: of the drivers, by external id. */
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
  /** People for whom there is room. */
  readonly capacity: number;
  /** The file says no capacity. */
  readonly isAssumed: boolean;
  /** Metres above the ground from which a person counts as safe; null: any height. */
  readonly leastM: number | null;
  readonly vertical: boolean;
  readonly kinds: readonly MusterKind[];
  readonly excluded: boolean;
  /** It serves the kind of the drill and is not excluded. */
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
        // Without floors nobody can climb, and no watch asserts a height. [decisions 6]
        leastM: vertical && floors.length > 0 ? minHeightM : null,
        vertical,
        kinds,
        excluded: isOut,
        serves,
      },
    ];
  });
}

/** What the watches of the site would show at the alarm; points have their names for ids. */
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
