/** Converts the sections `site`, `contract` and `service` to their planned forms. Every mistake is reported. */

import { boxRing, convexHull, frame, grow, type Point, signedDistance } from '../base/geometry/shapes.ts';
import { parseDuration } from '../base/time/durations.ts';
import type { ReadText } from '../base/user-files.ts';
import { MUSTER_KINDS, type MusterKind, SCOPES } from '../contract/enumerations.ts';
import { DEFAULT_DOOR_M, DEFAULT_ROOM_PER_M2, DEFAULT_STAIR_M } from '../contract/plant-defaults.ts';
import type { JsonMap } from '../contract/schema.ts';
import { quoted } from '../contract/sentences.ts';
import type { FilePlace, Sound } from './mistakes.ts';
import { sayNarrow } from './narrow-gaps.ts';
import type { PlannedContract, PlannedSite, PlannedZone } from './plan.ts';
import { plannedZone } from './planned-zone.ts';
import { soundRing } from './rings.ts';
import type { ContractSection, SiteSection } from './site-schema.ts';
import { DEFAULT_THRESHOLDS, type PlannedService, serviceOf } from './thresholds.ts';

/** The site's shape, if the file defines none, is the hull of the zones enlarged by this; metres. [decisions 6] */
const MARGIN_M = 200;

/** The greatest latitude of a site, since the local frame is not valid near the poles; degrees. */
const FARTHEST_LATITUDE = 85;

/** A site from a file, without its people. */
export interface DraftSite {
  /** Complete if the report has no mistake; else the part that could be read. */
  readonly site: PlannedSite;
  /** The names of all zones, including those whose mistakes exclude them from `site`. */
  readonly zoneNames: readonly string[];
}

export interface SiteOptions {
  readonly service?: PlannedService;
  /** Reads a file that is named in this one: a GeoJSON outline. */
  readonly readFile?: ReadText;
}

/** The contract of a file that defines none: all scopes, with names. */
export const DEFAULT_CONTRACT: PlannedContract = {
  includeWorkerNames: true,
  scopes: SCOPES,
  contractors: null,
  technicalContact: 'integration@customer.example',
};

/** Converts `site:`, after `checkSection`, to a site without people. */
export function plannedSite(section: Sound<SiteSection>, at: FilePlace, options: SiteOptions = {}): DraftSite {
  const origin = originOf(section, at);
  const surroundings = { frame: frame(origin), readFile: options.readFile };
  const namesBefore = new Map<string, string>();
  const zones = Object.entries(section.zones ?? {}).flatMap(([name, zone]): PlannedZone[] => {
    const place = at.of('zones', name);
    sayZoneName(name, namesBefore, place);
    const planned = zone === undefined ? null : plannedZone(name, zone, place, surroundings);
    return planned === null ? [] : [planned];
  });
  if (section.zones !== undefined && Object.keys(section.zones).length === 0) {
    at.of('zones').mistake('A site has at least one zone. Write a name, a colon and a zone.', 'key');
  }
  const boundary = boundaryOf(section, at);
  const plan = planOf(section.plan ?? {});
  sayOutside(zones, boundary, at);
  sayUnserved(zones, plan, section, at);
  sayNarrow(zones, at);
  sayAssumed(zones, at);
  const site: PlannedSite = {
    name: section.name ?? '',
    location: section.location ?? null,
    privacyMode: section.privacy_mode ?? 'continuous',
    unveilMinSeverity: section.unveil_min_severity ?? 'high',
    origin,
    boundary,
    plan,
    service: options.service ?? {},
    zones,
    water: (section.water ?? []).flatMap((corners, i) => {
      const ring = corners === undefined ? null : soundRing(corners, 'The water', at.of('water', i));
      return ring === null ? [] : [ring];
    }),
    workers: [],
    vehicles: [],
    permits: [],
  };
  return { site, zoneNames: Object.keys(section.zones ?? {}) };
}

/** The ring that contains the people of the site: its boundary, or the enlarged hull of the zones. [decisions 6] */
export function shapeOf(site: Pick<PlannedSite, 'boundary' | 'zones'>): readonly Point[] {
  return site.boundary ?? grow(convexHull(site.zones.flatMap((zone) => zone.ring)), MARGIN_M);
}

/** Converts `contract:` to the fields that it defines. The caller merges them into its own contract. */
export function plannedContract(section: Sound<ContractSection>): Partial<PlannedContract> {
  const { include_worker_names, scopes, contractors, technical_contact } = section;
  return {
    ...(include_worker_names === undefined ? {} : { includeWorkerNames: include_worker_names }),
    // In the order of the specification's table. [decisions 3]
    ...(scopes === undefined ? {} : { scopes: SCOPES.filter((scope) => scopes === 'all' || scopes.includes(scope)) }),
    ...(contractors === undefined ? {} : { contractors: contractors === null ? null : [...new Set(contractors)] }),
    ...(technical_contact === undefined ? {} : { technicalContact: technical_contact }),
  };
}

/** Converts `service:` to the thresholds that it defines. */
export function plannedService(section: JsonMap, at: FilePlace): PlannedService {
  const service = serviceOf(section);
  const { lowBatteryPct: low, lowBatteryClearPct: clear } = service;
  const { lowBatteryPct, lowBatteryClearPct } = { ...DEFAULT_THRESHOLDS, ...service };
  if ((low !== undefined || clear !== undefined) && lowBatteryPct >= lowBatteryClearPct) {
    const key = clear === undefined ? 'low_battery_pct' : 'low_battery_clear_pct';
    at.of(key).mistake(
      `A battery is low at ${lowBatteryPct} % and good again at ${lowBatteryClearPct} %. Write a higher "low_battery_clear_pct".`,
    );
  }
  return service;
}

function ms(duration: string | undefined): number | undefined {
  return duration === undefined ? undefined : (parseDuration(duration) ?? undefined);
}

function originOf(section: Sound<SiteSection>, at: FilePlace): PlannedSite['origin'] {
  const [latitude, longitude] = section.origin ?? [0, 0];
  const place = at.of('origin');
  if (Math.abs(latitude) <= FARTHEST_LATITUDE && Math.abs(longitude) <= 180) return { latitude, longitude };
  if (Math.abs(latitude) > FARTHEST_LATITUDE) {
    const fix = `Write [latitude, longitude], the first -${FARTHEST_LATITUDE} to ${FARTHEST_LATITUDE}.`;
    place.of(0).mistake(`${latitude} is not the latitude of a site. ${fix}`);
  }
  if (Math.abs(longitude) > 180) {
    place.of(1).mistake(`${longitude} is not a longitude. Write [latitude, longitude], the second -180 to 180.`);
  }
  return { latitude: 0, longitude: 0 };
}

function boundaryOf(section: Sound<SiteSection>, at: FilePlace): Point[] | null {
  const { boundary } = section;
  if (boundary === undefined) return null;
  return soundRing(isBox(boundary) ? boxRing(...boundary) : boundary, 'The boundary', at.of('boundary'));
}

type Boundary = NonNullable<SiteSection['boundary']>;

function isBox(boundary: Boundary): boundary is Extract<Boundary, readonly [number, number, number, number]> {
  return typeof boundary[0] === 'number';
}

function planOf(section: NonNullable<Sound<SiteSection>['plan']>): PlannedSite['plan'] {
  const plan: Partial<Record<MusterKind, number>> = {};
  for (const kind of MUSTER_KINDS) {
    const ceiling = ms(section[kind]);
    if (ceiling !== undefined) plan[kind] = ceiling;
  }
  return plan;
}

/** A name that differs from another zone's name only in capitals would be mistaken for that zone. */
function sayZoneName(name: string, namesBefore: Map<string, string>, at: FilePlace): void {
  if (name.trim() === '') at.mistake('A zone has a name. Write it before the colon.', 'key');
  const plain = name.trim().toLowerCase();
  const twin = namesBefore.get(plain);
  if (twin === undefined) namesBefore.set(plain, name);
  else {
    at.mistake(`${quoted(name)} differs from the zone ${quoted(twin)} in capitals only. Rename one.`, 'key');
  }
}

function sayOutside(zones: readonly PlannedZone[], boundary: readonly Point[] | null, at: FilePlace): void {
  if (boundary === null) return;
  for (const { name, ring } of zones) {
    if (ring.every((corner) => signedDistance(corner, boundary) >= 0)) continue;
    at.of('zones', name).warning(`${quoted(name)} is not wholly inside the boundary of the site.`, 'key');
  }
}

function sayUnserved(
  zones: readonly PlannedZone[],
  plan: PlannedSite['plan'],
  section: Sound<SiteSection>,
  at: FilePlace,
): void {
  // A zone that could not be read may be the missing assembly point.
  if (section.zones === undefined || zones.length < Object.keys(section.zones).length) return;
  for (const kind of MUSTER_KINDS.filter((one) => one === 'general' || plan[one] !== undefined)) {
    if (zones.some((zone) => zone.assemblyPoint?.serves.includes(kind))) continue;
    at.of('zones').warning(`No assembly point serves the kind ${kind}: in such a muster nobody can be safe.`, 'key');
  }
}

/** What emulated people assume about zones if the file does not define it: one note for each subject. */
const ASSUMED: readonly { silent(zone: PlannedZone): boolean; says: string }[] = [
  {
    silent: ({ type, floors, doors }) => doors.length === 0 && (type === 'building' || floors.length > 0),
    says: `no doors: people use one of ${DEFAULT_DOOR_M} m in the middle of each side. Write doors: [[x, y, width]].`,
  },
  {
    silent: ({ floors, stairs = [] }) => stairs.length === 0 && floors.length > 1,
    says: `no stairs: people climb one of ${DEFAULT_STAIR_M} m in the middle. Write stairs: [[x, y, width]].`,
  },
  {
    silent: ({ assemblyPoint }) => assemblyPoint !== null && assemblyPoint.capacity === null,
    says: `no capacity: people find room for ${DEFAULT_ROOM_PER_M2} per square metre. Write capacity: 80.`,
  },
];

function sayAssumed(zones: readonly PlannedZone[], at: FilePlace): void {
  for (const { silent, says } of ASSUMED) {
    const names = zones.filter(silent).map(({ name }) => quoted(name));
    if (names.length > 0)
      at.of('zones').note(`${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} ${says}`, 'key');
  }
}
