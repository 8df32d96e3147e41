/** The headcounts of a muster over time, as a stacked area chart of people by status. */
import { type Html, html } from '../../../base/text/html.ts';
import { formatClockTime } from '../../../base/time/instants.ts';
import { NOT_SAFE_STATUSES, PERSON_TERMS } from '../../../contract/resources/vocabulary.ts';
import { bandPath, stepped } from '../../../watching/drawing/plot.ts';
import { tenth } from '../../../watching/drawing/round.ts';
import type { ReportMuster } from '../report-data.ts';
import { type Axis, axisData, cursor, grid, inBothSizes } from './axis.ts';

const HEIGHT = 220;
const TOP = 20;

/** From bottom to top. */
const STATUSES = ['safe', ...NOT_SAFE_STATUSES] as const;

export function countersDrawing(muster: ReportMuster, endMs: number): Html {
  const { site, counts } = muster;
  const active = counts.filter(({ totals }) => totals.pending !== null);
  const [first, last] = [active[0], active.at(-1)];
  if (first === undefined || last === undefined) return html``;
  const legend = STATUSES.map(
    (status) => html`<li><i class="${status}"></i>${PERSON_TERMS[status].word} <b>${last.totals[status] ?? 0}</b></li>`,
  );
  return html`<figure><figcaption><b>${site}</b>: ${last.totals.expected} expected, ${last.totals.safe} safe at the last count (${formatClockTime(last.t)})</figcaption>
${inBothSizes((axis) => stack(muster, active, axis), { fromMs: 0, endMs })}
<ul class="legend">${legend}</ul></figure>`;
}

function stack({ counts }: ReportMuster, active: ReportMuster['counts'], axis: Axis): Html {
  const { at: x, width, gutter, endMs, size } = axis;
  const most = Math.max(1, ...active.map(({ totals }) => totals.expected));
  const y = (people: number): number => tenth(HEIGHT - 8 - (people / most) * (HEIGHT - TOP - 16));
  const endT = counts.find(({ totals }) => totals.pending === null)?.t ?? endMs;
  const sumUpTo = (count: ReportMuster['counts'][number], place: number): number =>
    STATUSES.slice(0, place).reduce((sum, status) => sum + (count.totals[status] ?? 0), 0);
  // Each headcount is valid until the next one.
  const edge = (place: number) =>
    stepped(
      active.map((count) => [x(count.t), y(sumUpTo(count, place))] as const),
      x(endT),
    );
  const areas = STATUSES.map((status, place) => {
    return html`<path class="${status}" d="${bandPath(edge(place + 1), edge(place))}"><title>${PERSON_TERMS[status].word}</title></path>`;
  });
  const scale =
    size === 'narrow'
      ? null
      : html`<text class="name" x="${gutter - 8}" y="${y(most) + 4}">${most}</text><text class="name" x="${gutter - 8}" y="${y(0)}">0</text>`;
  return html`<svg class="counters timed" viewBox="0 0 ${width} ${HEIGHT}"${axisData(axis)} role="img" aria-label="People by status over time; the headcounts of the instant are in words beside the plan">
${grid(axis, HEIGHT)}${areas}${scale}${cursor(axis, HEIGHT)}</svg>`;
}
