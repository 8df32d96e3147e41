/** What has happened in a run so far, as the notices told it: what checks look at. */
import type { Clock, Instant } from '../../base/clock.ts';
import { parseInstant } from '../../base/instants.ts';
import type { Event } from '../../contract/events.ts';
import type { AttemptNotice, Notice, NoticeKind } from '../../contract/notices.ts';
import type { Alert, Muster, WebhookDestination } from '../../contract/resources.ts';
import { objectOf } from '../story/references.ts';

/** An alert as it is now. */
export interface AlertState {
  readonly alert: Alert;
  readonly before: Alert | null;
  /** The place in the record of its last change. */
  readonly seq: number;
  readonly at: Instant;
}

/** A muster as it is now. */
export interface MusterState {
  readonly muster: Muster;
  readonly before: Muster | null;
  readonly seq: number;
  readonly at: Instant;
}

export interface HeardEvent {
  readonly seq: number;
  readonly at: Instant;
  readonly event: Event;
  /** The object as it was in the event before this one about it. */
  readonly before: unknown;
}

/** `dropped`: its destination was deleted while it waited. [decisions 7] */
export type HeardNotice = Omit<AttemptNotice, 'result'> & { readonly result: AttemptNotice['result'] | 'dropped' };

export interface HeardAttempt {
  readonly seq: number;
  readonly at: Instant;
  /** The receiver's short name; null for a destination that the story did not make. */
  readonly receiver: string | null;
  readonly attempt: HeardNotice;
  /** Of this delivery up to this attempt, ms from the event. */
  readonly offsetsMs: readonly number[];
}

/** A call of a customer's client, as the audit log has it. */
export interface HeardRequest {
  readonly seq: number;
  readonly at: Instant;
  readonly company: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
}

export interface HeardMail {
  readonly seq: number;
  readonly at: Instant;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** What happened, in a few words, for the line that tells what was around a failure. */
export interface RecordedHappening {
  readonly at: Instant;
  readonly text: string;
}

/** As many as the line around a failure could ever need. */
const MOST_HAPPENINGS = 64;

/** How the record names what notices name by address and id. */
export interface RecordNaming {
  /** The receiver's short name; null for a destination that the story did not make. */
  receiverOf(url: string): string | null;
  companyOf(organizationId: string): string;
}

/** Hears the notices of one run and keeps what checks may ask for. */
export class RunRecord {
  readonly alerts = new Map<string, AlertState>();
  readonly musters = new Map<string, MusterState>();
  readonly events: HeardEvent[] = [];
  readonly attempts: HeardAttempt[] = [];
  readonly requests: HeardRequest[] = [];
  readonly mails: HeardMail[] = [];
  /** By the short name of the receiver. */
  readonly destinations = new Map<string, WebhookDestination>();
  readonly happenings: RecordedHappening[] = [];
  readonly #clock: Clock;
  readonly #naming: RecordNaming;
  readonly #listeners = new Set<(kind: NoticeKind) => void>();
  readonly #objects = new Map<string, unknown>();
  readonly #offsets = new Map<string, number[]>();
  /** Deliveries that wait for their next attempt, by id. */
  readonly #waiting = new Map<string, HeardAttempt>();
  readonly #most: number;
  #seq = 0;

  /** `most` of each kind are kept at least, and twice as many at most; a run ends before that matters. */
  constructor(clock: Clock, naming: RecordNaming, most = Number.POSITIVE_INFINITY) {
    this.#clock = clock;
    this.#naming = naming;
    this.#most = most;
  }

  /** The place in the record from which a search may start: what comes from now on is after it. */
  get place(): number {
    return this.#seq;
  }

  /** Tells of each notice after it was taken in. The answer ends it. */
  listen(listener: (kind: NoticeKind) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  hear(notice: Notice): void {
    this.#seq++;
    const at = parseInstant(notice.at) ?? this.#clock.now();
    if (notice.kind === 'alert-changed') this.#hearAlert(notice.alert, at);
    else if (notice.kind === 'muster-changed') this.#hearMuster(notice.muster, at);
    else if (notice.kind === 'event-occurred' && notice.listed) this.#hearEvent(notice.event, at);
    else if (notice.kind === 'delivery-attempted') this.#hearAttempt(notice);
    else if (notice.kind === 'destination-changed') this.#hearDestination(notice.destination);
    else if (notice.kind === 'destination-deleted') this.#hearDeleted(notice.destination_id, at);
    else if (notice.kind === 'request-answered') this.#hearRequest(notice, at);
    else if (notice.kind === 'mail-sent') this.#hearMail(notice, at);
    this.#forget();
    for (const listener of [...this.#listeners]) listener(notice.kind);
  }

  /**
   * The place after which a search finds all that came at this instant or later. In a burst a thing's own time (`created_at`,
   * `date_last_modified`) lies ahead of the moment at which it was heard: who asks from that time on finds it too. [decisions 1, 5]
   */
  placeAt(since: Instant): number {
    let place = this.#seq;
    const take = (seq: number, at: Instant, own?: string) => {
      if (at >= since || (own !== undefined && (parseInstant(own) as Instant) >= since))
        place = Math.min(place, seq - 1);
    };
    for (const { seq, at, alert } of this.alerts.values()) take(seq, at, alert.date_last_modified);
    for (const { seq, at, event } of this.events) take(seq, at, event.created_at);
    for (const heard of [this.musters.values(), this.attempts, this.requests, this.mails])
      for (const { seq, at } of heard) take(seq, at);
    return place;
  }

  /** The oldest give way, and with them the alerts and musters that are over. */
  #forget(): void {
    for (const list of [this.events, this.attempts, this.requests, this.mails])
      if (list.length > 2 * this.#most) list.splice(0, list.length - this.#most);
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

  /** Adds a few words to what happened; the oldest give way. */
  tell(at: Instant, text: string): void {
    this.happenings.push({ at, text });
    if (this.happenings.length > MOST_HAPPENINGS) this.happenings.shift();
  }

  #hearAlert(alert: Alert, at: Instant): void {
    const before = this.alerts.get(alert.id)?.alert ?? null;
    this.alerts.set(alert.id, { alert, before, seq: this.#seq, at });
    const { details, type } = alert;
    if (before !== null && 'escalated_to_sos' in details && details.escalated_to_sos && !isEscalated(before)) {
      this.tell(at, `${type} escalated`);
    }
  }

  #hearMuster(muster: Muster, at: Instant): void {
    const before = this.musters.get(muster.id)?.muster ?? null;
    this.musters.set(muster.id, { muster, before, seq: this.#seq, at });
  }

  #hearEvent(event: Event, at: Instant): void {
    const object = objectOf(event) as { id: string; type?: string; kind?: string };
    this.events.push({ seq: this.#seq, at, event, before: this.#objects.get(object.id) });
    this.#objects.set(object.id, object);
    this.tell(at, `${event.type} ${object.type ?? object.kind ?? ''}`.trim());
  }

  /** What an attempt came to is known when it is over, up to 5 s after it began. */
  #hearAttempt(attempt: AttemptNotice): void {
    const at = this.#clock.now();
    const offsetsMs = [...(this.#offsets.get(attempt.delivery_id) ?? []), attempt.offset_ms];
    this.#offsets.set(attempt.delivery_id, offsetsMs);
    const receiver = this.#naming.receiverOf(attempt.url);
    this.#attempted({ seq: this.#seq, at, receiver, attempt, offsetsMs });
    this.tell(at, `${receiver ?? 'a destination'} ${attempt.status ?? attempt.result}`);
  }

  #attempted(heard: HeardAttempt): void {
    this.attempts.push(heard);
    const { delivery_id, result } = heard.attempt;
    if (result === 'waiting' && heard.attempt.copy === undefined) this.#waiting.set(delivery_id, heard);
    else if (result !== 'waiting') this.#waiting.delete(delivery_id);
  }

  #hearDestination(destination: WebhookDestination): void {
    const receiver = this.#naming.receiverOf(destination.url);
    if (receiver !== null) this.destinations.set(receiver, destination);
  }

  /** Its pending deliveries are dropped with it. [decisions 7] */
  #hearDeleted(destinationId: string, at: Instant): void {
    for (const [receiver, { id }] of this.destinations) if (id === destinationId) this.destinations.delete(receiver);
    for (const heard of [...this.#waiting.values()]) {
      if (heard.attempt.destination_id !== destinationId) continue;
      this.#attempted({ ...heard, seq: this.#seq, at, attempt: { ...heard.attempt, result: 'dropped' } });
    }
  }

  #hearRequest(notice: Extract<Notice, { kind: 'request-answered' }>, at: Instant): void {
    const { organization_id, method, path, status, code } = notice;
    // What only a sandbox has is not what production would see.
    if (path.startsWith('/v1/sandbox/')) return;
    const company = this.#naming.companyOf(organization_id);
    this.requests.push({ seq: this.#seq, at, company, method, path, status, code });
    if (status >= 400) this.tell(at, `${method} ${path} ${status}`);
  }

  #hearMail({ to, subject, text }: Extract<Notice, { kind: 'mail-sent' }>, at: Instant): void {
    this.mails.push({ seq: this.#seq, at, to, subject, text });
    this.tell(at, `mail: ${subject}`);
  }
}

function isEscalated({ details }: Alert): boolean {
  return 'escalated_to_sos' in details && details.escalated_to_sos;
}
