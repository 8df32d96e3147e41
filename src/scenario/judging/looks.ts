/** The port through which checks and house rules query the running sandbox. */
import type {
  Alert,
  Device,
  MissingWorker,
  Muster,
  Position,
  WebhookDestination,
  Worker,
} from '../../contract/resources.ts';

/**
 * The API's replies to an unscoped client of the company, or to the token that started the run; people are given by
 * their ids.
 */
export interface Looks {
  /**
   * Returns null if GET does not find the alert. If the state has changed since its notice, returns the state of the
   * notice.
   */
  alert(noticed: Alert): Alert | null;
  muster(noticed: Muster): Muster | null;
  destination(noticed: WebhookDestination): WebhookDestination | null;
  missing(musterId: string): readonly MissingWorker[];
  worker(workerId: string): Worker | null;
  /** The watch that the worker wears. */
  device(workerId: string): Device | null;
  /** Null if the veil or the age of the position hides it. */
  position(workerId: string): Position | null;
  /** Ids of the events for which the delivery to a destination is still pending. */
  undelivered(): ReadonlySet<string>;
  /** For the house rules, which must know the hidden data. */
  readonly house: HouseRuleScope;
  /** The screen of the worker's emulated watch; null if it is not emulated. */
  watch(workerId: string): WatchScreen | null;
}

/** The screen of a watch; a part is null if the watch does not show it. */
export interface WatchScreen {
  readonly prompt: object | null;
  /** Open alerts, the newest last. */
  readonly alerts: readonly object[];
  readonly muster: object | null;
  readonly rest: string | null;
  readonly vehicle: object | null;
}

/** Ground truth for the house rules. */
export interface HouseRuleScope {
  /** Returns true if a company may see names now, by its organization's id. */
  mayName(organizationId: string): boolean;
  /**
   * The alert of a notice as GET answers it to the client of the company now, through its contract. Null: that client may
   * not see it, or it has changed since.
   */
  asSeen(organizationId: string, noticed: Alert): Alert | null;
  /** The full names of the people of a company. */
  namesOf(organizationId: string): readonly string[];
  /** Positions of people who can be hidden, by the veil of an on-demand site or by a privacy zone. */
  places(): readonly HideablePosition[];
}

/** The last position fix of a worker. */
export interface HideablePosition {
  readonly workerId: string;
  readonly latitude: number;
  readonly longitude: number;
  /** True if a client may see the position now. */
  readonly shown: boolean;
}
