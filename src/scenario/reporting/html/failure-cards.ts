/** The failures of a run on its page: expected and actual values, the happenings around each failure, and the commands that reproduce it. */

import { Html, html } from '../../../base/text/html.ts';
import { formatClockTime } from '../../../base/time/instants.ts';
import type { RunFailure } from '../../judging/run-reporter.ts';
import { commandOf } from '../../model/again.ts';
import type { FailureContext, ShownHappening } from '../happenings.ts';
import type { RunReport } from '../report-data.ts';
import { nearAxis } from './near-axis.ts';

/** Number of failures that are shown with context; later failures are usually consequences of the first. */
const MOST_AROUNDS = 10;

/** The first card gets the focus, so that the page opens at it. */
export function failureCards(report: RunReport): Html {
  const { failures } = report.result;
  if (failures.length === 0) return html``;
  const cards = failures.map((failure, place) => card(failure, report, place));
  return html`<section aria-labelledby="failed"><h2 id="failed">What failed</h2>${cards}</section>`;
}

/** Returns the anchor of the failure of this line; null if the line did not fail. */
export function failureAt(failures: readonly RunFailure[], line: number): string | null {
  const place = failures.findIndex((failure) => failure.line === line);
  return place < 0 ? null : `failure-${place + 1}`;
}

function card(failure: RunFailure, report: RunReport, place: number): Html {
  const { line, step, reasons, whole, rows, late, again, atMs } = failure;
  const { length: count } = report.result.failures;
  const number = place + 1;
  const around = place < MOST_AROUNDS ? (report.around[place] ?? null) : null;
  return html`<article class="failure" id="failure-${number}" tabindex="-1" data-failure="${place}" aria-labelledby="failure-${number}-name"${number === 1 ? new Html(' autofocus') : null}>
<p class="hops">${number} of ${count}${hop(number - 1, count, 'previous failure')}${hop(number + 1, count, 'next failure')} <a href="#line-${line}">its step</a></p>
<h3 id="failure-${number}-name"><a href="#failure-${number}"><time>${formatClockTime(atMs)}</time> line ${line}: ${step}</a></h3>
${late === null ? null : html`<p class="late"><b>${late}</b></p>`}<div class="cause">
${rows.length === 0 ? html`<pre class="reason" tabindex="0">${reasons.filter((one) => one !== late).join('\n')}</pre>` : html`<div class="wide" tabindex="0"><table class="gots"><thead><tr><th>path</th><th>expected</th><th>nearest</th></tr></thead><tbody>${rows.map(({ path, expected, got }) => html`<tr><td><code>${path}</code></td><td><code>${expected}</code></td><td><code>${got}</code></td></tr>`)}</tbody></table></div>`}
${around === null ? null : nearAxis(failure, around, report)}
${around === null ? null : aroundTable(failure, around)}
<details class="text"><summary>The failure as text, and how to play it again</summary><pre tabindex="0">${whole}</pre>
<p>Play it again up to this step:</p><pre class="command">${commandOf(again)}</pre>
<p>Play up to this step and stop there, to look at the sandbox:</p><pre class="command">${commandOf(again, true)}</pre></details>
</div></article>`;
}

const hop = (number: number, count: number, words: string): Html | null =>
  number < 1 || number > count ? null : html` <a href="#failure-${number}">${words}</a>`;

type DiffRow = ShownHappening | { readonly t: number; readonly kind: 'begin' | 'verdict'; readonly text: string };

function aroundTable({ beganMs, atMs }: RunFailure, { happenings, leftOut }: FailureContext): Html {
  const rows: DiffRow[] = [
    ...happenings,
    ...(beganMs === atMs ? [] : [{ t: beganMs, kind: 'begin' as const, text: 'the step begins' }]),
    { t: atMs, kind: 'verdict', text: 'the result: failed' },
  ];
  // Order at equal instants: beginning of the step, happenings, result.
  const rank = ({ kind }: DiffRow): number => (kind === 'begin' ? 0 : kind === 'verdict' ? 2 : 1);
  rows.sort((a, b) => a.t - b.t || rank(a) - rank(b));
  const more = leftOut === 0 ? null : html`<p class="dim">And ${leftOut} more, farther from the step.</p>`;
  return html`<h4>What happened around it</h4><div class="wide" tabindex="0"><table class="around"><thead><tr><th>at</th><th>kind</th><th>what happened</th></tr></thead><tbody>${rows.map(row)}</tbody></table></div>${more}`;
}

/** The script shows the body of a happening on request, because the page contains each body only once. */
function row(one: DiffRow): Html {
  const kind = one.kind === 'begin' || one.kind === 'verdict' ? '' : one.kind;
  const place = 'place' in one ? html` data-happening="${one.place}"` : null;
  return html`<tr class="is-${one.kind}" data-t="${one.t}"${place}><td><time>${formatClockTime(one.t)}</time></td><td>${kind}</td><td>${one.text}</td></tr>`;
}
