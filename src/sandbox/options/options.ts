/** What a sandbox can be started with; the command line and tests say the same things in the same words. [cli, up] */
import type { Clock, Instant } from '../../base/time/clock.ts';
import type { Assumptions } from '../../contract/gaps.ts';
import type { Notice } from '../../contract/notices.ts';
import type { MemoryBounds } from '../../domain/world/residency.ts';
import type { Plan, PlannedContract, PlannedCrew, PlannedSite } from '../../plant/plan.ts';
import type { Ambient } from '../actions/ambient.ts';
import type { CredentialsFile } from '../world/world-from-plan.ts';

export interface SandboxOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Undefined: 4600, or a free one when that is taken. 0: a free one. */
  readonly port?: number;
  /** Undefined: 1883 (with `tls` 8883), or a free one when that is taken. 0: a free one. */
  readonly mqttPort?: number;
  /** https and mqtts only, with a certificate authority of the data folder. [cli, up] */
  readonly tls?: boolean;
  /** Default `.sandbox`. */
  readonly dataDir?: string;
  /** Nothing on disk but `sandbox.json`. */
  readonly memory?: boolean;
  /** Go on with what is left of a damaged data folder; `warnings` then say what was lost. Default: refuse to start. [decisions 10] */
  readonly acceptLoss?: boolean;
  /** Worlds and secrets follow from it. Without it the world is that of seed 1 and the secrets are random. */
  readonly seed?: string;
  /** Total of watches, split by site. */
  readonly watches?: number;
  /** Replaces the first site of the default world. */
  readonly site?: {
    readonly planned: PlannedSite;
    /** Absent or null: people as in the first plant of the default world. */
    readonly crew?: PlannedCrew | null;
    /** What the file says about the first company's contract. */
    readonly contract: Partial<PlannedContract>;
    readonly text: string;
  };
  /** The whole world, instead of the default one. */
  readonly plan?: Plan;
  /** Emulated watches; default true. */
  readonly fleet?: boolean;
  /** Background life by seeded rates; default: nothing happens unasked. */
  readonly ambient?: Ambient;
  /** Simulated ms per wall ms; default 1. */
  readonly speed?: number;
  readonly start?: Instant;
  /** A clock of the caller's own, which the caller starts and stops. */
  readonly clock?: Clock;
  /** Host name -> address: what goes to `https://HOST/...` is sent there. [decisions 7] */
  readonly forwards?: ReadonlyMap<string, string>;
  /** Targets of `forwards` may have certificates that nobody trusts; nothing else. [decisions 7] */
  readonly skipVerify?: boolean;
  /** A Postgres database in place of a file in the data folder: `postgres://user:password@host:port/name`. */
  readonly database?: string;
  /** An external broker in place of our own: `mqtt://` or `mqtts://`, with user name and password where it asks for them. */
  readonly broker?: string;
  /**
   * This process is one of several nodes that share `database` and `broker`, under this name. It has no fleet, and real time.
   * Default: this process has both alone.
   */
  readonly node?: string;
  /** smtp: or smtps:, with user and password where it asks for them. Without it e-mails are files. [decisions 7] */
  readonly smtp?: URL;
  /** Refuse every leniency that production may refuse. */
  readonly strict?: boolean;
  readonly publicUrl?: string;
  /** An origin whose pages may call the API from a browser. [decisions 10] */
  readonly cors?: string;
  /** A file for ground truth, as NDJSON. */
  readonly truth?: string;
  readonly credentials?: CredentialsFile;
  /** Other readings of what the specification leaves open. */
  readonly assumptions?: Partial<Assumptions>;
  /** How many old documents memory holds; for tests. Default: `MEMORY_BOUNDS`. A sandbox that keeps nothing on disk holds all. */
  readonly memoryBounds?: MemoryBounds;
  readonly onNotice?: (notice: Notice) => void;
  /** The truth file cannot be written any more; everything else goes on. */
  readonly onTruthFailed?: (error: Error) => void;
  /** Ends a start that waits for something outside; `startSandbox` then rejects. */
  readonly signal?: AbortSignal;
  /** The start waits for something outside, and for how long. */
  readonly onWaiting?: (sentence: string) => void;
  /** A node could not load the world anew, and tries again. */
  readonly onNotBegun?: (error: Error) => void;
  /** The disk lied: the sandbox has stopped taking anything. */
  readonly onBroken?: (error: Error) => void;
}
