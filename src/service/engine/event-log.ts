/** The newest events of all companies, for the sandbox's own tools. The store has the log of 30 days. [decisions 9] */
import type { Instant } from '../../base/time/clock.ts';
import { formatInstant } from '../../base/time/instants.ts';
import type { Event } from '../../contract/events.ts';
import type { Notice } from '../../contract/notices.ts';

/** Events kept; the oldest are dropped. */
const MOST = 1_000;

export class EventLog {
  readonly #events: Event[] = [];

  /** Adds the event of a notice. Test events are in no log. */
  take(notice: Notice): void {
    if (notice.kind !== 'event-occurred' || !notice.listed) return;
    this.#events.push(notice.event);
    if (this.#events.length > MOST) this.#events.shift();
  }

  /** The newest events, the newest first. */
  newest(limit: number): Event[] {
    return this.#events.slice(-limit).reverse();
  }

  /** The newest `limit` of the events after that time which `isSeen` accepts, the oldest first. */
  since(after: Instant, limit: number, isSeen: (event: Event) => boolean): Event[] {
    const found: Event[] = [];
    const least = formatInstant(after);
    for (let place = this.#events.length - 1; place >= 0 && found.length < limit; place -= 1) {
      const event = this.#events[place] as Event;
      if (event.created_at <= least) break;
      if (isSeen(event)) found.push(event);
    }
    return found.reverse();
  }
}
