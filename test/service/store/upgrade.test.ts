/** An upgraded database takes the place of the old one whole, however early the process was killed while it did. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDataFolder } from '../../../src/service/store/folder/data-folder.ts';
import { finishReplacing, mayBeOlder } from '../../../src/service/store/folder/upgrade.ts';
import { openStore } from '../../../src/service/store/open-store.ts';
import { ownFolder } from '../../helpers/own-folder.ts';

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
    expect(mayBeOlder(data.database)).toBe(false);
    expect(existsSync(join(place, 'upgrade'))).toBe(false);
  }
});
