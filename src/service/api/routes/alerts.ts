/** Alerts: the list, one alert, and the operator's update. [spec 2, 3, 4, decisions 1, 5] */
import { SEVERITIES, severityAtLeast } from '../../../contract/enumerations.ts';
import { getAlert, listAlerts, updateAlert } from '../../../contract/operations/alerts.ts';
import type { Query } from '../../../contract/query.ts';
import type { AlertsQuery, AlertUpdate } from '../../../contract/requests.ts';
import { seesAlert, type Viewer } from '../../domain/access/viewer.ts';
import { alertAt, alertKey, alertsOf } from '../../domain/alerts/alerts-of.ts';
import { integrationLabel, operatorLabel } from '../../domain/alerts/integration-label.ts';
import { isRejection } from '../../domain/changes.ts';
import { alertView } from '../../domain/views/alert.ts';
import type { Alert as AlertDocument } from '../../domain/world/documents.ts';
import type { World } from '../../domain/world/world.ts';
import { namedSites, pathId } from '../access/access-checks.ts';
import { openPage } from '../answers/page.ts';
import { ProblemAnswer } from '../answers/problem-answer.ts';
import { Raw, rawList } from '../answers/raw.ts';
import { beginOf, readSpan } from '../answers/span.ts';
import { lookOf, Texts } from '../answers/texts.ts';
import { contractorsSeen, namedTexts } from '../requests/non-standard.ts';
import { type ApiParts, type Call, clientOf, invalid, type Route, refuse, route } from '../route.ts';

export const addressesOf = ({ baseUrl }: ApiParts) => ({ panelUrl: `${baseUrl()}/panel` });

export const ALERT_ROUTES: readonly Route[] = [
  route(listAlerts, (call) => list(call)),
  route(getAlert, (call) => {
    const { viewer } = clientOf(call);
    return call.read((world) => {
      const alert = visibleAlert(world, viewer, pathId(call.params['alert_id']));
      return { status: 200, body: new Raw(alertText(alert, viewer, call.parts, textKey(viewer, call.parts))) };
    });
  }),
  route(updateAlert, (call) => update(call)),
];

/** Maximum of memoised texts: the newest and the open alerts, and some pages of older ones. */
const MOST_TEXTS = 3_000;
const texts = new Texts<AlertDocument>(MOST_TEXTS);

/** What the text of an alert depends on, apart from the alert itself. */
const textKey = (viewer: Viewer, parts: ApiParts): string => `${parts.baseUrl()} ${lookOf(viewer)}`;

const alertText = (alert: AlertDocument, viewer: Viewer, parts: ApiParts, key: string): Buffer =>
  texts.of(alert, key, () => JSON.stringify(alertView(alert, viewer, addressesOf(parts))));

/** An alert of another company, or of a contractor outside the contract, does not exist for the client. */
function visibleAlert(world: World, viewer: Viewer, id: string): AlertDocument {
  const alert = world.get('alert', id);
  if (alert === undefined || !seesAlert(viewer, alert)) throw new ProblemAnswer('not_found', 'There is no such alert.');
  return alert;
}

function list(call: Call) {
  const { viewer } = clientOf(call);
  const query = call.query as Query<typeof AlertsQuery>;
  const { after, before } = readSpan(query, call.parts.assumptions);
  const since = beginOf(query.modified_since, call.parts.assumptions);
  const page = openPage(call, 'alerts', query);
  return call.read((world) => {
    const sites = namedSites(world, viewer.organizationId, query.site_id);
    const ofContractors = namedTexts(call, 'contractor', () => contractorsSeen(world, viewer));
    const { min_severity: least } = query;
    // One alert more than the page is requested, which shows whether there is another page.
    const found = alertsOf(world, {
      organizationId: viewer.organizationId,
      siteIds: sites && [...sites],
      statuses: query.status,
      types: query.type,
      severities: least && SEVERITIES.filter((severity) => severityAtLeast(severity, least)),
      workerIds: query.worker_id?.map((id) => id.toLowerCase()),
      contractors: ofContractors,
      seenBy: viewer.contractors ?? undefined,
      createdAfter: after,
      createdBefore: before,
      modifiedSince: since,
      after: page.after === null ? undefined : alertAt(page.after),
      // Every alert of a sandbox is simulated. [decisions 5]
      limit: query.simulated === false ? 0 : page.limit + 1,
    });
    const items = found.slice(0, page.limit);
    const last = items.at(-1);
    const next_cursor = found.length > page.limit && last !== undefined ? page.cursorAt(alertKey(last)) : null;
    const key = textKey(viewer, call.parts);
    const data = items.map((alert) => alertText(alert, viewer, call.parts, key));
    return { status: 200, body: rawList(data, next_cursor), rows: data.length };
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
  const updated = call.parts.updating(id, body, viewer);
  const outcome = await engine.submit(
    {
      type: 'update-alert',
      alertId: id,
      status: body.status,
      by: integrationLabel(call.parts.assumptions, body.actor.name),
      actor: operatorLabel(body.actor.name, body.actor.external_id),
      reason: body.resolution_reason ?? null,
      note: body.note ?? null,
    },
    (world) => alertView(world.need('alert', id), viewer, addressesOf(call.parts)),
  );
  updated(!isRejection(outcome));
  return isRejection(outcome) ? refuse(outcome) : { status: 200, body: outcome.value };
}
