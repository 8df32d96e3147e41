/** `GET /healthz`: reports whether the sandbox works, for process supervisors. It discloses nothing else. */
import type { FastifyInstance } from 'fastify';
import type { ApiParts } from './route.ts';

/**
 * Outside of `/v1`, so the check needs no token and has no limits. It adds no row to the audit log, which a probe would
 * fill. The second path is the older name.
 */
const PATHS = ['/healthz', '/health'];

/**
 * Returns 200, or 503 `storage_unavailable` while a change would get this error: the store is unreachable, is full or
 * has failed, or the engine accepts nothing. It reads from the store, since an unreachable database is otherwise
 * noticed only by the next write.
 */
export function healthPage(app: FastifyInstance, { store, engine }: Pick<ApiParts, 'store' | 'engine'>): void {
  for (const path of PATHS)
    app.get(path, { config: { unlogged: true } }, async (_request, reply) => {
      await engine.checkStorage();
      await store.requests({ limit: 1 });
      return reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send('{"status":"ok"}');
    });
}
