/** The curve of a drill as inline SVG: the median share of safe people over time, with a band from the 5th to the 95th percentile. */
import { Html, html } from '../base/text/html.ts';
import type { CurveStep, DrillFigures } from './figures.ts';
import { timeText } from './words.ts';

/** In pixels of the drawing; the page shows the one that fits. */
const SIZES = {
  wide: { width: 1_000, height: 340, left: 52, right: 16, top: 14, bottom: 32, ticks: 12 },
  narrow: { width: 360, height: 260, left: 44, right: 10, top: 12, bottom: 30, ticks: 5 },
} as const;

const LEVELS = [0, 25, 50, 75, 90, 100] as const;

/** Marks on the time axis, seconds. */
const TICKS_S = [10, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200] as const;

/** One line for each layout, in one picture. */
export function curveFigure(layouts: readonly DrillFigures[]): Html {
  const endS = curveEndS(layouts);
  const about = layouts
    .map(({ layout, all }) => `${layout.planned.name}: half are safe after ${timeText(all.shares[50].median)}`)
    .join('; ');
  const draw = (size: keyof typeof SIZES): Html => curve(layouts, endS, size, about);
  return html`<figure class="curve"><div class="if-wide">${draw('wide')}</div><div class="if-narrow">${draw('narrow')}</div>
<figcaption><ul class="legend">${layouts.map((one, i) => html`<li><i class="line-${i}"></i>${letterOf(layouts, i)}${one.layout.planned.name}: median of ${one.runs.length} runs</li>`)}<li><i class="band-0"></i>5th to 95th percentile</li><li>across: minutes from the alarm; up: share of the people who are safe</li></ul></figcaption></figure>`;
}

/** `A: `, where there are two. */
export const letterOf = (layouts: readonly unknown[], place: number): string =>
  layouts.length < 2 ? '' : `${'AB'[place] ?? '?'}: `;

/** Where the picture ends: in most runs nobody arrives later; seconds. */
function curveEndS(layouts: readonly DrillFigures[]): number {
  const lasts = layouts.map(({ all, curve: steps }) => all.last.p95 ?? steps.at(-1)?.s ?? 0);
  return Math.max(60, ...lasts);
}

function curve(layouts: readonly DrillFigures[], endS: number, size: keyof typeof SIZES, about: string): Html {
  const { width, height, left, right, top, bottom, ticks } = SIZES[size];
  const x = (s: number): string => fixed(left + (Math.min(s, endS) / endS) * (width - left - right));
  const y = (percent: number): string => fixed(height - bottom - (percent / 100) * (height - top - bottom));
  const levels = LEVELS.map(
    (percent) =>
      `<path class="grid" d="M${left},${y(percent)}H${width - right}"/><text class="tick" x="${left - 6}" y="${y(percent)}" dy="4" text-anchor="end">${percent} %</text>`,
  );
  const step = TICKS_S.find((one) => endS / one <= ticks) ?? 14_400;
  const times: string[] = [];
  for (let s = 0; s <= endS; s += step)
    times.push(
      `<path class="grid" d="M${x(s)},${top}V${height - bottom}"/><text class="tick" x="${x(s)}" y="${height - bottom + 18}" text-anchor="middle">${step < 60 ? timeText(s) : `${s / 60}${s === 0 ? ' min' : ''}`}</text>`,
    );
  const path = (steps: readonly CurveStep[], of: 'p5' | 'median' | 'p95'): string[] =>
    steps.filter(({ s }) => s <= endS).map((one) => `${x(one.s)},${y(one[of])}`);
  const lines = layouts.map(({ curve: steps }, i) => {
    const band = [...path(steps, 'p95'), ...path(steps, 'p5').toReversed()];
    return `<path class="band-${i}" d="M${band.join('L')}Z"/><path class="line-${i}" d="M${path(steps, 'median').join('L')}"/>`;
  });
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Share of safe people over time. ${about}">${new Html([...levels, ...times, ...lines].join(''))}</svg>`;
}

const fixed = (value: number): string => String(Math.round(value * 10) / 10);
