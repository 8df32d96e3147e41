/** What the emulated fleet keeps beside the world: texts by key, whole or not at all, and no part of the world. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KINDS } from '../../../src/service/domain/world/documents.ts';
import { StorageFull } from '../../../src/service/engine/store-port.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { batchOf, ODD_TEXT, putOf } from './samples.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-kept-'));
  file = join(folder, 'world.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

// SQLite keeps well-formed text only, and JSON is nothing else.
const ODD = Buffer.from(ODD_TEXT).toString();

describe('the texts of a fleet', () => {
  it('are there when the file is opened again, to the last odd character, in any number, and none of them is the world’s', async () => {
    const store = await openSqliteStore({ file });
    const puts = Array.from({ length: 1_000 }, (_, n) => ({
      key: `person/${n} ${ODD}`,
      body: JSON.stringify({ n, ODD }),
    }));
    await store.kept.keep({ puts, removals: [] });
    await store.commit(batchOf({ puts: [putOf('worker', 'w-1')] }));
    await store.kept.keep({ puts: [{ key: puts[1]!.key, body: '{}' }], removals: [puts[0]!.key, 'no such key'] });
    await store.close();
    const again = await openSqliteStore({ file });
    const texts = await again.kept.load();
    expect(texts.size).toBe(999);
    expect(texts.get(puts[1]!.key)).toBe('{}');
    for (const { key, body } of puts.slice(2)) expect(texts.get(key)).toBe(body);
    const world = await again.load();
    expect(world.map(({ kind }) => kind)).toEqual([...KINDS]);
    expect(world.flatMap(({ documents }) => documents)).toHaveLength(1);
    await again.close();
  });

  it('are kept whole or not at all where the disk is full, and later when there is room', async () => {
    const store = await openSqliteStore({ file, pageLimit: 70 });
    await store.kept.keep({ puts: [{ key: 'a', body: 'x'.repeat(60_000) }], removals: [] });
    const large = {
      puts: [
        { key: 'b', body: 'small' },
        { key: 'c', body: 'y'.repeat(160_000) },
      ],
      removals: ['a'],
    };
    await expect(store.kept.keep(large)).rejects.toBeInstanceOf(StorageFull);
    expect([...(await store.kept.load()).keys()]).toEqual(['a']);
    await store.kept.keep({ puts: [], removals: ['a'] });
    await store.kept.keep(large);
    expect([...(await store.kept.load()).keys()]).toEqual(['b', 'c']);
    await store.close();
  });
});
