/** The result of `sandbox compare`: as text, as JSON, as JUnit XML. [cli] */
import type { ComparedCheck } from '../../compare/compared-check.ts';
import type { DeviationGroup } from '../../compare/report.ts';
import { VERSION } from '../../sandbox/version.ts';
import { escaped } from '../../scenario/reporting/junit.ts';
import { colourOf, out, talkLine } from '../output.ts';

export interface ComparisonResult {
  readonly checks: readonly ComparedCheck[];
  readonly groups: readonly DeviationGroup[];
  readonly judged: ReadonlyMap<string, number>;
}

/** What a baseline knows a check by. */
export const keyOf = ({ request, differences }: ComparedCheck): string => `${request} ${differences.join('; ')}`;

export const dataOf = ({ checks, groups, judged }: ComparisonResult) => ({
  checks: checks.map((one) => ({ key: keyOf(one), ...one })),
  deviations: groups.map(({ isKnown, ...group }) => ({ ...group, known: isKnown })),
  judged: Object.fromEntries(judged),
});

export function print({ checks, groups, judged }: ComparisonResult, known: ReadonlySet<string>): void {
  const paint = colourOf(process.stdout);
  for (const one of checks) {
    const isKnown = one.result === 'different' && known.has(keyOf(one));
    const mark = { same: paint(32, 'same     '), different: paint(31, 'different'), unknown: paint(33, 'unknown  ') }[
      one.result
    ];
    out(`${mark}  ${one.request}  ${one.name} ${paint(2, one.clause)}${isKnown ? '  known' : ''}`);
    for (const difference of one.differences) out(`             ${difference}`);
  }
  if (checks.length > 0) out('');
  for (const { operation, clause, pointer, detail, times, example, isKnown } of groups) {
    const where = pointer === '' ? '' : `  ${pointer}`;
    out(`${paint(31, 'deviates')}  ${operation}${where}  ${detail} ${paint(2, clause)}${isKnown ? '  known' : ''}`);
    out(
      `          ${times} ${times === 1 ? 'time' : 'times'}; the smallest: ${example.request}${example.status === null ? '' : ` ${example.status}`} (${example.source})`,
    );
    if (example.body !== '') out(`          ${example.body}`);
  }
  const exchanges = [...judged.values()].reduce((sum, count) => sum + count, 0);
  const count = (result: ComparedCheck['result']) => checks.filter((one) => one.result === result).length;
  const compared =
    checks.length === 0 ? '' : `${count('same')} same, ${count('different')} different, ${count('unknown')} unknown; `;
  talkLine(
    `${compared}${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'} of ${judged.size} operations judged, ${groups.length} kinds of deviation`,
  );
}

export function junitOf({ checks, groups, judged }: ComparisonResult, known: ReadonlySet<string>): string {
  const cases = [
    ...checks.map((one) => {
      const isFailed = one.result === 'different' && !known.has(keyOf(one));
      return testCase(`${one.request} ${one.name}`, isFailed ? one.differences.join('\n') : null);
    }),
    ...[...judged.keys()].map((operation) => {
      const failed = groups.filter((group) => group.operation === operation && !group.isKnown);
      const text = failed.map(({ pointer, detail, clause }) => `${pointer} ${detail} ${clause}`).join('\n');
      return testCase(operation, failed.length === 0 ? null : text);
    }),
  ];
  const failures = cases.filter((text) => text.includes('<failure')).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="compare" tests="${cases.length}" failures="${failures}">`,
    `  <testsuite name="compare" tests="${cases.length}" failures="${failures}">`,
    `    <properties><property name="version" value="${escaped(VERSION)}"/></properties>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const testCase = (name: string, failure: string | null): string =>
  failure === null
    ? `    <testcase name="${escaped(name)}" classname="compare"/>`
    : `    <testcase name="${escaped(name)}" classname="compare"><failure message="${escaped(failure.split('\n')[0] ?? '')}">${escaped(failure)}</failure></testcase>`;
