/** A sandbox compared with itself: nothing differs, whatever its world has and whatever its client may see. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONTRACT_OPERATIONS } from '../../../src/contract/operations/all.ts';
import type { ComparedService } from '../../../src/proving/compare/checks.ts';
import { compareService } from '../../../src/proving/compare/compare-service.ts';
import { filtersIn } from '../../../src/proving/compare/judging/contract-routes.ts';
import { ContractJudge } from '../../../src/proving/compare/judging/judge.ts';
import { filterOf } from '../../../src/proving/compare/judging/lists.ts';
import { ServiceBusy } from '../../../src/proving/compare/service.ts';
import type { Sandbox } from '../../../src/sandbox/start.ts';
import { eachOf } from '../../helpers/each-of.ts';
import { unless } from '../../helpers/unless.ts';
import { withoutWhole } from '../../helpers/whole.ts';
import { act, live, sideOf, startedWith, withoutLimits } from './live-service.ts';

let lively: Sandbox;
let empty: Sandbox;
beforeAll(async () => {
  lively = await startedWith({}, true);
  empty = await startedWith({});
  await live(lively);
  await withoutLimits(lively);
  await withoutLimits(empty);
});
afterAll(async () => {
  await lively.stop();
  await empty.stop();
});

const compared = (service: ComparedService) =>
  compareService({
    service,
    sandbox: sideOf('sandbox', empty),
    judge: new ContractJudge({ secrets: [], isSequential: true }),
    allowed: { destinations: true, alertId: null },
    newAlert: () => Promise.reject(new Error('nothing is written')),
    assumed: {},
  });

async function differing(service: ComparedService): Promise<string[]> {
  const { checks, deviations, points } = await compared(service);
  return [
    ...checks
      .filter(({ result }) => result === 'different')
      .map(({ request, differences }) => `${request} ${differences}`),
    ...deviations.map(({ clause, operation, pointer, detail }) => `${clause} ${operation} ${pointer} ${detail}`),
    ...points.filter(({ result }) => result === 'otherwise').map(({ id, observed }) => `${id} ${observed}`),
  ];
}

/** The client with a token of these scopes. */
function withScopes(scopes: readonly string[]): ComparedService {
  const service = sideOf('service', lively);
  const call: ComparedService['call'] = async (request) => {
    if (request.token !== undefined || request.scope !== undefined) return service.call(request);
    const { scopes: _, ...answer } = await service.call({ ...request, scope: scopes.join(' ') });
    return answer;
  };
  return { ...service, call };
}

unless(withoutWhole).test('nothing differs in an empty world', async () => {
  expect(await differing(sideOf('service', empty))).toEqual([]);
});

unless(withoutWhole).test('nothing differs in a world with alerts, while a muster runs', async () => {
  expect(await differing(sideOf('service', lively))).toEqual([]);
});

eachOf([[['alerts:read']], [['musters:read', 'workers:read']], [['positions:read', 'webhooks:manage']]] as const, 3)(
  'nothing differs for a client with %j alone',
  async (scopes) => {
    expect(await differing(withScopes(scopes))).toEqual([]);
  },
);

test('nothing differs after more events than a page has, while people reach their points', async () => {
  // Two hundred is the largest page; each turn makes three events.
  for (let turn = 0; turn < 67; turn++) {
    const outcome = await lively.act({ action: 'panel_sos', who: 'W-006', by: 'Desk' });
    const { alert_id: alert } = (outcome as { answer: { result: { alert_id: string } } }).answer.result;
    for (const action of ['acknowledge', 'resolve'] as const)
      expect(await lively.act({ action, alert, by: 'Desk', via: 'panel' })).toMatchObject({ status: 200 });
  }
  expect(await differing(sideOf('service', lively))).toEqual([]);
});

test('the missing list of each muster is a list of its own: one lacks nothing that another one has', async () => {
  const service = sideOf('service', lively);
  const judge = new ContractJudge({ secrets: [], isSequential: true });
  const list = await service.call({ method: 'GET', path: '/v1/musters' });
  const { data } = JSON.parse(list.body) as { data: { id: string; status: string }[] };
  const [active, ended] = ['active', 'completed'].map((status) => data.find((one) => one.status === status)?.id);
  const found = [];
  for (const id of [active, ended, active])
    found.push(...judge.add(await service.call({ method: 'GET', path: `/v1/musters/${id}/missing` })));
  expect(found).toEqual([]);
});

test('each filter that the contract declares has a rule', () => {
  const filters = CONTRACT_OPERATIONS.filter(({ method }) => method === 'GET').flatMap((route) =>
    filtersIn(route).map((name) => [route.path, name] as const),
  );
  expect(filters.length).toBeGreaterThanOrEqual(26);
  expect(filters.filter(([path, name]) => filterOf(path, name) === undefined)).toEqual([]);
});

test('a service that limits token requests is busy, and says for how long', async () => {
  await act(empty, { action: 'limits', company: empty.ready.clients[0]?.client_id, requests_per_minute: 1 });
  const service = sideOf('service', empty);
  const token = { method: 'POST', path: '/v1/oauth/token', token: 'none', form: {} } as const;
  for (let turn = 0; turn < 2; turn++) await service.call({ ...token, hasCredentials: true });
  const error = await service.call({ method: 'GET', path: '/v1/sites' }).catch((reason: Error) => reason);
  expect(error).toBeInstanceOf(ServiceBusy);
  const { message, retryAfterS } = error as ServiceBusy;
  expect(retryAfterS).toBeGreaterThan(0);
  expect(message).toContain(`limits token requests now, for ${retryAfterS} s (Retry-After)`);
});
