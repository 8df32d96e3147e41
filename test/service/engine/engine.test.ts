import { describe, expect, test } from 'vitest';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import type { Notice } from '../../../src/contract/notices.ts';
import { loadStored } from '../../../src/sandbox/world/open-world.ts';
import { uplinkKey } from '../../../src/service/domain/commands.ts';
import type { Site } from '../../../src/service/domain/world/documents.ts';
import type { World } from '../../../src/service/domain/world/world.ts';
import { Engine } from '../../../src/service/engine/engine.ts';
import {
  type Batch,
  emptyBatch,
  StorageBroken,
  StorageFull,
  type Store,
} from '../../../src/service/engine/store-port.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { ADDRESSES, ORG, SmallWorld, T0 } from '../domain/small-world.ts';

/** A real store whose next commits can be made to fail, or to wait. */
async function weakStore() {
  const real = await openSqliteStore({ file: ':memory:' });
  const weak = { failures: [] as Error[], gate: Promise.resolve() as Promise<unknown>, batches: [] as Batch[] };
  const store: Store = {
    load: () => real.load(),
    events: (query) => real.events(query),
    event: (id) => real.event(id),
    eventsById: (ids) => real.eventsById(ids),
    attempts: (query) => real.attempts(query),
    attemptTotals: (newest) => real.attemptTotals(newest),
    requests: (query) => real.requests(query),
    prune: (bounds) => real.prune(bounds),
    glance: () => real.glance(),
    close: () => real.close(),
    commit: async (batch) => {
      await weak.gate;
      const failure = weak.failures.shift();
      if (failure !== undefined) throw failure;
      weak.batches.push(batch);
      return real.commit(batch);
    },
  };
  return { weak, store };
}

async function setUp() {
  const small = new SmallWorld();
  const clock = lockstepClock({ start: T0 });
  const { weak, store } = await weakStore();
  const broken: Error[] = [];
  const notices: Notice[] = [];
  const engine = new Engine({
    clock,
    store,
    world: small.world,
    salt: 'test',
    addresses: ADDRESSES,
    onBroken: (error) => broken.push(error),
  });
  engine.listen({ notice: (notice) => notices.push(notice) });
  engine.start();
  clock.start();
  const sos = (n: number) => engine.submit({ type: 'report-sos', trigger: 'watch_button', ...small.uplink(n) });
  return { small, clock, weak, store, engine, broken, notices, sos };
}

describe('the engine', () => {
  test('lets nothing leave before the commit', async () => {
    const { weak, sos, notices } = await setUp();
    let open = (): void => {};
    weak.gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    let answered = false;
    const waiting = sos(1).then(() => {
      answered = true;
    });
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect([answered, notices]).toEqual([false, []]);
    open();
    await waiting;
    expect(notices.map(({ kind }) => kind)).toEqual(['alert-changed', 'event-occurred']);
  });

  test('writes what arrived together as one transaction', async () => {
    const { weak, sos } = await setUp();
    await Promise.all([sos(1), sos(2), sos(3)]);
    expect(weak.batches).toHaveLength(1);
    expect(weak.batches[0]?.events).toHaveLength(3);
  });

  test('on a full disk takes the turn back whole, answers storage_unavailable, and goes on when there is room', async () => {
    const { weak, sos, small, notices, engine } = await setUp();
    weak.failures.push(new StorageFull('disk full'));
    expect(await sos(1)).toMatchObject({ rejected: true, code: 'storage_unavailable' });
    expect([small.alerts(), small.world.count('heard')]).toEqual([[], 0]);
    expect(small.world.indexes.openAlertsOfWorker.of(small.workerId(1)).length).toBe(0);
    expect(notices).toMatchObject([{ kind: 'storage-full' }]);
    expect(await sos(1)).toMatchObject({ rejected: false });
    expect(await engine.read((world) => world.count('alert'))).toBe(1);
  });

  test('stops for good when the disk lied', async () => {
    const { weak, sos, broken } = await setUp();
    weak.failures.push(new StorageBroken('fsync failed'));
    expect(await sos(1)).toMatchObject({ code: 'storage_unavailable' });
    expect(broken).toMatchObject([{ message: 'fsync failed' }]);
    expect(await sos(2)).toMatchObject({ code: 'storage_unavailable' });
    expect(weak.batches).toEqual([]);
  });

  test('expires a prompt when its time has come, and not before', async () => {
    const { small, engine, clock } = await setUp();
    await engine.submit({ type: 'report-fall', ...small.uplink(1) });
    await clock.advance(29_999);
    expect(small.alerts('sos')).toEqual([]);
    await clock.advance(1);
    expect(small.alert('sos').details).toEqual({ trigger: 'after_fall' });
  });

  test('tries what was due again when the disk was full just then', async () => {
    const { small, engine, clock, weak } = await setUp();
    await engine.submit({ type: 'report-fall', ...small.uplink(1) });
    weak.failures.push(new StorageFull('disk full'));
    await clock.advance(30_000);
    expect(small.alerts('sos')).toEqual([]);
    await clock.advance(1_000);
    expect(small.alerts('sos')).toHaveLength(1);
  });

  test('raises silence once for each, ten minutes after the last contact', async () => {
    const { small, engine, clock } = await setUp();
    engine.contact(small.device(1));
    await clock.advance(5 * 60_000);
    engine.contact(small.device(1));
    await clock.advance(10 * 60_000 - 1);
    expect(small.alerts('device_offline')).toEqual([]);
    await clock.advance(1);
    expect(small.alert('device_offline').details).toEqual({ minutes_silent: 10 });
    await clock.advance(60 * 60_000);
    expect(small.alerts('device_offline')).toHaveLength(1);
  });

  test('a folder with a site that lacks a threshold is refused at a restart', async () => {
    const { small, clock, store } = await setUp();
    clock.stop();
    const [site] = small.world.all('site');
    const { offlineAfterMs: _later, ...thresholds } = site!.thresholds;
    const document = { ...site!, thresholds } as Site;
    await store.commit({ ...emptyBatch(), puts: [{ kind: 'site', id: document.id, document }] });
    await expect(loadStored(store)).rejects.toThrow(/site .* is damaged: required fields are missing/);
  });

  test('continues after a restart with all that was committed, due prompts too', async () => {
    const { small, engine, clock, store } = await setUp();
    await store.commit({
      puts: (['organization', 'client', 'site', 'zone', 'worker', 'device'] as const).flatMap((kind) =>
        [...small.world.all(kind)].map((document) => ({ kind, id: document.id, document })),
      ),
      removals: [],
      events: [],
      attempts: [],
      requests: [],
    });
    await engine.submit({ type: 'report-fall', ...small.uplink(1) });
    await engine.flush();
    clock.stop();
    const { world } = await loadStored(store);
    expect([...world.all('alert')]).toEqual([...small.world.all('alert')]);
    expect(world.telemetry(small.device(1))).toEqual(small.world.telemetry(small.device(1)));
    const later = lockstepClock({ start: T0 + 10_000 });
    const again = new Engine({ clock: later, store, world, salt: 'test', addresses: ADDRESSES, onBroken: () => {} });
    again.start();
    await later.advance(20_000);
    expect([...world.all('alert')].map(({ type }) => type).sort()).toEqual(['fall_detected', 'sos']);
  });
});

test('a world that is rolled back is the world it was, indexes included', () => {
  const small = new SmallWorld();
  small.sos(1);
  small.world.commit();
  const before = [...small.world.all('alert')];
  const world: World = small.world;
  world.put('alert', { ...(before[0] as (typeof before)[0]), status: 'resolved' });
  world.remove('device', small.device(1));
  world.rollback();
  expect([...world.all('alert')]).toEqual(before);
  expect(world.indexes.deviceId('SIM-1')).toBe(small.device(1));
  expect(world.indexes.openAlertId(before[0]?.subject as string)).toBe(before[0]?.id);
});

test('what is older than 30 days is forgotten once a day, and nothing younger', async () => {
  const { small, engine, clock, store, sos } = await setUp();
  const press = small.uplink(1);
  await engine.submit({ type: 'report-sos', trigger: 'watch_button', ...press });
  await clock.advance(29 * 24 * 60 * 60_000);
  await sos(2);
  await clock.advance(2 * 24 * 60 * 60_000);
  const events = await store.events({ organizationId: ORG, limit: 10 });
  expect(events.map(({ objectId }) => objectId)).toEqual([small.alerts('sos')[1]?.id]);
  expect(small.world.get('heard', uplinkKey(press))).toBeUndefined();
  expect(small.world.count('heard')).toBe(1);
});
