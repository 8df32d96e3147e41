/** Which orders of simultaneous steps are played. [scenario-language, Simultaneous work] */
import { expect, test } from 'vitest';
import { furtherOrders, orderRange, type PlannedRun } from '../../src/cli/run/plan.ts';

const PLANNED = { order: 0, folder: 'a/order=0' } as PlannedRun;
const ordersOf = (exist: number, seed: string, range = 'all') =>
  furtherOrders(PLANNED, { exist, seed }, orderRange(range)).map(({ order }) => order);

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
  expect(furtherOrders(PLANNED, { exist: 2, seed: '1' }, orderRange('0..1'))).toMatchObject([{ folder: 'a/order=1' }]);
});
