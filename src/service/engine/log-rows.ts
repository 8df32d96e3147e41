/** The rows of the logs in the form of the API and the panel, and the explanation of a delivery. [decisions 9] */
import { PROGRAM_AGENT } from '../../base/network/program-agent.ts';
import { formatInstant } from '../../base/time/instants.ts';
import {
  type DeliveryAttempt,
  type ExplainedDelivery,
  fixOf,
  type LoggedRequest,
} from '../../contract/resources/logs.ts';
import { causesOf, likelyCausesOf, secretsOf, signedAttempt } from '../domain/deliveries/explained.ts';
import type { EventRecord } from '../domain/world/documents.ts';
import type { Engine } from './engine.ts';
import type { AttemptRecord, RequestRecord, Store } from './store-port.ts';

export const attemptView = (record: AttemptRecord): DeliveryAttempt => ({
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
  note: record.note,
  request: { url: record.requestUrl, headers: record.requestHeaders },
  answer: { status: record.status, headers: record.responseHeaders ?? {}, body: record.responseBody },
});

export const requestView = (record: RequestRecord): LoggedRequest => ({
  id: record.id,
  at: formatInstant(record.at),
  wall_at: formatInstant(record.wallAt),
  client_id: record.clientId,
  method: record.method,
  path: record.path,
  query: record.query,
  status: record.status,
  code: record.code,
  detail: record.problem?.detail ?? null,
  errors: [...(record.problem?.errors ?? [])],
  fix: fixOf(record.code),
  took_ms: record.tookMs,
  note: record.note,
  agent: record.agent ?? null,
  warnings: [...record.warnings],
});

/**
 * True for a request of the user's own programs: it has a client's token or a token that is refused, is outside of
 * `/v1/sandbox`, and no program of this package sent it (`PROGRAM_AGENT`). The rest stays in the audit log. [decisions 9]
 */
export function isOwnRequest({ client_id, path, status, agent }: LoggedRequest): boolean {
  if (isSandboxPath(path) || agent?.startsWith(PROGRAM_AGENT) === true) return false;
  return client_id !== null || status >= 400;
}

const isSandboxPath = (path: string): boolean => path === '/v1/sandbox' || path.startsWith('/v1/sandbox/');

/** The most attempts that are searched for a delivery id, and that are shown for an event. */
export const MOST_ATTEMPTS = 1_000;

export interface ExplainParts {
  readonly engine: Engine;
  readonly store: Store;
  /** The secret of the session destinations of a company. */
  readonly sessionSecret: (organizationId: string) => string;
}

/**
 * `got`: the signature that the receiver computed. `search`: true to search for mistakes in signatures, which is slow.
 */
interface ExplainWishes {
  readonly got?: string | undefined;
  readonly search: boolean;
}

/** The deliveries with a delivery id or an event id; null if the id is unknown. */
export async function explainDeliveries(
  { engine, store, sessionSecret }: ExplainParts,
  id: string,
  { got, search }: ExplainWishes,
): Promise<ExplainedDelivery[] | null> {
  const event = await eventOf(engine, store, id);
  if (event === null) return null;
  const attempts = await store.attempts({ eventId: event.id, limit: MOST_ATTEMPTS });
  const waiting = await engine.read((world) =>
    [...world.all('delivery')].filter(({ eventId }) => eventId === event.id),
  );
  const pairs = [
    ...attempts,
    ...waiting.map((delivery) => ({ deliveryId: delivery.id, destinationId: delivery.destinationId })),
  ];
  const ids = new Map(pairs.map(({ deliveryId, destinationId }) => [deliveryId, destinationId]));
  const explained: ExplainedDelivery[] = [];
  for (const [deliveryId, destinationId] of ids) {
    if (id !== event.id && id !== deliveryId) continue;
    const { own, secrets } = await engine.read((world) => {
      const own = world.get('destination', destinationId);
      const all = [...world.all('destination')].filter((one) => one.organizationId === event.organizationId);
      return { own, secrets: secretsOf(own, all, sessionSecret(event.organizationId)) };
    });
    const made = attempts.filter((one) => one.deliveryId === deliveryId).reverse();
    const rows = made.map(attemptView);
    const due = waiting.find((delivery) => delivery.id === deliveryId)?.due;
    explained.push({
      delivery_id: deliveryId,
      event_id: event.id,
      event_type: event.type,
      destination_id: destinationId,
      url: own?.url ?? null,
      body: event.body,
      body_bytes: Buffer.byteLength(event.body),
      attempts: rows.map((row) => signedAttempt(row, event.body, secrets)),
      next_attempt_at: due === undefined ? null : formatInstant(due),
      causes: search ? causesOf(rows, event, secrets, got) : likelyCausesOf(rows, event.body),
    });
  }
  return explained;
}

async function eventOf(engine: Engine, store: Store, id: string): Promise<EventRecord | null> {
  const event = await store.event(id);
  if (event !== null) return event;
  const waiting = await engine.read((world) => world.get('delivery', id)?.eventId);
  if (waiting !== undefined) return store.event(waiting);
  const attempt = (await store.attempts({ limit: MOST_ATTEMPTS })).find(({ deliveryId }) => deliveryId === id);
  return attempt === undefined ? null : store.event(attempt.eventId);
}
