/** How a queue fills the ground at a door: a half-disc before a wall, a long line in a corridor. [realism 7.3] */
import type { Point } from '../../base/geometry/shapes.ts';
import { buildingAt, type Ground } from './ground/ground.ts';
import { insideRing } from './ground/rings.ts';

/** The density of people who wait. [realism 7.3] */
const PACKED_PER_M2 = 2.5;

/** The width of a ring. People move up by this length, so that an admission moves one person of each ring; metres. */
const RING_M = 0.5;

/** Beyond this distance from the door, the ground counts as wide as it is there; metres. */
const LOOKED_AT_M = 12;

/** The spacing of the points at which the ground is sampled; metres. */
const STEP_M = 0.25;

/** Beyond this position in a queue, all people stand at the same distance. */
const MOST_PLACES = 4_096;

/** Distance that a person keeps from the passage, metres, by the number of people ahead; `at`: where the passage begins. */
export function queueGaps(ground: Ground, at: Point): Float64Array {
  const perRing = walkableRings(ground, at).map((m2) => m2 * PACKED_PER_M2);
  const gaps = new Float64Array(MOST_PLACES);
  let ring = 0;
  // There is always room for the first person.
  let room = Math.max(1, perRing[0]!);
  for (let ahead = 0; ahead < MOST_PLACES; ahead++) {
    while (room <= ahead) {
      ring += 1;
      room += Math.max(RING_M, perRing[Math.min(ring, perRing.length - 1)]!);
    }
    gaps[ahead] = ring * RING_M;
  }
  return gaps;
}

/** Walkable square metres of each ring around the point, on the same side of the walls. */
function walkableRings(ground: Ground, [x, y]: Point): number[] {
  const rings = Array.from({ length: LOOKED_AT_M / RING_M }, () => 0);
  const side = buildingAt(ground, x, y);
  const steps = LOOKED_AT_M / STEP_M;
  for (let column = -steps; column < steps; column++)
    for (let row = -steps; row < steps; row++) {
      const [dx, dy] = [(column + 0.5) * STEP_M, (row + 0.5) * STEP_M];
      const ring = Math.floor(Math.sqrt(dx * dx + dy * dy) / RING_M);
      if (ring >= rings.length || buildingAt(ground, x + dx, y + dy) !== side) continue;
      if (!ground.water.some((water) => insideRing(water, x + dx, y + dy))) rings[ring]! += STEP_M * STEP_M;
    }
  return rings;
}
