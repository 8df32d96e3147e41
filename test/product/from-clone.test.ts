/** The launcher of a clone, which runs the sources through tsx: all other product tests start the bundle. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { isWhole } from '../helpers/whole.ts';
import { cleanEnv, RunningSandbox } from './sandbox-process.ts';

const ROOT = resolve(import.meta.dirname, '../..');

test.runIf(isWhole)('the command of a clone plays a scenario, also in processes of its own', async () => {
  const scenario = 'scenarios/sos-buttons.scenario.yaml';
  const args = [resolve(ROOT, 'bin/sandbox.js'), 'run', scenario, '--seeds', '1..2', '--jobs', '2', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env: cleanEnv() });
  const { data } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { data: { runs: { verdict: string }[] } };
  expect(data.runs.map(({ verdict }) => verdict)).toContain('passed');
  expect(data.runs.every(({ verdict }) => verdict === 'passed')).toBe(true);
});

// It compiles the sources, which takes seconds.
test.runIf(isWhole)(
  'npx sandbox, as the README has it, finds the command of a clone and prints commands in that form',
  async () => {
    for (const cwd of [resolve(ROOT, 'docs'), ROOT]) {
      const { stdout } = await promisify(execFile)('npx', ['--no-install', 'sandbox', 'help'], {
        cwd,
        env: cleanEnv(),
      });
      expect(stdout).toContain('\n  npx sandbox up ');
    }
  },
);

test.runIf(isWhole)('the sandbox of a clone reads a large scenario, which a worker thread does', async () => {
  const folder = ownFolder();
  mkdirSync(join(folder.path, 'scenarios'));
  const large = `scenario: Large\nsites: {main: {}}\nsteps:\n${`  - wait: 1s # ${'x'.repeat(60)}\n`.repeat(2_000)}`;
  writeFileSync(join(folder.path, 'scenarios/large.scenario.yaml'), large);
  const options = { cwd: folder.path, command: resolve(ROOT, 'bin/sandbox.js') };
  const sandbox = await RunningSandbox.up(['--memory', '--watches', '3'], options);
  const listed = await sandbox.call('GET', '/v1/sandbox/scenarios', await sandbox.token());
  expect([listed.status, listed.body.data?.map(({ name }: { name: string }) => name)]).toEqual([
    200,
    expect.arrayContaining(['large', 'fall-to-sos']),
  ]);
  await sandbox.stop();
  folder.remove();
});
