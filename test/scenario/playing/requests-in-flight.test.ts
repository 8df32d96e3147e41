/** Requests of the user's own system that are in flight together begin in every order. [scenario-language, Simultaneous work] */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { RequestsInFlight } from '../../../src/scenario/playing/requests-in-flight.ts';
import { playWhole, wholeScenario } from '../whole-stage.ts';

const SYSTEM = join(import.meta.dirname, 'racing-system.mjs');
const REST = `system: {start: "exec ${process.execPath} ${SYSTEM}"}\n`;

const SCENARIO = wholeScenario(
  `
  - sos: {who: ana}
  - wait: 5s
  `,
  REST,
).replace('erp: {events: [alert.*, muster.*]}', 'erp: {events: [alert.*], url: /hook}');

async function outcomeOf(order: number | undefined) {
  const { orders, outcome, failures, error } = await playWhole(SCENARIO, { order, requestsTogether: 2 });
  expect([failures, error]).toEqual([[], null]);
  return { orders, outcome };
}

test('two calls about one alert: each order is played, and leads to its own end', async () => {
  const [first, second] = [await outcomeOf(0), await outcomeOf(1)];
  expect([first.orders, second.orders]).toEqual([2, 2]);
  expect(first.outcome).toMatchInlineSnapshot(`
    [
      "alert sos of ana: resolved, acknowledged by Customer operator (via integration), resolved by Customer operator (via integration)",
      "delivery alert.acknowledged to erp: delivered: 1",
      "delivery alert.created to erp: delivered: 1",
      "delivery alert.resolved to erp: delivered: 1",
      "event alert.acknowledged: 1",
      "event alert.created: 1",
      "event alert.resolved: 1",
    ]
  `);
  expect(second.outcome).toMatchInlineSnapshot(`
    [
      "alert sos of ana: resolved, resolved by Customer operator (via integration)",
      "delivery alert.created to erp: delivered: 1",
      "delivery alert.resolved to erp: delivered: 1",
      "event alert.created: 1",
      "event alert.resolved: 1",
    ]
  `);
});

test('without an order they begin as they arrive, and count as none', async () => {
  expect((await outcomeOf(undefined)).orders).toBe(1);
});

describe('calls that are in flight together', () => {
  test.each([
    ['at once', [0, 0], 0, [2]],
    ['60 ms apart', [0, 60], 0, [2]],
    ['90 ms apart are not', [0, 90], 0, [1, 1]],
    ['each 60 ms after the one before', [0, 60, 120, 180], 0, [4]],
    ['for 500 ms and no longer', [0, 60, 120, 180, 240, 300, 360, 420, 480, 540], 0, [9, 1]],
    ['200 ms apart, on a machine that had no time', [0, 200], 40, [2]],
    ['3 s apart on such a machine are not', [0, 3_000], 40, [1, 1]],
  ])('%s', (_what, arrivals, lateMs, groups) => {
    expect(groupsOf(arrivals, lateMs)).toEqual(groups);
  });
});

/** Sizes of the groups. `arrivals` in wall ms; `lateMs`: by which each timer is late. */
function groupsOf(arrivals: readonly number[], lateMs: number): number[] {
  let nowMs = 0;
  let timer: { readonly at: number; readonly task: () => void } | null = null;
  const clock = Object.assign(lockstepClock({ start: 0 }), {
    monotonic: () => nowMs,
    afterWall: (ms: number, task: () => void) => {
      timer = { at: nowMs + ms + lateMs, task };
      return () => {
        timer = null;
      };
    },
  });
  const groups = new Map<number, number>();
  const pass = (untilMs: number) => {
    while (timer !== null && timer.at < untilMs) {
      const { at, task } = timer;
      timer = null;
      nowMs = at;
      task();
    }
    nowMs = untilMs;
  };
  const requests = new RequestsInFlight(clock, (group) => {
    groups.set(nowMs, group.length);
    return group;
  });
  for (const at of arrivals) {
    pass(at);
    void requests.turn({ method: 'GET', target: '/v1/alerts', headers: {}, body: '' });
  }
  pass(60_000);
  clock.stop();
  const together = [...groups.values()];
  const alone = arrivals.length - together.reduce((sum, size) => sum + size, 0);
  return [...together, ...Array<number>(alone).fill(1)];
}
