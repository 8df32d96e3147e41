/** One run as a self-contained HTML file; everything but the slider works without scripts. */
import { gzipSync } from 'node:zlib';
import { formatDuration } from '../../../base/durations.ts';
import { Html, html } from '../../../base/html.ts';
import { formatClockTime } from '../../../base/instants.ts';
import { shownCase } from '../../story/bindings.ts';
import { deliveriesText } from '../plain-writer.ts';
import type { ReportStep, RunReport } from '../report-data.ts';
import { countersDrawing } from './counters.ts';
import { failureAt, failureCards } from './failure-cards.ts';
import { SCRIPT } from './html-script.ts';
import { STYLE } from './html-style.ts';
import { ladderTable } from './ladder.ts';
import { lanesDrawing } from './lanes.ts';
import { mapsOf } from './map.ts';
import { PERSON_STATUSES, wordOf } from './person-status.ts';

export function htmlReport(report: RunReport): string {
  const { result, version, rerun } = report;
  const { verdict, scenario, file, error } = result;
  const chapters = report.steps.filter(({ kind }) => kind === 'mark');
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${verdict}: ${scenario}</title><style>${new Html(STYLE)}</style></head><body>
<header><span class="verdict ${verdict}">${verdict}</span>
<h1>${scenario}</h1>
<p class="dim">${file}${result.values === null ? '' : `, ${shownCase(result.values)}`}</p>
${facts(report)}
<p class="view">${viewOf(report)}</p>
<p>Play it again:</p><pre class="command">${rerun}</pre></header>
<main>
${error === null ? null : html`<section class="failure"><pre tabindex="0">${error.message}</pre><p>${error.cure}</p></section>`}
${failureCards(report)}
${chapters.length === 0 ? null : html`<nav aria-label="Chapters"><ul class="chapters">${chapters.map((chapter) => html`<li><a href="#line-${chapter.line}"><time>${formatClockTime(chapter.t).slice(0, 8)}</time> ${chapter.text}</a></li>`)}</ul></nav>`}
<div class="drawings">
<h2>What happened when</h2>
${lanesDrawing(report)}
${report.musters.length === 0 ? null : html`<h2>People over time</h2>${report.musters.map((muster) => countersDrawing(muster, result.simulatedMs))}`}
${report.tracks.length === 0 ? null : html`<h2>Where people were <span class="truth">TRUTH</span></h2><p class="dim">Every fix as the watches reported it, under any veil and inside privacy zones: more than a client is shown.</p>${mapsOf(report)}`}
<div class="time"><button type="button">Play</button><input type="range" min="0" max="1" step="1" aria-label="Time"><time></time></div>
</div>
${report.receivers.length === 0 ? null : html`<h2>Deliveries</h2>${report.receivers.map(ladderTable)}`}
<h2>Every step</h2>
<div class="wide" tabindex="0"><table class="steps"><thead><tr><th>at</th><th><span class="unseen">verdict</span></th><th>step</th><th>line</th></tr></thead><tbody>${stepRows(report)}</tbody></table></div>
</main>
<footer>Made by muster-sandbox ${version}. Times are simulated, from ${report.start}.</footer>
<script id="tracks" type="application/octet-stream">${new Html(packedTracks(report))}</script>
<script>${new Html(SCRIPT)}</script>
</body></html>
`;
  return page.text;
}

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

/** A report may be passed on, so it states whose view it shows. [decisions 4] */
function viewOf({ views, tracks }: RunReport): Html {
  const sentences = views.map(({ company, names, contractors }) => {
    const scope = contractors === null ? '' : `, not only of ${contractors.join(', ')}`;
    return `${company} (${names ? 'with names' : 'without names'}${scope})`;
  });
  const truth =
    tracks.length === 0 ? null : html` What no client is shown carries the badge <span class="truth">TRUTH</span>.`;
  return html`<b>View:</b> what an unscoped client sees of ${sentences.length === 0 ? 'the company' : sentences.join(' and ')}.${truth}`;
}

const SIGNS = { step: '', mark: '', passed: '✓', failed: '✗', refused: '✗' } as const;

/** Only the first row of a repeated line gets the anchor. */
function stepRows({ steps, result: { failures } }: RunReport): Html[] {
  const seen = new Set<number>();
  return steps.map((step) => {
    const isFirst = !seen.has(step.line);
    seen.add(step.line);
    const isFailed = step.kind === 'failed' || step.kind === 'refused';
    return stepRow(step, isFirst, isFailed ? failureAt(failures, step.line) : null);
  });
}

function stepRow({ t, line, text, kind, waitedMs }: ReportStep, isFirst: boolean, failure: string | null): Html {
  const waited = waitedMs === 0 ? '' : `waited ${formatDuration(Math.round(waitedMs))}`;
  const id = isFirst ? html` id="line-${line}"` : null;
  const link = failure === null ? null : html` <a href="#${failure}">why it failed</a>`;
  return html`<tr class="${kind}"${id}><td><time>${formatClockTime(t)}</time></td><td class="sign">${SIGNS[kind]}</td><td>${text} <small>${waited}</small>${link}</td><td><small>${line === 0 ? '' : `line ${line}`}</small></td></tr>`;
}

/** Base64 needs no HTML escaping. */
function packedTracks({ result, tracks }: RunReport): string {
  const data = {
    endMs: result.simulatedMs,
    tracks: tracks.map(({ points }) => points),
    standing: tracks.map(({ standing }) => standing.map(({ t, status }) => [t, PERSON_STATUSES.indexOf(status)])),
    people: tracks.map(({ who }) => who),
    statuses: PERSON_STATUSES.map((status) => [status, wordOf(status)]),
  };
  return gzipSync(JSON.stringify(data)).toString('base64');
}
