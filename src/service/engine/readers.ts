/** Readers of the committed world: they run between transactions, and run again after the store has loaded missing documents. */
import type { Clock, Instant } from '../../base/time/clock.ts';
import { Answers, NotInMemory } from '../domain/world/archive.ts';
import type { World } from '../domain/world/world.ts';

type WorldRead<V> = (world: World, now: Instant) => V;

export class Readers {
  readonly #clock: Clock;
  readonly #world: World;
  /** The transaction that is being written; null if there is none. */
  readonly #transaction: () => Promise<void> | null;
  readonly #waiting: (() => void)[] = [];

  constructor(clock: Clock, world: World, transaction: () => Promise<void> | null) {
    this.#clock = clock;
    this.#world = world;
    this.#transaction = transaction;
  }

  /** Runs at once if possible: a promise would cost a third of a small GET. */
  read<V>(look: WorldRead<V>): Promise<V> | V {
    return this.#readWith(look, null);
  }

  /** Runs the waiting readers between two transactions. `failed` is called with the exception of a reader. */
  letIn(failed: (error: unknown) => void): void {
    if (this.#waiting.length === 0) return;
    for (const read of this.#waiting.splice(0))
      try {
        read();
      } catch (error) {
        failed(error);
      }
  }

  #readWith<V>(look: WorldRead<V>, answers: Answers | null): Promise<V> | V {
    const transaction = this.#transaction();
    return transaction === null ? this.#look(look, answers) : this.#readAfter(transaction, look, answers);
  }

  #look<V>(look: WorldRead<V>, answers: Answers | null): Promise<V> | V {
    try {
      // The first call makes no closure: nearly every read finds all documents in memory.
      if (answers === null) return look(this.#world, this.#clock.now());
      return answers.during(() => look(this.#world, this.#clock.now()));
    } catch (error) {
      if (!(error instanceof NotInMemory)) throw error;
      const more = answers ?? new Answers(error.archive);
      return more.ask([error.request]).then(() => this.#readWith(look, more));
    }
  }

  async #readAfter<V>(transaction: Promise<void>, look: WorldRead<V>, answers: Answers | null): Promise<V> {
    // A reader must not wait for an empty queue, which may never occur. After the next transaction began, it would see
    // a part of that transaction.
    if (this.#clock.mode !== 'lockstep')
      return new Promise((found, failed) =>
        this.#waiting.push(() => {
          try {
            found(this.#look(look, answers));
          } catch (error) {
            failed(error);
          }
        }),
      );
    // In lock-step there is one transaction for all commands of an instant.
    await transaction;
    while (this.#transaction() !== null) await this.#transaction();
    return this.#look(look, answers);
  }
}
