/** Parsers and validators of flag values. */

import { InvalidArgumentError } from 'commander';
import { randomSecret, sha256Hex } from '../base/ids.ts';
import { seedIn } from '../base/random/seed.ts';
import { parseDuration } from '../base/time/durations.ts';
import { EVENT_SELECTORS } from '../contract/enumerations.ts';
import { didYouMean } from '../contract/sentences.ts';
import type { NumberRange } from '../sandbox/options/kinds.ts';
import { numberIn, PORT, SPEED, WATCHES } from '../sandbox/options/values.ts';
import { usage } from './output.ts';

/** Returns a parser of numbers in a range. Commander prints its message with the flag or the variable. */
export const numberParser =
  (range: NumberRange) =>
  (text: string): number => {
    const number = numberIn(range, text);
    if (number === null) throw new InvalidArgumentError(range.sentence);
    return number;
  };

/** Returns a parser of texts that are neither empty nor longer than this number of characters. */
export const textParser =
  (longest: number) =>
  (text: string): string => {
    if (text === '') throw new InvalidArgumentError('It must not be empty.');
    if (text.length > longest) throw new InvalidArgumentError(`It must be at most ${longest} characters.`);
    return text;
  };

/** Collects the values of a flag that may be repeated. */
export const many = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

export const port = numberParser(PORT);

/** Number of watches. */
export const count = numberParser(WATCHES);

/** Speed of simulated time. */
export const factor = numberParser(SPEED);

/** Reads a share, such as `2/4`: the second of four parts. */
export const shard = (text: string): { part: number; of: number } => {
  const [, part = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (part < 1 || part > of)
    throw new InvalidArgumentError(
      'It must be a part and the number of parts, such as 1/4, 2/4, 3/4 and 4/4 for four processes.',
    );
  return { part, of };
};

/** Maximum number of processes that a command starts. */
export const MOST_JOBS = 64;

/** Returns a parser of whole numbers from 1 to `most`. */
export const wholeNumber = (most: number) => (text: string) => {
  const number = Number(text);
  if (!/^[1-9]\d{0,8}$/.test(text) || number > most)
    throw new InvalidArgumentError(`It must be a whole number, 1 to ${most}.`);
  return number;
};

/** Returns a parser of decimal numbers above 0, up to `most`. */
export const decimalNumber = (most: number) => (text: string) => {
  const number = Number(text);
  if (!/^(?:\d{1,9}(?:\.\d*)?|\.\d+)$/.test(text) || number <= 0 || number > most)
    throw new InvalidArgumentError(`It must be a number above 0, up to ${most}, such as 0.5 or 10.`);
  return number;
};

/** Reads a duration above 0. Returns milliseconds. */
export const durationOf = (text: string): number => {
  const ms = parseDuration(text);
  if (ms === null || ms === 0) throw new InvalidArgumentError('It must be a duration like 90s or 2m.');
  return ms;
};

/** Reads the seed of a command for which a random one has no meaning. */
export function wholeSeed(text: string): string {
  const seed = seedIn(text);
  if (seed === null) throw new InvalidArgumentError('Write a whole number, such as 7.');
  return seed;
}

/** Reads the seed of a command that can draw one; `drawnSeed` draws it, anew for each repetition of the command. */
export function seedOrRandom(text: string): string {
  const seed = text === 'random' ? text : seedIn(text);
  if (seed === null) throw new InvalidArgumentError('Write a whole number, such as 7, or random.');
  return seed;
}

export const drawnSeed = (seed: string): string =>
  seed === 'random' ? String(Number.parseInt(sha256Hex(randomSecret(8)).slice(0, 8), 16)) : seed;

/**
 * Checks event types and groups, in the notation of a subscription. Throws a usage error that names the flag and
 * suggests a type.
 */
export function checkEventTypes(flag: string, types: readonly string[]): void {
  for (const one of types) {
    if ((EVENT_SELECTORS as readonly string[]).includes(one)) continue;
    throw usage(
      `${flag} ${one} is not an event type.${didYouMean(one, EVENT_SELECTORS)}`,
      `There are ${EVENT_SELECTORS.join(', ')}.`,
    );
  }
}
