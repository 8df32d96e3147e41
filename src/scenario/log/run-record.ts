/** The history of a run, built from its notices; checks are evaluated on it. */
import type { Clock, Instant } from '../../base/time/clock.ts';
import { instantOf } from '../../base/time/instants.ts';
import type { Event } from '../../contract/events.ts';
import type { AttemptNotice, Notice, NoticeKind } from '../../contract/notices.ts';
import type { Alert, Muster, WebhookDestination } from '../../contract/resources.ts';
import { objectOf } from '../model/references.ts';

/** The latest state of an alert. */
export interface AlertState {
  readonly alert: Alert;
  readonly before: Alert | null;
  /** Sequence number of its last change. */
  readonly seq: number;
  readonly at: Instant;
}

export interface MusterState {
  readonly muster: Muster;
  readonly before: Muster | null;
  readonly seq: number;
  readonly at: Instant;
}

export interface RecordedEvent {
  readonly seq: number;
  readonly at: Instant;
  readonly event: Event;
  /** The object in its previous event. */
  readonly before: unknown;
}

/** `dropped`: the destination was deleted while the delivery was pending. [decisions 7] */
type RecordedNotice = Omit<AttemptNotice, 'result'> & { readonly result: AttemptNotice['result'] | 'dropped' };

export interface RecordedAttempt {
  readonly seq: number;
  readonly at: Instant;
  /** The receiver's short name; null for a destination that the scenario did not make. */
  readonly receiver: string | null;
  readonly attempt: RecordedNotice;
  /** Attempts of this delivery so far, ms from the event. */
  readonly offsetsMs: readonly number[];
  /**
   * The user's own system got the delivery and replied, in time or not, and the API refused none of its requests
   * meanwhile.
   */
  readonly reached: boolean;
}

/** A call of a customer's client, from the audit log. */
export interface RecordedRequest {
  readonly seq: number;
  readonly at: Instant;
  readonly company: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly query: string;
  /**
   * The time until which this reply excuses a client that does not act: the service refused the call for its own
   * reasons. Null: no excuse. A fault of the client is no excuse, for example a token that was refused before.
   */
  readonly excusedTo: Instant | null;
}

export interface RecordedMail {
  readonly seq: number;
  readonly at: Instant;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** An entry of the line "around" of a failure. */
export interface RecordedHappening {
  readonly at: Instant;
  readonly text: string;
}

/** Returns true for a reply after which a client tries again: an expired token, too many requests, an outage. */
export const isTrouble = (status: number): boolean => status === 401 || status === 429 || status >= 500;

/** Entries kept for the line "around" of a failure. */
const MOST_HAPPENINGS = 64;

/** Translates addresses and ids of notices to names of the scenario. */
interface RecordNaming {
  /** The receiver's short name; null for a destination that the scenario did not make. */
  receiverOf(url: string): string | null;
  companyOf(organizationId: string): string;
  /**
   * The time at which the attempt of this event that has just ended was forwarded to the user's own system, monotonic
   * ms; null if it was not forwarded.
   */
  takePassedAt?(receiver: string, eventId: string): number | null;
}

/** Collects the notices of one run. */
export class RunRecord {
  readonly alerts = new Map<string, AlertState>();
  readonly musters = new Map<string, MusterState>();
  readonly events: RecordedEvent[] = [];
  readonly attempts: RecordedAttempt[] = [];
  readonly requests: RecordedRequest[] = [];
  readonly mails: RecordedMail[] = [];
  /** By the short name of the receiver. */
  readonly destinations = new Map<string, WebhookDestination>();
  readonly happenings: RecordedHappening[] = [];
  readonly #clock: Clock;
  readonly #naming: RecordNaming;
  readonly #listeners = new Set<(kind: NoticeKind) => void>();
  readonly #objects = new Map<string, unknown>();
  readonly #offsets = new Map<string, number[]>();
  /** Deliveries that wait for their next attempt, by id. */
  readonly #waiting = new Map<string, RecordedAttempt>();
  readonly #most: number;
  #seq = 0;
  readonly #troubles = new Set<string>();
  #troubledTo: Instant = 0;
  /** The last time at which the API refused a client for the API's own reasons; monotonic ms. */
  #refusedAtMs = Number.NEGATIVE_INFINITY;
  /** Tokens that were refused before, by their hash. */
  readonly #refusedTokens = new Set<string>();
  /**
   * True if the API refused the last call: a client that obeys `Retry-After` waits in wall time, independently of
   * simulated time.
   */
  #isRefused = false;

  /** Keeps between `most` and twice that number of entries of each kind; unbounded for a run, because a run ends. */
  constructor(clock: Clock, naming: RecordNaming, most = Number.POSITIVE_INFINITY) {
    this.#clock = clock;
    this.#naming = naming;
    this.#most = most;
  }

  /** Called when an action starts or ends a failure of the API: an outage, or lower limits. */
  setTrouble(action: string, active: boolean): void {
    if (active) this.#troubles.add(action);
    else if (this.#troubles.delete(action)) {
      this.#troubledTo = this.#clock.now();
      this.#refusedAtMs = this.#clock.monotonic();
    }
  }

  /** The time at which the last such failure ended; null while one lasts. */
  get troubledTo(): Instant | null {
    return this.#troubles.size > 0 ? null : this.#troubledTo;
  }

  /** The current sequence number; later entries have higher numbers. */
  get position(): number {
    return this.#seq;
  }

  /** Calls the listener for each notice, after the notice was recorded; returns the unsubscribe function. */
  onNotice(listener: (kind: NoticeKind) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  add(notice: Notice): void {
    this.#seq++;
    const at = instantOf(notice.at);
    if (notice.kind === 'alert-changed') this.addAlert(notice.alert, at);
    else if (notice.kind === 'muster-changed') this.addMuster(notice.muster, at);
    else if (notice.kind === 'event-occurred' && notice.listed) this.addEvent(notice.event, at);
    else if (notice.kind === 'delivery-attempted') this.addAttempt(notice);
    else if (notice.kind === 'destination-changed') this.addDestination(notice.destination);
    else if (notice.kind === 'destination-deleted') this.removeDestination(notice.destination_id, at);
    else if (notice.kind === 'request-answered') this.addRequest(notice, at);
    else if (notice.kind === 'mail-sent') this.addMail(notice, at);
    // Every request of a client comes here, and adds to one list only.
    if (notice.kind === 'request-answered') this.#trim(this.requests);
    else this.#forget();
    if (this.#listeners.size > 0) for (const listener of [...this.#listeners]) listener(notice.kind);
  }

  /**
   * The sequence number after which a search finds everything since this instant. In a burst the object's own time (`created_at`,
   * `date_last_modified`) is ahead of its notice, so that time counts too. [decisions 1, 5]
   */
  positionAt(since: Instant): number {
    let place = this.#seq;
    const take = (seq: number, at: Instant, own?: string) => {
      if (at >= since || (own !== undefined && instantOf(own) >= since)) place = Math.min(place, seq - 1);
    };
    for (const { seq, at, alert } of this.alerts.values()) take(seq, at, alert.date_last_modified);
    for (const { seq, at, event } of this.events) take(seq, at, event.created_at);
    for (const records of [this.musters.values(), this.attempts, this.requests, this.mails])
      for (const { seq, at } of records) take(seq, at);
    return place;
  }

  /** Evicts the oldest entries, and alerts and musters that are over. */
  #forget(): void {
    for (const list of [this.events, this.attempts, this.mails]) this.#trim(list);
    for (const [states, isOver] of [
      [this.alerts, ({ alert }: AlertState) => alert.status === 'resolved'],
      [this.musters, ({ muster }: MusterState) => muster.status !== 'active'],
    ] as const) {
      if (states.size <= 2 * this.#most) continue;
      for (const [id, state] of states) {
        if (states.size <= this.#most) break;
        if (!isOver(state as never)) continue;
        states.delete(id);
        this.#objects.delete(id);
      }
    }
    if (this.#offsets.size > 2 * this.#most)
      for (const id of this.#offsets.keys()) if (!this.#waiting.has(id)) this.#offsets.delete(id);
  }

  #trim(list: unknown[]): void {
    if (list.length > 2 * this.#most) list.splice(0, list.length - this.#most);
  }

  /** Adds an entry to the happenings; the oldest is evicted. */
  addHappening(at: Instant, text: string): void {
    this.happenings.push({ at, text });
    if (this.happenings.length > MOST_HAPPENINGS) this.happenings.shift();
  }

  addAlert(alert: Alert, at: Instant): void {
    const before = this.alerts.get(alert.id)?.alert ?? null;
    this.alerts.set(alert.id, { alert, before, seq: this.#seq, at });
    const { details, type } = alert;
    if (before !== null && 'escalated_to_sos' in details && details.escalated_to_sos && !isEscalated(before)) {
      this.addHappening(at, `${type} escalated`);
    }
  }

  addMuster(muster: Muster, at: Instant): void {
    const before = this.musters.get(muster.id)?.muster ?? null;
    this.musters.set(muster.id, { muster, before, seq: this.#seq, at });
  }

  addEvent(event: Event, at: Instant): void {
    const object = objectOf(event) as { id: string; type?: string; kind?: string };
    this.events.push({ seq: this.#seq, at, event, before: this.#objects.get(object.id) });
    this.#objects.set(object.id, object);
    this.addHappening(at, `${event.type} ${object.type ?? object.kind ?? ''}`.trim());
  }

  /** An attempt is recorded at its end: its result is known up to 5 s after its start. */
  addAttempt(attempt: AttemptNotice): void {
    const at = this.#clock.now();
    const offsetsMs = [...(this.#offsets.get(attempt.delivery_id) ?? []), attempt.offset_ms];
    this.#offsets.set(attempt.delivery_id, offsetsMs);
    const receiver = this.#naming.receiverOf(attempt.url);
    const passedAt = receiver === null ? null : (this.#naming.takePassedAt?.(receiver, attempt.event_id) ?? null);
    const isTroubled = this.#troubles.size > 0 || this.#isRefused;
    const reached = passedAt !== null && !isTroubled && passedAt > this.#refusedAtMs;
    this.pushAttempt({ seq: this.#seq, at, receiver, attempt, offsetsMs, reached });
    this.addHappening(at, `${receiver ?? 'a destination'} ${attempt.status ?? attempt.result}`);
  }

  pushAttempt(recorded: RecordedAttempt): void {
    this.attempts.push(recorded);
    const { delivery_id, result } = recorded.attempt;
    if (result === 'waiting' && recorded.attempt.copy === undefined) this.#waiting.set(delivery_id, recorded);
    else if (result !== 'waiting') this.#waiting.delete(delivery_id);
  }

  addDestination(destination: WebhookDestination): void {
    const receiver = this.#naming.receiverOf(destination.url);
    if (receiver !== null) this.destinations.set(receiver, destination);
  }

  /** The pending deliveries of the destination are dropped with it. [decisions 7] */
  removeDestination(destinationId: string, at: Instant): void {
    for (const [receiver, { id }] of this.destinations) if (id === destinationId) this.destinations.delete(receiver);
    for (const recorded of [...this.#waiting.values()]) {
      if (recorded.attempt.destination_id !== destinationId) continue;
      this.pushAttempt({ ...recorded, seq: this.#seq, at, attempt: { ...recorded.attempt, result: 'dropped' } });
    }
  }

  addRequest(notice: Extract<Notice, { kind: 'request-answered' }>, at: Instant): void {
    const { organization_id, method, path, query, status, code } = notice;
    // Sandbox-only routes do not exist in production.
    if (path.startsWith('/v1/sandbox/')) return;
    const company = this.#naming.companyOf(organization_id);
    const excusedTo = this.#excusedTo(notice, at);
    this.#isRefused = excusedTo !== null;
    if (this.#isRefused) this.#refusedAtMs = this.#clock.monotonic();
    this.requests.push({ seq: this.#seq, at, company, method, path, query, status, code, excusedTo });
    if (status >= 400) this.addHappening(at, `${method} ${path} ${status}`);
  }

  #excusedTo(notice: Extract<Notice, { kind: 'request-answered' }>, at: Instant): Instant | null {
    const { status, token_hash: token, retry_after_s: retryAfterS } = notice;
    if (status === 429) return at + (retryAfterS ?? 0) * 1_000;
    if (status >= 500) return at;
    // The first refused call informs the client that its token has expired, so only that call is an excuse.
    if (status !== 401 || token === null || this.#refusedTokens.has(token)) return null;
    this.#refusedTokens.add(token);
    return at;
  }

  addMail({ to, subject, text }: Extract<Notice, { kind: 'mail-sent' }>, at: Instant): void {
    this.mails.push({ seq: this.#seq, at, to, subject, text });
    this.addHappening(at, `mail: ${subject}`);
  }
}

function isEscalated({ details }: Alert): boolean {
  return 'escalated_to_sos' in details && details.escalated_to_sos;
}
