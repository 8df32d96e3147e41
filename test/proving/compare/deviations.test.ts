/** Each build that deviates in one clause is found by `compare --to`, which names that clause and no other. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ComparedService } from '../../../src/proving/compare/checks.ts';
import { compareService } from '../../../src/proving/compare/compare-service.ts';
import { unjudgedGroups } from '../../../src/proving/compare/comparison-result.ts';
import type { ApiExchange } from '../../../src/proving/compare/exchange.ts';
import { ContractJudge } from '../../../src/proving/compare/judging/judge.ts';
import type { PassedExchange } from '../../../src/proving/compare/proxy/forwarding-server.ts';
import { groupedDeviations } from '../../../src/proving/compare/report.ts';
import type { Sandbox } from '../../../src/sandbox/start.ts';
import { unless } from '../../helpers/unless.ts';
import { isWhole, sampled, withoutWhole } from '../../helpers/whole.ts';
import { DeviatingService } from './deviating-service.ts';
import { DEVIATIONS } from './deviations.ts';
import { DEVIATIONS_ACROSS } from './deviations-across.ts';
import { DEVIATIONS_ALONE } from './deviations-alone.ts';
import { DEVIATIONS_UNSEEN } from './deviations-unseen.ts';
import { FILTER_DEVIATIONS } from './filter-deviations.ts';
import { live, sideOf, startedWith, stopTime, withoutLimits } from './live-service.ts';
import { judgedByProxy, judgedInHar, passedAs } from './passed-traffic.ts';

const WRITTEN = [...DEVIATIONS, ...DEVIATIONS_ALONE, ...DEVIATIONS_ACROSS, ...DEVIATIONS_UNSEEN];
const ALL = [...WRITTEN, ...FILTER_DEVIATIONS];

let true_: Sandbox;
let own: Sandbox;
let build: DeviatingService;
let sandbox: ComparedService;
beforeAll(async () => {
  true_ = await startedWith({}, true);
  own = await startedWith({});
  await stopTime(true_);
  await live(true_);
  await withoutLimits(true_);
  build = await DeviatingService.before(true_.ready.api_url);
  sandbox = kept(sideOf('sandbox', own));
});
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
async function blamed(
  client = 0,
  passed: PassedExchange[] = [],
): Promise<{ clauses: string[]; points: string[]; rows: string[]; unjudged: string[] }> {
  const { checks, deviations, points } = await compareService({
    service: recordedBy(sideOf('service', true_, build.url, client), passed),
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
    unjudged: unjudgedGroups({ checks, groups, points, judged: new Map() }),
    clauses: [...different, ...groups].map(({ clause }) => clause),
    points: others.map(({ id }) => id),
    rows: [
      ...different.map(({ request, clause, differences }) => `${clause} ${request} ${differences.join('; ')}`),
      ...groups.map(({ clause, operations, key, detail }) => `${clause} ${operations.join(', ')} ${key}: ${detail}`),
      ...others.map(({ id, observed }) => `open point ${id} ${observed}`),
    ],
  };
}

/** The same traffic, as a proxy sees it pass. */
function recordedBy(service: ComparedService, passed: PassedExchange[]): ComparedService {
  const call: ComparedService['call'] = async (request) => {
    const from = passed.length;
    const answer = await service.call(request);
    passed.push(passedAs(request, answer, service, from));
    return answer;
  };
  return { ...service, call };
}

// Each of the tests below judges all that does not deviate, too.
unless(withoutWhole).test('a build that deviates nowhere is blamed for nothing', async () => {
  build.patch = () => undefined;
  expect(await blamed()).toEqual({ clauses: [], points: [], rows: [], unjudged: [] });
});

const DOWN = { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>503</h1>' };
const RESOURCES = ['sites', 'alerts', 'musters', 'workers', 'devices', 'positions', 'events', 'webhooks'];
for (const { row: resource, skip } of sampled(RESOURCES, RESOURCES.length, 1))
  unless(
    skip,
  ).test(`a service of which all of /v1/${resource} is down is not judged there, and differs nowhere`, async () => {
    build.patch = ({ path }) => (new RegExp(`^/v1/${resource}(?:/|$)`).test(path) ? DOWN : undefined);
    expect(await blamed()).toMatchObject({ clauses: [], unjudged: [resource] });
  });

test('nor is one whose client is not shown the names of workers, and is limited to a contractor', async () => {
  build.patch = () => undefined;
  expect((await blamed(1)).rows).toEqual([]);
});

/** Whether such a request has to be refused, and how, shows beside the answer of a sandbox only. */
const ONLY_COMPARED: readonly string[] = [
  ...DEVIATIONS_UNSEEN.filter(({ point, clause }) => point !== undefined && clause !== '[spec 2 Event]').map(
    ({ name }) => name,
  ),
  'the missing list of a muster that does not exist is an empty list',
  'GET /v1/positions answers a foreign site_id with an empty list',
  'a %-encoding that is not valid gets 404',
  'a token without the scope lists workers',
  'a cursor that nobody issued begins the list',
  'a foreign site is not found',
  'a token request without a grant is refused with 401',
  'turned bounds are an empty page',
  'a token without the scope is refused with a code of its own',
  'a token that is missing has a code of its own',
  'an unknown alert lacks the scope',
  'the zones of a site of nobody are an empty list',
  'alerts of a worker of nobody are not found',
  'HEAD is no method',
  'events of evacuations are an empty page for who may read alerts',
  'events come newest first',
  'an unknown scope is granted',
  'destinations are switched off',
];

describe('names the clause, and no other, in one row, where', () => {
  for (const {
    row: { name, clause, point, patch },
    skip,
  } of [...sampled(WRITTEN, WRITTEN.length), ...sampled(FILTER_DEVIATIONS, FILTER_DEVIATIONS.length)])
    unless(skip).test(`${name} (${clause})`, async () => {
      build.patch = patch;
      const passed: PassedExchange[] = [];
      const { rows, unjudged: _, ...found } = await blamed(0, passed);
      const wanted = point === undefined ? { clauses: [clause], points: [] } : { clauses: [], points: [point] };
      expect(found, rows.join('\n')).toEqual(wanted);
      // A proxy judges the same traffic with the same engine, and so does --recorded with the HAR of the proxy.
      const isSeen = !ONLY_COMPARED.includes(name);
      expect(judgedByProxy(passed)).toEqual(isSeen ? [clause] : []);
      if (isWhole || name.length % 5 === 0) expect(judgedInHar(passed)).toEqual(isSeen ? [clause] : []);
    });
});

test('at least 100 builds deviate, and half of them are written from the specification alone', () => {
  expect(ALL.length).toBeGreaterThanOrEqual(100);
  expect(WRITTEN.filter(({ from }) => from === 'spec').length * 2).toBeGreaterThanOrEqual(WRITTEN.length);
});
