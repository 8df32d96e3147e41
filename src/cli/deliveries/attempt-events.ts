/** The events of delivery attempts, whose rows have the types and ids alone. */
import type { Event } from '../../contract/events.ts';
import type { DeliveryAttempt, ExplainedDelivery } from '../../contract/resources/logs.ts';
import { callSandbox, type FoundSandbox } from '../running.ts';
import { eventIn } from './listen-receiver.ts';

/** Events that are kept. */
const MOST_KEPT = 2_000;

/** Maximum of events of one page, and of events that are asked for one by one: attempts of older events stay without. */
const PAGE = 1_000;
const MOST_SINGLE = 20;

export class AttemptEvents {
  readonly #known = new Map<string, Event>();

  /** The event of the attempt; null if `find` did not find it. */
  of({ event_id }: DeliveryAttempt): Event | null {
    return this.#known.get(event_id) ?? null;
  }

  /** Asks the sandbox for the events of the attempts: the newest in one request, and a few older ones alone. */
  async find(sandbox: FoundSandbox, attempts: readonly DeliveryAttempt[]): Promise<void> {
    const missing = new Set(attempts.map(({ event_id }) => event_id).filter((id) => !this.#known.has(id)));
    if (missing.size === 0) return;
    const limit = Math.min(PAGE, 10 + 2 * missing.size);
    const newest = await callSandbox(sandbox, 'GET', `/v1/sandbox/events?limit=${limit}`);
    if (newest.status === 200) for (const event of (newest.body as { data: Event[] }).data) this.#keep(event, missing);
    for (const id of [...missing].slice(-MOST_SINGLE)) {
      const { status, body } = await callSandbox(sandbox, 'GET', `/v1/sandbox/deliveries/${id}`);
      const [delivery] = status === 200 ? (body as { data: ExplainedDelivery[] }).data : [];
      const event = delivery === undefined ? null : eventIn(Buffer.from(delivery.body));
      if (event !== null) this.#keep(event, missing);
    }
  }

  #keep(event: Event, missing: Set<string>): void {
    if (!missing.delete(event.id)) return;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MOST_KEPT && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(event.id, event);
  }
}
