/** Open gaps between walls that are too narrow for people: a site file with one gets a warning. */
import { distance, type Point, signedDistance } from '../base/geometry/shapes.ts';
import { quoted } from '../contract/sentences.ts';
import type { FilePlace } from './mistakes.ts';
import type { PlannedZone } from './plan.ts';

/**
 * A narrower gap between walls gets a warning: only doors and stairs limit a flow of people, so a crowd in it would be
 * denser than possible; metres.
 */
const NARROW_M = 1.5;

/** Walls that are nearer than this touch, so that nobody walks between them; metres. */
const TOUCHING_M = 0.3;

/** Warns of open gaps between two walled zones. A gap is not a door: the model lets any number of people through it. */
export function sayNarrow(zones: readonly PlannedZone[], at: FilePlace): void {
  const walled = zones.filter(isWalled);
  const advice = `more people would walk between them than fit. Close the gap, make it ${NARROW_M} m or wider, or draw`;
  for (const [i, { name, ring }] of walled.entries()) {
    const slotM = slotOf(ring);
    if (slotM !== null)
      at.of('zones', name).warning(
        `Two walls of ${quoted(name)} are ${slotM.toFixed(1)} m apart outside of it, and ${advice} a door there.`,
        'key',
      );
    for (const other of walled.slice(i + 1)) {
      const gapM = gapBetween(ring, other.ring);
      if (gapM <= TOUCHING_M || gapM >= NARROW_M) continue;
      at.of('zones', other.name).warning(
        `${quoted(name)} and ${quoted(other.name)} are ${gapM.toFixed(1)} m apart, and ${advice} one zone with a door there.`,
        'key',
      );
    }
  }
}

/** As for the emulated people, who enter such a zone only by its doors. */
const isWalled = ({ type, floors, doors }: PlannedZone): boolean =>
  type === 'building' || floors.length > 0 || doors.length > 0;

/**
 * A slot's depth is measured by the way along the walls, in widths of the slot. A recess with a shorter way is not a
 * passage.
 */
const SLOT_DEPTH = 6;

/**
 * The width in metres of the narrowest slot between two walls of one outline, outside of it; null if none is too narrow
 * for people.
 */
function slotOf(ring: readonly Point[]): number | null {
  const sides = ring.map((from, k) => distance(from, ring[(k + 1) % ring.length]!));
  let narrowest: number | null = null;
  for (const [k, corner] of ring.entries())
    for (const [side, from] of ring.entries()) {
      const to = ring[(side + 1) % ring.length]!;
      if (side === k || (side + 1) % ring.length === k) continue;
      const nearest = nearestOn(corner, from, to);
      const gapM = distance(corner, nearest);
      if (gapM <= TOUCHING_M || gapM >= (narrowest ?? NARROW_M)) continue;
      const middle: Point = [(corner[0] + nearest[0]) / 2, (corner[1] + nearest[1]) / 2];
      if (signedDistance(middle, ring) >= 0) continue;
      // The lengths along the walls from one side of the slot to the other, in both directions.
      const onward = alongSides(sides, k, side) + distance(from, nearest);
      const back = alongSides(sides, (side + 1) % ring.length, k) + distance(to, nearest);
      if (Math.min(onward, back) >= SLOT_DEPTH * gapM) narrowest = gapM;
    }
  return narrowest;
}

/** Metres along the sides from one corner to another. */
function alongSides(sides: readonly number[], from: number, to: number): number {
  let sum = 0;
  for (let k = from; k !== to; k = (k + 1) % sides.length) sum += sides[k]!;
  return sum;
}

/** Metres between two outlines; 0 if one is inside the other. */
function gapBetween(one: readonly Point[], other: readonly Point[]): number {
  const corners = [
    ...one.map((corner) => -signedDistance(corner, other)),
    ...other.map((corner) => -signedDistance(corner, one)),
  ];
  return Math.max(0, Math.min(...corners));
}

/** The point of a side that is nearest to a corner. */
function nearestOn([x, y]: Point, [fromX, fromY]: Point, [toX, toY]: Point): Point {
  const [alongX, alongY] = [toX - fromX, toY - fromY];
  const share = ((x - fromX) * alongX + (y - fromY) * alongY) / (alongX * alongX + alongY * alongY || 1);
  const within = Math.min(1, Math.max(0, share));
  return [fromX + within * alongX, fromY + within * alongY];
}
