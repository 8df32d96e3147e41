/** The curve of a drill as inline SVG: the median share of safe people over time, with a band from the 5th to the 95th percentile. */
import { type Html, html } from '../../base/text/html.ts';
import { bandPath, levelLine, linePath, plotX, plotY, timeLine } from '../../watching/drawing/plot.ts';
import { timeStepMs } from '../../watching/drawing/round.ts';
import type { CurveStep, DrillFigures } from './figures.ts';
import { timeText } from './words.ts';

/** Sizes in pixels of the drawing; the page shows the one that fits. */
const SIZES = {
  wide: { width: 1_000, height: 340, left: 52, right: 16, top: 14, bottom: 32, ticks: 12 },
  narrow: { width: 360, height: 260, left: 44, right: 10, top: 12, bottom: 30, ticks: 5 },
} as const;

const LEVELS = [0, 25, 50, 75, 90, 100] as const;

/** Least step of the time axis, milliseconds. */
const LEAST_STEP_MS = 10_000;

/** The curves of all layouts in one drawing, with one line per layout. */
export function curveFigure(layouts: readonly DrillFigures[]): Html {
  const endS = curveEndS(layouts);
  const about = layouts
    .map(({ layout, all }) => `${layout.planned.name}: half are safe after ${timeText(all.shares[50].median)}`)
    .join('; ');
  const draw = (size: keyof typeof SIZES): Html => curve(layouts, endS, size, about);
  return html`<figure class="curve"><div class="if-wide">${draw('wide')}</div><div class="if-narrow">${draw('narrow')}</div>
<figcaption><ul class="legend">${layouts.map((one, i) => html`<li><i class="line-${i}"></i>${letterOf(layouts, i)}${one.layout.planned.name}: median of ${one.runs.length} runs</li>`)}<li><i class="band-0"></i>5th to 95th percentile</li><li>across: minutes from the alarm; up: share of the people who are safe</li></ul></figcaption></figure>`;
}

/** Returns for example `A: `; empty if there is only one layout. */
export const letterOf = (layouts: readonly unknown[], place: number): string =>
  layouts.length < 2 ? '' : `${'AB'[place] ?? '?'}: `;

/** End of the time axis: in 95 % of the runs, no person becomes safe later; seconds. */
function curveEndS(layouts: readonly DrillFigures[]): number {
  const lasts = layouts.map(({ all, curve: steps }) => all.last.p95 ?? steps.at(-1)?.s ?? 0);
  return Math.max(60, ...lasts);
}

function curve(layouts: readonly DrillFigures[], endS: number, size: keyof typeof SIZES, about: string): Html {
  const box = SIZES[size];
  const levels = LEVELS.map((percent) => levelLine(box, percent / 100, `${percent} %`));
  const stepS = timeStepMs(endS * 1_000, box.ticks, LEAST_STEP_MS) / 1_000;
  const times = Array.from({ length: Math.floor(endS / stepS) + 1 }, (_, place) => {
    const s = place * stepS;
    return timeLine(box, s / endS, stepS < 60 ? timeText(s) : `${s / 60}${s === 0 ? ' min' : ''}`);
  });
  const points = (steps: readonly CurveStep[], of: 'p5' | 'median' | 'p95') =>
    steps.filter(({ s }) => s <= endS).map((one) => [plotX(box, one.s / endS), plotY(box, one[of] / 100)] as const);
  const lines = layouts.map(({ curve: steps }, i) => {
    const band = bandPath(points(steps, 'p95'), points(steps, 'p5'));
    return html`<path class="band-${i}" d="${band}"/><path class="line-${i}" d="${linePath(points(steps, 'median'))}"/>`;
  });
  return html`<svg viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="Share of safe people over time. ${about}">${levels}${times}${lines}</svg>`;
}
