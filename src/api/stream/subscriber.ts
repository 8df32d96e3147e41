/** One open stream: a snapshot or what was missed, then each change as its object is when it is sent. A slow reader gets fewer changes, never old ones. [decisions 9] */
import type { Cancel, Clock } from '../../base/clock.ts';
import { formatInstant } from '../../base/instants.ts';
import type { ChangeLog, Mark } from './change-log.ts';
import { clockView, type Eye } from './eye.ts';
import type { StreamChange, StreamPerson, StreamSnapshot } from './shapes.ts';
import type { TruthTeller } from './truth.ts';

/** Where the text goes; a response of HTTP, or what a test puts there. */
export interface Sink {
  /** False: it is full, until `onDrain`. */
  write(text: string): boolean;
  onDrain(then: () => void): void;
}

/** What a person sees at once. */
const SOON_MS = 50;
/** People walk: where everybody is, is told together so often. */
const PEOPLE_MS = 1_000;
const PING_MS = 15_000;
/** So often who truly moved is told. */
const TRUTH_MS = 1_000;

export class Subscriber {
  readonly #log: ChangeLog;
  readonly #eye: Eye;
  readonly #clock: Clock;
  readonly #sink: Sink;
  readonly #pending = new Map<string, Mark>();
  /** Null: nobody asked for it, or may. */
  readonly #truth: TruthTeller | null;
  readonly #ends: { log: Cancel; ping: Cancel; truth: Cancel } = { log: () => {}, ping: () => {}, truth: () => {} };
  #flush: { readonly cancel: Cancel; readonly soon: boolean } | null = null;
  /** What the caller was shown: only of that its end is news. */
  readonly #shown = new Set<string>();
  #resumed = false;
  #full = false;

  constructor(log: ChangeLog, eye: Eye, clock: Clock, sink: Sink, truth: TruthTeller | null = null) {
    this.#log = log;
    this.#eye = eye;
    this.#clock = clock;
    this.#sink = sink;
    this.#truth = truth;
  }

  /** `after`: the id of the last event that the caller has, if it was here before. */
  begin(after: number | null): void {
    const missed = after === null ? null : this.#log.since(after);
    this.#resumed = missed !== null;
    if (missed === null) this.#greet();
    this.#ends.log = this.#log.listen((mark) => this.#take(mark));
    for (const mark of missed ?? []) this.#take(mark);
    if (missed !== null) this.#tellTruth();
    this.#ping();
    this.#look();
  }

  #greet(): void {
    const seen = this.#eye.snapshot(this.#clock);
    const truth = this.#truth === null ? {} : { truth: this.#truth.news().truth };
    const snapshot: StreamSnapshot = { ...seen, ...truth };
    for (const subject of ['site', 'worker', 'alert', 'muster', 'destination'] as const)
      for (const { id } of seen[`${subject}s`]) this.#shown.add(`${subject} ${id}`);
    for (const { id } of seen.deliveries) this.#shown.add(`delivery ${id}`);
    for (const { worker_id } of seen.people) this.#shown.add(`person ${worker_id}`);
    this.#say(`id: ${this.#log.newest}\nevent: snapshot\ndata: ${JSON.stringify(snapshot)}\n\n`);
  }

  end(): void {
    this.#flush?.cancel();
    this.#ends.log();
    this.#ends.ping();
    this.#ends.truth();
  }

  #take(mark: Mark): void {
    if (!this.#eye.owns(mark.organizationId)) return;
    const key = `${mark.subject} ${mark.id}`;
    this.#pending.delete(key);
    this.#pending.set(key, mark);
    this.#wake(mark.subject !== 'person');
  }

  #wake(soon: boolean): void {
    if (this.#full || (this.#flush !== null && (this.#flush.soon || !soon))) return;
    this.#flush?.cancel();
    const cancel = this.#clock.afterWall(soon ? SOON_MS : PEOPLE_MS, () => this.#tell(), { unref: true });
    this.#flush = { cancel, soon };
  }

  /** In the order of their numbers, so that whoever breaks off in between misses nothing. */
  #tell(): void {
    this.#flush = null;
    const marks = [...this.#pending.values()];
    this.#pending.clear();
    const at = formatInstant(this.#clock.now());
    let people: StreamPerson[] = [];
    let text = '';
    for (const [place, mark] of marks.entries()) {
      const change = this.#eye.contained(mark.subject, () => this.#changeOf(mark, at, people));
      if (change !== null) text += eventText(mark.n, change);
      const next = marks[place + 1];
      // People that changed one after the other are told together.
      if (people.length > 0 && next?.subject !== 'person') {
        text += eventText(mark.n, { subject: 'person', at, people });
        people = [];
      }
    }
    if (text !== '') this.#say(text);
  }

  #changeOf({ subject, id }: Mark, at: string, people: StreamPerson[]): StreamChange | null {
    switch (subject) {
      case 'person':
        return this.#personChange(id, at, people);
      case 'clock':
        return { subject, at, clock: clockView(this.#clock) };
      default: {
        const seen = this.#eye[subject](id, this.#clock.now());
        const key = `${subject} ${id}`;
        if (seen !== null) {
          this.#shown.add(key);
          return { subject, at, [subject]: seen };
        }
        // Of what does not exist for a viewer, its end is no news either.
        const known = this.#shown.delete(key) || (this.#resumed && this.#eye.seesAll);
        return known ? { subject, at, gone: id } : null;
      }
    }
  }

  /** Adds the person to the batch of positions. Returns a change for a person who is hidden now, or a worker first known by their position. */
  #personChange(id: string, at: string, people: StreamPerson[]): StreamChange | null {
    const now = this.#clock.now();
    const person = this.#eye.person(id, now);
    if (person === null) return this.#shown.delete(`person ${id}`) ? { subject: 'person', at, gone: id } : null;
    this.#shown.add(`person ${id}`);
    people.push(person);
    if (!this.#eye.meetsPeopleByPosition || this.#shown.has(`worker ${id}`)) return null;
    const worker = this.#eye.worker(id, now);
    if (worker === null) return null;
    this.#shown.add(`worker ${id}`);
    return { subject: 'worker', at, worker };
  }

  #ping(): void {
    const cancel = this.#clock.afterWall(
      PING_MS,
      () => {
        // Who has not read what was said needs no sign of life.
        if (!this.#full) this.#say(': ping\n\n');
        this.#ping();
      },
      { unref: true },
    );
    this.#ends.ping = cancel;
  }

  #look(): void {
    if (this.#truth === null) return;
    this.#ends.truth = this.#clock.afterWall(
      TRUTH_MS,
      () => {
        if (!this.#full) this.#tellTruth();
        this.#look();
      },
      { unref: true },
    );
  }

  /** Without an id: nothing of it is in the log of changes, and after a break all is told anew. */
  #tellTruth(): void {
    if (this.#truth === null) return;
    const { truth, gone } = this.#truth.news();
    const at = formatInstant(this.#clock.now());
    const changes: StreamChange[] = gone.map((id) => ({ subject: 'truth', at, gone: id }));
    if (truth.length > 0) changes.push({ subject: 'truth', at, truth: [...truth] });
    if (changes.length > 0) this.#say(changes.map((change) => eventText(null, change)).join(''));
  }

  #say(text: string): void {
    if (this.#sink.write(text)) return;
    this.#full = true;
    this.#sink.onDrain(() => {
      this.#full = false;
      if (this.#pending.size > 0) this.#wake(true);
    });
  }
}

const eventText = (id: number | null, change: StreamChange): string =>
  `${id === null ? '' : `id: ${id}\n`}event: change\ndata: ${JSON.stringify(change)}\n\n`;
