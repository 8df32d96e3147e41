/** The assembly points of a site as its people know them: position, whether they serve now, and spots to stand in. */

import type { LocalFrame, Point } from '../../../base/geometry/shapes.ts';
import type { Draws } from '../../../base/random/draws.ts';
import type { MusterNotice } from '../../../contract/watch.ts';
import type { Ground } from '../ground/ground.ts';
import { clearance, type FlatRing, flatRing } from '../ground/rings.ts';

/** Approximate radius of a point of which only the position is known; metres. */
const UNKNOWN_M = 8;

/** At this depth inside a ring, a fix of the open yard stays inside, whatever its error; metres. [realism 3.1] */
const DEEP_M = 9;

/**
 * People nearer to the edge than this step towards the middle. Then a watch with the largest error, 9 m, is not 3 m
 * outside twice in a row. Metres. An assumption.
 */
const EDGE_M = 6;

const TRIES = 12;

/** The number of steps that they try towards the middle. */
const STEPS = 4;

/** An assembly point in one muster. */
export interface GatheringPoint {
  /** The id, as watches declare it. */
  readonly id: string;
  readonly ring: FlatRing;
  /** A point inside, always the same. */
  readonly centre: Point;
  /** The height to which people climb there, metres above the ground; 0 for the ground. */
  readonly heightM: number;
  /** The number of people that it holds. */
  readonly capacity: number;
  /** True if the point serves the kind of muster and is not excluded. */
  readonly serves: boolean;
}

/** The points of a notice, in its order. If the ground has an assembly point of that name, its shape is used. */
export function gatheringsOf(notice: MusterNotice, ground: Ground, { toMetres }: LocalFrame): GatheringPoint[] {
  return notice.points.map(({ id, name, vertical, status, serves, ...coordinates }) => {
    const zone = ground.zones.find((one) => one.type === 'assembly_point' && one.name === name);
    const ring = zone?.ring ?? squareAround(toMetres(coordinates));
    return {
      id,
      ring,
      centre: zone?.centre ?? toMetres(coordinates),
      heightM: vertical && zone !== undefined ? refugeOf(zone) : 0,
      capacity: zone?.capacity ?? Number.POSITIVE_INFINITY,
      serves: status === 'available' && serves.includes(notice.kind),
    };
  });
}

/** A random point inside, as far from the border as the polygon allows. The number of draws is fixed, so that no outcome shifts the stream. */
export function spotIn({ ring, centre }: GatheringPoint, draws: Draws, i: number): Point {
  let best = centre;
  let deepest = 0;
  for (let n = 0; n < TRIES; n++) {
    const x = draws.between(i, ring.minX, ring.maxX);
    const y = draws.between(i, ring.minY, ring.maxY);
    const depth = deepest >= DEEP_M ? 0 : Math.min(DEEP_M, -clearance(ring, x, y));
    if (depth > deepest) [best, deepest] = [[x, y], depth];
  }
  const fromMiddle: Point = [best[0] - centre[0], best[1] - centre[1]];
  for (let step = STEPS - 1; step >= 0 && deepest < EDGE_M; step--) {
    const [x, y] = [centre[0] + (fromMiddle[0] * step) / STEPS, centre[1] + (fromMiddle[1] * step) / STEPS];
    const depth = -clearance(ring, x, y);
    if (depth > deepest) [best, deepest] = [[x, y], depth];
  }
  return best;
}

// The lowest floor of refuge that is high enough; otherwise the highest one. The least height includes the service's
// allowance for the error of the barometer. [decisions 6]
function refugeOf({ floors, minHeightM }: Ground['zones'][number]): number {
  const heights = floors.filter(({ refuge }) => refuge === true).map(({ heightM }) => heightM);
  const refuges = (heights.length > 0 ? heights : floors.map(({ heightM }) => heightM)).sort((a, b) => a - b);
  const least = minHeightM ?? refuges[0] ?? 0;
  return refuges.find((heightM) => heightM >= least) ?? refuges.at(-1) ?? 0;
}

function squareAround([x, y]: Point): FlatRing {
  return flatRing([
    [x - UNKNOWN_M, y - UNKNOWN_M],
    [x + UNKNOWN_M, y - UNKNOWN_M],
    [x + UNKNOWN_M, y + UNKNOWN_M],
    [x - UNKNOWN_M, y + UNKNOWN_M],
  ]);
}
