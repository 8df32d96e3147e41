/**
 * Input and output of a decision: the stamp, and changes or a rejection. Names of changes are in the past tense. One function applies them to
 * the world, and the store writes them in one transaction.
 */

import { idOfVersion } from '../../base/ids.ts';
import type { Instant } from '../../base/time/clock.ts';
import type { EventType } from '../../contract/enumerations.ts';
import type { MusterEvent } from '../../contract/events.ts';
import { type Assumptions, DEFAULT_ASSUMPTIONS } from '../../contract/gaps.ts';
import type { ProblemCode } from '../../contract/problems.ts';
import type {
  Alert,
  Client,
  ContactMail,
  CourseStretch,
  Delivery,
  Destination,
  Device,
  EventRecord,
  Expected,
  GuestScenario,
  LostDelivery,
  Muster,
  Permit,
  PlantDocument,
  Prompt,
  Roll,
  Site,
  Stay,
  Telemetry,
  Token,
  Unveiling,
  Warning,
  Worker,
} from './world/documents.ts';

export type Change =
  /** `modifiedAt` in a change is the earliest possible instant. The document in the world has the assigned one. */
  | { readonly kind: 'alert-raised'; readonly alert: Alert }
  /** `event` null: a change that emits no event (an escalation, an assignment). */
  | { readonly kind: 'alert-changed'; readonly alert: Alert; readonly event: EventType | null }
  /** A line in the timeline, which the API does not show. */
  | { readonly kind: 'alert-noted'; readonly alert: Alert }
  | { readonly kind: 'prompt-opened'; readonly prompt: Prompt }
  | { readonly kind: 'prompt-closed'; readonly promptId: string }
  | { readonly kind: 'device-changed'; readonly device: Device }
  | { readonly kind: 'worker-changed'; readonly worker: Worker }
  | { readonly kind: 'permit-changed'; readonly permit: Permit }
  | { readonly kind: 'stay-begun'; readonly stay: Stay }
  | { readonly kind: 'stay-ended'; readonly stayId: string }
  | { readonly kind: 'vehicle-warned'; readonly warning: Warning }
  | { readonly kind: 'warning-acknowledged'; readonly warning: Warning }
  | { readonly kind: 'warning-forgotten'; readonly warningId: string }
  | { readonly kind: 'unveiled'; readonly unveiling: Unveiling }
  /** The plant's measurements, or its privacy settings. */
  | { readonly kind: 'site-changed'; readonly site: Site }
  /** A scenario's plant, for as long as the scenario runs. */
  | { readonly kind: 'plant-joined'; readonly guest: GuestScenario; readonly documents: readonly PlantDocument[] }
  | { readonly kind: 'plant-cleared'; readonly siteId: string }
  | { readonly kind: 'guest-left'; readonly guestId: string }
  | { readonly kind: 'telemetry-heard'; readonly telemetry: Telemetry }
  | { readonly kind: 'watch-born'; readonly deviceId: string }
  | { readonly kind: 'uplink-heard'; readonly id: string; readonly at: number; readonly content: string }
  | { readonly kind: 'token-issued'; readonly token: Token; readonly forgotten: readonly string[] }
  | { readonly kind: 'token-ended'; readonly token: Token }
  | { readonly kind: 'contract-changed'; readonly client: Client }
  | { readonly kind: 'destination-created'; readonly destination: Destination }
  | { readonly kind: 'destination-changed'; readonly destination: Destination }
  | { readonly kind: 'destination-deleted'; readonly destinationId: string }
  | { readonly kind: 'destination-tested'; readonly destination: Destination; readonly nonce: string }
  /**
   * Also for the start and the end. `people`: those whose state in the count changed. `at`: the instant at which its
   * events occurred.
   */
  | {
      readonly kind: 'muster-changed';
      readonly muster: Muster;
      readonly people: readonly Expected[];
      readonly events: readonly MusterEvent['type'][];
      readonly at: number;
    }
  /** The worker's own declaration, or a declaration about them. The next count considers it. */
  | { readonly kind: 'expected-changed'; readonly person: Expected }
  /** The totals of a count are added to the muster's course. `dropped`: stretches that were removed by thinning. */
  | { readonly kind: 'course-drawn'; readonly stretches: readonly CourseStretch[]; readonly dropped: readonly string[] }
  /** The final state of every person. `forgotten`: the rolls of old musters that are removed to make room. */
  | { readonly kind: 'roll-closed'; readonly roll: Roll; readonly forgotten: readonly string[] }
  | { readonly kind: 'event-occurred'; readonly record: EventRecord }
  | { readonly kind: 'delivery-queued'; readonly delivery: Delivery }
  | { readonly kind: 'delivery-settled'; readonly delivery: Delivery }
  | { readonly kind: 'delivery-lost'; readonly lost: LostDelivery }
  /** `forgotten`: the oldest e-mails, which are removed to make room. */
  | {
      readonly kind: 'mail-kept';
      readonly mail: ContactMail | null;
      readonly lostIds: readonly string[];
      readonly forgotten: readonly string[];
    };

export type ChangeKind = Change['kind'];
export type ChangeOf<K extends ChangeKind> = Extract<Change, { kind: K }>;

/** A refusal is a value: a problem code, what is wrong, and where. [style 7] */
export interface Rejection {
  readonly rejected: true;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  /** For the request log only, never for the client: the internal error. */
  readonly note?: string;
}

export const reject = (code: ProblemCode, detail: string, errors?: Rejection['errors']): Rejection => ({
  rejected: true,
  code,
  detail,
  ...(errors === undefined ? {} : { errors }),
});

export const isRejection = (value: unknown): value is Rejection =>
  typeof value === 'object' && value !== null && (value as { rejected?: unknown }).rejected === true;

/**
 * The input of a decision besides the world: the time and a way to make ids. Nothing else from outside enters a
 * decision.
 */
export interface Stamp {
  readonly now: Instant;
  /** The same parts give the same id. Ids are derived from what happened, so a replay makes the same ones. */
  id(...parts: (string | number)[]): string;
  /** The readings of the open points of the specification. */
  readonly assumptions: Assumptions;
  /** Silence is counted from the last contact, or from this instant if it is later. [decisions 9, a restart] */
  readonly serviceStartedAt: Instant;
}

/**
 * `salt` distinguishes the ids of different runs: the seed if one was given, else a random value that is drawn once per
 * data folder.
 */
export const stampAt = (
  now: Instant,
  salt: string,
  assumptions: Assumptions = DEFAULT_ASSUMPTIONS,
  serviceStartedAt: Instant = 0,
): Stamp => ({
  now,
  id: (...parts) => idOfVersion(Number(assumptions['id-version']), salt, ...parts),
  assumptions,
  serviceStartedAt,
});
