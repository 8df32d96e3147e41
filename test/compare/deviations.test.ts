/** Each build that deviates in one clause is found by `compare --to`, which names that clause and no other. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ComparedService } from '../../src/compare/checks.ts';
import { compareService } from '../../src/compare/compare-service.ts';
import type { ApiExchange } from '../../src/compare/exchange.ts';
import { ContractJudge } from '../../src/compare/judge.ts';
import type { Sandbox } from '../../src/sandbox/start.ts';
import { DeviatingService } from './deviating-service.ts';
import { DEVIATIONS } from './deviations.ts';
import { live, sideOf, startedWith, stopTime } from './live-service.ts';

let true_: Sandbox;
let own: Sandbox;
let build: DeviatingService;
let sandbox: ComparedService;
beforeAll(async () => {
  true_ = await startedWith({}, true);
  own = await startedWith({});
  await live(true_);
  await stopTime(true_);
  build = await DeviatingService.before(true_.ready.api_url);
  sandbox = kept(sideOf('sandbox', own));
}, 120_000);
afterAll(async () => {
  await build.stop();
  await true_.stop();
  await own.stop();
});

/** The own sandbox answers each build alike. */
function kept(service: ComparedService): ComparedService {
  const answers = new Map<string, Promise<ApiExchange>>();
  const call: ComparedService['call'] = (request) => {
    const key = JSON.stringify(request);
    const answer = answers.get(key) ?? service.call(request);
    answers.set(key, answer);
    return answer;
  };
  return { ...service, call };
}

async function blamed(client = 0): Promise<{ clauses: string[]; points: string[]; all: string[] }> {
  const { checks, deviations, points } = await compareService({
    service: sideOf('service', true_, build.url, client),
    sandbox,
    judge: new ContractJudge({ secrets: [], isOneClient: true }),
    allowed: { destinations: false, alertId: null },
    newAlert: () => Promise.reject(new Error('nothing is written')),
    assumed: {},
  });
  const different = checks.filter(({ result }) => result === 'different');
  return {
    clauses: [...new Set([...different, ...deviations].map(({ clause }) => clause))],
    points: points.filter(({ result }) => result === 'otherwise').map(({ id }) => id),
    all: [
      ...different.map(({ request, clause, differences }) => `${clause} ${request} ${differences.join('; ')}`),
      ...new Set(deviations.map((one) => `${one.clause} ${one.operation} ${one.pointer} ${one.rule} ${one.detail}`)),
    ],
  };
}

test('a build that deviates nowhere is blamed for nothing', async () => {
  build.patch = () => undefined;
  expect(await blamed()).toEqual({ clauses: [], points: [], all: [] });
});

test('nor is one whose client is not shown the names of workers, and is limited to a contractor', async () => {
  build.patch = () => undefined;
  expect((await blamed(1)).all).toEqual([]);
});

describe('names the clause, and no other, where', () => {
  test.each(DEVIATIONS)('$name ($clause)', async ({ clause, points = [], patch }) => {
    build.patch = patch;
    const found = await blamed();
    expect(found, found.all.join('\n')).toMatchObject({ clauses: [clause], points });
  });
});

test('at least 30 builds deviate, and half of them are written from the specification alone', () => {
  expect(DEVIATIONS.length).toBeGreaterThanOrEqual(30);
  expect(DEVIATIONS.filter(({ from }) => from === 'spec').length * 2).toBeGreaterThanOrEqual(DEVIATIONS.length);
});
