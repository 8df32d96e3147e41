/** The sandbox's own operations: actions and logs, and their schemas. [decisions 9] */
import { given } from '../../../base/given.ts';
import { checkAction, isActionName } from '../../../contract/action-check.ts';
import {
  ACTION_NAMES,
  ACTIONS,
  type ActionBody,
  actionBody,
  actionExample,
  type ExampleWords,
} from '../../../contract/actions.ts';
import { GAPS } from '../../../contract/gaps.ts';
import {
  type DeliveryQuery,
  type LogQuery,
  listActions,
  listDeliveries,
  listGaps,
  listMail,
  listNewestEvents,
  listRequests,
  listWatchLog,
  performAction,
  type RequestQuery,
} from '../../../contract/operations/sandbox.ts';
import type { Query } from '../../../contract/query.ts';
import { isRejection } from '../../domain/changes.ts';
import { attemptView, isOwnRequest, requestView } from '../../engine/log-rows.ts';
import type { RequestRecord } from '../../engine/store-port.ts';
import { ProblemAnswer } from '../answers/problem-answer.ts';
import { wordsFor } from '../documents/example-words.ts';
import { type Call, invalid, type Route, refuse, route } from '../route.ts';

/** The entries of GET /v1/sandbox/actions, with examples built from these words. */
async function catalogue(words: ExampleWords) {
  const { standalone } = await import('../openapi/schemas.ts');
  return ACTION_NAMES.map((action) => {
    const { title, help, group, clientMay } = ACTIONS[action];
    const [schema, example] = [standalone(actionBody(action)), actionExample(action, words)];
    return { action, title, help, group, client_may: clientMay, schema, example };
  });
}

/** Operations under /v1/sandbox/: actions and logs. [decisions 9] */
export const SANDBOX_ROUTES: readonly Route[] = [
  route(listActions, async (call) => ({ status: 200, body: { data: await catalogue(wordsFor(call)) } })),
  route(performAction, (call) => act(call)),
  route(listGaps, () => ({ status: 200, body: { data: GAPS } })),
  route(listRequests, async (call) => {
    const { limit, own } = call.query as Query<typeof RequestQuery>;
    await call.parts.engine.flush();
    const records = await newestRequests(call, limit, own);
    return { status: 200, body: { data: records.map(requestView) }, rows: records.length };
  }),
  route(listDeliveries, async (call) => {
    const { limit, destination_id, event_id } = call.query as Query<typeof DeliveryQuery>;
    const records = await call.parts.store.attempts({
      limit,
      ...given({ destinationId: destination_id?.toLowerCase(), eventId: event_id?.toLowerCase() }),
      ...ownCompany(call),
    });
    return { status: 200, body: { data: records.map(attemptView) }, rows: records.length };
  }),
  route(listMail, (call) => {
    const { limit = 50 } = call.query as Query<typeof LogQuery>;
    const { organizationId } = ownCompany(call);
    const data = call.parts
      .mail(limit, organizationId)
      .map(({ id, at, to, subject, text }) => ({ id, at, to, subject, text }));
    return { status: 200, body: { data }, rows: data.length };
  }),
  route(listNewestEvents, ({ parts, query }) => {
    const { limit = 50 } = query as Query<typeof LogQuery>;
    const data = parts.eventLog.newest(limit);
    return { status: 200, body: { data }, rows: data.length };
  }),
  route(listWatchLog, ({ parts, query }) => {
    const { limit = 50 } = query as Query<typeof LogQuery>;
    const data = parts.watchLog.newest(limit);
    return { status: 200, body: { data, refused: parts.watchLog.refused }, rows: data.length };
  }),
];

const ownCompany = ({ principal }: Call): { organizationId?: string } =>
  principal.kind === 'client' ? { organizationId: principal.client.organizationId } : {};

/** The newest requests; with `own`, those for which `isOwnRequest` is as wanted. The limit is of what is returned. */
async function newestRequests(call: Call, limit: number, own: boolean | undefined): Promise<RequestRecord[]> {
  const read = (before?: number) =>
    call.parts.store.requests({ limit: SEARCHED_ROWS, ...given({ before }), ...ownCompany(call) });
  if (own === undefined) return await call.parts.store.requests({ limit, ...ownCompany(call) });
  const found: RequestRecord[] = [];
  for (let rows = await read(); rows.length > 0; rows = await read(rows.at(-1)?.seq)) {
    found.push(...rows.filter((row) => isOwnRequest(requestView(row)) === own));
    if (found.length >= limit || rows.length < SEARCHED_ROWS) break;
  }
  return found.slice(0, limit);
}

/** The number of rows that are read at once in the search for own requests. */
const SEARCHED_ROWS = 1_000;

async function act(call: Call) {
  const viewer = call.principal.kind === 'client' ? call.principal.viewer : null;
  // Refused before the fields are checked, because messages about fields may name what the client must not know.
  // [decisions 9]
  const { action } = (typeof call.body === 'object' && call.body !== null ? call.body : {}) as { action?: unknown };
  if (viewer !== null && typeof action === 'string' && isActionName(action) && !ACTIONS[action].clientMay)
    throw new ProblemAnswer('insufficient_scope', `The action ${action} needs the control token.`, {
      headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
    });
  const checked = checkAction(call.body);
  if (!checked.ok) return invalid(checked.errors, 'body');
  const body: ActionBody = checked.value;
  const outcome = await call.parts.act(body, viewer);
  return isRejection(outcome) ? refuse(outcome) : { status: outcome.status, body: outcome.answer };
}
