/** The last lines of a run of the tests: what was left out and why, the command for each failure, the processor time. */
import { expect, test } from 'vitest';
import { inputsOf, isWhole, sampled } from '../helpers/whole.ts';
import { countsOf, judgedTwice } from './counts.ts';
import { childrenSecondsIn, processorTime, since } from './processor-time.ts';
import { rerunCommand } from './rerun.ts';
import { type EndedFile, type RunOfTests, summaryOf } from './summary.ts';

const file = (part: Partial<EndedFile>): EndedFile => ({
  file: 'test/service/api/a.test.ts',
  failed: [],
  skipped: [],
  ...part,
});
const lines = (files: readonly EndedFile[], part: Partial<RunOfTests> = {}): string[] =>
  summaryOf({ files, isWhole: false, isQuick: false, leftFiles: 0, vitestS: 1, ...part });

const row = (table: number | null) => ({ names: ['x'], reasons: [{ kind: 'whole', table }] as const });
const GO = { kind: 'lacks', what: 'go', fix: 'apt-get install golang-go' } as const;

test('rows and tables that only .ci/run runs are counted, and tests of their own', () => {
  const other = file({ file: 'test/service/api/b.test.ts', skipped: [row(1)] });
  expect(lines([file({ skipped: [row(1), row(1), row(2)] }), other])).toEqual([
    'Only .ci/run (WHOLE=1) runs 4 rows of 3 tables.',
  ]);
  expect(lines([file({ skipped: [row(1), row(null)] })])).toEqual([
    'Only .ci/run (WHOLE=1) runs 1 row of 1 table and 1 other test.',
  ]);
  expect(lines([file({})])).toEqual([]);
  expect(lines([file({})], { isQuick: true })).toEqual([expect.stringMatching(/^QUICK=1 leaves out the files/)]);
  expect(lines([file({})], { leftFiles: 2 })).toEqual([
    'Only .ci/run (WHOLE=1) runs 2 files of test/groups.ts (IN_CI).',
  ]);
});

test('a test that needs the machine for itself is counted once, with those of wall time', () => {
  const alone = { kind: 'alone' } as const;
  const skipped = [
    { names: ['x'], reasons: [alone] },
    { names: ['y'], reasons: [{ kind: 'whole', table: 1 }, alone] as const },
    row(1),
  ];
  expect(lines([file({ skipped })])).toEqual([
    'Only .ci/run (WHOLE=1) runs 1 row of 1 table.',
    'Only .ci/run (ALONE=1) runs 2 tests of wall time, on a machine without other work.',
  ]);
});

test('a missing program is named with its tests, those of .ci/run apart, and with what installs it', () => {
  const strace = { kind: 'lacks', what: 'strace', fix: 'apt-get install strace' } as const;
  const skipped = [
    { names: ['x'], reasons: [GO] },
    { names: ['y'], reasons: [GO, ...row(null).reasons] },
    { names: ['z'], reasons: [strace, ...row(null).reasons] },
  ];
  expect(lines([file({ skipped })]).slice(1)).toEqual([
    'Not tested here, because these are missing:',
    '  go: 1 test and 1 test of .ci/run. apt-get install golang-go',
    '  strace: 1 test of .ci/run. apt-get install strace',
  ]);
});

test('a skipped test without a reason is named', () => {
  const skipped = [{ names: ['a group', 'a test'], reasons: [] }];
  expect(lines([file({ skipped })])[1]).toBe('  test/service/api/a.test.ts > a group > a test');
});

test('processor seconds are added up by folder, and child processes are left out where nothing tells their time', () => {
  const files = [
    file({ processor: { ownS: 1, childrenS: 0.5 } }),
    file({ processor: { ownS: 1, childrenS: 0 } }),
    file({ file: 'test/product/up.test.ts', processor: { ownS: 1, childrenS: 4 } }),
    file({ file: 'test/house.test.ts', processor: { ownS: 0.25, childrenS: 0 } }),
  ];
  expect(lines(files)).toEqual([
    'Processor seconds by folder of test/: product 5.0, api 2.5, test 0.3.',
    'Together 8.8 with 1.0 of vitest itself; 4.5 of child processes.',
  ]);
  const elsewhere = lines([file({ processor: { ownS: 1, childrenS: null } }), file({})]);
  expect(elsewhere[1]).toBe(
    'Together 2.0 with 1.0 of vitest itself; without child processes, whose time only Linux tells. Not measured: 1 file without a test that ran.',
  );
});

test('the time of ended child processes is read whatever the name of the program is', () => {
  const stat = `7 (a) b (c) S 1 7 7 0 -1 4194560 100 200 0 0 11 22 333 444 20 0 11 0 5`;
  expect(childrenSecondsIn(stat)).toBe(7.77);
});

test('processor time grows with work, and only by as much as there was', () => {
  const start = processorTime();
  while (process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6 < start.ownS + 0.02);
  const { ownS, childrenS } = since(start);
  expect(ownS).toBeGreaterThanOrEqual(0.02);
  expect(childrenS === null).toBe(process.platform !== 'linux');
});

const FAILED = { file: 'test/service/api/a.test.ts', names: ['a group', "it's $5 (or more)\n  at once"] };

test('a failed test is run again by one command, whose pattern finds this title alone', () => {
  const command = rerunCommand(FAILED, { isWhole: false, platform: 'linux' });
  expect(command).toBe(
    `npx vitest run test/service/api/a.test.ts -t '^a group it'\\''s \\$5 \\(or more\\)\\s+at once$'`,
  );
  expect(rerunCommand(FAILED, { isWhole: true, platform: 'linux' })).toBe(`WHOLE=1 ${command}`);
  expect(rerunCommand({ ...FAILED, names: [] }, { isWhole: false })).toBe('npx vitest run test/service/api/a.test.ts');
  expect(rerunCommand({ file: 'test/a.test.ts', names: ['a group'], isGroup: true }, { isWhole: false })).toMatch(
    /^npx vitest run test\/a\.test\.ts -t ['"]\^a group ['"]$/,
  );
  expect(rerunCommand({ ...FAILED, names: ['a "b" c\\'] }, { isWhole: true, platform: 'win32' })).toBe(
    String.raw`npm test -- test/service/api/a.test.ts -t "^a \"b\" c\\$" --whole`,
  );
});

test('a row of a table that nothing tests is a mistake of its declaration', () => {
  expect(sampled(['a', 'b', 'c'], 2).map(({ skip }) => skip === null)).toEqual([true, isWhole, true]);
  expect(sampled(['a', 'b', 'c'], 3, 2).map(({ skip }) => skip === null)).toEqual([isWhole, true, isWhole]);
  expect(() => sampled(['a', 'b'], 5, 1)).toThrow('No row of this table of 2 is tested by npm test');
  expect(() => sampled([], 1)).toThrow('No row of this table of 0');
  expect(inputsOf([1, 2, 3, 4], 2)).toEqual(isWhole ? [1, 2, 3, 4] : [1, 3]);
});

test('each failure of a report is one line, also that of a file without a failed test, and of a missing report', () => {
  const result = (status: string, title: string) => ({ status, ancestorTitles: ['a group'], title });
  const report = {
    numPassedTests: 7,
    testResults: [
      {
        name: '/p/test/a.test.ts',
        status: 'failed',
        assertionResults: [
          { ...result('failed', 'b\n  c'), failureMessages: ['Error: 9 is\nmore than 8\n    at f (a.ts:1)\n    at g'] },
          result('passed', 'd'),
          result('failed', 'h'),
        ],
      },
      { name: '/p/test/e.test.ts', status: 'failed', message: 'No such module', assertionResults: [] },
      { name: '/p/test/f.test.ts', status: 'passed', assertionResults: [result('passed', 'g')] },
    ],
  };
  const counts = countsOf(() => JSON.stringify(report), '/p');
  expect(judgedTwice(counts, null)).toEqual({
    passed: 7,
    failed: 3,
    lines: [
      'failed  test/a.test.ts > a group > b c (Error: 9 is more than 8)',
      'failed  test/a.test.ts > a group > h',
      'failed  test/e.test.ts (No such module)',
    ],
  });
  expect(counts.failures.map(({ file: path }) => path)).toEqual(['test/a.test.ts', 'test/a.test.ts', 'test/e.test.ts']);
  const torn = countsOf(() => '{"numP', '/p');
  expect(torn.failures.map(({ file: path }) => path)).toEqual([null]);
  expect(judgedTwice(torn, null)).toEqual({
    passed: 0,
    failed: 1,
    lines: [expect.stringMatching(/^failed {2}npm test \(no report: /)],
  });
});

test('a test that fails and passes with nothing beside it is listed as unsteady, and counts as passed', () => {
  const runOf = (...results: readonly (readonly [title: string, status: string])[]) => {
    const assertionResults = results.map(([title, status]) => ({ status, ancestorTitles: [], title }));
    const status = results.some(([, one]) => one === 'failed') ? 'failed' : 'passed';
    const numPassedTests = results.filter(([, one]) => one === 'passed').length;
    const report = { numPassedTests, testResults: [{ name: '/p/test/a.test.ts', status, assertionResults }] };
    return countsOf(() => JSON.stringify(report), '/p');
  };
  const first = runOf(['a', 'failed'], ['b', 'failed'], ['c', 'passed']);
  expect(judgedTwice(first, runOf(['a', 'passed'], ['b', 'failed'], ['c', 'passed']))).toEqual({
    passed: 2,
    failed: 1,
    lines: ['unsteady  test/a.test.ts > a', 'failed  test/a.test.ts > b'],
  });
  // A second run that did not reach the test says nothing of it.
  expect(judgedTwice(first, runOf(['c', 'passed'])).failed).toBe(2);
});
