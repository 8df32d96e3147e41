/** What the broker turned away: counted by kind and reported with its reason, never with a key or a payload. */
import { formatInstant } from '../base/instants.ts';
import { printable } from '../base/printable.ts';
import type { Engine } from '../engine/engine.ts';

/** Why something was turned away. [watch-protocol, access] */
export const REFUSALS = [
  'credentials',
  'client_id',
  'topic',
  'subscription',
  'qos',
  'size',
  'payload',
  'dropped',
  'protocol',
  'slow',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** A line of the log stays a line: a client chooses its own serial, topics and keys. */
const MAX_WORDS = 300;

/** Names of clients with wrong keys that are kept apart; a client chooses its own. */
const MOST_NAMES = 256;

export class Refusals {
  readonly #engine: Engine;
  /** How often a client without the right key, or without TLS, was refused: by its user name, or by the reason. */
  readonly #repeated = new Map<string, number>();
  readonly #counts = Object.fromEntries(REFUSALS.map((kind) => [kind, 0])) as Record<Refusal, number>;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** `serial` is null for an unknown client. */
  refuse(kind: Refusal, serial: string | null, what: string, why: string, times = 1): void {
    this.#counts[kind]++;
    this.#engine.notify({
      kind: 'watch-refused',
      at: formatInstant(this.#engine.clock.now()),
      serial: serial === null ? null : shortened(serial),
      what: shortened(what),
      why: shortened(why),
      times,
    });
  }

  /** A wrong key: reported the first time, then at the 10th, 100th, 1,000th for the same user name, since clients retry for ever. */
  refuseKey(username: string | null, why: string): void {
    const known = username !== null && (this.#repeated.has(username) || this.#repeated.size < MOST_NAMES);
    this.#refuseRepeated('credentials', known ? username : null, known ? username : '', why);
  }

  /** A connection that ended before it was encrypted, and so has no name. Reported as seldom as a wrong key. */
  refuseHandshake(why: string): void {
    this.#refuseRepeated('protocol', null, why, why);
  }

  #refuseRepeated(kind: Refusal, serial: string | null, key: string, why: string): void {
    const count = (this.#repeated.get(key) ?? 0) + 1;
    this.#repeated.set(key, count);
    if (!isPowerOfTen(count)) {
      this.#counts[kind]++;
      return;
    }
    const since = count === 1 ? 1 : count - count / 10;
    this.refuse(kind, serial, 'connection', count === 1 ? why : `${why} (${count} times)`, since);
  }

  /** Accepted, and reported because production might reject it. */
  note(serial: string, what: string, why: string): void {
    const at = formatInstant(this.#engine.clock.now());
    this.#engine.notify({ kind: 'watch-noted', at, serial, what: shortened(what), why: shortened(why) });
  }

  counts(): Record<Refusal, number> {
    return { ...this.#counts };
  }
}

const isPowerOfTen = (count: number): boolean => /^10*$/.test(String(count));

function shortened(words: string): string {
  const plain = printable(words);
  return plain.length > MAX_WORDS ? `${plain.slice(0, MAX_WORDS - 1)}…` : plain;
}

/** Passed to aedes where the refusal was counted and reported already, so that it is not reported twice. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
