/** What the world can be asked to do: imperative words, already parsed and authenticated at the door. */
import type { Instant } from '../base/clock.ts';
import type { EventGroup, EventType, MusterKind, PrivacyMode, Scope, Severity } from '../contract/enumerations.ts';
import type { Destination, Fix, MusterDeadline, MusterOrigin } from './world/documents.ts';

/** An event message of a watch: `uplinkId` alone decides whether it was heard before. [watch-protocol, fine print] */
interface Uplink {
  readonly deviceId: string;
  readonly uplinkId: string;
  /** The watch's own clock. */
  readonly watchTime: Instant;
}

export type Command =
  // A watch reports.
  | {
      readonly type: 'report-birth';
      readonly deviceId: string;
      readonly session: number;
      readonly firmware: string | null;
    }
  | {
      readonly type: 'report-position';
      readonly deviceId: string;
      /** Oldest first; `at` is the watch's own time. */
      readonly fixes: readonly (Fix & { readonly worn: boolean | null })[];
    }
  | {
      readonly type: 'report-battery';
      readonly deviceId: string;
      readonly pct: number;
      readonly charging: boolean;
    }
  | ({ readonly type: 'report-sos'; readonly trigger: 'watch_button' | 'watch_hardware_button' } & Uplink)
  | ({ readonly type: 'report-fall' } & Uplink)
  | ({ readonly type: 'answer-prompt'; readonly fallId: string; readonly answer: 'ok' | 'help' } & Uplink)
  | ({ readonly type: 'acknowledge-on-watch'; readonly alertId: string | null } & Uplink)
  | ({ readonly type: 'request-call'; readonly voiceNote: boolean } & Uplink)
  | ({ readonly type: 'report-help'; readonly reason: 'trapped' | 'injured' | 'helping' | null } & Uplink)
  | ({ readonly type: 'declare-at-point'; readonly pointId: string } & Uplink)
  | ({ readonly type: 'acknowledge-vehicle'; readonly warningId: string } & Uplink)
  | { readonly type: 'regain-contact'; readonly deviceId: string }
  // Something is due.
  | { readonly type: 'expire-prompt'; readonly promptId: string }
  | { readonly type: 'judge-silence'; readonly deviceId: string }
  | { readonly type: 'count-muster'; readonly musterId: string }
  // A person decides, in the panel or through the API.
  | {
      readonly type: 'update-alert';
      readonly alertId: string;
      readonly status: 'acknowledged' | 'resolved';
      readonly by: string;
      /** Who it was, for the timeline. */
      readonly actor: string;
      readonly reason: string | null;
      readonly note: string | null;
    }
  // The control room steers an evacuation; the API cannot. [spec 1.3]
  | {
      readonly type: 'start-muster';
      readonly siteId: string;
      readonly kind: MusterKind;
      readonly reason: string | null;
      readonly origin: MusterOrigin | null;
      /** Null: the plan's, if it has one. */
      readonly deadline: MusterDeadline | null;
      readonly by: string;
    }
  | {
      readonly type: 'change-muster-kind';
      readonly musterId: string;
      readonly kind: MusterKind;
      readonly deadline: MusterDeadline | null;
      readonly by: string;
    }
  | {
      readonly type: 'exclude-point';
      readonly musterId: string;
      readonly pointId: string;
      readonly reason: string;
      readonly by: string;
    }
  | {
      readonly type: 'reinstate-point';
      readonly musterId: string;
      readonly pointId: string;
      readonly by: string;
    }
  | {
      readonly type: 'mark-safe';
      readonly musterId: string;
      readonly workerId: string;
      /** Null: at none. */
      readonly pointId: string | null;
      readonly by: string;
    }
  | { readonly type: 'inspect-plant'; readonly musterId: string; readonly by: string }
  | {
      readonly type: 'end-muster';
      readonly musterId: string;
      readonly outcome: 'completed' | 'cancelled';
      readonly by: string;
    }
  // The customer's API client.
  | {
      readonly type: 'issue-token';
      readonly hash: string;
      readonly clientId: string;
      readonly scopes: readonly Scope[];
      readonly expiresAt: number;
    }
  | {
      readonly type: 'create-destination';
      readonly organizationId: string;
      readonly clientId: string;
      readonly url: string;
      readonly eventTypes: readonly (EventType | EventGroup)[];
      readonly filters: {
        readonly siteIds?: readonly string[];
        readonly minSeverity?: Severity;
        readonly contractors?: readonly string[];
      };
      readonly secret: string;
    }
  | { readonly type: 'delete-destination'; readonly destinationId: string }
  | { readonly type: 'rotate-secret'; readonly destinationId: string; readonly secret: string }
  | { readonly type: 'test-destination'; readonly destinationId: string; readonly nonce: string }
  // The sandbox's own hand: what no client of the real service can do.
  | {
      readonly type: 'change-contract';
      readonly clientId: string;
      readonly includeWorkerNames?: boolean;
      readonly scopes?: readonly Scope[];
      /** Null: not scoped. */
      readonly contractors?: readonly string[] | null;
    }
  | { readonly type: 'end-tokens'; readonly clientId: string; readonly how: 'expire' | 'revoke'; readonly at: number }
  | {
      readonly type: 'change-privacy';
      readonly siteId: string;
      readonly mode?: PrivacyMode;
      readonly unveilMinSeverity?: Severity;
    }
  // The sender reports how an attempt went.
  | {
      readonly type: 'settle-delivery';
      readonly deliveryId: string;
      readonly attemptedAt: Instant;
      readonly delivered: boolean;
      readonly status: number | null;
    };

export type CommandType = Command['type'];
export type CommandOf<T extends CommandType> = Extract<Command, { type: T }>;

/** What a command answers when it was not rejected: ids of what it made or touched. */
export interface Done {
  readonly alertId?: string;
  readonly musterId?: string;
  readonly destination?: Destination;
  /** The command asked for what was so already. */
  readonly unchanged?: boolean;
  /** The message was heard before, or asks for something that is not there: acknowledged and dropped. */
  readonly dropped?: string;
}
