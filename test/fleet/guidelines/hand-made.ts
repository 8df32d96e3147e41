/** Hand-made sites of the guideline tests: rooms, corridors and stairs, with the people of the fleet in them. */

import { boxRing, type Point } from '../../../src/base/geometry/shapes.ts';
import { Draws } from '../../../src/base/random/draws.ts';
import type { MusterNotice } from '../../../src/contract/watch.ts';
import type { FleetSite, FleetZone, SitePerson } from '../../../src/fleet/people/ground/site.ts';
import type { MusterKnobs } from '../../../src/fleet/people/muster/muster-knobs.ts';
import { WalkingPeople } from '../../../src/fleet/people/site-people.ts';

export const START = 1_791_180_000_000;
export const SECOND = 1_000;

export type Box = readonly [x1: number, y1: number, x2: number, y2: number];
type DoorSpec = readonly [x: number, y: number, width: number];

const ORIGIN = { latitude: 43.4, longitude: -8.4 };

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** All go at once, to the nearest point, and nothing else happens to them. */
export const PLAIN: MusterKnobs = {
  shares: { helps: 0, trapped: 0, injured: 0, wrong: 0, ignores: 0, returns: 0 },
  watches: { off: 0, uncovered: 0 },
  start: { mu: 0, sigma: 0.1, mostMs: SECOND },
  makeSafeShare: 0,
  habitShare: 0,
};

export function room(
  name: string,
  outline: Box | readonly Point[],
  doors: readonly DoorSpec[],
  more: Partial<FleetZone> = {},
): FleetZone {
  const ring = typeof outline[0] === 'number' ? boxRing(...(outline as Box)) : (outline as readonly Point[]);
  const ways = doors.map(([x, y, widthM]) => ({ at: [x, y] as const, widthM }));
  return { name, type: 'building', ring, floors: [], doors: ways, ...more };
}

export function point(name: string, box: Box, more: Partial<FleetZone> = {}): FleetZone {
  return { name, type: 'assembly_point', ring: boxRing(...box), floors: [], doors: [], ...more };
}

export interface PersonSpec {
  readonly at: Point;
  readonly pace?: number;
  readonly zone?: string;
  readonly floor?: string;
  readonly behave?: 'auto' | 'scripted';
}

/** People and their site, played second by second. */
export class Play {
  readonly site: FleetSite;
  readonly persons: readonly SitePerson[];
  people: WalkingPeople;

  constructor(zones: readonly FleetZone[], persons: readonly PersonSpec[], seed: string, knobs: MusterKnobs = PLAIN) {
    this.site = { id: 'hand-made', origin: ORIGIN, boundary: [], zones, vehicles: [] };
    this.persons = persons.map(
      ({ at, pace = 1.34, zone, floor, behave = 'auto' }, i): SitePerson => ({
        serial: `W-${i}`,
        at,
        area: [at, at, at],
        pace,
        behave,
        ...(zone === undefined ? {} : { zone }),
        ...(floor === undefined ? {} : { floor }),
      }),
    );
    this.people = new WalkingPeople(this.site, this.persons, seed, START, undefined, knobs);
  }

  get count(): number {
    return this.persons.length;
  }

  /** Sends a person to a place, now. */
  send(i: number, to: Point, second = 0): void {
    this.people.moveTo(i, [to], {}, START + second * SECOND);
  }

  sendAll(to: (i: number) => Point): void {
    for (let i = 0; i < this.count; i++) this.send(i, to(i));
  }

  /** A muster with all points of the site, but for those that are excluded. */
  alarm(second = 0, excluded: readonly string[] = [], revision = 1): void {
    const points = this.site.zones.flatMap(({ name, type, ring, floors }, n) => {
      if (type !== 'assembly_point') return [];
      const status = excluded.includes(name) ? ('excluded' as const) : ('available' as const);
      const at = this.people.frame.toDegrees(ring[0]!);
      return [{ id: uuid(n), name, ...at, vertical: floors.length > 0, status, serves: ['general' as const] }];
    });
    const notice: MusterNotice = {
      muster_id: uuid(99),
      status: 'active',
      phase: 'evacuating',
      deadline: null,
      kind: 'general',
      revision,
      points,
    };
    this.people.onMuster(notice, START + second * SECOND);
  }

  /** Where a person is, seconds after the start. */
  at(i: number, second: number): Point {
    return this.people.at(i, START + second * SECOND);
  }

  heightOf(i: number, second: number): number {
    return this.people.heightAt(i, this.at(i, second))?.heightM ?? 0;
  }

  /** The first second, in steps, at which it is so; infinity: never within the limit. */
  first(isSo: (second: number) => boolean, { step = 1, limit = 3_600 } = {}): number {
    for (let n = 0; n * step <= limit; n++) if (isSo(n * step)) return n * step;
    return Number.POSITIVE_INFINITY;
  }

  waitingAt(zone: string): number {
    return this.people.queues().reduce((sum, { door, waiting }) => sum + (door.zone === zone ? waiting : 0), 0);
  }
}

/** Random places in a box, none nearer to its sides than that; metres. */
export function scattered(count: number, [x1, y1, x2, y2]: Box, seed: string, fromSides = 0.4): Point[] {
  const draws = new Draws(seed, 'places', ['all']);
  return Array.from(
    { length: count },
    (): Point => [draws.between(0, x1 + fromSides, x2 - fromSides), draws.between(0, y1 + fromSides, y2 - fromSides)],
  );
}

/** Places in rows, as evenly as a number of people per square metre stands. */
export function spread(perM2: number, [x1, y1, x2, y2]: Box, seed: string): Point[] {
  const apart = 1 / Math.sqrt(perM2);
  const [columns, rows] = [Math.round((x2 - x1) / apart), Math.max(1, Math.round((y2 - y1) / apart))];
  const draws = new Draws(seed, 'places', ['all']);
  const along = (from: number, to: number, n: number, of: number): number =>
    from + ((n + draws.between(0, 0.2, 0.8)) * (to - from)) / of;
  return Array.from(
    { length: columns * rows },
    (_, n): Point => [along(x1, x2, Math.floor(n / rows), columns), along(y1, y2, n % rows, rows)],
  );
}

export const isIn = ([x, y]: Point, [x1, y1, x2, y2]: Box): boolean => x >= x1 && x <= x2 && y >= y1 && y <= y2;
