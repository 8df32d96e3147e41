/** The HTTP door: one Fastify server over the table of routes; it parses, asks the engine, renders, and decides nothing. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Release } from '../base/clock.ts';
import { randomId } from '../base/ids.ts';
import { PROBLEMS, type ProblemCode } from '../contract/problems.ts';
import { authorise } from './authorise.ts';
import { docsPage } from './docs-page.ts';
import { parseJson } from './json-body.ts';
import { RateLimiter } from './limits.ts';
import type { ApiParts } from './parts.ts';
import { type Principal, principalOf } from './principal.ts';
import { OAuthAnswer, ProblemAnswer, problemBody } from './problem.ts';
import { problemPages } from './problem-pages.ts';
import { Raw } from './raw.ts';
import { type Answer, type Route, readCall } from './route.ts';
import { allRoutes } from './routes/all.ts';

const BODY_LIMIT_BYTES = 64 * 1024;
const LONGEST_TARGET = 8 * 1024;
const REQUEST_TIMEOUT_MS = 10_000;

interface Visit {
  principal: Principal;
  startedMs: number;
  release: Release;
  code: ProblemCode | string | null;
  rows: number;
  warnings: string[];
}

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit;
  }
  interface FastifyContextConfig {
    route?: Route;
  }
}

export interface Api {
  readonly port: number;
  readonly limiter: RateLimiter;
  /** Stops listening; requests under way are answered. Idempotent. */
  stop(): Promise<void>;
}

/** Listens when it resolves; a port that is taken rejects with Node's own error (`code` EADDRINUSE). */
export async function startApi(parts: ApiParts, address: { host: string; port: number }): Promise<Api> {
  const limiter = new RateLimiter();
  const app = buildApp(parts, limiter);
  await app.listen({ host: address.host, port: address.port });
  const bound = app.server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : address.port;
  let stopping: Promise<void> | null = null;
  return {
    port,
    limiter,
    stop: () => {
      stopping ??= app.close();
      return stopping;
    },
  };
}

function buildApp(parts: ApiParts, limiter: RateLimiter): FastifyInstance {
  const routes = allRoutes(limiter);
  const app = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: true,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: 1_000 },
    frameworkErrors: (error, request, reply) => {
      // Bad percent-encoding never reaches the hooks.
      request.visit ??= newVisit(parts, request);
      sendProblem(parts, request, reply, frameworkProblem(error));
    },
    clientErrorHandler: (error, socket) => answerSocket(parts, error, socket),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      done(null, request.routeOptions.config.route?.path === '/v1/oauth/token' ? bytes : parseJson(bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (request.routeOptions.config.route?.path === '/v1/oauth/token') done(null, bytes);
    else done(new ProblemAnswer('unsupported_media_type', 'This operation takes application/json only.'));
  });
  app.decorateRequest('visit', null as unknown as Visit);
  app.addHook('onRequest', async (request, reply) => {
    request.visit = newVisit(parts, request);
    // What the client sent is told first; only then who it is.
    if (request.url.length > LONGEST_TARGET)
      throw new ProblemAnswer('uri_too_long', `The address has ${request.url.length} characters.`);
    const { route } = request.routeOptions.config;
    authorise(parts, limiter, request.visit.principal, route, reply);
  });
  app.addHook('preParsing', async (request) => {
    if (request.headers['content-encoding'] !== undefined)
      throw new ProblemAnswer('unsupported_media_type', 'A request body may not be compressed.');
  });
  app.addHook('onResponse', async (request, reply) => recordVisit(parts, limiter, request, reply));
  app.setErrorHandler((error, request, reply) => sendProblem(parts, request, reply, error as Error));
  app.setNotFoundHandler((request, reply) => {
    const methods = allowedMethods(routes, request.url);
    if (methods.length === 0) throw new ProblemAnswer('not_found', 'There is no such route.');
    const allow = methods.join(', ');
    reply.header('allow', allow);
    throw new ProblemAnswer('method_not_allowed', `${request.method} is not possible here; ${allow} is.`);
  });
  for (const route of routes) app.route({ method: route.method, url: route.path, config: { route }, handler });
  problemPages(app, parts);
  docsPage(app, routes);
  for (const mount of parts.pages) mount(app);

  async function handler(request: FastifyRequest, reply: FastifyReply) {
    const route = request.routeOptions.config.route as Route;
    const { query, body } = readCall(route, request);
    const params = request.params as Record<string, string>;
    const { principal } = request.visit;
    const answer: Answer = await route.handle({ parts, principal, params, query, body, request, reply });
    request.visit.rows = answer.rows ?? 1;
    reply.status(answer.status).headers(answer.headers ?? {});
    if (answer.body === undefined) return reply.send();
    const text = answer.body instanceof Raw ? answer.body.text : JSON.stringify(answer.body);
    return reply.type('application/json; charset=utf-8').send(text);
  }
  return app;
}

function newVisit({ engine, clock, controlToken }: ApiParts, request: FastifyRequest): Visit {
  const now = clock.mode === 'lockstep' ? clock.now() : clock.wall();
  return {
    principal: principalOf(engine.world, request.headers.authorization, controlToken, now),
    startedMs: clock.monotonic(),
    release: clock.hold('http', () => `${request.method} ${request.url}`),
    code: null,
    rows: 0,
    warnings: [],
  };
}

function sendProblem(parts: ApiParts, request: FastifyRequest, reply: FastifyReply, error: Error): FastifyReply {
  const path = request.url.split('?')[0] ?? request.url;
  if (error instanceof OAuthAnswer) {
    request.visit.code = error.error;
    const body = { error: error.error, error_description: error.message };
    return reply
      .status(error.status)
      .headers({ ...error.headers, 'cache-control': 'no-store' })
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(body));
  }
  const answer = error instanceof ProblemAnswer ? error : frameworkProblem(error);
  request.visit.code = answer.code;
  const body = problemBody(parts.baseUrl(), path, answer.code, answer.detail, answer.errors);
  return reply
    .status(PROBLEMS[answer.code].status)
    .headers(answer.headers)
    .type('application/problem+json')
    .send(JSON.stringify(body));
}

/** Fastify's own errors in our words; what is none of them is our bug, told without a stack. */
function frameworkProblem(error: Error & { code?: string; statusCode?: number }): ProblemAnswer {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ProblemAnswer('payload_too_large', `The body is larger than ${BODY_LIMIT_BYTES} bytes.`);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ProblemAnswer('unsupported_media_type', 'This operation takes application/json only.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ProblemAnswer('malformed_request', 'The Content-Length does not fit the body.');
    case 'FST_ERR_BAD_URL':
      return new ProblemAnswer('malformed_request', 'The address is not validly percent-encoded.');
    case 'FST_ERR_MAX_PARAM_LENGTH':
    case 'FST_ERR_PARAM_TOO_LONG':
      return new ProblemAnswer('not_found', 'There is no such resource.');
    default:
      return error.statusCode === 400
        ? new ProblemAnswer('malformed_request', error.message)
        : new ProblemAnswer('internal_error', 'The sandbox made a mistake. It is on its log.');
  }
}

/** Requests that are no HTTP are answered on the bare socket. */
function answerSocket(parts: ApiParts, error: Error & { code?: string }, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [code, detail]: [ProblemCode, string] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['headers_too_large', 'The request line and headers are larger than 16 KiB.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['request_timeout', 'The request did not arrive in time.']
        : ['malformed_request', 'The request is not valid HTTP.'];
  const body = JSON.stringify(problemBody(parts.baseUrl(), '/', code, detail));
  const reason = PROBLEMS[code].title;
  socket.end(
    `HTTP/1.1 ${PROBLEMS[code].status} ${reason}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** The methods of a path that exists; HEAD works wherever GET does. [decisions 1] */
function allowedMethods(routes: readonly Route[], url: string): string[] {
  const segments = (url.split('?')[0] ?? '').split('/');
  const methods = routes
    .filter(({ path }) => {
      const pattern = path.split('/');
      return (
        pattern.length === segments.length &&
        pattern.every((part, place) => (part.startsWith(':') ? segments[place] !== '' : part === segments[place]))
      );
    })
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(methods)];
}

/** Every request leaves a row in the audit log, without secrets: no header and no body is kept. [spec 5] */
function recordVisit(parts: ApiParts, limiter: RateLimiter, request: FastifyRequest, reply: FastifyReply): void {
  const { visit } = request;
  const { clock, engine } = parts;
  const client = visit.principal.kind === 'client' ? visit.principal.client : null;
  const tookMs = clock.monotonic() - visit.startedMs;
  if (client !== null && reply.statusCode !== 429) {
    const lockstep = clock.mode === 'lockstep';
    // A fixed cost per row where time stands still while a request is answered. [decisions 8]
    limiter.charge(client.id, lockstep ? clock.now() : clock.wall(), lockstep ? 1 + visit.rows * 0.02 : tookMs);
  }
  const [path = '', query = ''] = request.url.split('?');
  engine.logRequest({
    id: randomId(),
    at: clock.now(),
    wallAt: clock.wall(),
    clientId: client?.id ?? null,
    organizationId: client?.organizationId ?? null,
    method: request.method,
    path: path.slice(0, 500),
    query: withoutTokens(query).slice(0, 1_000),
    status: reply.statusCode,
    code: visit.code,
    tookMs: Math.round(tookMs * 1_000) / 1_000,
    note: visit.principal.kind === 'control' ? 'control token' : null,
    warnings: visit.warnings,
  });
  visit.release();
}

/** A token that somebody put into the address has no place in a log. */
const withoutTokens = (query: string): string =>
  query.replace(/((?:access_token|token|client_secret|secret|password|key)=)[^&]*/gi, '$1[hidden]');
