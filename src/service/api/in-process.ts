/**
 * Answers GETs of the public API within one step of the event loop, because the conditions of a scenario are evaluated at a commit, before
 * anything else runs.
 */
import type { Instant } from '../../base/time/clock.ts';
import { readQuery } from '../../contract/query.ts';
import { NoQuery } from '../../contract/requests.ts';
import { clientOf, type TokenViewer } from '../domain/access/viewer.ts';
import type { World } from '../domain/world/world.ts';
import { requireScope } from './access/authorise.ts';
import { ProblemAnswer } from './answers/problem-answer.ts';
import { pathOf, queryOf } from './requests/request-rules.ts';
import { type ApiParts, bytesOf, type Call, type Route } from './route.ts';

/** Returns the body for this viewer, or null if the answer is a problem. */
export type InProcessGet = (viewer: TokenViewer, target: string) => unknown;

/** Calls the handlers of the route table without a socket: the request counts for no limit, is not logged, meets no simulated outage, and reads the committed world. */
export function inProcessGet(parts: ApiParts, routes: readonly Route[]): InProcessGet {
  const { engine, clock } = parts;
  const gets = routes
    .filter(({ method }) => method === 'GET')
    .map((route) => ({ route, steps: route.path.split('/') }));
  const read = <V>(look: (world: World, now: Instant) => V): V => look(engine.world, clock.now());
  return (viewer, target) => {
    const given = pathOf(target).split('/');
    const found = gets.find(({ steps }) => fits(steps, given));
    if (found === undefined) return null;
    const { route, steps } = found;
    const params = Object.fromEntries(
      steps.flatMap((step, i) => (step.startsWith(':') ? [[step.slice(1), given[i] as string]] : [])),
    );
    const client = clientOf(engine.world, viewer.organizationId);
    const principal = { kind: 'client', tokenId: '', client, viewer, scopes: viewer.scopes } as const;
    const query = readQuery(route.query ?? NoQuery, queryOf(target));
    if (!query.ok) return null;
    try {
      requireScope(route, viewer.scopes);
      const call = { parts, principal, params, query: query.value, ambiguous: query.ambiguous, body: undefined, read };
      const answer = route.handle({ ...call, request: UNLOGGED } as unknown as Call);
      // An asynchronous handler cannot answer at a commit.
      if (answer === null || answer instanceof Promise) throw new Error(`GET ${route.path} is not answered at once`);
      const bytes = bytesOf(answer);
      return answer.status !== 200 || bytes === null ? null : JSON.parse(bytes.toString());
    } catch (error) {
      if (error instanceof ProblemAnswer) return null;
      throw error;
    }
  };
}

/** Warnings of a request that has no row in the log are dropped. */
const UNLOGGED = { visit: { warnings: [] } };

const fits = (steps: readonly string[], given: readonly string[]): boolean =>
  steps.length === given.length && steps.every((step, i) => step === given[i] || step.startsWith(':'));
