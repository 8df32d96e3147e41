/** The callers that await the acknowledgement of a watch's message. */
import type { Instant } from '../../base/time/clock.ts';
import type { Acted } from '../surroundings.ts';
import type { QueuedItem } from '../watch/machine.ts';
import type { Item } from './outbox.ts';

type Tell = (acted: Acted) => void;

export class Awaited {
  // Null until the first wait: most watches never have a caller that waits.
  #waiting: Map<Item, Tell> | null = null;

  get anybody(): boolean {
    return this.#waiting !== null && this.#waiting.size > 0;
  }

  /**
   * Resolves when the item was acknowledged, or when waiting ended without a connection. A newer battery item also
   * resolves the older one that it replaced.
   */
  wait({ item, lost }: QueuedItem<Item>): Promise<Acted> {
    const waiting = lost === undefined ? undefined : this.#take(lost);
    return new Promise((resolve) => {
      this.#waiting ??= new Map();
      this.#waiting.set(item, (acted) => {
        resolve(acted);
        waiting?.(acted);
      });
    });
  }

  /** The service acknowledged the item. */
  acknowledged(item: Item, at: Instant): void {
    this.#take(item)?.(outcome('sent', item, at));
  }

  /** There is no connection: the waiting items are kept, and published later. */
  buffered(at: Instant): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    for (const [item, tell] of waiting ?? []) tell(outcome('buffered', item, at));
  }

  #take(item: Item): Tell | undefined {
    const tell = this.#waiting?.get(item);
    this.#waiting?.delete(item);
    return tell;
  }
}

const outcome = (done: 'sent' | 'buffered', item: Item, at: Instant): Acted =>
  item.is === 'event' ? { done, uplinkId: item.id, at } : { done, at };
