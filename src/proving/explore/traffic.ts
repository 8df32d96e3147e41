/**
 * What passed between the sandbox and the user's system in one play: steps, deliveries and calls in order, with their answers. One
 * delivery or call can be changed.
 */
import type { Clock } from '../../base/time/clock.ts';
import type { AttemptNotice, Notice } from '../../contract/notices.ts';
import type { CallChange, DeliveryFate, TrafficPort } from '../../scenario/model/traffic-port.ts';

/** Moments that are kept; the oldest deliveries and calls are evicted. */
const MOST_MOMENTS = 500;

/** How long a delivery is refused that has no later one to wait for, and the longest wait for a later one; simulated ms. */
const DELAY_MS = 30_000;
export const LONGEST_WAIT_MS = 60_000;

/** How much later a call is answered; wall ms, because the timeout of a client runs on its own clock. */
const CALL_DELAY_MS = 1_000;

/** How a delivery or a call is changed. `spared`: from a refused call on, the API refuses nothing. */
export type TrafficChangeKind = 'delayed' | 'dropped' | 'refused' | 'spared';

export interface TrafficChange {
  /** The key of the moment. */
  readonly key: string;
  readonly kind: TrafficChangeKind;
  /** A delayed delivery arrives after the delivery with this key. Absent: after 30 s. */
  readonly after?: string | undefined;
}

/** One step, delivery or call. */
export interface Moment {
  readonly kind: 'step' | 'delivery' | 'call';
  /** Simulated ms from the start. */
  readonly atMs: number;
  /** A step as it is written, the type of an event, or a method and its path. */
  readonly what: string;
  /** Identifies a delivery or call among those of equal plays. Null: it cannot be changed, because the system never got it. */
  readonly key: string | null;
  /** Ids of the alert or muster of a delivery, or of those in the path of a call. */
  readonly objects: readonly string[];
  /** The number of a delivery among those of this event type about its object, from 1; 0: not a delivery. */
  readonly nth: number;
  /** The place of the event of a delivery in the event log, from 1; 0: unknown. */
  readonly event: number;
  /** The status of the answer, or why there is none; null: it was not answered before the rule broke. */
  answer: string | null;
  /** True if the API refused the call: 429 or 5xx. */
  isRefused: boolean;
}

interface NumberedEvent {
  /** Its place in the event log, and its number among events of this type about its object; both from 1. */
  readonly number: number;
  readonly ofType: number;
  readonly type: string;
  readonly objectId: string;
}

/** Ids in the paths of the API. */
export const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

export class SystemTraffic implements TrafficPort {
  readonly moments: Moment[] = [];
  readonly #change: TrafficChange | null;
  readonly #mostSteps: number;
  /** Numbers of objects and events by their id, in the order in which they came. Ids may differ between plays. */
  readonly #objects = new Map<string, number>();
  readonly #events = new Map<string, NumberedEvent>();
  readonly #counts = new Map<string, number>();
  /** Deliveries and calls without an answer. The oldest of one text is answered first. */
  readonly #open: { readonly of: string; readonly moment: Moment }[] = [];
  readonly #passed = new Set<string>();
  /** The delayed event, and the time from which it passes. */
  #delayed: { readonly of: string; readonly untilMs: number } | null = null;
  #clock: Clock | null = null;
  #startMs = 0;
  #isClosed = false;
  /** True once the change was made; a delayed delivery has arrived. */
  isChanged = false;

  /** `mostSteps`: later steps are not recorded. */
  constructor(change: TrafficChange | null = null, mostSteps = Number.POSITIVE_INFINITY) {
    this.#change = change;
    this.#mostSteps = mostSteps;
  }

  /** Called before the sandbox of the play starts. */
  begin(clock: Clock): void {
    this.#clock = clock;
    this.#startMs = clock.now();
  }

  /** The rule is broken: what comes now did not decide. The notice that broke it is still to come here. */
  close(): void {
    queueMicrotask(() => {
      this.#isClosed = true;
    });
  }

  /** `index`: the place of the step in the scenario, from 0. */
  onStep({ atMs, text }: { readonly atMs: number; readonly text: string }, index: number): void {
    if (index >= this.#mostSteps) return;
    this.#add({ kind: 'step', atMs, what: text, key: null, objects: [], nth: 0, event: 0 });
  }

  onNotice(notice: Notice): void {
    if (notice.kind === 'event-occurred') {
      const { id, type, data } = notice.event;
      const object = 'alert' in data ? data.alert : data.muster;
      this.#numberOf(object.id);
      this.#eventOf(id, type, object.id);
    } else if (notice.kind === 'delivery-attempted') this.#onAttempt(notice);
    else if (notice.kind === 'request-answered') {
      const answered = this.#answered(`${notice.method} ${notice.path}`, String(notice.status));
      if (answered !== null) answered.isRefused = notice.status === 429 || notice.status >= 500;
    }
  }

  fateOf({ receiver, eventId }: { readonly receiver: string; readonly eventId: string }): DeliveryFate {
    const event = this.#events.get(eventId);
    if (event === undefined) return 'passed';
    const { type, objectId, number, ofType } = event;
    const of = `${receiver} ${type} ${ofType} of object ${this.#numberOf(objectId)}`;
    const key = `${of}, attempt ${this.#nth(of)}`;
    const fate = this.#fate(key, of);
    if (fate === 'refused') return fate;
    this.#passed.add(key);
    const nth = this.#nth(`${receiver} deliveries of ${type} ${objectId}`);
    const moment = { kind: 'delivery', atMs: this.#nowMs, what: type, key, objects: [objectId], nth } as const;
    this.#await(eventId, { ...moment, event: number });
    return fate;
  }

  changeOf({ method, target }: { readonly method: string; readonly target: string }): CallChange | null {
    const [path = ''] = target.split('?');
    const what = `${method} ${path}`;
    const same = what.replace(UUID, (id) => `object ${this.#numberOf(id)}`);
    const key = `call ${same}: ${this.#nth(same)}`;
    const objects = path.match(UUID) ?? [];
    this.#await(what, { kind: 'call', atMs: this.#nowMs, what, key, objects, nth: 0, event: 0 });
    const change = this.#change;
    const isHere = change?.key === key;
    this.isChanged ||= isHere;
    // The system may call several times for one purpose, such as for a token first.
    if (change?.kind === 'spared') return this.isChanged ? { kind: 'spared' } : null;
    if (!isHere) return null;
    const isRefused = change.kind === 'refused';
    return { kind: 'fault', status: isRefused ? 503 : null, slowMs: isRefused ? 0 : CALL_DELAY_MS };
  }

  /** `of`: the receiver and the event, of which a later attempt may be refused as well. */
  #fate(key: string, of: string): DeliveryFate {
    const change = this.#change;
    if (change?.key === key) {
      this.isChanged = change.kind === 'dropped';
      if (this.isChanged) return 'dropped';
      const untilMs = this.#nowMs + (change.after === undefined ? DELAY_MS : LONGEST_WAIT_MS);
      this.#delayed = { of, untilMs };
    }
    const delayed = this.#delayed;
    if (delayed?.of !== of) return 'passed';
    const isLate = change?.after !== undefined && this.#passed.has(change.after);
    this.isChanged ||= isLate || this.#nowMs >= delayed.untilMs;
    return this.isChanged ? 'passed' : 'refused';
  }

  #onAttempt({ event_id, event_type, object_id, status, error, result }: AttemptNotice): void {
    const answer = status === null ? (error ?? result) : String(status);
    if (this.#answered(event_id, answer) !== null) return;
    const event = this.#eventOf(event_id, event_type, object_id).number;
    const moment = { kind: 'delivery', atMs: this.#nowMs, what: event_type, key: null, objects: [object_id] } as const;
    this.#add({ ...moment, nth: 0, event }).answer = `${answer}, not passed on`;
  }

  #await(of: string, moment: Omit<Moment, 'answer' | 'isRefused'>): void {
    this.#open.push({ of, moment: this.#add(moment) });
    if (this.#open.length > MOST_MOMENTS) this.#open.shift();
  }

  /** Sets the answer of the oldest open moment; null if there is none. */
  #answered(of: string, answer: string): Moment | null {
    const at = this.#open.findIndex((one) => one.of === of);
    const [open] = at < 0 ? [] : this.#open.splice(at, 1);
    if (open === undefined) return null;
    if (!this.#isClosed) open.moment.answer = answer;
    return open.moment;
  }

  #add(moment: Omit<Moment, 'answer' | 'isRefused'>): Moment {
    const added = { ...moment, answer: null, isRefused: false };
    if (this.#isClosed) return added;
    this.moments.push(added);
    if (this.moments.length > MOST_MOMENTS)
      this.moments.splice(
        this.moments.findIndex(({ kind }) => kind !== 'step'),
        1,
      );
    return added;
  }

  #eventOf(id: string, type: string, objectId: string): NumberedEvent {
    const known = this.#events.get(id);
    if (known !== undefined) return known;
    const event = { number: this.#events.size + 1, ofType: this.#nth(`${type} ${objectId}`), type, objectId };
    this.#events.set(id, event);
    return event;
  }

  #numberOf(objectId: string): number {
    const number = this.#objects.get(objectId) ?? this.#objects.size + 1;
    this.#objects.set(objectId, number);
    return number;
  }

  #nth(of: string): number {
    const nth = (this.#counts.get(of) ?? 0) + 1;
    this.#counts.set(of, nth);
    return nth;
  }

  get #nowMs(): number {
    return (this.#clock?.now() ?? this.#startMs) - this.#startMs;
  }
}
