/** Runs as Markdown: a table, and all failures in full. Also the summary of a GitHub job. */

import { markdownText } from '../../base/text/markdown.ts';
import { printable, printableLines } from '../../base/text/printable.ts';
import { formatDuration } from '../../base/time/durations.ts';
import { shownCase } from '../model/scenario.ts';
import { countedRuns, runSign } from './counted-runs.ts';
import { deliveriesText } from './plain-writer.ts';
import type { RunReport } from './report-data.ts';

export function markdownReport(reports: readonly RunReport[]): string {
  const lines = [
    `## ${countedRuns(reports.map(({ result }) => result.verdict))}`,
    '',
    '| | scenario | expectations | deliveries | simulated | took | seed | log |',
    '|---|---|---|---|---|---|---|---|',
    ...reports.map(row),
    ...reports.flatMap(faults),
  ];
  return `${lines.join('\n')}\n`;
}

function row({ result }: RunReport): string {
  const { verdict, passed, failed, skipped, simulatedMs, wallMs, seed, order, logSha256 } = result;
  const took = `${(wallMs / 1000).toFixed(1)} s`;
  const log = logSha256 === null ? '' : `\`${logSha256.slice(0, 12)}\``;
  const checks = [
    `${passed} passed`,
    ...(failed === 0 ? [] : [`**${failed} failed**`]),
    ...(skipped.length === 0 ? [] : [`${skipped.length} skipped`]),
  ].join(', ');
  return `| ${runSign(verdict)} | ${markdownText(nameOf(result))} | ${checks} | ${deliveriesText(result.deliveries) ?? ''} | ${formatDuration(Math.round(simulatedMs))} | ${took} | ${markdownText(order === 0 ? seed : `${seed}, order ${order}`)} | ${log} |`;
}

function faults({ result, rerun }: RunReport): string[] {
  const { failures, error, mistakes, skipped, reason } = result;
  if (failures.length === 0 && error === null && reason === null) return [];
  const messages = error === null ? [] : [mistakes ?? `${error.message}\n${error.fix}`];
  return [
    '',
    `### ${markdownText(nameOf(result))}`,
    ...(reason === null
      ? []
      : ['', `${result.verdict === 'skipped' ? 'Skipped' : 'Known failure'}: ${markdownText(reason)}`]),
    ...[...failures.map(({ whole }) => whole), ...messages].flatMap((text) => [
      '',
      '```',
      printableLines(text).replaceAll('```', "'''"),
      '```',
    ]),
    ...(skipped.length === 0 ? [] : ['', 'Skipped:', '']),
    ...skipped.map(({ line, text, why }) => `- line ${line}: ${markdownText(text)}: ${markdownText(why)}`),
    '',
    `Again: \`${printable(rerun).replaceAll('`', "'")}\``,
  ];
}

const nameOf = ({ scenario, values }: RunReport['result']): string =>
  values === null ? scenario : `${scenario} (${shownCase(values)})`;
