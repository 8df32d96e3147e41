/** The people of a run, and ground truth about them, which is in a report only on request. [decisions 4] */
import type { Coordinates } from '../../../base/geometry/shapes.ts';
import { countUpTo } from '../../../base/sorted-numbers.ts';

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
    /** Flattened t, latitude, longitude; in whole parts of a degree. */
    readonly track: readonly number[];
  }[];
  readonly privacyZones: readonly {
    readonly site: string;
    readonly name: string;
    readonly ring: readonly Coordinates[];
  }[];
}

/** Parts of a degree in which coordinates are kept; one is about 1 cm. */
export const DEGREE_PARTS = 1e7;

/** `t`: ms from the start. Null: not known yet. */
export function truePlaceAt(track: readonly number[], t: number): { latitude: number; longitude: number } | null {
  const count = countUpTo(track.length / 3, (place) => track[3 * place] as number, t);
  const [latitude, longitude] = [track[3 * count - 2], track[3 * count - 1]];
  return latitude === undefined || longitude === undefined
    ? null
    : { latitude: latitude / DEGREE_PARTS, longitude: longitude / DEGREE_PARTS };
}
