/** The sensors of watches: the real position plus errors that drift, and the reported uncertainty. [realism 3.1, 3.2] */

import type { Point } from '../../base/geometry/shapes.ts';
import { Draws } from '../../base/random/draws.ts';
import { exp, length } from '../../base/random/portable-math.ts';
import type { Instant } from '../../base/time/clock.ts';
import type { KeptSenses } from '../kept/documents.ts';
import { besideShelter, buildingAt, type Ground, wallDistance } from '../people/ground/ground.ts';

/** The reception at a place: the source, one sigma along an axis in metres, and how long an error lasts. */
export interface Reception {
  readonly source: 'gps' | 'network';
  readonly sigmaM: number;
  readonly tauMs: number;
}

interface Sensed {
  readonly point: Point;
  /**
   * Radius that contains the real position in 68 of 100 cases, as Android defines it; null if the watch does not report
   * it.
   */
  readonly uncertaintyM: number | null;
  readonly source: 'gps' | 'network';
}

/** Reception in the open. [realism 3.1] */
const OPEN_YARD: Reception = { source: 'gps', sigmaM: 3, tauMs: 60_000 };
/** Reception between tall structures. [realism 3.1] */
const NEAR_WALLS: Reception = { source: 'gps', sigmaM: 8, tauMs: 90_000 };
const INDOOR_TAU_MS = 20_000;

/** The site's own network is denser in some buildings than in others; one sigma, metres. [realism 3.1, site network] */
const INDOOR_SIGMA_M = { min: 5, max: 8 } as const;

/** Reception in a shelter where people are counted, with a beacon on each floor. An assumption. */
const SHELTER: Reception = { source: 'network', sigmaM: 4, tauMs: INDOOR_TAU_MS };

/** Range of the beacons of a shelter outside of its walls; metres. An assumption. */
const BEACON_M = 25;

/** At this distance from a wall or less, half of the sky is hidden; metres. An assumption. */
const NEAR_M = 15;

/** The 68 % radius, in sigmas of one axis. [realism 3.1] */
const R68 = 1.51;

/**
 * The reported uncertainty of a watch is log-normal with a standard deviation of 0.25, truncated at twice that
 * [realism 3.1]. Most of the variation is real: the view of the sky is better or worse for some minutes, and the watch
 * knows this. The rest is an error of the watch. If all of it were an error, 92.5 % of the position errors instead of
 * 95 % would be within 1.62 times the reported uncertainty.
 */
const SKY_SPREAD = 0.22;
const SKY_TAU_MS = 10 * 60_000;
const STATED_SPREAD = 0.12;
const STATED_LIMIT = 2;

/** Share of fixes without an uncertainty. [realism 3.1] */
const UNKNOWN_SHARE = 0.02;

/**
 * Errors are limited to this many sigmas, since receivers discard larger ones. This affects one fix in 90. The margin
 * of people's routes is derived from this limit.
 */
const MOST_SIGMAS = 3;

/** When the environment changes, the error grows or shrinks in about this time. [realism 3.1] */
const BLEND_MS = 5_000;

/** One sigma of a barometer with the site's reference; metres. [realism 3.2] */
export const HEIGHT_SIGMA_M = 0.7;
const HEIGHT_TAU_MS = 20 * 60_000;

/** The reception at a point. */
export function receptionAt(ground: Ground, [x, y]: Point): Reception {
  const building = buildingAt(ground, x, y);
  if (building >= 0) return ground.zones[building]!.type === 'assembly_point' ? SHELTER : indoors(building);
  return wallDistance(ground, x, y, NEAR_M) < NEAR_M ? NEAR_WALLS : OPEN_YARD;
}

/**
 * True if a watch outside receives the beacons of a shelter, and so knows that it is on the ground. Then a fix with an
 * error towards the inside is not mistaken for a person upstairs.
 */
export const receivesShelter = (ground: Ground, [x, y]: Point): boolean => besideShelter(ground, x, y, BEACON_M);

// Depends on the building only, so that it is the same for all watches: golden-ratio steps through the range.
function indoors(building: number): Reception {
  const { min, max } = INDOOR_SIGMA_M;
  const share = (building * 0.618034) % 1;
  return { source: 'network', sigmaM: min + share * (max - min), tauMs: INDOOR_TAU_MS };
}

/**
 * The errors of many watches: first-order Gauss-Markov along each axis, in units of sigma, so that they continue across
 * a change of environment. An error changes only when a fix is made, so other reads have no effect.
 */
export class Senses {
  readonly #draws: Draws;
  readonly #east: Float64Array;
  readonly #north: Float64Array;
  readonly #up: Float64Array;
  readonly #sky: Float64Array;
  readonly #sigmaM: Float64Array;
  /** The instant of the last fix; NaN if there was none. */
  readonly #at: Float64Array;

  constructor(seed: string, serials: readonly string[]) {
    const column = (): Float64Array => new Float64Array(serials.length);
    this.#draws = new Draws(seed, 'fixes', serials);
    [this.#east, this.#north, this.#up, this.#sky] = [column(), column(), column(), column()];
    this.#sigmaM = column();
    this.#at = column().fill(Number.NaN);
  }

  /** A fix of the real position. It always makes six draws, so that no outcome shifts the stream. */
  fix(i: number, [x, y]: Point, reception: Reception, now: Instant): Sensed {
    const elapsedMs = now - this.#at[i]!;
    const first = Number.isNaN(elapsedMs);
    this.#at[i] = now;
    const kept = first ? 0 : exp(-elapsedMs / reception.tauMs);
    this.#drift(this.#east, i, kept);
    this.#drift(this.#north, i, kept);
    this.#drift(this.#up, i, first ? 0 : exp(-elapsedMs / HEIGHT_TAU_MS));
    this.#drift(this.#sky, i, first ? 0 : exp(-elapsedMs / SKY_TAU_MS));
    const blend = first ? 0 : exp(-elapsedMs / BLEND_MS);
    const sigmaM = reception.sigmaM + (this.#sigmaM[i]! - reception.sigmaM) * blend;
    this.#sigmaM[i] = sigmaM;
    const [east, north] = [this.#east[i]!, this.#north[i]!];
    const sky = exp(SKY_SPREAD * Math.min(STATED_LIMIT, Math.max(-STATED_LIMIT, this.#sky[i]!)));
    const offM = sigmaM * Math.min(sky, MOST_SIGMAS / Math.max(length(east, north), Number.EPSILON));
    const statedM = R68 * sigmaM * sky * exp(STATED_SPREAD * this.#draws.cutNormal(i, STATED_LIMIT));
    return {
      point: [x + offM * east, y + offM * north],
      uncertaintyM: this.#draws.chance(i, UNKNOWN_SHARE) ? null : Math.round(statedM * 10) / 10,
      source: reception.source,
    };
  }

  kept(i: number): KeptSenses {
    const at = this.#at[i]!;
    return {
      east: this.#east[i]!,
      north: this.#north[i]!,
      up: this.#up[i]!,
      sky: this.#sky[i]!,
      sigmaM: this.#sigmaM[i]!,
      at: Number.isNaN(at) ? null : at,
      chance: this.#draws.state(i),
    };
  }

  resume(i: number, { east, north, up, sky, sigmaM, at, chance }: KeptSenses, gapMs: number): void {
    [this.#east[i], this.#north[i], this.#up[i], this.#sky[i]] = [east, north, up, sky];
    this.#sigmaM[i] = sigmaM;
    this.#at[i] = at === null ? Number.NaN : at + gapMs;
    this.#draws.goOn(i, chance);
  }

  /** The height that the barometer measured at the last fix; metres. */
  height(i: number, trueM: number): number {
    return trueM + HEIGHT_SIGMA_M * this.#up[i]!;
  }

  #drift(errors: Float64Array, i: number, kept: number): void {
    errors[i] = errors[i]! * kept + Math.sqrt(1 - kept * kept) * this.#draws.normal(i, 0, 1);
  }
}

type Floors = readonly { readonly name: string; readonly heightM: number }[];

/**
 * The floor at a measured height. Null between two floors, on the stairs, and if half a storey is not more than twice
 * sigma. [realism 3.2]
 */
export function floorAt(floors: Floors, heightM: number): string | null {
  const [nearest, next] = byDistance(floors, heightM);
  if (nearest === undefined || Math.abs(nearest.heightM - heightM) > 2 * HEIGHT_SIGMA_M) return null;
  const storeyM = next === undefined ? Number.POSITIVE_INFINITY : Math.abs(next.heightM - nearest.heightM);
  return 2 * HEIGHT_SIGMA_M < storeyM / 2 ? nearest.name : null;
}

export function nearestFloor(floors: Floors, heightM: number): string | null {
  return byDistance(floors, heightM)[0]?.name ?? null;
}

function byDistance(floors: Floors, heightM: number): Floors {
  return [...floors].sort((a, b) => Math.abs(a.heightM - heightM) - Math.abs(b.heightM - heightM));
}
