/** The world of `sandbox up`: two companies, three plants, and the people that a seed generates. */
import { assert } from '../base/assert.ts';
import { streams } from '../base/random/streams.ts';
import { type CrewedPlant, DEFAULT_COMPANIES } from './default-plants.ts';
import { peopleFor } from './people.ts';
import { FEWEST_IN_CREW } from './people-schema.ts';
import type {
  Plan,
  PlannedContract,
  PlannedCrew,
  PlannedPermit,
  PlannedSite,
  PlannedVehicle,
  PlannedWorker,
} from './plan.ts';
import { startPoint } from './whereabouts.ts';
import { MOST_WATCHES } from './world-size.ts';

export { peopleFor } from './people.ts';

/** Watches of a site that the fleet leaves to the user's own client. [cli, up] */
const SPARE_WATCHES = 2;

/** A site needs its spare watches and at least one emulated worker. */
const FEWEST_ON_A_SITE = FEWEST_IN_CREW;

interface WorldOptions {
  /**
   * The number of all watches, split by site in the ratio 60 : 30 : 20; 1 to 100,000, but at least three per site.
   * Default: 110.
   */
  readonly watches?: number;
  /** A site that replaces the first one, with its own people if it has some, else with generated people. */
  readonly site?: PlannedSite;
  /** The crew of that site, if its file has one; null: the numbers and contractors of the first plant. */
  readonly crew?: PlannedCrew | null;
  /** Overrides parts of the contract of the first company. */
  readonly contract?: Partial<PlannedContract>;
}

/**
 * The default world of a seed: equal arguments give an equal world, and the plants are the same for every seed.
 * External ids, serials and names of people are unique in the whole world. More watches do not change the existing
 * people.
 */
export function defaultWorld(seed: string, options: WorldOptions = {}): Plan {
  const plants = plantsOf(options.site, options.crew ?? null);
  const own = options.site?.workers ?? [];
  const counts = split(plants, own.length, options.watches);
  const taken = new Set(own.flatMap((worker) => [worker.name, worker.externalId ?? '', worker.watch.serial]));
  const crews = crewsOf(plants, counts, seed, taken);
  const sites = plants.map((plant, i) => populated(plant, crews[i]!, seed));
  let next = 0;
  const organizations = DEFAULT_COMPANIES.map((company, i) => ({
    name: company.name,
    contract: i === 0 ? { ...company.contract, ...options.contract } : company.contract,
    sites: company.plants.map(() => sites[next++]!),
  }));
  return { organizations };
}

/** All plants in their order. The user's own site replaces the first one. */
function plantsOf(own: PlannedSite | undefined, crew: PlannedCrew | null): CrewedPlant[] {
  const [first, ...others] = DEFAULT_COMPANIES.flatMap((company) => company.plants);
  assert(first, 'The default world has a plant.');
  if (own === undefined) return [first, ...others];
  return [{ site: own, crew: crew ?? { ...first.crew, roles: [], permits: [], vehicles: [] } }, ...others];
}

/** The number of people generated for each plant, by largest remainders, so that the sum is exact. */
function split(plants: readonly CrewedPlant[], ownPeople: number, watches: number | undefined): number[] {
  const sizes = plants.map(({ crew }) => crew.count);
  if (ownPeople > 0) {
    // The people of the own site are given. Two spare watches are added, and the rest goes to the other sites.
    const rest = watches === undefined ? undefined : Math.max(1, watches - ownPeople - SPARE_WATCHES);
    return [SPARE_WATCHES, ...shares(sizes.slice(1), rest)];
  }
  return shares(sizes, watches);
}

function shares(sizes: readonly number[], total: number | undefined): number[] {
  if (total === undefined) return [...sizes];
  assert(
    Number.isInteger(total) && total >= 1 && total <= MOST_WATCHES,
    () => `A world has 1 to ${MOST_WATCHES} watches, not ${total}.`,
  );
  const open = Math.max(0, total - sizes.length * FEWEST_ON_A_SITE);
  // Each site first gets the minimum. Only the watches above it are split in proportion.
  const wanted = sizes.map((size) => (size * Math.max(total, 1)) / sizes.reduce((sum, other) => sum + other, 0));
  const above = wanted.map((share) => Math.max(0, share - FEWEST_ON_A_SITE));
  const sum = above.reduce((all, one) => all + one, 0);
  const exact = above.map((one) => (sum === 0 ? 0 : (one / sum) * open));
  const counts = exact.map(Math.floor);
  const byRemainder = exact.map((_, i) => i).sort((a, b) => exact[b]! - counts[b]! - (exact[a]! - counts[a]!) || a - b);
  const missing = open - counts.reduce((all, one) => all + one, 0);
  for (const i of byRemainder.slice(0, missing)) counts[i]! += 1;
  return counts.map((count) => count + FEWEST_ON_A_SITE);
}

/** The usual crews are numbered from 1, site by site. Additional people are numbered after all of them. */
function crewsOf(
  plants: readonly CrewedPlant[],
  counts: readonly number[],
  seed: string,
  taken: Set<string>,
): PlannedWorker[][] {
  const crews: PlannedWorker[][] = [];
  let number = 1;
  const recruit = (plant: CrewedPlant, count: number): PlannedWorker[] => {
    const { contractors, roles } = plant.crew;
    return peopleFor(plant.site, count, seed, number, { contractors, taken, ...(roles.length > 0 ? { roles } : {}) });
  };
  for (const [i, plant] of plants.entries()) {
    crews.push(withSpares(recruit(plant, Math.min(counts[i]!, plant.crew.count))));
    number += plant.crew.count;
  }
  for (const [i, plant] of plants.entries()) {
    const more = recruit(plant, counts[i]! - crews[i]!.length);
    crews[i]!.push(...more);
    number += more.length;
  }
  return crews;
}

/**
 * The spare watches are the last ones of the usual crew, so that the low numbers, which users try first, are emulated.
 */
function withSpares(crew: readonly PlannedWorker[]): PlannedWorker[] {
  return crew.map((worker, i) =>
    i < crew.length - SPARE_WATCHES ? worker : { ...worker, watch: { ...worker.watch, emulated: false } },
  );
}

function populated(plant: CrewedPlant, crew: readonly PlannedWorker[], seed: string): PlannedSite {
  const usual = crew.slice(0, plant.crew.count).filter((worker) => worker.watch.emulated);
  const { permits, inside } = permitsOf(plant, usual, seed);
  const zoneOf = new Map(inside.map((worker) => [worker.externalId, worker]));
  const workers = crew.map((worker) => zoneOf.get(worker.externalId) ?? worker);
  return {
    ...plant.site,
    workers: [...plant.site.workers, ...workers],
    vehicles: [...plant.site.vehicles, ...vehiclesOf(plant, usual)],
    permits: [...plant.site.permits, ...permits],
  };
}

/** Gives permits to people who have none yet. Also returns those of them who start inside the zone. */
function permitsOf(
  plant: CrewedPlant,
  crew: readonly PlannedWorker[],
  seed: string,
): { permits: PlannedPermit[]; inside: PlannedWorker[] } {
  const stream = streams(seed).stream(plant.site.name, 'permits');
  const waiting = stream.shuffle(crew);
  const permits: PlannedPermit[] = [];
  const inside: PlannedWorker[] = [];
  for (const { zone: name, reference, holders, inside: within, forMs } of plant.crew.permits) {
    const zone = plant.site.zones.find((one) => one.name === name);
    assert(zone, () => `${plant.site.name} has no ${name}.`);
    for (const [i, worker] of waiting.splice(0, holders).entries()) {
      permits.push({ reference, worker: worker.externalId!, zone: name, forMs });
      if (i < within) inside.push({ ...worker, zone: name, at: startPoint(zone, plant.site.zones, stream) });
    }
  }
  return { permits, inside };
}

function vehiclesOf(plant: CrewedPlant, crew: readonly PlannedWorker[]): PlannedVehicle[] {
  const free = [...crew];
  return plant.crew.vehicles.map(({ name, type, role }) => {
    const skilled = free.findIndex((worker) => worker.role === role);
    const [driver] = free.splice(Math.max(0, skilled), 1);
    return { name, type, driver: driver?.externalId ?? null };
  });
}
