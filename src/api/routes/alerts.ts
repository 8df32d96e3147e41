/** Alerts: list, one, and the operator's update. [spec 2, 3, 4, decisions 1, 5] */
import type { TObject } from 'typebox';
import { parseInstant } from '../../base/instants.ts';
import { severityAtLeast } from '../../contract/enumerations.ts';
import type { Query } from '../../contract/query.ts';
import { AlertsQuery, AlertUpdate } from '../../contract/requests.ts';
import { Alert, Page } from '../../contract/resources.ts';
import { seesAlert, type Viewer } from '../../domain/access/viewer.ts';
import { isRejection } from '../../domain/rejection.ts';
import { alertView } from '../../domain/views/alert.ts';
import type { Alert as AlertDocument } from '../../domain/world/documents.ts';
import { timeKey } from '../../domain/world/indexes.ts';
import type { World } from '../../domain/world/world.ts';
import { namedSites, pathId } from '../access-checks.ts';
import { cursorsOf } from '../cursors-of.ts';
import { pageOf } from '../page.ts';
import type { ApiParts } from '../parts.ts';
import { invalid, ProblemAnswer, refuse } from '../problem.ts';
import { type Call, clientOf, type Route } from '../route.ts';

/** [gap by-label] */
const BY_THE_API = 'Customer operator (via integration)';

export const addressesOf = ({ baseUrl }: ApiParts) => ({ panelUrl: `${baseUrl()}/panel` });

export const ALERT_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/alerts',
    access: 'alerts:read',
    summary: 'List alerts, the newest first',
    query: AlertsQuery as TObject,
    answers: { 200: Page('AlertPage', Alert) },
    handle: (call) => list(call),
  },
  {
    method: 'GET',
    path: '/v1/alerts/:alert_id',
    access: 'alerts:read',
    summary: 'Get one alert',
    answers: { 200: Alert },
    handle: (call) => {
      const { viewer } = clientOf(call);
      return call.parts.engine.read((world) => {
        const alert = visibleAlert(world, viewer, pathId(call.params['alert_id']));
        return { status: 200, body: alertView(alert, viewer, addressesOf(call.parts)) };
      });
    },
  },
  {
    method: 'PATCH',
    path: '/v1/alerts/:alert_id',
    access: 'alerts:write',
    summary: 'Acknowledge or resolve an alert, naming the operator',
    body: AlertUpdate,
    answers: { 200: Alert },
    handle: (call) => update(call),
  },
];

/** An alert of another company, or of a contractor outside the contract, does not exist for the client. */
function visibleAlert(world: World, viewer: Viewer, id: string): AlertDocument {
  const alert = world.get('alert', id);
  if (alert === undefined || !seesAlert(viewer, alert)) throw new ProblemAnswer('not_found', 'There is no such alert.');
  return alert;
}

function list(call: Call) {
  const { client, viewer } = clientOf(call);
  const query = call.query as Query<typeof AlertsQuery>;
  const bound = (text: string | undefined) => (text === undefined ? undefined : (parseInstant(text) as number));
  const [after, before, since] = [bound(query.created_after), bound(query.created_before), bound(query.modified_since)];
  const workers = query.worker_id && new Set(query.worker_id.map((id) => id.toLowerCase()));
  return call.parts.engine.read((world) => {
    const sites = namedSites(world, viewer.organizationId, query.site_id);
    const { items, next_cursor } = pageOf(cursorsOf(call.parts), client.id, 'alerts', query, {
      list: world.indexes.alerts.of(viewer.organizationId),
      keyOf: ({ createdAt, id }) => timeKey(createdAt, id),
      direction: 'descending',
      keep: (alert) =>
        seesAlert(viewer, alert) &&
        (sites?.has(alert.site.id) ?? true) &&
        (query.status?.includes(alert.status) ?? true) &&
        (query.type?.includes(alert.type) ?? true) &&
        (query.min_severity === undefined || severityAtLeast(alert.severity, query.min_severity)) &&
        (workers === undefined || (alert.worker !== null && workers.has(alert.worker.id))) &&
        (query.contractor === undefined ||
          (alert.worker?.contractor != null && query.contractor.includes(alert.worker.contractor))) &&
        // Every alert of a sandbox is simulated. [decisions 5]
        query.simulated !== false &&
        (after === undefined || alert.createdAt >= after) &&
        (before === undefined || alert.createdAt < before) &&
        (since === undefined || alert.modifiedAt >= since),
    });
    const data = items.map((alert) => alertView(alert, viewer, addressesOf(call.parts)));
    return { status: 200, body: { data, next_cursor }, rows: data.length };
  });
}

async function update(call: Call) {
  const { viewer } = clientOf(call);
  const body = call.body as AlertUpdate;
  if (body.status === 'acknowledged' && body.resolution_reason !== undefined)
    return invalid([{ pointer: '/resolution_reason', detail: 'is for resolving only' }], 'body');
  const { engine } = call.parts;
  const id = pathId(call.params['alert_id']);
  await engine.read((world) => visibleAlert(world, viewer, id));
  const outcome = await engine.submit(
    {
      type: 'update-alert',
      alertId: id,
      status: body.status,
      by: call.parts.assumptions['by-label'] === 'actor' ? `${body.actor.name} (via integration)` : BY_THE_API,
      actor: body.actor.external_id === undefined ? body.actor.name : `${body.actor.name} (${body.actor.external_id})`,
      reason: body.resolution_reason ?? null,
      note: body.note ?? null,
    },
    (world) => alertView(world.need('alert', id), viewer, addressesOf(call.parts)),
  );
  return isRejection(outcome) ? refuse(outcome) : { status: 200, body: outcome.value };
}
