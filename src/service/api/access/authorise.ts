/** Token, limits, scope: in this order, before the body is read. [decisions 2] */

import type { Operation } from '../../../contract/operations/operation.ts';
import { ProblemAnswer } from '../answers/problem-answer.ts';
import type { Visit } from '../requests/visit.ts';
import type { Route } from '../route.ts';
import type { RateLimiter } from './limits.ts';

export function authorise(limiter: RateLimiter, visit: Visit, route: Route): void {
  const { access } = route;
  if (access === 'none') return;
  const { principal } = visit;
  switch (principal.kind) {
    case 'anonymous':
      return unauthorised(principal.why);
    case 'control':
      if (access === 'sandbox' || access === 'control') return;
      return unauthorised(
        'The control token is valid only for /v1/sandbox/. Request a client token at the token endpoint.',
      );
    // Tickets are read only on routes that accept tickets.
    case 'panel':
      return;
    case 'client': {
      const why = whyLimited(limiter, visit);
      if (why !== null) throw new ProblemAnswer(why.code, why.detail, { headers: why.headers });
      return requireScope(route, principal.scopes);
    }
  }
}

/** The problem of a client over a limit, or null. [spec 8] */
export function whyLimited(limiter: RateLimiter, { client, limit, isSpared }: Visit) {
  if (client === null || limit === null || limit.admitted || isSpared) return null;
  const { requestsPerMinute, querySecondsPerMinute } = limiter.limitsOf(client.id);
  const { code, retryAfterS } = limit;
  const spent = code === 'rate_limited' ? `${requestsPerMinute} requests` : `${querySecondsPerMinute} s of query time`;
  const detail = `More than ${spent} in a minute. Try again in ${retryAfterS} s.`;
  return { code, detail, headers: { 'retry-after': String(retryAfterS) } };
}

function unauthorised(why: string): never {
  throw new ProblemAnswer('invalid_token', why, { headers: { 'www-authenticate': 'Bearer' } });
}

/** Throws `insufficient_scope` unless these scopes of a client's token open the operation. */
export function requireScope(
  { access, clientScope }: Pick<Operation, 'access' | 'clientScope'>,
  scopes: readonly string[],
): void {
  switch (access) {
    case 'any':
    case 'none':
      return;
    case 'sandbox':
      if (clientScope === undefined || scopes.includes(clientScope)) return;
      return insufficient(`The token lacks the scope ${clientScope}.`, clientScope);
    case 'control':
      return insufficient('This operation needs the control token.', '');
    case 'events':
      if (scopes.includes('alerts:read') || scopes.includes('musters:read')) return;
      return insufficient('The token needs the scope alerts:read or musters:read.', 'alerts:read musters:read');
    default:
      if (!scopes.includes(access)) insufficient(`The token lacks the scope ${access}.`, access);
  }
}

function insufficient(detail: string, scope: string): never {
  const wanted = scope === '' ? '' : `, scope="${scope}"`;
  throw new ProblemAnswer('insufficient_scope', detail, {
    headers: { 'www-authenticate': `Bearer error="insufficient_scope"${wanted}` },
  });
}
