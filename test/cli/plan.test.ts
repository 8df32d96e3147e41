/** Which orders of simultaneous steps are played. [scenario-language, Simultaneous work] */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { furtherOrders, orderRange, type PlannedRun } from '../../src/cli/run/plan.ts';
import { scenarioFiles } from '../../src/cli/scenarios/find-scenarios.ts';

const PLANNED = { order: 0, folder: 'a/order=0' } as PlannedRun;
const ordersOf = (exist: number, seed: string, range = 'all', mayDiffer = false) =>
  furtherOrders(PLANNED, { exist, seed, mayDiffer }, orderRange(range)).map(({ order }) => order);

test('all orders are played where 24 or fewer exist', () => {
  expect(ordersOf(24, '1')).toEqual(Array.from({ length: 23 }, (_, i) => i + 1));
});

test('more than 24 orders are sampled by the seed, the same each time', () => {
  const drawn = ordersOf(120, '1');
  expect(new Set(drawn).size).toBe(23);
  expect(drawn.every((order) => order > 0 && order < 120)).toBe(true);
  expect(ordersOf(120, '1')).toEqual(drawn);
  expect(ordersOf(120, '2')).not.toEqual(drawn);
});

test('orders of a range are played as far as they exist, each in a folder of its own', () => {
  expect(ordersOf(6, '1', '4..9')).toEqual([5]);
  // The order of the file judges the others, where these may differ.
  expect(ordersOf(6, '1', '4..9', true)).toEqual([0, 5]);
  expect(furtherOrders(PLANNED, { exist: 2, seed: '1', mayDiffer: false }, orderRange('0..1'))).toMatchObject([
    { folder: 'a/order=1' },
  ]);
});

test('a file that is named in two ways is played once', () => {
  const file = 'scenarios/fall-to-sos.scenario.yaml';
  expect(scenarioFiles([file, `./${file}`, join(process.cwd(), file)])).toEqual([file]);
  expect(scenarioFiles([`./${file}`, 'scenarios']).filter((one) => one.includes('fall-to-sos'))).toEqual([`./${file}`]);
});
