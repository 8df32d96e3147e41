/** The part of a site that a map shows, in metres from the middle of its boundary; y grows to the south as in SVG. */
import type { Box } from '../../base/geometry/boxes.ts';
import { bounds, type Point } from '../../base/geometry/shapes.ts';
import type { StreamSite } from '../../contract/stream.ts';
import { siteFrameOf } from '../state/site-frame.ts';

/** The whole boundary: the largest view of a map. */
export const wholeOf = (site: StreamSite): Box => around(siteFrameOf(site).boundary);

/** The initial view of a map: all zones, where people are. */
export function firstOf(site: StreamSite): Box {
  const corners = siteFrameOf(site).zones.flatMap(({ ring }) => ring);
  return corners.length === 0 ? wholeOf(site) : around(corners);
}

/** Adds a margin, and limits the aspect ratio, so that a long quay is not drawn as a thin strip. */
function around(points: readonly Point[]): Box {
  const { minX, minY, maxX, maxY } = bounds(points);
  const [dx, dy] = [maxX - minX, maxY - minY];
  const margin = Math.max(dx, dy, 50) * 0.05;
  const height = Math.max(dy + 2 * margin, dx * 0.45);
  const width = Math.max(dx + 2 * margin, height * 1.3);
  return { x: (minX + maxX - width) / 2, y: (-minY - maxY - height) / 2, width, height };
}

/** Metres per CSS pixel in a box of that size. */
export const scaleOf = ({ width, height }: Box, widthPx: number, heightPx: number): number =>
  Math.max(width / Math.max(1, widthPx), height / Math.max(1, heightPx));

/** A map is drawn in whole decimetres: fractions cost bytes and are not visible. */
export const deci = (metres: number): number => Math.round(metres * 10);

export const viewBoxOf = ({ x, y, width, height }: Box): string => [x, y, width, height].map(deci).join(' ');
