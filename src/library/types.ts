/** The public types of the package. With contract-types.ts they stand on their own, so that a user needs no other package. */
import type {
  ActionResult,
  Actions,
  Alert,
  AlertEvent,
  AlertType,
  Event,
  EventSelector,
  EventType,
  Muster,
  MusterEvent,
  Notice,
  PeopleField,
  ProblemError,
  Scope,
} from './contract-types.ts';

export type { SandboxOptions } from './option-types.ts';

declare global {
  // Declared as TypeScript's lib.esnext.disposable does, for projects that do without it.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** Secrets, each of at least 16 characters of [A-Za-z0-9_]. */
export interface Credentials {
  /** Opens `/v1/sandbox/`. */
  control_token?: string;
  /** client_id -> secret. */
  clients?: Readonly<Record<string, string>>;
  /** Serial -> password at the broker. */
  watches?: Readonly<Record<string, string>>;
}

export interface ReadyClient {
  organization: string;
  client_id: string;
  client_secret: string;
  scopes: Scope[];
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
  /** False: for your own client. */
  emulated: boolean;
}

/** Where the sandbox is and how to enter it: what `sandbox up --json` prints first. */
export interface Ready {
  api_url: string;
  mqtt_url: string;
  panel_url: string;
  data_dir: string;
  /** With the option `tls`: the PEM file of the certificate authority that clients must trust. */
  ca_file?: string;
  pid: number;
  control_token: string;
  clients: ReadyClient[];
  watches: ReadyWatch[];
}

/** An action of the catalogue; `sandbox trigger --list` and the documentation list them. */
export type ActionName = keyof Actions;

/** A whole body: the name and its fields. */
export type Action<N extends ActionName = ActionName> = { [K in N]: { action: K } & Actions[K]['body'] }[N];

/** Actions that several people can do at once, with a list of them as `who` or `near`. */
export type ActionOfPeople = {
  [N in ActionName]: Extract<keyof Actions[N]['body'], PeopleField> extends never ? never : N;
}[ActionName];

/** The body of an action for several people. */
type ActionOfMany<N extends ActionOfPeople> = { action: N } & {
  [K in keyof Actions[N]['body']]: K extends PeopleField ? readonly string[] : Actions[N]['body'][K];
};

/** An alert of one type. */
type AlertOf<T extends AlertType> = Alert & { type: T };

/** An event of one type, or of a group of types. */
export type EventOf<T extends EventSelector> = T extends 'alert.*'
  ? AlertEvent
  : T extends 'muster.*'
    ? MusterEvent
    : T extends EventType
      ? Event & { type: T }
      : never;

/** What narrows a wait, and how long it takes. */
interface WaitLimits {
  /** `of` (external_id, id or serial), `about` (an id), `object`, `count`, `result`, or fields of the thing. */
  match?: Readonly<Record<string, unknown>>;
  /** Simulated time, as `30s`. Default: `5s`. */
  within?: string;
  /** ISO 8601; what was before does not count. Default: the beginning of the last action or scenario. */
  since?: string;
}

/** What to wait for, as `POST /v1/sandbox/wait` takes it: one of the first five. */
export interface Wait extends WaitLimits {
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
}

export interface Found<T = unknown> {
  readonly kind: 'alert' | 'muster' | 'event' | 'delivery' | 'answer';
  readonly id: string;
  /** When it became so, simulated ms since the Unix epoch. */
  readonly at: number;
  readonly waitedMs: number;
  /** All that was found, where a `count` was asked for. */
  readonly ids: readonly string[];
  /** The alert, muster or event as its GET shows it; of a delivery or a request what the logs have of it. */
  readonly found: T;
}

/** What is known of a delivery. */
interface FoundDelivery {
  readonly result: 'delivered' | 'waiting' | 'lost';
  readonly tries: number;
  /** Of each attempt, simulated ms since the event. */
  readonly offsets: readonly number[];
  readonly signatures: number;
  readonly status: number | null;
  readonly reached: boolean;
}

/** A call of a client, and its answer. */
interface FoundRequest {
  readonly method: string;
  readonly path: string;
  readonly company: string | null;
  readonly status: number;
  readonly code: string | null;
  readonly at: string;
}

/** How to wait, by what is waited for. Rejects after `within`, with the nearest candidate in the message. */
export interface WaitFor {
  <const T extends AlertType>(wanted: WaitLimits & { alert: T }): Promise<Found<AlertOf<T>>>;
  <const T extends EventSelector>(wanted: WaitLimits & { event: T }): Promise<Found<EventOf<T>>>;
  (wanted: WaitLimits & { alert: string }): Promise<Found<Alert>>;
  (wanted: WaitLimits & { event: string }): Promise<Found<Event>>;
  (wanted: WaitLimits & { muster: string }): Promise<Found<Muster>>;
  (wanted: WaitLimits & { delivery: string }): Promise<Found<FoundDelivery>>;
  (wanted: WaitLimits & { request: string }): Promise<Found<FoundRequest>>;
  (wanted: Wait): Promise<Found>;
}

/** Performs an action: resolves when the actor has acted, rejects with the reason of a refusal. */
export interface Act {
  <N extends ActionOfPeople>(body: ActionOfMany<N>): Promise<ActionResult<N>[]>;
  <N extends ActionName>(body: { action: N } & Actions[N]['body']): Promise<ActionResult<N>>;
}

interface PlayOptions {
  parameters?: Readonly<Record<string, unknown>>;
  seed?: string | number;
  /** In whose company. Default: the first. */
  clientId?: string;
  /** Advance the clock of the sandbox until the scenario is over: minutes of it take a second. Default: in its own time. */
  fast?: boolean;
}

/** How a scenario ended. */
export interface Played {
  /** `error`: it has no result, because its file, the machine or your own system stopped it. */
  readonly status: 'passed' | 'failed' | 'cancelled' | 'error' | 'skipped' | 'known_failure';
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
  readonly act: Act;
  readonly wait: WaitFor;
  /** Plays a scenario in this sandbox: a file, or a shipped scenario by its name, as `fall-to-sos`. Resolves with its result. */
  play(scenario: string, options?: PlayOptions): Promise<Played>;
  /** An HTTP server in this process that is subscribed to the events of a company. */
  receiver(options?: ReceiverOptions): Promise<Receiver>;
  /** Calls the API as a client of the sandbox. */
  client(options?: ClientOptions): Client;
  /** Back to the beginning, at the same addresses and with the same secrets; access tokens and receivers stay. */
  reset(): Promise<void>;
  /** The simulated now, ms since the Unix epoch. */
  now(): number;
  /** Plays everything that is due in the next `ms` of simulated time, in order. */
  advance(ms: number): Promise<void>;
  /** Every notice from now on; the answer ends it. */
  onNotice(listener: (notice: Notice) => void): () => void;
  /** Idempotent. Receivers of `receiver()` stop too. */
  stop(): Promise<void>;
  /** `await using sandbox = await startSandbox()` stops it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ReceiverOptions {
  /** Default: all of them. */
  eventTypes?: readonly EventSelector[];
  /** The name of a company, or its client_id. Default: the first. */
  company?: string;
}

/** A request that reached a receiver. */
export interface ReceivedDelivery {
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes that were signed, as text. */
  readonly body: string;
  /** Null where the signature is not that of the secret: then it was answered 401. */
  readonly event: Event | null;
}

/** What `next` waits for. */
export interface WantedEvent<T extends EventSelector> {
  /** A type or a group. Default: any. */
  type?: T;
  /** The id of the alert or muster. */
  about?: string;
  where?: (event: EventOf<T>) => boolean;
  /** Wall time, ms. Default: 5000. */
  timeoutMs?: number;
}

/** Signatures are verified before an event counts as received. */
export interface Receiver {
  readonly url: string;
  /** Signs its deliveries. */
  readonly secret: string;
  /** All that came, in the order of arrival, repeated deliveries too. */
  readonly deliveries: readonly ReceivedDelivery[];
  /**
   * The first event that fits and that no earlier `next` returned, as soon as it is there. A repeated delivery is no new
   * event. Rejects after `timeoutMs` with a list of what came.
   */
  next<const T extends EventSelector = EventType>(wanted?: WantedEvent<T>): Promise<EventOf<T>>;
  /** Ends the subscription and the server. Idempotent. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ClientOptions {
  /** Default: the first client. */
  clientId?: string;
  /** Default: all that the contract has. */
  scopes?: readonly Scope[];
}

/** An answer of the API, of any status. */
export interface ApiAnswer<T = unknown> {
  readonly status: number;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null where there is none. */
  readonly body: T;
}

/** Each call carries an access token, which is renewed before it expires. */
export interface Client {
  readonly clientId: string;
  /** An access token. */
  token(): Promise<string>;
  /** Resolves with any answer. */
  call<T = unknown>(method: string, path: string, body?: unknown): Promise<ApiAnswer<T>>;
  /** The body of a 2xx; any other answer rejects with a `SandboxError`. */
  get<T = unknown>(path: string): Promise<T>;
  post<T = unknown>(path: string, body?: unknown): Promise<T>;
  patch<T = unknown>(path: string, body: unknown): Promise<T>;
  delete(path: string): Promise<void>;
}

/** The API, or the sandbox itself, refused: `code` is stable, the message says what to do. */
export interface SandboxError extends Error {
  readonly code: string;
  /** Each broken rule, with its place. */
  readonly errors: readonly ProblemError[];
}

/** An environment that does not allow it, with what to do about it; the message has both. */
export interface Outage extends Error {
  readonly code: string;
  readonly cure: string;
}

/** What `withSandbox` hands to its function. */
export interface SandboxSetting {
  readonly sandbox: Sandbox;
  /** Subscribed to all events of the first company. */
  readonly receiver: Receiver;
  /** The first client. */
  readonly client: Client;
}
