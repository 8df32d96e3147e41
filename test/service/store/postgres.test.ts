/** The Postgres store on a real server: the conformance suite, and what is Postgres' own (partitions, a server that goes away, two sandboxes at one database). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Outage } from '../../../src/base/assert.ts';
import { StorageBroken, StorageFull } from '../../../src/service/engine/store-port.ts';
import { openPostgresStore } from '../../../src/service/store/postgres/store.ts';
import { eachOf } from '../../helpers/each-of.ts';
import { PostgresServer, withoutPostgres } from '../../helpers/postgres-server.ts';
import { unless } from '../../helpers/unless.ts';
import { withoutWhole } from '../../helpers/whole.ts';
import { storeConformance } from './conformance.ts';
import { attemptOf, batchOf, eventOf, loaded, putOf, requestOf, START, transactionOf } from './samples.ts';

const DAY = 86_400_000;

unless(withoutPostgres).describe('Postgres', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.destroy());

  const opened = async () => {
    const url = await server.database();
    return { url, store: await openPostgresStore({ url }) };
  };

  const urls = new WeakMap<object, string>();
  // SQLite passes the suite in `npm test`.
  const conformance = () =>
    storeConformance('in Postgres', {
      async open() {
        const { url, store } = await opened();
        urls.set(store, url);
        return store;
      },
      async reopen(store) {
        await store.close();
        return openPostgresStore({ url: urls.get(store) as string });
      },
      destroy: () => undefined,
    });
  unless(withoutWhole).describe('a sandbox that has the database alone', conformance);

  const outageOf = (opening: Promise<unknown>): Promise<Outage> =>
    opening.then(
      () => expect.unreachable('it was opened'),
      (error) => {
        expect(error).toBeInstanceOf(Outage);
        return error;
      },
    );

  const partitionsOf = async (url: string, log: string) =>
    (
      await server.query(
        url,
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'muster_sandbox.${log}'::regclass`,
      )
    ).length;

  it('keeps each day of its logs in a partition, and forgets a day by dropping it', async () => {
    const { url, store } = await opened();
    const days = [START, START + DAY, START + 2 * DAY];
    await store.commit(
      batchOf({
        events: days.map((at, n) => eventOf(`event-${n}`, at)),
        attempts: days.map((at, n) => attemptOf(`attempt-${n}`, { at })),
        requests: days.map((at, n) => requestOf(`request-${n}`, { at })),
      }),
    );
    for (const log of ['events', 'attempts', 'requests']) expect(await partitionsOf(url, log)).toBe(3);
    const before = START + DAY + 1;
    expect(
      await store.prune({ eventsBefore: before, attemptsBefore: before, requestsBefore: before, uplinksBefore: 0 }),
    ).toBe(6);
    for (const log of ['events', 'attempts', 'requests']) expect(await partitionsOf(url, log)).toBe(2);
    // A day that was dropped comes again.
    await store.commit(batchOf({ events: [eventOf('late', START)] }));
    expect((await store.events({ organizationId: 'org-1', limit: 9 })).map(({ id }) => id)).toEqual([
      'late',
      'event-2',
    ]);
    await store.close();
  });

  it('takes an event of an id that stands on another day for the fault that it is', async () => {
    const { store } = await opened();
    await store.commit(batchOf({ events: [eventOf('e', START)] }));
    await expect(store.commit(batchOf({ events: [eventOf('e', START + DAY)] }))).rejects.toBeInstanceOf(StorageBroken);
    await store.close();
  });

  it('refuses a second sandbox at the same database, and names the first', async () => {
    const { url, store } = await opened();
    const refusal = await outageOf(openPostgresStore({ url }));
    expect(refusal).toMatchObject({
      code: 'database_taken',
      message: expect.stringContaining(`muster-sandbox ${process.pid} at `),
    });
    await store.close();
    await (await openPostgresStore({ url })).close();
  });

  it('fails for good when another one has written to its database', async () => {
    const { url, store } = await opened();
    await server.query(url, 'UPDATE muster_sandbox.sandbox SET commits = commits + 1');
    await expect(store.commit(transactionOf(1))).rejects.toBeInstanceOf(StorageBroken);
    await store.close();
  });

  it.each([
    ['nothing listens', (url: string) => url.replace(/:\d+\//, ':9/'), 'database_not_reachable'],
    ['there is no such database', (url: string) => url.replace(/world_\d+$/, 'nowhere'), 'database_missing'],
    ['there is no such user', (url: string) => url.replace('muster@', 'nobody@'), 'database_refused'],
  ])('is refused with a fix where %s', async (_, wrong, code) => {
    const url = await server.database();
    const refusal = await outageOf(openPostgresStore({ url: wrong(url) }));
    expect(refusal.code).toBe(code);
    expect(refusal.fix).not.toBe('');
  });

  it('leaves tables of an older or newer version alone, and those of others', async () => {
    const { url, store } = await opened();
    await store.close();
    await server.query(url, 'UPDATE muster_sandbox.sandbox SET version = 6');
    expect(await outageOf(openPostgresStore({ url }))).toMatchObject({
      code: 'database_older',
      exitCode: 3,
      message: expect.stringContaining('(schema 6; this version reads schema 7)'),
      fix: expect.stringContaining('another database'),
    });
    await server.query(url, 'UPDATE muster_sandbox.sandbox SET version = 99');
    expect(await outageOf(openPostgresStore({ url }))).toMatchObject({ code: 'database_newer' });
    const foreign = await server.database();
    await server.query(foreign, 'CREATE SCHEMA muster_sandbox; CREATE TABLE muster_sandbox.cats (name text)');
    expect(await outageOf(openPostgresStore({ url: foreign }))).toMatchObject({ code: 'database_foreign' });
  });

  it('names no password in what it says', async () => {
    const refusal = await outageOf(openPostgresStore({ url: 'postgres://muster:hunter2@127.0.0.1:9/world' }));
    expect(`${refusal.message} ${refusal.fix}`).not.toContain('hunter2');
    expect(refusal.message).toContain('The database world at 127.0.0.1:9');
  });

  describe('when the server goes away', () => {
    eachOf([['SIGQUIT'], ['SIGINT']] as const, 2)(
      'it answers that nothing can be written, and goes on by itself afterwards (%s)',
      async (signal) => {
        const { store } = await opened();
        await store.commit(transactionOf(1));
        await server.stop(signal);
        await expect(store.commit(batchOf({ puts: [putOf('alert', 'a')] }))).rejects.toBeInstanceOf(StorageFull);
        await expect(store.event('event-1')).rejects.toBeInstanceOf(StorageFull);
        await server.resume();
        await store.commit(batchOf({ puts: [putOf('alert', 'b')] }));
        const ids = (await loaded(store, 'alert')).map(({ id }) => id);
        expect(ids).toContain('b');
        expect(ids).not.toContain('a');
        await store.close();
      },
    );

    it('a commit under way is waited for, and stands once', async () => {
      const { url, store } = await opened();
      for (let round = 0; round < 3; round++) {
        const before = (await server.query(url, 'SELECT commits FROM muster_sandbox.sandbox'))[0]?.['commits'];
        // The row is locked by another, so that the commit hangs in the middle while its connection is ended.
        const locking = await lockOf(url);
        const commit = store.commit(batchOf({ events: [eventOf(`event-${round}`, START + round)] }));
        await locking.untilAnotherWaits();
        await locking.endTheOther();
        await locking.release();
        await commit;
        const [after] = await server.query(url, 'SELECT commits FROM muster_sandbox.sandbox');
        expect(Number(after?.['commits'])).toBe(Number(before) + 1);
      }
      expect(await store.events({ organizationId: 'org-1', limit: 9 })).toHaveLength(3);
      await store.close();
    });
  });

  async function lockOf(url: string) {
    const { Client } = await import('pg');
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT * FROM muster_sandbox.sandbox FOR UPDATE');
    // Within a transaction the activity stays as it was first seen.
    const seen = () => server.query(url, waiting);
    const waiting = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
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
