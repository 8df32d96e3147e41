/** What a recorder took down of a live session: who and what was there, what was done, and what followed. */
import type { Instant } from '../../base/clock.ts';
import type { Point } from '../../base/geometry.ts';
import type { ActionBody, ActionResult } from '../../contract/actions.ts';
import type { EventType } from '../../contract/enumerations.ts';
import type { PlannedSite } from '../../plant/plan.ts';

/** A person as they were when the recording began. */
export interface TapedPerson {
  readonly id: string;
  /** External id and serial: as actions may name them. */
  readonly externalId: string | null;
  readonly serial: string;
  readonly name: string;
  readonly contractor: string | null;
  readonly role: string | null;
  readonly siteId: string;
  /** Metres from the site's origin. */
  readonly at: Point;
  readonly worn: boolean | null;
  readonly batteryPct: number | null;
  /** Metres per second. */
  readonly pace: number | null;
  /** In force then, by the name of the zone. */
  readonly permits: readonly { readonly zone: string; readonly reference: string }[];
}

export interface TapedSite {
  readonly id: string;
  readonly planned: Omit<PlannedSite, 'workers' | 'vehicles' | 'permits'>;
  /** Zone id -> name. */
  readonly zones: ReadonlyMap<string, string>;
}

/** What somebody did, or what came of it; times are simulated. */
export type TapedEntry =
  | {
      readonly kind: 'action';
      readonly at: Instant;
      readonly body: ActionBody;
      /** Null where it was refused; `why` tells why. */
      readonly results: readonly ActionResult[] | null;
      readonly why: string | null;
    }
  /** The customer's own PATCH of an alert, which was accepted. */
  | {
      readonly kind: 'update';
      readonly at: Instant;
      readonly alertId: string;
      readonly status: 'acknowledged' | 'resolved';
      readonly by: string;
      readonly externalId: string | null;
      readonly reason: string | null;
      readonly note: string | null;
    }
  | {
      readonly kind: 'event';
      readonly at: Instant;
      readonly type: EventType;
      readonly siteId: string;
      /** Of the alert or muster. */
      readonly objectId: string;
      /** The alert's type; null: it is a muster. */
      readonly alertType: string | null;
      readonly workerId: string | null;
    };

export interface Tape {
  readonly startedAt: Instant;
  readonly endedAt: Instant;
  readonly includeWorkerNames: boolean;
  readonly sites: readonly TapedSite[];
  readonly people: readonly TapedPerson[];
  /** In the order in which they began. */
  readonly entries: readonly TapedEntry[];
  /** More happened than a tape holds. */
  readonly full: boolean;
  /** What a reader of the draft has to know of its making. */
  readonly notes?: readonly string[];
}
