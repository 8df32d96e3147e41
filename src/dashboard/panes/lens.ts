/** The drawing context of the layers of the map. */
import type { LocalFrame, Point } from '../../base/geometry/shapes.ts';
import type { Canvas } from '../terminal/canvas.ts';
import type { Role } from '../terminal/theme.ts';

/** From metres to dots and cells of the canvas. */
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
    /** Also over other labels. */
    readonly anyway?: boolean;
    /** At this cell or nowhere. */
    readonly exactly?: boolean;
    /** Also over the shades of a crowd, which may hide nobody who is named. */
    readonly overCrowd?: boolean;
    /** The side of the glyph that it belongs to. */
    readonly touches?: 'left' | 'right';
  },
) => boolean;
