/** Records what an unscoped client sees during a run, in the form in which the page of the run has it. */
import type { StreamChange, StreamPerson } from '../../../contract/stream.ts';
import { type Patch, patchOf } from '../../../watching/state/patches.ts';
import { type PackedChange, type PackedSeen, type SeenSubject, SUBJECTS } from './seen.ts';
import { type TrackState, TrackWriter } from './tracks.ts';

/** The most that is recorded of a run: 2,000 people in half an hour have half of it. */
const MOST_ENTRIES = 1_500_000;

/** The most characters of tracks in a page: a browser opens a page of this size in two seconds. */
const MOST_CHARACTERS = 8_000_000;

interface RecordedPerson {
  readonly writer: TrackWriter;
  /** True if the person had to be rescued at any time. */
  isRescued: boolean;
  isMissing: boolean;
}

export class SeenRecorder {
  readonly #ids = new Map<string, number>();
  readonly #known = new Map<string, unknown>();
  readonly #changes: {
    readonly t: number;
    readonly subject: SeenSubject;
    readonly id: string;
    readonly patch: Patch | null;
  }[] = [];
  readonly #states: TrackState[] = [];
  readonly #placeOfState = new Map<string, number>();
  readonly #people = new Map<string, RecordedPerson>();
  readonly #codes = new Map<string, string | null>();
  readonly #most: number;
  #entries = 0;
  #until: number | null = null;

  constructor(most = MOST_ENTRIES) {
    this.#most = most;
  }

  /** The people in the order in which they were seen first, with their codes in the staff system. */
  get people(): readonly { readonly workerId: string; readonly code: string | null }[] {
    return [...this.#people.keys()].map((workerId) => ({ workerId, code: this.#codes.get(workerId) ?? null }));
  }

  /** `t`: whole ms from the start; does not decrease. */
  add(change: StreamChange, t: number): void {
    if (this.#entries >= this.#most) {
      this.#until ??= t;
      return;
    }
    if (change.subject === 'person') {
      if ('gone' in change) this.#entries += Number(this.#people.get(change.gone)?.writer.add(t, null) ?? false);
      else for (const person of change.people) this.#person(person, t);
      return;
    }
    const subject = SUBJECTS.find((one) => one === change.subject);
    if (subject === undefined) return;
    if ('gone' in change) this.#object(subject, change.gone, null, t);
    else if (change.subject === 'not_safe') this.#object(subject, change.site_id, change.not_safe, t);
    else if (change.subject === 'alert') this.#object(subject, change.alert.id, shownAlert(change.alert), t);
    else {
      if (change.subject === 'worker') this.#codes.set(change.worker.id, change.worker.external_id);
      const value = (change as unknown as Record<string, { readonly id: string }>)[subject];
      if (value !== undefined) this.#object(subject, value.id, value, t);
    }
  }

  #object(subject: SeenSubject, id: string, value: object | null, t: number): void {
    const key = `${subject} ${id}`;
    const before = this.#known.get(key) ?? null;
    const patch = value === null ? null : patchOf(before, value);
    if ((value !== null && patch === null) || (value === null && before === null)) return;
    this.#known.set(key, value);
    if (!this.#ids.has(id)) this.#ids.set(id, this.#ids.size);
    this.#changes.push({ t, subject, id, patch });
    this.#entries += 1;
  }

  #person(person: StreamPerson, t: number): void {
    let known = this.#people.get(person.worker_id);
    if (known === undefined) {
      known = { writer: new TrackWriter(person, (state) => this.#placeOf(state)), isRescued: false, isMissing: false };
      this.#people.set(person.worker_id, known);
    }
    known.isRescued ||= person.rescue;
    known.isMissing = person.status === null ? known.isMissing : person.status !== 'safe';
    this.#entries += Number(known.writer.add(t, person));
  }

  #placeOf(state: TrackState): number {
    const key = JSON.stringify(state);
    let place = this.#placeOfState.get(key);
    if (place === undefined) {
      place = this.#states.push(state) - 1;
      this.#placeOfState.set(key, place);
    }
    return place;
  }

  /**
   * `isNeeded`: people who stay in a page that has no room for all, in addition to those who had to be rescued and those missing at
   * the end.
   */
  packed(isNeeded: (workerId: string) => boolean = () => false, most = MOST_CHARACTERS): PackedSeen {
    let lastT = 0;
    const changes = this.#changes.map(({ t, subject, id, patch }): PackedChange => {
      const dt = t - lastT;
      lastT = t;
      return [dt, SUBJECTS.indexOf(subject), this.#ids.get(id) ?? 0, patch];
    });
    const people = [...this.#people].map(([id, { writer, isRescued, isMissing }]) => ({
      track: writer.packed(),
      isKept: isRescued || isMissing || isNeeded(id),
    }));
    let size = people.reduce((sum, { track, isKept }) => sum + (isKept ? track.text.length : 0), 0);
    const tracks = people.flatMap(({ track, isKept }) => {
      if (isKept) return track;
      size += track.text.length;
      return size > most ? [] : track;
    });
    return {
      ids: [...this.#ids.keys()],
      changes,
      states: this.#states,
      tracks,
      leftOut: people.length - tracks.length,
      until: this.#until,
    };
  }
}

/** No screen of the page lists the people near an alert, and it has no link to a panel. */
const shownAlert = ({
  panel_url: _,
  nearby: __,
  ...alert
}: {
  readonly panel_url: unknown;
  readonly nearby: unknown;
}): object => alert;
