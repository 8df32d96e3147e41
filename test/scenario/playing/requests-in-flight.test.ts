/** Requests of the user's own system that are in flight together begin in every order. [scenario-language, Simultaneous work] */
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
  const { orders, outcome, failures, error } = await playWhole(SCENARIO, { order });
  expect([failures, error]).toEqual([[], null]);
  return { orders, outcome };
}

// Again on a machine so busy that the two calls do not come together.
test('two calls about one alert: each order is played, and leads to its own end', { retry: 3 }, async () => {
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
