/** What the scenario runner asks of the world around it: files to read, and a sandbox that somebody else boots. */
import type { Clock, Instant } from '../../base/clock.ts';
import type { Point } from '../../base/geometry.ts';
import type { ActionName } from '../../contract/actions.ts';
import type { Notice } from '../../contract/notices.ts';
import type { MissingWorker } from '../../contract/resources.ts';
import type { Plan } from '../../plant/plan.ts';
import type { StageClient } from '../customer/customer.ts';
import type { HttpAnswer, HttpCall } from '../customer/http-client.ts';
import type { Looks } from '../judging/looks.ts';
import type { RunNotice } from '../log/run-notices.ts';
import type { Story } from '../story/story.ts';
import type { PerformedAction } from './performer.ts';

/** Everything a sandbox for one run is made of. */
export interface BootRequest {
  readonly plan: Plan;
  /**
   * The runner's own: it starts and stops it. A lock-step clock stands still during the boot (what `Clock` says about
   * the time before `start()` holds: `soon`, `ordered`, holds and wall timers work, due entries wait, and `advance(0)`
   * plays those of this instant); a real or scaled one runs already.
   */
  readonly clock: Clock;
  readonly seed: string;
  /** Host name -> http address: what goes to `https://HOST/...` is sent there. [decisions 7] */
  readonly forwards: ReadonlyMap<string, string>;
  /** Where the file sets the clock; the clock shows it already. */
  readonly start?: Instant;
}

/** Where a worker's watch says it is. */
export interface SeenFix {
  readonly workerId: string;
  /** The site's name. */
  readonly site: string;
  /** Metres from the site's origin. */
  readonly at: Point;
}

/** What a witness must know of the stage to use the story's own names. */
export interface WitnessScene {
  readonly story: Story;
  readonly clock: Clock;
  /** The short name of the worker with this id. */
  personOf(workerId: string): string | undefined;
  /** The short name of the receiver behind this url. */
  receiverOf(url: string): string | null;
  /** Who is missing in the muster, as the company's unscoped client would get it. */
  missing(musterId: string): readonly MissingWorker[];
}

/** What remembers a run for its reports; it changes nothing of the run. */
export interface RunWitness {
  /** The stage stands; what comes before `begins` counts as of the beginning. */
  sees(scene: WitnessScene): void;
  begins(now: Instant): void;
  /** A notice of the run itself. */
  tell(notice: RunNotice): void;
  /** A notice of the service. */
  hear(notice: Notice): void;
  /** A client of the story got its answer. */
  called(asked: HttpCall, answer: HttpAnswer): void;
  /** A watch reported a new fix. */
  follow(fix: SeenFix): void;
}

/** A running sandbox: every watch is connected and its first position is committed. */
export interface RunStage {
  /** `http://127.0.0.1:PORT`, without a slash at its end. */
  readonly apiUrl: string;
  /** Of the broker, for watches of one's own. */
  readonly mqttUrl: string;
  /** The folder with `sandbox.json`, by which other commands find it; null where the sandbox was there before. */
  readonly dataDir: string | null;
  readonly controlToken: string;
  readonly clients: readonly StageClient[];
  /** In-process and synchronous, right after each commit. The answer ends it. */
  onNotice(listener: (notice: Notice) => void): () => void;
  /** Each new fix of a watch that somebody wears, right after its commit. The answer ends it. */
  onFix(listener: (fix: SeenFix) => void): () => void;
  readonly look: Looks;
  /**
   * A built-in receiver takes its time with an event that came in at this url: in lock-step simulated time passes until
   * the answer is called, and the 5 s are counted by it. Null where the wall clock counts. [decisions 7]
   */
  park(url: string, eventId: string): (() => void) | null;
  /** The id of the worker with this external id. */
  workerId(externalId: string): string;
  /** Performs an action where the sandbox has more in it than the story; absent: by the actions endpoint. */
  act?(action: ActionName, fields: object): Promise<PerformedAction>;
  /** The clock is paused when this is called: what has to end must not need a due entry. Idempotent. */
  stop(): Promise<void>;
}

/** Boots a sandbox; an `Outage` where the environment does not allow it. */
export type Boot = (request: BootRequest) => Promise<RunStage>;
