/** The plants of a scenario by the names that steps use: sites, zones, and the site of each person. */
import type { Plan } from '../../plant/plan.ts';

export interface Plants {
  /** Names of all sites and zones; empty if they could not be read. */
  readonly sites: readonly string[];
  readonly zones: readonly string[];
  /** Names of the zones that are assembly points. */
  readonly points: readonly string[];
  /** Names of the sites of the file's own company. */
  readonly ownSites: readonly string[];
  /** The zones of each site. */
  readonly zonesOf: ReadonlyMap<string, readonly string[]>;
  /** The site of each person, by external id. */
  readonly siteOf: ReadonlyMap<string, string>;
  /** The serials of the watches. */
  readonly serials: readonly string[];
}

/** No plants, or unreadable ones. */
export const NO_PLANTS: Plants = {
  sites: [],
  zones: [],
  points: [],
  ownSites: [],
  zonesOf: new Map(),
  siteOf: new Map(),
  serials: [],
};

/** The file's own company is the first of the plan. */
export function plantsOf({ organizations }: Plan): Plants {
  const sites = organizations.flatMap((organization) => organization.sites);
  return {
    sites: sites.map(({ name }) => name),
    zones: sites.flatMap(({ zones }) => zones.map(({ name }) => name)),
    points: sites.flatMap(({ zones }) => zones.flatMap(({ name, type }) => (type === 'assembly_point' ? [name] : []))),
    ownSites: (organizations[0]?.sites ?? []).map(({ name }) => name),
    zonesOf: new Map(sites.map(({ name, zones }) => [name, zones.map((zone) => zone.name)])),
    siteOf: new Map(
      sites.flatMap(({ name, workers }) =>
        workers.flatMap(({ externalId }) => (externalId === null ? [] : [[externalId, name] as const])),
      ),
    ),
    serials: sites.flatMap(({ workers }) => workers.map(({ watch }) => watch.serial)),
  };
}
