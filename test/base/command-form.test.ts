/** The command line that messages print works where they are shown. */

import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { commandForm } from '../../src/base/text/command-form.ts';
import { shellWord } from '../../src/base/text/printable.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'command-form-')));
});

/** A package as npm unpacks it, below a folder of the test. */
function launcherIn(...folders: string[]): string {
  const launcher = join(root, ...folders, 'bin', 'sandbox.js');
  mkdirSync(dirname(launcher), { recursive: true });
  writeFileSync(launcher, '');
  return launcher;
}

function folder(...names: string[]): string {
  const path = join(root, ...names);
  mkdirSync(path, { recursive: true });
  return path;
}

test('in a clone, and in every folder of it, it is npx sandbox', () => {
  const launcher = launcherIn('clone');
  for (const cwd of [folder('clone'), folder('clone', 'docs', 'deep')])
    expect(commandForm({ env: { PATH: '/usr/bin' }, cwd, launcher })).toBe('npx sandbox');
});

test('below a folder in which the package is installed it is npx sandbox', () => {
  const launcher = launcherIn('app', 'node_modules', 'muster-sandbox');
  expect(commandForm({ env: {}, cwd: folder('app', 'test'), launcher })).toBe('npx sandbox');
  // npm and npx put the folder of the local commands on the PATH; the user's terminal does not have it.
  const local = folder('app', 'node_modules', '.bin');
  symlinkSync(launcher, join(local, 'sandbox'));
  const env = { PATH: [local, '/usr/bin'].join(delimiter), npm_command: 'exec' };
  expect(commandForm({ env, cwd: folder('app'), launcher })).toBe('npx sandbox');
});

test('the command is sandbox if the PATH finds this package', () => {
  const launcher = launcherIn('lib', 'node_modules', 'muster-sandbox');
  const bin = folder('bin');
  symlinkSync(launcher, join(bin, 'sandbox'));
  expect(commandForm({ env: { PATH: bin }, cwd: folder('elsewhere'), launcher })).toBe('sandbox');
});

test('another program that the PATH calls sandbox is not this one', () => {
  const launcher = launcherIn('tools', 'muster');
  const bin = folder('bin');
  writeFileSync(join(bin, 'sandbox'), '');
  expect(commandForm({ env: { PATH: bin }, cwd: folder('elsewhere'), launcher })).toBe(`node ${launcher}`);
});

test('from the cache of npx it is npx muster-sandbox, because the bare name is another package', () => {
  const launcher = launcherIn('.npm', '_npx', '1f2e', 'node_modules', 'muster-sandbox');
  expect(commandForm({ env: { npm_command: 'exec' }, cwd: folder('elsewhere'), launcher })).toBe('npx muster-sandbox');
});

test('elsewhere it is the launcher by its path, quoted where the path needs it', () => {
  const launcher = launcherIn('my tools');
  expect(commandForm({ env: {}, cwd: folder('elsewhere'), launcher })).toBe(`node "${launcher}"`);
});

test.each([
  ['fall.scenario.yaml', 'fall.scenario.yaml'],
  ['', "''"],
  ["ana's plan.yaml", "'ana'\\''s plan.yaml'"],
  ['$(touch x);`y`', "'$(touch x);`y`'"],
  // A shell finds the file by the pattern.
  ['a\u001b]0;x\u0007b\n.yaml', "'a'?']0;x'?'b'?'.yaml'"],
  ['\u202etxt', "?'txt'"],
])('the word %j of a printed command is %s', (word, printed) => {
  expect(shellWord(word)).toBe(printed);
});
