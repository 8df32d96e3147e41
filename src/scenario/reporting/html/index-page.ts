/** The index of the reports of several runs: results and links. */

import { Html, html } from '../../../base/text/html.ts';
import { pagePolicy } from '../../../base/text/page-policy.ts';
import { formatDuration } from '../../../base/time/durations.ts';
import { STYLE } from '../../../watching/drawing/report-style.ts';
import { isAccepted } from '../../log/run-notices.ts';
import { shownCase } from '../../model/scenario.ts';
import type { RunResult } from '../../playing/run-file.ts';
import { countedRuns, runSign } from '../counted-runs.ts';
import { deliveriesText } from '../plain-writer.ts';
import type { RunReport } from '../report-data.ts';

/** A run and the folder of its report, relative to this page. */
interface IndexRow {
  readonly report: RunReport;
  readonly folder: string;
}

export function indexPage(runs: readonly IndexRow[]): string {
  const counted = countedRuns(runs.map(({ report }) => report.result.verdict));
  const result = runs.every(({ report }) => isAccepted(report.result.verdict)) ? 'passed' : 'failed';
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">${pagePolicy(STYLE, '')}<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${counted}</title><style>${new Html(STYLE)}</style></head><body>
<header><span class="verdict ${result}">${result}</span><h1>${counted}</h1></header>
<main><div class="wide" tabindex="0"><table class="runs"><thead><tr><th><span class="unseen">result</span></th><th>scenario</th><th>expectations</th><th>deliveries</th><th>simulated</th><th>took</th><th>seed</th></tr></thead><tbody>${runs.map(row)}</tbody></table></div></main>
<footer>Made by muster-sandbox ${runs[0]?.report.version ?? ''}.</footer></body></html>
`;
  return page.text;
}

function row({ report: { result }, folder }: IndexRow): Html {
  const { verdict, scenario, file, values, passed, failed, skipped, simulatedMs, wallMs, seed, order } = result;
  const href = `${folder.split('/').map(encodeURIComponent).join('/')}/report.html`;
  const why = reasonOf(result);
  const named = values === null ? file : `${file}, ${shownCase(values)}`;
  return html`<tr class="${isAccepted(verdict) ? 'passed' : 'failed'}"><td class="sign">${runSign(verdict)}</td><td><a href="${href}">${scenario}</a><br><small>${named}</small>${why === null ? null : html`<br><small class="why">${why}</small>`}</td><td>${passed} passed, ${failed} failed${skipped.length === 0 ? '' : `, ${skipped.length} skipped`}</td><td>${deliveriesText(result.deliveries) ?? ''}</td><td>${formatDuration(Math.round(simulatedMs))}</td><td>${(wallMs / 1000).toFixed(1)} s</td><td>${order === 0 ? seed : `${seed}, order ${order}`}</td></tr>`;
}

/** Returns the reason why the run did not pass, in one line: its first failure, with the first value that differs. */
function reasonOf({ error, failures, reason }: RunResult): string | null {
  if (reason !== null) return reason;
  const [first] = failures;
  if (first === undefined) return error === null ? null : (error.message.split('\n')[0] ?? '');
  const [row] = first.rows;
  const differs =
    row === undefined ? (first.reasons[0] ?? '') : `${row.path}: expected ${row.expected}, got ${row.got}`;
  const more = failures.length === 1 ? '' : ` (and ${failures.length - 1} more)`;
  return `line ${first.line}: ${first.step}: ${shortened(differs)}${more}`;
}

const LONGEST_REASON = 120;
const shortened = (text: string): string =>
  text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON - 1)}…` : text;
