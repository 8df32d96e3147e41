/**
 * A route: the declaration of an operation with its handler; the part of the sandbox that handlers can use; and every error
 * body of the API. [spec 7, decisions 2]
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock, ClockState, Instant } from '../../base/time/clock.ts';
import type { ActionAnswer, ActionAnswers, ActionBody } from '../../contract/actions.ts';
import { check } from '../../contract/check.ts';
import type { Assumptions } from '../../contract/gaps.ts';
import type { LeniencyName } from '../../contract/leniencies.ts';
import { withoutSecrets } from '../../contract/operations/hidden-secrets.ts';
import { type Operation, TOKEN_PATH } from '../../contract/operations/operation.ts';
import type { OAuthErrorCode } from '../../contract/problems.ts';
import { type ReadQuery, readQuery } from '../../contract/query.ts';
import { type AlertUpdate, NoQuery } from '../../contract/requests.ts';
import type { NodeList } from '../../contract/resources/node-list.ts';
import type { TokenViewer } from '../domain/access/viewer.ts';
import type { Rejection } from '../domain/changes.ts';
import type { World } from '../domain/world/world.ts';
import type { DeliveryLedger } from '../engine/delivery-totals.ts';
import type { Engine } from '../engine/engine.ts';
import type { EventLog } from '../engine/event-log.ts';
import type { Store } from '../engine/store-port.ts';
import type { WatchLog } from '../engine/watch-log.ts';
import type { ClientPrincipal, Principal } from './access/principal.ts';
import type { PersonTruth } from './answers/person-truth.ts';
import { ProblemAnswer } from './answers/problem-answer.ts';
import { Raw } from './answers/raw.ts';
import type { Coverage } from './coverage/coverage.ts';
import type { Arrivals } from './requests/arrivals.ts';
import type { ApiFaults } from './requests/faults.ts';
import { bodyLeniencies, DEEPEST, isTooDeep, parseJson } from './requests/json-body.ts';
import { outOfReach } from './requests/reach.ts';
import { queryOf } from './requests/request-rules.ts';
import type { Scenarios } from './scenarios.ts';
import type { SessionLeases } from './session-leases.ts';

export interface RouteAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Rows of the answer, which determine the cost of a request in lock-step. */
  readonly rows?: number;
}

export interface Call {
  readonly parts: ApiParts;
  readonly principal: Principal;
  readonly params: Readonly<Record<string, string>>;
  /** Checked by the route's schema. */
  readonly query: unknown;
  /** Values of free-text filters with an encoded comma; `textFilter` reads them. */
  readonly ambiguous: ReadQuery<unknown>['ambiguous'];
  readonly body: unknown;
  /** Reads the committed world. If a transaction is in progress, reads after it. */
  readonly read: <V>(look: (world: World, now: Instant) => V) => Promise<V> | V;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Returns null if there is no body. */
export function bytesOf({ body }: RouteAnswer): string | Buffer | null {
  if (body === undefined) return null;
  return body instanceof Raw ? body.text : JSON.stringify(body);
}

export interface Route extends Operation {
  /** Returns null if the handler has taken over the reply. */
  readonly handle: (call: Call) => Promise<RouteAnswer | null> | RouteAnswer | null;
}

export const route = (operation: Operation, handle: Route['handle']): Route => ({ ...operation, handle });

/** The client of a route whose access requires one. */
export function clientOf(call: Call): ClientPrincipal {
  if (call.principal.kind !== 'client') throw new Error('the route let a stranger in');
  return call.principal;
}

/** A parsed and checked request, and its non-standard input. */
type ReadCall = Pick<Call, 'query' | 'ambiguous' | 'body'> & { readonly leniencies: readonly LeniencyName[] };

const NO_LENIENCIES: readonly LeniencyName[] = [];

/** Checks JSON, query and body in this order. A body that the handler parses itself stays bytes. [decisions 2] */
export function readCall(route: Route, request: FastifyRequest, parts: ApiParts): ReadCall {
  const bytes = request.body as Buffer | undefined;
  const isJson = route.path !== TOKEN_PATH && bytes !== undefined && bytes.length > 0;
  const inBody = isJson ? bodyLeniencies(request.raw, bytes, parts.strict) : NO_LENIENCIES;
  const sent = isJson ? parseJson(bytes) : route.path === TOKEN_PATH ? bytes : undefined;
  const read = readQuery(route.query ?? NoQuery, queryOf(request.url), {
    assumptions: parts.assumptions,
    strict: parts.strict,
  });
  if (!read.ok) return invalid(read.errors, 'query');
  const { value: query, ambiguous } = read;
  const leniencies = inBody.length === 0 ? read.leniencies : [...inBody, ...read.leniencies];
  if (route.body === undefined) return { query, ambiguous, leniencies, body: undefined };
  const body = check(route.body, sent);
  if (!body.ok) return invalid(body.errors, 'body');
  // Checked after the schema: a closed schema rejects a deep unknown field with its own pointer, so only the values of
  // open schemas get here.
  if (route.reads === undefined && isTooDeep(body.value))
    return invalid([{ pointer: '', detail: `must not be nested deeper than ${DEEPEST} levels` }], 'body');
  const tooFar = outOfReach(route.body, body.value, parts.clock.now());
  if (tooFar.length > 0) return invalid(tooFar, 'body');
  return { query, ambiguous, leniencies, body: body.value };
}

/** An error in the format of RFC 6749 section 5.2, thrown to answer at the token endpoint. */
export class OAuthAnswer extends Error {
  readonly status: number;
  readonly error: OAuthErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, error: OAuthErrorCode, description: string, headers: Record<string, string> = {}) {
    super(describable(description));
    this.status = status;
    this.error = error;
    this.headers = headers;
  }
}

/** RFC 6749 section 5.2 allows only some characters. The text is cut, so that a long input is not echoed. */
const describable = (text: string): string =>
  withoutSecrets(text)
    .replaceAll('"', "'")
    .replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
    .slice(0, 200);

export const refuse = (rejection: Rejection, headers: Record<string, string> = {}): never => {
  const { code, detail, errors, note } = rejection;
  throw new ProblemAnswer(code, detail, { headers, note, ...(errors === undefined ? {} : { errors }) });
};

export const invalid = (errors: NonNullable<Rejection['errors']>, what: 'body' | 'query'): never => {
  const [first] = errors;
  const where =
    first === undefined
      ? ''
      : ` ${first.pointer === '' ? 'It' : first.pointer} ${first.detail}${first.detail.endsWith('?') ? '' : '.'}`;
  throw new ProblemAnswer('validation_failed', `The ${what} is not valid.${where}`, { errors });
};

/** 200 if the action is done, 202 if a watch out of coverage sends it later. [decisions 9] */
export type ActionOutcome = { readonly status: 200 | 202; readonly answer: ActionAnswer | ActionAnswers } | Rejection;

export interface SentMail {
  readonly id: string;
  readonly at: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A checked body of a wait. [decisions 9] */
export interface CheckedWait {
  readonly event?: string;
  readonly alert?: string;
  readonly muster?: string;
  readonly request?: string;
  readonly delivery?: string;
  readonly match?: Readonly<Record<string, unknown>>;
  readonly within?: string;
  readonly since?: string;
}

/** Times are simulated ms. */
export interface FoundByWait {
  readonly kind: string;
  readonly id: string;
  readonly at: number;
  readonly waitedMs: number;
  readonly ids: readonly string[];
  readonly found: unknown;
}

/** A recording as a draft of a scenario. */
export interface RecordedSession {
  readonly id: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly scenario: string;
  readonly steps: number;
  readonly expectations: number;
  readonly remarks: readonly string[];
}

/** Records what happens as the caller may see it. `viewer` is null for the control token. */
export interface Recordings {
  begin(viewer: TokenViewer | null): { readonly id: string; readonly startedAt: number };
  end(id: string, viewer: TokenViewer | null): RecordedSession | Rejection;
}

/** A world that has replaced another one. */
export interface ReplacedWorld {
  readonly clock: ClockState;
  /** Ends the API of the replaced world. */
  readonly finish: () => Promise<void>;
}

/** A snapshot as the API shows it. */
export interface ListedSnapshot {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  readonly saved_at: string;
}

/** The state of the world as a whole. */
export interface WorldStates {
  /** Resolves when the initial world answers requests. */
  reset(): Promise<ReplacedWorld | Rejection>;
  list(): readonly ListedSnapshot[];
  save(name: string): Promise<ListedSnapshot>;
  /** Resolves when the saved world answers requests. */
  load(name: string): Promise<ReplacedWorld | Rejection>;
}

/** A destination that needs a secret. */
export interface SecretOwner {
  readonly organizationId: string;
  readonly url: string;
  readonly before?: string;
}

export interface ApiParts {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: Clock;
  /** Flushes write-behind: time set by a caller must survive a kill. */
  readonly settle?: () => Promise<void>;
  /** The public base address without a trailing slash; never taken from a Host header. [decisions 10] */
  readonly baseUrl: () => string;
  /** `mqtt://host:port` of the watches' broker. */
  readonly mqttUrl: () => string;
  readonly controlToken: string;
  /** Signs cursors. */
  readonly cursorKey: string;
  /**
   * Resolves to the objection to an address, or to null if the address is public or cannot be resolved now. [decisions
   * 7]
   */
  readonly judgeDestination: (url: string) => Promise<string | null>;
  /** `viewer` is null for the control token. */
  readonly act: (body: ActionBody, viewer: TokenViewer | null) => Promise<ActionOutcome>;
  /**
   * Resolves with what was found. Resolves with the rejection `request_timeout` after its time, or when the signal
   * reports that the caller has disconnected.
   */
  readonly wait: (
    request: CheckedWait,
    viewer: TokenViewer | null,
    gone: AbortSignal,
  ) => Promise<FoundByWait | Rejection>;
  readonly scenarios: Scenarios;
  readonly states: WorldStates;
  readonly recordings: Recordings;
  /** Marks the beginning of a client's update; call the returned function with its outcome. */
  readonly updating: (alertId: string, update: AlertUpdate, viewer: TokenViewer) => (accepted: boolean) => void;
  /** Newest first. [spec 6.6] */
  readonly mail: (limit: number, organizationId?: string) => readonly SentMail[];
  readonly watchLog: WatchLog;
  /** The nodes that share the database; absent if there are none. */
  readonly nodes?: () => Promise<NodeList['nodes']>;
  readonly eventLog: EventLog;
  readonly coverage: Coverage;
  readonly deliveries: DeliveryLedger;
  /** Ground truth of all emulated watches' wearers; empty without a fleet. For the control token only. [decisions 4] */
  readonly truth: () => readonly PersonTruth[];
  readonly faults: ApiFaults;
  readonly arrivals: Arrivals;
  /** `of`: the destination that the secret signs for, with its present secret if that is rotated. */
  readonly newSecret: (of?: SecretOwner) => string;
  readonly leases: SessionLeases;
  /** The secret of the session destinations of a company. */
  readonly sessionSecret: (organizationId: string) => string;
  /** True if the port uses https. Default: http. */
  readonly isSecure?: boolean;
  /** True for names of this machine, or of `--public-url`. [decisions 10] */
  readonly isOwnHost: (host: string | undefined) => boolean;
  /** True if the secrets are derived from a seed. Other host names are then refused. */
  readonly ownHostOnly: boolean;
  /** The origin whose pages may call the API; absent if there is none. [decisions 10] */
  readonly corsOrigin?: string;
  readonly assumptions: Assumptions;
  /** True if the sandbox refuses input that production may refuse. [cli, up] */
  readonly strict: boolean;
  /** Pages in addition to the API, such as the panel. */
  readonly pages: readonly ((app: FastifyInstance) => void)[];
}
