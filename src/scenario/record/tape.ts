/** A recorded live session: its people and plants, the actions, and the events that followed. */

import type { Point } from '../../base/geometry/shapes.ts';
import type { Instant } from '../../base/time/clock.ts';
import type { ActionBody, ActionResult } from '../../contract/actions.ts';
import type { EventType } from '../../contract/enumerations.ts';
import type { PlannedSite } from '../../plant/plan.ts';
import type { UpdateBody } from '../model/scenario.ts';

/** A person in the state at the start of the recording. */
export interface TapedPerson {
  readonly id: string;
  /** External id and serial, which actions accept. */
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
  /** Permits in force at the start, by zone name. */
  readonly permits: readonly { readonly zone: string; readonly reference: string }[];
}

export interface TapedSite {
  readonly id: string;
  readonly planned: Omit<PlannedSite, 'workers' | 'vehicles' | 'permits'>;
  /** Zone id -> name. */
  readonly zones: ReadonlyMap<string, string>;
}

/** An action, or an event that followed; times are simulated. */
export type TapedEntry =
  | {
      readonly kind: 'action';
      readonly at: Instant;
      readonly body: ActionBody;
      /** Null if the action was refused; `why` is the reason. */
      readonly results: readonly ActionResult[] | null;
      readonly why: string | null;
    }
  /** A PATCH of an alert by the customer that was accepted. */
  | ({ readonly at: Instant; readonly alertId: string } & Pick<
      UpdateBody,
      'kind' | 'status' | 'by' | 'externalId' | 'reason' | 'note'
    >)
  | {
      readonly kind: 'event';
      readonly at: Instant;
      readonly type: EventType;
      readonly siteId: string;
      /** The id of the alert or muster. */
      readonly objectId: string;
      /** The alert's type; null for a muster. */
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
  /** True if the recording was truncated. */
  readonly full: boolean;
  /** Notes for the reader of the draft. */
  readonly notes?: readonly string[];
}
