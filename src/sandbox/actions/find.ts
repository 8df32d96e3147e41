/** Finds the object of an action (a person, a site, a zone, an alert) by id or by a unique name. Objects of other companies are not found. [decisions 9] */

import { type Point, pointInPolygon, representativePoint, signedDistance } from '../../base/geometry/shapes.ts';
import { given } from '../../base/given.ts';
import { cos, sin } from '../../base/random/portable-math.ts';
import { isSameName } from '../../base/text/same-name.ts';
import { parseDuration } from '../../base/time/durations.ts';
import { parseInstant } from '../../base/time/instants.ts';
import type { ActionResult } from '../../contract/actions.ts';
import { withSeconds } from '../../contract/formats.ts';
import { didYouMean } from '../../contract/sentences.ts';
import { mayRead, seesAlert, seesWorker, type TokenViewer } from '../../service/domain/access/viewer.ts';
import { type Rejection, reject } from '../../service/domain/changes.ts';
import { frameOf, zonesOf } from '../../service/domain/privacy/places.ts';
import { seesDevice } from '../../service/domain/views/plant.ts';
import type { Alert, Device, Muster, Site, Worker, Zone } from '../../service/domain/world/documents.ts';
import type { World } from '../../service/domain/world/world.ts';

/** A person and the watch that they wear. */
export interface Actor {
  readonly worker: Worker;
  readonly device: Device;
}

/** The forms in which the fields of an action give a place. */
type PlaceInput = string | { latitude: number; longitude: number } | readonly number[];

/**
 * Refusals repeat only the word of the caller and name no other person, because the caller may not be allowed to see
 * other people. [decisions 4]
 */
export class Finder {
  readonly #world: World;
  /** Null: the control token, which sees all objects. */
  readonly viewer: TokenViewer | null;
  readonly #only: ReadonlySet<string> | null;

  /** `only`: the ids of the sites that exist for the caller; null: all. */
  constructor(world: World, viewer: TokenViewer | null, only: ReadonlySet<string> | null = null) {
    this.#world = world;
    this.viewer = viewer;
    this.#only = only;
  }

  /** Finds a person by a worker's external_id or id, or by a watch's serial; the worker must wear a watch. */
  actor(who: string, pointer = '/who'): Actor | Rejection {
    const serialOwner = this.#world.indexes.deviceId(who);
    const device = serialOwner === undefined ? undefined : this.#world.get('device', serialOwner);
    const worker = device?.workerId != null ? this.#world.get('worker', device.workerId) : this.#worker(who);
    if (worker === undefined || !this.#sees(worker)) {
      return reject('not_found', `There is no worker or watch "${who}".${didYouMean(who, this.#known())}`, [
        { pointer, detail: `"${who}" is not known` },
      ]);
    }
    const worn = worker.deviceId === null ? undefined : this.#world.get('device', worker.deviceId);
    return worn === undefined ? reject('action_refused', `"${who}" wears no watch.`) : { worker, device: worn };
  }

  /** Returns the watch with this serial, worn or not; undefined if there is none that the caller may see. */
  watch(serial: string): Device | undefined {
    const id = this.#world.indexes.deviceId(serial);
    const device = id === undefined ? undefined : this.#world.get('device', id);
    if (device === undefined || !this.#has(device.siteId)) return undefined;
    return this.viewer === null || seesDevice(this.#world, device, this.viewer) ? device : undefined;
  }

  /** Returns the named site, else the site of the person, else the only site. */
  site(named: string | undefined, actor: Actor | null = null, pointer = '/site'): Site | Rejection {
    if (named === undefined && actor !== null) return this.#world.need('site', actor.device.siteId);
    const sites = [...this.#world.all('site')].filter((site) => this.#owns(site.organizationId) && this.#has(site.id));
    if (named === undefined) {
      const [only] = sites;
      if (only !== undefined && sites.length === 1) return only;
      const names = sites.map(({ name }) => name).join(', ');
      return reject('validation_failed', `There is more than one site; name one: ${names}.`, [
        { pointer, detail: 'is required' },
      ]);
    }
    return oneOf('site', named, sites, { pointer });
  }

  /** Finds a zone of the site. */
  zone(named: string, site: Site, pointer = '/zone'): Zone | Rejection {
    const hints = mayRead(this.viewer, 'alerts:read');
    return oneOf('zone', named, zonesOf(this.#world, site.id), { pointer, where: ` on ${site.name}`, hints });
  }

  /** Finds a zone of any site that the caller may see. */
  zoneAnywhere(named: string, pointer: string): Zone | Rejection {
    const zones = [...this.#world.all('zone')].filter(
      ({ siteId }) => this.#has(siteId) && this.#owns(this.#world.need('site', siteId).organizationId),
    );
    return oneOf('zone', named, zones, { pointer, hints: mayRead(this.viewer, 'alerts:read') });
  }

  /** Returns the named muster; without a name, the active muster, on the given site if it is known. */
  muster(named: string | undefined, siteId: string | null): Muster | Rejection {
    if (named !== undefined) {
      const muster = this.#world.get('muster', named.toLowerCase());
      if (muster !== undefined && this.#owns(muster.organizationId)) return muster;
      return reject('not_found', `There is no muster "${named}".`, [
        { pointer: '/muster', detail: `"${named}" is not known` },
      ]);
    }
    const active = [...this.#world.indexes.activeMusters()].filter(
      ({ site }) => this.#has(site.id) && (siteId === null || site.id === siteId),
    );
    const [muster] = active;
    if (muster === undefined) return reject('action_refused', 'No muster is active.');
    return active.length === 1
      ? muster
      : reject('validation_failed', 'More than one muster is active; name one.', [
          { pointer: '/muster', detail: 'is required' },
        ]);
  }

  alert(id: string, pointer = '/alert'): Alert | Rejection {
    const alert = this.#world.get('alert', id.toLowerCase());
    if (alert !== undefined && this.#seesAlert(alert)) return alert;
    return reject('not_found', `There is no alert ${id}.`, [{ pointer, detail: `"${id}" is not known` }]);
  }

  /** Converts a place on the site to metres; for a zone, a point inside it. */
  point(place: PlaceInput, site: Site, pointer: string): Point | Rejection {
    if (typeof place === 'string') {
      const zone = this.zone(place, site, pointer);
      return 'rejected' in zone ? zone : deepestPoint(zone.ring);
    }
    if ('latitude' in place) return frameOf(site).toMetres(place);
    return [place[0] as number, place[1] as number];
  }

  #worker(who: string): Worker | undefined {
    const byId = this.#world.get('worker', who.toLowerCase());
    if (byId !== undefined) return byId;
    for (const worker of this.#world.all('worker'))
      if (isSameName(worker.externalId ?? '', who) && this.#sees(worker)) return worker;
    return undefined;
  }

  /** The names and serials by which people and watches can be found, if the caller may read them. */
  #known(): string[] {
    if (!mayRead(this.viewer, 'workers:read')) return [];
    const seen = [...this.#world.all('worker')].filter((worker) => this.#sees(worker));
    const serials = seen.map(({ deviceId }) => this.#world.get('device', deviceId ?? '')?.serial);
    return [...seen.map(({ externalId }) => externalId), ...serials].filter((name) => name != null);
  }

  /** Removes the ids that the caller may not know: an action may touch objects that its token cannot read. */
  shown(result: ActionResult): ActionResult {
    const { alert_id = '', joined, muster_id, ...rest } = result;
    const alert = this.#world.known('alert', alert_id);
    return {
      ...rest,
      ...(alert !== undefined && this.#seesAlert(alert) ? { alert_id, ...given({ joined }) } : {}),
      ...(muster_id !== undefined && mayRead(this.viewer, 'musters:read') ? { muster_id } : {}),
    };
  }

  #seesAlert(alert: Alert): boolean {
    return this.viewer === null || (mayRead(this.viewer, 'alerts:read') && seesAlert(this.viewer, alert));
  }

  #sees(worker: Worker): boolean {
    return this.#has(worker.siteId) && seesWorker(this.viewer, worker);
  }

  #has(siteId: string): boolean {
    return this.#only === null || this.#only.has(siteId);
  }

  #owns(organizationId: string): boolean {
    return this.viewer === null || this.viewer.organizationId === organizationId;
  }
}

function oneOf<T extends { readonly id: string; readonly name: string }>(
  what: string,
  named: string,
  all: readonly T[],
  /** `hints`: whether the caller may read the names of the other objects. */
  { pointer, where = '', hints = true }: { pointer: string; where?: string; hints?: boolean },
): T | Rejection {
  const found = all.filter(({ id, name }) => id === named.toLowerCase() || isSameName(name, named));
  const [one] = found;
  if (one !== undefined && found.length === 1) return one;
  if (found.length > 1)
    return reject('validation_failed', `There are ${found.length} ${what}s "${named}"${where}; name one by its id.`, [
      { pointer, detail: 'is not unique' },
    ]);
  const hint = hints
    ? didYouMean(
        named,
        all.map(({ name }) => name),
      )
    : '';
  return reject('not_found', `There is no ${what} "${named}"${where}.${hint}`, [
    { pointer, detail: `"${named}" is not known` },
  ]);
}

/** Number of points tried on each axis. */
const GRID = 24;

/** Returns a point of the ring that is about as far from its border as possible. The result is deterministic. */
export function deepestPoint(ring: readonly Point[]): Point {
  const xs = ring.map(([x]) => x);
  const ys = ring.map(([, y]) => y);
  const [minX, maxX, minY, maxY] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  let best: Point = representativePoint(ring);
  let depth = signedDistance(best, ring);
  for (let column = 1; column < GRID; column++)
    for (let row = 1; row < GRID; row++) {
      const point: Point = [minX + ((maxX - minX) * column) / GRID, minY + ((maxY - minY) * row) / GRID];
      const here = signedDistance(point, ring);
      if (here > depth + 1e-9) [best, depth] = [point, here];
    }
  return best;
}

/** Number of directions in which a point outside is searched for. */
const DIRECTIONS = 72;

/** Returns the nearest point that is outside the zone by the margin, in metres, and in none of the other zones. */
export function pointOutside(from: Point, zone: Zone, others: readonly Zone[], marginM: number): Point {
  const ring = zone.ring;
  const clear = (point: Point): boolean =>
    signedDistance(point, ring) <= -marginM && !others.some((one) => pointInPolygon(point, one.ring));
  for (let radius = marginM; radius < 20_000; radius += Math.max(2, radius * 0.1))
    for (let turn = 0; turn < DIRECTIONS; turn++) {
      const angle = (turn / DIRECTIONS) * 2 * Math.PI;
      const point: Point = [from[0] + radius * cos(angle), from[1] + radius * sin(angle)];
      if (clear(point)) return point;
    }
  return from;
}

/** Converts the time of an action: a duration from now, or an instant. */
export function momentOf(text: string, now: number): number {
  const duration = parseDuration(text);
  return duration === null ? (parseInstant(withSeconds(text)) ?? now) : now + duration;
}

/** Converts a distance to metres: a number of metres, `12m` or `0.5km`. */
export function metresOf(distance: number | string): number {
  if (typeof distance === 'number') return distance;
  const value = Number.parseFloat(distance);
  return distance.endsWith('km') ? value * 1000 : value;
}
