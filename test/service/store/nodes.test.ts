/** Nodes at one Postgres: each commits after the last commit of any, follows the others, and writes nothing once it was given up. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { Outage } from '../../../src/base/assert.ts';
import { realClock } from '../../../src/base/time/clocks.ts';
import { loadStored } from '../../../src/sandbox/world/open-world.ts';
import { KINDS } from '../../../src/service/domain/world/documents.ts';
import type { World } from '../../../src/service/domain/world/world.ts';
import { Engine } from '../../../src/service/engine/engine.ts';
import { Outdated, Overtaken } from '../../../src/service/engine/shared-transactions.ts';
import type { Membership } from '../../../src/service/store/nodes/membership.ts';
import { openPostgresStore, type PostgresStore } from '../../../src/service/store/postgres/store.ts';
import { PostgresServer, withoutPostgres } from '../../helpers/postgres-server.ts';
import { unless } from '../../helpers/unless.ts';
import { withoutWhole } from '../../helpers/whole.ts';
import { ORG, SmallWorld } from '../domain/small-world.ts';
import { storeConformance } from './conformance.ts';
import { batchOf, eventOf, putOf, START } from './samples.ts';

const NO_REST = { deliveries: [], effects: [] };

unless(withoutPostgres).describe('nodes at one Postgres', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.destroy());

  async function nodeAt(url: string, name: string) {
    const store = await openPostgresStore({ url, node: name });
    const outdated: Outdated[] = [];
    const warnings: string[] = [];
    const membership = await joined(store, outdated, warnings);
    return { store, membership, outdated, warnings };
  }

  async function joined(store: PostgresStore, outdated: Outdated[] = [], warnings: string[] = []): Promise<Membership> {
    const { nodes } = store;
    if (nodes === null) throw new Error('it is no node');
    const membership = await nodes.join({
      onOutdated: (error) => outdated.push(error),
      onUnsteady: () => {},
      say: (words) => warnings.push(words),
    });
    await membership.started();
    await store.load();
    return membership;
  }

  const transactionsOf = ({ nodes }: PostgresStore) => nodes?.transactions ?? expect.unreachable('it is no node');

  const leave = async (...nodes: { store: PostgresStore; membership: Membership }[]) => {
    for (const { store, membership } of nodes) {
      await membership.leave();
      await store.close();
    }
  };

  const opened = new WeakMap<object, { url: string; membership: Membership }>();
  const openNode = async (url: string) => {
    const { store, membership } = await nodeAt(url, 'a');
    opened.set(store, { url, membership });
    return store;
  };
  storeConformance('of a node', {
    open: async () => openNode(await server.database()),
    async reopen(store) {
      const { url, membership } = opened.get(store) as { url: string; membership: Membership };
      await membership.leave();
      await store.close();
      return openNode(url);
    },
    destroy: () => undefined,
    // SQLite passes the suite in `npm test`.
    left: withoutWhole,
  });

  it('writes a transaction only as the commit after the one that it was decided on', async () => {
    const url = await server.database();
    const [a, b] = [await nodeAt(url, 'a'), await nodeAt(url, 'b')];
    const put = (id: string) => batchOf({ puts: [putOf('alert', id)] });
    expect(await transactionsOf(a.store).commitAfter(0, put('one'), NO_REST)).toBe(1);
    await expect(transactionsOf(b.store).commitAfter(0, put('two'), NO_REST)).rejects.toBeInstanceOf(Overtaken);
    expect(await transactionsOf(b.store).commitAfter(1, put('two'), NO_REST)).toBe(2);
    const alerts = await transactionsOf(a.store).since(0);
    expect(alerts.map(({ commit, body }) => [commit, body?.puts.map(([, id]) => id)])).toEqual([
      [1, undefined],
      [2, ['two']],
    ]);
    await leave(a, b);
  });

  it('writes nothing from the moment on at which the others gave it up, not even what depends on nothing', async () => {
    const url = await server.database();
    const a = await nodeAt(url, 'a');
    await server.query(url, 'DELETE FROM muster_sandbox.nodes');
    await expect(
      transactionsOf(a.store).commitAfter(0, batchOf({ puts: [putOf('alert', 'x')] }), NO_REST),
    ).rejects.toThrow('removed this node');
    await expect(a.store.commit(batchOf({ puts: [putOf('telemetry', 'x')] }))).rejects.toBeInstanceOf(Outdated);
    expect(await server.query(url, 'SELECT 1 FROM muster_sandbox.documents')).toEqual([]);
    await expect.poll(() => a.outdated.length).toBe(1);
    // It may join again, as a new one.
    const again = await joined(a.store);
    await a.store.commit(batchOf({ puts: [putOf('telemetry', 'x')] }));
    await leave({ store: a.store, membership: again });
  });

  it('cannot follow over a state that was replaced, and says so', async () => {
    const url = await server.database();
    const [a, b] = [await nodeAt(url, 'a'), await nodeAt(url, 'b')];
    await a.store.commit(batchOf({ puts: [putOf('alert', 'x')] }));
    await a.store.replaceState([]);
    await expect(transactionsOf(b.store).since(0)).rejects.toBeInstanceOf(Outdated);
    await leave(a, b);
  });

  it('finds a commit again whose answer was lost, and makes it once', async () => {
    const url = await server.database();
    const a = await nodeAt(url, 'a');
    for (let round = 0; round < 3; round++) {
      const locking = await rowLock(url);
      const commit = transactionsOf(a.store).commitAfter(
        round,
        batchOf({ events: [eventOf(`event-${round}`, START + round)] }),
        NO_REST,
      );
      await locking.untilAnotherWaits();
      await locking.endTheOther();
      await locking.release();
      expect(await commit).toBe(round + 1);
    }
    expect(await a.store.events({ organizationId: 'org-1', limit: 9 })).toHaveLength(3);
    await leave(a);
  });

  it('is one of its name, and never beside a sandbox that has the database alone', async () => {
    const url = await server.database();
    const a = await nodeAt(url, 'a');
    const second = await openPostgresStore({ url, node: 'a' });
    await expect(joined(second)).rejects.toMatchObject({ code: 'node_name_taken' });
    await second.close();
    await expect(openPostgresStore({ url })).rejects.toMatchObject({
      code: 'database_taken',
      fix: expect.stringContaining('--node'),
    });
    await leave(a);
    // Postgres frees the lock of a session a moment after its connection has ended.
    const locks =
      "SELECT 1 FROM pg_locks JOIN pg_database ON oid = database WHERE locktype = 'advisory' AND datname = current_database()";
    await expect.poll(() => server.query(url, locks)).toEqual([]);
    const alone = await openPostgresStore({ url });
    const refused = await openPostgresStore({ url, node: 'a' }).catch((error) => error);
    expect(refused).toBeInstanceOf(Outage);
    expect(refused.message).toContain('without --node');
    await alone.close();
  });

  describe('claims', () => {
    const work = () => {
      const has = new Set<string>();
      return {
        has,
        take: (_: string, ids: readonly string[]) => ids.forEach((id) => void has.add(id)),
        release: async (_: string, ids: readonly string[]) => ids.forEach((id) => void has.delete(id)),
        catchUp: async () => {},
        receives: true,
        canReceive(): boolean {
          return this.receives;
        },
      };
    };
    const SITES = ['s1', 's2', 's3', 's4', 's5'];
    const sorted = (...sets: Set<string>[]) => sets.flatMap((set) => [...set]).toSorted();

    it('share sites evenly, move to a node that joins, and come back at once from one that leaves', async () => {
      const url = await server.database();
      const [a, b] = [await nodeAt(url, 'a'), await nodeAt(url, 'b')];
      await a.store.commit(batchOf({ puts: SITES.map((id) => putOf('site', id)) }));
      const [atA, atB] = [work(), work()];
      await a.membership.share(atA, 'http://a');
      expect(sorted(atA.has)).toEqual(SITES);
      await b.membership.share(atB, 'http://b');
      await expect.poll(() => [atA.has.size, atB.has.size]).toEqual([3, 2]);
      expect(sorted(atA.has, atB.has)).toEqual(SITES);
      expect(await a.membership.nodes()).toEqual([
        { name: 'a', address: 'http://a', sites: 3, destinations: 0, aheadMs: expect.any(Number), isSelf: true },
        { name: 'b', address: 'http://b', sites: 2, destinations: 0, aheadMs: expect.any(Number), isSelf: false },
      ]);
      // As when its world is loaded anew: what it had is free, given back or not.
      await leave(b);
      await expect.poll(() => sorted(atA.has)).toEqual(SITES);
      await a.membership.release();
      expect(atA.has.size).toBe(0);
      await leave(a);
    });

    unless(
      withoutWhole,
    ).it('on sites go from a node that its broker does not answer to those that hear, and stay where none does', async () => {
      const url = await server.database();
      const [a, b] = [await nodeAt(url, 'a'), await nodeAt(url, 'b')];
      await a.store.commit(batchOf({ puts: SITES.map((id) => putOf('site', id)) }));
      const [atA, atB] = [work(), work()];
      await a.membership.share(atA, 'http://a');
      await b.membership.share(atB, 'http://b');
      await expect.poll(() => [atA.has.size, atB.has.size]).toEqual([3, 2]);
      atA.receives = false;
      await expect.poll(() => [atA.has.size, atB.has.size]).toEqual([0, 5]);
      atB.receives = false;
      await expect.poll(() => server.query(url, 'SELECT 1 FROM muster_sandbox.nodes WHERE hears')).toEqual([]);
      expect([atA.has.size, atB.has.size]).toEqual([0, 5]);
      atA.receives = true;
      await expect.poll(() => [atA.has.size, atB.has.size]).toEqual([5, 0]);
      await leave(a, b);
    });

    it('of a node without a sign of life go to the others, and its connections end', async () => {
      const url = await server.database();
      const [a, b] = [await nodeAt(url, 'a'), await nodeAt(url, 'b')];
      await a.store.commit(batchOf({ puts: SITES.map((id) => putOf('site', id)) }));
      const [atA, atB] = [work(), work()];
      await a.membership.share(atA, 'http://a');
      await b.membership.share(atB, 'http://b');
      await expect.poll(() => atB.has.size).toBe(2);
      // As of one that sleeps: its row says nothing new.
      await server.query(
        url,
        `CREATE FUNCTION muster_sandbox.asleep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             IF NEW.name = 'b' AND NEW.seen > OLD.seen THEN NEW.seen := OLD.seen - interval '1 hour'; END IF; RETURN NEW; END $$;
           CREATE TRIGGER asleep BEFORE UPDATE ON muster_sandbox.nodes FOR EACH ROW EXECUTE FUNCTION muster_sandbox.asleep()`,
      );
      await expect.poll(() => sorted(atA.has)).toEqual(SITES);
      expect(a.warnings.filter((words) => !words.startsWith('The clock of'))).toEqual([
        'Node b sends no heartbeat. The other nodes take over its sites and destinations.',
      ]);
      await expect.poll(() => b.outdated.length).toBe(1);
      expect(b.membership.isSure).toBe(false);
      await leave(a, b);
    });
  });

  test('two engines that decide at one time have one world in the end, which is the one that is stored', async () => {
    const url = await server.database();
    const small = new SmallWorld();
    const first = await nodeAt(url, 'a');
    const documents = KINDS.flatMap((kind) =>
      [...small.world.all(kind)].map((document) => ({ kind, id: document.id, document })),
    );
    await first.store.commit(batchOf({ puts: documents as never }));
    await first.store.load();
    const second = await nodeAt(url, 'b');
    const engines = await Promise.all([first, second].map(({ store }) => engineOn(store)));
    const [one, two] = engines as [Engine, Engine];
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, n) => {
        const engine = n % 2 === 0 ? one : two;
        const press = { type: 'report-sos', trigger: 'watch_button', ...small.uplink((n % 3) + 1) } as const;
        return engine.submit(press).then(() =>
          // The other engine has accepted it: when it is sent again, it drops it.
          (engine === one ? two : one).submit(press, (_world, done) => done.dropped ?? null),
        );
      }),
    );
    expect(outcomes.map((outcome) => (outcome.rejected ? outcome : typeof outcome.value))).toEqual(
      outcomes.map(() => 'string'),
    );
    await Promise.all(engines.map((engine) => engine.catchUp()));
    const { world: stored } = await loadStored(first.store);
    const textOf = (world: World) =>
      KINDS.filter((kind) => kind !== 'telemetry').map((kind) =>
        [...world.all(kind)].map((document) => JSON.stringify(document)).toSorted(),
      );
    expect(textOf(one.world)).toEqual(textOf(stored));
    expect(textOf(two.world)).toEqual(textOf(stored));
    const events = await first.store.events({ organizationId: ORG, limit: 500 });
    expect(events.length).toBeGreaterThan(0);
    for (const engine of engines) await engine.stop();
    await leave(first, second);
  });

  async function engineOn(store: PostgresStore): Promise<Engine> {
    const { world } = await loadStored(store);
    const clock = realClock();
    const engine = new Engine({
      clock,
      store,
      world,
      salt: 'test',
      addresses: { panelUrl: 'http://127.0.0.1/panel' },
      onBroken: () => {},
      shared: { transactions: transactionsOf(store), isMine: () => true, onOutdated: () => {} },
    });
    engine.start();
    clock.start();
    return engine;
  }

  async function rowLock(url: string) {
    const { Client } = await import('pg');
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT * FROM muster_sandbox.sandbox FOR UPDATE');
    // Within a transaction the activity stays as it was first seen.
    const seen = () => server.query(url, waiting);
    const waiting =
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'WITH me%'";
    return {
      untilAnotherWaits: async () => {
        while ((await seen()).length === 0);
      },
      endTheOther: () => server.query(url, `SELECT pg_terminate_backend(pid) FROM (${waiting}) AS others`),
      release: async () => {
        await client.query('ROLLBACK');
        await client.end();
      },
    };
  }
});
