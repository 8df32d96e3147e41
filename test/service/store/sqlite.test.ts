/** The SQLite store: the conformance suite, and what is SQLite's own (migrations, refusals, damage, a full disk). */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Outage } from '../../../src/base/assert.ts';
import { StorageBroken, StorageFull } from '../../../src/service/engine/store-port.ts';
import { MIGRATIONS, migrate, type StoreTables, schemaVersion } from '../../../src/service/store/sqlite/schema.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { storeConformance } from './conformance.ts';
import { batchOf, eventOf, loaded, putOf, START, transactionOf } from './samples.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
  file = join(folder, 'world.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

storeConformance('in a SQLite file', {
  open: () => openSqliteStore({ file }),
  async reopen(store) {
    await store.close();
    return openSqliteStore({ file });
  },
  destroy: () => undefined,
});

storeConformance('in SQLite’s memory', {
  open: () => openSqliteStore({ file: ':memory:' }),
  destroy: () => undefined,
});

const outageOf = (opening: Promise<unknown>): Promise<Outage> =>
  opening.then(
    () => expect.unreachable('it was opened'),
    (error) => {
      expect(error).toBeInstanceOf(Outage);
      return error;
    },
  );

describe('the file of a SQLite store', () => {
  it('returns the space of what was pruned to the disk', async () => {
    const store = await openSqliteStore({ file });
    const events = Array.from({ length: 3_000 }, (_, n) => eventOf(`e-${n}`, START + n));
    await store.commit(batchOf({ events }));
    await store.close();
    const full = statSync(file).size;
    const again = await openSqliteStore({ file });
    const all = START + events.length;
    await again.prune({ eventsBefore: all, attemptsBefore: all, requestsBefore: all, uplinksBefore: all });
    await again.close();
    expect(statSync(file).size).toBeLessThan(full / 4);
  });

  it('is written ahead, so that a reader never waits for a commit', async () => {
    const store = await openSqliteStore({ file });
    await store.commit(transactionOf(1));
    const looking = new Database(file);
    expect(looking.pragma('journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    looking.close();
    await store.close();
  });

  it.each([
    [
      'the log of a site',
      'SELECT * FROM events WHERE organization_id = ? AND (created_at, id) > (?, ?) ORDER BY created_at, id',
      'events_walk (organization_id=?',
    ],
    ['the attempts of a type', 'SELECT * FROM attempts WHERE event_type = ? ORDER BY seq DESC', 'attempts_type'],
    ['the attempts for an event', 'SELECT * FROM attempts WHERE event_id = ? ORDER BY seq DESC', 'attempts_event'],
    [
      'the attempts at a destination',
      'SELECT * FROM attempts WHERE destination_id = ? ORDER BY seq DESC',
      'attempts_destination',
    ],
    [
      'the requests of a company',
      'SELECT * FROM requests WHERE organization_id = ? ORDER BY seq DESC',
      'requests_organization',
    ],
  ])('finds %s by an index, without a sort', async (_, query, index) => {
    await (await openSqliteStore({ file })).close();
    const looking = new Database(file);
    const plan = looking.prepare(`EXPLAIN QUERY PLAN ${query}`).all() as { detail: string }[];
    looking.close();
    const text = plan.map(({ detail }) => detail).join('\n');
    expect(text).toContain(index);
    expect(text).not.toContain('TEMP B-TREE');
  });

  it('is refused and left alone when a newer version wrote it', async () => {
    await (await openSqliteStore({ file })).close();
    const later = new Database(file);
    later.exec('UPDATE schema_version SET version = 99');
    later.close();
    const outage = await outageOf(openSqliteStore({ file }));
    expect(outage).toMatchObject({ code: 'database_newer', exitCode: 3 });
    expect(outage.message).toContain(file);
    expect(outage.message).toContain('99');
    expect(outage.fix).toMatch(/Update muster-sandbox.*start with a new world/);
  });

  it('is refused and left alone when it is a stranger’s database', async () => {
    const theirs = new Database(file);
    theirs.exec('CREATE TABLE invoices (id INTEGER PRIMARY KEY)');
    theirs.close();
    const before = readFileSync(file);
    expect(await outageOf(openSqliteStore({ file }))).toMatchObject({ code: 'database_foreign', exitCode: 3 });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('is refused and left alone when it is no database', async () => {
    writeFileSync(file, 'Dear diary, '.repeat(1_000));
    const outage = await outageOf(openSqliteStore({ file }));
    expect(outage).toMatchObject({ code: 'database_unreadable', exitCode: 3 });
    expect(outage.message).toContain(file);
    expect(outage.fix).toContain('--data-dir');
    expect(readFileSync(file, 'utf8')).toBe('Dear diary, '.repeat(1_000));
  });

  it('is refused when it cannot be opened for writing', async () => {
    mkdirSync(file);
    expect(await outageOf(openSqliteStore({ file }))).toMatchObject({ code: 'database_not_writable' });
    const nowhere = join(folder, 'no', 'such', 'folder', 'world.db');
    expect(await outageOf(openSqliteStore({ file: nowhere }))).toMatchObject({ code: 'database_not_writable' });
  });

  it('is refused when somebody else holds it locked', async () => {
    const browser = new Database(file);
    browser.exec('BEGIN EXCLUSIVE');
    expect(await outageOf(openSqliteStore({ file }))).toMatchObject({ code: 'database_busy' });
    browser.exec('ROLLBACK');
    browser.close();
  });
});

describe('a migration', () => {
  const newest = MIGRATIONS.at(-1)!.version;
  const next = {
    version: newest + 1,
    statements: ['ALTER TABLE events ADD COLUMN title TEXT', "UPDATE events SET title = 'old'"],
  };
  const open = (): { database: Database.Database; db: Kysely<StoreTables> } => {
    const database = new Database(file);
    return { database, db: new Kysely<StoreTables>({ dialect: new SqliteDialect({ database }) }) };
  };

  it('brings an older file to the newest version and keeps what it holds', async () => {
    const store = await openSqliteStore({ file });
    await store.commit(transactionOf(1));
    await store.close();
    const { database, db } = open();
    const migrations = [...MIGRATIONS, next];
    await migrate(db, await schemaVersion(db, file, migrations), migrations);
    expect(await schemaVersion(db, file, migrations)).toBe(newest + 1);
    expect(database.prepare('SELECT id, title FROM events').all()).toEqual([
      { id: 'event-000000000001', title: 'old' },
    ]);
    await migrate(db, newest + 1, migrations);
    expect(await schemaVersion(db, file, migrations)).toBe(newest + 1);
    database.close();
  });

  it('a migration that fails half way leaves the file at the version it had', async () => {
    const store = await openSqliteStore({ file });
    await store.commit(transactionOf(1));
    await store.close();
    const { database, db } = open();
    const migrations = [
      ...MIGRATIONS,
      next,
      { version: newest + 2, statements: ['ALTER TABLE nowhere ADD COLUMN title TEXT'] },
    ];
    await expect(migrate(db, newest, migrations)).rejects.toThrow('no such table');
    expect(await schemaVersion(db, file, migrations)).toBe(newest);
    database.close();
    const again = await openSqliteStore({ file });
    expect(await loaded(again, 'alert')).toHaveLength(1);
    await again.close();
  });

  it('numbers go up by one', () => {
    const [{ version: first } = { version: 0 }] = MIGRATIONS;
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, n) => first + n));
  });
});

describe('damage', () => {
  it('in a document is reported with its kind and id', async () => {
    const store = await openSqliteStore({ file });
    await store.commit(transactionOf(1));
    const vandal = new Database(file);
    vandal.exec(`UPDATE documents SET body = substr(body, 1, 20) WHERE kind = 'alert'`);
    vandal.close();
    await expect(store.load()).rejects.toThrow(/alert alert-000000000001 is damaged/);
    await expect(store.load()).rejects.toBeInstanceOf(StorageBroken);
    await store.close();
  });

  it('in the pages of the file breaks the reading, and does not give other documents', async () => {
    const store = await openSqliteStore({ file });
    await store.commit(batchOf({ puts: Array.from({ length: 500 }, (_, n) => putOf('worker', `worker-${n}`)) }));
    await store.close();
    const bytes = readFileSync(file);
    // All but the first pages, which hold the schema.
    bytes.fill(0xa5, 4096 * 32);
    writeFileSync(file, bytes);
    const again = await openSqliteStore({ file });
    await expect(again.load()).rejects.toBeInstanceOf(StorageBroken);
    await again.close();
  });

  it('once met by a commit, no later commit is tried', async () => {
    const store = await openSqliteStore({ file });
    await store.commit(batchOf({ events: [eventOf('e', START)] }));
    await expect(store.commit(batchOf({ events: [eventOf('e', START)] }))).rejects.toBeInstanceOf(StorageBroken);
    await expect(store.commit(batchOf({ puts: [putOf('alert', 'a')] }))).rejects.toBeInstanceOf(StorageBroken);
    expect(await loaded(store, 'alert')).toEqual([]);
    await store.close();
  });
});

describe('a store that may not grow any more', () => {
  it('refuses a transaction whole, and takes the next one when there is room', async () => {
    const store = await openSqliteStore({ file, pageLimit: 75 });
    const filler = putOf('worker', 'filler', 'x'.repeat(60_000));
    await store.commit(batchOf({ puts: [filler] }));
    const large = batchOf({ puts: [putOf('alert', 'small', ''), putOf('alert', 'large', 'y'.repeat(60_000))] });
    await expect(store.commit(large)).rejects.toBeInstanceOf(StorageFull);
    expect(await loaded(store, 'alert')).toEqual([]);
    await store.commit(batchOf({ puts: [putOf('alert', 'small', 'it fits')] }));
    await store.commit(batchOf({ removals: [{ kind: 'worker', id: 'filler' }] }));
    await store.commit(large);
    expect(await loaded(store, 'alert')).toEqual(large.puts.map(({ document }) => document).reverse());
    await store.close();
    const looking = new Database(file);
    expect(looking.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    looking.close();
  });
});
