/** Coverages that are united, and their lines on a terminal. [cli, Coverage] */
import { describe, expect, test } from 'vitest';
import { coverageLines } from '../../src/cli/coverage/lines.ts';
import { REFUSING_ACTIONS } from '../../src/cli/coverage/next.ts';
import { coverageMarkdown } from '../../src/cli/coverage/page.ts';
import { summaryOf } from '../../src/cli/coverage/summary.ts';
import { checkAction } from '../../src/contract/action-check.ts';
import type { CompanyCoverageView, CoverageView } from '../../src/contract/operations/coverage.ts';
import { COVERAGE_ITEMS } from '../../src/service/api/coverage/catalogue.ts';

const met = (id: string, second = 0) => ({ id, at: `2026-01-01T10:00:0${second}Z`, by: 'GET /v1/alerts 200' });

const company = (organization: string, more: Partial<CompanyCoverageView> = {}): CompanyCoverageView => ({
  organization,
  requests: 1,
  deliveries: 2,
  met: [],
  not_handled: [],
  partly: [],
  mistakes: [],
  filters: [],
  ...more,
});

const coverage = (...companies: CompanyCoverageView[]): CoverageView => ({
  catalogue: 'c',
  items: 1,
  companies,
});

describe('coverages that are united', () => {
  test('name each company once, also when the result is united again', () => {
    const views = [coverage(company('Austral'), company('Boreal'))];
    let { view, organizations } = summaryOf(views);
    for (let n = 0; n < 2; n++) ({ view, organizations } = summaryOf([view, ...views]));
    expect(organizations).toEqual(['Austral', 'Boreal']);
    expect(view.companies.map(({ requests, deliveries }) => [requests, deliveries])).toEqual([
      [3, 6],
      [3, 6],
    ]);
  });

  test('of nobody name nobody', () => {
    expect(summaryOf([summaryOf([coverage()]).view]).organizations).toEqual([]);
  });

  test('have the first time of an item, and what one of them has handled', () => {
    const [item, limited] = ['operations/listAlerts', 'refusals/rate_limited'];
    const { view } = summaryOf([
      coverage(company('Austral', { met: [met(item, 2)], not_handled: [met(limited)] })),
      coverage(company('Austral', { met: [met(item, 1), met(limited, 3)] })),
    ]);
    expect(view.companies).toMatchObject([{ met: [met(item, 1), met(limited, 3)], not_handled: [] }]);
  });
});

describe('an item that needs a field with and without a value', () => {
  const [withValue, without] = [met('Alert.zone value', 1), met('Alert.zone null', 2)];
  const half = (...partly: CompanyCoverageView['partly']) => coverage(company('Austral', { partly }));
  const zoneIn = (...views: CoverageView[]) =>
    summaryOf(views)
      .groups.flatMap(({ items }) => items)
      .find(({ id }) => id === 'absence/Alert.zone');

  test('is met by two coverages with a half each, also if one was united before', () => {
    expect(zoneIn(half(withValue), half(without))).toMatchObject({
      result: 'met',
      first: { at: without.at },
      partly: null,
    });
    const { view } = summaryOf([half(without), half(withValue)]);
    expect(view.companies).toMatchObject([{ met: [{ id: 'absence/Alert.zone' }], partly: [] }]);
    expect(zoneIn(summaryOf([half(without)]).view, half(withValue))?.result).toBe('met');
  });

  test('says which half is missing', () => {
    expect(zoneIn(half(withValue), half(withValue))).toMatchObject({ result: 'not_met', partly: withValue.id });
    const look = { columns: 400, paint: (_: unknown, text: string) => text, all: 'the report' };
    const lines = (view: CoverageView) => coverageLines(summaryOf([view]), look).join('\n');
    const used = met('absence/Alert.device');
    expect(lines(coverage(company('Austral', { met: [used], partly: [without] })))).toContain(
      'Alert.zone (never with)',
    );
    expect(lines(coverage(company('Austral', { met: [used], partly: [withValue] })))).toContain(
      'Alert.zone (never without)',
    );
  });
});

describe('the lines of a coverage', () => {
  const linesOf = (columns: number, ...companies: CompanyCoverageView[]) =>
    coverageLines(summaryOf([coverage(...companies)]), { columns, paint: (_, text) => text, all: 'the report' });

  test('say where all names are, if a group has no room for them', () => {
    const austral = company('Austral Metales', { met: [met('operations/listAlerts')] });
    expect(linesOf(80, austral)).toContainEqual(expect.stringMatching(/^ {2}operations .* …$/));
    expect(linesOf(80, austral)).toContain('  all names: the report');
    expect(linesOf(10_000, austral)).not.toContain('  all names: the report');
  });

  test('have actions for the company of the user, and none before it has asked for anything', () => {
    const actionsOf = (lines: string[]) => lines.filter((line) => line.includes(' trigger '));
    expect(actionsOf(linesOf(80, company('Austral Metales')))).toEqual([
      expect.stringMatching(/trigger token --expire 'Austral Metales'$/),
      expect.stringMatching(/trigger limits --company 'Austral Metales' --query-seconds-per-minute 0 --ends-after 2m$/),
    ]);
    expect(actionsOf(linesOf(80))).toEqual([]);
  });
});

test.each(Object.entries(REFUSING_ACTIONS))('the action for %s is one of the catalogue', (name, actionFor) => {
  expect(COVERAGE_ITEMS.map(({ id }) => id)).toContain(`refusals/${name}`);
  expect(checkAction(actionFor('Austral Metales'))).toMatchObject({ ok: true });
});

test('a group of which a refusal was met and not handled is used, and the refusal is missing', () => {
  const summary = summaryOf([coverage(company('Austral', { not_handled: [met('refusals/rate_limited')] }))]);
  expect(coverageMarkdown(summary)).toMatch(/\| refusals \| 0 of 14 \| .*`rate_limited`/);
});
