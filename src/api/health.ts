/** `GET /healthz`: reports whether the sandbox works, for process supervisors. It discloses nothing else. */
import type { FastifyInstance } from 'fastify';
import type { ApiParts } from './route.ts';

/** Outside of `/v1`: no token, no limits, and no row in the audit log, which a probe would fill. The second is its older name. */
const PATHS = ['/healthz', '/health'];

/**
 * 200, or 503 `storage_unavailable` while a change would get it: the store is away, full or has failed, or the engine takes nothing.
 * It reads from the store, since a database that is away is otherwise noticed only by the next write.
 */
export function healthPage(app: FastifyInstance, { store, engine }: Pick<ApiParts, 'store' | 'engine'>): void {
  for (const path of PATHS)
    app.get(path, { config: { unlogged: true } }, async (_request, reply) => {
      await engine.checkStorage();
      await store.requests({ limit: 1 });
      return reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send('{"status":"ok"}');
    });
}
