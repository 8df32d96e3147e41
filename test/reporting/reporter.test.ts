/** The reporter in a run of its own: what reaches it from the processes that run the tests. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const TESTS = `
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { eachOf } from '${ROOT}/test/helpers/each-of.ts';
import { unless } from '${ROOT}/test/helpers/unless.ts';
import { sampled, withoutWhole } from '${ROOT}/test/helpers/whole.ts';

const unicorn = { kind: 'lacks', what: 'a unicorn', fix: 'wait' };
eachOf([['a'], ['b'], ['c']], 2)('row %s', () => {});
for (const { row, skip } of sampled(['d', 'e'], 2)) unless(skip).test(row, () => {});
unless(withoutWhole, () => expect.unreachable()).test('slow', () => {});
unless(unicorn).describe('a group', () => {
  test('a ride', () => {});
  eachOf([['f'], ['g']], 2)('row %s', () => {});
});
test("it's a failure", () => {
  spawnSync(process.execPath, ['-e', '0']);
  expect(1).toBe(2);
});
test.skip('for no reason', () => {});
`;

unless(withoutWhole).test('a run ends with its failures, what was skipped and why, and the processor time', () => {
  const folder = join(ROOT, 'node_modules/.cache', `reporter-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a.test.ts'), TESTS);
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `export default { test: {
      include: ['a.test.ts'],
      setupFiles: ['${ROOT}/test/every-file.ts'],
      reporters: ['${ROOT}/test/reporting/reporter.ts'],
    } };`,
  );
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { WHOLE: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, [vitest, 'run', '--root', folder], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stdout.trim().split('\n')).toEqual([
    'Run again what failed:',
    "  npx vitest run a.test.ts -t '^it'\\''s a failure$'",
    '',
    'Only .ci/run (WHOLE=1) runs 3 rows of 3 tables and 1 other test.',
    'Not tested here, because these are missing:',
    '  a unicorn: 2 tests and 1 test of .ci/run. wait',
    'Skipped without a reason, or beside a test.only (declare them with unless(...) of test/helpers/unless.ts):',
    '  a.test.ts > for no reason',
    expect.stringMatching(/^Processor seconds by folder of test\/: test \d+\.\d\.$/),
    expect.stringMatching(/^Together \d+\.\d with \d+\.\d of vitest itself; /),
  ]);
});
