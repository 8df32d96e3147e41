/** The result of `sandbox compare` as text, as JSON, and as JUnit XML. [cli] */

import { type JunitCase, junitXml } from '../../base/text/junit.ts';
import type { ComparedCheck } from '../../proving/compare/compared-check.ts';
import {
  type ComparisonResult,
  exchangesIn,
  keyOfCheck,
  keyOfPoint,
  unjudgedGroups,
} from '../../proving/compare/comparison-result.ts';
import { isSwitchable } from '../../proving/compare/open-points/profile.ts';
import type { PointRow } from '../../proving/compare/open-points/rows.ts';
import { VERSION } from '../../sandbox/version.ts';
import { colourOf, out, talkLine } from '../output.ts';

export const dataOf = ({ checks, groups, points, judged }: ComparisonResult) => ({
  checks: checks.map((one) => ({ key: keyOfCheck(one), ...one })),
  deviations: groups.map(({ isKnown, ...group }) => ({ ...group, known: isKnown })),
  open_points: points.map((one) => ({ key: keyOfPoint(one), ...one })),
  judged: Object.fromEntries(judged),
  unjudged: unjudgedGroups({ checks, groups, points, judged }),
});

export const unjudgedSentence = (groups: readonly string[]): string =>
  `Nothing differs, but no check of ${groups.join(', ')} could be judged. Give the client the scopes that it lacks, or compare again when the service answers.`;

export function print(result: ComparisonResult, known: ReadonlySet<string>): void {
  const { checks, groups, points, judged } = result;
  const paint = colourOf(process.stdout);
  for (const one of checks) {
    const isKnown = one.result === 'different' && known.has(keyOfCheck(one));
    const mark = {
      same: paint('green', 'same     '),
      different: paint('red', 'different'),
      explained: paint('dim', 'explained'),
      unknown: paint('amber', 'unknown  '),
    }[one.result];
    out(`${mark}  ${one.request}  ${one.name} ${paint('dim', one.clause)}${isKnown ? '  known' : ''}`);
    // If another row explains the difference, that row shows the details.
    const details = one.explained === null ? one.differences : [`by ${one.explained}`];
    for (const detail of details) out(`             ${detail}`);
  }
  if (checks.length > 0) out('');
  for (const { operation, operations, clause, pointer, detail, times, example, isKnown } of groups) {
    const where = pointer === '' ? '' : `  ${pointer}`;
    out(
      `${paint('red', 'deviates')}  ${operation}${where}  ${detail} ${paint('dim', clause)}${isKnown ? '  known' : ''}`,
    );
    out(
      `          ${times} ${times === 1 ? 'time' : 'times'}; the smallest: ${example.request}${example.status === null ? '' : ` ${example.status}`} (${example.source})`,
    );
    if (operations.length > 1) out(`          in ${operations.join(', ')}`);
    if (example.body !== '') out(`          ${example.body}`);
  }
  if (points.length > 0) printPoints(points, known);
  const exchanges = exchangesIn(result);
  const count = (kind: ComparedCheck['result']) => checks.filter((one) => one.result === kind).length;
  const compared =
    checks.length === 0
      ? ''
      : `${count('same')} same, ${count('different')} different, ${count('explained')} explained, ${count('unknown')} unknown; `;
  talkLine(
    `${compared}${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'} of ${judged.size} operations checked, ${groups.length} kinds of deviation`,
  );
}

/** Prints one line per open point: first those that differ, then those that agree, then those with an unknown reading. */
function printPoints(points: readonly PointRow[], known: ReadonlySet<string>): void {
  const paint = colourOf(process.stdout);
  out('');
  out('Points that the specification leaves open:');
  const order: readonly PointRow['result'][] = ['otherwise', 'as here', 'not known', 'not observable'];
  const colours = { otherwise: 'red', 'as here': 'green', 'not known': 'amber', 'not observable': 'dim' } as const;
  for (const result of order)
    for (const one of points.filter((point) => point.result === result)) {
      const isKnown = result === 'otherwise' && known.has(keyOfPoint(one));
      const readings = one.observed === null ? '' : `  ${one.observed}`;
      const ours = result === 'otherwise' ? `, and the sandbox ${one.ours}` : '';
      const turn = result === 'otherwise' && isSwitchable(one) ? `  --assume ${one.switch}=${one.observed}` : '';
      const why = one.why === null ? '' : paint('dim', `  ${one.why}`);
      out(
        `${paint(colours[result], result.padEnd(14))}  ${String(one.number).padStart(2)} ${one.id} ${paint('dim', `[spec ${one.clause}]${one.decision === undefined ? '' : ` ${one.decision}`}`)}${readings}${ours}${turn}${why}${isKnown ? '  known' : ''}`,
      );
    }
  out('');
}

export function junitOf(result: ComparisonResult, known: ReadonlySet<string>): string {
  const { checks, groups, points, judged } = result;
  const cases = [
    ...unjudgedGroups(result).map((group): JunitCase => {
      const text = unjudgedSentence([group]);
      return { name: `checks of ${group}`, classname: 'compare', outcome: { tag: 'error', message: text, text } };
    }),
    ...checks.map((one) => {
      const isFailed = one.result === 'different' && !known.has(keyOfCheck(one));
      return testCase(`${one.request} ${one.name}`, isFailed ? one.differences.join('\n') : null);
    }),
    ...points.map((one) => {
      const isFailed = one.result === 'otherwise' && !known.has(keyOfPoint(one));
      const text = `the service: ${one.observed}; the sandbox: ${one.ours}`;
      return testCase(`open point ${one.id}`, isFailed ? text : null);
    }),
    ...[...judged.keys()].map((operation) => {
      const failed = groups.filter((group) => group.operations.includes(operation) && !group.isKnown);
      const text = failed.map(({ pointer, detail, clause }) => `${pointer} ${detail} ${clause}`).join('\n');
      return testCase(operation, failed.length === 0 ? null : text);
    }),
  ];
  return junitXml('compare', [{ name: 'compare', properties: [['version', VERSION]], cases }]);
}

const testCase = (name: string, failure: string | null): JunitCase => ({
  name,
  classname: 'compare',
  outcome: failure === null ? null : { tag: 'failure', message: failure.split('\n')[0] ?? '', text: failure },
});
