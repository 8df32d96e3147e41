/** What the broker turned away: counted by kind and told with its reason, never with a key or a payload. */
import { formatInstant } from '../base/instants.ts';
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

export class Refusals {
  readonly #engine: Engine;
  readonly #counts = Object.fromEntries(REFUSALS.map((kind) => [kind, 0])) as Record<Refusal, number>;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** `serial` null: nobody that we know. */
  refuse(kind: Refusal, serial: string | null, what: string, why: string): void {
    this.#counts[kind]++;
    this.#engine.notify({
      kind: 'watch-refused',
      at: formatInstant(this.#engine.clock.now()),
      serial: serial === null ? null : printable(serial),
      what: printable(what),
      why: printable(why),
    });
  }

  counts(): Record<Refusal, number> {
    return { ...this.#counts };
  }
}

function printable(words: string): string {
  const plain = words.replace(/\p{C}/gu, '?');
  return plain.length > MAX_WORDS ? `${plain.slice(0, MAX_WORDS - 1)}…` : plain;
}

/** Given to aedes where the refusal was counted and told already, so that it is not told twice. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
