/** The bounds of what waits for the write-behind, and of what a database in memory keeps. */
import { expect, onTestFinished, test } from 'vitest';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import type { Batch, RequestRecord, Store } from '../../../src/service/engine/store-port.ts';
import { StorageFull } from '../../../src/service/engine/store-port.ts';
import { WriteBehind } from '../../../src/service/engine/write-behind.ts';
import { MOST_REQUESTS_IN_MEMORY } from '../../../src/service/store/sqlite/connection.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { SmallWorld, T0 } from '../domain/small-world.ts';
import { batchOf, requestOf } from '../store/samples.ts';

/** The rows that one early write takes. */
const AT_ONCE = 500;

async function setUp() {
  const real = await openSqliteStore({ file: ':memory:' });
  onTestFinished(() => real.close());
  const batches: Batch[] = [];
  const refusals: Error[] = [];
  const store: Pick<Store, 'commit'> = {
    async commit(batch) {
      const refusal = refusals.shift();
      if (refusal !== undefined) throw refusal;
      batches.push(batch);
      await real.commit(batch);
    },
  };
  const { world } = new SmallWorld();
  const clock = lockstepClock({ start: T0 });
  onTestFinished(() => clock.stop());
  const writeBehind = new WriteBehind(clock, world, store as Store, () => {});
  let n = 0;
  const log = (count: number): void => {
    for (let left = count; left > 0; left--) writeBehind.request(requestOf(`request-${n++}`));
  };
  return { batches, refusals, world, writeBehind, log };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const rowsOf = (batches: readonly Batch[]): number[] => batches.map(({ requests }) => requests.length);

test('a busy client’s rows are written 500 at a time, before their second is over, and telemetry waits for its second', async () => {
  const { batches, world, writeBehind, log } = await setUp();
  const [device] = [...world.all('device')];
  world.contact(device?.id ?? '', T0);
  log(AT_ONCE - 1);
  await turn();
  expect(batches).toEqual([]);
  log(1);
  await turn();
  expect(rowsOf(batches)).toEqual([AT_ONCE]);
  expect(batches[0]?.puts.map(({ kind }) => kind)).toEqual(['clock']);
  log(3);
  await writeBehind.flush();
  expect(rowsOf(batches)).toEqual([AT_ONCE, 3]);
  expect(batches[1]?.puts.map(({ kind }) => kind)).toEqual(['telemetry', 'clock']);
});

test('rows that a full disk refuses wait for the next second: no further request tries again', async () => {
  const { batches, refusals, writeBehind, log } = await setUp();
  refusals.push(new StorageFull('no room'));
  log(AT_ONCE);
  await turn();
  log(2 * AT_ONCE);
  await turn();
  expect([refusals, batches]).toEqual([[], []]);
  await writeBehind.flush();
  expect(rowsOf(batches)).toEqual([3 * AT_ONCE]);
});

test('a database in memory keeps the newest 20,000 requests, in their order', async () => {
  const store = await openSqliteStore({ file: ':memory:' });
  onTestFinished(() => store.close());
  const rows = (from: number, count: number): RequestRecord[] =>
    Array.from({ length: count }, (_, n) => requestOf(`request-${from + n}`));
  await store.commit(batchOf({ requests: rows(0, MOST_REQUESTS_IN_MEMORY) }));
  await store.commit(batchOf({ requests: rows(MOST_REQUESTS_IN_MEMORY, 10) }));
  const count = store.database.prepare('SELECT COUNT(*) AS n FROM requests').get();
  expect(count).toMatchObject({ n: 20_000 });
  const [newest] = await store.requests({ limit: 1 });
  expect(newest?.id).toBe(`request-${MOST_REQUESTS_IN_MEMORY + 9}`);
  const oldest = store.database.prepare("SELECT body ->> '$.id' AS id FROM requests ORDER BY seq LIMIT 1").get();
  expect(oldest).toMatchObject({ id: 'request-10' });
});
