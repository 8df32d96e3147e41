/** Sends an attempt: signs it, finds the route, and posts it, within 5 s of wall time. [spec 4, 5, decisions 7] */

import { Bug } from '../../base/assert.ts';
import { CLI } from '../../base/text/command-form.ts';
import { deliveryHeaders, secretsInForce } from '../domain/deliveries/signature.ts';
import type { Destination } from '../domain/world/documents.ts';
import { type AttemptInFlight, parkingKey, pause, type SentAttempt, type Workshop } from './attempt.ts';
import type { DeliveredEvent } from './event-bodies.ts';
import { type AttemptOutcome, failed, judge, TOO_LATE } from './outcome.ts';
import { Patience } from './patience.ts';
import { post, type ReceiverReply } from './post.ts';
import { type DeliveryRoute, findRoute } from './route.ts';

/** Maximum number of headers of a reply that are stored, and maximum number of characters of each. */
const MOST_HEADERS = 32;
const LONGEST_HEADER = 200;

/** Wait before a store that cannot be read now is read again; wall milliseconds. */
const AGAIN_MS = 1_000;

/** Returns null if nothing was sent; the delivery does not change then. */
export async function send(attempt: AttemptInFlight, workshop: Workshop): Promise<SentAttempt | null> {
  const { clock, engine, abandoned } = workshop;
  const event = await findEvent(attempt.delivery.eventId, workshop);
  // Read just before sending, so that no attempt starts after a committed deletion, and a rotation takes effect at
  // once.
  const destination = engine.world.get('destination', attempt.line.destinationId);
  if (event === null || destination === undefined || abandoned.aborted) return null;

  const wallAt = clock.wall();
  const secrets = secretsInForce(destination, clock.now());
  const headers = deliveryHeaders(event.id, event.body, secrets, wallAt);
  const startedMs = clock.monotonic();
  const { route, outcome, answer } = await deliver(attempt, destination, event, headers, workshop);
  if (abandoned.aborted && answer === null) return null;
  return {
    event,
    url: destination.url,
    organizationId: destination.organizationId,
    requestUrl: route === null || route.kind === 'none' ? destination.url : route.target.href,
    requestHeaders: headers,
    responseBody: answer?.body ?? null,
    responseHeaders: answer === null ? null : keptHeaders(answer.headers),
    signatures: secrets.length,
    wallAt,
    tookMs: Math.round(clock.monotonic() - startedMs),
    outcome,
  };
}

/** Returns the first headers, each shortened, because a receiver may send 64 KiB of headers with every reply. */
const keptHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, MOST_HEADERS)
      .map(([name, value]) => [name.slice(0, LONGEST_HEADER), value.slice(0, LONGEST_HEADER)]),
  );

async function findEvent(eventId: string, workshop: Workshop): Promise<DeliveredEvent | null> {
  while (!workshop.abandoned.aborted) {
    try {
      return await workshop.events.find(eventId);
    } catch (error) {
      if (error instanceof Bug) throw error;
      // A problem of the local disk is not a failure of the receiver: no attempt is counted, and the delivery waits.
      await pause(workshop, AGAIN_MS);
    }
  }
  return null;
}

interface Delivered {
  /** Null: the time limit ended before the route was found. */
  readonly route: DeliveryRoute | null;
  readonly answer: Extract<ReceiverReply, { kind: 'answered' }> | null;
  readonly outcome: AttemptOutcome;
}

/** The time limit includes the name look-up. */
async function deliver(
  { line, held, at, delivery }: AttemptInFlight,
  destination: Destination,
  { id, body }: DeliveredEvent,
  headers: Readonly<Record<string, string>>,
  { clock, forwards, skipVerify, resolve, abandoned, parking }: Workshop,
): Promise<Delivered> {
  const ended = new AbortController();
  const abandon = () => ended.abort();
  abandoned.addEventListener('abort', abandon);
  let late = false;
  const onLate = () => {
    late = true;
    ended.abort();
  };
  const patience = new Patience({ clock, held, at, key: delivery.id, onLate });
  const key = parkingKey(destination.url, id);
  parking.set(key, patience);
  try {
    const route = await Promise.race([findRoute(destination, forwards, resolve), once(ended.signal)]);
    if (route === null) return { route, answer: null, outcome: TOO_LATE };
    if (route.kind === 'none') return { route, answer: null, outcome: failed(route.why) };
    const { target } = route;
    const addresses = route.kind === 'public' ? route.addresses : null;
    const posting = {
      target,
      headers,
      body: Buffer.from(body),
      addresses,
      agent: line.sockets.for(target, { skipVerify: isUnverified(route, destination, { skipVerify }) }),
    };
    const answer = await post(posting, ended.signal);
    if (answer.kind === 'answered') return { route, answer, outcome: judge(answer) };
    return { route, answer: null, outcome: late ? TOO_LATE : judge(answer, acceptingFlag(route, destination)) };
  } finally {
    patience.end();
    if (parking.get(key) === patience) parking.delete(key);
    abandoned.removeEventListener('abort', abandon);
  }
}

/**
 * A session has its own setting; for forwards, --skip-verify applies. The certificate of a public receiver is always
 * verified. [decisions 7]
 */
export const isUnverified = (
  { kind }: DeliveryRoute,
  { session }: Pick<Destination, 'session'>,
  { skipVerify }: Pick<Workshop, 'skipVerify'>,
): boolean => session?.skipVerify ?? (skipVerify && kind === 'forward');

/**
 * The command with which a user accepts a self-signed certificate of a local receiver; null for a public receiver, for
 * which there is none.
 */
const acceptingFlag = ({ kind }: DeliveryRoute, { session }: Destination): string | null =>
  kind !== 'forward' ? null : session === undefined ? `${CLI} up --skip-verify` : `${CLI} listen --skip-verify`;

const once = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
