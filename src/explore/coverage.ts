/** What a scenario met: orders of events, states, retries and answers. A scenario that meets something new is kept and changed further. */
import type { Notice } from '../contract/notices.ts';
import type { RunWitness } from '../scenario/playing/ports.ts';

/** Collects the features of one run, as short texts. */
export class RunFeatures {
  readonly met = new Set<string>();
  /** By alert or muster: its last event, and its last event that was delivered. */
  readonly #last = new Map<string, string>();
  readonly #delivered = new Map<string, string>();
  #disturbance = '';

  readonly witness: RunWitness = {
    onStage: () => {},
    onBegin: () => {},
    onRunNotice: (notice) => {
      if (notice.kind === 'step-began') this.#disturbance = notice.text.split(' ')[0] ?? '';
    },
    onNotice: (notice) => this.#onNotice(notice),
    onAnswer: () => {},
  };

  #onNotice(notice: Notice): void {
    if (notice.kind === 'event-occurred') this.#onEvent(notice);
    else if (notice.kind === 'delivery-attempted') this.#onAttempt(notice);
    else if (notice.kind === 'request-answered') {
      const path = notice.path.replace(/[0-9a-f-]{36}/g, '*');
      this.met.add(`request ${notice.method} ${path} ${notice.status}`);
    }
  }

  #onEvent({ event }: Extract<Notice, { kind: 'event-occurred' }>): void {
    const object = 'alert' in event.data ? event.data.alert : event.data.muster;
    const kind = 'alert' in event.data ? event.data.alert.type : event.data.muster.kind;
    const key = `${event.type} ${kind} ${object.status}`;
    this.met.add(key);
    this.met.add(`${this.#last.get(object.id) ?? ''} > ${event.type}`);
    this.met.add(`${this.#disturbance} > ${event.type}`);
    this.#last.set(object.id, event.type);
  }

  #onAttempt(attempt: Extract<Notice, { kind: 'delivery-attempted' }>): void {
    const { event_type, result, status, object_id } = attempt;
    this.met.add(`delivery ${event_type} ${result} ${status}`);
    this.met.add(`delivery ${result} try ${Math.min(attempt.try, 6)} copy ${attempt.copy ?? 1}`);
    if (result !== 'delivered') return;
    // The order in which a receiver gets the events of one object.
    this.met.add(`got ${this.#delivered.get(object_id) ?? ''} > ${event_type}`);
    this.#delivered.set(object_id, event_type);
  }
}
