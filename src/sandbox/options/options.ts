/** The options with which a sandbox can be started; the command line and tests use the same names. [cli, up] */
import type { Clock, Instant } from '../../base/time/clock.ts';
import type { Assumptions } from '../../contract/gaps.ts';
import type { Notice } from '../../contract/notices.ts';
import type { Plan, PlannedContract, PlannedCrew, PlannedSite } from '../../plant/plan.ts';
import type { MemoryBounds } from '../../service/domain/world/residency.ts';
import type { Ambient } from '../actions/ambient.ts';
import type { CredentialsFile } from '../world/world-from-plan.ts';

export interface SandboxOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Undefined: 4600, or a free port if 4600 is in use. 0: a free port. */
  readonly port?: number;
  /** Undefined: 1883 (with `tls` 8883), or a free port if that is in use. 0: a free port. */
  readonly mqttPort?: number;
  /** https and mqtts only, with a certificate authority of the data folder. [cli, up] */
  readonly tls?: boolean;
  /** Default `.sandbox`. */
  readonly dataDir?: string;
  /** Writes nothing to disk except `sandbox.json`. */
  readonly memory?: boolean;
  /**
   * Continue with the remaining content of a damaged data folder; `warnings` then list what was lost. Default: refuse
   * to start. [decisions 10]
   */
  readonly acceptLoss?: boolean;
  /**
   * The world and the secrets are derived from the seed. Without it the world is that of seed 1 and the secrets are
   * random.
   */
  readonly seed?: string;
  /** Total number of watches, divided among the sites. */
  readonly watches?: number;
  /** Replaces the first site of the default world. */
  readonly site?: {
    readonly planned: PlannedSite;
    /** Absent or null: people as in the first plant of the default world. */
    readonly crew?: PlannedCrew | null;
    /** The fields of the first company's contract that the file sets. */
    readonly contract: Partial<PlannedContract>;
    readonly text: string;
  };
  /** The whole world, instead of the default one. */
  readonly plan?: Plan;
  /** Emulated watches; default true. */
  readonly fleet?: boolean;
  /** Background activity at seeded rates; default: none. */
  readonly ambient?: Ambient;
  /** Simulated ms per wall ms; default 1. */
  readonly speed?: number;
  readonly start?: Instant;
  /** A clock that the caller provides, starts and stops. */
  readonly clock?: Clock;
  /** Host name -> address: requests for `https://HOST/...` are sent there. [decisions 7] */
  readonly forwards?: ReadonlyMap<string, string>;
  /** Accept untrusted certificates of the targets of `forwards`, and only of them. [decisions 7] */
  readonly skipVerify?: boolean;
  /** A Postgres database instead of a file in the data folder: `postgres://user:password@host:port/name`. */
  readonly database?: string;
  /**
   * An external broker instead of the embedded one: `mqtt://` or `mqtts://`, with user name and password if the broker
   * requires them.
   */
  readonly broker?: string;
  /**
   * The name of this process as one of several nodes that share `database` and `broker`. A node has no fleet, and runs
   * in real time.
   * Default: this process is the only one that uses the database and the broker.
   */
  readonly node?: string;
  /**
   * smtp: or smtps:, with user and password if the server requires them. Without it, e-mails are only written as files.
   * [decisions 7]
   */
  readonly smtp?: URL;
  /** Refuse all non-standard input, that is, input that production may refuse. */
  readonly strict?: boolean;
  readonly publicUrl?: string;
  /** An origin whose pages may call the API from a browser. [decisions 10] */
  readonly cors?: string;
  /** Path of an NDJSON file for ground truth. */
  readonly truth?: string;
  readonly credentials?: CredentialsFile;
  /**
   * The secret of a destination whose receiver belongs to the user of a run; null for any other. `before`: the secret that
   * is rotated. [cli, Own receivers]
   */
  readonly ownReceiverSecret?: (organization: string, url: string, before?: string) => string | null;
  /** Whether a program of the user of a run judges the deliveries to this address. [cli, Coverage] */
  readonly isOwnReceiver?: (organization: string, url: string) => boolean;
  /** Other readings of the open points of the specification. */
  readonly assumptions?: Partial<Assumptions>;
  /**
   * Maximum number of old documents in memory; for tests. Default: `MEMORY_BOUNDS`. A sandbox that keeps nothing on
   * disk holds all documents.
   */
  readonly memoryBounds?: MemoryBounds;
  readonly onNotice?: (notice: Notice) => void;
  /** Called when the truth file cannot be written any more; the sandbox itself continues. */
  readonly onTruthFailed?: (error: Error) => void;
  /** Aborts a start that waits for an external system; `startSandbox` then rejects. */
  readonly signal?: AbortSignal;
  /** Called when the start waits for an external system, with the reason and the duration. */
  readonly onWaiting?: (sentence: string) => void;
  /** Called when a node could not load the world again; the node retries. */
  readonly onNotBegun?: (error: Error) => void;
  /** Called when the storage can no longer be trusted: the sandbox then accepts nothing any more. */
  readonly onBroken?: (error: Error) => void;
}
