/** What checks and house rules ask of the running sandbox beyond its notices. */
import type {
  Alert,
  Device,
  MissingWorker,
  Muster,
  Position,
  WebhookDestination,
  Worker,
} from '../../contract/resources.ts';

/** What an unscoped client of the company (or the token that started the run) gets from the API now; people by their ids. */
export interface Looks {
  /** Null where GET does not find it. Where it has changed again since this notice, as the notice has it. */
  alert(noticed: Alert): Alert | null;
  muster(noticed: Muster): Muster | null;
  destination(noticed: WebhookDestination): WebhookDestination | null;
  missing(musterId: string): readonly MissingWorker[];
  worker(workerId: string): Worker | null;
  /** The watch that the worker wears. */
  device(workerId: string): Device | null;
  /** Null where the veil, or its age, keeps it back. */
  position(workerId: string): Position | null;
  /** For the house rules: whether names leave now, whose they are, and where people are who can be hidden. */
  readonly house: HouseSight;
  /** What stands on the screen of the worker's emulated watch; null where it is not emulated. */
  watch(workerId: string): WatchScreen | null;
}

/** What a watch shows: null for what it does not. */
export interface WatchScreen {
  readonly prompt: object | null;
  /** Open alerts, the newest last. */
  readonly alerts: readonly object[];
  readonly muster: object | null;
  readonly rest: string | null;
  readonly vehicle: object | null;
}

/** What the rules ask of the running sandbox. */
export interface HouseSight {
  /** Whether a company may see names now, by its organization's id. */
  mayName(organizationId: string): boolean;
  /** The full names of the people of a company. */
  namesOf(organizationId: string): readonly string[];
  /** Where people are who can be hidden: by the veil of an on-demand site, or by a privacy zone. */
  places(): readonly HideablePosition[];
}

/** Where somebody's last fix is. */
export interface HideablePosition {
  readonly workerId: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Whether a client may be told this place now. */
  readonly shown: boolean;
}
