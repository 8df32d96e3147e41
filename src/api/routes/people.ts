/** Workers, their watches, and where they are as far as the veil lets through. [spec 2, decisions 1, 4] */
import type { TObject } from 'typebox';
import type { Query } from '../../contract/query.ts';
import { DevicesQuery, PositionsQuery, WorkersQuery } from '../../contract/requests.ts';
import { Device, List, Page, Position, Worker } from '../../contract/resources.ts';
import { seesContractor } from '../../domain/access/viewer.ts';
import { deviceView, positionView, seesDevice, workerView } from '../../domain/views/plant.ts';
import { compare, namedSites } from '../access-checks.ts';
import { cursorsOf } from '../cursors-of.ts';
import { pageOf } from '../page.ts';
import { type Call, clientOf, type Route } from '../route.ts';

export const PEOPLE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/workers',
    access: 'workers:read',
    summary: 'List workers',
    query: WorkersQuery as TObject,
    answers: { 200: Page('WorkerPage', Worker) },
    handle: (call) => workers(call),
  },
  {
    method: 'GET',
    path: '/v1/devices',
    access: 'workers:read',
    summary: 'List watches',
    query: DevicesQuery as TObject,
    answers: { 200: Page('DevicePage', Device) },
    handle: (call) => devices(call),
  },
  {
    method: 'GET',
    path: '/v1/positions',
    access: 'positions:read',
    summary: 'List the positions that the veil lets through',
    query: PositionsQuery as TObject,
    answers: { 200: List('PositionList', Position) },
    handle: (call) => positions(call),
  },
];

function workers(call: Call) {
  const { client, viewer } = clientOf(call);
  const query = call.query as Query<typeof WorkersQuery>;
  return call.parts.engine.read((world) => {
    const sites = namedSites(world, viewer.organizationId, query.site_id);
    const { items, next_cursor } = pageOf(cursorsOf(call.parts), client.id, 'workers', query, {
      list: world.indexes.workersOfOrganization.of(viewer.organizationId),
      keyOf: (worker) => worker.id,
      direction: 'ascending',
      keep: (worker) =>
        seesContractor(viewer, worker.contractor) &&
        (sites?.has(worker.siteId) ?? true) &&
        (query.contractor === undefined ||
          (worker.contractor !== null && query.contractor.includes(worker.contractor))) &&
        (query.is_active === undefined || worker.isActive === query.is_active) &&
        (query.external_id === undefined ||
          (worker.externalId !== null && query.external_id.includes(worker.externalId))),
    });
    const data = items.map((worker) => workerView(world, worker, viewer));
    return { status: 200, body: { data, next_cursor }, rows: data.length };
  });
}

function devices(call: Call) {
  const { client, viewer } = clientOf(call);
  const query = call.query as Query<typeof DevicesQuery>;
  return call.parts.engine.read((world) => {
    const sites = namedSites(world, viewer.organizationId, query.site_id);
    const { items, next_cursor } = pageOf(cursorsOf(call.parts), client.id, 'devices', query, {
      list: world.indexes.devicesOfOrganization.of(viewer.organizationId),
      keyOf: (device) => device.id,
      direction: 'ascending',
      keep: (device) =>
        seesDevice(world, device, viewer) &&
        (sites?.has(device.siteId) ?? true) &&
        (query.status?.includes(device.status) ?? true) &&
        (query.worn === undefined || world.telemetry(device.id).worn === query.worn),
    });
    const data = items.map((device) => deviceView(world, device, viewer));
    return { status: 200, body: { data, next_cursor }, rows: data.length };
  });
}

function positions(call: Call) {
  const { viewer } = clientOf(call);
  const query = call.query as Query<typeof PositionsQuery>;
  return call.parts.engine.read((world, now) => {
    const named = namedSites(world, viewer.organizationId, query.site_id);
    const data = [];
    for (const device of world.indexes.devicesOfOrganization.of(viewer.organizationId).values()) {
      if (named !== undefined && !named.has(device.siteId)) continue;
      const position = positionView(world, device, viewer, now);
      if (position !== null) data.push(position);
    }
    data.sort((a, b) => compare(a.device_id, b.device_id));
    return { status: 200, body: { data }, rows: data.length };
  });
}
