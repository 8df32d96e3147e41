/** What any store must do, whatever it stands on: the engine relies on each of these sentences. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KINDS } from '../../../src/service/domain/world/documents.ts';
import { StorageBroken, type Store } from '../../../src/service/engine/store-port.ts';
import type { SkipReason } from '../../helpers/needs.ts';
import { unless } from '../../helpers/unless.ts';
import { eventLog, otherLogs } from './conformance-logs.ts';
import {
  attemptOf,
  batchOf,
  documentOf,
  eventOf,
  loaded,
  putOf,
  recordsOf,
  requestOf,
  START,
  transactionOf,
} from './samples.ts';

/** How the suite gets at one engine. */
export interface StoreHarness {
  /** A new, empty store. */
  open(): Promise<Store>;
  /** Closes the store and opens what it kept; absent where nothing is kept. */
  reopen?(store: Store): Promise<Store>;
  /** Takes away what `open` made; the stores are closed by then. */
  destroy(): Promise<void> | void;
  /** Why only closing and opening again are tested; absent or null: all is. */
  readonly left?: SkipReason | null;
}

/** Runs the suite on one engine. */
export function storeConformance(name: string, harness: StoreHarness): void {
  describe(`a store ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await harness.open();
    });
    afterEach(async () => {
      await store.close();
      await harness.destroy();
    });

    unless(harness.left ?? null).describe('in use', () => {
      documents(() => store);
      eventLog(() => store);
      otherLogs(() => store);
      transactions(() => store);
    });

    it('may be closed twice', async () => {
      await store.close();
      await expect(store.close()).resolves.toBeUndefined();
    });

    const { reopen } = harness;
    if (reopen === undefined) return;
    it('has all of it when it is opened again', async () => {
      await store.commit(transactionOf(1));
      await store.commit(batchOf({ attempts: [attemptOf('attempt-1')], requests: [requestOf('request-1')] }));
      const before = await everything(store);
      store = await reopen(store);
      expect(await everything(store)).toEqual(before);
      expect(before.events).toHaveLength(1);
    });
  });
}

function documents(store: () => Store): void {
  it('is empty at first and names every kind in the order of loading', async () => {
    expect(await store().load()).toEqual(KINDS.map((kind) => ({ kind, documents: [] })));
  });

  it('gives back documents of every kind, to the last odd character', async () => {
    await store().commit(batchOf({ puts: KINDS.map((kind) => putOf(kind, `${kind}-1`)) }));
    const expected = KINDS.map((kind) => ({ kind, documents: [documentOf(kind, `${kind}-1`)] }));
    expect(await store().load()).toEqual(expected);
  });

  it('loads each kind in the order of its ids', async () => {
    const ids = ['b', 'B', 'a-10', 'a-2', '0', 'é', 'z'];
    await store().commit(batchOf({ puts: ids.map((id) => putOf('worker', id)) }));
    expect((await loaded(store(), 'worker')).map(({ id }) => id)).toEqual([...ids].sort());
  });

  it('keeps the last of two puts, in one transaction or in two', async () => {
    await store().commit(batchOf({ puts: [putOf('zone', 'z', 'first'), putOf('zone', 'z', 'second')] }));
    expect(await loaded(store(), 'zone')).toEqual([documentOf('zone', 'z', 'second')]);
    await store().commit(batchOf({ puts: [putOf('zone', 'z', 'third')] }));
    expect(await loaded(store(), 'zone')).toEqual([documentOf('zone', 'z', 'third')]);
  });

  it('removes one document and neither its neighbours nor another kind with the same id', async () => {
    await store().commit(batchOf({ puts: [putOf('alert', 'a'), putOf('alert', 'b'), putOf('prompt', 'a')] }));
    await store().commit(batchOf({ removals: [{ kind: 'alert', id: 'a' }] }));
    expect(await loaded(store(), 'alert')).toEqual([documentOf('alert', 'b')]);
    expect(await loaded(store(), 'prompt')).toEqual([documentOf('prompt', 'a')]);
  });

  it('removes without complaint what is not there', async () => {
    await store().commit(batchOf({ puts: [putOf('alert', 'a')], removals: [{ kind: 'alert', id: 'nobody' }] }));
    expect(await loaded(store(), 'alert')).toHaveLength(1);
  });

  it('writes a large transaction whole', async () => {
    const puts = Array.from({ length: 5_000 }, (_, n) => putOf('telemetry', `device-${n}`, `text ${n}`));
    const events = Array.from({ length: 1_001 }, (_, n) => eventOf(`event-${n}`, START + n));
    const attempts = Array.from({ length: 333 }, (_, n) => attemptOf(`attempt-${n}`));
    await store().commit(batchOf({ puts, events, attempts }));
    const expected = puts.map(({ document }) => document).sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(await loaded(store(), 'telemetry')).toEqual(expected);
    expect(await store().events({ organizationId: 'org-1', limit: 2_000 })).toEqual(events);
    expect(recordsOf(await store().attempts({ limit: 2_000 }))).toEqual([...attempts].reverse());
    await store().commit(batchOf({ removals: puts.map(({ kind, id }) => ({ kind, id })) }));
    expect(await loaded(store(), 'telemetry')).toEqual([]);
  });
}

function transactions(store: () => Store): void {
  it('leaves nothing of a transaction whose last part fails', async () => {
    await store().commit(
      batchOf({ puts: [putOf('alert', 'a', 'before'), putOf('alert', 'b')], events: [eventOf('e', START)] }),
    );
    const before = await everything(store());
    const doomed = batchOf({
      puts: [putOf('alert', 'a', 'after'), ...Array.from({ length: 100 }, (_, n) => putOf('worker', `w-${n}`))],
      removals: [{ kind: 'alert', id: 'b' }],
      events: [eventOf('fresh', START + 1), eventOf('e', START + 2)],
      attempts: [attemptOf('attempt')],
      requests: [requestOf('request')],
    });
    await expect(store().commit(doomed)).rejects.toBeInstanceOf(StorageBroken);
    expect(await everything(store())).toEqual(before);
  });

  it('takes a transaction that writes nothing', async () => {
    const before = await everything(store());
    await store().commit(batchOf({}));
    expect(await everything(store())).toEqual(before);
  });
}

async function everything(store: Store) {
  return {
    documents: await store.load(),
    events: await store.events({ organizationId: 'org-1', limit: 1_000 }),
    attempts: await store.attempts({ limit: 1_000 }),
    requests: await store.requests({ limit: 1_000 }),
  };
}
