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

/** The API's answers to an unscoped client of the company, or to the token that started the run; people by their ids. */
export interface Looks {
  /** Null if GET does not find it. A state superseded since its notice is returned as noticed. */
  alert(noticed: Alert): Alert | null;
  muster(noticed: Muster): Muster | null;
  destination(noticed: WebhookDestination): WebhookDestination | null;
  missing(musterId: string): readonly MissingWorker[];
  worker(workerId: string): Worker | null;
  /** The watch that the worker wears. */
  device(workerId: string): Device | null;
  /** Null if the veil or its age withholds it. */
  position(workerId: string): Position | null;
  /** Ids of the events that some destination still waits for. */
  undelivered(): ReadonlySet<string>;
  /** For the house rules, which must know what is hidden. */
  readonly house: HouseRuleScope;
  /** The screen of the worker's emulated watch; null if it is not emulated. */
  watch(workerId: string): WatchScreen | null;
}

/** The screen of a watch; null for what it does not show. */
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
  /** Whether a company may see names now, by its organization's id. */
  mayName(organizationId: string): boolean;
  /** The full names of the people of a company. */
  namesOf(organizationId: string): readonly string[];
  /** Positions of people who can be hidden, by the veil of an on-demand site or by a privacy zone. */
  places(): readonly HideablePosition[];
}

/** The last fix of a worker. */
export interface HideablePosition {
  readonly workerId: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Whether a client may see it now. */
  readonly shown: boolean;
}
