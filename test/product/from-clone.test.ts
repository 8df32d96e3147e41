/** The launcher of a clone, which runs a bundle of its own: all other product tests start the bundle of the package. */
import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { withoutOtherUsers } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { cleanEnv, RunningSandbox } from './sandbox-process.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const { bundleFolder } = createRequire(import.meta.url)('../../bin/clone.js') as { bundleFolder(root: string): string };

const folder = ownFolder();
afterAll(folder.remove);

/** A clone without a bundle, as `npm ci --ignore-scripts` leaves it. */
class Clone {
  readonly path: string;
  readonly modules: string;

  constructor(name: string) {
    this.path = join(folder.path, name);
    this.modules = join(this.path, 'node_modules');
    for (const part of ['src', 'bin', 'build.js', 'package.json', 'package-lock.json', 'tsconfig.json'])
      cpSync(join(ROOT, part), join(this.path, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), this.modules);
  }

  /** Gives it the bundle of this clone, which has the same sources. Returns its name. */
  addBundle(): string {
    const bundle = bundleFolder(ROOT);
    if (!existsSync(bundle)) execFileSync(process.execPath, [join(ROOT, 'build.js'), '--clone']);
    const copy = bundleFolder(this.path);
    const isOwn = (path: string) => !['compiled', 'used-by'].includes(basename(path));
    cpSync(bundle, copy, { recursive: true, filter: isOwn });
    return basename(copy);
  }

  async version(env: Record<string, string> = {}, ids: { uid?: number; gid?: number } = {}): Promise<string> {
    const args = [join(this.path, 'bin/sandbox.js'), 'version', '--json'];
    const { stdout, stderr } = await run(process.execPath, args, { env: cleanEnv(env), cwd: '/', ...ids });
    expect(stderr).toBe('');
    return stdout;
  }

  bundles(): string[] {
    const path = join(this.path, '.bundle');
    return existsSync(path) ? readdirSync(path) : [];
  }

  /** Makes the command say which sources it was made from. */
  announce(word: string): void {
    appendFileSync(join(this.path, 'src/cli/main.ts'), `process.stdout.write('${word} ');\n`);
  }

  build = () => run(process.execPath, [join(this.path, 'build.js'), '--clone'], { cwd: '/' });
}

const VERSION = /^\{.*"version":"\d+\.\d+\.\d+"\}.*\}\n$/;

unless(
  withoutWhole,
).test('the first command of a clone builds the bundle, in a path with spaces too, and a changed source builds it anew', async () => {
  const clone = new Clone('a clone');
  expect(await clone.version()).toMatch(VERSION);
  const [first] = clone.bundles();
  expect(await clone.version()).toMatch(VERSION);
  expect(clone.bundles()).toEqual([first]);
  clone.announce('new');
  expect(await clone.version()).toMatch(/^new \{/);
  expect(clone.bundles()).toHaveLength(2);
  // A command that runs at this moment keeps its files.
  expect(clone.bundles()).toContain(first);
});

unless(withoutWhole).test('a bundle that a process uses stays, however often the sources change', async () => {
  const clone = new Clone('used');
  const bundle = clone.addBundle();
  // Marked by this process, and by one that has ended.
  const ended = (await run(process.execPath, ['-p', 'process.pid'])).stdout.trim();
  const older = Array.from({ length: 11 }, (_, i) => `${i}`.padStart(16, '0'));
  for (const name of older) mkdirSync(join(clone.path, '.bundle', name));
  for (const [name, pid] of [
    [bundle, process.pid],
    [older[0] ?? '', ended],
  ]) {
    mkdirSync(join(clone.path, '.bundle', String(name), 'used-by'), { recursive: true });
    writeFileSync(join(clone.path, '.bundle', String(name), 'used-by', String(pid)), '');
  }
  for (const [age, name] of [bundle, ...older].entries()) utimesSync(join(clone.path, '.bundle', name), age, age);
  clone.announce('new');
  await clone.build();
  expect(clone.bundles()).toContain(bundle);
  expect(clone.bundles()).not.toContain(older[0]);
  expect(clone.bundles()).toHaveLength(11);
});

unless(withoutWhole).test('a sandbox of a clone marks its bundle as used until it stops', async () => {
  const clone = new Clone('marked');
  clone.addBundle();
  const marks = () => readdirSync(join(clone.path, '.bundle', clone.bundles()[0] ?? '', 'used-by'));
  const command = join(clone.path, 'bin/sandbox.js');
  const sandbox = await RunningSandbox.up(['--memory', '--no-fleet'], { command });
  expect(marks()).toHaveLength(1);
  await sandbox.stop();
  expect(marks()).toEqual([]);
});

unless(withoutWhole).test('what an editor leaves beside the sources is none of them', async () => {
  const clone = new Clone('edited');
  clone.addBundle();
  const bundles = clone.bundles();
  symlinkSync('somebody@nowhere.1', join(clone.path, 'src/cli/.#main.ts'));
  for (const name of ['.main.ts.swp', 'main.ts~', '#main.ts#', '.DS_Store'])
    writeFileSync(join(clone.path, 'src/cli', name), '');
  expect(await clone.version()).toMatch(VERSION);
  expect(clone.bundles()).toEqual(bundles);
});

unless(withoutWhole).test('a typo in the sources is named, and no package is', async () => {
  const clone = new Clone('typo');
  appendFileSync(join(clone.path, 'src/cli/main.ts'), 'const x = ;\n');
  const failed = await clone.version().catch((error: { stderr: string; code: number }) => error);
  expect(failed).toMatchObject({ code: 3, stderr: expect.stringMatching(/src\/cli\/main\.ts:\d+:\d+: ERROR/) });
  expect((failed as { stderr: string }).stderr).not.toContain('npm ci');
});

unless(withoutWhole).test('the command of a clone runs where the objects of the language are frozen', async () => {
  const main = join(ROOT, 'bin/sandbox.js');
  const args = ['--frozen-intrinsics', '--no-warnings', main, 'version', '--json'];
  expect((await run(process.execPath, args, { env: cleanEnv() })).stdout).toMatch(VERSION);
});

test('a stack trace of a clone names files of src', async () => {
  const main = join(ROOT, 'bin/sandbox.js');
  // A fault of the program: commander calls a function that does not exist.
  const fault = "process.stdout.write = () => { throw new Error('a fault'); };";
  const hook = join(folder.path, 'fault.cjs');
  writeFileSync(hook, fault);
  const failed = await run(process.execPath, ['--require', hook, main, 'version', '--json'], { env: cleanEnv() }).catch(
    (error: { stderr: string }) => error,
  );
  expect(failed.stderr).toMatch(/at out \(.*\/src\/cli\/output\.ts:\d+:\d+\)/);
  expect(failed.stderr.slice(failed.stderr.indexOf('Error: a fault'))).not.toContain('.bundle');
  // Before the stack, Node prints the line that failed: one line of the code, not a whole file.
  expect(Math.max(...failed.stderr.split('\n').map((line) => line.length))).toBeLessThan(500);
});

unless(
  withoutWhole,
).test('ten commands that start at once in a stale clone all work, and one of them builds', async () => {
  const clone = new Clone('busy');
  const versions = await Promise.all(Array.from({ length: 10 }, () => clone.version()));
  expect(versions.filter((one) => VERSION.test(one))).toHaveLength(10);
  expect(clone.bundles()).toHaveLength(1);
});

unless(
  withoutWhole,
).test('a builder that was killed hinders nobody, even if another process has its number', async () => {
  const clone = new Clone('killed');
  const bundle = clone.addBundle();
  const ended = (await run(process.execPath, ['-p', 'process.pid'])).stdout.trim();
  for (const [word, holder] of [
    ['new', ended],
    ['newer', String(process.pid)],
  ] as const) {
    clone.announce(word);
    // What a killed builder leaves behind: an old lock, and a part of a bundle.
    const wanted = bundleFolder(clone.path);
    writeFileSync(`${wanted}.lock`, holder);
    utimesSync(`${wanted}.lock`, 0, 0);
    mkdirSync(`${wanted}-${holder}`);
    expect(await clone.version()).toContain(`${word} {`);
  }
  expect(clone.bundles()).toContain(bundle);
});

unless(
  withoutWhole,
).test('the sources run where they are asked for, cannot be built, or the folder cannot be written', async () => {
  const clone = new Clone('sources');
  const bundle = clone.addBundle();
  appendFileSync(join(clone.path, '.bundle', bundle, 'cli.cjs'), ";process.stdout.write('bundle ');");
  expect(await clone.version()).toMatch(/^bundle \{/);
  expect(await clone.version({ SANDBOX_SOURCES: '1' })).toMatch(VERSION);

  clone.announce('new');
  writeFileSync(join(clone.path, 'build.js'), 'This does not build.');
  expect(await clone.version()).toMatch(/^new \{/);
});

unless(
  withoutWhole,
  withoutOtherUsers,
).test('a clone that belongs to another user runs its bundle, and without one its sources', async () => {
  const clone = new Clone('read only');
  // The folders above it, which mkdtemp made private.
  chmodSync(folder.path, 0o755);
  const nobody = { uid: 65_534, gid: 65_534 };
  const env = { HOME: '/nonexistent', TMPDIR: '/tmp' };
  expect(await clone.version(env, nobody)).toMatch(VERSION);
  expect(clone.bundles()).toEqual([]);
  clone.addBundle();
  expect(await clone.version(env, nobody)).toMatch(VERSION);
  expect(readdirSync(join(clone.path, '.bundle', clone.bundles()[0] ?? ''))).not.toContain('compiled');
});

unless(withoutWhole).test('npm ci --omit=dev builds nothing and says so; a bundle that is there runs', async () => {
  const clone = new Clone('omit dev');
  unlinkSync(clone.modules);
  const { stderr } = await clone.build();
  expect(stderr).toMatch(/^The command of this clone is not built: /);
  const failed = await clone.version().catch((error: { stderr: string; code: number }) => error);
  expect(failed).toMatchObject({ code: 3, stderr: expect.stringContaining('npm ci') });

  symlinkSync(join(ROOT, 'node_modules'), clone.modules);
  clone.addBundle();
  unlinkSync(clone.modules);
  expect(await clone.version()).toMatch(VERSION);
});

unless(withoutWhole).test('the command of a clone plays a scenario, also in processes of its own', async () => {
  const scenario = 'scenarios/sos-buttons.scenario.yaml';
  const args = [resolve(ROOT, 'bin/sandbox.js'), 'run', scenario, '--seeds', '1..2', '--jobs', '2', '--json'];
  for (const env of [{}, { SANDBOX_SOURCES: '1' }] as Record<string, string>[]) {
    const { stdout } = await run(process.execPath, args, { cwd: ROOT, env: cleanEnv(env) });
    const { data } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { data: { runs: { verdict: string }[] } };
    expect(data.runs.map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
  }
});

// It looks for npx, which takes seconds.
unless(
  withoutWhole,
).test('npx sandbox, as the README has it, finds the command of a clone and prints commands in that form', async () => {
  for (const cwd of [resolve(ROOT, 'docs'), ROOT]) {
    const { stdout } = await run('npx', ['--no-install', 'sandbox', 'help'], { cwd, env: cleanEnv() });
    expect(stdout).toContain('\n  npx sandbox up ');
  }
});

unless(withoutWhole).test('the sandbox of a clone reads a large scenario, which a worker thread does', async () => {
  const own = ownFolder();
  mkdirSync(join(own.path, 'scenarios'));
  const large = `scenario: Large\nsites: {main: {}}\nsteps:\n${`  - wait: 1s # ${'x'.repeat(60)}\n`.repeat(2_000)}`;
  writeFileSync(join(own.path, 'scenarios/large.scenario.yaml'), large);
  for (const env of [{}, { SANDBOX_SOURCES: '1' }] as Record<string, string>[]) {
    const options = { cwd: own.path, command: resolve(ROOT, 'bin/sandbox.js'), env };
    const sandbox = await RunningSandbox.up(['--memory', '--watches', '3'], options);
    const listed = await sandbox.call('GET', '/v1/sandbox/scenarios', await sandbox.token());
    expect([listed.status, listed.body.data?.map(({ name }: { name: string }) => name)]).toEqual([
      200,
      expect.arrayContaining(['large', 'fall-to-sos']),
    ]);
    await sandbox.stop();
  }
  own.remove();
});
