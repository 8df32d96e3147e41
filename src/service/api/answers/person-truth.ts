/** Ground truth as the API shows it to the control token. [decisions 4] */

/** Ground truth about the wearer of an emulated watch. */
export interface PersonTruth {
  readonly workerId: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Metres above the ground, if the place has floors. */
  readonly heightM: number | null;
  readonly floor: string | null;
  /** The smallest zone that holds the person. */
  readonly zone: string | null;
  readonly inVehicle: boolean;
  /** Null if the watch has no wrist sensor. */
  readonly worn: boolean | null;
  readonly activity: string;
}
