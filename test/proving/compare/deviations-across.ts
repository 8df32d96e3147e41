/** Builds whose answers contradict each other, or lack what others have: no single answer of them is wrong. */
import type { Body, Patch } from './deviating-service.ts';
import { alerts, type Deviating, decided, list, each as one, spec } from './patches.ts';

const MISSING = /^\/v1\/musters\/[^/]+\/missing$/;
const missing = (change: (entries: Body[]) => Body[]): Patch => {
  return (answer) =>
    answer.status === 200 && MISSING.test(answer.path) && answer.body.data.length > 0
      ? { body: { ...answer.body, data: change(answer.body.data) } }
      : undefined;
};
const OTHER = '11111111-1111-4111-8111-111111111111';
const GET_ALERT = /^\/v1\/alerts\/[^/]+$/;
const GET_MUSTER = /^\/v1\/musters\/[^/]+$/;

export const DEVIATIONS_ACROSS: readonly Deviating[] = [
  spec(
    'the missing list has somebody who is safe',
    '[spec 2 MissingWorker]',
    missing((entries) => [
      ...entries,
      { ...entries.at(-1), worker: { ...entries[0].worker, id: OTHER }, device: null },
    ]),
  ),
  spec(
    'the missing list lacks somebody',
    '[spec 2 MissingWorker]',
    missing((entries) => entries.slice(0, -1)),
  ),
  spec(
    'somebody who is pending is listed as not_worn',
    '[spec 2 MissingWorker]',
    missing((entries) => entries.map((entry, place) => (place === 0 ? { ...entry, status: 'not_worn' } : entry))),
  ),
  spec(
    'nobody with an open SOS needs rescue',
    '[spec 2 MissingWorker]',
    missing((entries) => entries.map((entry) => ({ ...entry, needs_rescue: false }))),
  ),
  spec(
    'everybody who is missing needs rescue',
    '[spec 2 MissingWorker]',
    missing((entries) => entries.map((entry) => ({ ...entry, needs_rescue: true }))),
  ),
  spec(
    'the veil hides people during an evacuation',
    '[spec 2 Site]',
    missing((entries) => entries.map((entry) => ({ ...entry, location: null, location_withheld: true }))),
  ),
  spec(
    'a missing worker is elsewhere than in the list of positions',
    '[spec 2 MissingWorker]',
    missing((entries) =>
      entries.map((entry) =>
        entry.location === null ? entry : { ...entry, location: { ...entry.location, latitude: 1.5 } },
      ),
    ),
  ),
  spec(
    'a missing worker has another battery than in the list of watches',
    '[spec 2 DeviceRef]',
    missing((entries) =>
      entries.map((entry) => (entry.device === null ? entry : { ...entry, device: { ...entry.device, battery: 3 } })),
    ),
  ),
  spec(
    'the watch of a missing worker was seen last at another time than in the list of watches',
    '[spec 2 DeviceRef]',
    missing((entries) =>
      entries.map((entry) =>
        entry.device === null
          ? entry
          : { ...entry, device: { ...entry.device, date_last_seen: '2026-01-01T00:00:00.000Z' } },
      ),
    ),
  ),
  spec(
    'the watch of a worker was never seen, which the list of watches contradicts',
    '[spec 2 DeviceRef]',
    list('/v1/workers', (data) =>
      data.map((worker) =>
        worker.device === null ? worker : { ...worker, device: { ...worker.device, date_last_seen: null } },
      ),
    ),
  ),
  decided(
    'the second page skips an item',
    '[decisions 1, Keyset]',
    list('/v1/workers', (data, { query }) => (query.has('cursor') ? data.slice(1) : undefined)),
  ),
  decided(
    'the second page of alerts skips an item',
    '[decisions 1, Keyset]',
    list('/v1/alerts', (data, { query }) => (query.has('cursor') ? data.slice(1) : undefined)),
  ),
  decided(
    'the second page of events skips an item',
    '[decisions 1, Keyset]',
    list('/v1/events', (data, { query }) => (query.has('cursor') ? data.slice(1) : undefined)),
  ),
  spec(
    'a watch names another worker than the worker names it',
    '[spec 2 Device]',
    one(/^\/v1\/devices$/, (device) => {
      device.worker = { ...device.worker, id: OTHER };
    }),
  ),
  spec(
    'a watch names nobody',
    '[spec 2 Device]',
    one(/^\/v1\/devices$/, (device) => {
      device.worker = null;
    }),
  ),
  spec(
    'a worker names no watch',
    '[spec 2 Worker]',
    one(/^\/v1\/workers$/, (worker) => {
      worker.device = null;
    }),
  ),
  spec(
    'positions have another contractor than workers',
    '[spec 2 WorkerRef]',
    one(/^\/v1\/positions$/, ({ worker }) => {
      worker.contractor = 'Somebody Else';
    }),
  ),
  spec(
    'watches have no names of workers, and other lists do',
    '[spec 2 WorkerRef]',
    one(/^\/v1\/devices$/, ({ worker }) => {
      delete worker.name;
    }),
  ),
  spec(
    'an alert alone has another assignee than in the list',
    '[spec 2 Event]',
    one(GET_ALERT, (alert) => {
      alert.assigned_to = 'Somebody';
    }),
  ),
  spec(
    'only a resolved alert alone has another note',
    '[spec 2 Event]',
    one(GET_ALERT, (alert) => {
      if (alert.resolved !== null) alert.resolved.note = 'Other';
    }),
  ),
  spec(
    'a muster alone has another reason than in the list',
    '[spec 2 Muster]',
    one(GET_MUSTER, (muster) => {
      muster.reason = 'Fire';
    }),
  ),
  spec(
    'the event of an end has another muster than the list',
    '[spec 2 Muster]',
    one(/^\/v1\/events$/, (event) => {
      if (event.type === 'muster.ended') event.data.muster.reason = 'Fire';
    }),
  ),
  spec('the list of alerts shows an older version than the event log', '[spec 2 Alert]', stale()),
  spec(
    'the log lacks the resolution of an alert',
    '[spec 6]',
    list('/v1/events', (data) => data.filter(({ type }) => type !== 'alert.resolved')),
  ),
  spec(
    'the log lacks the end of a muster',
    '[spec 6]',
    list('/v1/events', (data) => data.filter(({ type }) => type !== 'muster.ended')),
  ),
  spec('the log has the creation of an alert twice', '[spec 6]', twice()),
  spec(
    'an exclusion does not raise the revision in its event',
    '[spec 2 Muster]',
    one(/^\/v1\/events$/, (event) => {
      if (event.type === 'muster.targets_changed') event.data.muster.targets_revision = 1;
    }),
  ),
  spec(
    'an event says that another site is concerned',
    '[spec 2 Event]',
    one(/^\/v1\/events$/, (event) => {
      event.site_id = OTHER;
    }),
  ),
  spec(
    'corners of zones are latitude and longitude',
    '[spec 2 Zone]',
    one(/\/zones$/, (zone) => {
      if (zone.geometry !== null)
        zone.geometry.coordinates = zone.geometry.coordinates.map((ring: Body[]) => ring.map(([a, b]) => [b, a]));
    }),
  ),
  spec(
    'a muster lacks the point that is excluded',
    '[spec 2 Muster]',
    one(/^\/v1\/musters(\/[^/]+)?$/, (muster) => {
      muster.assembly_points = muster.assembly_points.filter(({ status }: Body) => status !== 'excluded');
    }),
  ),
  spec('the last page has a next_cursor', '[spec 2 Pages and lists]', (answer) =>
    answer.path === '/v1/workers' && answer.status === 200 && answer.method === 'GET'
      ? answer.query.get('cursor') === 'end'
        ? undefined
        : { body: { ...answer.body, next_cursor: answer.body.next_cursor ?? 'end' } }
      : answer.path === '/v1/workers' && answer.query.get('cursor') === 'end'
        ? { status: 200, headers: { 'content-type': 'application/json' }, body: { data: [], next_cursor: null } }
        : undefined,
  ),
  decided('the pages of watches go backwards', '[decisions 1, Keyset]', backwards()),
  decided(
    'the list of positions keeps those of an hour ago',
    '[decisions 1]',
    list('/v1/positions', (data) =>
      data.map((position, place) =>
        place === 0
          ? { ...position, location: { ...position.location, position_date_utc: '2026-09-25T00:00:00.000Z' } }
          : position,
      ),
    ),
  ),
  spec(
    'the title of an alert has the code of the worker in the place of the name',
    '[spec 2 Alert]',
    alerts((alert) => {
      if (alert.worker !== null) alert.title = alert.title.replace(alert.worker.name, alert.worker.external_id);
    }),
  ),
];

/** The first event of the log comes again at its end, with another id and time. */
function twice(): Patch {
  return list('/v1/events', (data, { query }) => {
    if ([...query.keys()].some((name) => name !== 'limit') || query.get('limit') === '2') return undefined;
    const at = new Date(Date.parse(data.at(-1).created_at) + 1).toISOString();
    return [...data, { ...data[0], id: OTHER, created_at: at }];
  });
}

/** Once the log was read, alerts that are resolved are listed as they were when they were acknowledged. */
function stale(): Patch {
  const before = new Map<string, Body>();
  return (answer) => {
    if (answer.status === 200 && answer.path === '/v1/events')
      for (const { type, data } of answer.body.data)
        if (type === 'alert.acknowledged') before.set(data.alert.id, data.alert);
    return list('/v1/alerts', (data) =>
      data.map((alert) => (alert.status === 'resolved' ? (before.get(alert.id) ?? alert) : alert)),
    )(answer);
  };
}

function backwards(): Patch {
  let first: Body[] | undefined;
  return list('/v1/devices', (data, { query }) => {
    if (query.get('limit') !== '2') return undefined;
    if (!query.has('cursor')) {
      first = data;
      return undefined;
    }
    return first === undefined ? undefined : data.map((device) => ({ ...device, id: `00000000${device.id.slice(8)}` }));
  });
}
