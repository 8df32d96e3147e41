/** The queries of a scenario's checks to the running sandbox: the replies of its API, for an unscoped client of the company or for the token of the run. */
import { isDeepStrictEqual } from 'node:util';
import { formatInstant } from '../base/time/instants.ts';
import { SCOPES } from '../contract/enumerations.ts';
import { MAX_LIMIT } from '../contract/requests.ts';
import type {
  Alert,
  Device,
  MissingWorker,
  Muster,
  Position,
  WebhookDestination,
  Worker as WorkerBody,
} from '../contract/resources.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { HideablePosition, HouseRuleScope, Looks } from '../scenario/judging/looks.ts';
import type { InProcessGet } from '../service/api/in-process.ts';
import {
  clientOf,
  mayRead,
  seesWorker,
  type TokenViewer,
  unscopedViewer,
  viewerOf,
} from '../service/domain/access/viewer.ts';
import { hidingZone, positionVisible } from '../service/domain/privacy/places.ts';
import { destinationView } from '../service/domain/views/destination.ts';
import { musterView } from '../service/domain/views/muster.ts';
import type { World } from '../service/domain/world/world.ts';
import type { Engine } from '../service/engine/engine.ts';

function houseInto({ world, clock }: Pick<Engine, 'world' | 'clock'>, get: InProcessGet): HouseRuleScope {
  const names = new Map<string, string[]>();
  // Privacy zones do not change during a run; a site can become on-demand.
  const privacyZones = new Set(
    [...world.all('zone')].flatMap(({ type, siteId }) => (type === 'privacy' ? [siteId] : [])),
  );
  return {
    mayName: (organizationId) => clientOf(world, organizationId).includeWorkerNames,
    asSeen: (organizationId, noticed) => {
      const client = clientOf(world, organizationId);
      if (client.contractors === null) return noticed;
      if (!isNow(world, noticed)) return null;
      return get({ ...viewerOf(client), scopes: SCOPES }, `/v1/alerts/${noticed.id}`) as Alert | null;
    },
    namesOf: (organizationId) => {
      let known = names.get(organizationId);
      if (known === undefined) {
        const own = [...world.all('worker')].filter((worker) => worker.organizationId === organizationId);
        // A worker whose name is the staff number has no name to hide.
        known = own.filter(({ name, externalId }) => name !== externalId).map(({ name }) => name);
        names.set(organizationId, known);
      }
      return known;
    },
    places: () => {
      const hiding = [...world.all('site')].filter(
        (site) => site.privacyMode === 'on_demand' || privacyZones.has(site.id),
      );
      return hiding.flatMap((site) =>
        [...world.all('device')].flatMap(({ id, siteId, workerId }): HideablePosition[] => {
          const { fix } = world.telemetry(id);
          if (siteId !== site.id || workerId === null || fix === null) return [];
          const { latitude, longitude } = fix;
          const shown = positionVisible(world, site, workerId, clock.now()) && hidingZone(world, site, fix) === null;
          return [{ workerId, latitude, longitude, shown }];
        }),
      );
    },
  };
}

/** False if the alert has changed since the notice: one transaction may commit several states. */
const isNow = (world: World, { id, date_last_modified }: Alert): boolean =>
  formatInstant(world.known('alert', id)?.modifiedAt ?? 0) === date_last_modified;

/** A company's client with all scopes and no contractor filter; it is used by a scenario without its own viewer. */
const allScopes = (world: World, organizationId: string): TokenViewer => ({
  ...unscopedViewer(world, { id: organizationId }),
  scopes: SCOPES,
});

interface ListPage<T> {
  readonly data: readonly T[];
  readonly next_cursor?: string | null;
}

/**
 * Every result except those of `watch` and `house` is the body of a GET, so that a wrong route fails the scenarios that
 * use it. The world only decides whose client sends the request, and for which site. `viewer` null: the control token.
 */
export function looksInto(
  {
    engine,
    fleet,
    get,
  }: { readonly engine: Engine; readonly get: InProcessGet; readonly fleet: Pick<Fleet, 'views'> | null },
  viewer: TokenViewer | null = null,
): Looks {
  const { world } = engine;
  const bodies = new Map<string, unknown>();
  /**
   * Memoised until the present step of the event loop ends: nothing is committed in between, and many checks request
   * the same list.
   */
  const bodyOf = (organizationId: string, target: string): unknown => {
    if (bodies.size === 0) queueMicrotask(() => bodies.clear());
    const key = `${organizationId} ${engine.clock.now()} ${target}`;
    if (!bodies.has(key)) bodies.set(key, get(viewer ?? allScopes(world, organizationId), target));
    return bodies.get(key);
  };
  const itemOf = <T>(workerId: string, path: string, isIt: (item: T) => boolean, filter = ''): T | null => {
    const worker = world.get('worker', workerId);
    if (worker === undefined) return null;
    const target = `${path}?site_id=${worker.siteId}${filter}`;
    for (let after: string | null = ''; after !== null; ) {
      const page = bodyOf(worker.organizationId, `${target}${after}`) as ListPage<T> | null;
      const found = page?.data.find(isIt);
      if (found !== undefined) return found;
      const cursor = page?.next_cursor ?? null;
      after = cursor === null ? null : `&cursor=${encodeURIComponent(cursor)}`;
    }
    return null;
  };
  /**
   * Returns the reply of GET. If the object has changed since the notice, returns the state in the notice, because one
   * transaction may commit several states at once.
   */
  const noticedOr = <T extends object>(
    path: string,
    isNow: (noticed: T) => boolean,
    ownerOf: (id: string) => string | undefined,
  ) => {
    const known = new WeakMap<T, { readonly body: T | null }>();
    return (noticed: T & { readonly id: string }): T | null => {
      let answer = known.get(noticed);
      if (answer === undefined) {
        const owner = ownerOf(noticed.id);
        const body =
          owner === undefined || !isNow(noticed)
            ? noticed
            : (get(viewer ?? allScopes(world, owner), `${path}/${noticed.id}`) as T | null);
        answer = { body };
        known.set(noticed, answer);
      }
      return answer.body;
    };
  };
  return {
    house: houseInto(engine, get),
    undelivered: () =>
      new Set([...world.all('delivery')].flatMap(({ state, eventId }) => (state === 'waiting' ? [eventId] : []))),
    alert: noticedOr<Alert>(
      '/v1/alerts',
      (noticed) => isNow(world, noticed),
      (id) => world.known('alert', id)?.organizationId,
    ),
    muster: noticedOr<Muster>(
      '/v1/musters',
      (noticed) => isDeepStrictEqual(musterView(world.need('muster', noticed.id)), noticed),
      (id) => world.get('muster', id)?.organizationId,
    ),
    destination: (noticed) => {
      const now = world.get('destination', noticed.id);
      if (now === undefined || !isDeepStrictEqual(destinationView(now), noticed)) return noticed;
      const all = bodyOf(now.organizationId, '/v1/webhooks') as ListPage<WebhookDestination> | null;
      return all?.data.find(({ id }) => id === noticed.id) ?? null;
    },
    missing: (musterId) => {
      const muster = world.get('muster', musterId);
      if (muster === undefined) return [];
      const body = bodyOf(muster.organizationId, `/v1/musters/${musterId}/missing`);
      return (body as ListPage<MissingWorker> | null)?.data ?? [];
    },
    worker: (workerId) => {
      const externalId = world.get('worker', workerId)?.externalId ?? null;
      const only = externalId === null ? '' : `&external_id=${encodeURIComponent(externalId)}`;
      return itemOf<WorkerBody>(workerId, '/v1/workers', ({ id }) => id === workerId, `&limit=${MAX_LIMIT}${only}`);
    },
    device: (workerId) =>
      itemOf<Device>(workerId, '/v1/devices', ({ worker }) => worker?.id === workerId, `&limit=${MAX_LIMIT}`),
    position: (workerId) => itemOf<Position>(workerId, '/v1/positions', ({ worker }) => worker.id === workerId),
    watch: (workerId) => {
      // The screen of a watch shows the alerts of its wearer and the muster of the site, so both scopes are needed.
      if (!mayRead(viewer, 'alerts:read') || !mayRead(viewer, 'musters:read')) return null;
      const worker = world.get('worker', workerId);
      if (worker === undefined || worker.deviceId === null || !seesWorker(viewer, worker)) return null;
      const serial = world.get('device', worker.deviceId)?.serial;
      return fleet?.views().find((view) => view.serial === serial)?.shown ?? null;
    },
  };
}
