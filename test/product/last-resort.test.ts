import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { bundledScript } from '../helpers/bundles.ts';

const SOURCE = pathToFileURL(bundledScript(resolve(import.meta.dirname, '../../src/cli/up/last-resort.ts'))).href;

/** A process that throws a number of times outside of everything, and then says that it lives. */
function throwing(times: number): { code: number | null; stdout: string } {
  const script = `
    import { lastResort } from ${JSON.stringify(SOURCE)};
    lastResort({
      report: (error) => console.log('reported', error.message),
      giveUp: (error) => { console.log('given up', error.message); process.exit(5); },
    });
    const fail = (n) => { throw new Error('stray ' + n); };
    for (let n = 1; n < ${times}; n++) setImmediate(fail, n);
    Promise.reject('no error at all');
    setTimeout(() => console.log('alive'), 100);
  `;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return { code: status, stdout };
}

test('an exception outside of every containment is reported, and the process lives', () => {
  const { code, stdout } = throwing(3);
  expect(stdout.trim().split('\n').sort()).toEqual([
    'alive',
    'reported Thrown, and no error: no error at all',
    'reported stray 1',
    'reported stray 2',
  ]);
  expect(code).toBe(0);
});

test('exceptions without end are given up on', () => {
  const { code, stdout } = throwing(150);
  expect(stdout).toContain('given up stray');
  expect(code).toBe(5);
});
