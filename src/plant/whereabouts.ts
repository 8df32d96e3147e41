/** The starting positions of the workers of a file: in a zone, at a point, or near each other. */

import { type Point, randomPointIn, signedDistance } from '../base/geometry/shapes.ts';
import { cos, sin } from '../base/random/portable-math.ts';
import { type Stream, streams } from '../base/random/streams.ts';
import { quoted } from '../contract/sentences.ts';
import { didYouMean, type FilePlace, type Sound } from './mistakes.ts';
import type { WorkerSection } from './people-schema.ts';
import type { PlannedZone } from './plan.ts';
import { type DraftSite, shapeOf } from './planned-site.ts';
import { middleOf, widthOf, ZoneIndex } from './zone-index.ts';

/** A zone, or undefined if its mistakes are reported. */
export type Named = PlannedZone | undefined;

/** The start of one worker. */
export interface Start {
  readonly site: DraftSite;
  readonly zone: Named;
  /** The position in metres. */
  readonly point: Point;
  /** True if the file defines the place. */
  readonly placed: boolean;
}

type PlacedEntry = Sound<WorkerSection>;

/** The default distance of a person from the worker of "near"; metres. */
const NEAR_M = 10;

/** The number of directions tried for a person near another. */
const DIRECTIONS = 48;

const PLACES = ['in', 'at', 'near'] as const;

/** Finds the start of each worker once. A worker of "near" is placed before the one who is near them. */
export class Whereabouts {
  readonly first: DraftSite;
  private readonly starts = new Map<string, Start>();
  private readonly underWay = new Set<string>();
  private readonly shapes = new Map<DraftSite, readonly Point[]>();
  private readonly workers: Readonly<Record<string, PlacedEntry | undefined>>;
  private readonly sites: readonly DraftSite[];
  private readonly at: FilePlace;
  private readonly seed: string;

  constructor(
    workers: Readonly<Record<string, PlacedEntry | undefined>>,
    sites: readonly DraftSite[],
    at: FilePlace,
    seed: string,
  ) {
    [this.workers, this.sites, this.at, this.seed] = [workers, sites, at, seed];
    this.first = sites[0]!;
  }

  /** A person's starting place; mistakes are reported at the first call. */
  of(short: string): Start {
    const known = this.starts.get(short);
    if (known !== undefined) return known;
    this.underWay.add(short);
    const start = this.find(short, this.workers[short] ?? {});
    this.underWay.delete(short);
    this.starts.set(short, start);
    return start;
  }

  /** The site of that name; the first one if none is named, or if none has the name. */
  siteOf(name: string | undefined, place: FilePlace): DraftSite {
    const found = this.sites.find(({ site }) => site.name === name);
    if (name === undefined || found !== undefined) return found ?? this.first;
    const names = this.sites.map(({ site }) => site.name);
    place.of('site').missing(`${quoted(name)} is not a site.${didYouMean(name, names)}`);
    return this.first;
  }

  /** The zone that `in` names; without `in`, the first work area. */
  zoneOf(name: string | undefined, isNamed: boolean, { site, zoneNames }: DraftSite, place: FilePlace): Named {
    if (!isNamed) return site.zones.find((zone) => zone.type === 'work_area') ?? site.zones[0];
    if (name === undefined) return undefined;
    // A zone that exists but is wrong has its own mistake.
    if (!zoneNames.includes(name) && zoneNames.length > 0) {
      const of = site.name === '' ? 'the site' : quoted(site.name);
      place.of('in').missing(`${quoted(name)} is not a zone of ${of}.${didYouMean(name, zoneNames)}`);
    }
    return site.zones.find((zone) => zone.name === name);
  }

  private find(short: string, section: PlacedEntry): Start {
    const place = this.at.of(short);
    const [way, second] = PLACES.filter((key) => Object.hasOwn(section, key));
    if (second !== undefined) {
      place.of(second).mistake('A worker begins in one place: "in", "at" or "near". Delete one.', 'key');
    }
    if (Object.hasOwn(section, 'distance') && !Object.hasOwn(section, 'near')) {
      place
        .of('distance')
        .mistake('"distance" is the distance from another worker: write "near" too, or delete it.', 'key');
    }
    if (way === 'near' && section.near !== undefined) return this.nearSomebody(short, section, section.near, place);
    const site = this.siteOf(section.site, place);
    if (way === 'at' && section.at !== undefined) return this.atPoint(short, section.at, site, place);
    if (way === 'at' || way === 'near') return { site, zone: undefined, point: [0, 0], placed: true };
    const zone = this.zoneOf(section.in, way === 'in', site, place);
    const point = zone === undefined ? ([0, 0] as const) : startPoint(zone, site.site.zones, this.streamOf(short));
    return { site, zone, point, placed: way === 'in' };
  }

  private atPoint(short: string, point: Point, site: DraftSite, place: FilePlace): Start {
    const complete = site.site.zones.length > 0 && site.site.zones.length === site.zoneNames.length;
    if (complete && signedDistance(point, this.shape(site)) < 0) {
      const shown = `[${point.join(', ')}] is outside the site`;
      place.of('at').warning(`${shown}: a muster does not expect ${quoted(short)} as long as they are there.`);
    }
    return {
      site,
      zone: indexesOf(site.site.zones).all.at(point) ?? this.zoneOf(undefined, false, site, place),
      point,
      placed: true,
    };
  }

  private nearSomebody(short: string, section: PlacedEntry, other: string, place: FilePlace): Start {
    const nowhere: Start = { site: this.siteOf(section.site, place), zone: undefined, point: [0, 0], placed: true };
    if (!Object.hasOwn(this.workers, other)) {
      const others = Object.keys(this.workers).filter((name) => name !== short);
      place.of('near').missing(`${quoted(other)} is not a worker.${didYouMean(other, others)}`);
      return nowhere;
    }
    if (this.underWay.has(other)) {
      const circle =
        other === short
          ? `${quoted(short)} is near nobody else`
          : `${quoted(short)} and ${quoted(other)} wait for each other`;
      place.of('near').mistake(`${circle}. Write "in" or "at" for one of them.`);
      return nowhere;
    }
    const { site, zone, point } = this.of(other);
    if (section.site !== undefined && nowhere.site !== site) {
      place.of('site').mistake(`${quoted(other)} is on another site. Delete "site".`);
    }
    return { site, zone, point: this.around(short, point, metresOf(section.distance), site, zone), placed: true };
  }

  /** A point at exactly that distance: if possible in the same zone, else in no zone that needs a permit. */
  private around(short: string, centre: Point, distanceM: number, { site }: DraftSite, zone: Named): Point {
    const from = this.streamOf(short).float();
    const ring = Array.from({ length: DIRECTIONS }, (_, i): Point => {
      const angle = (from + i / DIRECTIONS) * 2 * Math.PI;
      return [centre[0] + distanceM * cos(angle), centre[1] + distanceM * sin(angle)];
    });
    const { all, guarded } = indexesOf(site.zones);
    const isIn = (point: Point): boolean => zone !== undefined && signedDistance(point, zone.ring) >= 0;
    const inZone = ring.find((point) => isIn(point) && all.at(point) === zone);
    return inZone ?? ring.find((point) => guarded.at(point) === undefined) ?? ring[0]!;
  }

  private shape(site: DraftSite): readonly Point[] {
    const shape = this.shapes.get(site) ?? shapeOf(site.site);
    this.shapes.set(site, shape);
    return shape;
  }

  private streamOf(short: string) {
    return streams(this.seed).stream(short, 'start');
  }
}

/** The metres in `40m`, `0.5km` or a plain number. */
function metresOf(distance: number | string | undefined): number {
  if (typeof distance !== 'string') return distance ?? NEAR_M;
  const value = Number.parseFloat(distance);
  return distance.endsWith('km') ? value * 1000 : value;
}

// The positions of people at the start: inside their zone, and outside other zones that they may not enter.

/** The distance from the border at which a fix with its error is inside too; metres. */
const COMFORT_M = 6;

const TRIES = 60;

/**
 * A point inside the zone, away from its border if the zone is wide enough, and outside all other guarded zones,
 * privacy zones and assembly points.
 */
export function startPoint(zone: PlannedZone, zones: readonly PlannedZone[], stream: Stream): Point {
  const margin = Math.min(COMFORT_M, widthOf(zone.ring) / 4);
  const { apart } = indexesOf(zones);
  for (let i = 0; i < TRIES; i++) {
    const point = randomPointIn(zone.ring, stream);
    if (signedDistance(point, zone.ring) >= margin && !apart.at(point, zone)) return point;
  }
  return middleOf(zone.ring);
}

interface ZoneIndexes {
  readonly all: ZoneIndex;
  readonly guarded: ZoneIndex;
  readonly apart: ZoneIndex;
}

const known = new WeakMap<readonly PlannedZone[], ZoneIndexes>();

/** Built once for the zones of a site. */
function indexesOf(zones: readonly PlannedZone[]): ZoneIndexes {
  const indexes = known.get(zones) ?? {
    all: new ZoneIndex(zones),
    guarded: new ZoneIndex(zones.filter(isGuarded)),
    apart: new ZoneIndex(zones.filter(isApart)),
  };
  known.set(zones, indexes);
  return indexes;
}

/** True if entering the zone without a permit raises an alert. [decisions 5] */
export function isGuarded(zone: PlannedZone): boolean {
  return zone.type === 'restricted' || zone.type === 'forbidden';
}

function isApart(zone: PlannedZone): boolean {
  return isGuarded(zone) || zone.type === 'privacy' || zone.type === 'assembly_point';
}
