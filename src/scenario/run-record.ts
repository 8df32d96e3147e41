/** What has happened in a run so far, as the notices told it: what checks look at. */
import type { Clock, Instant } from '../base/clock.ts';
import { parseInstant } from '../base/instants.ts';
import type { Event } from '../contract/events.ts';
import type { AttemptNotice, Notice, NoticeKind } from '../contract/notices.ts';
import type { Alert, Muster } from '../contract/resources.ts';
import { objectOf } from './references.ts';

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

export interface HeardAttempt {
  readonly seq: number;
  readonly at: Instant;
  /** The receiver's short name; null for a destination that the story did not make. */
  readonly receiver: string | null;
  readonly attempt: AttemptNotice;
  /** Of this delivery up to this attempt, ms from the event. */
  readonly offsetsMs: readonly number[];
}

/** What happened, in a few words, for the line that tells what was around a failure. */
export interface Happening {
  readonly at: Instant;
  readonly text: string;
}

/** As many as the line around a failure could ever need. */
const MOST_HAPPENINGS = 64;

/** Hears the notices of one run and keeps what checks may ask for; a run ends before this outgrows memory. */
export class RunRecord {
  readonly alerts = new Map<string, AlertState>();
  readonly musters = new Map<string, MusterState>();
  readonly events: HeardEvent[] = [];
  readonly attempts: HeardAttempt[] = [];
  readonly happenings: Happening[] = [];
  readonly #clock: Clock;
  readonly #receiverOf: (url: string) => string | null;
  readonly #listeners = new Set<(kind: NoticeKind) => void>();
  readonly #objects = new Map<string, unknown>();
  readonly #offsets = new Map<string, number[]>();
  #seq = 0;

  constructor(clock: Clock, receiverOf: (url: string) => string | null) {
    this.#clock = clock;
    this.#receiverOf = receiverOf;
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
    else if (notice.kind === 'delivery-attempted') this.#hearAttempt(notice, at);
    for (const listener of [...this.#listeners]) listener(notice.kind);
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

  #hearAttempt(attempt: AttemptNotice, at: Instant): void {
    const offsetsMs = [...(this.#offsets.get(attempt.delivery_id) ?? []), attempt.offset_ms];
    this.#offsets.set(attempt.delivery_id, offsetsMs);
    const receiver = this.#receiverOf(attempt.url);
    this.attempts.push({ seq: this.#seq, at, receiver, attempt, offsetsMs });
    this.tell(at, `${receiver ?? 'a destination'} ${attempt.status ?? attempt.result}`);
  }
}

function isEscalated({ details }: Alert): boolean {
  return 'escalated_to_sos' in details && details.escalated_to_sos;
}
