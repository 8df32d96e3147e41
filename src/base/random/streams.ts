/** Seeded random values: one stream for each (seed, actor, purpose), so that a new actor or draw does not change any other. */
import { createHash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import { assert } from '../assert.ts';
import { inverseNormalCdf, normalCdf } from './normal-distribution.ts';
import { exp, ln } from './portable-math.ts';

/** Replaces a draw of exactly 0, whose normal value would be minus infinity. */
const HALF_STEP = Number.EPSILON / 4;

/** A sequence of random values, the same on every machine. "One draw" means one `float()`. */
export interface Stream {
  /** 0 (included) to 1 (excluded), a multiple of 2^-53. */
  float(): number;
  /** An integer from min to max, both included. */
  int(min: number, max: number): number;
  /** True with probability p. Always one draw. */
  chance(p: number): boolean;
  /** Normal distribution. One draw. */
  normal(mean: number, sd: number): number;
  /** Normal distribution truncated to min..max. One draw. */
  truncatedNormal(mean: number, sd: number, min: number, max: number): number;
  /** e to the power of a normal value with mean mu and deviation sigma. One draw. */
  lognormal(mu: number, sigma: number): number;
  /** Exponential distribution: the waiting time for an event that happens every `mean` on average. One draw. */
  exponential(mean: number): number;
  /** One of the items, with equal probability. The list must not be empty. */
  pick<T>(items: readonly T[]): T;
  /** The items in a random order, as a new array. */
  shuffle<T>(items: readonly T[]): T[];
  /** n random bytes. Do not use them for secrets that must not be derivable from the seed. */
  bytes(n: number): Buffer;
  /** A separate stream below this one. It depends only on the names, not on earlier draws. */
  fork(purpose: string): Stream;
}

/** The source of streams. */
export interface Streams {
  stream(actor: string, purpose: string): Stream;
}

/** All streams of a seed. */
export function streams(seed: string | number): Streams {
  return { stream: (actor, purpose) => streamOf(`${seed}/${actor}/${purpose}`) };
}

function streamOf(path: string): Stream {
  const digest = createHash('sha256').update(path).digest();
  const generator = xoroshiro128plusFromState([0, 4, 8, 12].map((offset) => digest.readInt32BE(offset)));
  const float = (): number => uniformFloat64(generator);
  const int = (min: number, max: number): number => {
    assert(
      Number.isSafeInteger(min) && Number.isSafeInteger(max) && min <= max,
      () => `No whole number in ${min}..${max}.`,
    );
    return uniformInt(generator, min, max);
  };
  const normal = (mean: number, sd: number): number => mean + sd * inverseNormalCdf(float() || HALF_STEP);

  return {
    float,
    int,
    normal,
    chance: (p) => float() < p,
    truncatedNormal: (mean, sd, min, max) => truncatedNormal(float(), mean, sd, min, max),
    lognormal: (mu, sigma) => exp(normal(mu, sigma)),
    exponential: (mean) => -mean * ln(1 - float()),
    pick: (items) => {
      assert(items.length > 0, 'Nothing can be picked from an empty list.');
      return items[int(0, items.length - 1)]!;
    },
    shuffle: (items) => {
      const shuffled = [...items];
      for (let i = shuffled.length - 1; i > 0; i--) {
        const j = int(0, i);
        [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
      }
      return shuffled;
    },
    bytes: (n) => Buffer.from(Array.from({ length: n }, () => int(0, 255))),
    fork: (purpose) => streamOf(`${path}/${purpose}`),
  };
}

function truncatedNormal(u: number, mean: number, sd: number, min: number, max: number): number {
  assert(min <= max, () => `${min}..${max} is an empty range.`);
  if (sd === 0) return clamp(mean, min, max);
  const low = (min - mean) / sd;
  const high = (max - mean) / sd;
  // Far in the upper tail, probabilities round to 1. The mirrored value keeps its digits.
  const z = low > 0 ? -between(1 - u, -high, -low) : between(u, low, high);
  return clamp(mean + sd * z, min, max);
}

function between(u: number, low: number, high: number): number {
  const from = normalCdf(low);
  return inverseNormalCdf(from + u * (normalCdf(high) - from));
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
