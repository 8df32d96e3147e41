/** The package: start a sandbox from code, as the command line does. Its types stand on their own, so that a user needs no other package. */
import { WaitRequest } from './api/routes/wait.ts';
import { Outage as InternalOutage } from './base/assert.ts';
import { CLOCK_END } from './base/clock.ts';
import { formatInstant } from './base/instants.ts';
import { checkAction } from './contract/action-check.ts';
import { check } from './contract/check.ts';
import { isRejection } from './domain/changes.ts';
import { startSandbox as start } from './sandbox/start.ts';

/** What a sandbox can be started with; absent entries are as in `sandbox up`. */
export interface SandboxOptions {
  /** Default 127.0.0.1. */
  host?: string;
  /** Of the API; 0 picks a free one. Default 4600, or a free one when that is taken. */
  port?: number;
  /** Of the broker; 0 picks a free one. Default 1883, or a free one when that is taken. */
  mqttPort?: number;
  /** Default `.sandbox`. */
  dataDir?: string;
  /** Nothing on disk but `sandbox.json`. */
  memory?: boolean;
  /** World, ids and secrets follow from it. */
  seed?: string;
  /** In all, split by site; default 110. */
  watches?: number;
  /** Emulated watches; default true. */
  fleet?: boolean;
  /** Simulated ms per wall ms; default 1. */
  speed?: number;
  /** Simulated ms since the Unix epoch to begin at. */
  start?: number;
  /** Host name -> local address: what goes to `https://HOST/...` is sent there. */
  forwards?: ReadonlyMap<string, string>;
  /** Base address in links and problem types. */
  publicUrl?: string;
  /** An origin, such as `http://localhost:5173`, whose pages may call the API from a browser. */
  cors?: string;
  /** Write where everybody truly is to this file, as NDJSON. */
  truth?: string;
  /** What happens, right after each commit. */
  onNotice?: (notice: Notice) => void;
}

/** Something that happened: an event, a delivery attempt, a watch that came or went. */
export interface Notice {
  readonly kind: string;
  /** Simulated time, ISO 8601. */
  readonly at: string;
}

export interface ReadyClient {
  organization: string;
  client_id: string;
  client_secret: string;
  scopes: string[];
  include_worker_names: boolean;
  contractors: string[] | null;
}

export interface ReadyWatch {
  serial: string;
  /** The watch's password at the broker. */
  key: string;
  site_id: string;
  /** The wearer's external_id. */
  worker: string | null;
  /** False: left to your own client. */
  emulated: boolean;
}

/** Where the sandbox is and how to enter it: what `sandbox up --json` prints first. */
export interface Ready {
  api_url: string;
  mqtt_url: string;
  panel_url: string;
  data_dir: string;
  pid: number;
  control_token: string;
  clients: ReadyClient[];
  watches: ReadyWatch[];
}

/** The ids of what an action touched or made. */
export interface ActionResult {
  worker_id?: string;
  device_id?: string;
  alert_id?: string;
  muster_id?: string;
  permit_id?: string;
  site_id?: string;
  client_id?: string;
  buffered?: boolean;
}

/** What to wait for: one of the first five, and in `match` what it has to be like, in the words of scenarios. */
export interface Wait {
  /** An event type, `alert.*`, `muster.*`, or the id of an event. */
  event?: string;
  /** An alert type, `any`, or the id of an alert. */
  alert?: string;
  /** `active`, or the id of a muster. */
  muster?: string;
  /** A call of a client, such as `PATCH /v1/alerts/*`. */
  request?: string;
  /** A destination by its id, url or host, or `any`. */
  delivery?: string;
  /** `of` (external_id, id or serial), `about` (an id), `object`, `count`, `result`, or fields of the thing. */
  match?: Record<string, unknown>;
  /** A duration of simulated time, as `30s`. */
  within?: string;
  /** An ISO time: what was before it does not count. */
  since?: string;
}

export interface Found {
  readonly kind: string;
  readonly id: string;
  /** Simulated ms since the Unix epoch. */
  readonly at: number;
  readonly waitedMs: number;
  readonly ids: readonly string[];
  readonly found: unknown;
}

export interface PlayOptions {
  parameters?: Record<string, unknown>;
  seed?: string;
  /** In whose company; default: the first. */
  clientId?: string;
}

export interface Played {
  readonly status: 'passed' | 'failed' | 'cancelled';
  readonly stepsDone: number;
  readonly stepsTotal: number;
  readonly failures: readonly { readonly line: number; readonly text: string }[];
  readonly warnings: readonly string[];
}

export interface Sandbox {
  readonly ready: Ready;
  readonly warnings: readonly string[];
  /** All watches, also beyond those that `ready` lists. */
  watches(): ReadyWatch[];
  /** Performs one action of the catalogue; resolves when the actor has acted, rejects with the reason of a refusal. */
  act(body: { action: string } & Record<string, unknown>): Promise<ActionResult | ActionResult[]>;
  /**
   * Resolves when it is so, at once where it is so already; rejects when `within` (default 5 s of simulated time) is
   * over, with the nearest candidate. What came since the beginning of the last action or story counts.
   */
  wait(asked: Wait): Promise<Found>;
  /** Plays the story of a file in this sandbox; resolves with its verdict when it has left again. */
  play(file: string, options?: PlayOptions): Promise<Played>;
  /** Back to the beginning, at the same addresses and with the same secrets; access tokens stay good. */
  reset(): Promise<void>;
  /** The simulated now, ms since the Unix epoch. */
  now(): number;
  /** Plays everything that is due in the next `ms` of simulated time, in order. */
  advance(ms: number): Promise<void>;
  onNotice(listener: (notice: Notice) => void): () => void;
  /** Idempotent. */
  stop(): Promise<void>;
}

/** An environment that does not allow it, with what to do about it. */
export interface Outage extends Error {
  readonly code: string;
  readonly cure: string;
}

export const isOutage = (error: unknown): error is Outage => error instanceof InternalOutage;

/** Boots API, broker and fleet; resolves when the watches are connected. Rejects with an `Outage` that says what to do. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await start(options);
  return {
    ready: sandbox.ready,
    warnings: sandbox.warnings,
    watches: sandbox.watches,
    act: async (body) => {
      const checked = checkAction(body);
      if (!checked.ok) throw new Error(checked.errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; '));
      const outcome = await sandbox.act(checked.value);
      if (isRejection(outcome)) throw new Error(outcome.detail);
      return 'results' in outcome.answer ? outcome.answer.results : outcome.answer.result;
    },
    wait: async (asked) => {
      const checked = check(WaitRequest, asked);
      if (!checked.ok) throw new Error(checked.errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; '));
      const found = await sandbox.wait(checked.value as Wait);
      if (isRejection(found)) throw new Error(found.detail);
      return found;
    },
    play: async (file, { clientId, ...wishes } = {}) => {
      const [first] = sandbox.ready.clients;
      const client = sandbox.engine.world.get('client', clientId ?? first?.client_id ?? '');
      if (client === undefined) throw new Error(`There is no client ${clientId ?? ''}.`);
      const started = sandbox.runs.start(file, file, client, { ...wishes, viewer: null });
      if (isRejection(started)) throw new Error(started.detail);
      await started.over;
      const { status, stepsDone, stepsTotal, failures, warnings } = started.run.state;
      return { status: status as Played['status'], stepsDone, stepsTotal, failures, warnings };
    },
    now: () => sandbox.clock.now(),
    reset: async () => {
      const refused = await sandbox.reset();
      if (refused !== null) throw new Error(refused.detail);
    },
    advance: async (ms) => {
      const { clock } = sandbox;
      if (clock.now() + ms > CLOCK_END) throw new RangeError(`Simulated time ends at ${formatInstant(CLOCK_END)}.`);
      await clock.advance(ms);
    },
    onNotice: (listener) => sandbox.onNotice(listener),
    stop: sandbox.stop,
  };
}
