/** The plant of the published examples: no user's world, so the public document discloses none. [decisions 4] */
import { boxRing, type Point } from '../../../src/base/geometry/shapes.ts';
import { NOBODYS_WORDS as WORDS } from '../../../src/contract/actions.ts';
import { SCOPES, type ZoneType } from '../../../src/contract/enumerations.ts';
import type { Plan, PlannedSite, PlannedWorker, PlannedZone } from '../../../src/plant/plan.ts';

const zone = (name: string, type: ZoneType, ring: readonly Point[], extra: Partial<PlannedZone> = {}): PlannedZone => ({
  name,
  type,
  ring,
  assemblyPoint: null,
  floors: [],
  doors: [],
  ...extra,
});

const point = (name: string, ring: readonly Point[], elevationM: number): PlannedZone =>
  zone(name, 'assembly_point', ring, {
    assemblyPoint: {
      serves: ['general', 'tsunami', 'earthquake'],
      elevationM,
      elevationSource: 'verified',
      vertical: false,
      capacity: 80,
      minHeightM: null,
    },
  });

const NAMES = ['Ana', 'Ben', 'Cho', 'Dara', 'Eli', 'Fay', 'Gil', 'Hana', 'Ivo', 'Jun', 'Kai', 'Lea'];

const workers = (first: number, area: string): PlannedWorker[] =>
  NAMES.map((name, n) => {
    const number = String(first + n).padStart(3, '0');
    return {
      externalId: `EX-${number}`,
      name: `${name} Example ${first + n}`,
      role: n % 3 === 0 ? 'Welder' : 'Operator',
      contractor: n % 4 === 1 ? 'Example Crew, Ltd.' : null,
      watch: { serial: `EXW-${number}`, model: 'SafeBand 3', emulated: n < NAMES.length - 2 },
      at: [20 + 9.5 * n, 30 + 4.25 * n],
      zone: area,
      worn: 'on',
      batteryPct: 100 - n,
      pace: 1.4,
      behave: 'scripted',
    };
  });

const site = (parts: Pick<PlannedSite, 'name' | 'location' | 'privacyMode' | 'zones' | 'workers'>): PlannedSite => ({
  ...parts,
  unveilMinSeverity: 'high',
  origin: { latitude: 12.3456, longitude: -45.6789 },
  boundary: null,
  plan: { general: 900_000, tsunami: 1_200_000, earthquake: 900_000 },
  service: {},
  vehicles: [],
  permits: [],
});

export const EXAMPLE_PLAN: Plan = {
  organizations: [
    {
      name: 'Example Works Ltd',
      contract: { includeWorkerNames: true, scopes: SCOPES, contractors: null, technicalContact: 'ops@example.com' },
      sites: [
        site({
          name: WORDS.site,
          location: 'Example Bay',
          privacyMode: 'continuous',
          zones: [
            zone(WORDS.workArea, 'work_area', boxRing(0, 0, 200, 120)),
            zone(WORDS.restricted, 'restricted', boxRing(0, 150, 160, 260)),
            zone('Example Mess', 'privacy', boxRing(270, 150, 300, 180)),
            point(WORDS.gate, boxRing(-40, 0, -20, 20), 6),
            point(WORDS.hill, boxRing(-420, 380, -390, 410), 42),
          ],
          workers: workers(1, WORDS.workArea),
        }),
        site({
          name: 'Example Smelter',
          location: null,
          privacyMode: 'on_demand',
          zones: [
            zone('Example Furnace', 'work_area', boxRing(0, 0, 200, 120)),
            point('Example Lawn', boxRing(-40, 0, -20, 20), 6),
          ],
          workers: workers(61, 'Example Furnace'),
        }),
      ],
    },
  ],
};
