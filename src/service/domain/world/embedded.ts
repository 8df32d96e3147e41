/** Values that are contained in several documents. */
import type { Instant } from '../../../base/time/clock.ts';
import type { LocationSource } from '../../../contract/enumerations.ts';
import type { Worker } from './plant.ts';

/** A position as a watch reported it, not yet masked. */
export interface Fix {
  readonly latitude: number;
  readonly longitude: number;
  readonly uncertaintyM: number | null;
  readonly source: Exclude<LocationSource, 'zone'>;
  readonly height: {
    readonly heightM: number;
    readonly uncertaintyM: number;
    readonly building: string | null;
    readonly floor: string | null;
  } | null;
  readonly inVehicle: boolean;
  /** The service's time of the fix: the time of the watch's clock, but never after the arrival. */
  readonly at: Instant;
}

export type WorkerSnapshot = Pick<Worker, 'id' | 'externalId' | 'name' | 'contractor'>;

export interface TimelineEntry {
  readonly at: Instant;
  readonly what: string;
  readonly by: string | null;
  readonly reason: string | null;
  readonly note: string | null;
}
