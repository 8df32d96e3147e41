/** The last stage: the outcome is committed, and only then published. [spec 6.4 to 6.7] */
import { idFrom } from '../base/ids.ts';
import { formatInstant } from '../base/time/instants.ts';
import type { AttemptNotice } from '../contract/notices.ts';
import type { Delivery } from '../domain/world/documents.ts';
import type { World } from '../domain/world/world.ts';
import type { AttemptRecord } from '../engine/store-port.ts';
import { type AttemptInFlight, pause, type SentAttempt, type Workshop } from './attempt.ts';

/** A disk that is full is tried again after this; wall milliseconds. */
const AGAIN_MS = 1_000;

/** `gone`: the destination was deleted meanwhile, and the attempt settled as nothing. */
interface Settled {
  readonly result: AttemptNotice['result'] | 'gone';
  /** The delivery as it waits for its next attempt. */
  readonly next: Delivery | null;
}

/** Submits before it first waits, so that attempts settle in the order of the calls. Null: abandoned, still pending. */
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
    // Reported already. To try for ever would change nothing: the delivery rests until the next start.
    if (outcome.code === 'internal_error') return { result: 'gone', next: null };
    // Otherwise only the disk refuses it. What is known about a delivery is worth waiting for.
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
    // One for each try: an attempt that a crash kept from being recorded leaves its id to the one that repeats it.
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
