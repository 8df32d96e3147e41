/** Sandboxes started without a place have nothing in common. [cli, startSandbox] */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startSandbox } from '../../src/library/sandbox.ts';
import type { Sandbox, SandboxOptions } from '../../src/library/types.ts';
import { ownFolder } from '../helpers/own-folder.ts';

const started: Sandbox[] = [];
const folder = ownFolder();
const here = process.cwd();
afterEach(async () => {
  process.chdir(here);
  for (const sandbox of started.splice(0)) await sandbox.stop();
});

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ watches: 2, ...options });
  started.push(sandbox);
  return sandbox;
}

test('two in one folder share no port, and write nothing', async () => {
  process.chdir(folder.path);
  const [one, two] = [await start(), await start({ port: undefined, memory: undefined } as object)];
  for (const key of ['api_url', 'mqtt_url'] as const) expect(one.ready[key]).not.toBe(two.ready[key]);
  const { alert_id } = await one.act({ action: 'panel_sos', who: 'W-001', by: 'Desk' });
  const seen = JSON.stringify(await two.client().get('/v1/alerts'));
  expect([typeof alert_id, seen]).toEqual(['string', expect.not.stringContaining(String(alert_id))]);
  expect(readdirSync(folder.path)).toEqual([]);
});

test('a folder keeps the world, and so does memory: false', async () => {
  process.chdir(folder.path);
  await start({ dataDir: 'kept' });
  expect(existsSync(join(folder.path, 'kept', 'world.db'))).toBe(true);
  await start({ memory: false });
  expect(existsSync(join(folder.path, '.sandbox', 'world.db'))).toBe(true);
});

test.each([[[]], [null], ['memory']])('%j as the options is refused, not completed', async (options) => {
  await expect(startSandbox(options as never)).rejects.toThrow('The options must be an object');
});
