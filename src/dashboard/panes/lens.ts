/** The context in which the layers of the map are drawn. */
import type { LocalFrame, Point } from '../../base/geometry/shapes.ts';
import type { Canvas } from '../terminal/canvas.ts';
import type { Role } from '../terminal/theme.ts';

/** Converts metres to dots and cells of the canvas. */
export interface Lens {
  readonly flat: LocalFrame;
  readonly canvas: Canvas;
  readonly toDot: (point: Point) => [number, number];
  readonly toCell: (point: Point) => [number, number];
  readonly metresPerCell: number;
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
