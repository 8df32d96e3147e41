/**
 * One open stream: a snapshot or the missed changes, then each change with the current state of its object. A slow reader skips states, and
 * never receives an outdated one. [decisions 9]
 */
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import type { StreamChange, StreamPerson, StreamSnapshot } from '../../../contract/stream.ts';
import { NotInMemory } from '../../domain/world/archive.ts';
import { type ChangeLog, type ChangeMark, MOST_EVENTS } from './change-log.ts';
import { clockView, type StreamProjection } from './stream-projection.ts';
import type { TruthDiff } from './truth.ts';

/** Where the text is written: an HTTP response, or a substitute in a test. */
interface StreamSink {
  /** Returns false if the sink is full; it is then full until `onDrain` calls back. */
  write(text: string): boolean;
  onDrain(then: () => void): void;
}

/** Delay of a change. Changes within this time are sent in one write. */
const SOON_MS = 50;
/** People move all the time, so their changes are sent in batches. */
const PEOPLE_MS = 1_000;
const PING_MS = 15_000;
/** Interval of the time of a run at a pace, which can fall behind; wall ms. */
const PACE_MS = 500;
/** Maximum of sent alerts that this stream remembers, to announce their removal. */
const MOST_ALERTS = 10_000;
const TRUTH_MS = 1_000;

export class Subscriber {
  readonly #log: ChangeLog;
  readonly #projection: StreamProjection;
  readonly #clock: Clock;
  readonly #sink: StreamSink;
  /** Null if ground truth is not requested, or not permitted. */
  readonly #truth: TruthDiff | null;
  readonly #pending = new Map<string, ChangeMark>();
  /**
   * Keys of the pending events, oldest first. Each event is a separate object, so their number must be bounded while
   * the reader is full.
   */
  #pendingEvents: string[] = [];
  readonly #ends: Record<'log' | 'ping' | 'pace' | 'truth', Cancel> = {
    log: () => {},
    ping: () => {},
    pace: () => {},
    truth: () => {},
  };
  #flush: { readonly cancel: Cancel; readonly soon: boolean } | null = null;
  /** Objects that were sent to this reader: only their removal is announced. */
  readonly #shown = new Set<string>();
  /** Keys of the alerts that were sent as changes, the oldest first. */
  readonly #alerts = new Set<string>();
  /** By site: the list that this reader has, as text. */
  readonly #notSafe = new Map<string, string>();
  #resumed = false;
  #full = false;

  constructor(
    log: ChangeLog,
    projection: StreamProjection,
    clock: Clock,
    sink: StreamSink,
    truth: TruthDiff | null = null,
  ) {
    this.#log = log;
    this.#projection = projection;
    this.#clock = clock;
    this.#sink = sink;
    this.#truth = truth;
  }

  /** `after`: the id of the last message that the reader has, if it resumes. */
  begin(after: number | null): void {
    const since = after === null ? null : this.#log.since(after);
    // A reader does not get the ids of objects that it may not see. If one of its objects became hidden meanwhile, only
    // a snapshot can remove it. A snapshot is also needed if workers are visible only by a position or a missing list,
    // because it is not known which workers the reader has.
    const mayResume = (marks: readonly ChangeMark[]): boolean =>
      this.#projection.seesAll || (!this.#projection.meetsPeopleByTheWay && marks.every((mark) => this.#isSeen(mark)));
    const missed = since !== null && orElse(false, () => mayResume(since)) ? since : null;
    this.#resumed = missed !== null;
    if (missed === null) this.#sendSnapshot();
    else this.#hasSeen(this.#projection.snapshot(this.#clock));
    this.#ends.log = this.#log.listen((mark) => this.#take(mark));
    for (const mark of missed ?? []) this.#take(mark);
    if (missed !== null) this.#sendTruth();
    this.#every(PING_MS, 'ping', () => this.#write(': ping\n\n'));
    if (this.#clock.mode === 'lockstep') this.#every(PACE_MS, 'pace', () => this.#sendClock());
    if (this.#truth !== null) this.#every(TRUTH_MS, 'truth', () => this.#sendTruth());
  }

  end(): void {
    this.#flush?.cancel();
    for (const cancel of Object.values(this.#ends)) cancel();
  }

  #sendSnapshot(): void {
    const seen = this.#projection.snapshot(this.#clock);
    const snapshot: StreamSnapshot = { ...seen, ...(this.#truth === null ? {} : { truth: this.#truth.next().truth }) };
    this.#hasSeen(seen);
    this.#write(`id: ${this.#log.newest}\nevent: snapshot\ndata: ${JSON.stringify(snapshot)}\n\n`);
  }

  /**
   * Records which objects the reader has. A reader that resumes has at least the objects that are visible now and did
   * not change meanwhile.
   */
  #hasSeen(seen: StreamSnapshot): void {
    for (const subject of ['site', 'worker', 'alert', 'muster', 'destination'] as const)
      for (const { id } of seen[`${subject}s`]) this.#shown.add(`${subject} ${id}`);
    for (const { id } of seen.deliveries) this.#shown.add(`delivery ${id}`);
    for (const { worker_id } of seen.people) this.#shown.add(`person ${worker_id}`);
    if (this.#resumed) return;
    for (const { id } of seen.sites)
      this.#notSafe.set(id, JSON.stringify(this.#projection.notSafe(id, this.#clock.now())));
  }

  #take(mark: ChangeMark): void {
    if (!this.#projection.owns(mark.organizationId)) return;
    const key = `${mark.subject} ${mark.id}`;
    this.#pending.delete(key);
    this.#pending.set(key, mark);
    if (mark.subject === 'event' && this.#pendingEvents.push(key) > MOST_EVENTS)
      this.#pending.delete(this.#pendingEvents.shift() as string);
    this.#wake(mark.subject !== 'person');
  }

  #wake(soon: boolean): void {
    if (this.#full || (this.#flush !== null && (this.#flush.soon || !soon))) return;
    this.#flush?.cancel();
    const cancel = this.#clock.afterWall(soon ? SOON_MS : PEOPLE_MS, () => this.#sendPending(), { unref: true });
    this.#flush = { cancel, soon };
  }

  /**
   * A reader may be so slow that a document of a pending change is no longer in memory. It then gets a new snapshot.
   */
  #sendPending(): void {
    this.#flush = null;
    const sent = orElse(false, () => {
      this.#sendChanges();
      return true;
    });
    if (!sent) this.#sendSnapshot();
  }

  /**
   * Sends the changes in the order of their numbers, so that a reader that disconnects in between resumes without a
   * gap.
   */
  #sendChanges(): void {
    const marks = [...this.#pending.values()];
    this.#pending.clear();
    this.#pendingEvents = [];
    const at = formatInstant(this.#clock.now());
    let people: StreamPerson[] = [];
    let text = '';
    for (const [place, mark] of marks.entries()) {
      for (const change of this.#projection.contained(mark.subject, () => this.#changesOf(mark, at, people)) ?? [])
        text += messageText(mark.n, change);
      const next = marks[place + 1];
      // Consecutive changes of people are sent as one message.
      if (people.length > 0 && next?.subject !== 'person') {
        text += messageText(mark.n, { subject: 'person', at, people });
        people = [];
      }
    }
    if (text !== '') this.#write(text);
  }

  /** Returns an empty list if there is nothing to send, or for a person, who is added to the batch. */
  #changesOf(mark: ChangeMark, at: string, people: StreamPerson[]): StreamChange[] {
    const { subject, id } = mark;
    const projection = this.#projection;
    switch (subject) {
      case 'person':
        return this.#personChanges(id, at, people);
      case 'not_safe':
        return this.#notSafeChanges(id, at);
      case 'clock':
        return [{ subject, at, clock: clockView(this.#clock) }];
      case 'event': {
        const event = projection.event(id);
        return event === null ? [] : [{ subject, at, event }];
      }
      case 'worker':
        return this.#object(mark, at, projection.worker(id, this.#clock.now()), (worker) => ({ subject, at, worker }));
      case 'site':
        return this.#object(mark, at, projection.site(id), (site) => ({ subject, at, site }));
      case 'alert':
        return this.#object(mark, at, projection.alert(id), (alert) => ({ subject, at, alert }));
      case 'muster':
        return this.#object(mark, at, projection.muster(id), (muster) => ({ subject, at, muster }));
      case 'destination':
        return this.#object(mark, at, projection.destination(id), (destination) => ({ subject, at, destination }));
      case 'delivery':
        return this.#object(mark, at, projection.delivery(id), (delivery) => ({ subject, at, delivery }));
    }
  }

  #object<T>(mark: ChangeMark, at: string, seen: T | null, changeTo: (seen: T) => StreamChange): StreamChange[] {
    const { subject, id } = mark;
    const key = `${subject} ${id}`;
    if (seen !== null) {
      this.#shown.add(key);
      if (subject === 'alert') this.#boundAlerts(key);
      return [changeTo(seen)];
    }
    // Do not announce the removal of an object that this viewer was never allowed to see.
    const known = this.#shown.delete(key) || (this.#resumed && this.#projection.seesAll);
    return known ? [{ subject: subject as Removable, at, gone: id }] : [];
  }

  /** Bounds the number of remembered alerts. The reader drops old alerts as well. */
  #boundAlerts(key: string): void {
    this.#alerts.delete(key);
    this.#alerts.add(key);
    if (this.#alerts.size <= MOST_ALERTS) return;
    const oldest = this.#alerts.values().next().value as string;
    this.#alerts.delete(oldest);
    this.#shown.delete(oldest);
  }

  /** True if an object that changed while the reader was away is visible now. */
  #isSeen({ subject, id }: ChangeMark): boolean {
    const [projection, now] = [this.#projection, this.#clock.now()];
    switch (subject) {
      case 'person':
        return projection.person(id, now) !== null;
      case 'worker':
        return projection.worker(id, now) !== null;
      case 'site':
      case 'alert':
      case 'muster':
      case 'destination':
      case 'delivery':
        return projection[subject](id) !== null;
      case 'not_safe':
      case 'clock':
      case 'event':
        return true;
    }
  }

  /**
   * Adds the person to the batch. Returns the changes for a person who is hidden now, or for a worker who is visible
   * only by a position or a missing list.
   */
  #personChanges(id: string, at: string, people: StreamPerson[]): StreamChange[] {
    const now = this.#clock.now();
    const { meetsPeopleByTheWay } = this.#projection;
    const person = this.#projection.person(id, now);
    if (person === null) {
      const gone: StreamChange[] = this.#shown.delete(`person ${id}`) ? [{ subject: 'person', at, gone: id }] : [];
      if (meetsPeopleByTheWay && this.#shown.delete(`worker ${id}`)) gone.push({ subject: 'worker', at, gone: id });
      return gone;
    }
    this.#shown.add(`person ${id}`);
    people.push(person);
    if (!meetsPeopleByTheWay || this.#shown.has(`worker ${id}`)) return [];
    const worker = this.#projection.worker(id, now);
    if (worker === null) return [];
    this.#shown.add(`worker ${id}`);
    return [{ subject: 'worker', at, worker }];
  }

  /** Returns a change only if the list differs from the one that the reader has. */
  #notSafeChanges(siteId: string, at: string): StreamChange[] {
    const seen = this.#projection.notSafe(siteId, this.#clock.now()) ?? [];
    const text = JSON.stringify(seen);
    if (text === (this.#notSafe.get(siteId) ?? (this.#resumed ? null : '[]'))) return [];
    this.#notSafe.set(siteId, text);
    return [{ subject: 'not_safe', at, site_id: siteId, not_safe: seen }];
  }

  /** Repeats the task until the end of the stream. Skips it while the reader is full. */
  #every(ms: number, name: 'ping' | 'pace' | 'truth', task: () => void): void {
    const next = () => {
      if (!this.#full) task();
      this.#every(ms, name, task);
    };
    this.#ends[name] = this.#clock.afterWall(ms, next, { unref: true });
  }

  /** Sent without an id, because it is no change. */
  #sendClock(): void {
    const at = formatInstant(this.#clock.now());
    this.#write(messageText(null, { subject: 'clock', at, clock: clockView(this.#clock) }));
  }

  /** Sent without an id: ground truth is not in the change log, and all of it is sent again after a reconnection. */
  #sendTruth(): void {
    if (this.#truth === null) return;
    const { truth, gone } = this.#truth.next();
    const at = formatInstant(this.#clock.now());
    const changes: StreamChange[] = gone.map((id) => ({ subject: 'truth', at, gone: id }));
    if (truth.length > 0) changes.push({ subject: 'truth', at, truth });
    if (changes.length > 0) this.#write(changes.map((change) => messageText(null, change)).join(''));
  }

  #write(text: string): void {
    if (this.#sink.write(text)) return;
    this.#full = true;
    this.#sink.onDrain(() => {
      this.#full = false;
      if (this.#pending.size > 0) this.#wake(true);
    });
  }
}

/** Returns `instead` if memory does not have a document that is read. */
function orElse<T>(instead: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotInMemory) return instead;
    throw error;
  }
}

type Removable = Extract<StreamChange, { gone: string }>['subject'];

const messageText = (id: number | null, change: StreamChange): string =>
  `${id === null ? '' : `id: ${id}\n`}event: change\ndata: ${JSON.stringify(change)}\n\n`;
