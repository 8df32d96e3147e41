/** Compares the zones of a site with the targets of its musters and the positions of its alerts, and checks the veil. [spec 2] */
import { isMap, type JsonMap } from '../../../contract/schema.ts';
import type { ApiExchange, ContractFinding } from '../exchange.ts';
import { finding } from '../judging/contents.ts';

/** A position that is farther than this from a zone is not in the zone, even with a large uncertainty. */
const FAR_DEGREES = 1;

interface KnownZone {
  readonly serves: readonly unknown[] | null;
  /** Longitude and latitude of one corner; null if the zone shows no geometry. */
  readonly corner: readonly [number, number] | null;
}

const maps = (value: unknown): JsonMap[] => (Array.isArray(value) ? value.filter(isMap) : []);
const map = (value: unknown): JsonMap => (isMap(value) ? value : {});

/** The zones as one viewer reads them. */
export class PlantHistory {
  /** Zones by site id and zone id. */
  readonly #zones = new Map<string, ReadonlyMap<string, KnownZone>>();
  #seesPositions = false;

  /** `path`: the path of the route. */
  answer(path: string, call: ApiExchange, all: readonly JsonMap[]): ContractFinding[] {
    if (path === '/v1/positions') this.#seesPositions = true;
    if (path === '/v1/sites/:site_id/zones' && call.query === '')
      this.#zones.set(call.path.split('/')[3] ?? '', new Map(all.map((zone) => [String(zone['id']), zoneOf(zone)])));
    if (path.startsWith('/v1/alerts')) return all.flatMap((one) => this.#placed(one));
    if (path === '/v1/musters' || path === '/v1/musters/:muster_id') return all.flatMap((one) => this.#targets(one));
    if (path.endsWith('/missing')) return this.#withheld(all);
    return [];
  }

  /** The targets of a muster are all points that serve its kind, including excluded points. [spec 2 Muster] */
  #targets({ status, site, kind, assembly_points: points }: JsonMap): ContractFinding[] {
    const zones = this.#zones.get(String(map(site)['id']));
    if (status !== 'active' || zones === undefined) return [];
    const ids = maps(points).map(({ id }) => String(id));
    const serving = [...zones].filter(([, { serves }]) => serves?.includes(kind)).map(([id]) => id);
    const of = (detail: string) => [finding('targets', '[spec 2 Muster]', '/assembly_points', detail)];
    if (ids.some((id) => !serving.includes(id))) return of(`has a point that does not serve ${String(kind)}`);
    return serving.some((id) => !ids.includes(id)) ? of(`lacks a point that serves ${String(kind)}`) : [];
  }

  /** A coordinate pair of a polygon is longitude, then latitude. [spec 2 Zone, RFC 7946 3.1.1] */
  #placed({ site, zone, location }: JsonMap): ContractFinding[] {
    const { corner } = this.#zones.get(String(map(site)['id']))?.get(String(map(zone)['id'])) ?? { corner: null };
    const { latitude, longitude } = map(location);
    if (corner === null || typeof latitude !== 'number' || typeof longitude !== 'number') return [];
    const isFar = Math.abs(corner[0] - longitude) > FAR_DEGREES || Math.abs(corner[1] - latitude) > FAR_DEGREES;
    const detail = 'is far from the zone; the order in its corners is longitude, latitude';
    return isFar ? [finding('geometry', '[spec 2 Zone]', '/location', detail)] : [];
  }

  /** During an evacuation, the veil hides no position. [spec 2 Site] */
  #withheld(entries: readonly JsonMap[]): ContractFinding[] {
    if (!this.#seesPositions || !entries.some(({ location_withheld: withheld }) => withheld === true)) return [];
    return [finding('veil', '[spec 2 Site]', '/data/*/location_withheld', 'is true during an evacuation')];
  }
}

function zoneOf({ geometry, assembly_point: point }: JsonMap): KnownZone {
  const rings = map(geometry)['coordinates'];
  const [first] = Array.isArray(rings) && Array.isArray(rings[0]) ? (rings[0] as unknown[]) : [];
  const [longitude, latitude] = Array.isArray(first) ? (first as unknown[]) : [];
  const isPlace = typeof longitude === 'number' && typeof latitude === 'number';
  const { serves } = map(point);
  return { serves: Array.isArray(serves) ? serves : null, corner: isPlace ? [longitude, latitude] : null };
}
