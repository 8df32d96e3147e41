/** A route is data: method, path, access, schemas, and its handler; and how it refuses. OpenAPI and the server read the same table. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { Instant } from '../base/clock.ts';
import { check } from '../contract/check.ts';
import type { Scope } from '../contract/enumerations.ts';
import { type OAuthErrorCode, PROBLEMS, type Problem, type ProblemCode, problemSlug } from '../contract/problems.ts';
import { NoQuery, readQuery } from '../contract/requests.ts';
import type { Rejection } from '../domain/changes.ts';
import type { World } from '../domain/world/world.ts';
import { DEEPEST, isTooDeep, parseJson } from './json-body.ts';
import type { ApiParts } from './parts.ts';
import type { ClientPrincipal, Principal } from './principal.ts';
import { Raw } from './raw.ts';
import { outOfReach } from './reach.ts';
import { queryOf } from './request-rules.ts';
import { withoutSecrets } from './secrets.ts';

/** The one route that speaks OAuth: its errors have RFC 6749's shape, and it takes forms. [decisions 2, 3] */
export const TOKEN_PATH = '/v1/oauth/token';

/** `any`: any valid token of a client; `events`: alerts:read or musters:read; `sandbox`: a client's token or the control token. */
export type Access = Scope | 'any' | 'events' | 'sandbox' | 'control' | 'none';

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Rows of the answer: the cost of a request in lock-step. */
  readonly rows?: number;
}

export interface Call {
  readonly parts: ApiParts;
  readonly principal: Principal;
  readonly params: Readonly<Record<string, string>>;
  /** Checked by the route's schema. */
  readonly query: unknown;
  readonly body: unknown;
  /** Reads the committed world, if need be after the turn in progress. */
  readonly read: <V>(look: (world: World, now: Instant) => V) => Promise<V> | V;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Null: no body. */
export function bytesOf({ body }: Answer): string | Buffer | null {
  if (body === undefined) return null;
  return body instanceof Raw ? body.text : JSON.stringify(body);
}

/** The resource groups of the reference. [spec 1] */
export const TAGS = [
  'Authentication',
  'Sites',
  'Alerts',
  'Musters',
  'Workers and devices',
  'Positions',
  'Events',
  'Webhooks',
  'Sandbox',
] as const;
export type Tag = (typeof TAGS)[number];

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly access: Access;
  /** May be called by a page of the panel with `?ticket=`. [decisions 10] */
  readonly takesTicket?: true;
  /** The operation's name in generated clients. */
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  /** Markdown, beyond the summary. */
  readonly description: string;
  /** Problems of the handler itself; the others follow from the route (`openapi/refusals.ts`). */
  readonly problems?: readonly ProblemCode[];
  /** For a body that the handler parses itself: its published description. */
  readonly reads?: { readonly media: readonly string[]; readonly schema: () => TSchema };
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Media type of a success; default: JSON. */
  readonly media?: string;
  /** Success status -> schema of the body; null: no body. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  /** Null: the handler has taken over the reply. */
  readonly handle: (call: Call) => Promise<Answer | null> | Answer | null;
}

export const route = (
  method: Route['method'],
  path: string,
  access: Access,
  rest: Omit<Route, 'method' | 'path' | 'access'>,
): Route => ({ method, path, access, ...rest });

/** The client of a route whose access requires one. */
export function clientOf(call: Call): ClientPrincipal {
  if (call.principal.kind !== 'client') throw new Error('the route let a stranger in');
  return call.principal;
}

/** Checks JSON, query and body in this order. A body that the handler parses itself stays bytes. [decisions 2] */
export function readCall(route: Route, request: FastifyRequest, now: Instant): Pick<Call, 'query' | 'body'> {
  const bytes = request.body as Buffer | undefined;
  const sent = route.path === TOKEN_PATH || bytes === undefined ? bytes : parseJson(bytes);
  const query = readQuery(route.query ?? NoQuery, queryOf(request.url));
  if (!query.ok) return invalid(query.errors, 'query');
  if (route.body === undefined) return { query: query.value, body: undefined };
  const body = check(route.body, sent);
  if (!body.ok) return invalid(body.errors, 'body');
  // After the schema: a closed schema rejects a deep unknown field with its own pointer, so only open ones get here.
  if (route.reads === undefined && isTooDeep(body.value))
    return invalid([{ pointer: '', detail: `must not be nested deeper than ${DEEPEST} levels` }], 'body');
  const tooFar = outOfReach(route.body, body.value, now);
  if (tooFar.length > 0) return invalid(tooFar, 'body');
  return { query: query.value, body: body.value };
}

/** Thrown by a handler to answer with a problem. */
export class ProblemAnswer extends Error {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly errors: Rejection['errors'];
  readonly headers: Readonly<Record<string, string>>;
  /** For the request log only. */
  readonly note: string | null;

  constructor(
    code: ProblemCode,
    detail: string,
    options: { errors?: Rejection['errors']; headers?: Record<string, string>; note?: string | undefined } = {},
  ) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
    this.note = options.note ?? null;
  }
}

/** The same in the form of RFC 6749 section 5.2, for the token endpoint. */
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

/** RFC 6749 section 5.2 allows few characters, and a long input is not echoed. */
const describable = (text: string): string =>
  withoutSecrets(text)
    .replaceAll('"', "'")
    .replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
    .slice(0, 200);

export const refuse = (rejection: Rejection, headers: Record<string, string> = {}): never => {
  const { code, detail, errors, note } = rejection;
  throw new ProblemAnswer(code, detail, { headers, note, ...(errors === undefined ? {} : { errors }) });
};

export function problemBody(
  baseUrl: string,
  path: string | null,
  code: ProblemCode,
  detail: string,
  errors?: Rejection['errors'],
): Problem {
  const { status, title } = PROBLEMS[code];
  // A 422 always has pointers; the empty one is the whole body. [decisions 2]
  const places = errors ?? (status === 422 ? [{ pointer: '', detail }] : undefined);
  return {
    type: `${baseUrl}/problems/${problemSlug(code)}`,
    title,
    status,
    detail: withoutSecrets(detail),
    ...(path === null ? {} : { instance: withoutSecrets(path) }),
    code,
    ...(places === undefined
      ? {}
      : {
          errors: places.map((one) => ({ pointer: withoutSecrets(one.pointer), detail: withoutSecrets(one.detail) })),
        }),
  };
}

export const invalid = (errors: NonNullable<Rejection['errors']>, what: 'body' | 'query'): never => {
  const [first] = errors;
  const where =
    first === undefined
      ? ''
      : ` ${first.pointer === '' ? 'It' : first.pointer} ${first.detail}${first.detail.endsWith('?') ? '' : '.'}`;
  throw new ProblemAnswer('validation_failed', `The ${what} is not valid.${where}`, { errors });
};
