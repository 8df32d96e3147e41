/** What of a site a map shows, in metres around the middle of its boundary; y grows to the south as in SVG. */
import { type Frame, frame, type Point } from '../../base/geometry.ts';
import type { Polygon } from '../../contract/resources.ts';
import type { StreamSite } from '../../contract/stream.ts';

/** A rectangle of the ground. */
export interface Window {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface SiteFrame {
  readonly flat: Frame;
  /** As far as the boundary. */
  readonly whole: Window;
  /** As far as the zones: where people are. */
  readonly zones: Window;
}

const frames = new WeakMap<StreamSite, SiteFrame>();

export function frameOf(site: StreamSite): SiteFrame {
  let known = frames.get(site);
  if (known === undefined) {
    const flat = flatOf(site);
    const whole = around(ringOf(flat, site.boundary));
    const corners = site.zones.flatMap(({ geometry }) => (geometry === null ? [] : ringOf(flat, geometry)));
    known = { flat, whole, zones: corners.length === 0 ? whole : around(corners) };
    frames.set(site, known);
  }
  return known;
}

function flatOf({ boundary }: StreamSite): Frame {
  const ring = boundary.coordinates[0] ?? [];
  const middle = (axis: 0 | 1): number => {
    const values = ring.map((corner) => corner[axis] as number);
    return (Math.min(...values) + Math.max(...values)) / 2;
  };
  return frame({ latitude: middle(1), longitude: middle(0) });
}

export const ringOf = (flat: Frame, { coordinates }: Polygon): Point[] =>
  (coordinates[0] ?? []).map(([longitude, latitude]) => flat.toMetres({ longitude, latitude }));

/** With a margin, in the form of a screen: no sliver of a long quay. */
function around(points: readonly Point[]): Window {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => -y)];
  const [west, north, east, south] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const margin = Math.max(east - west, south - north, 50) * 0.05;
  const height = Math.max(south - north + 2 * margin, (east - west) * 0.45);
  const width = Math.max(east - west + 2 * margin, height * 1.3);
  return { x: (west + east - width) / 2, y: (north + south - height) / 2, width, height };
}

/** All of the site, as far out as one can look. */
export const wholeOf = (site: StreamSite): Window => frameOf(site).whole;
/** What a map shows first. */
export const firstOf = (site: StreamSite): Window => frameOf(site).zones;

/** Metres of a CSS pixel in a box of that size. */
export const scaleOf = ({ width, height }: Window, widthPx: number, heightPx: number): number =>
  Math.max(width / Math.max(1, widthPx), height / Math.max(1, heightPx));

/** A map is drawn in whole decimetres: digits of a fraction cost more to write and to read than the map is worth. */
export const deci = (metres: number): number => Math.round(metres * 10);

export const viewBoxOf = ({ x, y, width, height }: Window): string => [x, y, width, height].map(deci).join(' ');

export const overlap = (a: Window, b: Window): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
