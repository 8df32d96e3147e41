/** What the broker refused: counted by kind and logged with its reason, without keys and payloads. */

import { printable } from '../../base/text/printable.ts';
import { LANE } from '../../base/time/clock.ts';
import { formatInstant } from '../../base/time/instants.ts';
import type { Engine } from '../engine/engine.ts';

/** The kinds of refusals. [watch-protocol, access] */
const REFUSALS = [
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

/** The length limit of a text in the log, since a client chooses its own serial, topics and keys. */
const MAX_WORDS = 300;

const CONNECTION = 'connection';

export class Refusals {
  readonly #engine: Engine;
  /** For each kind that was reported in the last second: the number of refusals since then, and the last reason. */
  readonly #more = new Map<Refusal, { why: string; times: number }>();
  readonly #counts = Object.fromEntries(REFUSALS.map((kind) => [kind, 0])) as Record<Refusal, number>;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** `serial` is null for an unknown client. */
  refuse(kind: Refusal, serial: string | null, what: string, why: string): void {
    this.#counts[kind]++;
    this.#report(serial, what, why, 1);
  }

  /**
   * Reports a refused connection. A client may connect at any rate. So the first refusal of a kind in a second of
   * simulated time is reported at once, and the others of that second are reported together.
   */
  refuseConnection(kind: Refusal, serial: string | null, why: string): void {
    this.#counts[kind]++;
    const more = this.#more.get(kind);
    if (more !== undefined) return void this.#more.set(kind, { why, times: more.times + 1 });
    this.#report(serial, CONNECTION, why, 1);
    this.#beginSecond(kind);
  }

  #beginSecond(kind: Refusal): void {
    const { clock } = this.#engine;
    this.#more.set(kind, { why: '', times: 0 });
    clock.at(clock.now() + 1_000, { lane: LANE.rest, actor: `refused connections ${kind}` }, () => {
      const more = this.#more.get(kind);
      this.#more.delete(kind);
      if (more === undefined || more.times === 0) return;
      const connections = more.times === 1 ? '1 more connection' : `${more.times} more connections`;
      this.#report(null, CONNECTION, `${connections} within a second; the last: ${more.why}`, more.times);
      this.#beginSecond(kind);
    });
  }

  #report(serial: string | null, what: string, why: string, times: number): void {
    this.#engine.notify({
      kind: 'watch-refused',
      at: formatInstant(this.#engine.clock.now()),
      serial: serial === null ? null : shortened(serial),
      what: shortened(what),
      why: shortened(why),
      times,
    });
  }

  /** Reports input that is accepted although production might reject it. */
  note(serial: string, what: string, why: string): void {
    const at = formatInstant(this.#engine.clock.now());
    this.#engine.notify({ kind: 'watch-noted', at, serial, what: shortened(what), why: shortened(why) });
  }

  counts(): Record<Refusal, number> {
    return { ...this.#counts };
  }
}

function shortened(words: string): string {
  const plain = printable(words);
  return plain.length > MAX_WORDS ? `${plain.slice(0, MAX_WORDS - 1)}…` : plain;
}

/** Passed to aedes if the refusal was already counted and reported, so that it is not reported twice. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
