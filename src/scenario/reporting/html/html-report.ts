/** One run as a self-contained HTML file; everything but the slider works without scripts. */

import { gzipSync } from 'node:zlib';
import { Html, html } from '../../../base/text/html.ts';
import { formatDuration } from '../../../base/time/durations.ts';
import { formatClockTime } from '../../../base/time/instants.ts';
import { bandPath, stepped } from '../../../drawing/plot.ts';
import { tenth } from '../../../drawing/round.ts';
import { shownCase } from '../../model/scenario.ts';
import { deliveriesText } from '../plain-writer.ts';
import type { ReportAttempt, ReportMuster, ReportReceiver, ReportStep, RunReport } from '../report-data.ts';
import { type Axis, cursor, grid, inBothSizes } from './axis.ts';
import { failureAt, failureCards } from './failure-cards.ts';
import { SCRIPT } from './html-script.ts';
import { STYLE } from './html-style.ts';
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
${error === null ? null : html`<section class="failure"><pre tabindex="0">${error.message}</pre><p>${error.fix}</p></section>`}
${failureCards(report)}
${chapters.length === 0 ? null : html`<nav aria-label="Chapters"><ul class="chapters">${chapters.map((chapter) => html`<li><a href="#line-${chapter.line}"><time>${formatClockTime(chapter.t).slice(0, 8)}</time> ${chapter.text}</a></li>`)}</ul></nav>`}
<div class="drawings">
<h2>What happened when</h2>
${lanesDrawing(report)}
${report.musters.length === 0 ? null : html`<h2>People over time</h2>${report.musters.map((muster) => countersDrawing(muster, result.simulatedMs))}`}
${report.tracks.length === 0 ? null : html`<h2>Where people were <span class="truth">TRUTH</span></h2><p class="dim">Every fix as the watches reported it, under any veil and inside privacy zones: more than a client is shown.</p>${mapsOf(report)}`}
<div class="time"><button type="button">Play</button><input type="range" min="0" max="1" step="1" aria-label="Time"><time></time></div>
</div>
${report.receivers.length === 0 ? null : html`<h2>Deliveries</h2>${report.receivers.map(deliveriesTable)}`}
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

const SIGNS = { step: '', mark: '', passed: '✓', failed: '✗', refused: '✗', skipped: '-' } as const;

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

function stepRow({ t, line, text, why, kind, waitedMs }: ReportStep, isFirst: boolean, failure: string | null): Html {
  const waited = waitedMs === 0 ? '' : `waited ${formatDuration(Math.round(waitedMs))}`;
  const id = isFirst ? html` id="line-${line}"` : null;
  const link = failure === null ? null : html` <a href="#${failure}">why it failed</a>`;
  return html`<tr class="${kind}"${id}><td><time>${formatClockTime(t)}</time></td><td class="sign">${SIGNS[kind]}</td><td>${why === null ? text : `${text}: ${why}`} <small>${waited}</small>${link}</td><td><small>${line === 0 ? '' : `line ${line}`}</small></td></tr>`;
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

const HEIGHT = 220;
const TOP = 20;

/** Bottom first. */
const STATUSES = ['safe', 'wrong_point', 'help', 'no_signal', 'not_worn', 'pending'] as const;

function countersDrawing(muster: ReportMuster, endMs: number): Html {
  const { site, counts } = muster;
  const active = counts.filter(({ totals }) => totals.pending !== null);
  const [first, last] = [active[0], active.at(-1)];
  if (first === undefined || last === undefined) return html``;
  const legend = STATUSES.map(
    (status) => html`<li><i class="${status}"></i>${status.replace('_', ' ')} <b>${last.totals[status] ?? 0}</b></li>`,
  );
  return html`<figure><figcaption><b>${site}</b>: ${last.totals.expected} expected, ${last.totals.safe} safe at the last count (${formatClockTime(last.t)})</figcaption>
${inBothSizes((axis) => stack(muster, active, axis), endMs)}
<ul class="legend">${legend}</ul></figure>`;
}

function stack({ counts }: ReportMuster, active: ReportMuster['counts'], axis: Axis): Html {
  const { at: x, width, gutter, endMs, size } = axis;
  const most = Math.max(1, ...active.map(({ totals }) => totals.expected));
  const y = (people: number): number => tenth(HEIGHT - 8 - (people / most) * (HEIGHT - TOP - 16));
  const endT = counts.find(({ totals }) => totals.pending === null)?.t ?? endMs;
  const sumUpTo = (count: ReportMuster['counts'][number], place: number): number =>
    STATUSES.slice(0, place).reduce((sum, status) => sum + (count.totals[status] ?? 0), 0);
  // Each count holds until the next one.
  const edge = (place: number) =>
    stepped(
      active.map((count) => [x(count.t), y(sumUpTo(count, place))] as const),
      x(endT),
    );
  const areas = STATUSES.map((status, place) => {
    return html`<path class="${status}" d="${bandPath(edge(place + 1), edge(place))}"><title>${status}</title></path>`;
  });
  const scale =
    size === 'narrow'
      ? null
      : html`<text class="name" x="${gutter - 8}" y="${y(most) + 4}">${most}</text><text class="name" x="${gutter - 8}" y="${y(0)}">0</text>`;
  return html`<svg class="counters timed" viewBox="0 0 ${width} ${HEIGHT}" data-width="${width}" data-gutter="${gutter}" role="img" aria-label="People by status over time">
${grid(axis, HEIGHT)}${areas}${scale}${cursor(axis, HEIGHT)}</svg>`;
}

/** Limit of rows; deliveries that succeeded at once are omitted first. */
const MOST = 200;

type ReceiverDelivery = readonly [ReportAttempt, ...ReportAttempt[]];

function deliveriesTable({ name, attempts }: ReportReceiver): Html {
  const deliveries = byEvent(attempts);
  const rough = deliveries.filter((tries) => tries.length > 1 || tries[0].result !== 'delivered');
  const smooth = deliveries.filter((tries) => !rough.includes(tries));
  const shown = [...rough, ...smooth].slice(0, MOST).sort(([a], [b]) => a.t - b.t);
  const lost = deliveries.filter((tries) => tries.at(-1)?.result === 'lost').length;
  const more = deliveries.length - shown.length;
  return html`<details${rough.length > 0 ? new Html(' open') : null}><summary><b>${name}</b>: ${many(deliveries.length, 'event')}, ${many(attempts.length, 'attempt')}, ${lost} lost</summary>
<div class="wide"><table><thead><tr><th>at</th><th>event</th><th>tries: what came back, and when from the event</th></tr></thead><tbody>${shown.map(row)}</tbody></table></div>${more > 0 ? html`<p class="dim">And ${more} more that were taken at the first try.</p>` : null}</details>`;
}

const many = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

function byEvent(attempts: readonly ReportAttempt[]): ReceiverDelivery[] {
  const found = new Map<string, [ReportAttempt, ...ReportAttempt[]]>();
  for (const attempt of attempts) {
    const tries = found.get(attempt.eventId);
    if (tries === undefined) found.set(attempt.eventId, [attempt]);
    else tries.push(attempt);
  }
  return [...found.values()];
}

const row = (tries: ReceiverDelivery): Html =>
  html`<tr><td><time>${formatClockTime(tries[0].t - tries[0].offsetMs)}</time></td><td>${tries[0].eventType}<br><small>${tries[0].eventId}</small></td><td>${tries.map(attemptMark)}</td></tr>`;

const attemptMark = ({ try: tries, offsetMs, result, status, signatures }: ReportAttempt): Html =>
  html`<span class="attempt ${result}" title="try ${tries}, ${signatures} signature(s), ${result}">${status ?? 'no answer'} <small>+${formatDuration(Math.round(offsetMs))}</small></span> `;
