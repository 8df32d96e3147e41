/** One attempt as it goes through the stages: picked, opened, sent, judged, settled. */
import type { Clock, Instant } from '../base/time/clock.ts';
import type { Delivery } from '../domain/world/documents.ts';
import type { Engine } from '../engine/engine.ts';
import type { AttemptHold } from './attempt-hold.ts';
import type { Backlog } from './backlog.ts';
import type { DeliveredEvent, EventBodies } from './event-bodies.ts';
import type { AttemptOutcome } from './outcome.ts';
import type { Patience } from './patience.ts';
import type { Resolve } from './resolver.ts';
import type { Forwards } from './route.ts';
import type { Sockets } from './sockets.ts';

/** The line of one destination: no other waits for it. */
export interface Line {
  readonly destinationId: string;
  readonly backlog: Backlog;
  readonly sockets: Sockets;
  /** Its one entry on the clock, for the earliest that is due later. */
  wake: { readonly due: Instant; readonly cancel: () => void } | null;
}

/** Opened: it has a place in its line and holds the clock. */
export interface AttemptInFlight {
  readonly line: Line;
  readonly delivery: Delivery;
  /** Simulated. */
  readonly at: Instant;
  readonly held: AttemptHold;
}

/** Sent and judged, with all that its record tells. */
export interface SentAttempt {
  readonly event: DeliveredEvent;
  readonly url: string;
  readonly organizationId: string;
  readonly requestUrl: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string | null;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly signatures: number;
  readonly wallAt: number;
  readonly tookMs: number;
  readonly outcome: AttemptOutcome;
}

/** What the stages share. */
export interface Workshop {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly events: EventBodies;
  readonly resolve: Resolve;
  readonly forwards: Forwards;
  /** The certificates of forwards are not verified. Sessions say so themselves. [cli, up] */
  readonly skipVerify: boolean;
  /** Aborted when what is in flight is to be abandoned: it stays pending and is tried again after a restart. */
  readonly abandoned: AbortSignal;
  /** What is in flight, by `parkingKey`. */
  readonly parking: Map<string, Patience>;
}

/** Which attempt a receiver means: it knows its own address and the id in the header. */
export const parkingKey = (url: string, eventId: string): string => `${url} ${eventId}`;

/** Waits in wall time, or until the attempts are abandoned. */
export function pause({ clock, abandoned }: Pick<Workshop, 'clock' | 'abandoned'>, delayMs: number): Promise<void> {
  if (abandoned.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = clock.afterWall(delayMs, done);
    abandoned.addEventListener('abort', done, { once: true });
    function done(): void {
      cancel();
      abandoned.removeEventListener('abort', done);
      resolve();
    }
  });
}
