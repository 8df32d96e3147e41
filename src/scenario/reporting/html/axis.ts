/** The time axis of a report's drawings, in two sizes: wide pages and phones. */
import { type Html, html } from '../../../base/text/html.ts';
import { formatClockTime } from '../../../base/time/instants.ts';
import { tenth, timeStepMs } from '../../../watching/drawing/round.ts';

/** Margin on the right, in pixels, so that marks at the end are not clipped. */
const MARGIN = 12;

/** Half the width of a tick label, in pixels. */
const HALF_TICK = 26;

type AxisSize = 'wide' | 'narrow';

/**
 * Values are in pixels of the drawing: the page scales the wide drawing, and shows the narrow one at about its own
 * size.
 */
export interface Axis {
  readonly size: AxisSize;
  readonly width: number;
  /** Width of the column with lane names on the left of the wide drawing. */
  readonly gutter: number;
  readonly fromMs: number;
  readonly endMs: number;
  /** The x coordinate of a time. */
  at(t: number): number;
}

const SIZES = { wide: { width: 700, gutter: 130, ticks: 6 }, narrow: { width: 360, gutter: 8, ticks: 4 } } as const;

function axisOf(size: AxisSize, { fromMs, endMs }: AxisSpan): Axis {
  const { width, gutter } = SIZES[size];
  const length = Math.max(1, endMs - fromMs);
  const share = (t: number) => Math.min(Math.max(t - fromMs, 0), length) / length;
  const at = (t: number) => tenth(gutter + share(t) * (width - gutter - MARGIN));
  return { size, width, gutter, fromMs, endMs, at };
}

/** Simulated ms from the start. */
interface AxisSpan {
  readonly fromMs: number;
  readonly endMs: number;
}

/** Vertical lines at round times with labels on top. */
export function grid({ size, width, fromMs, endMs, at }: Axis, height: number): Html[] {
  const step = timeStepMs(endMs - fromMs, SIZES[size].ticks);
  const lines: Html[] = [];
  for (let t = Math.ceil(fromMs / step) * step; t <= endMs; t += step) {
    const x = at(t);
    const anchor = x < HALF_TICK ? 'start' : x > width - HALF_TICK ? 'end' : 'middle';
    lines.push(
      html`<line class="grid" x1="${x}" x2="${x}" y1="16" y2="${height}"/><text class="tick" text-anchor="${anchor}" x="${x}" y="11">${shortTime(t, step)}</text>`,
    );
  }
  return lines;
}

/** The line at the displayed instant. */
export const cursor = ({ gutter }: Axis, height: number): Html =>
  html`<line class="cursor" x1="${gutter}" x2="${gutter}" y1="14" y2="${height}"/>`;

/** The attributes with which the script converts a position on the drawing into a time. */
export const axisData = ({ width, gutter, fromMs, endMs }: Axis): Html =>
  html` data-width="${width}" data-gutter="${gutter}" data-margin="${MARGIN}" data-from="${fromMs}" data-end="${endMs}"`;

/** The drawing in both sizes; the page shows the one that fits. */
export const inBothSizes = (draw: (axis: Axis) => Html, span: AxisSpan): Html =>
  html`<div class="if-wide">${draw(axisOf('wide', span))}</div><div class="if-narrow">${draw(axisOf('narrow', span))}</div>`;

/** A tooltip with a time and a text. */
export const titleAt = (t: number, text: string): Html => html`<title>${formatClockTime(t)}  ${text}</title>`;

function shortTime(t: number, step: number): string {
  const text = formatClockTime(t).slice(0, 8);
  return step >= 60_000 ? text.slice(0, 5) : text;
}
