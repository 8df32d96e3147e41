/** Counts as the engine's clock makes them: on the raster, after a restart, on a full disk; and what they write. [decisions 6, 9] */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Clock } from '../../../src/base/time/clock.ts';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import { loadStored } from '../../../src/sandbox/world/open-world.ts';
import { linesOf } from '../../../src/service/domain/musters/roll-rows.ts';
import type { World } from '../../../src/service/domain/world/world.ts';
import { Engine } from '../../../src/service/engine/engine.ts';
import { type Batch, StorageFull, type Store } from '../../../src/service/engine/store-port.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { MusterWorld } from '../domain/musters/muster-world.ts';
import { ADDRESSES, ORG, SITE, T0 } from '../domain/small-world.ts';

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
});

/** Runs a world on a store; its commits are kept, and can be made to fail. */
function run(world: World, store: Store, start: number) {
  const clock: Clock = lockstepClock({ start });
  const batches: Batch[] = [];
  const failures: Error[] = [];
  const watched: Store = {
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
    commit: async (batch) => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      batches.push(batch);
      await store.commit(batch);
    },
  };
  const engine = new Engine({ clock, store: watched, world, salt: 'test', addresses: ADDRESSES, onBroken: () => {} });
  engine.start();
  const stop = async () => {
    await engine.stop();
    clock.stop();
  };
  ends.push(stop);
  return { clock, engine, batches, failures, stop };
}

async function begin(file = ':memory:') {
  const small = new MusterWorld();
  const store = await openSqliteStore({ file });
  ends.push(() => store.close());
  const all = (['organization', 'client', 'site', 'zone', 'worker', 'device', 'telemetry'] as const).flatMap((kind) =>
    [...small.world.all(kind)].map((document) => ({ kind, id: document.id, document })),
  );
  await store.commit({ puts: all, removals: [], events: [], attempts: [], requests: [] });
  return { small, store, ...run(small.world, store, T0) };
}

const start = (engine: Engine) =>
  engine.submit({
    type: 'start-muster',
    siteId: SITE,
    kind: 'general',
    by: 'Lead',
    reason: null,
    origin: null,
    deadline: null,
  });

const comes = (engine: Engine, small: MusterWorld, n: number, x: number, y: number) =>
  engine.submit({
    type: 'report-position',
    deviceId: small.device(n),
    fixes: [{ ...small.fix(x, y, { at: engine.clock.now() }), worn: true }],
  });

const reported = async (store: Store) =>
  (await store.events({ organizationId: ORG, limit: 100 })).map(({ type, createdAt }) => [type, createdAt - T0]);

test('counts that change nothing write nothing', async () => {
  const { engine, clock, batches, small } = await begin();
  await clock.advance(60_000);
  await start(engine);
  await comes(engine, small, 1, 320, 20);
  await clock.advance(15_000);
  await engine.flush();
  batches.length = 0;
  // Nobody moves for an hour, and the silence and the deadline of all three come up once.
  await clock.advance(60 * 60_000);
  const kinds = batches.map(({ puts, events }) => [
    ...puts.map(({ kind }) => kind).filter((kind) => kind === 'muster' || kind === 'expected'),
    ...events.map(({ type }) => type),
  ]);
  const ofMusters = kinds.filter((kind) => kind.some((word) => /muster|expected/.test(word)));
  expect(ofMusters).toEqual([
    // Two fall silent; then the two who are not safe are missing.
    ['muster', 'expected', 'expected', 'muster.updated'],
    ['expected', 'expected', 'muster.worker_missing'],
  ]);
});

test('a restart goes on: the raster, who is safe where, and since when somebody is inside', async () => {
  const { engine, clock, small, store, stop } = await begin();
  await clock.advance(1_000);
  await start(engine);
  await comes(engine, small, 1, 320, 20);
  await clock.advance(10_000);
  await comes(engine, small, 2, 320, 20);
  await clock.advance(2_000);
  const before = small.muster();
  await stop();
  const { world } = await loadStored(store);
  expect(world.get('muster', before.id)).toEqual(before);
  expect([...world.all('expected')]).toEqual([...small.world.all('expected')].sort((a, b) => (a.id < b.id ? -1 : 1)));
  const again = run(world, store, T0 + 19_000);
  await again.clock.advance(1_999);
  expect(world.need('muster', before.id).totals.safe).toBe(1);
  await again.clock.advance(1);
  expect(world.need('muster', before.id).totals.safe).toBe(2);
  expect((await reported(store)).filter(([type]) => type === 'muster.updated')).toEqual([
    ['muster.updated', 11_000],
    ['muster.updated', 21_000],
  ]);
});

test('a restart keeps the course, also in the middle, and everybody’s last line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-'));
  ends.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'world.db');
  const { engine, clock, small, store, stop } = await begin(file);
  await start(engine);
  await comes(engine, small, 1, 320, 20);
  await clock.advance(12_000);
  const { id } = small.muster();
  await stop();
  await store.close();

  const second = await openSqliteStore({ file });
  const { world } = await loadStored(second);
  expect(world.indexes.courseOfMuster.of(id).values()).toEqual(small.world.indexes.courseOfMuster.of(id).values());
  const again = run(world, second, T0 + 12_000);
  await comes(again.engine, small, 2, 320, 20);
  await again.clock.advance(15_000);
  await again.engine.submit({ type: 'end-muster', musterId: id, outcome: 'completed', by: 'Lead' });
  const roll = world.need('roll', id);
  expect(
    linesOf(roll).map(({ worker, status, firstSafeAt }) => [worker.name, status, firstSafeAt && firstSafeAt - T0]),
  ).toEqual([
    ['Ana Ruiz', 'safe', 10_000],
    ['Luis Paz', 'safe', 25_000],
    ['Eva Mar', 'pending', null],
  ]);
  await again.stop();
  await second.close();

  const third = await openSqliteStore({ file });
  ends.push(() => third.close());
  const { world: later } = await loadStored(third);
  expect(later.get('roll', id)).toEqual(roll);
  expect(later.count('expected')).toBe(0);
  const samples = later.indexes.courseOfMuster
    .of(id)
    .values()
    .flatMap((stretch) => stretch.samples);
  expect(samples.map(({ at, totals }) => [at - T0, totals.safe])).toEqual([
    [0, 0],
    [10_000, 1],
    [25_000, 2],
    [27_000, 2],
  ]);
});

test('a muster whose records were removed has neither, and everything else as it was', async () => {
  const { engine, small, store, stop } = await begin();
  await start(engine);
  const { id } = small.muster();
  await engine.submit({ type: 'end-muster', musterId: id, outcome: 'completed', by: 'Lead' });
  await stop();
  const removals = [
    { kind: 'roll' as const, id },
    ...[...small.world.all('course')].map((stretch) => ({ kind: 'course' as const, id: stretch.id })),
  ];
  await store.commit({ puts: [], removals, events: [], attempts: [], requests: [] });
  const { world } = await loadStored(store);
  expect([world.count('roll'), world.count('course')]).toEqual([0, 0]);
  expect(world.need('muster', id)).toEqual(small.muster());
});

test('silence during a muster counts from the start of the service after a restart', async () => {
  const { engine, clock, small, store, stop } = await begin();
  await start(engine);
  await clock.advance(60_000);
  const { id } = small.muster();
  await stop();
  const { world } = await loadStored(store);
  const again = run(world, store, T0 + 600_000);
  await again.clock.advance(85_000);
  expect(world.need('muster', id).totals).toMatchObject({ pending: 3, no_signal: 0 });
  await again.clock.advance(5_000);
  expect(world.need('muster', id).totals).toMatchObject({ pending: 0, no_signal: 3 });
});

test('a count that the disk refuses is made good by the next one', async () => {
  const { engine, clock, small, store, failures } = await begin();
  await start(engine);
  await engine.submit({ type: 'report-help', reason: null, ...small.uplink(1) });
  await engine.flush();
  failures.push(new StorageFull('disk full'));
  await clock.advance(5_000);
  expect(small.muster().totals.help).toBe(0);
  await clock.advance(5_000);
  expect(small.muster().totals.help).toBe(1);
  expect((await reported(store)).at(-1)).toEqual(['muster.updated', 10_000]);
});

test('the end of a muster ends its counts', async () => {
  const { engine, clock, small, batches } = await begin();
  await start(engine);
  await engine.submit({ type: 'end-muster', musterId: small.muster().id, outcome: 'completed', by: 'Lead' });
  await engine.flush();
  batches.length = 0;
  await comes(engine, small, 1, 320, 20);
  await clock.advance(60_000);
  expect(batches.flatMap(({ puts }) => puts).filter(({ kind }) => kind === 'muster')).toEqual([]);
});

test('a start that the disk refuses leaves no muster and no counts behind', async () => {
  const { engine, clock, small, failures } = await begin();
  failures.push(new StorageFull('disk full'));
  expect(await start(engine)).toMatchObject({ code: 'storage_unavailable' });
  expect([small.world.count('muster'), small.world.count('expected')]).toEqual([0, 0]);
  expect(small.world.indexes.activeMuster(SITE)).toBeUndefined();
  await clock.advance(10_000);
  expect(await start(engine)).toMatchObject({ rejected: false });
});
