/** The plant of generated scenarios: that of the file, or a small default plant with two sites. */
import { isMap, type JsonMap } from '../../contract/schema.ts';
import type { LoadedScenario } from '../../scenario/reading/load.ts';

/** The people, zones, sites and receivers that moves can name. */
export interface GeneratedScenarioPlant {
  readonly people: readonly string[];
  readonly zones: readonly { readonly site: string; readonly name: string; readonly type: string }[];
  readonly sites: readonly string[];
  /** The site of each person. */
  readonly siteOf: Readonly<Record<string, string | undefined>>;
  /** Groups of workers in the file. */
  readonly groups: readonly { readonly name: string; readonly count: number }[];
  readonly receivers: readonly string[];
  /** True if new secrets are sent to the user's system. */
  readonly tellsSecrets: boolean;
  /** Interval of the wake calls to the user's system, in ms; null if there are none. */
  readonly wakeEveryMs: number | null;
}

/** A continuous site and an on-demand one, two firms, a restricted, a forbidden and a privacy zone, and two assembly points. */
const DEFAULT_PLANT: JsonMap = {
  sites: {
    Harbour: {
      origin: [43.361, -8.412],
      zones: {
        Dock: { type: 'work_area', box: [0, 0, 200, 120] },
        'Tank farm': { type: 'restricted', box: [0, 150, 160, 260] },
        Silo: { type: 'forbidden', box: [200, 150, 260, 220] },
        'Locker room': { type: 'privacy', box: [-20, 40, -5, 60] },
        Gate: { type: 'assembly_point', box: [-40, 0, -20, 20], serves: ['general', 'earthquake'] },
        Hill: { type: 'assembly_point', box: [-420, 380, -390, 410], serves: ['general', 'tsunami'], elevation_m: 42 },
      },
    },
    Depot: {
      origin: [43.4, -8.3],
      privacy_mode: 'on_demand',
      unveil_min_severity: 'high',
      zones: {
        Yard: { type: 'work_area', box: [0, 0, 90, 90] },
        Fence: { type: 'assembly_point', box: [-40, 0, -20, 20], serves: ['general', 'tsunami', 'earthquake'] },
      },
    },
  },
  service: { position_every: '5m', no_signal_after: '11m', offline_after: '30m' },
  workers: {
    ana: { site: 'Harbour', in: 'Dock' },
    bo: { site: 'Harbour', in: 'Dock', contractor: 'Norte' },
    cem: { site: 'Harbour', in: 'Dock' },
    dee: { site: 'Depot', in: 'Yard' },
  },
};

/** Returns the plant sections that a file without a plant receives. */
export function missingPlant(value: JsonMap): JsonMap {
  if (value['site'] === undefined && value['sites'] === undefined) {
    const { sites, service, workers } = DEFAULT_PLANT;
    return { sites, ...(value['service'] === undefined ? { service } : {}), workers };
  }
  return {};
}

/** The group of workers that a scenario has in addition to the plant, if a step names it. */
export const CREW = 'crew';

/** Sections of a plant that a scenario can bring. A stored one brings no others. */
export const isPlantSection = (name: string): boolean => name === 'crowd' || Object.hasOwn(DEFAULT_PLANT, name);

/** Returns the sections with as many workers of the group as a step names. `sites`: those of the whole plant. */
export function withCrew(sections: JsonMap, steps: readonly JsonMap[], sites: readonly string[]): JsonMap {
  const counts = [...JSON.stringify(steps).matchAll(CREW_NAMED)].map(([, count]) => Number(count));
  if (counts.length === 0) return sections;
  const site = sites.length > 1 ? { site: sites[0] } : {};
  return { ...sections, crowd: { [CREW]: { count: Math.max(...counts), ...site } } };
}

const CREW_NAMED = new RegExp(`"(\\d+) of ${CREW}"`, 'g');

export function plantOf(loaded: Extract<LoadedScenario, { ok: true }>): GeneratedScenarioPlant {
  const { plan, receivers, system } = loaded.scenario;
  const sites = plan.organizations[0]?.sites ?? [];
  const zones = sites.flatMap((site) => site.zones.map(({ name, type }) => ({ site: site.name, name, type })));
  const { workers, crowd } = loaded.source.value;
  const people = isMap(workers) ? Object.entries(workers) : [];
  const siteOf = Object.fromEntries(
    people.map(([name, section]) => [
      name,
      sites.length === 1 ? sites[0]?.name : isMap(section) ? (section['site'] as string | undefined) : undefined,
    ]),
  );
  return {
    people: people.map(([name]) => name),
    zones,
    sites: sites.map(({ name }) => name),
    siteOf,
    groups: Object.entries(isMap(crowd) ? crowd : {}).flatMap(([name, group]) => {
      const count = isMap(group) ? group['count'] : group;
      return typeof count === 'number' ? [{ name, count }] : [];
    }),
    receivers: receivers.map(({ name }) => name),
    tellsSecrets: system?.secretTo != null,
    wakeEveryMs: system?.wake?.everyMs ?? null,
  };
}
