/** The time axis that all drawings of a report share. */
import { type Html, html } from '../../base/html.ts';
import { formatClockTime } from '../../base/instants.ts';

/** Pixels of the drawing's own measure; the page scales it. */
export const WIDTH = 1_000;
/** Where the names of the lanes stand. */
export const GUTTER = 130;

const STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400];

/** Where a moment stands, in pixels. */
export type Across = (t: number) => number;

export const across = (endMs: number): Across => {
  const length = Math.max(1, endMs);
  return (t) => round(GUTTER + (Math.min(Math.max(t, 0), length) / length) * (WIDTH - GUTTER - 12));
};

export const round = (pixels: number): number => Math.round(pixels * 10) / 10;

/** Lines at round times over the whole height, each with its time on top. */
export function grid(endMs: number, height: number): Html[] {
  const x = across(endMs);
  const step = (STEPS_S.find((seconds) => endMs / 1000 / seconds <= 9) ?? 172_800) * 1000;
  const lines: Html[] = [];
  for (let t = 0; t <= endMs; t += step)
    lines.push(
      html`<line class="grid" x1="${x(t)}" x2="${x(t)}" y1="16" y2="${height}"/><text class="tick" x="${x(t)}" y="11">${shortTime(t, step)}</text>`,
    );
  return lines;
}

function shortTime(t: number, step: number): string {
  const text = formatClockTime(t).slice(0, 8);
  return step >= 60_000 ? text.slice(0, 5) : text;
}
