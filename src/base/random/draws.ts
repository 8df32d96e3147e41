/** Seeded random values for many actors: one stream per (seed, actor, purpose) as in `streams.ts`, all in one array. */
import { createHash } from 'node:crypto';
import { inverseNormalCdf, normalCdf } from './normal-distribution.ts';
import { exp, ln } from './portable-math.ts';

/** Words of state of an actor (sfc32, by C. Doty-Humphrey). */
const WORDS = 4;

/** The number of discarded initial draws, so that similar seeds give different streams. */
const WARM_UP = 12;

/** Four signed 32-bit words. */
type DrawsState = [number, number, number, number];

/**
 * 16 bytes for each actor. An actor is identified by its index in the list. The other actors in the list do not affect
 * its stream.
 */
export class Draws {
  readonly #state: Int32Array;

  constructor(seed: string, purpose: string, actors: readonly string[]) {
    this.#state = new Int32Array(actors.length * WORDS);
    for (const [i, actor] of actors.entries()) {
      const digest = createHash('sha256').update(`${seed}/${actor}/${purpose}`).digest();
      for (let word = 0; word < WORDS - 1; word++) this.#state[i * WORDS + word] = digest.readInt32BE(word * 4);
      this.#state[i * WORDS + 3] = 1;
      for (let n = 0; n < WARM_UP; n++) this.float(i);
    }
  }

  /** The position of the actor's stream, for `goOn`. */
  state(i: number): DrawsState {
    const [a, b, c, d] = this.#state.subarray(i * WORDS, (i + 1) * WORDS);
    return [a!, b!, c!, d!];
  }

  /** Restores the position of the actor's stream. */
  goOn(i: number, state: DrawsState): void {
    this.#state.set(state, i * WORDS);
  }

  /** A value above 0 and below 1, uniform over 2^32 values. */
  float(i: number): number {
    const state = this.#state;
    const at = i * WORDS;
    const [a, b, c, d] = [state[at]!, state[at + 1]!, state[at + 2]!, state[at + 3]!];
    const drawn = (((a + b) | 0) + d) | 0;
    state[at] = b ^ (b >>> 9);
    state[at + 1] = (c + (c << 3)) | 0;
    state[at + 2] = (((c << 21) | (c >>> 11)) + drawn) | 0;
    state[at + 3] = (d + 1) | 0;
    return ((drawn >>> 0) + 0.5) / 0x1_0000_0000;
  }

  /** A uniform value between the two. One draw. */
  between(i: number, min: number, max: number): number {
    return min + (max - min) * this.float(i);
  }

  /** A uniform integer from 0 to less than `count`. One draw. */
  below(i: number, count: number): number {
    return Math.min(count - 1, Math.floor(this.float(i) * count));
  }

  /** True with probability p. One draw. */
  chance(i: number, p: number): boolean {
    return this.float(i) < p;
  }

  /** Normal distribution. One draw. */
  normal(i: number, mean: number, sd: number): number {
    return mean + sd * inverseNormalCdf(this.float(i));
  }

  /** Normal distribution with mean 0 and deviation 1, truncated at -limit and limit. One draw. */
  cutNormal(i: number, limit: number): number {
    const low = normalCdf(-limit);
    return inverseNormalCdf(low + this.float(i) * (1 - 2 * low));
  }

  /** e to the power of a normal value with mean mu and deviation sigma. One draw. */
  lognormal(i: number, mu: number, sigma: number): number {
    return exp(this.normal(i, mu, sigma));
  }

  /** The same distribution truncated at `most`: its tail is removed, not set to `most`. One draw. */
  cutLognormal(i: number, mu: number, sigma: number, most: number): number {
    return exp(mu + sigma * inverseNormalCdf(this.float(i) * normalCdf((ln(most) - mu) / sigma)));
  }

  /** The waiting time for an event that happens every `mean` on average. One draw. */
  exponential(i: number, mean: number): number {
    return -mean * ln(this.float(i));
  }
}
