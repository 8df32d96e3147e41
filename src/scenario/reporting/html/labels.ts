/** How much room a text on a drawing takes, and whether two overlap. */
import type { Point } from '../../../base/geometry.ts';

/** Of a sans serif font, on average: width of a character in parts of its size; a little more than most have. */
const CHARACTER = 0.6;

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The room of a text that hangs from `at`, centred. */
export function boxOf(text: string, [x, y]: Point, font: number): Box {
  const half = (text.length * font * CHARACTER) / 2;
  return { left: x - half, right: x + half, top: y, bottom: y + font * 1.2 };
}

export const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
