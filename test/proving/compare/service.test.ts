/** A compared service that does not answer, or only that it is busy or down: what is not judged is never a difference, and never silent. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { MachineTime } from '../../../src/base/time/timers.ts';
import type { ComparedService } from '../../../src/proving/compare/checks.ts';
import { type ComparedCheck, comparedCheck } from '../../../src/proving/compare/compared-check.ts';
import { unjudgedGroups } from '../../../src/proving/compare/comparison-result.ts';
import type { ApiExchange } from '../../../src/proving/compare/exchange.ts';
import { serviceAt } from '../../../src/proving/compare/service.ts';
import { lateMachine, PUNCTUAL } from '../../helpers/manual-machine.ts';

/** Answers nothing; the time of each request is over when it has arrived. */
async function silent(lateness: MachineTime): Promise<{ service: ComparedService; requests: string[] }> {
  const requests: string[] = [];
  let expire = (): void => {};
  const machine: MachineTime = {
    ...lateness,
    later: (delayMs, task) => {
      if (delayMs < 1_000) return lateness.later(delayMs, task);
      expire = task;
      return () => {};
    },
  };
  const server = createServer((request) => {
    requests.push(`${request.method} ${request.url}`);
    expire();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const secret = { client_id: 'c', client_secret: 's' };
  const service = serviceAt('service', url, secret, async () => {}, machine);
  return { service, requests };
}

test('a request is sent once where this process was in time', async () => {
  const { service, requests } = await silent(PUNCTUAL);
  const called = service.call({ method: 'GET', path: '/v1/sites', token: 'none' });
  await expect(called).rejects.toThrow(/does not answer: .*timeout\.$/);
  expect(requests).toEqual(['GET /v1/sites']);
});

test('a GET is sent again where it was late, and after a second lateness the outcome is inconclusive', async () => {
  const { service, requests } = await silent(lateMachine());
  const called = service.call({ method: 'GET', path: '/v1/sites', token: 'none' });
  await expect(called).rejects.toThrow('This is inconclusive: this machine was busy');
  expect(requests).toEqual(['GET /v1/sites', 'GET /v1/sites']);
});

test('a request that changes something is not sent again', async () => {
  const { service, requests } = await silent(lateMachine());
  await expect(service.call({ method: 'POST', path: '/v1/webhooks', token: 'none', json: '{}' })).rejects.toThrow();
  expect(requests).toEqual(['POST /v1/webhooks']);
});

const PROBLEM = 'application/problem+json';
const answered = (status: number, type: string, body = '') =>
  ({
    method: 'GET',
    path: '/v1/alerts',
    query: '',
    status,
    headers: { 'content-type': type },
    body,
  }) as unknown as ApiExchange;
const check = { name: 'alerts', clause: '', request: { method: 'GET', path: '/v1/alerts' } } as const;
const resultOf = (theirs: ApiExchange): string =>
  comparedCheck(check, { theirs, ours: answered(200, 'application/json', '{}'), found: [], mayRead: true }).result;

test.each([
  [500, PROBLEM, 'unknown'],
  [500, `${PROBLEM}; charset=utf-8`, 'unknown'],
  [500, 'text/html', 'different'],
  [500, 'application/json', 'different'],
  [500, '', 'different'],
  [501, PROBLEM, 'different'],
  [502, 'text/html', 'unknown'],
  [503, PROBLEM, 'unknown'],
  [503, 'text/html; charset=utf-8', 'unknown'],
  [504, '', 'unknown'],
  [505, 'text/html', 'different'],
  [429, PROBLEM, 'unknown'],
])('A service that answers %d as "%s", where the sandbox has an answer, is %s', (status, type, result) => {
  expect(resultOf(answered(status, type))).toBe(result);
});

test.each([
  ['one of two is judged', ['GET /v1/alerts 200 same', 'GET /v1/alerts?limit=1 200 unknown'], []],
  [
    'none of a group is judged',
    ['GET /v1/alerts 200 same', 'GET /v1/workers 200 unknown', 'GET /v1/workers/ID 200 unknown'],
    ['workers'],
  ],
  ['another row has the cause', ['GET /v1/workers 200 explained'], []],
  ['the only checks of a group need a permission', ['POST /v1/webhooks - unknown', 'GET /v1/alerts 200 same'], []],
  [
    'a token without the scope is refused as it should',
    ['GET /v1/workers 403 same', 'GET /v1/workers 200 unknown'],
    ['workers'],
  ],
  ['a wrong method is refused as it should', ['PUT /v1/alerts 405 same', 'GET /v1/alerts 200 unknown'], ['alerts']],
  [
    'a wrong address is refused as it should',
    ['GET /v1/alerts/%zz 400 same', 'GET /v1/alerts 200 unknown'],
    ['alerts'],
  ],
  ['the path is none of the API', ['GET /v1/nothing 200 unknown'], []],
])('Groups of checks without a judgement are named where %s', (_what, rows, groups) => {
  const checks = rows.map((row): ComparedCheck => {
    const [method, path, status, result] = row.split(' ');
    const sandbox = status === '-' ? null : { status: Number(status), code: null, media: '' };
    return { ...check, request: `${method} ${path}`, differences: [], result, sandbox } as unknown as ComparedCheck;
  });
  expect(unjudgedGroups({ checks, groups: [], points: [], judged: new Map() })).toEqual(groups);
});
