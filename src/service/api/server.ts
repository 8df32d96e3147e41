/** The HTTP server: parses requests, submits commands to the engine, and renders replies. It has no rules. */
import type { TlsKeys } from '../../base/network/tls-port.ts';
import { RateLimiter } from './access/limits.ts';
import { buildApp } from './app.ts';
import { type InProcessGet, inProcessGet } from './in-process.ts';
import type { ApiParts } from './route.ts';
import { allRoutes } from './routes/all.ts';

/** Time within which a request must arrive completely. After it the answer is 408. Wall ms. */
const REQUEST_TIMEOUT_MS = 10_000;

export interface Api {
  readonly port: number;
  readonly limiter: RateLimiter;
  readonly get: InProcessGet;
  /** Stops listening after requests in flight are answered. Idempotent. */
  stop(): Promise<void>;
  /**
   * Frees the port for a successor. The requests in flight stay open until the returned function is called, because one
   * of them waits for the successor. `stop` then does nothing.
   */
  handOver(): () => Promise<void>;
}

export interface Address {
  readonly host: string;
  readonly port: number;
  /** If set, the port accepts only https. Default: http. */
  readonly tls?: TlsKeys | null;
  /** Default 10 s. */
  readonly requestTimeoutMs?: number;
}

/** Resolves when listening; rejects with Node's error if the port is taken (`code` EADDRINUSE). */
export async function startApi(
  parts: ApiParts,
  { host, port, tls = null, requestTimeoutMs = REQUEST_TIMEOUT_MS }: Address,
  limiter = new RateLimiter(),
): Promise<Api> {
  const routes = allRoutes(limiter);
  const app = buildApp(parts, limiter, routes, { tls, requestTimeoutMs });
  await app.listen({ host, port });
  const bound = app.server.address();
  let stopping: Promise<void> | null = null;
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : port,
    limiter,
    get: inProcessGet(parts, routes),
    stop: () => {
      app.tlsPort?.close();
      stopping ??= app.close();
      return stopping;
    },
    handOver: () => {
      app.tlsPort?.close();
      app.server.close();
      // A connection that is kept alive would still reach the old world.
      app.endKeepAlive();
      stopping ??= Promise.resolve();
      return () => app.close();
    },
  };
}
