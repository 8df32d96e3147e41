/**
 * What both kinds of `sandbox certify` share: the choice of checks, their list, the reports, and the end of the
 * command. [cli]
 */
import { CLI } from '../../base/text/command-form.ts';
import { CHECK_GROUPS, CHECK_NEEDS, checkName, clauseText, type JudgedCheck } from '../../proving/certify/check.ts';
import {
  type CertifyReport,
  certifyHtml,
  certifyJunit,
  certifyMarkdown,
  outcomeData,
} from '../../proving/certify/reports.ts';
import { WATCH_NEEDS } from '../../proving/certify/watch/check.ts';
import { CommandError, colourOf, EXIT, envelope, out, outLine, usage } from '../output.ts';
import { envelopeText, mainReport, type RequestedReports, writeReports } from '../reports.ts';
import { printSummary } from './lines.ts';

const NEEDS = { ...CHECK_NEEDS, ...WATCH_NEEDS };

type ListedCheck = JudgedCheck & { readonly needs: readonly (keyof typeof NEEDS)[] };

/** Reads `7,12` and `29-32`, or `W7,W9-12`. Undefined means all checks. Throws a usage error. */
export function chosenChecks<C extends JudgedCheck>(only: string | undefined, checks: readonly C[]): readonly C[] {
  if (only === undefined) return checks;
  const numbers = only.split(',').flatMap((part) => {
    const [, from, to = from] = /^\s*W?(\d{1,2})(?:-W?(\d{1,2}))?\s*$/i.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (from === undefined || first > last)
      throw usage(`--only ${only}: it must be numbers of checks, like 7,12 or 29-32.`);
    return Array.from({ length: last - first + 1 }, (_, place) => first + place);
  });
  const unknown = numbers.find((number) => checks.every((check) => check.number !== number));
  if (unknown !== undefined)
    throw usage(
      `There is no check ${unknown}: they go from 1 to ${checks.length}, and ${CLI} certify --list prints them.`,
    );
  return checks.filter(({ number }) => numbers.includes(number));
}

export function listChecks(checks: readonly ListedCheck[], json: boolean): void {
  const rows = checks.map((check) => {
    const { group, title, clause, needs } = check;
    return { number: check.series === undefined ? check.number : checkName(check), group, title, clause, needs };
  });
  if (json) return out(JSON.stringify(envelope('certify', { checks: rows })));
  const paint = colourOf(process.stdout);
  for (const [place, { number, group, title, clause, needs }] of rows.entries()) {
    if (rows[place - 1]?.group !== group) out(`${place === 0 ? '' : '\n'}${paint('bold', CHECK_GROUPS[group])}`);
    const need = needs.length === 0 ? '' : `; needs ${needs.map((name) => NEEDS[name].flag).join(', ')}`;
    outLine(`${String(number).padStart(3)}  ${title}  ${paint('dim', `${clauseText({ clause })}${need}`)}`);
  }
}

export interface ReportFlags {
  readonly reports: RequestedReports<'certify'>;
  readonly json?: boolean;
  /** The words of the command after `sandbox`. */
  readonly words: readonly string[];
}

/** How the run went, in addition to the outcomes of its checks. */
interface CertifyEnd {
  readonly isInterrupted: boolean;
  /** Number of checks that should be judged. */
  readonly checks: number;
  readonly warnings: readonly string[];
  /** The checks that the user named with --only, or whose flag was given. */
  readonly requested: readonly JudgedCheck[];
}

/** Writes and prints the report, and returns the exit code. Throws if the run was interrupted. */
export function endCertify(report: CertifyReport, { reports, json, words }: ReportFlags, end: CertifyEnd): number {
  const { url, outcomes, counts } = report;
  const data = { url, passed: counts.failed === 0, counts, checks: outcomes.map(outcomeData) };
  const line = envelope('certify', data, end.warnings);
  writeReports(reports, {
    'report.html': () => certifyHtml(report),
    'junit.xml': () => certifyJunit(report),
    'report.json': () => envelopeText(line),
    'summary.md': () => certifyMarkdown(report),
  });
  if (json !== true && !end.isInterrupted) printSummary(report, mainReport(reports), words);
  if (end.isInterrupted)
    throw new CommandError(
      EXIT.interrupted,
      'interrupted',
      `Interrupted after ${outcomes.length} of ${end.checks} checks.`,
      { details: outcomes.map(outcomeData), retryable: true },
    );
  const isMissed = ({ check, result, isInconclusive }: CertifyReport['outcomes'][number]) =>
    result === 'not_judged' && (isInconclusive === true || end.requested.includes(check));
  const unjudged = outcomes.filter(isMissed);
  const [first] = counts.failed === 0 ? unjudged : [];
  // A requested or inconclusive check that could not be judged may be broken, so the command does not succeed.
  if (first !== undefined)
    throw new CommandError(EXIT.environment, 'not_judged', unjudgedText(unjudged.length, first), {
      details: outcomes.map(outcomeData),
      actions: first.fix === null ? [] : [first.fix],
    });
  if (json === true) out(JSON.stringify(line));
  return counts.failed > 0 ? EXIT.failed : EXIT.done;
}

function unjudgedText(count: number, { check, got }: CertifyReport['outcomes'][number]): string {
  const others = count === 1 ? '' : `, and ${count - 1} more`;
  return `Check ${checkName(check)} was to be judged and could not be${others}: ${got}.`;
}
