/** A data folder that was damaged: at the start the loss is reported, in use it stops everything. [decisions 10] */
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { Outage } from '../../../src/base/assert.ts';
import { later } from '../../../src/base/time/timers.ts';
import { StorageBroken, StorageLocked, type Store } from '../../../src/service/engine/store-port.ts';
import { openDataFolder } from '../../../src/service/store/folder/data-folder.ts';
import { FolderChanged } from '../../../src/service/store/folder/guard.ts';
import { type OpenedStore, openStore } from '../../../src/service/store/open-store.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { inspectWal } from '../../../src/service/store/sqlite/wal.ts';
import { startChild } from './children.ts';
import { batchOf, loaded, putOf, transactionOf } from './samples.ts';

let parent: string;
let path: string;
const at = (name: string): string => join(path, name);
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'damage-'));
  path = join(parent, 'data');
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

interface Opened extends OpenedStore {
  close(): Promise<void>;
}

async function open(options: { acceptLoss?: boolean; onBroken?: (error: Error) => void } = {}): Promise<Opened> {
  const { acceptLoss = false, onBroken = () => {} } = options;
  const folder = openDataFolder(path, { acceptLoss });
  try {
    const opened = await openStore(folder, { acceptLoss, onBroken });
    return {
      ...opened,
      close: async () => {
        await opened.store.close();
        folder.close();
      },
    };
  } catch (error) {
    folder.close();
    throw error;
  }
}

const outage = (): Promise<Outage> =>
  open().then(
    async (opened) => {
      await opened.close();
      return expect.unreachable('it was opened');
    },
    (error) => {
      expect(error).toBeInstanceOf(Outage);
      return error;
    },
  );

const alerts = async (store: Store): Promise<number> => (await loaded(store, 'alert')).length;

const template = mkdtempSync(join(tmpdir(), 'killed-'));
beforeAll(async () => {
  const child = startChild('folder-child.ts', template, '20');
  for await (const line of child.lines) if (line === '20') await child.kill();
});
afterAll(() => rmSync(template, { recursive: true }));

/** A folder with 20 commits of which the last ones stand in the -wal alone, as after kill -9. */
async function killed(): Promise<void> {
  cpSync(template, path, { recursive: true, preserveTimestamps: true });
  expect(statSync(at('world.db-wal')).size).toBeGreaterThan(4_096 * 40);
}

/** Changes bytes in place; the file keeps its length. */
function flip(file: string, from: number): void {
  const bytes = readFileSync(file);
  for (let place = from; place < from + 8; place++) bytes[place]! ^= 0xff;
  writeFileSync(file, bytes);
}

const sql = (...statements: string[]): void => {
  const vandal = new Database(at('world.db'));
  for (const statement of statements) vandal.exec(statement);
  vandal.pragma('wal_checkpoint(TRUNCATE)');
  vandal.close();
};

interface Damage {
  readonly what: string;
  readonly make: () => void;
  readonly lost: RegExp;
  /** How many of the 20 alerts are there when the loss was accepted. */
  readonly left: (count: number) => void;
}

const all = (count: number) => expect(count).toBe(20);
const none = (count: number) => expect(count).toBe(0);
const some = (count: number) => {
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(20);
};

const DAMAGES: readonly Damage[] = [
  {
    what: 'its -wal deleted',
    make: () => unlinkSync(at('world.db-wal')),
    lost: /^20 commits since .* are lost: /,
    left: none,
  },
  {
    what: 'its -wal emptied',
    make: () => truncateSync(at('world.db-wal')),
    lost: /^20 commits since .* are lost: /,
    left: none,
  },
  {
    what: 'its -wal cut in the middle',
    make: () => truncateSync(at('world.db-wal'), Math.floor(statSync(at('world.db-wal')).size * 0.7)),
    lost: /^\d+ commits since \d{4}-.*Z are lost: /,
    left: some,
  },
  {
    what: 'a byte of its -wal changed',
    make: () => flip(at('world.db-wal'), Math.floor(statSync(at('world.db-wal')).size * 0.7)),
    lost: /^\d+ commits since \d{4}-.*Z are lost: .*intact pages follow the bad one/,
    left: some,
  },
  {
    what: 'the header of its -wal changed',
    make: () => flip(at('world.db-wal'), 4),
    lost: /^20 commits since .*header/,
    left: none,
  },
  {
    what: 'its database emptied',
    make: () => truncateSync(at('world.db')),
    lost: /is empty, and 20 commits were in it/,
    left: none,
  },
  {
    what: 'its database deleted',
    make: () => unlinkSync(at('world.db')),
    lost: /is empty, and 20 commits were in it/,
    left: none,
  },
  {
    what: 'its database replaced by something else',
    make: () => {
      rmSync(at('world.db-wal'));
      writeFileSync(at('world.db'), 'this is no database at all, but a text of some length'.repeat(200));
    },
    lost: /cannot be read as a database.*20 commits were in it/,
    left: none,
  },
  {
    what: 'its commit ledger deleted',
    make: () => unlinkSync(at('commits')),
    lost: /ledger .* is missing, .*has 20/,
    left: all,
  },
  {
    what: 'its commit ledger overwritten',
    make: () => writeFileSync(at('commits'), 'x'),
    lost: /ledger .* is damaged/,
    left: all,
  },
  {
    what: 'a stored row that is no UTF-8',
    make: () => sql(`UPDATE documents SET body = CAST(x'7b22ff227d' AS TEXT) WHERE kind = 'alert' AND id LIKE '%7'`),
    lost: /^2 stored rows are lost\. .*alert alert-000000000007 is damaged: it is not UTF-8/,
    left: (count) => expect(count).toBe(18),
  },
  {
    what: 'a stored row that is no JSON',
    make: () => sql(`UPDATE documents SET body = '{"id":' WHERE kind = 'alert' AND id LIKE '%11'`),
    lost: /^1 stored row is lost\. .*alert-000000000011 is damaged: it is not JSON/,
    left: (count) => expect(count).toBe(19),
  },
  {
    what: 'an id that is no UTF-8',
    make: () => sql(`UPDATE documents SET id = CAST(x'ff' AS TEXT) WHERE kind = 'alert' AND id LIKE '%11'`),
    lost: /^1 stored row is lost\. .*is not UTF-8/,
    left: (count) => expect(count).toBe(19),
  },
  {
    what: 'a kind that nobody knows',
    make: () => sql(`UPDATE documents SET kind = 'alart' WHERE kind = 'alert' AND id LIKE '%11'`),
    lost: /^1 stored row is lost\. alart alert-000000000011 is of an unknown kind/,
    left: (count) => expect(count).toBe(19),
  },
  {
    what: 'an event in the log that is no UTF-8',
    make: () => sql(`UPDATE events SET body = CAST(x'7bff7d' AS TEXT), type = CAST(x'ff' AS TEXT) WHERE seq = 3`),
    lost: /^1 stored row is lost\. .*event event-000000000002 is damaged: it is not UTF-8/,
    left: all,
  },
  {
    what: 'damaged pages',
    make: () => {
      sql('SELECT 1');
      const bytes = readFileSync(at('world.db'));
      bytes.fill(0xa5, 4_096 * 4, 4_096 * 9);
      writeFileSync(at('world.db'), bytes);
    },
    lost: /(damaged|cannot be read).*20 commits were in it/,
    left: none,
  },
  { what: 'its key deleted', make: () => unlinkSync(at('key')), lost: /^The root key .* is missing: /, left: all },
  { what: 'its key emptied', make: () => truncateSync(at('key')), lost: /^The root key .* is empty: /, left: all },
  {
    what: 'its key replaced',
    make: () => writeFileSync(at('key'), 'another key of somebody\n'),
    lost: /is not the key that this world was made with/,
    left: all,
  },
];

describe('a data folder after kill -9', () => {
  it('a sound data folder opens without a loss, and has everything', async () => {
    await killed();
    const opened = await open();
    expect(opened).toMatchObject({ losses: [], rowsLost: false });
    expect(await alerts(opened.store)).toBe(20);
    await opened.close();
  });

  it.each(
    DAMAGES,
  )('with $what is refused with what is lost, left as it is, and opened when the loss is accepted', async ({
    make,
    lost,
    left,
  }) => {
    await killed();
    make();
    for (let time = 0; time < 2; time++) {
      const refused = await outage();
      expect(refused.exitCode).toBe(3);
      expect(refused.message).toMatch(lost);
      expect(refused.fix).toContain('--accept-loss');
    }
    const opened = await open({ acceptLoss: true });
    left(await alerts(opened.store));
    expect(await opened.store.events({ organizationId: 'org-1', limit: 1_000 })).toBeDefined();
    await opened.store.commit(transactionOf(1_000));
    await opened.close();
    const again = await open();
    expect(again.losses).toEqual([]);
    expect((await loaded(again.store, 'alert')).map(({ id }) => id)).toContain('alert-000000001000');
    await again.close();
  });
});

describe('a data folder after a clean stop', () => {
  it('is not looked through again when nobody touched it, and is when somebody did', async () => {
    const first = await open();
    await first.store.commit(transactionOf(1));
    await first.close();
    const { mtime } = statSync(at('world.db'));
    const sealed = readFileSync(at('sealed'), 'utf8');
    sql(`UPDATE documents SET body = '{' WHERE kind = 'alert'`);
    // Rows that were changed behind our back and are not looked at show that the seal is what decides.
    writeFileSync(
      at('sealed'),
      `${statSync(at('world.db'), { bigint: true }).size} ${statSync(at('world.db'), { bigint: true }).mtimeNs}\n`,
    );
    await (await open()).close();
    writeFileSync(at('sealed'), sealed);
    utimesSync(at('world.db'), mtime, new Date(mtime.getTime() + 5_000));
    expect((await outage()).message).toMatch(/alert-000000000001 is damaged/);
  });
});

describe('a data folder in use', () => {
  const changes: readonly [string, () => void][] = [
    ['deleted with all that is in it', () => rmSync(path, { recursive: true })],
    ['moved away', () => renameSync(path, `${path}-moved`)],
    ['robbed of its database', () => unlinkSync(at('world.db'))],
    ['robbed of its -wal', () => unlinkSync(at('world.db-wal'))],
    ['robbed of its key', () => unlinkSync(at('key'))],
    ['given another key', () => writeFileSync(at('key'), 'another\n')],
    [
      'given a copy of its own database',
      () => {
        copyFileSync(at('world.db'), at('copy'));
        renameSync(at('copy'), at('world.db'));
      },
    ],
    [
      'given an older database, written over it',
      () => {
        copyFileSync(at('world.db'), at('copy'));
        copyFileSync(at('copy'), at('world.db'));
      },
    ],
    ['written to by another program', () => appendFileSync(at('world.db-wal'), 'x')],
  ];

  it.each(changes)('a data folder that is %s takes nothing more, and says so', async (_what, change) => {
    let reported: (error: Error) => void = () => {};
    const broken = new Promise<Error>((resolve) => {
      reported = resolve;
    });
    const { store, close } = await open({ onBroken: reported });
    await store.commit(transactionOf(1));
    change();
    await expect(store.commit(transactionOf(2))).rejects.toBeInstanceOf(FolderChanged);
    expect((await broken).message).toMatch(
      /(deleted or moved away|replaced|overwritten) while the sandbox was running/,
    );
    await expect(store.commit(transactionOf(3))).rejects.toBeInstanceOf(StorageBroken);
    await close();
  });

  it.each(
    changes.filter(([what]) => !/written/.test(what)),
  )('a data folder that is %s is detected without a commit too', async (_what, change) => {
    let reported: (error: Error) => void = () => {};
    const broken = new Promise<Error>((resolve) => {
      reported = resolve;
    });
    const { store, close } = await open({ onBroken: reported });
    await store.commit(transactionOf(1));
    change();
    expect(await broken).toBeInstanceOf(FolderChanged);
    await close();
  });

  it('may be read by others, and be given files of theirs', async () => {
    const { store, close } = await open();
    await store.commit(transactionOf(1));
    const reader = new Database(at('world.db'), { readonly: true });
    expect(reader.prepare('SELECT count(*) AS n FROM documents').get()).toMatchObject({ n: 4 });
    writeFileSync(at('notes.txt'), 'mine');
    await store.commit(transactionOf(2));
    reader.close();
    await store.commit(transactionOf(3));
    await close();
  });

  it('survives a key that is written again with the same text', async () => {
    const { store, close } = await open();
    writeFileSync(at('key'), readFileSync(at('key')));
    await store.commit(transactionOf(1));
    await close();
  });
});

describe('a foreign lock on the database', () => {
  it('is waited for by a commit, while the process goes on', async () => {
    const store = await openSqliteStore({ file: join(parent, 'world.db') });
    const browser = new Database(join(parent, 'world.db'));
    browser.exec('BEGIN IMMEDIATE');
    let ticks = 0;
    const commit = store.commit(transactionOf(1)).then(() => ticks);
    await new Promise<void>((resolve) => {
      const tick = (): void => {
        ticks++;
        if (ticks < 20) later(10, tick);
        else {
          browser.exec('ROLLBACK');
          resolve();
        }
      };
      later(10, tick);
    });
    expect(await commit).toBe(20);
    expect(await loaded(store, 'alert')).toHaveLength(1);
    browser.close();
    await store.close();
  });

  it('a lasting lock refuses the commit and breaks nothing', async () => {
    const store = await openSqliteStore({ file: join(parent, 'world.db') });
    const browser = new Database(join(parent, 'world.db'));
    browser.exec('BEGIN IMMEDIATE');
    await expect(store.commit(transactionOf(1))).rejects.toBeInstanceOf(StorageLocked);
    browser.exec('ROLLBACK');
    await store.commit(transactionOf(2));
    expect((await loaded(store, 'alert')).map(({ id }) => id)).toEqual(['alert-000000000002']);
    browser.close();
    await store.close();
  });
});

test('a write-ahead log that was restarted is told from a damaged one', async () => {
  const file = join(parent, 'world.db');
  const store = await openSqliteStore({ file });
  await store.commit(
    batchOf({ puts: Array.from({ length: 300 }, (_, n) => putOf('worker', `worker-${n}`, 'x'.repeat(200))) }),
  );
  const looking = new Database(file);
  looking.pragma('wal_checkpoint(RESTART)');
  looking.close();
  const before = statSync(`${file}-wal`).size;
  await store.commit(transactionOf(1));
  // Frames of the generation before still stand behind the new ones.
  expect(statSync(`${file}-wal`).size).toBe(before);
  const report = inspectWal(`${file}-wal`);
  expect(report).toMatchObject({ headerSound: true, cutOffFrames: 0, cutOffCommits: 0 });
  expect(report.soundFrames).toBeGreaterThan(0);
  await store.close();
  expect(existsSync(`${file}-wal`) ? inspectWal(`${file}-wal`).soundFrames : 0).toBe(0);
  expect(readdirSync(parent)).toContain('world.db');
});
