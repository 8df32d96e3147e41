/** A data folder remembers how its world was made: a start without those options goes on with it, and other ones are refused. [cli, up, decisions 10] */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sandboxOptions } from '../../src/cli/up/options.ts';
import type { SandboxOptions } from '../../src/sandbox/options/options.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import { eachOf } from '../helpers/each-of.ts';

const folder = mkdtempSync(join(tmpdir(), 'muster-made-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HARBOUR = resolve(import.meta.dirname, '../../scenarios/sites/harbour.yaml');
const { site } = sandboxOptions({ site: HARBOUR } as never) as Required<Pick<SandboxOptions, 'site'>>;

/** Starts, stops, and answers what must be found again after a restart. */
async function once(name: string, options: SandboxOptions) {
  const quiet = { dataDir: join(folder, name), port: 0, mqttPort: 0, fleet: false };
  const sandbox = await startSandbox({ ...quiet, ...options });
  const { control_token, clients, watches } = sandbox.ready;
  const sites = [...sandbox.engine.world.all('site')].map((one) => one.name).sort();
  await sandbox.stop();
  return { control_token, clients, watches, sites };
}

eachOf<readonly [string, SandboxOptions]>(
  [
    ['a seed', { seed: '7' }],
    ['a seed and a number of watches', { seed: '7', watches: 30 }],
    ['a number of watches', { watches: 30 }],
    ['a site', { site }],
  ],
  3,
)('of a world with %s', async (name, options) => {
  const first = await once(name, options);
  expect(await once(name, {})).toEqual(first);
  expect(await once(name, options)).toEqual(first);
  expect(statSync(join(folder, name, 'made.json')).mode & 0o777).toBe(0o600);
});

test('what is asked for and is another world is refused, and the folder stays as it is', async () => {
  const first = await once('asked', { seed: '7', watches: 30 });
  const made = readFileSync(join(folder, 'asked', 'made.json'), 'utf8');
  await expect(once('asked', { watches: 31 })).rejects.toMatchObject({ code: 'other_world' });
  await expect(once('asked', { seed: '8' })).rejects.toMatchObject({ code: 'root_key_differs' });
  await expect(once('asked', { site })).rejects.toMatchObject({ code: 'other_world' });
  expect(readFileSync(join(folder, 'asked', 'made.json'), 'utf8')).toBe(made);
  expect(await once('asked', {})).toEqual(first);
});

test('secrets that follow from the seed stay on this machine, also where the seed is not said again', async () => {
  await once('guessable', { seed: '7' });
  await expect(once('guessable', { host: '0.0.0.0' })).rejects.toMatchObject({ code: 'guessable_secrets' });
});

eachOf([[''], ['['], ['null'], ['[]'], ['7']], 5)(
  'the options must be given again if the file has %j',
  async (text) => {
    const name = `spoilt ${text.length} ${text}`;
    const first = await once(name, { watches: 30 });
    writeFileSync(join(folder, name, 'made.json'), text);
    await expect(once(name, {})).rejects.toMatchObject({ code: 'other_world' });
    expect(await once(name, { watches: 30 })).toEqual(first);
  },
);
