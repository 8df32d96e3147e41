/** Comparisons as reports show them: one of a service with something of everything, and one of hostile recorded traffic. */

import { OPEN_POINTS } from '../../../src/contract/gaps.ts';
import { READ_CHECKS } from '../../../src/proving/compare/checks.ts';
import { comparedCheck } from '../../../src/proving/compare/compared-check.ts';
import type { ComparisonResult } from '../../../src/proving/compare/comparison-result.ts';
import type { ApiExchange, DeliveryTraffic } from '../../../src/proving/compare/exchange.ts';
import { ContractJudge } from '../../../src/proving/compare/judging/judge.ts';
import type { PointRow } from '../../../src/proving/compare/open-points/rows.ts';
import { groupedDeviations } from '../../../src/proving/compare/report.ts';
import { NOT_ALLOWED } from '../../../src/proving/compare/writes.ts';

/** None of them may be in a report. */
export const SECRETS = ['whsec_3f9a1c', 'tok.aB9-x', 's3cr3t-of-the-client'];
/** Only with `--redact off`. */
export const NAMES = ['Ana Torres', 'Hall </td><script>7'];

const answer = (path: string, status: number, body: unknown, more: Partial<ApiExchange> = {}): ApiExchange => ({
  kind: 'call',
  method: 'GET',
  path,
  query: '',
  status,
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
  source: 'session.har entry 3',
  ...more,
});

const problem = (status: number, code: string) => ({
  type: `/problems/${code}`,
  title: 'No',
  status,
  code,
  detail: 'x',
});
const DELIVERY: DeliveryTraffic = {
  kind: 'delivery',
  headers: { 'x-service-signature': '<img src=x onerror=alert(1)>' },
  body: JSON.stringify({ id: 7, type: '<b>alert</b>', data: { worker_name: NAMES[0] }, client_secret: SECRETS[2] }),
  source: '<script>alert(1)</script>.har entry 1',
};

const TRAFFIC = [
  DELIVERY,
  answer('/v1/oauth/token', 200, { access_token: SECRETS[1], client_secret: SECRETS[2] }, { method: 'POST' }),
  answer('/v1/webhooks', 201, { id: 'x', secret: SECRETS[0], url: 'https://h.example/' }, { method: 'POST' }),
  answer('/v1/sites', 200, { data: [{ name: NAMES[1], worker_name: NAMES[0], heart_rate: 61 }] }),
  answer('/v1/alerts', 200, 'not JSON </pre><script>', { query: `worker_name=Ana&token=${SECRETS[1]}` }),
  answer('/v1/<b>odd</b>', 200, { 'x"onclick="': '<svg/onload=alert(1)>' }),
];

/** Of recorded traffic. */
export function recordedResult(isRedacted: boolean, known: readonly string[] = []): ComparisonResult {
  const judge = new ContractJudge({ secrets: [] });
  const deviations = TRAFFIC.flatMap((one) => judge.add(one));
  const groups = groupedDeviations(deviations, { isRedacted, known: new Set(known) });
  return { checks: [], points: [], groups, judged: judge.judged };
}

function pointRow(point: (typeof OPEN_POINTS)[number], place: number): PointRow {
  const { number, id, clause, question } = point;
  const name = 'switch' in point ? point.switch : null;
  const readings: readonly string[] = 'readings' in point ? point.readings : [point.here];
  const ours = readings[0] ?? '';
  const row = { number, id, clause, question, ours, switch: name, readings };
  if (readings.length > 1 && place % 2 === 0)
    return {
      ...row,
      result: 'otherwise',
      observed: readings[1] ?? '',
      why: name === null ? 'not switchable: <b>no</b>' : null,
    };
  if (place % 3 === 0) return { ...row, result: 'as here', observed: ours, why: null };
  if (place % 3 === 1) return { ...row, result: 'not known', observed: null, why: 'the client sees no <i>alert</i>' };
  return { ...row, result: 'not observable', observed: null, why: 'no call tells' };
}

/** Of a service: each third check differs, and each fifth is not known. */
export function serviceResult(): ComparisonResult {
  const checks = READ_CHECKS.map((check, place) => {
    const { path } = check.request;
    const ours = answer(path, 422, problem(422, 'invalid_parameter'), { source: 'sandbox' });
    if (place % 5 === 4)
      return comparedCheck(check, { theirs: new Error('no answer within 15 s'), ours, found: [], mayRead: false });
    if (place % 7 === 3)
      return comparedCheck(check, {
        theirs: answer(path, 400, problem(400, '<script>alert(2)</script>')),
        ours,
        found: [],
        mayRead: false,
      });
    return comparedCheck(check, { theirs: ours, ours, found: [], mayRead: false });
  });
  const leftOut = ['destinations', 'acknowledge=ALERT_ID'].map((what) => ({
    name: `a check of ${what}`,
    clause: '[spec 4]',
    request: 'POST /v1/webhooks',
    result: 'unknown' as const,
    differences: [`${NOT_ALLOWED} ${what}`],
    explained: null,
    service: null,
    sandbox: null,
  }));
  return { ...recordedResult(true), checks: [...checks, ...leftOut], points: OPEN_POINTS.map(pointRow) };
}

export const SIDES = {
  service: 'https://api.example.com/x?key=k-7781',
  sandbox: 'http://127.0.0.1:4711',
  perMinute: 60,
};
