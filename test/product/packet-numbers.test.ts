/** Nothing of a start makes the Buffers of all packet numbers, which would cost it 20 ms and 7 MB. */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** What a script tells, in a process of its own: modules of tests make packets too. */
const numbersIn = (script: string): number[] =>
  execFileSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', `${TELL}${script} process.exit(0);`],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  )
    .trimEnd()
    .split('\n')
    .map(Number);

/** How many there are by then. */
const TELL = `
  const { default: numbers } = await import('mqtt-packet/numbers.js');
  const tell = () => console.log(Object.keys(numbers.cache).length);
`;

const PATHS = [
  './src/cli/up/up.ts',
  './src/cli/fleet/fleet.ts',
  './src/sandbox/listeners/reach-broker.ts',
  './src/index.ts',
];

unless(withoutWhole).describe('the packet numbers of a start', () => {
  /** One after the other in one process, which would keep what the first one makes; the last is of a start. */
  let made: number[] = [];
  beforeAll(() => {
    made = numbersIn(`
      ${PATHS.map((path) => `await import('${path}'); tell();`).join(' ')}
      const { startSandbox } = await import('./src/sandbox/start.ts');
      await startSandbox({ memory: true, port: 0, mqttPort: 0, watches: 12, seed: '1' });
      tell();`);
  });

  it.each(PATHS)('loading %s makes none', (path) => {
    expect(made[PATHS.indexOf(path)]).toBe(0);
  });

  it('a sandbox whose watches have connected has made few of them', () => {
    expect(made).toHaveLength(PATHS.length + 1);
    expect(made.at(-1)).toBeGreaterThan(0);
    expect(made.at(-1)).toBeLessThan(200);
  });
});
