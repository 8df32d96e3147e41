/** One run as a self-contained HTML file with a time control. Without scripts the page has the summary, the failures and the steps. */

import { Html, html } from '../../../base/text/html.ts';
import { pagePolicy } from '../../../base/text/page-policy.ts';
import { formatDuration } from '../../../base/time/durations.ts';
import { formatClockTime } from '../../../base/time/instants.ts';
import { STYLE } from '../../../watching/drawing/report-style.ts';
import { shownCase } from '../../model/scenario.ts';
import { deliveriesText } from '../plain-writer.ts';
import type { RunReport } from '../report-data.ts';
import { deliveriesTable } from './deliveries-table.ts';
import { failureCards } from './failure-cards.ts';
import { lanesDrawing } from './lanes.ts';
import { packRun, scriptJson } from './pack-run.ts';
import { DATA_ID, type PackedRun } from './packed-run.ts';
import { playerView } from './player-view.ts';
import { lookAt, regionsView, shownSites } from './regions-view.ts';
import { reportScript } from './report-script.ts';
import { RunAt } from './run-at.ts';
import { RUN_STYLE } from './run-style.ts';
import { stepsTable } from './steps-table.ts';

export function htmlReport(report: RunReport): string {
  const { result, version } = report;
  const { verdict, scenario, error } = result;
  const script = reportScript();
  const style = `${STYLE}${RUN_STYLE}`;
  const packed = packRun(report);
  const chapters = chaptersOf(report);
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">${pagePolicy(style, script)}<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${verdict}: ${scenario}</title><style>${new Html(style)}</style></head><body>
<a class="skip" href="#scrubber">Skip to the player</a>
${head(report)}
${playerView(report)}
<main>
${error === null ? null : html`<section class="failure chosen" aria-label="Error"><pre tabindex="0">${error.message}</pre><p>${error.fix}</p></section>`}
<div class="columns">
<div class="failures">${failureCards(report)}${result.failures.length === 0 ? chapters : null}</div>
<section class="now" aria-labelledby="now-name"><h2 id="now-name">What a client sees<span id="now-at"> at ${formatClockTime(openingOf(report)).slice(0, 8)}</span>${badge(report)}</h2>
${roomText(report)}${seenView(report, packed)}</section>
<div class="rest">
${result.failures.length === 0 ? null : chapters}
<section aria-labelledby="when"><h2 id="when">What happened when</h2>${lanesDrawing(report)}</section>
<section aria-labelledby="every-step"><h2 id="every-step">Every step</h2>${stepsTable(report)}</section>
<section class="log" id="every-call" aria-labelledby="log-name" hidden><h2 id="log-name">Calls, events and deliveries</h2><div id="log"></div></section>
${report.receivers.length === 0 ? null : html`<section aria-labelledby="deliveries"><h2 id="deliveries">Deliveries</h2>${report.receivers.map(deliveriesTable)}</section>`}
</div>
</div>
</main>
<footer>Made by muster-sandbox ${version}. Times are simulated, from ${report.start}.</footer>
<script type="application/json" id="${DATA_ID}">${new Html(scriptJson(packed))}</script>
<script>${new Html(script)}</script>
</body></html>
`;
  return page.text;
}

/** The instant at which the page opens: the first failure, else the end. */
const openingOf = ({ result: { failures, simulatedMs } }: RunReport): number => failures[0]?.atMs ?? simulatedMs;

/** The sites as the panel draws them; the script shows other instants. */
function seenView(report: RunReport, packed: PackedRun): Html {
  const run = new RunAt(packed);
  const t = openingOf(report);
  const world = run.world(t);
  const sites = shownSites([run.world(0), world, run.world(report.result.simulatedMs)]);
  const look = lookAt(world, { startMs: run.startMs, t, truth: report.truth });
  const truth =
    report.truth === null
      ? null
      : html`<p class="true-key"><i aria-hidden="true"></i> ${badge(report)} where people really are, and privacy zones</p><details class="true-table"><summary>Ground truth as a table</summary><div class="wide" tabindex="0" id="truth"></div></details>`;
  return html`<div class="regions" id="regions">${regionsView(look, sites)}</div>${truth}`;
}

/** A page that does not show all of the run says so. */
function roomText({ seen: { leftOut, until }, people }: RunReport): Html | null {
  const parts = [
    leftOut === 0
      ? ''
      : `${leftOut} of ${people.length} people are not on the map and in the lists, because the page has no room for them. People who had to be rescued, to whom something happened, or who were missing at the end come first. The figures of musters count everybody.`,
    until === null ? '' : `Nothing after ${formatClockTime(until)} is shown here, because a run keeps no more.`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : html`<p class="dim room">${parts.join(' ')}</p>`;
}

function head(report: RunReport): Html {
  const { verdict, scenario, file, values, reason } = report.result;
  return html`<header><span class="verdict ${verdict}">${verdict}</span>${badge(report)}
<h1>${scenario}</h1>
<p class="dim">${file}${values === null ? '' : `, ${shownCase(values)}`}</p>
${reason === null ? null : html`<p>${verdict === 'skipped' ? 'Skipped' : 'Known failure'}: ${reason}</p>`}
${facts(report)}
<p class="view">${viewOf(report)}</p>
<details class="rerun"><summary>Play it again</summary><pre class="command" tabindex="0">${report.rerun}</pre></details></header>`;
}

function chaptersOf({ steps }: RunReport): Html | null {
  const marks = steps.filter(({ kind }) => kind === 'mark');
  if (marks.length === 0) return null;
  return html`<nav aria-label="Chapters"><ul class="chapters">${marks.map(({ line, t, text }) => html`<li><a href="#line-${line}"><time>${formatClockTime(t).slice(0, 8)}</time> ${text}</a></li>`)}</ul></nav>`;
}

const badge = ({ truth }: RunReport): Html | null =>
  truth !== null ? html` <span class="truth">ground truth</span>` : null;

function facts({ result }: RunReport): Html {
  const { passed, failed, seed, mode, order, simulatedMs, wallMs, logSha256 } = result;
  const deliveries = deliveriesText(result.deliveries);
  const entries: [string, string][] = [
    ['expectations', `${passed} passed, ${failed} failed`],
    ...(deliveries === null ? [] : [['deliveries', deliveries] as [string, string]]),
    ['simulated', formatDuration(Math.round(simulatedMs))],
    ['took', `${(wallMs / 1000).toFixed(1)} s`],
    ['mode', order === 0 ? mode : `${mode}, order of ties ${order}`],
    ['seed', seed],
  ];
  const hash =
    logSha256 === null ? null : html`<div><dt>SHA-256 of the log</dt><dd class="hash">${logSha256}</dd></div>`;
  return html`<dl class="facts">${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}${hash}</dl>`;
}

/** A report may be shared, so it states whose view it shows. [decisions 4] */
function viewOf({ views, truth: hidden }: RunReport): Html {
  const sentences = views.map(({ company, names, contractors }) => {
    const scope = contractors === null ? '' : `, not only of ${contractors.join(', ')}`;
    return `${company} (${names ? 'with names' : 'without names'}${scope})`;
  });
  const truth =
    hidden !== null
      ? html` With <code>--truth</code>, this report also has true positions, privacy zones and names, which no client is shown: <span class="truth">ground truth</span>.`
      : null;
  return html`<b>View:</b> what an unscoped client sees of ${sentences.length === 0 ? 'the company' : sentences.join(' and ')}.${truth}`;
}
