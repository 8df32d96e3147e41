/** What only a sandbox has, under /v1/sandbox/: actions, and the logs. [decisions 9] */
import { Type } from 'typebox';
import { formatInstant } from '../../base/instants.ts';
import { checkAction } from '../../contract/action-check.ts';
import {
  ACTIONS,
  ActionAnswer,
  type ActionBody,
  type ActionName,
  actionBody,
  actionExample,
} from '../../contract/actions.ts';
import { GAPS } from '../../contract/gaps.ts';
import type { Query } from '../../contract/query.ts';
import { isRejection } from '../../domain/rejection.ts';
import type { AttemptRecord, RequestRecord } from '../../engine/store-port.ts';
import type { RateLimiter } from '../limits.ts';
import { invalid, ProblemAnswer, refuse } from '../problem.ts';
import type { Call, Route } from '../route.ts';

const LogQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.String({
        pattern: '^0*([1-9]|[1-9]\\d|[1-9]\\d\\d|1000)$',
        'x-rule': 'must be a whole number from 1 to 1000',
        'x-parsed': 'integer',
      }),
    ),
  },
  { additionalProperties: false },
);

const Log = Type.Object({ data: Type.Array(Type.Unknown()) });

export const sandboxRoutes = (_limiter: RateLimiter): readonly Route[] => [
  {
    method: 'GET',
    path: '/v1/sandbox/actions',
    access: 'sandbox',
    summary: 'The action catalogue as JSON Schema',
    answers: { 200: Log },
    handle: () => {
      const data = Object.entries(ACTIONS).map(([action, { title, help, group, clientMay }]) => ({
        action,
        title,
        help,
        group,
        client_may: clientMay,
        schema: actionBody(action as ActionName),
        example: actionExample(action as ActionName),
      }));
      return { status: 200, body: { data } };
    },
  },
  {
    method: 'POST',
    path: '/v1/sandbox/actions',
    access: 'sandbox',
    summary: 'Perform one action now',
    body: Type.Unknown(),
    answers: { 200: ActionAnswer, 202: ActionAnswer },
    handle: (call) => act(call),
  },
  {
    method: 'GET',
    path: '/v1/sandbox/gaps',
    access: 'sandbox',
    summary: 'What the specification leaves open, and what happens here',
    answers: { 200: Log },
    handle: () => ({ status: 200, body: { data: GAPS } }),
  },
  {
    method: 'GET',
    path: '/v1/sandbox/requests',
    access: 'sandbox',
    summary: 'The audit log, the newest first',
    query: LogQuery,
    answers: { 200: Log },
    handle: async (call) => {
      const { limit } = call.query as Query<typeof LogQuery>;
      await call.parts.engine.flush();
      const records = await call.parts.store.requests({ limit, ...ownCompany(call) });
      return { status: 200, body: { data: records.map(requestView) }, rows: records.length };
    },
  },
  {
    method: 'GET',
    path: '/v1/sandbox/deliveries',
    access: 'sandbox',
    summary: 'Every delivery attempt, the newest first',
    query: LogQuery,
    answers: { 200: Log },
    handle: async (call) => {
      const { limit } = call.query as Query<typeof LogQuery>;
      const records = await call.parts.store.attempts({ limit, ...ownCompany(call) });
      return { status: 200, body: { data: records.map(attemptView) }, rows: records.length };
    },
  },
];

const ownCompany = ({ principal }: Call): { organizationId?: string } =>
  principal.kind === 'client' ? { organizationId: principal.client.organizationId } : {};

async function act(call: Call) {
  const checked = checkAction(call.request.body);
  if (!checked.ok) return invalid(checked.errors, 'body');
  const body: ActionBody = checked.value;
  const organizationId = call.principal.kind === 'client' ? call.principal.client.organizationId : null;
  if (organizationId !== null && !ACTIONS[body.action].clientMay)
    throw new ProblemAnswer('insufficient_scope', `The action ${body.action} needs the control token.`, {
      headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
    });
  const outcome = await call.parts.act(body, organizationId);
  return isRejection(outcome) ? refuse(outcome) : { status: outcome.status, body: outcome.answer };
}

const requestView = (record: RequestRecord) => ({
  id: record.id,
  at: formatInstant(record.at),
  wall_at: formatInstant(record.wallAt),
  client_id: record.clientId,
  method: record.method,
  path: record.path,
  query: record.query,
  status: record.status,
  code: record.code,
  took_ms: record.tookMs,
  note: record.note,
  warnings: record.warnings,
});

const attemptView = (record: AttemptRecord) => ({
  id: record.id,
  delivery_id: record.deliveryId,
  event_id: record.eventId,
  event_type: record.eventType,
  destination_id: record.destinationId,
  try: record.tryNumber,
  at: formatInstant(record.at),
  wall_at: formatInstant(record.wallAt),
  offset_ms: record.offsetMs,
  took_ms: record.tookMs,
  result: record.outcome,
  status: record.status,
  error: record.error,
  request: { url: record.requestUrl, headers: record.requestHeaders },
  answer: { status: record.status, body: record.responseBody },
});
