/** The SQLite store under kill -9 and on a disk that is really full: what was answered is there, what was not is whole or absent. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StorageFull } from '../../../src/service/engine/store-port.ts';
import { openDataFolder } from '../../../src/service/store/folder/data-folder.ts';
import { openStore } from '../../../src/service/store/open-store.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { unlessMachine } from '../../helpers/needs.ts';
import { unless } from '../../helpers/unless.ts';
import { isWhole } from '../../helpers/whole.ts';
import { startChild } from './children.ts';
import { batchOf, loaded, putOf, transactionOf } from './samples.ts';

const LOOPS = isWhole ? 5 : 1;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faults-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const integrityOf = (file: string): unknown => {
  const looking = new Database(file);
  const integrity = looking.pragma('integrity_check');
  looking.close();
  return integrity;
};

describe('a process that is killed while it commits', () => {
  it('has lost no transaction that it acknowledged, and left none half written', async () => {
    const file = join(folder, 'world.db');
    let next = 0;
    for (let loop = 0; loop < LOOPS; loop++) {
      const child = startChild('committing-child.ts', file, String(next));
      const enough = next + 50 + loop * 67;
      let acknowledged = -1;
      for await (const line of child.lines) {
        acknowledged = Number(line);
        // The lines that were under way come in until the pipe ends; they count as acknowledged too.
        if (acknowledged === enough) await child.kill();
      }
      expect(acknowledged).toBeGreaterThanOrEqual(enough);

      const store = await openSqliteStore({ file });
      const events = await store.events({ organizationId: 'org-1', limit: 1_000_000 });
      const written = events.length;
      const ids = Array.from({ length: written }, (_, n) => String(n).padStart(12, '0'));
      expect(events.map(({ id }) => id)).toEqual(ids.map((id) => `event-${id}`));
      expect(written).toBeGreaterThan(acknowledged);
      // One transaction may have been durable and not yet acknowledged.
      expect(written).toBeLessThanOrEqual(acknowledged + 2);
      for (const kind of ['alert', 'delivery', 'heard'] as const) {
        expect((await loaded(store, kind)).map(({ id }) => id)).toEqual(ids.map((id) => `${kind}-${id}`));
      }
      await store.close();
      expect(integrityOf(file)).toEqual([{ integrity_check: 'ok' }]);
      next = written;
    }
  });
});

// Only root may mount, and only Linux has a tmpfs: elsewhere the page limit of sqlite.test.ts replaces it.
const withoutMount = unlessMachine(
  process.platform === 'linux' && process.getuid?.() === 0 && tryMount(),
  'the right to mount a tmpfs',
  'run as root on Linux',
);

unless(withoutMount).describe('a small disk', () => {
  let disk: string;
  beforeEach(() => {
    disk = join(folder, 'disk');
    mkdirSync(disk);
    mount('-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk);
  });
  afterEach(() => {
    // Lazily: libsql keeps a closed file open until its statements are collected.
    spawnSync('umount', ['-l', disk]);
  });

  it('a full disk refuses transactions and loses none, and takes them again when there is room', async () => {
    const file = join(disk, 'world.db');
    const store = await openSqliteStore({ file });
    const commitUntilFull = async (from: number): Promise<number> => {
      for (let n = from; n < from + 10_000; n++) {
        try {
          await store.commit(transactionOf(n));
        } catch (error) {
          expect(error).toBeInstanceOf(StorageFull);
          return n;
        }
      }
      return expect.unreachable('the disk was never full');
    };
    const written = async (): Promise<number> => (await loaded(store, 'alert')).length;

    const first = await commitUntilFull(0);
    expect(first).toBeGreaterThan(10);
    expect(await written()).toBe(first);
    const large = batchOf({ puts: Array.from({ length: 5_000 }, (_, n) => putOf('telemetry', `d-${n}`)) });
    await expect(store.commit(large)).rejects.toBeInstanceOf(StorageFull);
    expect(await loaded(store, 'telemetry')).toEqual([]);

    mount('-o', 'remount,size=4m', disk);
    const second = await commitUntilFull(first);
    expect(second).toBeGreaterThan(first + 10);
    expect(await written()).toBe(second);
    expect(await store.events({ organizationId: 'org-1', limit: 1_000_000 })).toHaveLength(second);
    await store.close();

    const again = await openSqliteStore({ file });
    expect(await loaded(again, 'alert')).toHaveLength(second);
    await again.close();
    expect(integrityOf(file)).toEqual([{ integrity_check: 'ok' }]);
  });

  it('a full disk under a running sandbox is no change of its folder from outside', async () => {
    const changes: Error[] = [];
    const opened = await openStore(openDataFolder(join(disk, 'data')), { onBroken: (error) => changes.push(error) });
    const filler = join(disk, 'filler');
    const commitAll = async (from: number): Promise<number> => {
      for (let n = from; ; n++)
        try {
          await opened.store.commit(transactionOf(n));
        } catch (error) {
          expect(error).toBeInstanceOf(StorageFull);
          return n;
        }
    };
    writeUntilFull(filler);
    const first = await commitAll(0);
    // Once more: the refused write before this one is in the log in part.
    expect(await commitAll(first)).toBe(first);
    opened.store.glance();
    rmSync(filler);
    await opened.store.commit(transactionOf(first));
    expect(changes).toEqual([]);
    expect(await loaded(opened.store, 'alert')).toHaveLength(first + 1);
    await opened.store.close();
  });

  it('a full or read-only disk gets no data folder, and the outage says what to do', () => {
    const filler = join(disk, 'filler');
    writeUntilFull(filler);
    expect(() => openDataFolder(join(disk, 'data'))).toThrow(
      expect.objectContaining({ code: 'data_folder_disk_full', exitCode: 3 }),
    );
    rmSync(filler);
    mount('-o', 'remount,ro', disk);
    expect(() => openDataFolder(join(disk, 'other'))).toThrow(
      expect.objectContaining({ code: 'data_folder_read_only', fix: expect.stringContaining('--memory') }),
    );
  });
});

function writeUntilFull(file: string): void {
  expect(() => {
    for (;;) writeFileSync(file, Buffer.alloc(65_536), { flag: 'a' });
  }).toThrow('ENOSPC');
}

function mount(...args: string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
  expect(stderr + status).toBe('0');
}

function tryMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'mount-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place]).status === 0;
  if (mounted) spawnSync('umount', [place]);
  rmSync(place, { recursive: true, force: true });
  return mounted;
}
