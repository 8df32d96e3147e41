/** Conditions are judged by the answers of the API: a route that answers wrongly makes the scenarios fail that look there. [scenario-language, Checks] */
import { afterEach, describe, expect, test } from 'vitest';
import { Raw } from '../../src/service/api/answers/raw.ts';
import type { Route, RouteAnswer } from '../../src/service/api/route.ts';
import { ALERT_ROUTES } from '../../src/service/api/routes/alerts.ts';
import { MUSTER_ROUTES } from '../../src/service/api/routes/musters.ts';
import { PEOPLE_ROUTES } from '../../src/service/api/routes/people.ts';
import { WEBHOOK_ROUTES } from '../../src/service/api/routes/webhooks.ts';
import { failuresOf } from '../scenario/whole-stage.ts';

/** One line for each condition. */
const SCENARIO = `
  - check: {worker: ana, external_id: ana}
  - check: {device: ana, worn: true}
  - expect: {position: ana, masked: false}
  - check: {destination: erp, is_active: true}
  - sos: {who: ana}
    as: call
  - expect: {alert: sos, of: ana, status: unacknowledged}
  - check: {alert: $call, severity: critical}
  - check: {alerts: open, of: ana, count: 1}
  - start_muster: {kind: general, by: Lead}
    as: drill
  - expect: {muster: $drill, kind: general}
  - check: {missing: $drill, people: {ana: pending}}
`;

type Body = Record<string, unknown>;
const inItems = (change: (item: Body) => Body) => (body: Body) => ({
  ...body,
  data: (body['data'] as Body[]).map(change),
});

/** Each wrong answer, and the conditions that it makes fail. */
const WRONG: readonly [operationId: string, change: (body: Body) => Body, conditions: readonly string[]][] = [
  ['getAlert', (alert) => ({ ...alert, severity: 'low' }), ['alert $call']],
  ['getAlert', (alert) => ({ ...alert, status: 'resolved' }), ['alert sos of ana', 'alerts open']],
  ['getMuster', (muster) => ({ ...muster, kind: 'tsunami' }), ['muster $drill']],
  ['listMissingWorkers', inItems((one) => ({ ...one, status: 'no_signal' })), ['missing $drill']],
  ['listWorkers', inItems((worker) => ({ ...worker, external_id: 'luis' })), ['worker ana']],
  ['listDevices', inItems((device) => ({ ...device, worn: false })), ['device ana']],
  ['listPositions', () => ({ data: [] }), ['position ana']],
  ['listWebhooks', inItems((destination) => ({ ...destination, is_active: false })), ['destination erp']],
];

const ROUTES = [...ALERT_ROUTES, ...MUSTER_ROUTES, ...PEOPLE_ROUTES, ...WEBHOOK_ROUTES];
const restores: (() => void)[] = [];

afterEach(() => {
  for (const restore of restores.splice(0)) restore();
});

/** Alters the answer of one route until the test is over. */
function answerWrongly(operationId: string, change: (body: Body) => Body): void {
  const route = ROUTES.find((one) => one.operationId === operationId) as { -readonly [K in keyof Route]: Route[K] };
  const { handle } = route;
  const altered = (answer: RouteAnswer | null): RouteAnswer | null => {
    if (answer === null) return null;
    const { body } = answer;
    const text = body instanceof Raw ? body.text.toString() : JSON.stringify(body);
    return { ...answer, body: change(JSON.parse(text) as Body) };
  };
  route.handle = (call) => {
    const answer = handle(call);
    return answer instanceof Promise ? answer.then(altered) : altered(answer);
  };
  restores.push(() => {
    route.handle = handle;
  });
}

describe('a scenario that looks at everything', () => {
  test('passes while the routes answer as they should', async () => {
    expect(await failuresOf(SCENARIO)).toEqual([]);
  });

  test.each(WRONG)('fails when %s answers wrongly', async (operationId, change, conditions) => {
    answerWrongly(operationId, change);
    const failures = await failuresOf(SCENARIO);
    expect(failures).toHaveLength(conditions.length);
    for (const [i, condition] of conditions.entries()) expect(failures[i]).toContain(condition);
  });
});
