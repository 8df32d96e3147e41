/**
 * The coverage of a scenario: orders of events, states, retries and replies, and the behaviour of the user's system (its calls,
 * the replies of its probes, its output). A scenario with new coverage is kept and varied further.
 */
import type { Notice } from '../../contract/notices.ts';
import { isMap } from '../../contract/schema.ts';
import type { RunWitness } from '../../scenario/playing/ports.ts';

/** Most lines of the system's output that count as features of one scenario. A verbose system must not make every scenario new. */
const MOST_LINES = 20;
const LINE_CHARS = 60;

/** Collects the features of one run, as short texts. */
export class RunFeatures {
  readonly met = new Set<string>();
  /** By alert or muster: its last event, and its last event that was delivered. */
  readonly #last = new Map<string, string>();
  readonly #delivered = new Map<string, string>();
  #disturbance = '';
  #lastEvent = '';
  #lastCall = '';
  #lines = 0;

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
      const call = `${notice.method} ${path} ${notice.status}`;
      this.met.add(`request ${call}`);
      this.met.add(`request ${this.#lastCall} > ${call}`);
      this.met.add(`request ${call} after ${this.#lastEvent}`);
      this.#lastCall = call;
    }
  }

  /** A probe of the user's system answered. */
  onProbed(probe: string, value: unknown): void {
    const shown = Array.isArray(value)
      ? `${Math.min(value.length, 5)} of ${[...new Set(value.map(kindOf))].sort().slice(0, 3).join(' ')}`
      : kindOf(value);
    this.met.add(`probe ${probe} ${shown}`);
    this.met.add(`probe ${probe} ${shown} after ${this.#lastEvent}`);
  }

  /** The user's system printed something. Ids and numbers are masked, because they differ in each run. */
  onOutput(text: string): void {
    for (const line of text.split('\n')) {
      const plain = line
        .trim()
        .slice(0, LINE_CHARS)
        .replace(/[0-9a-f]{8,}(?:-[0-9a-f]{4,})*/gi, '*')
        .replace(/\d+/g, '#');
      if (plain === '' || ++this.#lines > MOST_LINES) continue;
      this.met.add(`log ${plain}`);
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
    this.#lastEvent = event.type;
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

/** A short text is a word of the system, such as a state, and is kept. Any other value is reduced to its type. */
function kindOf(value: unknown): string {
  if (typeof value === 'string') return /^[a-z_ ]{1,20}$/i.test(value) ? value : 'text';
  if (Array.isArray(value)) return 'list';
  return isMap(value) ? 'map' : typeof value === 'number' ? 'number' : String(value);
}
