/** Each build that deviates in one clause is found by `compare --to`, which names that clause and no other. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ComparedService } from '../../src/compare/checks.ts';
import { compareService } from '../../src/compare/compare-service.ts';
import type { ApiExchange } from '../../src/compare/exchange.ts';
import { ContractJudge } from '../../src/compare/judge.ts';
import { groupedDeviations } from '../../src/compare/report.ts';
import type { Sandbox } from '../../src/sandbox/start.ts';
import { DeviatingService } from './deviating-service.ts';
import { DEVIATIONS } from './deviations.ts';
import { DEVIATIONS_ACROSS } from './deviations-across.ts';
import { DEVIATIONS_ALONE } from './deviations-alone.ts';
import { FILTER_DEVIATIONS } from './filter-deviations.ts';
import { live, sideOf, startedWith, stopTime, withoutLimits } from './live-service.ts';

const WRITTEN = [...DEVIATIONS, ...DEVIATIONS_ALONE, ...DEVIATIONS_ACROSS];
const ALL = [...WRITTEN, ...FILTER_DEVIATIONS];

let true_: Sandbox;
let own: Sandbox;
let build: DeviatingService;
let sandbox: ComparedService;
beforeAll(async () => {
  true_ = await startedWith({}, true);
  own = await startedWith({});
  await live(true_);
  await stopTime(true_);
  await withoutLimits(true_);
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

/** The rows of the report that differ: what is different, what deviates, and what is an open point. */
async function blamed(client = 0): Promise<{ clauses: string[]; points: string[]; rows: string[] }> {
  const { checks, deviations, points } = await compareService({
    service: sideOf('service', true_, build.url, client),
    sandbox,
    judge: new ContractJudge({ secrets: [], isSequential: true }),
    allowed: { destinations: false, alertId: null },
    newAlert: () => Promise.reject(new Error('nothing is written')),
    assumed: {},
  });
  const different = checks.filter(({ result }) => result === 'different');
  const groups = groupedDeviations(deviations, { isRedacted: false, known: new Set() });
  const others = points.filter(({ result }) => result === 'otherwise');
  return {
    clauses: [...different, ...groups].map(({ clause }) => clause),
    points: others.map(({ id }) => id),
    rows: [
      ...different.map(({ request, clause, differences }) => `${clause} ${request} ${differences.join('; ')}`),
      ...groups.map(({ clause, operations, key, detail }) => `${clause} ${operations.join(', ')} ${key}: ${detail}`),
      ...others.map(({ id, observed }) => `open point ${id} ${observed}`),
    ],
  };
}

test('a build that deviates nowhere is blamed for nothing', async () => {
  build.patch = () => undefined;
  expect(await blamed()).toEqual({ clauses: [], points: [], rows: [] });
});

test('nor is one whose client is not shown the names of workers, and is limited to a contractor', async () => {
  build.patch = () => undefined;
  expect((await blamed(1)).rows).toEqual([]);
});

describe('names the clause, and no other, in one row, where', () => {
  test.each(ALL)('$name ($clause)', async ({ clause, point, patch }) => {
    build.patch = patch;
    const { rows, ...found } = await blamed();
    const wanted = point === undefined ? { clauses: [clause], points: [] } : { clauses: [], points: [point] };
    expect(found, rows.join('\n')).toEqual(wanted);
  });
});

test('at least 100 builds deviate, and half of them are written from the specification alone', () => {
  expect(ALL.length).toBeGreaterThanOrEqual(100);
  expect(WRITTEN.filter(({ from }) => from === 'spec').length * 2).toBeGreaterThanOrEqual(WRITTEN.length);
});
