/** The callers that await the acknowledgement of a watch's message. */
import type { Instant } from '../../base/time/clock.ts';
import type { Acted } from '../surroundings.ts';
import type { QueuedItem } from '../watch/machine.ts';
import type { Item } from './outbox.ts';

type Tell = (acted: Acted) => void;

export class Awaited {
  // Most watches are never waited for.
  #waiting: Map<Item, Tell> | null = null;

  get anybody(): boolean {
    return this.#waiting !== null && this.#waiting.size > 0;
  }

  /** Resolves when the item was acknowledged or given up. A newer charge speaks for the older one that it replaced. */
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

  /** The service has it. */
  acknowledged(item: Item, at: Instant): void {
    this.#take(item)?.(outcome('sent', item, at));
  }

  /** There is no connection: whatever waits is kept and published later. */
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
