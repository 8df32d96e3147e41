/** Workers, their watches, and their positions as the veil permits. [spec 2, decisions 1, 4] */
import { listDevices, listPositions, listWorkers } from '../../../contract/operations/people.ts';
import type { Query } from '../../../contract/query.ts';
import type { DevicesQuery, PositionsQuery, WorkersQuery } from '../../../contract/requests.ts';
import { seesContractor, type Viewer } from '../../domain/access/viewer.ts';
import { type Positioned, positioned } from '../../domain/views/person.ts';
import { deviceView, positionView, seesDevice, workerView } from '../../domain/views/plant.ts';
import type { World } from '../../domain/world/world.ts';
import { namedSites } from '../access/access-checks.ts';
import { openPage, pageOf } from '../answers/page.ts';
import { rawList } from '../answers/raw.ts';
import { contractorsSeen, textFilter } from '../requests/non-standard.ts';
import { type Call, clientOf, type Route, route } from '../route.ts';

export const PEOPLE_ROUTES: readonly Route[] = [
  route(listWorkers, (call) => workers(call)),
  route(listDevices, (call) => devices(call)),
  route(listPositions, (call) => positions(call)),
];

function workers(call: Call) {
  const { viewer } = clientOf(call);
  const query = call.query as Query<typeof WorkersQuery>;
  const page = openPage(call, 'workers', query);
  return call.read((world) => {
    const sites = namedSites(world, viewer.organizationId, query.site_id);
    const ofContractors = textFilter(call, 'contractor', () => contractorsSeen(world, viewer));
    const withCodes = textFilter(call, 'external_id', () => codesSeen(world, viewer));
    const { items, next_cursor } = pageOf(page, {
      list: world.indexes.workersOfOrganization.of(viewer.organizationId),
      keyOf: (worker) => worker.id,
      direction: 'ascending',
      keep: (worker) =>
        seesContractor(viewer, worker.contractor) &&
        (sites?.has(worker.siteId) ?? true) &&
        ofContractors(worker.contractor) &&
        (query.is_active === undefined || worker.isActive === query.is_active) &&
        withCodes(worker.externalId),
    });
    const data = items.map((worker) => workerView(world, worker, viewer));
    return { status: 200, body: { data, next_cursor }, rows: data.length };
  });
}

/** The staff-system codes of the workers whom the viewer may see. */
function* codesSeen(world: World, viewer: Viewer): Iterable<string | null> {
  for (const worker of world.indexes.workersOfOrganization.of(viewer.organizationId).values())
    if (seesContractor(viewer, worker.contractor)) yield worker.externalId;
}

function devices(call: Call) {
  const { viewer } = clientOf(call);
  const query = call.query as Query<typeof DevicesQuery>;
  const page = openPage(call, 'devices', query);
  return call.read((world) => {
    const sites = namedSites(world, viewer.organizationId, query.site_id);
    const { items, next_cursor } = pageOf(page, {
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

/** Memoised text of a position. One text per fix is enough, since a company has one client. */
interface Made {
  readonly worker: Positioned['worker'];
  readonly names: boolean;
  /** Version of the site's zones, which may hide the position. */
  readonly zones: number;
  readonly text: Buffer;
}

const made = new WeakMap<Positioned['fix'], Made>();

/** The text depends only on the fix, the worker, the zones, and whether the viewer sees names. */
function positionText(world: World, found: Positioned, viewer: Viewer): Buffer {
  const { worker, site, fix } = found;
  const zones = world.indexes.zonesOfSite.of(site.id).version;
  const known = made.get(fix);
  if (known !== undefined && known.worker === worker && known.names === viewer.names && known.zones === zones)
    return known.text;
  const text = Buffer.from(JSON.stringify(positionView(world, found, viewer)));
  made.set(fix, { worker, names: viewer.names, zones, text });
  return text;
}

function positions(call: Call) {
  const { viewer } = clientOf(call);
  const query = call.query as Query<typeof PositionsQuery>;
  return call.read((world, now) => {
    const named = namedSites(world, viewer.organizationId, query.site_id);
    // The index has the order of the list: by device id.
    const data: Buffer[] = [];
    for (const device of world.indexes.devicesOfOrganization.of(viewer.organizationId).values()) {
      if (named !== undefined && !named.has(device.siteId)) continue;
      const found = positioned(world, device, viewer, now);
      if (found !== null) data.push(positionText(world, found, viewer));
    }
    return { status: 200, body: rawList(data), rows: data.length };
  });
}
