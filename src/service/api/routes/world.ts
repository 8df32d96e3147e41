/** The people, zones, points, clients and watches of the sandbox, by the names that actions accept. Control token only. [cli, world] */
import { compareText } from '../../../base/text/order.ts';
import { getWorld, type WorldList } from '../../../contract/operations/world.ts';
import { time } from '../../domain/views/references.ts';
import { lastSeenAt } from '../../domain/watches/contact.ts';
import type { World } from '../../domain/world/world.ts';
import { type Route, route } from '../route.ts';

export const WORLD_ROUTES: readonly Route[] = [
  route(getWorld, (call) => call.read((world) => ({ status: 200, body: worldList(world) }))),
];

function worldList(world: World): WorldList {
  const siteName = (id: string): string => world.need('site', id).name;
  const organization = (id: string): string => world.need('organization', id).name;
  const bySite = <T extends { readonly site: string }>(rows: T[], key: (row: T) => string): T[] =>
    rows.sort((a, b) => compareText(a.site, b.site) || compareText(key(a), key(b)));
  const zones = [...world.all('zone')].map((zone) => ({ ...zone, site: siteName(zone.siteId) }));
  return {
    sites: [...world.all('site')]
      .map(({ id, name, organizationId, privacyMode }) => ({
        id,
        name,
        organization: organization(organizationId),
        privacy_mode: privacyMode,
      }))
      .sort((a, b) => compareText(a.name, b.name)),
    people: bySite(
      [...world.all('worker')].map(({ id, externalId, name, role, contractor, siteId, isActive, deviceId }) => ({
        id,
        external_id: externalId,
        name,
        role,
        contractor,
        site: siteName(siteId),
        is_active: isActive,
        watch: deviceId === null ? null : (world.get('device', deviceId)?.serial ?? null),
      })),
      (one) => one.external_id ?? one.id,
    ),
    zones: bySite(
      zones.map(({ id, name, type, site }) => ({ id, name, type, site })),
      ({ name }) => name,
    ),
    points: bySite(
      zones.flatMap(({ id, name, site, assemblyPoint: point }) =>
        point === null
          ? []
          : [{ id, name, site, serves: [...point.serves], vertical: point.vertical, capacity: point.capacity }],
      ),
      ({ name }) => name,
    ),
    clients: [...world.all('client')].map(({ id, organizationId, scopes, includeWorkerNames, contractors }) => ({
      client_id: id,
      organization: organization(organizationId),
      scopes: [...scopes],
      include_worker_names: includeWorkerNames,
      contractors: contractors === null ? null : [...contractors],
    })),
    watches: bySite(
      [...world.all('device')].map(({ id, serial, siteId, workerId, status, emulated }) => {
        const telemetry = world.telemetry(id);
        const worker = workerId === null ? undefined : world.get('worker', workerId);
        return {
          id,
          serial,
          site: siteName(siteId),
          worker: worker?.externalId ?? worker?.id ?? null,
          status,
          worn: telemetry.worn,
          battery: telemetry.batteryPct,
          date_last_seen: time(lastSeenAt(telemetry)),
          emulated,
        };
      }),
      ({ serial }) => serial,
    ),
  };
}
