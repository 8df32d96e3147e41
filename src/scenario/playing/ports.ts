/** What the scenario runner asks of the world around it: files to read, and a sandbox that somebody else boots. */
import { readFileSync } from 'node:fs';
import type { Clock, Instant } from '../../base/clock.ts';
import type { Point } from '../../base/geometry.ts';
import type { ActionName } from '../../contract/actions.ts';
import type { Notice } from '../../contract/notices.ts';
import type { Device, MissingWorker, Position, Worker } from '../../contract/resources.ts';
import type { Plan } from '../../plant/plan.ts';
import type { HouseSight } from '../judging/house-rules.ts';
import type { Acted } from './performer.ts';

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

/** A company of the running sandbox, as its own system enters it. */
export interface StageClient {
  readonly organization: string;
  readonly organizationId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What its tokens may ask for; absent: all that the contract has. */
  readonly scopes?: readonly string[];
}

/** What an unscoped client of the company (or the token that started the run) would get now, for what no notice tells; people by their ids. */
export interface Looks {
  missing(musterId: string): readonly MissingWorker[];
  worker(workerId: string): Worker | null;
  /** The watch that the worker wears. */
  device(workerId: string): Device | null;
  /** Null where the veil, or its age, keeps it back. */
  position(workerId: string): Position | null;
  /** For the house rules: whether names leave now, whose they are, and where people are who can be hidden. */
  readonly house: HouseSight;
  /** What stands on the screen of the worker's emulated watch; null where it is not emulated. */
  watch(workerId: string): Screen | null;
}

/** What a watch shows: null for what it does not. */
export interface Screen {
  readonly prompt: object | null;
  /** Open alerts, the newest last. */
  readonly alerts: readonly object[];
  readonly muster: object | null;
  readonly rest: string | null;
  readonly vehicle: object | null;
}

/** Where a worker's watch says it is. */
export interface SeenFix {
  readonly workerId: string;
  /** The site's name. */
  readonly site: string;
  /** Metres from the site's origin. */
  readonly at: Point;
}

/** A running sandbox: every watch is connected and its first position is committed. */
export interface Stage {
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
  act?(action: ActionName, fields: object): Promise<Acted>;
  /** The clock is paused when this is called: what has to end must not need a due entry. Idempotent. */
  stop(): Promise<void>;
}

/** Boots a sandbox; an `Outage` where the environment does not allow it. */
export type Boot = (request: BootRequest) => Promise<Stage>;

/** The text of a file, or undefined where it cannot be read. */
export type ReadText = (path: string) => string | undefined;

/** Reads from the disk. */
export const readFromDisk: ReadText = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};
