/** Notices that the service emits after each commit, for readers in the process: terminal, runner and stream. */
import type { EventType } from './enumerations.ts';
import type { Event } from './events.ts';
import type { Alert, Muster, WebhookDestination } from './resources.ts';

/** The outcome of one delivery attempt. Times are simulated, ISO 8601. */
export interface AttemptNotice {
  readonly kind: 'delivery-attempted';
  readonly at: string;
  readonly delivery_id: string;
  readonly event_id: string;
  readonly event_type: EventType;
  /** The id of the event's alert or muster. */
  readonly object_id: string;
  readonly destination_id: string;
  readonly url: string;
  /** Counts from 1. */
  readonly try: number;
  readonly offset_ms: number;
  readonly result: 'delivered' | 'waiting' | 'lost';
  readonly status: number | null;
  readonly error: string | null;
  readonly signatures: number;
  readonly took_ms: number;
  /** Set for a duplicate after the delivery, which at-least-once allows: the number of the copy, from 2 [spec 6.2]. */
  readonly copy?: number;
}

/** The part of the program where an exception was contained. */
export type FailedPart =
  | 'command'
  | 'listener'
  | 'task'
  | 'request'
  | 'uplink'
  | 'delivery'
  | 'stream'
  | 'watch'
  | 'person';

export type Notice =
  | {
      readonly kind: 'event-occurred';
      readonly at: string;
      /** Rendered for the company; includes test events. */
      readonly event: Event;
      readonly listed: boolean;
    }
  | {
      readonly kind: 'alert-changed';
      readonly at: string;
      readonly organization_id: string;
      /** The alert as a client of the company without contractor limits would see it. */
      readonly alert: Alert;
    }
  | {
      readonly kind: 'muster-changed';
      readonly at: string;
      readonly organization_id: string;
      readonly muster: Muster;
    }
  | {
      readonly kind: 'destination-changed';
      readonly at: string;
      readonly organization_id: string;
      readonly destination: WebhookDestination;
    }
  | { readonly kind: 'destination-deleted'; readonly at: string; readonly destination_id: string }
  | AttemptNotice
  | {
      /** The e-mail to a company's technical contact about lost deliveries [spec 6.6]. */
      readonly kind: 'mail-sent';
      readonly at: string;
      readonly id: string;
      readonly organization_id: string;
      readonly to: string;
      readonly subject: string;
      readonly text: string;
    }
  | {
      /** The mail server refused an e-mail. `again` is true if it is tried again. */
      readonly kind: 'mail-refused';
      readonly at: string;
      readonly id: string;
      readonly to: string;
      readonly why: string;
      readonly again: boolean;
    }
  | {
      /** A request of a known client was answered [spec 5]. */
      readonly kind: 'request-answered';
      readonly at: string;
      readonly organization_id: string;
      readonly method: string;
      readonly path: string;
      readonly query: string;
      readonly status: number;
      readonly code: string | null;
      /**
       * Identifies the access token, valid or expired, and is not secret: the beginning of its SHA-256; null if the
       * token is unknown.
       */
      readonly token_hash: string | null;
      /** The `Retry-After` of a 429, seconds; null if the client is within its limits. */
      readonly retry_after_s: number | null;
    }
  | { readonly kind: 'watch-online'; readonly at: string; readonly serial: string }
  | { readonly kind: 'watch-offline'; readonly at: string; readonly serial: string }
  | { readonly kind: 'uplink-heard'; readonly at: string; readonly serial: string; readonly event: string }
  | {
      readonly kind: 'watch-refused';
      readonly at: string;
      readonly serial: string | null;
      readonly what: string;
      readonly why: string;
      /** Occurrences since the last notice of the same kind; repeats are counted and not all reported. */
      readonly times: number;
    }
  | {
      /** Valid and accepted, but production might reject it, or it indicates a fault of the watch. */
      readonly kind: 'watch-noted';
      readonly at: string;
      readonly serial: string;
      readonly what: string;
      readonly why: string;
    }
  | {
      /** A contained exception: it ended one operation only. */
      readonly kind: 'internal-error';
      readonly at: string;
      readonly part: FailedPart;
      /** The failed operation: a command's type, a watch's serial, a request. */
      readonly what: string;
      /** Occurrences; reported at each power of two. */
      readonly times: number;
      /** Name and message of the error. */
      readonly detail: string;
      /** The whole error with its stack. */
      readonly error: string;
      /**
       * The command without its secrets, for a replay. It may contain coordinates, so only the operator of the sandbox
       * may see it.
       */
      readonly command: object | null;
    }
  | {
      /** The connection to an external broker was lost, was restored, or was taken over by another process. */
      readonly kind: 'broker-changed';
      readonly at: string;
      readonly connected: boolean;
      readonly detail: string;
    }
  /**
   * A run in the running sandbox ended without a result: its file, the machine or the user's own system stopped it. It
   * may contain commands, so only the operator of the sandbox may see it.
   */
  | { readonly kind: 'run-stopped'; readonly at: string; readonly scenario: string; readonly detail: string }
  /** A node joined, left, or released its work. Only if several nodes share a database. */
  | { readonly kind: 'nodes-changed'; readonly at: string; readonly detail: string }
  | { readonly kind: 'storage-full'; readonly at: string; readonly detail: string }
  | { readonly kind: 'storage-broken'; readonly at: string; readonly detail: string };

export type NoticeKind = Notice['kind'];
