/** The data folder: who may hold it, what is in it, and how other commands find the sandbox that runs on it. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Outage } from '../../../src/base/assert.ts';
import { sha256Hex } from '../../../src/base/ids.ts';
import {
  type DataFolder,
  FolderTaken,
  memoryFolder,
  openDataFolder,
  readSandboxFile,
} from '../../../src/service/store/folder/data-folder.ts';
import { openSqliteStore } from '../../../src/service/store/sqlite/store.ts';
import { unlessMachine } from '../../helpers/needs.ts';
import { unless } from '../../helpers/unless.ts';
import { startChild } from './children.ts';

const STARTED_AT = 1_791_180_000_000;

let above: string;
let path: string;
const opened: DataFolder[] = [];

const open: typeof openDataFolder = (...args) => kept(openDataFolder(...args));
const openMemory: typeof memoryFolder = (...args) => kept(memoryFolder(...args));
const kept = (folder: DataFolder): DataFolder => {
  opened.push(folder);
  return folder;
};
const temporary = (of = path): string => join(tmpdir(), `muster-sandbox-${sha256Hex(of).slice(0, 16)}`);
const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);
const outageOf = (act: () => unknown): Outage => {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(Outage);
    return error as Outage;
  }
  return expect.unreachable('it worked');
};

beforeEach(() => {
  above = realpathSync(mkdtempSync(join(tmpdir(), 'folder-')));
  path = join(above, 'data');
});
afterEach(() => {
  for (const folder of opened.splice(0)) folder.close();
  rmSync(above, { recursive: true, force: true });
  for (const of of [path, join(above, 'another')]) rmSync(temporary(of), { recursive: true, force: true });
});

describe('a data folder', () => {
  it('is made for its owner’s eyes only, and kept out of version control', async () => {
    const folder = open(join(path, 'deep'));
    folder.writeSandboxFile({ control_token: 'secret' });
    const store = await openSqliteStore({ file: folder.database });
    expect(modeOf(path)).toBe('700');
    expect(modeOf(folder.path)).toBe('700');
    for (const file of ['key', 'sandbox.json', 'holder.json', 'world.db', 'world.db-wal']) {
      expect([file, modeOf(join(folder.path, file))]).toEqual([file, '600']);
    }
    expect(readFileSync(join(folder.path, '.gitignore'), 'utf8')).toBe('*\n');
    await store.close();
  });

  it('keeps its own random key', () => {
    const first = open(path);
    expect(first.rootKey).toMatch(/^[0-9A-Za-z]{43}$/);
    first.close();
    expect(open(path).rootKey).toBe(first.rootKey);
    expect(open(join(above, 'another')).rootKey).not.toBe(first.rootKey);
  });

  it('keeps the key that it was given, and refuses another one', () => {
    open(path, { rootKey: 'of-seed-1' }).close();
    const again = open(path);
    expect(again.rootKey).toBe('of-seed-1');
    again.close();
    const outage = outageOf(() => open(path, { rootKey: 'of-seed-2' }));
    expect(outage).toMatchObject({ code: 'root_key_differs', exitCode: 3 });
    expect(outage.message).toContain(path);
    expect(`${outage.message} ${outage.fix}`).not.toMatch(/of-seed-/);
    expect(outage.fix).toContain('--data-dir');
    // The refusal let go of the folder.
    expect(open(path, { rootKey: 'of-seed-1' }).rootKey).toBe('of-seed-1');
  });

  it('with an emptied key is refused, because its secrets would change silently', () => {
    open(path).close();
    writeFileSync(join(path, 'key'), '\n');
    expect(outageOf(() => open(path))).toMatchObject({ code: 'root_key_lost' });
  });

  it('is refused where a file stands', () => {
    writeFileSync(path, '');
    const outage = outageOf(() => open(path));
    expect(outage).toMatchObject({ code: 'data_folder_not_a_folder', exitCode: 3 });
    expect(outage.message).toContain(path);
    expect(outageOf(() => open(join(path, 'below')))).toMatchObject({ code: 'data_folder_not_a_folder' });
  });

  // Root may write anywhere.
  const withoutLimits = unlessMachine(
    process.getuid?.() !== 0,
    'a user with limited rights',
    'run as another user than root',
  );
  unless(withoutLimits).it('is refused where this user may not write', () => {
    chmodSync(above, 0o500);
    expect(outageOf(() => open(path))).toMatchObject({ code: 'data_folder_forbidden' });
    chmodSync(above, 0o700);
  });

  it('forgets at its close what is only true of a running sandbox, and keeps the rest', () => {
    const folder = open(path);
    folder.writeSandboxFile({ pid: 1 });
    folder.close();
    folder.close();
    expect(readdirSync(path).sort()).toEqual(['.gitignore', 'key', 'lock', 'world.db']);
  });

  it('is not let go twice: a second close leaves the next holder alone', () => {
    const first = open(path);
    first.close();
    const second = open(path);
    second.writeSandboxFile({ url: 'second' });
    first.close();
    expect(readSandboxFile(path)).toEqual({ url: 'second' });
    expect(outageOf(() => open(path))).toBeInstanceOf(FolderTaken);
  });
});

describe('a second process on a data folder', () => {
  it('is refused and told who holds it, by whatever name the folder is called', () => {
    open(path, { startedAt: STARTED_AT });
    symlinkSync(path, join(above, 'link'));
    for (const name of [path, `${path}/`, relative(process.cwd(), path), join(above, 'link')]) {
      const outage = outageOf(() => open(name));
      expect(outage).toBeInstanceOf(FolderTaken);
      expect(outage).toMatchObject({ code: 'data_folder_taken', exitCode: 3, folder: path });
      expect(outage.message).toBe(
        `The data folder ${path} is in use by process ${process.pid}, started 2026-10-05T06:00:00.000Z.`,
      );
      expect(outage.fix).toContain(`kill ${process.pid}`);
    }
  });

  it('is refused while another process lives, and gets the folder when that one is killed', async () => {
    const child = startChild('holding-child.ts', path);
    expect((await child.lines.next()).value).toBe('held');
    const outage = outageOf(() => open(path)) as FolderTaken;
    expect(outage).toBeInstanceOf(FolderTaken);
    expect(outage.holder).toEqual({ pid: child.process.pid, startedAt: STARTED_AT });
    expect(readSandboxFile(path)).toEqual({ pid: child.process.pid });
    await child.kill();
    expect(existsSync(join(path, 'holder.json'))).toBe(true);
    open(path);
    expect(readSandboxFile(path)).toBeNull();
  });

  it('is not shut out by the name of a process that lives but does not hold the folder', () => {
    open(path).close();
    writeFileSync(join(path, 'holder.json'), JSON.stringify({ pid: process.ppid, started_at: null }));
    expect(open(path).path).toBe(path);
    expect(JSON.parse(readFileSync(join(path, 'holder.json'), 'utf8'))).toMatchObject({ pid: process.pid });
  });

  it('is refused also when the holder’s name cannot be read', () => {
    open(path);
    for (const text of ['{"pid":', '{"pid":"rm -rf"}', 'null', '']) {
      writeFileSync(join(path, 'holder.json'), text);
      expect(outageOf(() => open(path)).message).toBe(`The data folder ${path} is in use by another process.`);
    }
  });
});

describe('a sandbox in memory', () => {
  it('is found by the path of a data folder that does not exist, and leaves it so', () => {
    const folder = openMemory(path);
    expect(folder).toMatchObject({ database: ':memory:', kept: false, path: temporary() });
    folder.writeSandboxFile({ url: 'memory' });
    expect(readSandboxFile(path)).toEqual({ url: 'memory' });
    expect(readSandboxFile(join(above, 'elsewhere'))).toBeNull();
    expect(modeOf(temporary())).toBe('700');
    expect(modeOf(join(temporary(), 'sandbox.json'))).toBe('600');
    expect(existsSync(path)).toBe(false);
    folder.close();
    expect(readSandboxFile(path)).toBeNull();
    expect(existsSync(temporary())).toBe(false);
  });

  it('writes into a data folder that exists, but keeps nothing there', () => {
    mkdirSync(path);
    const folder = openMemory(path, { rootKey: 'of-seed-1' });
    expect(folder).toMatchObject({ path, rootKey: 'of-seed-1' });
    folder.writeSandboxFile({ url: 'memory' });
    expect(JSON.parse(readFileSync(join(path, 'sandbox.json'), 'utf8'))).toEqual({ url: 'memory' });
    folder.close();
    expect(readdirSync(path)).toEqual([]);
  });

  it('stands beside others of the same path, each with a place of its own', () => {
    mkdirSync(path);
    const folders = [openMemory(path), openMemory(path), openMemory(path), openMemory(path)];
    folders.forEach((folder, index) => {
      folder.writeSandboxFile({ index });
      expect(modeOf(folder.path)).toBe(folder.path === path ? modeOf(path) : '700');
    });
    const places = folders.map((folder) => folder.path);
    expect(new Set(places).size).toBe(4);
    expect(places.slice(0, 2)).toEqual([path, temporary()]);
    expect(readSandboxFile(path)).toEqual({ index: 0 });
    expect(places.map((place) => readSandboxFile(place))).toEqual([0, 1, 2, 3].map((index) => ({ index })));
    for (const folder of folders.slice(1)) folder.close();
    expect(places.slice(2).filter((place) => existsSync(place))).toEqual([]);
    expect(readSandboxFile(path)).toEqual({ index: 0 });
    // A place that was given up is the next one's.
    expect(openMemory(path).path).toBe(temporary());
  });

  describe('in a temporary folder of its own', () => {
    // Sandboxes of other tests come and go in the temporary folder of the machine.
    beforeEach(() => {
      vi.stubEnv('TMPDIR', above);
    });
    afterEach(() => {
      vi.unstubAllEnvs();
    });
    const left = () => readdirSync(above).filter((name) => name.startsWith('muster-sandbox-'));

    it('removes at its start what a killed one left, and leaves those that run', async () => {
      const running = openMemory(path);
      const child = startChild('memory-child.ts', path);
      const killed = String((await child.lines.next()).value);
      await child.kill();
      expect([left().length, existsSync(join(killed, 'sandbox.json'))]).toEqual([2, true]);
      const next = openMemory(path);
      expect([existsSync(killed), existsSync(running.path), existsSync(next.path)]).toEqual([false, true, true]);
    });

    it('is where commands look for it, while others start beside it and look for leftovers', async () => {
      const paths = [path, join(above, 'another'), join(above, 'third')];
      const children = paths.map((of) => startChild('memory-child.ts', of, '200'));
      const places = await Promise.all(children.map(async ({ lines }) => (await lines.next()).value));
      expect(places).toEqual(paths.map((of) => temporary(of)));
    });

    it('leaves nothing when its process exits without a stop', async () => {
      const { lines } = startChild('memory-child.ts', path, 'exit');
      expect((await lines.next()).value).toBe(temporary());
      expect(await lines.next()).toMatchObject({ done: true });
      expect(left()).toEqual([]);
    });
  });

  it('leaves the data folder alone that one on disk holds, in this process or another', async () => {
    const onDisk = open(path);
    expect(openMemory(path).path).toBe(temporary());
    onDisk.close();
    const child = startChild('holding-child.ts', path);
    expect((await child.lines.next()).value).toBe('held');
    const [beside, further] = [openMemory(path), openMemory(path)];
    further.writeSandboxFile({ url: 'memory' });
    expect([beside.path, further.path]).not.toContain(path);
    expect(readSandboxFile(path)).toEqual({ pid: child.process.pid });
    further.close();
    await child.kill();
  });

  it('keeps none on disk from its folder, and does not take away its file', () => {
    mkdirSync(path);
    const inMemory = openMemory(path);
    inMemory.writeSandboxFile({ url: 'memory' });
    const onDisk = open(path);
    onDisk.writeSandboxFile({ url: 'disk' });
    inMemory.close();
    expect(readSandboxFile(path)).toEqual({ url: 'disk' });
  });

  it('writes no secrets into a temporary folder that others can enter, and reads none from there', () => {
    mkdirSync(temporary());
    chmodSync(temporary(), 0o777);
    writeFileSync(join(temporary(), 'sandbox.json'), '{"url":"a trap"}');
    const folder = openMemory(path);
    expect([folder.path === temporary(), modeOf(folder.path)]).toEqual([false, '700']);
    expect(readSandboxFile(path)).toBeNull();
  });
});

describe('sandbox.json', () => {
  it('is replaced as a whole and can be removed', () => {
    const folder = open(path);
    expect(readSandboxFile(path)).toBeNull();
    folder.writeSandboxFile({ n: 1, text: 'x'.repeat(100_000) });
    folder.writeSandboxFile({ n: 2 });
    expect(readSandboxFile(path)).toEqual({ n: 2 });
    folder.removeSandboxFile();
    folder.removeSandboxFile();
    expect(readSandboxFile(path)).toBeNull();
    expect(readdirSync(path)).not.toContain('sandbox.json.new');
  });

  it('a sandbox.json that is no JSON is an outage that names the file', () => {
    open(path);
    writeFileSync(join(path, 'sandbox.json'), '{"url":');
    const outage = outageOf(() => readSandboxFile(path));
    expect(outage).toMatchObject({ code: 'sandbox_file_unreadable', exitCode: 3 });
    expect(outage.message).toContain(join(path, 'sandbox.json'));
  });
});
