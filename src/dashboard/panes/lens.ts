/** The context in which the layers of the map are drawn. */
import type { LocalFrame, Point } from '../../base/geometry/shapes.ts';
import { NOT_SAFE_STATUSES } from '../../contract/resources/vocabulary.ts';
import type { PersonRow, ShownStatus } from '../../watching/state/people.ts';
import { type Canvas, PERSON_RANK } from '../terminal/canvas.ts';
import type { Role } from '../terminal/theme.ts';

/** Converts metres to dots and cells of the canvas. */
export interface Lens {
  readonly flat: LocalFrame;
  readonly canvas: Canvas;
  readonly toDot: (point: Point) => [number, number];
  readonly toCell: (point: Point) => [number, number];
  readonly metresPerCell: number;
}

/** The key of a cell in sets and maps. */
export const placeOf = (x: number, y: number): number => y * WIDEST + x;
export const cellOf = (place: number): { x: number; y: number } => ({
  x: place % WIDEST,
  y: Math.floor(place / WIDEST),
});
/** Cells; wider than any terminal. */
const WIDEST = 10_000;

/** A higher rank covers a lower one. */
const RANKED: readonly ShownStatus[] = ['safe', 'person', ...NOT_SAFE_STATUSES.toReversed()];
export const rankOfStatus = (status: ShownStatus): number => PERSON_RANK + RANKED.indexOf(status);

/** Returns the position in metres; null if it is unknown or out of view. */
export function pointOf(lens: Lens, { person: { location } }: PersonRow): Point | null {
  if (location === null) return null;
  const point = lens.flat.toMetres(location);
  const [x, y] = lens.toDot(point).map(Math.round) as [number, number];
  return x < 0 || y < 0 || x >= lens.canvas.width || y >= lens.canvas.height ? null : point;
}

export type LabelWriter = (
  x: number,
  y: number,
  text: string,
  role: Role,
  options?: {
    /** Write the label even over other labels. */
    readonly anyway?: boolean;
    /** Write the label at this cell or not at all. */
    readonly exactly?: boolean;
    /** Write the label over the shades of a crowd too; a crowd must not hide people whose names are shown. */
    readonly overCrowd?: boolean;
    /** The side of the label on which its glyph is. */
    readonly touches?: 'left' | 'right';
  },
) => boolean;
