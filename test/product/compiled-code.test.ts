/** Where compiled code is kept between two starts, and which of it is used. [cli, Start] */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { withoutModes, withoutOtherUsers } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { sampled, withoutWhole } from '../helpers/whole.ts';
import { BIN, cleanEnv, RunningSandbox } from './sandbox-process.ts';

const folder = ownFolder();
afterAll(folder.remove);

/** A package of its own, since these tests change it. */
const installation = join(folder.path, 'package');
cpSync(dirname(dirname(BIN)), installation, { recursive: true });
symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(installation, 'node_modules'));
const bundle = join(installation, 'dist');
const beside = join(bundle, 'compiled');
/** The folder for caches of a user. */
const caches = join(folder.path, 'caches');
const ofUser = join(caches, 'muster-sandbox');

afterEach(() => {
  for (const path of [beside, caches]) rmSync(path, { recursive: true, force: true });
});
rmSync(beside, { recursive: true, force: true });

async function version(
  env: Record<string, string> = {},
  ids: { uid?: number; gid?: number } = {},
  flags: readonly string[] = [],
): Promise<string> {
  const args = [...flags, join(installation, 'bin/sandbox.js'), 'version', '--json'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    env: cleanEnv({ XDG_CACHE_HOME: caches, ...env }),
    cwd: '/',
    ...ids,
  });
  expect(stderr).toBe('');
  return stdout;
}

const filesIn = (path: string): string[] =>
  existsSync(path)
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

const VERSION = /^\{.*"version":"\d+\.\d+\.\d+"\}.*\}\n$/;

describe('compiled code', () => {
  test('is kept beside the bundle for its user alone, and found by the next start', async () => {
    expect(await version()).toMatch(VERSION);
    const files = filesIn(beside);
    expect(files.length).toBeGreaterThan(0);
    expect(modeOf(beside)).toBe('700');
    const before = files.map((file) => statSync(file).mtimeMs);
    expect(await version()).toMatch(VERSION);
    expect(filesIn(beside).map((file) => statSync(file).mtimeMs)).toEqual(before);
    expect(existsSync(ofUser)).toBe(false);
  });

  test('damaged code is not run', async () => {
    await version();
    for (const file of filesIn(beside)) {
      const bytes = readFileSync(file);
      for (let i = 40; i < bytes.length; i += 50) bytes[i] = (bytes[i] ?? 0) ^ 0xff;
      writeFileSync(file, bytes);
    }
    expect(await version()).toMatch(VERSION);
    for (const file of filesIn(beside)) writeFileSync(file, '');
    expect(await version()).toMatch(VERSION);
  });

  test('code of a bundle that has changed is not run, even if its length is the same', async () => {
    const main = join(bundle, 'cli.cjs');
    const text = readFileSync(main, 'utf8');
    const outputs: string[] = [];
    for (const word of ['one', 'two']) {
      writeFileSync(main, `${text};process.stdout.write('${word} ');`);
      outputs.push((await version()).slice(0, 4));
    }
    writeFileSync(main, text);
    expect(outputs).toEqual(['one ', 'two ']);
  });

  const modes = [
    { what: 'everybody may write to', mode: 0o777 },
    { what: 'a group may write to', mode: 0o770 },
    { what: 'others may read', mode: 0o755 },
  ];
  for (const {
    row: { what, mode },
    skip,
  } of sampled(modes, 3))
    unless(skip, withoutModes).test(`is not kept in a folder that ${what}, but in one of the user`, async () => {
      mkdirSync(beside);
      chmodSync(beside, mode);
      expect(await version()).toMatch(VERSION);
      expect(filesIn(beside)).toEqual([]);
      expect(filesIn(ofUser).length).toBeGreaterThan(0);
      expect(modeOf(ofUser)).toBe('700');
    });

  unless(withoutModes).test('is kept nowhere, if others may write to both folders', async () => {
    for (const path of [beside, ofUser]) {
      mkdirSync(path, { recursive: true });
      chmodSync(path, 0o777);
    }
    expect(await version()).toMatch(VERSION);
    expect([...filesIn(beside), ...filesIn(ofUser)]).toEqual([]);
  });

  unless(withoutOtherUsers).test('of another user is not used', async () => {
    await version();
    const before = filesIn(beside);
    for (const path of [folder.path, installation, bundle]) chmodSync(path, 0o755);
    mkdirSync(caches);
    chmodSync(caches, 0o777);
    expect(await version({}, { uid: 65_534, gid: 65_534 })).toMatch(VERSION);
    expect(filesIn(beside)).toEqual(before);
    expect(statSync(ofUser).uid).toBe(65_534);
  });

  unless(withoutWhole).test('is written by ten first starts at once, none of which fails', async () => {
    const versions = await Promise.all(Array.from({ length: 10 }, () => version()));
    expect(versions.filter((one) => VERSION.test(one))).toHaveLength(10);
    expect(filesIn(beside).filter((file) => /\.\d+$/.test(file))).toEqual([]);
  });

  const troubles = [
    { what: 'a file that another process renames', calls: ['statSync', 'renameSync'] },
    { what: 'a folder that cannot be read', calls: ['readdirSync'] },
    { what: 'a disk that is full', calls: ['writeFileSync', 'rmSync'] },
  ];
  for (const {
    row: { what, calls },
    skip,
  } of sampled(troubles, 3))
    unless(skip).test(`survives ${what}`, async () => {
      await version();
      const main = join(bundle, 'cli.cjs');
      const text = readFileSync(main, 'utf8');
      const hook = join(folder.path, 'fault.cjs');
      const fault = `const fs = require('node:fs');
for (const name of ${JSON.stringify(calls)}) {
  const own = fs[name];
  fs[name] = (path, ...rest) => { if (String(path).includes('compiled')) throw new Error('a fault'); return own(path, ...rest); };
}`;
      writeFileSync(hook, fault);
      // Other code, so that some is written.
      writeFileSync(main, `${text};// ${calls[0]}`);
      expect(await version({}, {}, ['--require', hook])).toMatch(VERSION);
      writeFileSync(main, text);
    });

  test('is kept nowhere with SANDBOX_NO_CACHE=1', async () => {
    expect(await version({ SANDBOX_NO_CACHE: '1' })).toMatch(VERSION);
    expect([existsSync(beside), existsSync(ofUser)]).toEqual([false, false]);
  });

  unless(withoutWhole).test('of the help of up is kept apart, because it lacks what up runs', async () => {
    const command = join(installation, 'bin/sandbox.js');
    await promisify(execFile)(process.execPath, [command, 'up', '--help'], { env: cleanEnv(), cwd: '/' });
    const before = filesIn(beside);
    const sandbox = await RunningSandbox.up(['--memory', '--no-fleet'], { command });
    await sandbox.stop();
    const folders = new Set(filesIn(beside).map((file) => dirname(file)));
    expect(folders.size).toBe(new Set(before.map((file) => dirname(file))).size + 1);
  });

  test('of sandbox up is not in its data folder', async () => {
    const dataDir = join(folder.path, 'data');
    const command = join(installation, 'bin/sandbox.js');
    const sandbox = await RunningSandbox.up(['--data-dir', dataDir, '--no-fleet'], { command });
    const { code } = await sandbox.stop();
    expect(code).toBe(0);
    const kept = filesIn(beside).map((file) => basename(file));
    expect(kept.length).toBeGreaterThan(20);
    // Node 22 and newer have names of their own.
    const sizes = readdirSync(bundle)
      .filter((name) => name.endsWith('.cjs'))
      .map((name) => join(bundle, name));
    const [largest = ''] = sizes.sort((a, b) => statSync(b).size - statSync(a).size);
    const hash = createHash('sha256').update(readFileSync(largest)).digest('hex');
    expect(process.version.startsWith('v20') ? kept : [hash]).toContain(hash);
    expect(readdirSync(dataDir).sort()).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/compiled|cache|v\d/)]),
    );
  });
});
