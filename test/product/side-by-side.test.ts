/** Sandboxes in memory stand beside each other in one working folder. [cli, sandbox up] */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { isWhole } from '../helpers/whole.ts';
import { runHere } from './here.ts';
import { SandboxHere } from './sandbox-here.ts';
import { RunningSandbox, run } from './sandbox-process.ts';

const folder = ownFolder();
afterAll(() => folder.remove());
const cwd = folder.path;
/** Sandboxes that start together. */
const AT_ONCE = isWhole ? 4 : 2;
const MEMORY = ['--memory', '--watches', '3'];

test('those that start at once are all found by the folder that each names', async () => {
  mkdirSync(join(cwd, '.sandbox'));
  const sandboxes = await Promise.all(
    Array.from({ length: AT_ONCE }, () => (isWhole ? RunningSandbox : SandboxHere).up(MEMORY, { cwd })),
  );
  try {
    const places = sandboxes.map(({ ready }) => ready.data_dir);
    expect(new Set(places).size).toBe(AT_ONCE);
    expect(places).toContain(join(cwd, '.sandbox'));
    for (const { ready } of sandboxes) {
      const { stdout } = await runHere(['env', '--format', 'json', '--data-dir', ready.data_dir], { cwd });
      expect(JSON.parse(stdout).SANDBOX_API_URL).toBe(ready.api_url);
    }
    const { stdout } = await runHere(['status', '--json'], { cwd });
    expect(JSON.parse(stdout).data.data_dir).toBe(join(cwd, '.sandbox'));
  } finally {
    await Promise.all(sandboxes.map((one) => one.stop()));
  }
  expect(sandboxes.map(({ ready }) => existsSync(join(ready.data_dir, 'sandbox.json')))).not.toContain(true);
});

test('one on disk is not kept out by one in memory, and stop ends the one that the folder names', async () => {
  const inMemory = await SandboxHere.up(MEMORY, { cwd });
  const onDisk = await RunningSandbox.up(['--watches', '3'], { cwd });
  const later = await SandboxHere.up(MEMORY, { cwd });
  try {
    expect(onDisk.ready.data_dir).toBe(join(cwd, '.sandbox'));
    expect(later.ready.data_dir).not.toBe(onDisk.ready.data_dir);
    const { code, stdout } = await run(['stop', '--json'], { cwd });
    expect([code, JSON.parse(stdout).data.pid]).toEqual([0, onDisk.ready.pid]);
    expect(await onDisk.ended).toMatchObject({ code: 0 });
    const byAddress = { SANDBOX_URL: later.ready.api_url, SANDBOX_CONTROL_TOKEN: later.ready.control_token };
    expect((await runHere(['clock'], { cwd, env: byAddress })).code).toBe(0);
  } finally {
    await Promise.all([inMemory.stop(), later.stop(), onDisk.stop()]);
  }
});
