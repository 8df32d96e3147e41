/** The time axis of a report's drawings, in two sizes: wide pages and phones. */
import { type Html, html } from '../../../base/text/html.ts';
import { formatClockTime } from '../../../base/time/instants.ts';
import { tenth, timeStepMs } from '../../../drawing/round.ts';

/** Margin on the right, in pixels, so that marks at the end are not clipped. */
const MARGIN = 12;

/** Half the width of a tick label, in pixels. */
const HALF_TICK = 26;

type AxisSize = 'wide' | 'narrow';

/** In pixels of the drawing: the page scales the wide one and shows the narrow one at about its size. */
export interface Axis {
  readonly size: AxisSize;
  readonly width: number;
  /** Width of the lane names on the left of the wide drawing. */
  readonly gutter: number;
  readonly endMs: number;
  /** The x coordinate of a time. */
  at(t: number): number;
}

const SIZES = { wide: { width: 1_000, gutter: 150, ticks: 9 }, narrow: { width: 360, gutter: 8, ticks: 4 } } as const;

function axisOf(size: AxisSize, endMs: number): Axis {
  const { width, gutter } = SIZES[size];
  const length = Math.max(1, endMs);
  const at = (t: number) => tenth(gutter + (Math.min(Math.max(t, 0), length) / length) * (width - gutter - MARGIN));
  return { size, width, gutter, endMs, at };
}

/** Vertical lines at round times with labels on top. */
export function grid({ size, width, endMs, at }: Axis, height: number): Html[] {
  const step = timeStepMs(endMs, SIZES[size].ticks);
  const lines: Html[] = [];
  for (let t = 0; t <= endMs; t += step) {
    const x = at(t);
    const anchor = x < HALF_TICK ? 'start' : x > width - HALF_TICK ? 'end' : 'middle';
    lines.push(
      html`<line class="grid" x1="${x}" x2="${x}" y1="16" y2="${height}"/><text class="tick" text-anchor="${anchor}" x="${x}" y="11">${shortTime(t, step)}</text>`,
    );
  }
  return lines;
}

/** The line that the slider moves. */
export const cursor = ({ gutter }: Axis, height: number): Html =>
  html`<line class="cursor" x1="${gutter}" x2="${gutter}" y1="14" y2="${height}"/>`;

/** The drawing in both sizes; the page shows the fitting one. */
export const inBothSizes = (draw: (axis: Axis) => Html, endMs: number): Html =>
  html`<div class="if-wide">${draw(axisOf('wide', endMs))}</div><div class="if-narrow">${draw(axisOf('narrow', endMs))}</div>`;

function shortTime(t: number, step: number): string {
  const text = formatClockTime(t).slice(0, 8);
  return step >= 60_000 ? text.slice(0, 5) : text;
}
