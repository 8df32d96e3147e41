/** Which token opens which route: every route, with each scope alone, without each scope, and with the control token. [decisions 1, 2, 9] */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES, type Scope } from '../../../src/contract/enumerations.ts';
import { RateLimiter } from '../../../src/service/api/access/limits.ts';
import { allRoutes } from '../../../src/service/api/routes/all.ts';
import { ApiHarness, CONTROL } from './harness.ts';

/** Any one of these scopes opens the route; `client`: any token of a client, or one with this scope, and the control token. */
type Opens = readonly Scope[] | 'client' | 'control' | 'none' | { readonly client: Scope };

/** As the documents have it, and not as the routes do. */
const ROUTES: readonly (readonly [string, Opens])[] = [
  ['POST /v1/oauth/token', 'none'],
  ['GET /v1/sites', SCOPES],
  ['GET /v1/sites/:site_id/zones', ['alerts:read']],
  ['GET /v1/alerts', ['alerts:read']],
  ['GET /v1/alerts/:alert_id', ['alerts:read']],
  ['PATCH /v1/alerts/:alert_id', ['alerts:write']],
  ['GET /v1/musters', ['musters:read']],
  ['GET /v1/musters/:muster_id', ['musters:read']],
  ['GET /v1/musters/:muster_id/missing', ['musters:read']],
  ['GET /v1/workers', ['workers:read']],
  ['GET /v1/devices', ['workers:read']],
  ['GET /v1/positions', ['positions:read']],
  ['GET /v1/events', ['alerts:read', 'musters:read']],
  ['GET /v1/webhooks', ['webhooks:manage']],
  ['POST /v1/webhooks', ['webhooks:manage']],
  ['DELETE /v1/webhooks/:id', ['webhooks:manage']],
  ['POST /v1/webhooks/:id/rotate-secret', ['webhooks:manage']],
  ['POST /v1/webhooks/:id/test', ['webhooks:manage']],
  ['GET /v1/sandbox/actions', 'client'],
  ['POST /v1/sandbox/actions', 'client'],
  ['GET /v1/sandbox/gaps', 'client'],
  ['GET /v1/sandbox/coverage', 'client'],
  ['GET /v1/sandbox/requests', 'client'],
  ['GET /v1/sandbox/deliveries', { client: 'webhooks:manage' }],
  ['GET /v1/sandbox/mail', { client: 'webhooks:manage' }],
  ['GET /v1/sandbox/stream', 'client'],
  ['GET /v1/sandbox/scenarios', 'client'],
  ['POST /v1/sandbox/scenarios/:name/runs', 'client'],
  ['GET /v1/sandbox/runs', 'client'],
  ['GET /v1/sandbox/runs/:run_id', 'client'],
  ['DELETE /v1/sandbox/runs/:run_id', 'client'],
  ['POST /v1/sandbox/recordings', 'client'],
  ['DELETE /v1/sandbox/recordings/:recording_id', 'client'],
  ['POST /v1/sandbox/wait', 'client'],
  ['GET /v1/sandbox/events', 'control'],
  ['GET /v1/sandbox/watches', 'control'],
  ['GET /v1/sandbox/deliveries/:id', 'control'],
  ['GET /v1/sandbox/destinations', 'control'],
  ['POST /v1/sandbox/destinations', 'control'],
  ['DELETE /v1/sandbox/destinations', 'control'],
  ['DELETE /v1/sandbox/destinations/:id', 'control'],
  ['GET /v1/sandbox/clock', 'control'],
  ['POST /v1/sandbox/clock', 'control'],
  ['POST /v1/sandbox/reset', 'control'],
  ['GET /v1/sandbox/snapshots', 'control'],
  ['POST /v1/sandbox/snapshots', 'control'],
  ['POST /v1/sandbox/snapshots/:name/load', 'control'],
  ['GET /v1/sandbox/world', 'control'],
  ['GET /v1/sandbox/nodes', 'control'],
];

const scopesOf = (opens: readonly Scope[] | { readonly client: Scope }): readonly Scope[] =>
  'client' in opens ? [opens.client] : opens;

let api: ApiHarness;
const tokens = new Map<string, string>();
const tokenOf = (scopes: readonly Scope[]): string => tokens.get(scopes.join()) ?? '';

beforeAll(async () => {
  api = await ApiHarness.start();
  api.api.limiter.setLimits('harbour_co', { requestsPerMinute: 1e9, querySecondsPerMinute: 1e9 });
  const sets = SCOPES.flatMap((scope): Scope[][] => [[scope], SCOPES.filter((other) => other !== scope)]);
  for (const scopes of sets) tokens.set(scopes.join(), await api.token(...scopes));
});
afterAll(() => api.stop());

/** Whether the token opens the route: what comes behind the door (a body, an object that is not there) is another matter. */
async function opens(route: string, token: string | null): Promise<boolean | string> {
  const [method = '', path = ''] = route.split(' ');
  const target = path.replace(/:\w+/g, '00000000-0000-4000-8000-0000000000ff');
  const answer = await fetch(`${api.url}${target}${target.endsWith('/stream') ? '?once=true' : ''}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(method === 'GET' || method === 'DELETE' ? {} : { 'content-type': 'application/json' }),
    },
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{"no such field": 1}' }),
  });
  const { code = '' } = answer.ok ? {} : ((await answer.json()) as { code?: string });
  if (answer.status === 401) return code;
  return code !== 'insufficient_scope';
}

test('every route is in the table, and every row is a route', () => {
  const served = allRoutes(new RateLimiter()).map(({ method, path }) => `${method} ${path}`);
  expect(ROUTES.map(([route]) => route).sort()).toEqual(served.sort());
});

describe.each(ROUTES)('%s', (route, openedBy) => {
  test('is opened by the tokens that the documents name, and by no other', async () => {
    const isOpenTo = (scopes: readonly Scope[]): boolean =>
      openedBy === 'none' ||
      openedBy === 'client' ||
      (openedBy !== 'control' && scopes.some((scope) => scopesOf(openedBy).includes(scope)));
    for (const scope of SCOPES) {
      const without = SCOPES.filter((other) => other !== scope);
      for (const scopes of [[scope], without])
        expect([scopes.join(), await opens(route, tokenOf(scopes))]).toEqual([scopes.join(), isOpenTo(scopes)]);
    }
    if (!Array.isArray(openedBy) && openedBy !== 'none') expect(await opens(route, CONTROL)).toBe(true);
    if (openedBy !== 'none') expect(await opens(route, null)).toBe('invalid_token');
  });
});
