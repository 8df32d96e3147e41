/** Where people are at the start: inside their zone, and in no other that they may not enter. */
import { minimumWidth, type Point, randomPointIn, representativePoint, signedDistance } from '../base/geometry.ts';
import type { Stream } from '../base/streams.ts';
import type { PlannedZone } from './plan.ts';

/** Far enough from the border that a fix with its noise is inside too; metres. */
const COMFORT_M = 6;

const TRIES = 60;

/** A point inside the zone, away from its border where the zone is wide enough, and outside all other guarded, private and assembly zones. */
export function startPoint(zone: PlannedZone, zones: readonly PlannedZone[], stream: Stream): Point {
  const margin = Math.min(COMFORT_M, minimumWidth(zone.ring) / 4);
  const others = zones.filter((other) => other !== zone && isApart(other));
  for (let i = 0; i < TRIES; i++) {
    const point = randomPointIn(zone.ring, stream);
    if (signedDistance(point, zone.ring) >= margin && !zoneAt(point, others)) return point;
  }
  return representativePoint(zone.ring);
}

/** The smallest of the zones that holds the point: its building rather than its yard. */
export function zoneAt(point: Point, zones: readonly PlannedZone[]): PlannedZone | undefined {
  const holding = zones.filter((zone) => signedDistance(point, zone.ring) >= 0);
  return holding.sort((a, b) => minimumWidth(a.ring) - minimumWidth(b.ring))[0];
}

/** Whether entering without a permit raises an alert. [decisions 5] */
export function isGuarded(zone: PlannedZone): boolean {
  return zone.type === 'restricted' || zone.type === 'forbidden';
}

function isApart(zone: PlannedZone): boolean {
  return isGuarded(zone) || zone.type === 'privacy' || zone.type === 'assembly_point';
}
