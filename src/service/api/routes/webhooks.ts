/** Webhook destinations: list, create, delete, rotate, test. [spec 4, decisions 7] */
import { compareText } from '../../../base/text/order.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateWebhookSecret,
  testWebhook,
} from '../../../contract/operations/webhooks.ts';
import type { WebhookCreate } from '../../../contract/requests.ts';
import type { WebhookFilters } from '../../../contract/resources.ts';
import { isRejection } from '../../domain/changes.ts';
import { destinationView } from '../../domain/views/destination.ts';
import type { Destination } from '../../domain/world/documents.ts';
import { ownSite, pathId } from '../access/access-checks.ts';
import { ProblemAnswer } from '../answers/problem-answer.ts';
import { type ApiParts, type Call, clientOf, type Route, refuse, route } from '../route.ts';

export const WEBHOOK_ROUTES: readonly Route[] = [
  route(listWebhooks, (call) => {
    const { viewer } = clientOf(call);
    return call.read((world) => {
      const own = [...world.all('destination')].filter(
        ({ organizationId, session }) => organizationId === viewer.organizationId && session === undefined,
      );
      own.sort((a, b) => a.createdAt - b.createdAt || compareText(a.id, b.id));
      return { status: 200, body: { data: own.map((one) => shown(one, call.parts)) }, rows: own.length };
    });
  }),
  route(createWebhook, (call) => create(call)),
  route(deleteWebhook, async (call) => {
    const { id } = await ownDestination(call);
    const outcome = await call.parts.engine.submit({ type: 'delete-destination', destinationId: id });
    return isRejection(outcome) ? refuse(outcome) : { status: 204 };
  }),
  route(rotateWebhookSecret, async (call) => {
    const { id, organizationId, url, secret: before } = await ownDestination(call);
    const secret = call.parts.newSecret({ organizationId, url, before });
    const outcome = await call.parts.engine.submit({ type: 'rotate-secret', destinationId: id, secret });
    if (isRejection(outcome)) return refuse(outcome);
    const until = outcome.done.destination?.previousSecret?.validUntil as number;
    return { status: 200, body: { secret, previous_valid_until: formatInstant(until) } };
  }),
  route(testWebhook, async (call) => {
    const { id } = await ownDestination(call);
    const outcome = await call.parts.engine.submit({
      type: 'test-destination',
      destinationId: id,
      nonce: call.parts.newSecret(),
    });
    return isRejection(outcome) ? refuse(outcome) : { status: 202 };
  }),
];

/** If a destination is healthy, its `failing_since` is null or left out. [gap failing-since-null] */
function shown(destination: Destination, { assumptions }: ApiParts) {
  const view = destinationView(destination);
  if (view.failing_since !== null || assumptions['failing-since'] === 'null') return view;
  const { failing_since: _, ...healthy } = view;
  return healthy;
}

/** A destination of another company does not exist for the client. */
function ownDestination(call: Call): Promise<Destination> | Destination {
  const { viewer } = clientOf(call);
  const id = pathId(call.params['id']);
  return call.parts.engine.read((world) => {
    const destination = world.get('destination', id);
    const isOwn = destination?.organizationId === viewer.organizationId && destination.session === undefined;
    if (destination === undefined || !isOwn)
      throw new ProblemAnswer('not_found', 'There is no such webhook destination.');
    return destination;
  });
}

async function create(call: Call) {
  const { client, viewer } = clientOf(call);
  const { engine, judgeDestination, newSecret } = call.parts;
  const body = call.body as WebhookCreate;
  const wrong = await judgeDestination(body.url);
  if (wrong !== null)
    throw new ProblemAnswer('invalid_destination_url', wrong, { errors: [{ pointer: '/url', detail: wrong }] });
  const sites = body.filters?.site_ids;
  if (sites !== undefined) await engine.read((world) => sites.map((id) => ownSite(world, viewer.organizationId, id)));
  const secret = newSecret({ organizationId: viewer.organizationId, url: body.url });
  const outcome = await engine.submit({
    type: 'create-destination',
    organizationId: viewer.organizationId,
    clientId: client.id,
    url: body.url,
    eventTypes: body.event_types,
    filters: filtersOf(body.filters),
    secret,
  });
  if (isRejection(outcome)) return refuse(outcome);
  return { status: 201, body: { ...shown(outcome.done.destination as Destination, call.parts), secret } };
}

/** Ids are in lower case, as in the world. */
export const filtersOf = ({ site_ids, min_severity, contractors }: WebhookFilters = {}): Destination['filters'] => ({
  ...(site_ids === undefined ? {} : { siteIds: site_ids.map((id) => id.toLowerCase()) }),
  ...(min_severity === undefined ? {} : { minSeverity: min_severity }),
  ...(contractors === undefined ? {} : { contractors }),
});
