/** Ports of the scenario runner: the sandbox of the run, which the composition root starts, and the witness for reports. */

import type { Point } from '../../base/geometry/shapes.ts';
import type { Clock, Instant } from '../../base/time/clock.ts';
import type { ActionName } from '../../contract/actions.ts';
import type { Notice } from '../../contract/notices.ts';
import type { CoverageView } from '../../contract/operations/coverage.ts';
import type { StreamChange } from '../../contract/stream.ts';
import type { Plan } from '../../plant/plan.ts';
import type { StageClient } from '../customer/customer.ts';
import type { HttpAnswer, HttpCall } from '../customer/http-client.ts';
import type { Looks } from '../judging/looks.ts';
import type { RunNotice } from '../log/run-notices.ts';
import type { Scenario } from '../model/scenario.ts';
import type { TrafficPort } from '../model/traffic-port.ts';
import type { PerformedAction } from './performer.ts';
import type { RequestsInFlight } from './requests-in-flight.ts';

export interface BootRequest {
  readonly plan: Plan;
  /**
   * The runner owns, starts and stops the clock. A lock-step clock does not advance during the start of the sandbox (as
   * `Clock` documents for the time before `start()`: `soon`, `ordered`, holds and wall timers work, due entries wait,
   * and `advance(0)` runs the entries of this instant); a real or scaled clock already runs.
   */
  readonly clock: Clock;
  readonly seed: string;
  /** Host name -> http address to which requests for `https://HOST/...` are forwarded. [decisions 7] */
  readonly forwards: ReadonlyMap<string, string>;
  /** The secret of the user's own receiver at this address; null for a built-in receiver. `before`: the one to rotate. */
  readonly ownReceiverSecret: (organization: string, url: string, before?: string) => string | null;
  /** Whether a program of the user judges the deliveries to this address. */
  readonly isOwnReceiver: (organization: string, url: string) => boolean;
  /** Start time of the file; the clock is already set to it. */
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

/** Ground truth: the real position of the wearer of an emulated watch. */
export interface TruePosition {
  readonly workerId: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** What a witness needs from the run, mainly the scenario's names. */
export interface WitnessScene {
  readonly scenario: Scenario;
  readonly clock: Clock;
  /** The short name of the worker with this id. */
  personOf(workerId: string): string | undefined;
  /** The short name of the receiver with this URL. */
  receiverOf(url: string): string | null;
  /** Base address of the sandbox, and credentials; a report must not contain them. */
  readonly apiUrl: string;
  readonly secrets: readonly string[];
  /** Returns ground truth; a witness calls this only if the user requested it. */
  truth(): readonly TruePosition[];
}

/** Records a run for its reports, without any influence on the run. */
export interface RunWitness {
  /** The sandbox is ready; notices before `onBegin` count as at the start of the scenario. */
  onStage(scene: WitnessScene): void;
  onBegin(now: Instant): void;
  /** A notice of the run itself. */
  onRunNotice(notice: RunNotice): void;
  /** A notice of the service. */
  onNotice(notice: Notice): void;
  /** A client of the scenario got its reply. */
  onAnswer(call: HttpCall, answer: HttpAnswer): void;
  /**
   * What an unscoped client of each company sees, in the form of its stream: first of all objects, then of those that
   * may have changed. Absent: the stream is not followed, which saves time.
   */
  onSeen?(changes: readonly StreamChange[]): void;
}

/** A running sandbox: every watch is connected and its first position is committed. */
export interface RunStage {
  /** `http://127.0.0.1:PORT`, without a slash at its end. */
  readonly apiUrl: string;
  /** The certificate authority of a sandbox with https, as PEM, and the file that contains it. Absent: plain http. */
  readonly trust?: { readonly ca: string; readonly caFile: string };
  /** The MQTT address for the user's own watches. */
  readonly mqttUrl: string;
  /** The folder with `sandbox.json`, for other commands; null if the sandbox was running before. */
  readonly dataDir: string | null;
  readonly controlToken: string;
  readonly clients: readonly StageClient[];
  /** The listener is called synchronously after each commit. Returns the unsubscribe function. */
  onNotice(listener: (notice: Notice) => void): () => void;
  /**
   * The listener is called for each new position fix of a worn watch, after its commit. Returns the unsubscribe
   * function.
   */
  onFix(listener: (fix: SeenFix) => void): () => void;
  /**
   * The listener is called with all that an unscoped client of each company sees, and then, after each commit, with what
   * may have changed. Returns the unsubscribe function.
   */
  onSeen(listener: (changes: readonly StreamChange[]) => void): () => void;
  /** Ground truth, which no client may see. [decisions 4] */
  truth(): readonly TruePosition[];
  /** What of the contract the user's system and receivers have met; null in a sandbox that was running before. */
  coverage(): CoverageView | null;
  readonly look: Looks;
  /**
   * Called when a built-in receiver delays its reply to a delivery at this URL: in lock-step, simulated time passes
   * until the returned function is called, and the timeout of 5 s is simulated too. Returns null if wall time counts.
   * [decisions 7]
   */
  park(url: string, eventId: string): (() => void) | null;
  /** Starts requests of the user's own programs in the order of the gate; absent in a shared sandbox. */
  orderRequests?(gate: RequestsInFlight): void;
  /** Shows each request of the user's own programs to this port, which may change it; absent in a shared sandbox. */
  changeRequests?(traffic: Pick<TrafficPort, 'changeOf'>): void;
  /** The id of the worker with this external id. */
  workerId(externalId: string): string;
  /**
   * Performs an action that is limited to the scenario's plant, in a shared sandbox; absent: the actions endpoint is
   * used.
   */
  act?(action: ActionName, fields: object): Promise<PerformedAction>;
  /** Called while the clock is paused: stopping must not depend on due entries. Idempotent. */
  stop(): Promise<void>;
}

/** Starts a sandbox; throws an `Outage` if the environment does not allow it. */
export type Boot = (request: BootRequest) => Promise<RunStage>;
