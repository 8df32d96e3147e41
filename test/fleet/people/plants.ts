/** The people of the default world on their plants, without watches that talk. */
import { frame } from '../../../src/base/geometry/shapes.ts';
import type { FleetSite } from '../../../src/fleet/fleet.ts';
import type { SitePerson } from '../../../src/fleet/people/ground/site.ts';
import { WalkingPeople } from '../../../src/fleet/people/site-people.ts';
import { defaultWorld } from '../../../src/plant/default-world.ts';
import type { PlannedSite } from '../../../src/plant/plan.ts';
import { shapeOf } from '../../../src/plant/planned-site.ts';

/** 2026-10-05T06:00:00Z. */
export const START = 1_791_180_000_000;

export interface PeopledSite {
  readonly planned: PlannedSite;
  readonly site: FleetSite;
  readonly persons: readonly SitePerson[];
  readonly people: WalkingPeople;
}

/** Every plant of the default world with its people, from `START` on. */
export function peopledSites(seed = '1', watches?: number): PeopledSite[] {
  const plan = defaultWorld(seed, watches === undefined ? {} : { watches });
  return plan.organizations.flatMap(({ sites }) => sites).map((planned) => peopled(planned, seed));
}

export function peopled(planned: PlannedSite, seed = '1', each: Partial<SitePerson> = {}): PeopledSite {
  const serials = new Map(planned.workers.map(({ externalId, watch }) => [externalId, watch.serial]));
  const site: FleetSite = {
    id: planned.name,
    origin: planned.origin,
    boundary: shapeOf(planned),
    zones: planned.zones.map(({ assemblyPoint, ...zone }) => ({
      ...zone,
      minHeightM: assemblyPoint?.minHeightM ?? null,
      capacity: assemblyPoint?.capacity ?? null,
    })),
    water: planned.water ?? [],
    vehicles: planned.vehicles.map((vehicle) => ({ ...vehicle, driver: serials.get(vehicle.driver ?? '') ?? null })),
  };
  const persons = planned.workers.map(({ watch, externalId, ...worker }): SitePerson => {
    const permits = planned.permits.filter(({ worker: holder }) => holder === externalId);
    return {
      ...worker,
      serial: watch.serial,
      area: planned.zones.find(({ name }) => name === worker.zone)?.ring ?? [worker.at],
      permits: permits.map(({ zone, forMs }) => ({ zone, until: forMs === null ? null : START + forMs })),
      ...each,
    };
  });
  return { planned, site, persons, people: new WalkingPeople(site, persons, seed, START) };
}

export const frameOf = ({ site }: PeopledSite) => frame(site.origin);
