/** Token, limits, scope: in this order, before a byte of the body is read. [decisions 2] */
import type { FastifyReply } from 'fastify';
import type { RateLimiter } from './limits.ts';
import type { ApiParts } from './parts.ts';
import type { Principal } from './principal.ts';
import { ProblemAnswer } from './problem.ts';
import type { Access, Route } from './route.ts';

export function authorise(
  { clock }: ApiParts,
  limiter: RateLimiter,
  principal: Principal,
  route: Route | undefined,
  reply: FastifyReply,
): void {
  if (route?.access === 'none') return;
  if (route !== undefined && principal.kind === 'nobody') unauthorised(principal.why, reply);
  if (route !== undefined && principal.kind === 'control' && !opensSandbox(route.access))
    unauthorised('The control token opens /v1/sandbox/ only; ask the token endpoint for a client token.', reply);
  if (principal.kind === 'client') {
    // A path that does not exist is counted too, and is told as such rather than refused. [decisions 8]
    const verdict = limiter.admit(principal.client.id, clock.mode === 'lockstep' ? clock.now() : clock.wall());
    if (!verdict.admitted && route !== undefined) {
      const what =
        verdict.code === 'rate_limited'
          ? `More than ${limiter.limitsOf(principal.client.id).requestsPerMinute} requests in a minute.`
          : `More than ${limiter.limitsOf(principal.client.id).querySecondsPerMinute} s of query time in a minute.`;
      throw new ProblemAnswer(verdict.code, `${what} Try again in ${verdict.retryAfterS} s.`, {
        headers: { 'retry-after': String(verdict.retryAfterS) },
      });
    }
    if (route !== undefined) requireScope(route.access, principal.scopes);
  }
}

const opensSandbox = (access: Access): boolean => access === 'sandbox' || access === 'control';

function unauthorised(why: string, reply: FastifyReply): never {
  reply.header('www-authenticate', 'Bearer');
  throw new ProblemAnswer('invalid_token', why);
}

function requireScope(access: Access, scopes: readonly string[]): void {
  switch (access) {
    case 'any':
    case 'sandbox':
    case 'none':
      return;
    case 'control':
      return insufficient('This operation needs the control token.', '');
    case 'events':
      if (scopes.includes('alerts:read') || scopes.includes('musters:read')) return;
      return insufficient('The token has neither alerts:read nor musters:read.', 'alerts:read musters:read');
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
