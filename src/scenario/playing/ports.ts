/** Ports of the scenario runner: the sandbox that it plays on, which the composition root boots, and the witness for reports. */

import type { Point } from '../../base/geometry/shapes.ts';
import type { Clock, Instant } from '../../base/time/clock.ts';
import type { ActionName } from '../../contract/actions.ts';
import type { Notice } from '../../contract/notices.ts';
import type { StreamPerson, StreamWorker } from '../../contract/stream.ts';
import type { Plan } from '../../plant/plan.ts';
import type { StageClient } from '../customer/customer.ts';
import type { HttpAnswer, HttpCall } from '../customer/http-client.ts';
import type { Looks } from '../judging/looks.ts';
import type { RunNotice } from '../log/run-notices.ts';
import type { Scenario } from '../model/scenario.ts';
import type { PerformedAction } from './performer.ts';
import type { RequestsInFlight } from './requests-in-flight.ts';

export interface BootRequest {
  readonly plan: Plan;
  /**
   * Owned by the runner, which starts and stops it. A lock-step clock stands still during the boot (as `Clock` documents
   * for the time before `start()`: `soon`, `ordered`, holds and wall timers work, due entries wait, and `advance(0)`
   * plays those of this instant); a real or scaled one runs already.
   */
  readonly clock: Clock;
  readonly seed: string;
  /** Host name -> http address to which requests for `https://HOST/...` are forwarded. [decisions 7] */
  readonly forwards: ReadonlyMap<string, string>;
  /** Start time of the file; the clock is set already. */
  readonly start?: Instant;
}

/** A position reported by a worker's watch. */
export interface SeenFix {
  readonly workerId: string;
  /** The site's name. */
  readonly site: string;
  /** Metres from the site's origin. */
  readonly at: Point;
}

/** What an unscoped client of the company sees of a worker, as its event stream shows it. */
export interface SeenPerson {
  readonly person: StreamPerson;
  readonly worker: StreamWorker;
  /** The site's name. */
  readonly site: string;
  /** Metres from the site's origin; null where no position is shown. */
  readonly at: Point | null;
}

/** Ground truth: where the wearer of an emulated watch really is. */
export interface TruePosition {
  readonly workerId: string;
  /** Metres from the site's origin. */
  readonly at: Point;
}

/** What a witness needs of the stage, mainly the scenario's names. */
export interface WitnessScene {
  readonly scenario: Scenario;
  readonly clock: Clock;
  /** The short name of the worker with this id. */
  personOf(workerId: string): string | undefined;
  /** The short name of the receiver behind this url. */
  receiverOf(url: string): string | null;
  /** Base address of the sandbox, and credentials: a report contains none of them. */
  readonly apiUrl: string;
  readonly secrets: readonly string[];
  /** Ground truth; a witness asks for it only where the user did. */
  truth(): readonly TruePosition[];
}

/** Records a run for its reports, without influence on the run. */
export interface RunWitness {
  /** The stage stands; what comes before `begins` counts as of the beginning. */
  onStage(scene: WitnessScene): void;
  onBegin(now: Instant): void;
  /** A notice of the run itself. */
  onRunNotice(notice: RunNotice): void;
  /** A notice of the service. */
  onNotice(notice: Notice): void;
  /** A client of the scenario got its answer. */
  onAnswer(call: HttpCall, answer: HttpAnswer): void;
  /** The view of a worker by a client may have changed. Absent: workers are not followed, which saves time. */
  onPerson?(seen: SeenPerson): void;
}

/** A running sandbox: every watch is connected and its first position is committed. */
export interface RunStage {
  /** `http://127.0.0.1:PORT`, without a slash at its end. */
  readonly apiUrl: string;
  /** The certificate authority of a sandbox that speaks https, as PEM, and the file with it. Absent: it speaks http. */
  readonly trust?: { readonly ca: string; readonly caFile: string };
  /** For the user's own watches. */
  readonly mqttUrl: string;
  /** The folder with `sandbox.json`, for other commands; null if the sandbox was running before. */
  readonly dataDir: string | null;
  readonly controlToken: string;
  readonly clients: readonly StageClient[];
  /** Called synchronously right after each commit. Returns the unsubscribe function. */
  onNotice(listener: (notice: Notice) => void): () => void;
  /** Called for each new fix of a worn watch, right after its commit. Returns the unsubscribe function. */
  onFix(listener: (fix: SeenFix) => void): () => void;
  /**
   * Called with all workers at once, and then with each worker whose view by an unscoped client of the company may have changed.
   * Returns the unsubscribe function.
   */
  onPerson(listener: (seen: SeenPerson) => void): () => void;
  /** Ground truth: what no client is shown. [decisions 4] */
  truth(): readonly TruePosition[];
  readonly look: Looks;
  /**
   * A built-in receiver delays its answer to a delivery at this url: in lock-step simulated time passes until the returned
   * function is called, and the timeout of 5 s is simulated too. Null if wall time counts. [decisions 7]
   */
  park(url: string, eventId: string): (() => void) | null;
  /** Requests of the user's own programs begin in the order of the gate; absent: in a shared sandbox. */
  orderRequests?(gate: RequestsInFlight): void;
  /** The id of the worker with this external id. */
  workerId(externalId: string): string;
  /** Performs an action limited to the scenario's plant, in a shared sandbox; absent: use the actions endpoint. */
  act?(action: ActionName, fields: object): Promise<PerformedAction>;
  /** Called with the clock paused: stopping must not depend on due entries. Idempotent. */
  stop(): Promise<void>;
}

/** Boots a sandbox; throws an `Outage` if the environment does not allow it. */
export type Boot = (request: BootRequest) => Promise<RunStage>;
