/** The frame of upgrades: an older database is upgraded on a copy, which takes its place whole, however early the process is killed; one that no migration begins at is refused. [cli, up: Other data folders] */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../src/base/ids.ts';
import { startSandbox } from '../../../src/sandbox/start.ts';
import { openDataFolder } from '../../../src/service/store/folder/data-folder.ts';
import { readSnapshot } from '../../../src/service/store/folder/snapshot-file.ts';
import { finishReplacing, mayBeOlder } from '../../../src/service/store/folder/upgrade.ts';
import { openStore } from '../../../src/service/store/open-store.ts';
import { MIGRATIONS, newestOf } from '../../../src/service/store/sqlite/schema.ts';
import { ownFolder } from '../../helpers/own-folder.ts';
import { loaded, transactionOf } from './samples.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const OLD = { 'world.db': 'old', 'world.db-wal': 'log of old', 'world.db-shm': 'index of old', commits: '1' };
const NEW = { 'world.db': 'new', commits: '2' };
const STAGED = { 'world.db.next': 'new', 'commits.next': '2' };

/** The files after a kill at each step of the replacement, and the files after the next start. */
test.each([
  ['before anything is staged', OLD, OLD],
  ['when all is staged', { ...OLD, ...STAGED }, OLD],
  ['when it has begun', { ...OLD, ...STAGED, replacing: '' }, NEW],
  ['when the log of the old one is gone', { 'world.db': 'old', commits: '1', ...STAGED, replacing: '' }, NEW],
  ['when the database is replaced', { 'world.db': 'new', commits: '1', 'commits.next': '2', replacing: '' }, NEW],
  ['when the ledger is replaced too', { ...NEW, replacing: '' }, NEW],
])('killed %s', (when, found, left) => {
  const place = join(folder.path, when);
  mkdirSync(place);
  for (const [name, text] of Object.entries(found)) writeFileSync(join(place, name), text);
  finishReplacing(place);
  const there = readdirSync(place).map((name) => [name, readFileSync(join(place, name), 'utf8')]);
  expect(Object.fromEntries(there)).toEqual(left);
});

test('a database of this version is opened in place', async () => {
  const place = join(folder.path, 'in place');
  for (let start = 0; start < 2; start++) {
    const data = openDataFolder(place);
    const { store, settle } = await openStore(data, { onBroken: () => {} });
    expect(await settle()).toBeNull();
    await store.close();
    data.close();
    expect(mayBeOlder(data.database, newestOf(MIGRATIONS))).toBe(false);
    expect(existsSync(join(place, 'upgrade'))).toBe(false);
  }
});

/** The bytes of the database, its log and the ledger. */
const bytesIn = (place: string): string[] =>
  ['world.db', 'world.db-wal', 'commits'].map((file) =>
    existsSync(join(place, file)) ? readFileSync(join(place, file)).toString('base64') : '',
  );

describe('a database of the version before', () => {
  const newest = newestOf(MIGRATIONS);
  const next = [...MIGRATIONS, { version: newest + 1, statements: ['ALTER TABLE requests ADD COLUMN colour TEXT'] }];

  /** A folder that this version made, and closed. */
  async function made(name: string): Promise<string> {
    const place = join(folder.path, name);
    const data = openDataFolder(place);
    const { store } = await openStore(data, { onBroken: () => {} });
    await store.commit(transactionOf(1));
    await store.close();
    data.close();
    return place;
  }

  async function opened(place: string) {
    const data = openDataFolder(place);
    const { store, settle } = await openStore(data, { onBroken: () => {}, migrations: next });
    const close = async () => {
      await store.close();
      data.close();
    };
    return { store, settle, close };
  }

  test('is upgraded on a copy, which takes its place when the sandbox is ready; the old one is kept', async () => {
    const place = await made('upgraded');
    const before = bytesIn(place);
    const { store, settle, close } = await opened(place);
    expect(await loaded(store, 'alert')).toHaveLength(1);
    expect(bytesIn(place)).toEqual(before);
    const kept = await settle();
    expect(kept).toBe(join(place, `database-of-schema-${newest}`));
    expect(bytesIn(kept ?? '')).toEqual(before);
    await store.commit(transactionOf(2));
    await close();

    const again = await opened(place);
    expect(await loaded(again.store, 'alert')).toHaveLength(2);
    expect(await again.settle()).toBeNull();
    await again.close();
  });

  test('stays as it was, byte for byte, when the start ends before the sandbox is ready', async () => {
    const place = await made('refused');
    const before = bytesIn(place);
    const { close } = await opened(place);
    expect(existsSync(join(place, 'upgrade'))).toBe(true);
    await close();
    expect(existsSync(join(place, 'upgrade'))).toBe(false);
    expect(bytesIn(place)).toEqual(before);
  });

  test('is refused by a version that has no migration from it, and stays as it was', async () => {
    const place = await made('too old');
    const database = new Database(join(place, 'world.db'));
    database.exec(`UPDATE schema_version SET version = ${newest - 1}; PRAGMA user_version = ${newest - 1}`);
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
    const [before] = bytesIn(place);
    const starting = startSandbox({ dataDir: place, port: 0, mqttPort: 0, fleet: false });
    await expect(starting).rejects.toMatchObject({
      code: 'database_older',
      exitCode: 3,
      message: expect.stringContaining(`(schema ${newest - 1}; this version reads schema ${newest})`),
      fix: expect.stringContaining('--data-dir'),
    });
    expect(bytesIn(place)[0]).toBe(before);
    expect(existsSync(join(place, 'upgrade'))).toBe(false);
  });
});

test('a snapshot of another form is refused, with what to do', () => {
  const place = join(folder.path, 'snapshots of old');
  mkdirSync(join(place, 'snapshots'), { recursive: true });
  const head = JSON.stringify({ format: 'muster-sandbox snapshot', schema: 4, origin: 'o', seed: null });
  const end = JSON.stringify({ rows: 0, sha256: sha256Hex(`${head}\n`) });
  writeFileSync(join(place, 'snapshots', 'old.ndjson'), `${head}\n${end}\n`, { mode: 0o600 });
  const reading = readSnapshot(place, 'old');
  let step = reading.next();
  while (step.done !== true) step = reading.next();
  expect(step.value).toMatch(
    /written by another version of the sandbox \(form 4; this version reads 5\)\. Use that version/,
  );
});
