/** What a run's page knows of the stream: the first value of each object, and then what changed of it. [decisions 4] */
import { formatInstant } from '../../../base/time/instants.ts';
import type { StreamChange, StreamPerson } from '../../../contract/stream.ts';
import { type Patch, patched } from '../../../watching/state/patches.ts';
import { Replay, type TimedChange } from '../../../watching/state/replay.ts';
import type { StreamState } from '../../../watching/state/state.ts';
import { type PackedTrack, Track, type TrackState } from './tracks.ts';

export const SUBJECTS = ['site', 'worker', 'alert', 'muster', 'not_safe'] as const;
export type SeenSubject = (typeof SUBJECTS)[number];

/** `dt`: ms since the entry before. `subject`, `id`: indexes. Null: the object is not seen any more. */
export type PackedChange = readonly [dt: number, subject: number, id: number, patch: Patch | null];

export interface PackedSeen {
  readonly ids: readonly string[];
  readonly changes: readonly PackedChange[];
  /** Each distinct state of a person once. */
  readonly states: readonly TrackState[];
  readonly tracks: readonly PackedTrack[];
  /** The number of people who are left out, because the page has no room for them. */
  readonly leftOut: number;
  /** Nothing later was recorded, because a run has no room for more; ms from the start. Null: all was recorded. */
  readonly until: number | null;
}

/** The state that a subscriber of the stream has at any instant of the run. */
export class SeenStream {
  readonly #replay: Replay;
  readonly #tracks: readonly Track[];
  #state: StreamState | null = null;
  #without: StreamState | null = null;

  /** `startMs`: instant 0 of the run, ms since the epoch. */
  constructor({ ids, changes, states, tracks }: PackedSeen, startMs: number) {
    const known = new Map<string, unknown>();
    let t = 0;
    const timed = changes.map(([dt, subject, id, patch]): TimedChange => {
      t += dt;
      const [name, key] = [SUBJECTS[subject] as SeenSubject, ids[id] as string];
      const value = patch === null ? null : patched(known.get(`${name} ${key}`), patch);
      known.set(`${name} ${key}`, value);
      return { t, change: changeOf(name, key, value, formatInstant(startMs + t)) };
    });
    this.#replay = new Replay(timed);
    this.#tracks = tracks.map((track) => new Track(track, states));
  }

  /** `t`: ms from the start. The same object as before if nothing changed between. */
  at(t: number): StreamState {
    const without = this.#replay.at(t);
    const before = this.#state?.people;
    let isSame = without === this.#without && before !== undefined;
    const people = new Map<string, StreamPerson>();
    for (const track of this.#tracks) {
      const person = track.at(t);
      if (person !== null) people.set(track.worker, person);
      isSame &&= before?.get(track.worker) === (person ?? undefined);
    }
    if (this.#state === null || !isSame) this.#state = { ...without, people };
    this.#without = without;
    return this.#state;
  }
}

function changeOf(subject: SeenSubject, id: string, value: unknown, at: string): StreamChange {
  if (subject === 'not_safe') return { subject, at, site_id: id, not_safe: value ?? [] } as StreamChange;
  if (value === null) return { subject, at, gone: id };
  return { subject, at, [subject]: value } as unknown as StreamChange;
}
