/** How many were safe when: a step for each count that changed something, against those expected and the deadline. [spec 2 Muster totals] */
import { type Html, html } from '../../base/html.ts';
import type { Muster } from '../../contract/resources.ts';
import type { CurvePoint } from '../../watching/world.ts';

const WIDTH = 640;
const HEIGHT = 170;
const LEFT = 40;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 24;
const MINUTE = 60_000;

/** Minutes between two marks of the axis, the first that leaves at most eight of them. */
const STEPS_MIN = [1, 2, 5, 10, 15, 30, 60, 120, 240, 720, 1_440] as const;

export function curveView(muster: Muster, samples: readonly CurvePoint[], now: number): Html {
  const { started_at, ended_at, deadline, totals } = muster;
  const from = Date.parse(started_at);
  const last = ended_at === null ? now : Date.parse(ended_at);
  const due = deadline === null ? null : Date.parse(deadline.at);
  // A deadline that is far away would leave the curve a sliver.
  const isDueNear = due !== null && due - from <= Math.max(3 * (last - from), 10 * MINUTE);
  const to = Math.max(last, isDueNear ? due : 0, from + MINUTE);
  const most = Math.max(totals.expected, 1);
  const x = (at: number): number => round(LEFT + ((at - from) / (to - from)) * (WIDTH - LEFT - RIGHT));
  const y = (people: number): number => round(HEIGHT - BOTTOM - (people / most) * (HEIGHT - TOP - BOTTOM));
  const points = [
    { at: from, safe: 0 },
    ...samples.filter(({ at }) => at >= from && at <= last),
    { at: last, safe: totals.safe },
  ];
  const line = points
    .map(({ at, safe }, place) => (place === 0 ? `M${x(at)} ${y(safe)}` : `H${x(at)}V${y(safe)}`))
    .join('');
  const step = (STEPS_MIN.find((minutes) => (to - from) / MINUTE / minutes <= 8) ?? 1_440) * MINUTE;
  const ticks: Html[] = [];
  for (let at = from; at <= to; at += step)
    ticks.push(html`<text class="tick" x="${x(at)}" y="${HEIGHT - 8}">${Math.round((at - from) / MINUTE)}′</text>`);
  const dueLine =
    due === null || !isDueNear
      ? html``
      : html`<path class="due" d="M${x(due)} ${TOP}V${HEIGHT - BOTTOM}"></path><text class="due" x="${x(due)}" y="${TOP - 2}" text-anchor="${x(due) > WIDTH - 60 ? 'end' : 'middle'}">deadline</text>`;
  return html`<svg class="curve" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Safe over time: ${totals.safe} of ${totals.expected} now"><path class="axis" d="M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - RIGHT}"></path><path class="expected" d="M${LEFT} ${y(most)}H${WIDTH - RIGHT}"></path><path class="area" d="${line}V${y(0)}H${x(from)}Z"></path><path class="line" d="${line}"></path>${dueLine}<text class="side" x="${LEFT - 5}" y="${y(most) + 4}">${totals.expected}</text><text class="side" x="${LEFT - 5}" y="${y(0) + 4}">0</text>${ticks}</svg>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
