/** The Fastify app over the table of routes, built in named steps. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type TlsKeys, type TlsPort, tlsOptions, watchTlsPort } from '../../base/network/tls-port.ts';
import { rooted, rootOf } from '../../base/text/html.ts';
import { authorise } from './access/authorise.ts';
import { allowOrigin } from './access/cors.ts';
import type { RateLimiter } from './access/limits.ts';
import { requireOwnHost } from './access/own-host.ts';
import { errorAnswer, isBug } from './answers/error-answer.ts';
import { ProblemAnswer } from './answers/problem-answer.ts';
import { SocketAnswers } from './answers/socket-answers.ts';
import { docsPages } from './documents/docs-page.ts';
import { guidePages } from './guide/serve.ts';
import { healthPage } from './health.ts';
import type { ArrivingRequest } from './requests/arrivals.ts';
import { BODY_LIMIT_BYTES, requireReadableBody } from './requests/body-rules.ts';
import { FaultAnswer } from './requests/faults.ts';
import { KnownPaths, ROUTER } from './requests/known-paths.ts';
import { warn } from './requests/non-standard.ts';
import { pathOf, requireReadableRequest } from './requests/request-rules.ts';
import { type Visit, Visits } from './requests/visit.ts';
import { type ApiParts, bytesOf, type Call, type Route, type RouteAnswer, readCall } from './route.ts';

/** Maximum length of a note in the request log, in characters. */
const LONGEST_NOTE = 500;

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit;
  }
  interface FastifyInstance {
    /** Makes every connection close after its request in flight, or after its next request. */
    endKeepAlive(): void;
    /** Null if the port uses plain http. */
    tlsPort: TlsPort | null;
  }
  interface FastifyContextConfig {
    route?: Route;
    /** True if requests of this route add no row to the audit log. */
    unlogged?: boolean;
  }
}

/** What the steps of building the server share. */
interface AppContext {
  readonly parts: ApiParts;
  readonly limiter: RateLimiter;
  readonly routes: readonly Route[];
  readonly visits: Visits;
  readonly paths: KnownPaths;
}

/** Protocol and timeout of the API's port. */
interface ServedPort {
  /** Null if the port uses plain http. */
  readonly tls: TlsKeys | null;
  readonly requestTimeoutMs: number;
}

/** The server with its checks, routes and pages; it does not listen yet. */
export function buildApp(
  parts: ApiParts,
  limiter: RateLimiter,
  routes: readonly Route[],
  port: ServedPort,
): FastifyInstance {
  const visits = new Visits(parts, limiter);
  const context = { parts, limiter, visits, routes, paths: new KnownPaths() };
  const app = createServer(context, port);
  for (const step of STEPS) step(app, context);
  app.decorate('endKeepAlive', () => {
    visits.endKeepAlive();
    app.server.maxRequestsPerSocket = 1;
  });
  return app;
}

/** The hooks are before the routes, because Fastify applies a hook only to what is registered after it. */
const STEPS: readonly ((app: FastifyInstance, context: AppContext) => void)[] = [
  readEveryBody,
  rootPages,
  answerOtherOrigin,
  checkBeforeBody,
  answerErrors,
  serveRoutes,
  servePages,
];

function createServer(context: AppContext, { tls, requestTimeoutMs }: ServedPort): FastifyInstance {
  const { parts, visits } = context;
  const sockets = new SocketAnswers(parts, visits);
  const http = {
    // With Node's default, Node itself answers a missing Host, without a problem document.
    requireHostHeader: false,
    // Node raises `requestTimeout` to `headersTimeout` (default 60 s) when the latter is larger.
    headersTimeout: requestTimeoutMs,
    connectionsCheckingInterval: requestTimeoutMs / 10,
  };
  const root = rootOf(parts.baseUrl());
  const app = Fastify({
    ...(root === '' ? {} : ({ rewriteUrl: ({ url = '/' }: { url?: string }) => withoutRoot(url, root) } as object)),
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: true,
    // Requests that arrive while the server closes are answered as any other, not with a bare 503.
    return503OnClosing: false,
    requestTimeout: requestTimeoutMs,
    ...(tls === null ? { http } : ({ https: { ...http, ...tlsOptions(tls) } } as object)),
    routerOptions: ROUTER,
    // Routes validate with their own schemas. Fastify's default would load Ajv even if no route uses it.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // An address that cannot be decoded never reaches the hooks, so the visit is opened here.
    frameworkErrors: (error, request, reply) => {
      request.visit = visits.open(request.raw, reply.raw, undefined);
      answerError(context, request, reply, error);
    },
    clientErrorHandler: (error, socket) => sockets.clientError(error as Error, socket),
  });
  sockets.watch(app.server);
  app.decorate('tlsPort', tls === null ? null : watchTlsPort(app.server, (socket) => sockets.plainHttp(socket)));
  return app;
}

/**
 * The base address may have a path, which a proxy removes from requests. Links, forms and redirects are rooted here,
 * where they leave the server, so no page knows the path. [cli, --public-url]
 */
function rootPages(app: FastifyInstance, { parts }: AppContext): void {
  const root = rootOf(parts.baseUrl());
  if (root === '') return;
  app.addHook('onSend', (_request, reply, payload: unknown, done) => {
    const location = reply.getHeader('location');
    if (typeof location === 'string' && location.startsWith('/')) reply.header('location', `${root}${location}`);
    const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html');
    if (!isPage || !(typeof payload === 'string' || Buffer.isBuffer(payload))) return done(null, payload);
    done(null, rooted(payload.toString(), root));
  });
}

/** Paths of the sandbox itself. A root that begins with one of them is removed by a proxy only. */
const OWN_PATH = /^\/(?:v1|panel|docs|guide|problems|openapi|asyncapi|healthz|llms)/;

/** Removes the root from the path of a request that came without a proxy, for example from a link of a page. */
function withoutRoot(url: string, root: string): string {
  if (root === '' || OWN_PATH.test(root) || !url.startsWith(root)) return url;
  const rest = url.slice(root.length);
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest.startsWith('/') ? rest : url;
}

function noSchemas(): never {
  throw new Error('A route gave Fastify a schema; routes check by their own.');
}

/** Runs before the checks, so that a page of the other origin can read why its request is refused. */
function answerOtherOrigin(app: FastifyInstance, { parts: { corsOrigin } }: AppContext): void {
  if (corsOrigin !== undefined) allowOrigin(app, corsOrigin);
}

/** Reads every body. The headers decide which bodies are allowed (body-rules). */
function readEveryBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
}

/**
 * A check of a request before its body is read. `route` is undefined for a page or an unknown path. Most checks are
 * synchronous.
 */
type RequestCheck = (
  context: AppContext,
  request: FastifyRequest,
  route: Route | undefined,
) => void | undefined | Promise<void>;

/** The order of checks, up to the reading of the body. [decisions 2] */
const CHECKS: readonly RequestCheck[] = [
  function storageIsSound({ parts }) {
    // Also for reads: the disk may lack what is in memory, and the process is about to end. [decisions 10]
    if (!parts.engine.isSound())
      throw new ProblemAnswer('storage_unavailable', 'The storage of the sandbox failed, and it is stopping.');
  },
  function requestIsReadable(_context, request) {
    requireReadableRequest(request.raw);
  },
  function routeExists({ paths }, request) {
    if (request.is404) refuseRoute(request.raw.method ?? '', paths.methodsOf(pathOf(request.raw.url ?? '')));
  },
  function hostIsOwn({ parts }, request, route) {
    if (route !== undefined) requireOwnHost(request.raw, parts);
  },
  function runChangesRequest({ parts }, request, route) {
    const { changeOf } = parts.arrivals;
    if (route === undefined || changeOf === null) return undefined;
    const { method = '', url = '', headers } = request.raw;
    const change = changeOf({ method, target: url, headers });
    request.visit.isSpared = change?.kind === 'spared';
    return change?.kind === 'fault' ? parts.faults.apply(change) : undefined;
  },
  function callerMayCall({ limiter }, request, route) {
    if (route !== undefined) authorise(limiter, request.visit, route);
  },
  function simulatedFaultIsMet({ parts }, request, route) {
    if (route === undefined || parts.faults.current === null) return undefined;
    const path = pathOf(request.raw.url ?? '');
    return parts.faults.meet(path, request.headers['user-agent'], request.visit.isSpared);
  },
  function bodyIsReadable({ parts }, request, route) {
    if (route !== undefined) requireReadableBody(request.raw, route, parts.strict);
  },
];

function checkBeforeBody(app: FastifyInstance, context: AppContext): void {
  const { visits, paths, parts } = context;
  app.decorateRequest('visit', null as unknown as Visit);
  app.addHook('onRoute', ({ method, url }) => paths.add(url, method));
  const open = (request: FastifyRequest, reply: FastifyReply) => {
    const { route, unlogged } = request.routeOptions.config;
    parts.clock.arrive();
    request.visit = visits.open(request.raw, reply.raw, route);
    if (unlogged === true) request.visit.logged = false;
    return route;
  };
  const arrive = (request: FastifyRequest, reply: FastifyReply): undefined | Promise<void> => {
    const route = open(request, reply);
    return passChecks(0, context, request, route);
  };
  // Uses a callback, and waits only for a check that is asynchronous: an async hook would create promises for every
  // request.
  app.addHook('onRequest', (request, reply, done) => {
    const pending = parts.engine.isShared ? arriveAmongNodes(request, reply) : arrive(request, reply);
    if (pending === undefined) done();
    else pending.then(() => done(), done);
  });
  /** Catches up first, because another node may have added the caller's token to the world a moment ago. */
  const arriveAmongNodes = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await parts.engine.catchUp().catch(() => {
      open(request, reply);
      throw new ProblemAnswer('storage_unavailable', 'The database does not answer now; try again.');
    });
    await arrive(request, reply);
  };
}

/** Runs the checks from index `first` on. Throws, or rejects, with the problem that a check finds. */
function passChecks(
  first: number,
  context: AppContext,
  request: FastifyRequest,
  route: Route | undefined,
): undefined | Promise<void> {
  for (let place = first; place < CHECKS.length; place++) {
    const pending = (CHECKS[place] as RequestCheck)(context, request, route);
    if (pending !== undefined) return pending.then(() => passChecks(place + 1, context, request, route));
  }
  return undefined;
}

function answerErrors(app: FastifyInstance, context: AppContext): void {
  app.setErrorHandler((error, request, reply) => answerError(context, request, reply, error as Error));
}

function serveRoutes(app: FastifyInstance, { parts, routes }: AppContext): void {
  const read: Call['read'] = (look) => parts.engine.read(look);
  // The reply of a synchronous handler is sent synchronously.
  const handler = (request: FastifyRequest, reply: FastifyReply): undefined | Promise<FastifyReply | undefined> => {
    const turn = parts.arrivals.gate?.turn(arrivingOf(request)) ?? null;
    if (turn === null) return handle(request, reply);
    return turn.then((ended) => {
      request.visit.ended = ended;
      // The client disconnected while its request waited.
      if (reply.raw.destroyed) ended();
      return handle(request, reply);
    });
  };
  const handle = (request: FastifyRequest, reply: FastifyReply): undefined | Promise<FastifyReply> => {
    const { visit } = request;
    const begin = parts.clock.monotonic();
    try {
      const answer = answerTo(parts, request, reply, read);
      if (answer instanceof Promise)
        return answer
          .then((one) => sendAnswer(one, visit, reply))
          .finally(() => {
            visit.handledMs = parts.clock.monotonic() - begin;
          });
      sendAnswer(answer, visit, reply);
      return undefined;
    } finally {
      visit.handledMs = parts.clock.monotonic() - begin;
    }
  };
  for (const route of routes) app.route({ method: route.method, url: route.path, config: { route }, handler });
}

const arrivingOf = ({ raw: { method = '', url = '', headers }, body }: FastifyRequest): ArrivingRequest => ({
  method,
  target: url,
  headers,
  body: Buffer.isBuffer(body) ? body.toString() : '',
});

/** `answer` is null if the handler has taken over the reply. */
function sendAnswer(answer: RouteAnswer | null, visit: Visit, reply: FastifyReply): FastifyReply {
  if (answer === null) return reply;
  visit.rows = answer.rows ?? 1;
  visit.answer = answer.body;
  reply.status(answer.status);
  if (answer.headers !== undefined) reply.headers(answer.headers);
  const text = bytesOf(answer);
  return text === null ? reply.send() : reply.type('application/json; charset=utf-8').send(text);
}

function servePages(app: FastifyInstance, { parts, routes }: AppContext): void {
  docsPages(app, routes, parts);
  guidePages(app);
  healthPage(app, parts);
  for (const mount of parts.pages) mount(app);
}

function answerTo(
  parts: ApiParts,
  request: FastifyRequest,
  reply: FastifyReply,
  read: Call['read'],
): Promise<RouteAnswer | null> | RouteAnswer | null {
  const route = request.visit.route as Route;
  const { query, ambiguous, body, leniencies } = readCall(route, request, parts);
  request.visit.sent = body;
  for (const one of leniencies) warn(request, one);
  const { principal } = request.visit;
  const params = request.params as Record<string, string>;
  return route.handle({ parts, principal, params, query, ambiguous, body, read, request, reply });
}

function answerError(
  { parts, visits }: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  error: Error,
): FastifyReply {
  const { visit } = request;
  if (error instanceof FaultAnswer && error.status !== 500 && error.status !== 503) {
    // Answers as a gateway in front of the service does. A gateway does not know problem+json.
    visit.note = error.message;
    return reply.status(error.status).type('text/html').send(`<h1>${error.status}</h1>\n`);
  }
  const path = visits.secrets.cutFromPath(pathOf(request.url));
  const answer = errorAnswer(asAssumed(error, parts, visit.route), {
    baseUrl: parts.baseUrl(),
    path,
    route: visit.route,
  });
  visit.code = answer.code;
  visit.problem = visits.secrets.cutFromProblem(answer.problem, request.url);
  if (error instanceof FaultAnswer) visit.note = error.message;
  else if (error instanceof ProblemAnswer && error.note !== null) visit.note = error.note.slice(0, LONGEST_NOTE);
  else if (isBug(error)) {
    visit.note = `${error.name}: ${error.message}`.slice(0, LONGEST_NOTE);
    const { method, path } = visit.route ?? { method: request.method, path: 'unknown' };
    parts.engine.failures.report({ part: 'request', what: `${method} ${path}`, error });
  }
  // Sent as bytes: Fastify would add a charset to a text, and application/problem+json has no charset.
  const bytes = Buffer.from(visits.secrets.cutFromAnswer(answer.body, request.url));
  return reply.status(answer.status).headers(answer.headers).type(answer.type).send(bytes);
}

/** With the switch `foreign-objects`, a site of another company does not exist for the client. [gap foreign-objects] */
function asAssumed(error: Error, { assumptions }: ApiParts, route: Route | undefined): Error {
  const isForeignSite = error instanceof ProblemAnswer && error.code === 'site_not_accessible';
  return isForeignSite && assumptions['foreign-objects'] === '404' && route?.tag !== 'Sandbox'
    ? new ProblemAnswer('not_found', 'There is no such site.')
    : error;
}

function refuseRoute(method: string, allowed: readonly string[]): never {
  if (allowed.length === 0) throw new ProblemAnswer('not_found', 'There is no such route.');
  const allow = allowed.join(', ');
  throw new ProblemAnswer('method_not_allowed', `${method} is not possible here; ${allow} is.`, { headers: { allow } });
}
