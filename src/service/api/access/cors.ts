/** CORS for the one origin of `--cors`: browsers of its pages may call the API and read the answers. [decisions 10] */
import type { FastifyInstance } from 'fastify';
import { pathOf } from '../requests/request-rules.ts';

const METHODS = 'GET, HEAD, POST, PATCH, DELETE';
const REQUEST_HEADERS = 'authorization, content-type, last-event-id';
const ANSWER_HEADERS = 'retry-after, www-authenticate, allow';

/** How long a browser may remember a preflight, s. */
const MAX_AGE_S = '600';

/** Applies to `/v1/` only. The panel's pages are readable without a login, so other origins must not read them. */
export function allowOrigin(app: FastifyInstance, allowed: string): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!pathOf(request.raw.url ?? '').startsWith('/v1/')) return;
    const { raw } = reply;
    // Set on the raw response, because a stream writes directly to the raw response.
    raw.setHeader('vary', 'Origin');
    if (request.headers.origin !== allowed) return;
    raw.setHeader('access-control-allow-origin', allowed);
    raw.setHeader('access-control-expose-headers', ANSWER_HEADERS);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return;
    raw.setHeader('access-control-allow-methods', METHODS);
    raw.setHeader('access-control-allow-headers', REQUEST_HEADERS);
    raw.setHeader('access-control-max-age', MAX_AGE_S);
    return reply.status(204).send();
  });
}
