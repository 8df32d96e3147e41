/** Runs the tests that need the machine for themselves, with one worker: `unless(ownMachine)` of test/helpers/needs.ts declares them. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name) && !/node_modules|^(?:judges|runners)\b/.test(name))
  .filter((name) => /\bownMachine\b/.test(readFileSync(join(ROOT, 'test', name), 'utf8')))
  .map((name) => join('test', name));
const words = process.argv.slice(2);
const named = words.filter((word) => !word.startsWith('-'));
const flags = words.filter((word) => word.startsWith('-'));
const args = ['run', ...(named.length > 0 ? named : files), ...flags, '--maxWorkers=1', '--maxConcurrency=1'];
const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args], {
  cwd: ROOT,
  env: { ...process.env, ALONE: '1' },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
