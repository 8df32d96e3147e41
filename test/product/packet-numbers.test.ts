/** Nothing of a start makes the Buffers of all packet numbers, which would cost it 20 ms and 7 MB. */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** In a process of its own: modules of tests make packets too. */
const numbersAfter = (script: string): number =>
  Number(
    execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
      cwd: ROOT,
      encoding: 'utf8',
    }),
  );

const TELL = `
  const { default: numbers } = await import('mqtt-packet/numbers.js');
  console.log(Object.keys(numbers.cache).length);
  process.exit(0);`;

it('a sandbox whose watches have connected has made few of them', { timeout: 60_000 }, () => {
  const made = numbersAfter(`
    const { startSandbox } = await import('./src/sandbox/start.ts');
    await startSandbox({ memory: true, port: 0, mqttPort: 0, watches: 12, seed: '1' });
    ${TELL}`);
  expect(made).toBeGreaterThan(0);
  expect(made).toBeLessThan(200);
});

it.each([
  './src/cli/up/up.ts',
  './src/cli/fleet/fleet.ts',
  './src/sandbox/listeners/reach-broker.ts',
  './src/index.ts',
])('loading %s makes none', { timeout: 60_000 }, (path) => {
  expect(numbersAfter(`await import('${path}'); ${TELL}`)).toBe(0);
});
