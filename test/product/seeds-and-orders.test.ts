/** `sandbox run --seeds --orders`: every seed times every order of simultaneous steps, and the smallest that fails. [scenario-language, Simultaneous work] */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { RunData } from '../../src/scenario/reporting/run-data.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { isWhole, withoutWhole } from '../helpers/whole.ts';
import { runHere } from './here.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

/** By the seed the answer to the prompt comes early or late. */
const SCENARIO = `scenario: Who is early
site: {name: P, origin: [43, -8], zones: {Dock: {type: work_area, box: [0, 0, 90, 90]}}}
workers: {ana: {in: Dock}, luis: {in: Dock}}
steps:
  - fall: {who: ana, answers: help, answers_after: 5s..29s}
  - expect: {alert: sos, of: ana}
    within: 15s
`;
const file = join(folder.path, 'early.scenario.yaml');
writeFileSync(file, SCENARIO);
const sound = join(folder.path, 'sound.scenario.yaml');
writeFileSync(sound, SCENARIO.replace('within: 15s', 'within: 40s'));

interface Reported {
  readonly code: number | null;
  readonly stderr: string;
  readonly runs: readonly RunData[];
  readonly smallest: { seed: number; order: number; line: number; again: string } | null;
}

async function played(...args: string[]): Promise<Reported> {
  const { code, stdout, stderr } = await runHere(['run', ...args, '--json']);
  const { data } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  return { code, stderr, runs: data.runs, smallest: data.smallest_failure };
}

/** Two operators act at once: who is second meets an alert that is resolved. */
const RACE = `scenario: Who is first
site: {name: P, origin: [43, -8], zones: {Dock: {type: work_area, box: [0, 0, 90, 90]}}}
workers: {ana: {in: Dock}}
steps:
  - sos: {who: ana}
  - expect: {alert: sos, of: ana}
    as: call
  - together:
      - acknowledge: {alert: $call, by: Ada}
      - resolve: {alert: $call, by: Ben}
      - wait: 1s
`;
const race = join(folder.path, 'race.scenario.yaml');
writeFileSync(race, RACE);

test('every order of simultaneous steps is played for each seed, in turn or in processes, to the same logs', async () => {
  const one = await played(race, '--seeds', '1..2', '--orders');
  const orders = [0, 1, 2, 3, 4, 5];
  expect(one.runs.map(({ seed, order }) => [seed, order])).toEqual(
    [1, 2].flatMap((seed) => orders.map((n) => [seed, n])),
  );
  const hashes = ({ runs }: Reported) => runs.map(({ log_sha256 }) => log_sha256);
  // The wait leaves no trace in the log, so the six orders have two logs.
  expect(new Set(hashes(one).slice(0, 6)).size).toBe(2);
  const jobs = ['--jobs', '2'];
  const two = await played(race, '--seeds', isWhole ? '1..2' : '1..1', '--orders', ...jobs);
  expect(hashes(two)).toEqual(hashes(one).slice(0, isWhole ? 12 : 6));
  const [usual, later] = [await played(race, '--seed', '1'), await played(race, '--seed', '1', '--orders', '3..4')];
  expect(hashes(usual)).toEqual(hashes(one).slice(0, 1));
  expect(hashes(later)).toEqual(hashes(one).slice(3, 5));
});

test('the report says how many orders there are, how many ran, and in what they differ; a failure has its command', async () => {
  const { code, runs, stderr, smallest } = await played(race, '--orders');
  expect(code).toBe(1);
  const verdicts = runs.map(({ order, verdict }) => `${order} ${verdict}`);
  expect(verdicts).toEqual(['0 passed', '1 passed', '2 failed', '3 failed', '4 passed', '5 failed']);
  for (const { orders } of runs) expect(orders).toMatchObject({ exist: 6, ran: 6 });
  const differ = runs[0]?.orders?.differ ?? [];
  expect(differ).toContain('order 2 failed, order 0 passed');
  expect(differ).toContain('order 2 fails at lines 9; order 0: none');
  expect(differ).toContain('only in order 0, not in order 2: event alert.acknowledged: 1');
  expect(stderr).toContain('6 orders exist, 6 ran, and they differ:\n  order 2 failed, order 0 passed\n');
  expect(smallest).toMatchObject({ order: 2, line: 9, again: expect.stringContaining('--orders 2..2 --until 9') });
  const second = await played(...(smallest?.again ?? '').split(' ').slice(2));
  expect(second.runs).toMatchObject([
    { order: 2, orders: { exist: 6, ran: 1, differ: [] }, failures: runs[2]?.failures },
  ]);
});

test('orders may differ with a reason in the file, if the order of the file passes; every line names its file', async () => {
  const allowed = join(folder.path, 'allowed.scenario.yaml');
  writeFileSync(allowed, `orders_may_differ: The desk that is second is refused.\n${RACE}`);
  const out = join(folder.path, 'allowed');
  const { code, runs, stderr } = await played(allowed, sound, '--orders', '--report', 'junit,md', '--out', out);
  expect(code).toBe(0);
  const [passed, accepted] = [
    [0, 1, 4],
    [2, 3, 5],
  ].map((orders) => runs.filter(({ order }) => orders.includes(order)));
  expect(passed?.map(({ verdict }) => verdict)).toEqual(['passed', 'passed', 'passed', 'passed']);
  for (const { verdict, reason } of accepted ?? [])
    expect([verdict, reason]).toEqual(['known_failure', 'orders_may_differ: The desk that is second is refused.']);
  expect(runs[0]?.orders).toMatchObject({ result_differs: true, may_differ: 'The desk that is second is refused.' });
  expect(runs[0]?.orders?.differ.slice(0, 1)).toEqual(['order 2 failed, order 0 passed']);
  expect(stderr).toContain(`${allowed}  seed 1  6 orders exist, 6 ran, and they differ, which the file allows`);
  expect(stderr).toContain(`${sound}  seed 1  1 order exists, 1 ran: no steps are simultaneous.`);
  expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('failures="0" errors="0" skipped="3"');
  // The command that a failed order prints ends as it did beside the others.
  const only = await played(allowed, '--orders', '2..3');
  const verdicts = only.runs.map(({ order, verdict }) => `${order} ${verdict}`);
  expect([only.code, verdicts]).toEqual([0, ['2 known_failure', '0 passed', '3 known_failure']]);
});

test('a scenario without simultaneous steps has one order; numbers beyond the last are left out', async () => {
  const { runs, stderr } = await played(sound, '--orders');
  expect(runs).toMatchObject([{ order: 0, orders: { exist: 1, ran: 1, differ: [] } }]);
  expect(stderr).toContain('1 order exists, 1 ran: no steps are simultaneous.');
  writeFileSync(join(folder.path, 'broken.scenario.yaml'), RACE.replace('steps:', 'stepps:'));
  expect((await played(join(folder.path, 'broken.scenario.yaml'), '--orders')).stderr).not.toContain('exist');
  const beyond = await played(race, '--orders', '4..9');
  expect(beyond.runs.map(({ order }) => order)).toEqual([4, 5]);
  const out = join(folder.path, 'beyond');
  const none = await played(race, '--orders', '7..9', '--report', 'junit', '--out', out);
  expect([none.code, none.runs]).toEqual([0, []]);
  expect(none.stderr).toContain('order 7 does not exist: the last order is 5.');
  expect(existsSync(join(out, 'junit.xml'))).toBe(false);
});

/** A scenario with more orders than are played. */
function wideFile(name: string): string {
  const file = join(folder.path, `${name}.scenario.yaml`);
  writeFileSync(file, RACE.replace('      - wait: 1s\n', '      - mark: A\n      - mark: B\n      - mark: C\n'));
  return file;
}

// Which orders are drawn: test/cli/plan.test.ts.
unless(withoutWhole).test('more than 24 orders are sampled by the seed', async () => {
  const one = await played(wideFile('wide'), '--orders');
  expect(one.runs).toHaveLength(24);
  expect(one.runs[0]).toMatchObject({ order: 0, orders: { exist: 120, ran: 24 } });
});

unless(withoutWhole).test('the sampled orders are the same each time', async () => {
  const wide = wideFile('wide-again');
  const [one, again] = [await played(wide, '--orders'), await played(wide, '--orders')];
  expect(again.runs.map(({ order }) => order)).toEqual(one.runs.map(({ order }) => order));
});

test('--shuffle-ties plays another order, the same for the same number', async () => {
  const verdicts: unknown[] = [];
  for (const number of ['1', '2', '3', '4', '5', '6']) {
    const one = await played(race, '--shuffle-ties', number);
    const two = isWhole || number === '1' ? await played(race, '--shuffle-ties', number) : one;
    expect(one.runs.map(({ log_sha256 }) => log_sha256)).toEqual(two.runs.map(({ log_sha256 }) => log_sha256));
    expect(one.runs[0]?.again).toMatch(number === '1' ? /--shuffle-ties$/ : new RegExp(`--shuffle-ties ${number}$`));
    verdicts.push(one.runs[0]?.verdict);
  }
  expect(new Set(verdicts).size).toBe(2);
});

test('many draws are one line for each that fails, a table, and the smallest failure with the command that plays it', async () => {
  const { code, runs, stderr, smallest } = await played(
    file,
    '--seeds',
    isWhole ? '1..24' : '1..12',
    ...(isWhole ? ['--jobs', '2'] : []),
  );
  expect(code).toBe(1);
  const failed = runs.filter(({ verdict }) => verdict === 'failed');
  expect([failed.length > 0, failed.length < runs.length]).toEqual([true, true]);
  const seed = Math.min(...failed.map((one) => Number(one.seed)));
  expect(smallest).toMatchObject({ seed, order: 0, line: 6 });
  const lines = stderr.trimEnd().split('\n');
  expect(lines.filter((line) => line.startsWith(`FAIL ${file}  seed`))).toHaveLength(failed.length);
  expect(stderr).toContain(`smallest failure  ${file}  seed ${seed}  line 6\n✗ ${file}:6`);
  expect(stderr).toMatch(/runs +passed +failed +smallest failing seed/);
  expect(lines.length).toBeLessThan(failed.length + 20);
  expect(lines.at(-1)).toContain(`FAILED  ${runs.length - failed.length} passed, ${failed.length} failed   `);
  // As it is printed, without the word in front.
  const again = (smallest?.again ?? '').split(' ').slice(1);
  const second = await played(...again.slice(1));
  const same = runs.find((one) => one.seed === seed);
  expect(second.runs).toMatchObject([{ seed, failures: same?.failures }]);
});

test.each([
  [['--orders', '1..2', '--shuffle-ties'], 'contradict each other'],
  [['--orders', '3..1'], 'is not a range of orders'],
  [['--orders', '1..2', '--mode', 'real'], 'is for --mode fast'],
  [['--shuffle-ties', '0'], 'a whole number from 1'],
  [['--seeds', '1..1000', '--orders', '1..100'], 'more than 10,000 runs'],
])('%s is wrong usage, said with its fix', async (flags, reported) => {
  expect(await runHere(['run', sound, ...flags])).toMatchObject({ code: 2, stderr: expect.stringContaining(reported) });
});
