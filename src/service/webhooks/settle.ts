/** The last stage: the outcome is committed, and published only after that. [spec 6.4 to 6.7] */
import { idFrom } from '../../base/ids.ts';
import { formatInstant } from '../../base/time/instants.ts';
import type { AttemptNotice } from '../../contract/notices.ts';
import type { Delivery } from '../domain/world/documents.ts';
import type { World } from '../domain/world/world.ts';
import type { AttemptRecord } from '../engine/store-port.ts';
import { type AttemptInFlight, pause, type SentAttempt, type Workshop } from './attempt.ts';

/** Wait before a commit on a full disk is tried again; wall milliseconds. */
const AGAIN_MS = 1_000;

/**
 * `gone`: the attempt has no result, because the destination was deleted in the meantime or the commit failed with an
 * internal error.
 */
interface Settled {
  readonly result: AttemptNotice['result'] | 'gone';
  /** The delivery with its next attempt; null: there is none. */
  readonly next: Delivery | null;
}

/**
 * Submits before the first await, so that attempts settle in the order of the calls. Returns null if the attempt was
 * abandoned and its delivery is still pending.
 */
export async function settle(attempt: AttemptInFlight, sent: SentAttempt, workshop: Workshop): Promise<Settled | null> {
  const { delivery, at } = attempt;
  const { delivered, status } = sent.outcome;
  while (!workshop.abandoned.aborted) {
    const outcome = await workshop.engine.submit(
      { type: 'settle-delivery', deliveryId: delivery.id, attemptedAt: at, delivered, status },
      (world) => settledIn(world, delivery, delivered),
      (world) => recordOf(attempt, sent, settledIn(world, delivery, delivered).result),
    );
    if (!outcome.rejected) return outcome.value;
    // The error has already been reported. Retrying would not help, so the delivery waits until the next start.
    if (outcome.code === 'internal_error') return { result: 'gone', next: null };
    // In all other cases the disk refuses the write. The outcome must not be lost, so the commit is retried.
    await pause(workshop, AGAIN_MS);
  }
  return null;
}

function settledIn(world: World, { id, destinationId }: Delivery, delivered: boolean): Settled {
  if (world.get('destination', destinationId) === undefined) return { result: 'gone', next: null };
  if (delivered) return { result: 'delivered', next: null };
  const next = world.get('delivery', id) ?? null;
  return { result: next === null ? 'lost' : 'waiting', next };
}

function recordOf(
  { delivery, at, line }: AttemptInFlight,
  sent: SentAttempt,
  result: Settled['result'],
): AttemptRecord {
  const { id, eventId, eventType, eventAt, tries } = delivery;
  const { delivered, status, error, note } = sent.outcome;
  return {
    // One id per try: if a crash prevented an attempt from being recorded, the repeated attempt gets the same id.
    id: idFrom('attempt', id, tries + 1),
    deliveryId: id,
    eventId,
    eventType,
    destinationId: line.destinationId,
    organizationId: sent.organizationId,
    tryNumber: tries + 1,
    at,
    wallAt: sent.wallAt,
    offsetMs: Math.max(0, at - eventAt),
    tookMs: sent.tookMs,
    outcome: delivered ? 'delivered' : result === 'lost' ? 'lost' : 'failed',
    status,
    error,
    note,
    requestUrl: sent.requestUrl,
    requestHeaders: sent.requestHeaders,
    responseBody: sent.responseBody,
    responseHeaders: sent.responseHeaders,
  };
}

export function noticeOf(
  { delivery, at }: AttemptInFlight,
  sent: SentAttempt,
  result: AttemptNotice['result'],
): AttemptNotice {
  return {
    kind: 'delivery-attempted',
    at: formatInstant(at),
    delivery_id: delivery.id,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    object_id: sent.event.objectId,
    destination_id: delivery.destinationId,
    url: sent.url,
    try: delivery.tries + 1,
    offset_ms: Math.max(0, at - delivery.eventAt),
    result,
    status: sent.outcome.status,
    error: sent.outcome.error,
    signatures: sent.signatures,
    took_ms: sent.tookMs,
  };
}
