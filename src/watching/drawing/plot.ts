/** A plot of curves over time: its box, the lines of its grid, and the paths of curves. */
import type { Point } from '../../base/geometry/shapes.ts';
import { type Html, html } from '../../base/text/html.ts';
import { tenth } from './round.ts';

/** In units of the drawing: the whole, and the margins around the curves. */
interface PlotBox {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** `share` counts from the left, or from below: 0 to 1. */
export const plotX = ({ width, left, right }: PlotBox, share: number): number =>
  tenth(left + share * (width - left - right));
export const plotY = ({ height, top, bottom }: PlotBox, share: number): number =>
  tenth(height - bottom - share * (height - top - bottom));

/** A vertical line, with its time below. */
export function timeLine(box: PlotBox, share: number, label: string): Html {
  const [x, floor] = [plotX(box, share), box.height - box.bottom];
  return html`<path class="grid" d="M${x},${box.top}V${floor}"></path><text class="tick" text-anchor="middle" x="${x}" y="${floor + 18}">${label}</text>`;
}

/** A horizontal line, with its value on the left. */
export function levelLine(box: PlotBox, share: number, label: string): Html {
  const y = plotY(box, share);
  return html`<path class="grid" d="M${box.left},${y}H${box.width - box.right}"></path>${levelLabel(box, y, label)}`;
}

export const levelLabel = ({ left }: PlotBox, y: number, label: string): Html =>
  html`<text class="tick" text-anchor="end" x="${left - 6}" y="${tenth(y + 4)}">${label}</text>`;

/** The corners of a curve of which each value holds until the next one, and the last until `endX`. */
export function stepped(points: readonly Point[], endX: number): Point[] {
  const corners: Point[] = [];
  let before: number | null = null;
  for (const [x, y] of points) {
    if (y === before) continue;
    if (before !== null) corners.push([x, before]);
    corners.push([x, y]);
    before = y;
  }
  if (before !== null) corners.push([endX, before]);
  return corners;
}

export const linePath = (points: readonly Point[]): string => `M${points.map(([x, y]) => `${x},${y}`).join('L')}`;

/** The area between two curves. */
export const bandPath = (upper: readonly Point[], lower: readonly Point[]): string =>
  `${linePath([...upper, ...lower.toReversed()])}Z`;
