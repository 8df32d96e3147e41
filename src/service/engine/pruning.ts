/** Deletes log rows that are older than 30 days: events, attempts, requests and accepted messages. [spec 6.6, 8] */
import { type Cancel, type Clock, LANE } from '../../base/time/clock.ts';
import type { World } from '../domain/world/world.ts';
import type { Store } from './store-port.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const KEEP_MS = 30 * DAY_MS;

/** The replay window itself is exact, since a query never reaches further back. Pruning only limits the disk usage. */
export class Pruning {
  readonly #clock: Clock;
  readonly #world: World;
  readonly #store: Store;
  #cancel: Cancel = () => {};
  #underWay: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock, world: World, store: Store) {
    this.#clock = clock;
    this.#world = world;
    this.#store = store;
  }

  /** Prunes now, because a sandbox may never run for a whole day, and then daily. */
  start(): void {
    this.#underWay = this.#prune();
    this.#cancel = this.#clock.at(this.#clock.now() + DAY_MS, { lane: LANE.service, actor: 'prune' }, () =>
      this.start(),
    );
  }

  async stop(): Promise<void> {
    this.#cancel();
    await this.#underWay;
  }

  async #prune(): Promise<void> {
    const before = this.#clock.now() - KEEP_MS;
    const release = this.#clock.hold('other', 'the daily pruning of the logs');
    try {
      await this.#store.prune({
        eventsBefore: before,
        attemptsBefore: before,
        requestsBefore: before,
        uplinksBefore: before,
      });
      this.#world.forgetUplinks(before);
    } catch {
      // The next transaction reports a full or broken disk; pruning is retried the next day.
    } finally {
      release();
    }
  }
}
