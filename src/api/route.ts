/** A route is data: method, path, who may call it, what it reads and answers, and its handler. OpenAPI and the server read the same table. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import { check } from '../contract/check.ts';
import type { Scope } from '../contract/enumerations.ts';
import { readQuery } from '../contract/query.ts';
import { NoQuery } from '../contract/requests.ts';
import type { ApiParts } from './parts.ts';
import type { ClientPrincipal, Principal } from './principal.ts';
import { invalid } from './problem.ts';

/** `any`: any valid token of a client; `events`: alerts:read or musters:read; `sandbox`: a client's token or the control token. */
export type Access = Scope | 'any' | 'events' | 'sandbox' | 'control' | 'none';

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Rows of the answer, for the cost of a request in lock-step. */
  readonly rows?: number;
}

export interface Call {
  readonly parts: ApiParts;
  readonly principal: Principal;
  readonly params: Readonly<Record<string, string>>;
  /** Checked by the route's schema: the handler names its type. */
  readonly query: unknown;
  readonly body: unknown;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Success status -> schema of the body; null: no body. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  readonly handle: (call: Call) => Promise<Answer> | Answer;
}

/** The caller, where the route's access says that it is a client. */
export function clientOf(call: Call): ClientPrincipal {
  if (call.principal.kind !== 'client') throw new Error('the route let a stranger in');
  return call.principal;
}

/** Query, then body, as the order of checks says. [decisions 2] */
export function readCall(route: Route, request: FastifyRequest): Pick<Call, 'query' | 'body'> {
  const mark = request.url.indexOf('?');
  const pairs = new URLSearchParams(mark < 0 ? '' : request.url.slice(mark + 1));
  const query = readQuery(route.query ?? NoQuery, pairs);
  if (!query.ok) return invalid(query.errors, 'query');
  if (route.body === undefined) return { query: query.value, body: undefined };
  const body = check(route.body, request.body);
  if (!body.ok) return invalid(body.errors, 'body');
  return { query: query.value, body: body.value };
}
