/** The table of what the shipped scenarios offer is as measured, and names what is still missing. */
import { describe, expect, test } from 'vitest';
import { bestScenarios, nextLines } from '../../src/cli/coverage/next.ts';
import offers from '../../src/cli/coverage/offers.json' with { type: 'json' };
import { summaryOf } from '../../src/cli/coverage/summary.ts';
import { COVERAGE_ITEMS } from '../../src/service/api/coverage/catalogue.ts';
import { unless } from '../helpers/unless.ts';
import { sampled } from '../helpers/whole.ts';
import { shippedScenarios } from './coverage.ts';
import { offeredBy } from './offers.ts';

const names = shippedScenarios().map(({ name }) => name);

test('each shipped scenario has a row, and each row has items of the catalogue', () => {
  expect(Object.keys(offers)).toEqual(names);
  const ids = new Set(COVERAGE_ITEMS.map(({ id }) => id));
  const items = Object.values<readonly string[] | null>(offers).flatMap((row) => row ?? []);
  expect(items.filter((id) => !ids.has(id))).toEqual([]);
});

const rowOf = (name: string): readonly string[] | null => offers[name as keyof typeof offers];
const offering = names.filter((name) => rowOf(name) !== null);
const others = names.filter((name) => rowOf(name) === null);

// node --import tsx test/scenario/write-offers.ts measures them anew. `npm test` plays the cheapest that offers more than its events.
for (const { row: name, skip } of [
  ...sampled(offering, 20, 20 - offering.indexOf('twice-and-out-of-order')),
  ...sampled(others, 60),
])
  unless(skip).test(`${name} offers what its row says`, async () => {
    expect(await offeredBy(name)).toEqual(rowOf(name));
  });

const view = (ids: readonly string[]) =>
  summaryOf([
    {
      catalogue: '',
      items: 0,
      companies: [
        {
          organization: 'A',
          requests: 1,
          deliveries: 1,
          met: ids.map((id) => ({ id, at: '2026-10-05T06:00:00.000Z', by: 'a test' })),
          not_handled: [],
          partly: [],
          mistakes: [],
          filters: [],
        },
      ],
    },
  ]);

describe('the next step', () => {
  test('names the scenarios that add most, each for items that the others do not add', () => {
    const { names: best, adds } = bestScenarios(view([]));
    expect(best).toHaveLength(3);
    expect(adds).toBe(new Set(best.flatMap((name) => rowOf(name) ?? [])).size);
    expect(nextLines(view([]))[0]).toMatch(/ run \S+ \S+ \S+ --receiver erp=\S+ --coverage \S+ {3}\(\+\d+\)$/);
  });

  test('names no scenario where each item that one could offer was met, and still an action for a refusal', () => {
    const all = COVERAGE_ITEMS.filter(({ group }) => group !== 'refusals').map(({ id }) => id);
    expect(nextLines(view(all))).toEqual([
      expect.stringMatching(/trigger token --expire/),
      expect.stringMatching(/trigger limits/),
    ]);
    expect(nextLines(view(COVERAGE_ITEMS.map(({ id }) => id)))).toEqual([]);
  });
});
