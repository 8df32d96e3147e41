/**
 * The public types of the package. Together with contract-types.ts they are self-contained, so that a user needs no
 * other package.
 */
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

export type { Credentials } from './credentials.ts';
export type { SandboxOptions } from './option-types.ts';

declare global {
  // The same declaration as in TypeScript's lib.esnext.disposable, for projects that do not use that library.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
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
  /** The external_id of the wearer. */
  worker: string | null;
  /** False if the watch is for your own client. */
  emulated: boolean;
}

/** Addresses and credentials of the sandbox: what `sandbox up --json` prints first. */
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

/** A complete body of an action: its name and its fields. */
export type Action<N extends ActionName = ActionName> = { [K in N]: { action: K } & Actions[K]['body'] }[N];

/** Actions that several people can do at once, if `who` or `near` is a list of them. */
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

/** What limits a wait: conditions on the object, and times. */
interface WaitLimits {
  /** `of` (external_id, id or serial), `about` (an id), `object`, `count`, `result`, or fields of the object. */
  match?: Readonly<Record<string, unknown>>;
  /** Simulated time, such as `30s`. Default: `4s`, and no longer in wall time: test runners end a test after 5 s. */
  within?: string;
  /** ISO 8601. Objects from before this time do not count. Default: the beginning of the last action or scenario. */
  since?: string;
}

/** The condition of a wait, as in `POST /v1/sandbox/wait`: one of the first five fields. */
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
  /** When the condition became true, in simulated ms since the Unix epoch. */
  readonly at: number;
  readonly waitedMs: number;
  /** The ids of all objects that were found, if the wait has a `count`. */
  readonly ids: readonly string[];
  /** The alert, muster or event, as its GET returns it. For a delivery or a request, its entry in the logs. */
  readonly found: T;
}

/** What is known of a delivery. */
interface FoundDelivery {
  readonly result: 'delivered' | 'waiting' | 'lost';
  readonly tries: number;
  /** Time of each attempt, in simulated ms since the event. */
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

/**
 * Waits for an object, with a result type that depends on the condition. Rejects after `within`, with the nearest
 * candidate in the message.
 */
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

/** Performs an action. Resolves when the action is done, and rejects with the reason of a refusal. */
export interface Act {
  <N extends ActionOfPeople>(body: ActionOfMany<N>): Promise<ActionResult<N>[]>;
  <N extends ActionName>(body: { action: N } & Actions[N]['body']): Promise<ActionResult<N>>;
}

interface PlayOptions {
  parameters?: Readonly<Record<string, unknown>>;
  seed?: string | number;
  /** The client in whose company the scenario plays. Default: the first client. */
  clientId?: string;
  /**
   * Advance the clock of the sandbox until the scenario is over: several minutes then take a second. Default: the
   * scenario runs at the speed of the clock.
   */
  fast?: boolean;
}

/** The result of a scenario. */
export interface Played {
  /** `error`: the scenario has no result, because its file, the machine or your own system stopped it. */
  readonly status: 'passed' | 'failed' | 'cancelled' | 'error' | 'skipped' | 'known_failure';
  readonly stepsDone: number;
  readonly stepsTotal: number;
  readonly failures: readonly { readonly line: number; readonly text: string }[];
  readonly warnings: readonly string[];
}

/** An item of the contract that was met, such as `operations/listAlerts`. */
interface CoverageMet {
  readonly id: string;
  /** Simulated time of the first time. ISO 8601. */
  readonly at: string;
  /** The answer or the delivery, such as `GET /v1/alerts 200`. */
  readonly by: string;
}

/** What the programs of one company have met. */
interface CompanyCoverage {
  readonly organization: string;
  /** Requests of its own programs, token requests included. */
  readonly requests: number;
  /** Attempts at its own receivers. */
  readonly deliveries: number;
  readonly met: readonly CoverageMet[];
  /** Refusals that were met and not handled. */
  readonly not_handled: readonly CoverageMet[];
  /** Refusals that only a mistake of the client causes, by problem code. */
  readonly mistakes: readonly { readonly code: string; readonly times: number }[];
  /** The filters that were used, such as `listAlerts status`. */
  readonly filters: readonly string[];
}

/** What of the contract was met. The same as the answer of `GET /v1/sandbox/coverage`. */
export interface Coverage {
  /** Names the list of items. Coverages of one catalogue can be compared. */
  readonly catalogue: string;
  /** The number of items of the catalogue. */
  readonly items: number;
  readonly companies: readonly CompanyCoverage[];
}

export interface Sandbox {
  readonly ready: Ready;
  readonly warnings: readonly string[];
  /** All watches, including those that `ready` does not list. */
  watches(): ReadyWatch[];
  readonly act: Act;
  readonly wait: WaitFor;
  /**
   * Plays a scenario in this sandbox: a file, or a scenario of the package by its name, such as `fall-to-sos`. Resolves
   * with its result.
   */
  play(scenario: string, options?: PlayOptions): Promise<Played>;
  /** Starts an HTTP server in this process that is subscribed to the events of a company. */
  receiver(options?: ReceiverOptions): Promise<Receiver>;
  /** Returns a client of the sandbox, which calls the API. */
  client(options?: ClientOptions): Client;
  /**
   * What of the contract was met since the start, by company: by the requests and receivers of your own programs.
   * `client()` and `receiver()` do not count. `reset` keeps it.
   */
  coverage(): Promise<Coverage>;
  /** Returns to the initial state, with the same addresses and secrets. Access tokens and receivers stay valid. */
  reset(): Promise<void>;
  /** The current simulated time, in ms since the Unix epoch. */
  now(): number;
  /** Executes everything that is due in the next `ms` of simulated time, in order. */
  advance(ms: number): Promise<void>;
  /** Calls the listener for every notice from now on. The returned function ends this. */
  onNotice(listener: (notice: Notice) => void): () => void;
  /** Stops the sandbox and the receivers of `receiver()`. Idempotent. */
  stop(): Promise<void>;
  /** With `await using sandbox = await startSandbox()`, the sandbox stops at the end of the block. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ReceiverOptions {
  /** Default: all event types. */
  eventTypes?: readonly EventSelector[];
  /** The name of a company, or its client_id. Default: the first company. */
  company?: string;
}

/** A request that reached a receiver. */
export interface ReceivedDelivery {
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes that were signed, as text. */
  readonly body: string;
  /** Null if the signature is not that of the secret. The request was then answered 401. */
  readonly event: Event | null;
}

/** The event that `next` waits for. */
export interface WantedEvent<T extends EventSelector> {
  /** An event type or a group. Default: any type. */
  type?: T;
  /** The id of the alert or muster. */
  about?: string;
  where?: (event: EventOf<T>) => boolean;
  /** Wall time, ms. Default: 4000, less than the 5 s after which test runners end a test. */
  timeoutMs?: number;
}

/** Signatures are verified before an event counts as received. */
export interface Receiver {
  readonly url: string;
  /** The secret that signs the deliveries. */
  readonly secret: string;
  /** All deliveries in the order of arrival, including repeated ones. */
  readonly deliveries: readonly ReceivedDelivery[];
  /**
   * Resolves with the first event that fits and that no earlier `next` returned, as soon as it has arrived. A repeated
   * delivery is not a new event. Rejects after `timeoutMs`; the message has the nearest event that came, what it lacks,
   * and a list of the others.
   */
  next<const T extends EventSelector = EventType>(wanted?: WantedEvent<T>): Promise<EventOf<T>>;
  /** Ends the subscription and the server. Idempotent. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ClientOptions {
  /** Default: the first client. */
  clientId?: string;
  /** Default: all scopes of the contract. */
  scopes?: readonly Scope[];
}

/** An answer of the API, of any status. */
export interface ApiAnswer<T = unknown> {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null if there is no body. */
  readonly body: T;
}

/** Each call carries an access token, which is renewed before it expires. */
export interface Client {
  readonly clientId: string;
  /** Resolves with an access token. */
  token(): Promise<string>;
  /** Resolves with the answer, whatever its status. */
  call<T = unknown>(method: string, path: string, body?: unknown): Promise<ApiAnswer<T>>;
  /** Resolves with the body of a 2xx. Rejects with a `SandboxError` for any other answer. */
  get<T = unknown>(path: string): Promise<T>;
  post<T = unknown>(path: string, body?: unknown): Promise<T>;
  patch<T = unknown>(path: string, body: unknown): Promise<T>;
  delete(path: string): Promise<void>;
}

/** The error for a refusal of the API or of the sandbox itself. `code` is stable, and the message says what to do. */
export interface SandboxError extends Error {
  readonly code: string;
  /** Each broken rule, with its place. */
  readonly errors: readonly ProblemError[];
}

/** The error if the environment does not allow something. The message has the reason and the fix. */
export interface Outage extends Error {
  readonly code: string;
  readonly cure: string;
}

/** The arguments of the function of `withSandbox`. */
export interface SandboxSetting {
  readonly sandbox: Sandbox;
  /** A receiver that is subscribed to all events of the first company. */
  readonly receiver: Receiver;
  /** The first client. */
  readonly client: Client;
}
