/** Vehicles: their position, driver and pace. */
import type { Point } from '../../base/geometry/shapes.ts';
import type { FleetVehicle } from './ground/site.ts';

export interface DrivenVehicle {
  readonly name: string;
  readonly type: string;
  /** Metres per second. */
  readonly pace: number;
  /** The parking position of a vehicle without a driver. */
  at: Point;
}

/** Metres per second of a vehicle of an unknown type. */
export const USUAL_PACE = 5;

/** The paces of vehicles on a plant, loaded; metres per second. The first word that the type contains decides. */
const PACES: readonly (readonly [word: string, pace: number])[] = [
  ['forklift', 3],
  ['transporter', 1.5],
  ['carrier', 3.5],
  ['stacker', 4.5],
  ['loader', 4],
  ['crane', 1.5],
  ['pickup', 7],
  ['truck', 6],
  ['van', 7],
  ['car', 7],
];

export function paceOf({ pace, type }: Pick<FleetVehicle, 'pace' | 'type'>): number {
  return pace ?? PACES.find(([word]) => type.toLowerCase().includes(word))?.[1] ?? USUAL_PACE;
}
