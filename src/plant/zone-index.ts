/** Finds the zone at a point among the zones of a plant, without computing the distance to each. */
import {
  bounds,
  minimumWidth,
  type Point,
  type Ring,
  representativePoint,
  signedDistance,
} from '../base/geometry/shapes.ts';
import type { PlannedZone } from './plan.ts';

/** Metres by which a box is larger than its ring: a point this near to the border counts as on it. */
const BORDER_M = 1e-3;

/** Zones from the narrowest to the widest, each with its bounding box. */
export class ZoneIndex {
  readonly #zones: readonly PlannedZone[];
  /** Four numbers for each zone: west, south, east, north. */
  readonly #boxes: Float64Array;

  constructor(zones: readonly PlannedZone[]) {
    this.#zones = zones.toSorted((a, b) => widthOf(a.ring) - widthOf(b.ring));
    this.#boxes = new Float64Array(4 * zones.length);
    for (const [i, { ring }] of this.#zones.entries()) {
      const { minX, minY, maxX, maxY } = bounds(ring);
      this.#boxes.set([minX - BORDER_M, minY - BORDER_M, maxX + BORDER_M, maxY + BORDER_M], 4 * i);
    }
  }

  /** The narrowest zone that contains the point: its building rather than its yard. `except` is skipped. */
  at([x, y]: Point, except?: PlannedZone): PlannedZone | undefined {
    const boxes = this.#boxes;
    for (let i = 0, at = 0; at < boxes.length; i++, at += 4) {
      if (x < boxes[at]! || x > boxes[at + 2]! || y < boxes[at + 1]! || y > boxes[at + 3]!) continue;
      const zone = this.#zones[i]!;
      if (zone !== except && signedDistance([x, y], zone.ring) >= 0) return zone;
    }
    return undefined;
  }
}

/** Memoises a value for each ring, since many people start in one zone. */
function remembered<T>(compute: (ring: Ring) => T): (ring: Ring) => T {
  const known = new WeakMap<Ring, { readonly value: T }>();
  return (ring) => {
    const found = known.get(ring) ?? { value: compute(ring) };
    known.set(ring, found);
    return found.value;
  };
}

export const widthOf = remembered(minimumWidth);
export const middleOf = remembered(representativePoint);
