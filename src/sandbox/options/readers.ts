/** Reads the values of options that a schema alone cannot check; a refusal has a message for each entrance. [cli, up] */

import { seedIn } from '../../base/random/seed.ts';
import { CLI } from '../../base/text/command-form.ts';
import { CLOCK_BEGIN, CLOCK_END } from '../../base/time/clock.ts';
import { formatInstant, parseInstant } from '../../base/time/instants.ts';
import { type Assumptions, isSwitch, SWITCHES } from '../../contract/gaps.ts';
import { didYouMean, list, quoted } from '../../contract/sentences.ts';
import type { OptionReading, OptionRefusal, Pair } from './kinds.ts';
import * as values from './values.ts';

/** How `forwards` is written in code. */
export const FORWARDS_EXAMPLE = "{'receiver.example': 'http://127.0.0.1:3000'}";

/** The refusal of a value for a single reason. */
export function refused(
  asText: OptionRefusal['asText'],
  must: string,
  advice?: OptionRefusal['advice'],
): readonly OptionRefusal[] {
  const inCode: OptionRefusal['inCode'] = (wrong) => wrong(must);
  return [advice === undefined ? { asText, inCode } : { asText, advice, inCode }];
}

export const asItIs = (value: string): OptionReading<string> => ({ value });

/** Reads a text with `parse`. `isNot` follows the option and its value in the message. */
export const parsed =
  <T>(parse: (text: string) => T | null, isNot: string, must: string, advice?: OptionRefusal['advice']) =>
  (text: string): OptionReading<T> => {
    const value = parse(text);
    return value === null ? refused((write) => `${write(text)} ${isNot}`, must, advice) : { value };
  };

export function seedOf(seed: string | number): OptionReading<string> {
  const value = seedIn(String(seed));
  return value === null
    ? refused(
        (write) => `${write(String(seed))} is not a whole number.`,
        'must be a whole number',
        (write) => `Write it as: ${write('7')}`,
      )
    : { value };
}

export function startOf(start: string | number | Date): OptionReading<number> {
  const at = typeof start === 'string' ? parseInstant(start) : Number(start);
  if (at !== null && at >= CLOCK_BEGIN && at <= CLOCK_END) return { value: at };
  const [begin, end] = [formatInstant(CLOCK_BEGIN), formatInstant(CLOCK_END)];
  const why =
    at === null
      ? 'is not a time. Write it as 2026-10-05T06:00:00Z.'
      : `is out of reach: simulated time lies between ${begin} and ${end}.`;
  return refused((write) => `${write(String(start))} ${why}`, `must be a time from ${begin} to ${end}`);
}

export function forwardsOf(pairs: readonly Pair[]): OptionReading<Map<string, string>> {
  const tooMany = moreThan(values.MOST_FORWARDS, pairs);
  if (tooMany !== null) return tooMany;
  const forwards = new Map<string, string>();
  const refusals: OptionRefusal[] = [];
  for (const [host, url, entry] of pairs) {
    const read = values.receiverAddressOf(String(url));
    const isHost = values.isHostName(host) && typeof url === 'string';
    if (isHost && 'address' in read) forwards.set(host.toLowerCase(), read.address);
    else
      refusals.push({
        asText: (write) =>
          isHost && 'whyNot' in read
            ? `${write(`${host}:`)} ${String(url)} is not an address${read.whyNot}.`
            : `${write(entry)} is not of the form HOST=URL.`,
        advice: (write) =>
          isHost ? values.RECEIVER_FORMS : `Write it as: ${write('receiver.example=http://127.0.0.1:3000')}`,
        inCode: () =>
          `The option forwards maps ${quoted(host)} to ${typeof url === 'string' ? quoted(url) : String(url)}; it must map host names to http addresses. Write it as {forwards: ${FORWARDS_EXAMPLE}}.`,
      });
  }
  return refusals.length > 0 ? refusals : { value: forwards };
}

/** Returns a refusal if there are too many entries; otherwise null. */
const moreThan = (most: number, pairs: readonly Pair[]): readonly OptionRefusal[] | null =>
  pairs.length <= most
    ? null
    : refused(
        (write) => `${write()} is given ${pairs.length} times. Give it at most ${most} times.`,
        `must have at most ${most} entries`,
      );

export function assumptionsOf(pairs: readonly Pair[]): OptionReading<Partial<Assumptions>> {
  const tooMany = moreThan(values.MOST_ASSUMED, pairs);
  if (tooMany !== null) return tooMany;
  const refusals = pairs.flatMap(refusalOfAssumed);
  return refusals.length > 0
    ? refusals
    : { value: Object.fromEntries(pairs.map(([name, value]) => [name, value])) as Partial<Assumptions> };
}

function refusalOfAssumed([name, value, entry]: Pair): OptionRefusal[] {
  const lists = () => `${CLI} gaps lists them.`;
  if (entry.length > values.LONGEST_ASSUMED) {
    const start = `${entry.slice(0, values.LONGEST_ASSUMED)}…`;
    const isLong = 'is longer than any switch with its value.';
    return [
      {
        asText: (write) => `${write(start)} ${isLong}`,
        advice: lists,
        inCode: () => `The option assume: ${start} ${isLong}`,
      },
    ];
  }
  if (!isSwitch(name)) {
    const meant = didYouMean(name, Object.keys(SWITCHES));
    return [
      {
        asText: (write) => `${write(entry)}: "${name}" is not a switch.${meant}`,
        advice: lists,
        inCode: () => `The option assume has no switch ${quoted(name)}.${meant} "${CLI} gaps" lists them.`,
      },
    ];
  }
  const known: readonly unknown[] = SWITCHES[name];
  if (known.includes(value)) return [];
  const shown = typeof value === 'string' ? quoted(value) : String(value);
  return [
    {
      asText: (write) => `${write(entry)}: ${name} is ${list(known.map(String))}.`,
      advice: (write) => `Write it as: ${write(`${name}=${known[1]}`)}`,
      inCode: () => `The option assume.${name} must be ${list(known.map(quoted))}, not ${shown}.`,
    },
  ];
}
