/** A store in memory whose commits wait, fail or pass as a test says. */

import type { Batch, Store } from '../../src/service/engine/store-port.ts';
import { openSqliteStore } from '../../src/service/store/sqlite/store.ts';

export interface GatedStore extends Store {
  /** Every commit from now on fails with it; null: none does. */
  fail(error: Error | null): void;
  /** Commits from now on wait. Resolves when one does. */
  shut(): { readonly waiting: Promise<void>; open(): void };
}

export async function gatedStore(): Promise<GatedStore> {
  const store = await openSqliteStore({ file: ':memory:' });
  let failure: Error | null = null;
  let gate: { reached: () => void; passed: Promise<void> } | null = null;
  return {
    load: () => store.load(),
    events: (query) => store.events(query),
    event: (id) => store.event(id),
    eventsById: (ids) => store.eventsById(ids),
    attempts: (query) => store.attempts(query),
    attemptTotals: (newest) => store.attemptTotals(newest),
    requests: (query) => store.requests(query),
    prune: (bounds) => store.prune(bounds),
    glance: () => store.glance(),
    close: () => store.close(),
    async commit(batch: Batch) {
      if (gate !== null) {
        gate.reached();
        await gate.passed;
      }
      if (failure !== null) throw failure;
      return store.commit(batch);
    },
    fail(error) {
      failure = error;
    },
    shut() {
      let reached: () => void = () => {};
      let open: () => void = () => {};
      const waiting = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const passed = new Promise<void>((resolve) => {
        open = resolve;
      });
      gate = { reached, passed };
      return {
        waiting,
        open() {
          gate = null;
          open();
        },
      };
    },
  };
}
