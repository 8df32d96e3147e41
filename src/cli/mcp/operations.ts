/** The operations of the API, one per line, from the table of routes. */
import { RateLimiter } from '../../service/api/access/limits.ts';
import { allRoutes } from '../../service/api/routes/all.ts';

/** Lines such as `GET /v1/alerts (alerts:read) List alerts`. */
export const OPERATIONS: readonly string[] = allRoutes(new RateLimiter()).map(
  ({ method, path, access, summary }) => `${method} ${path} (${String(access)}) ${summary}`,
);
