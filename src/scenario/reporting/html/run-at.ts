/** The run at one instant, computed from the packed data, for the page and its script. */
import { parseInstant } from '../../../base/time/instants.ts';
import type { StreamState } from '../../../watching/state/state.ts';
import { SeenStream } from '../seen/seen.ts';
import type { PackedRun } from './packed-run.ts';

export interface HappeningAt {
  readonly place: number;
  readonly t: number;
  readonly kind: number;
  readonly text: string;
  readonly body: number;
  readonly person: number;
  readonly object: number;
  readonly receiver: number;
  readonly facts: readonly (readonly [name: string, value: string])[];
}

export class RunAt {
  readonly run: PackedRun;
  /** Ms since the epoch. */
  readonly startMs: number;
  readonly happenings: readonly HappeningAt[];
  readonly #seen: SeenStream;

  constructor(run: PackedRun) {
    this.run = run;
    this.startMs = parseInstant(run.start) ?? 0;
    this.#seen = new SeenStream(run.seen, this.startMs);
    let t = 0;
    this.happenings = run.happenings.map(([dt, kind, text, body, person, object, receiver, facts], place) => {
      t += dt;
      return { place, t, kind, text, body, person, object, receiver, facts };
    });
  }

  /** What an unscoped client of each company sees. The same object as before if nothing changed between. */
  world(t: number): StreamState {
    return this.#seen.at(t);
  }

  /** Returns the index of the running step, which is the last one that has begun; -1: none. */
  stepAt(t: number): number {
    return this.run.steps.findLastIndex(([began]) => began <= t);
  }

  /** Returns null for an unknown body. */
  body(index: number): unknown {
    return this.run.bodies[index] ?? null;
  }
}
