/** The counters of a muster over time, stacked to the number of people expected. */
import { type Html, html } from '../../../base/html.ts';
import { formatClockTime } from '../../../base/instants.ts';
import type { ReportMuster } from '../report-data.ts';
import { type Axis, cursor, grid, inBothSizes, round } from './axis.ts';

const HEIGHT = 220;
const TOP = 20;

/** Bottom first. */
export const STATUSES = ['safe', 'wrong_point', 'help', 'no_signal', 'not_worn', 'pending'] as const;

export function countersDrawing(muster: ReportMuster, endMs: number): Html {
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
  const y = (people: number): number => round(HEIGHT - 8 - (people / most) * (HEIGHT - TOP - 16));
  const endT = counts.find(({ totals }) => totals.pending === null)?.t ?? endMs;
  const sumUpTo = (count: ReportMuster['counts'][number], place: number): number =>
    STATUSES.slice(0, place).reduce((sum, status) => sum + (count.totals[status] ?? 0), 0);
  // A step function: each count holds until the next.
  const stair = (place: number): string =>
    active
      .map((count, index) => {
        const level = y(sumUpTo(count, place));
        const until = x(active[index + 1]?.t ?? endT);
        return `${x(count.t)},${level} ${until},${level}`;
      })
      .join(' ');
  const areas = STATUSES.map((status, place) => {
    const below = stair(place).split(' ').reverse().join(' ');
    return html`<polygon class="${status}" points="${stair(place + 1)} ${below}"><title>${status}</title></polygon>`;
  });
  const scale =
    size === 'narrow'
      ? null
      : html`<text class="name" x="${gutter - 8}" y="${y(most) + 4}">${most}</text><text class="name" x="${gutter - 8}" y="${y(0)}">0</text>`;
  return html`<svg class="counters timed" viewBox="0 0 ${width} ${HEIGHT}" data-width="${width}" data-gutter="${gutter}" role="img" aria-label="People by status over time">
${grid(axis, HEIGHT)}${areas}${scale}${cursor(axis, HEIGHT)}</svg>`;
}
