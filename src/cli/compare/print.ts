/** The result of `sandbox compare` as text, as JSON, and as JUnit XML. [cli] */

import { type JunitCase, junitXml } from '../../base/text/junit.ts';
import { CHECK_TERMS } from '../../contract/resources/vocabulary.ts';
import { plural } from '../../contract/sentences.ts';
import type { ComparedCheck } from '../../proving/compare/compared-check.ts';
import {
  type ComparisonResult,
  differencesIn,
  exchangesIn,
  keyOfCheck,
  keyOfPoint,
  unjudgedGroups,
} from '../../proving/compare/comparison-result.ts';
import { isSwitchable } from '../../proving/compare/open-points/profile.ts';
import type { PointRow } from '../../proving/compare/open-points/rows.ts';
import { VERSION } from '../../sandbox/version.ts';
import { colourOf, out, talkLine } from '../output.ts';
import { EntryLines, entryColumns, timeText, verdictLine } from '../verdict.ts';

export const dataOf = ({ checks, groups, points, judged }: ComparisonResult) => ({
  checks: checks.map((one) => ({ key: keyOfCheck(one), ...one })),
  deviations: groups.map(({ isKnown, ...group }) => ({ ...group, known: isKnown })),
  open_points: points.map((one) => ({ key: keyOfPoint(one), ...one })),
  judged: Object.fromEntries(judged),
  unjudged: unjudgedGroups({ checks, groups, points, judged }),
});

export const unjudgedSentence = (groups: readonly string[]): string =>
  `Nothing differs, but no check of ${groups.join(', ')} could be judged. Give the client the scopes that it lacks, or compare again when the service answers.`;

/** What is the same shares lines, what differs follows whole, and the last line has the counts. `report`: of the person. */
export function print(result: ComparisonResult, known: ReadonlySet<string>, report: string | null): void {
  const { checks, groups, points, judged } = result;
  printEqual(result);
  const paint = colourOf(process.stdout);
  const failed = `${paint(CHECK_TERMS.failed.token, CHECK_TERMS.failed.glyph)} `;
  for (const one of checks.filter(({ result: outcome }) => outcome === 'different')) {
    const isKnown = known.has(keyOfCheck(one));
    out(`${isKnown ? '' : failed}${one.request}  ${one.name} ${paint('dim', one.clause)}${isKnown ? '  known' : ''}`);
    for (const difference of one.differences) out(`    ${difference}`);
  }
  for (const { operation, operations, clause, pointer, detail, times, example, isKnown } of groups) {
    const where = pointer === '' ? '' : `  ${pointer}`;
    out(`${isKnown ? '' : failed}${operation}${where}  ${detail} ${paint('dim', clause)}${isKnown ? '  known' : ''}`);
    const status = example.status === null ? '' : ` ${example.status}`;
    out(`    ${plural(times, 'time')}; the smallest: ${example.request}${status} (${example.source})`);
    if (operations.length > 1) out(`    in ${operations.join(', ')}`);
    if (example.body !== '') out(`    ${example.body}`);
  }
  const turned = points.filter((one) => one.result === 'otherwise');
  for (const one of turned) printTurned(one, known);
  const causes = checks.flatMap(({ explained }) => explained ?? []);
  for (const cause of new Set(causes))
    out(paint('dim', `${plural(causes.filter((one) => one === cause).length, 'check')} explained: ${cause}`));
  const unjudged = unjudgedGroups(result);
  const isFailed = differencesIn(result).some(({ key }) => !known.has(key));
  const count = (kind: ComparedCheck['result']) => checks.filter((one) => one.result === kind).length;
  const exchanges = `${plural(exchangesIn(result), 'exchange')} of ${plural(judged.size, 'operation')}`;
  const deviating = groups.length === 1 ? '1 kind of deviation' : `${groups.length} kinds of deviation`;
  const compared = `${count('same')} same, ${count('different')} different, ${count('explained')} explained, ${count('unknown')} unknown`;
  const facts = [
    ...(points.length === 0 ? [] : [`${plural(turned.length, 'open point')} otherwise`]),
    exchanges,
    timeText(),
  ];
  const line = {
    word: isFailed ? 'FAILED' : unjudged.length > 0 ? 'NOT JUDGED' : 'PASSED',
    counts: [...(checks.length === 0 ? [] : [compared]), deviating].join(', '),
    facts,
    report,
  } as const;
  if (!isFailed && unjudged.length > 0) talkLine(unjudgedSentence(unjudged));
  talkLine(verdictLine(line, colourOf(process.stderr)));
}

/** `GET /v1/alerts/{id}` for each check of that operation. */
const operationOf = ({ request }: ComparedCheck): string =>
  (request.split(/[?(]/)[0] ?? '').trim().replace(/\/[0-9a-f]{8}-[0-9a-f-]{27}/g, '/{id}');

/** Checks with the same answers by operation, checks and open points without an answer by their reason. */
function printEqual({ checks, points }: ComparisonResult): void {
  const entries = new EntryLines(entryColumns(process.stdout), colourOf(process.stdout), out);
  const same = checks.filter(({ result }) => result === 'same').map(operationOf);
  for (const name of new Set(same))
    entries.add({ name, result: 'passed', checks: same.filter((one) => one === name).length, why: null });
  const asHere = points.filter(({ result }) => result === 'as here').length;
  if (asHere > 0) entries.add({ name: 'open points', result: 'passed', checks: asHere, why: null });
  for (const { name, result, differences } of checks)
    if (result === 'unknown') entries.add({ name, result: 'not_judged', checks: null, why: whyUnknown(differences) });
  for (const { id, result, why } of points)
    if (result === 'not known') entries.add({ name: id, result: 'not_judged', checks: null, why });
  const hidden = points.filter(({ result }) => result === 'not observable').length;
  const why = 'no request shows it from outside';
  for (let n = 0; n < hidden; n++) entries.add({ name: 'an open point', result: 'not_judged', checks: null, why });
  entries.end();
  if (checks.length + points.length > 0) out('');
}

const whyUnknown = (reasons: readonly string[]): string => reasons.join('; ').replace(/^not compared: /, '');

/** An open point that the service reads otherwise, with the switch that makes the sandbox read it so. */
function printTurned(one: PointRow, known: ReadonlySet<string>): void {
  const paint = colourOf(process.stdout);
  const isKnown = known.has(keyOfPoint(one));
  const { token, glyph } = CHECK_TERMS.failed;
  const decision = one.decision === undefined ? '' : ` ${one.decision}`;
  out(
    `${isKnown ? '' : `${paint(token, glyph)} `}open point ${one.number}, ${one.id} ${paint('dim', `[spec ${one.clause}]${decision}`)}${isKnown ? '  known' : ''}`,
  );
  out(`    the service ${one.observed}, the sandbox ${one.ours}`);
  if (isSwitchable(one)) out(`    as the service: --assume ${one.switch}=${one.observed}`);
  if (one.why !== null) out(paint('dim', `    ${one.why}`));
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
