/** One attempt in its stages: picked, opened, sent, judged, settled. */
import type { Clock, Instant } from '../../base/time/clock.ts';
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

/** The queue of one destination, which never waits for that of another destination. */
export interface Line {
  readonly destinationId: string;
  readonly backlog: Backlog;
  readonly sockets: Sockets;
  /** Its only entry on the clock, for the earliest delivery that is due later. */
  wake: { readonly due: Instant; readonly cancel: () => void } | null;
}

/** An opened attempt: it occupies a slot of its line and holds the clock. */
export interface AttemptInFlight {
  readonly line: Line;
  readonly delivery: Delivery;
  /** Simulated time. */
  readonly at: Instant;
  readonly held: AttemptHold;
}

/** An attempt that was sent and judged, with all data for its record. */
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

/** The objects that the stages share. */
export interface Workshop {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly events: EventBodies;
  readonly resolve: Resolve;
  readonly forwards: Forwards;
  /** True if the certificates of forwards are not verified. A session has its own setting. [cli, up] */
  readonly skipVerify: boolean;
  /**
   * Aborted when attempts in flight are abandoned: their deliveries stay pending and are tried again after a restart.
   */
  readonly abandoned: AbortSignal;
  /** Attempts in flight, by `parkingKey`. */
  readonly parking: Map<string, Patience>;
}

/** Identifies an attempt by what its receiver knows: the receiver's own address, and the event id in the header. */
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
