/** The report of a drill as one HTML page: the figures, the curve, the plan with its heat map, and the tables. It needs no script. */

import { Html, html } from '../../base/text/html.ts';
import { formatDuration } from '../../base/time/durations.ts';
import { STYLE } from '../../watching/drawing/report-style.ts';
import { DENSITY_LIMIT, HEAT_CELL_M } from './crowding.ts';
import { curveFigure, letterOf } from './curve-svg.ts';
import { type ComparedRow, compared, type DrillFigures } from './figures.ts';
import type { RunInterval } from './interval.ts';
import { GUIDELINE_TESTS, inputsOf, NOT_MODELLED } from './model.ts';
import { HEAT_CLASSES, PLAN_FONTS, type PlanScale, planScale, planSvg } from './plan-svg.ts';
import type { RunValue } from './spread.ts';
import { type FigureTable, tablesOf } from './tables.ts';
import {
  ABOUT_INTERVALS,
  COMPARED_HEAD,
  comparedCells,
  dominantText,
  HOW_TO_READ,
  intervalText,
  NOWHERE,
  neverText,
  timeText,
  titleOf,
} from './words.ts';

interface DrillReport {
  /** One layout, or two layouts to compare. */
  readonly layouts: readonly DrillFigures[];
  readonly seed: string;
  /** Requested runs. */
  readonly runsRequested: number;
  readonly version: string;
}

export function drillHtml({ layouts, seed, runsRequested, version }: DrillReport): string {
  const [first, second] = layouts;
  if (first === undefined) return '';
  const titles = layouts.map((one, i) => `${letterOf(layouts, i)}${titleOf(one, seed, runsRequested)}`);
  const scale = planScale(layouts);
  const { afterMs, limitMs } = first.setting;
  const heading = second === undefined ? first.layout.planned.name : 'Two layouts compared';
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Drill: ${layouts.map(({ layout }) => layout.planned.name).join(' and ')}</title><style>${new Html(`${STYLE}${OWN_STYLE}`)}</style></head><body>
<header><p class="dim">${first.setting.kind} drill</p><h1>${heading}</h1>
${titles.map((title, i) => html`<p>${title} <small>(${layouts[i]?.layout.label ?? ''})</small></p>`)}
<p class="dim">${HOW_TO_READ} ${ABOUT_INTERVALS} The alarm comes ${formatDuration(afterMs)} after the shift began; a run lasts until everyone stays where they are, at most ${formatDuration(limitMs)}.</p>
${layouts.map((one, i) => facts(one, letterOf(layouts, i)))}
${layouts.map((one, i) => html`<p>${letterOf(layouts, i)}${dominantText(one)}</p>`)}</header>
<main>
${second === undefined ? null : html`<section><h2>The difference</h2>${comparison(first, second)}<p class="dim">A run of both layouts has the same people with the same habits; the difference is the median over the runs, with its interval. Where the interval holds 0, these runs show no difference. Earlier and later count the ${first.runs.length} runs.</p></section>`}
<section><h2>Who is safe when</h2>${curveFigure(layouts)}</section>
<section><h2>Where people stood close together, and queued</h2><div class="${second === undefined ? 'plans' : 'plans two'}">${layouts.map((one, i) => plan(one, scale, layouts, i))}</div>${heatLegend(scale)}</section>
${layouts.map((one, i) => tables(one, second === undefined ? 'In figures' : `${letterOf(layouts, i)}${one.layout.planned.name}`))}
<section><h2>What the figures are made from</h2>${inputs(first.setting.kind)}</section>
<section><h2>How to take it</h2><p>Safe is who reached an assembly point that serves this kind of muster and stayed there to the end of the run: in truth, not as their watch reports it. Nobody is rescued: who is trapped or injured stays where they are. Percentiles are those of the runs (nearest rank): in 95 of 100 runs it takes no longer than the 95th. The walking model is verified against published tests and never validated: use it to compare layouts, and drill with people.</p></section>
</main>
<footer>Made by muster-sandbox ${version}.</footer></body></html>
`;
  return page.text;
}

const facts = ({ timed, runs }: DrillFigures, letter: string): Html =>
  html`<dl class="facts">${timed.map(
    ({ name, spread, median, p95 }) =>
      html`<div><dt>${letter}${name}</dt><dd>${timeText(spread.median)}</dd><dd class="dim">${besideText(spread.median, median)}</dd><dd class="dim">95th ${timeText(spread.p95)} ${besideText(spread.p95, p95)}</dd><dd class="dim">${neverText(spread, runs.length)}</dd></div>`,
  )}</dl>`;

/** Returns an empty text if the interval equals the figure. */
const besideText = (value: RunValue, interval: RunInterval | null): string =>
  intervalText(interval) === timeText(value) ? '' : `(interval ${intervalText(interval)})`;

const inputs = (kind: DrillFigures['setting']['kind']): Html =>
  html`<table class="inputs"><tbody>${inputsOf(kind).map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}<tr><th scope="row">guideline tests passed</th><td>${GUIDELINE_TESTS.join('; ')}</td></tr><tr><th scope="row">not modelled</th><td>${NOT_MODELLED.join('; ')}</td></tr></tbody></table>`;

function comparison(first: DrillFigures, second: DrillFigures): Html {
  const { all, zones } = compared(first, second);
  const rows = (list: readonly ComparedRow[]): string[][] =>
    list.map((row) => [row.name ?? NOWHERE, ...comparedCells(row)]);
  return html`<div class="pair"><div><h3>Safe</h3>${table(COMPARED_HEAD, rows(all))}</div><div><h3>90 % safe, by zone at the alarm</h3>${table(COMPARED_HEAD, rows(zones))}</div></div>`;
}

function plan(figures: DrillFigures, scale: PlanScale, layouts: readonly DrillFigures[], i: number): Html {
  const name = `${letterOf(layouts, i)}${figures.layout.planned.name}`;
  return html`<figure class="map"><figcaption><b>${name}</b></figcaption>${planSvg(figures, scale, layouts.length > 1)}</figure>`;
}

function heatLegend({ classes, mostQueuedS }: PlanScale): Html {
  const hasQueues = mostQueuedS > 0;
  const about = `cells of ${HEAT_CELL_M} x ${HEAT_CELL_M} m with more than ${DENSITY_LIMIT} people on their way per square metre`;
  const heat =
    classes.length === 0
      ? html`<li>No crowd: nowhere were more than ${DENSITY_LIMIT} people per square metre on their way.</li>`
      : html`${classes.map((most, n) => html`<li><i class="h${n + 1}"></i>${n === 0 ? 'up to ' : `${personSeconds(classes[n - 1] ?? 0)} to `}${personSeconds(most)}</li>`)}<li>person-seconds a run, in ${about}</li>`;
  return html`<ul class="legend plan">${heat}${hasQueues ? html`<li><i class="queue"></i>queue at a door or a stair, by its person-minutes</li>` : null}<li><i class="serves"></i>serves</li><li><i class="idle"></i>does not serve this kind</li><li><i class="excluded"></i>out of use</li><li><i class="walled"></i>walls</li><li><i class="door"></i>door</li><li><i class="stair"></i>stairs</li><li><i class="water"></i>water</li><li><i class="fence"></i>fence</li></ul>`;
}

const personSeconds = (value: number): string => (value >= 10 ? value.toFixed(0) : value.toFixed(1));

function tables(figures: DrillFigures, heading: string): Html {
  const { queues, ...others } = tablesOf(figures);
  const section = ({ title, head, rows }: FigureTable): Html =>
    rows.length === 0 ? new Html('') : html`<h3>${title}</h3>${table(head, rows)}`;
  return html`<section><h2>${heading}</h2>${Object.values(others).map(section)}${section(queues)}${
    queues.rows.length === 0
      ? null
      : html`<p class="dim">Longest: the people of the longest queue. By hand: the wait of its last person, which is its people divided by the flow of the door or stair. A wait that differs much from it has another cause: people came later, or left the queue. Person-min: the minutes that all people together waited in a run.</p>`
  }</section>`;
}

/** `head`: the names of the columns after the first, which names the row. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): Html {
  return html`<div class="wide" tabindex="0"><table class="figures"><thead><tr><td></td>${head.map(
    (cell) => html`<th scope="col" class="n">${cell}</th>`,
  )}</tr></thead><tbody>${rows.map(
    ([name = '', ...cells]) =>
      html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td class="n">${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

const HEAT_COLOURS = {
  light: ['#fde3a7', '#fbbf5d', '#f28b35', '#d8452b', '#8f1230'],
  dark: ['#5c4a1f', '#94701f', '#cf7d27', '#ee5a3a', '#ff9aa8'],
} as const;

const heatVariables = (mode: keyof typeof HEAT_COLOURS): string =>
  HEAT_COLOURS[mode].map((colour, n) => `--h${n + 1}:${colour}`).join(';');

const heatRules = Array.from(
  { length: HEAT_CLASSES },
  (_, n) => `.h${n + 1}{fill:var(--h${n + 1})}.legend .h${n + 1}{background:var(--h${n + 1})}`,
).join('');

const OWN_STYLE = `
:root{--water:#d3e6f5;--a:#0b5cad;--b:#b04a06;${heatVariables('light')}}
@media(prefers-color-scheme:dark){:root{--water:#16324a;--a:#82bbf7;--b:#ffab70;${heatVariables('dark')}}}
dl.facts{grid-template-columns:repeat(auto-fit,minmax(9rem,1fr))}.pair{display:flex;flex-wrap:wrap;gap:0 3rem}.pair>div{min-width:0}h3{margin-top:1.5rem}header p{margin:.2rem 0}dl.facts dd+dd{font-weight:400;font-size:13px}
.line-0,.line-1{fill:none;stroke-width:2.5}.line-0{stroke:var(--a)}.line-1{stroke:var(--b);stroke-dasharray:9 4}.band-0{fill:var(--a);opacity:.16}.band-1{fill:var(--b);opacity:.16}
.legend i.line-0,.legend i.line-1{width:1.8em;height:0;border-top:3px solid var(--a);vertical-align:middle;border-radius:0}.legend i.line-1{border-top:3px dashed var(--b)}.legend i.band-0{background:var(--a)}
.plans{display:grid;gap:1rem;max-width:60rem}.plans.two{grid-template-columns:1fr 1fr;max-width:none}.plans .map{max-width:none;margin:.4rem 0}
.stair{fill:none;stroke:var(--ink);stroke-width:2}.legend i.stair{border-width:2px 0 0 2px!important;border-color:var(--ink)!important;border-radius:0}.water{fill:var(--water)}.boundary{stroke-width:1.5}polygon.walled{stroke:var(--ink);stroke-width:2.5}.door{stroke:var(--page);stroke-width:5}polygon.idle{fill:none;stroke:var(--dim);stroke-dasharray:4 4}
polygon.excluded{fill:color-mix(in srgb,var(--red) 14%,transparent);stroke:var(--red);stroke-dasharray:8 4;stroke-width:2.5}
svg text.zone{dominant-baseline:middle;paint-order:stroke;stroke:var(--soft);stroke-width:4px;stroke-linejoin:round}svg text.point{fill:var(--ink);font-weight:600}svg.beside text.zone{font-size:${PLAN_FONTS.beside}px}
.queue{fill:none;stroke:var(--ink);stroke-width:3}.legend i.queue{border:2px solid var(--ink)!important;border-radius:50%}svg text.measure{text-anchor:end}.scale path{fill:none;stroke:var(--dim);stroke-width:2}${heatRules}.heat{opacity:.85}
.legend.plan i{border:1px solid var(--line)}.legend .serves{background:color-mix(in srgb,var(--green) 22%,transparent);border-color:var(--green)!important}.legend .idle{border:1px dashed var(--dim)!important}.legend .excluded{background:color-mix(in srgb,var(--red) 14%,transparent);border:1px dashed var(--red)!important}
.legend .walled{border:2px solid var(--ink)!important}.legend i.door{background:var(--page);border-width:1px 3px!important;border-color:var(--line) var(--ink)!important}.legend i.water{background:var(--water)}.legend i.fence{border:1px dashed var(--dim)!important}
table.inputs{max-width:60rem}table.inputs th{color:var(--ink);font-weight:600;text-align:left;vertical-align:top;min-width:9rem}table.inputs td{padding-left:.8rem}
table.figures{width:auto;min-width:min(100%,30rem)}table.figures th[scope=row]{color:var(--ink);font-weight:400;border-top:1px solid var(--line);min-width:7.5rem}table.figures thead td{border-top:0}.n{text-align:right;padding-left:.8rem;padding-right:0;white-space:nowrap;font-variant-numeric:tabular-nums}
@media(max-width:760px){.plans.two{grid-template-columns:1fr}svg text.zone,svg.beside text.zone{font-size:${PLAN_FONTS.narrow}px;stroke-width:7px}.if-wide,.wide-only{display:none}}
@media print{.legend i,svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}section{break-inside:avoid-page}.plans.two{grid-template-columns:1fr 1fr}}
`;
