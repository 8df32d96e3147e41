/** The people of a run, and ground truth about them, which is in a report only on request. [decisions 4] */
import type { Coordinates } from '../../../base/geometry/shapes.ts';

/** A worker whom an unscoped client of the company sees during the run. */
export interface ReportPerson {
  readonly workerId: string;
  /** Short name in the scenario. */
  readonly who: string;
  /** In the staff system. */
  readonly code: string | null;
}

/** What no client may see; only on request. [decisions 4] */
export interface ReportTruth {
  readonly people: readonly {
    readonly workerId: string;
    /** The name of the plan; null for somebody whom it does not have. */
    readonly name: string | null;
    /** Flattened t, latitude, longitude; degrees in 1e7 parts. */
    readonly track: readonly number[];
  }[];
  readonly privacyZones: readonly {
    readonly site: string;
    readonly name: string;
    readonly ring: readonly Coordinates[];
  }[];
}

const PARTS = 1e7;

/** `t`: ms from the start. Null: not known yet. */
export function truePlaceAt(track: readonly number[], t: number): { latitude: number; longitude: number } | null {
  let [low, high] = [0, track.length / 3];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((track[3 * middle] as number) <= t) low = middle + 1;
    else high = middle;
  }
  const [latitude, longitude] = [track[3 * low - 2], track[3 * low - 1]];
  return latitude === undefined || longitude === undefined
    ? null
    : { latitude: latitude / PARTS, longitude: longitude / PARTS };
}
