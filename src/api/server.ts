/** The HTTP door: one Fastify server over the table of routes; it parses, asks the engine, renders, and decides nothing. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { authorise } from './authorise.ts';
import { BODY_LIMIT_BYTES, requireReadableBody } from './body-rules.ts';
import { docsPage } from './docs-page.ts';
import { errorAnswer, isBug } from './error-answer.ts';
import { FaultAnswer } from './faults.ts';
import { healthPage } from './health.ts';
import { type InProcessGet, inProcessGet } from './in-process.ts';
import { KnownPaths } from './known-paths.ts';
import { RateLimiter } from './limits.ts';
import { requireOwnHost } from './own-host.ts';
import type { ApiParts } from './parts.ts';
import { ProblemAnswer } from './problem.ts';
import { problemPages } from './problem-pages.ts';
import { pathOf, requireReadableRequest } from './request-rules.ts';
import { type Answer, bytesOf, type Route, readCall } from './route.ts';
import { allRoutes } from './routes/all.ts';
import { SocketAnswers } from './socket-answers.ts';
import { type Visit, Visits } from './visit.ts';

/** Characters of a note in the request log. */
const LONGEST_NOTE = 500;

/** A request that has not arrived whole by then is answered 408; wall ms. */
const REQUEST_TIMEOUT_MS = 10_000;

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
  readonly get: InProcessGet;
  /** Stops listening; requests under way are answered. Idempotent. */
  stop(): Promise<void>;
}

export interface Address {
  readonly host: string;
  readonly port: number;
  /** Default 10 s. */
  readonly requestTimeoutMs?: number;
}

/** Listens when it resolves; a port that is taken rejects with Node's own error (`code` EADDRINUSE). */
export async function startApi(
  parts: ApiParts,
  { host, port, requestTimeoutMs }: Address,
  limiter = new RateLimiter(),
): Promise<Api> {
  const app = buildApp(parts, limiter, requestTimeoutMs ?? REQUEST_TIMEOUT_MS);
  await app.listen({ host, port });
  const bound = app.server.address();
  let stopping: Promise<void> | null = null;
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : port,
    limiter,
    get: inProcessGet(parts, allRoutes(limiter)),
    stop: () => {
      stopping ??= app.close();
      return stopping;
    },
  };
}

function buildApp(parts: ApiParts, limiter: RateLimiter, requestTimeoutMs: number): FastifyInstance {
  const visits = new Visits(parts, limiter);
  const routes = allRoutes(limiter);
  const sockets = new SocketAnswers(parts, visits);
  const paths = new KnownPaths();
  const app = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: true,
    // Requests that arrive while the server closes are answered as any other, not with a bare 503.
    return503OnClosing: false,
    requestTimeout: requestTimeoutMs,
    http: {
      // A missing Host is told by us.
      requireHostHeader: false,
      // Node swaps the two where headers may take longer than the whole; its default of them is a minute.
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: requestTimeoutMs / 10,
    },
    routerOptions: { maxParamLength: 1_000 },
    // An address that cannot be decoded never reaches the hooks.
    frameworkErrors: (error, request, reply) => {
      request.visit = visits.open(request.raw, reply.raw, undefined);
      tell(request, reply, error);
    },
    clientErrorHandler: (error, socket) => sockets.clientError(error as Error, socket),
  });
  sockets.watch(app.server);
  // What may come is decided by the headers (body-rules), so whatever comes is read.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
  app.decorateRequest('visit', null as unknown as Visit);
  app.addHook('onRoute', ({ method, url }) => paths.add(url, method));
  // The order of checks, as far as it goes before a body is read. [decisions 2]
  app.addHook('onRequest', async (request, reply) => {
    const { raw, is404 } = request;
    const { route } = request.routeOptions.config;
    request.visit = visits.open(raw, reply.raw, route);
    // Also what only reads: what is in memory may be gone from the disk, and the process is about to end. [decisions 10]
    if (!parts.engine.isSound())
      throw new ProblemAnswer('storage_unavailable', 'The storage of the sandbox failed, and it is stopping.');
    requireReadableRequest(raw);
    if (is404) refuseRoute(raw.method ?? '', paths.methodsOf(pathOf(raw.url ?? '')));
    if (route === undefined) return;
    requireOwnHost(raw, parts);
    authorise(limiter, request.visit, route);
    await parts.faults.meet(pathOf(raw.url ?? ''));
    requireReadableBody(raw, route);
  });
  app.setErrorHandler((error, request, reply) => tell(request, reply, error as Error));
  for (const route of routes) app.route({ method: route.method, url: route.path, config: { route }, handler });
  problemPages(app, parts);
  docsPage(app, routes, parts);
  healthPage(app);
  for (const mount of parts.pages) mount(app);

  async function handler(request: FastifyRequest, reply: FastifyReply) {
    const { visit } = request;
    const begin = parts.clock.monotonic();
    try {
      const answer = await answerTo(request, reply, visit.route as Route);
      if (answer === null) return reply;
      visit.rows = answer.rows ?? 1;
      reply.status(answer.status).headers(answer.headers ?? {});
      const text = bytesOf(answer);
      if (text === null) return reply.send();
      return reply.type('application/json; charset=utf-8').send(text);
    } finally {
      visit.handledMs = parts.clock.monotonic() - begin;
    }
  }

  function answerTo(
    request: FastifyRequest,
    reply: FastifyReply,
    route: Route,
  ): Promise<Answer | null> | Answer | null {
    const { query, body } = readCall(route, request, parts.clock.now());
    const { principal } = request.visit;
    const params = request.params as Record<string, string>;
    return route.handle({
      parts,
      principal,
      params,
      query,
      body,
      read: (look) => parts.engine.read(look),
      request,
      reply,
    });
  }

  function tell(request: FastifyRequest, reply: FastifyReply, error: Error): FastifyReply {
    const { visit } = request;
    if (error instanceof FaultAnswer && error.status !== 500 && error.status !== 503) {
      // A gateway knows nothing of problem+json.
      visit.note = error.message;
      return reply.status(error.status).type('text/html').send(`<h1>${error.status}</h1>\n`);
    }
    const path = visits.secrets.cutFromPath(pathOf(request.url));
    const answer = errorAnswer(error, { baseUrl: parts.baseUrl(), path, route: visit.route });
    visit.code = answer.code;
    if (error instanceof FaultAnswer) visit.note = error.message;
    else if (error instanceof ProblemAnswer && error.note !== null) visit.note = error.note.slice(0, LONGEST_NOTE);
    else if (isBug(error)) {
      visit.note = `${error.name}: ${error.message}`.slice(0, LONGEST_NOTE);
      const { method, path } = visit.route ?? { method: request.method, path: 'unknown' };
      parts.engine.failures.report({ part: 'request', what: `${method} ${path}`, error });
    }
    // As bytes: to a text Fastify would add a charset, which application/problem+json does not have.
    const bytes = Buffer.from(visits.secrets.cutFromAnswer(answer.body, request.url));
    return reply.status(answer.status).headers(answer.headers).type(answer.type).send(bytes);
  }
  return app;
}

function refuseRoute(method: string, allowed: readonly string[]): never {
  if (allowed.length === 0) throw new ProblemAnswer('not_found', 'There is no such route.');
  const allow = allowed.join(', ');
  throw new ProblemAnswer('method_not_allowed', `${method} is not possible here; ${allow} is.`, { headers: { allow } });
}
