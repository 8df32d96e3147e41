/** `sandbox run --seeds --orders`: every seed times every order of what is due at one instant, and the smallest that fails. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { RunData } from '../../src/scenario/reporting/run-data.ts';
import { ownFolder } from '../helpers/own-folder.ts';
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

test('every seed is played in every order, one after another or in processes, to the same logs', async () => {
  const one = await played(sound, '--seeds', '1..2', '--orders', '0..2');
  expect(one.runs.map(({ seed, order }) => [seed, order])).toEqual([
    [1, 0],
    [1, 1],
    [1, 2],
    [2, 0],
    [2, 1],
    [2, 2],
  ]);
  const two = await played(sound, '--seeds', '1..2', '--orders', '0..2', '--jobs', '2');
  const hashes = ({ runs }: Reported) => runs.map(({ log_sha256 }) => log_sha256);
  expect(hashes(two)).toEqual(hashes(one));
  // Order 0 is the usual one, order 1 that of a bare --shuffle-ties.
  const [usual, bare] = [await played(sound, '--seed', '1'), await played('--shuffle-ties', sound, '--seed', '1')];
  expect([...hashes(usual), ...hashes(bare)]).toEqual(hashes(one).slice(0, 2));
  expect([usual, bare].map(({ runs }) => runs[0]?.order)).toEqual([0, 1]);
}, 120_000);

test('many draws are one line for each that fails, a table, and the smallest failure with the command that plays it', async () => {
  const { code, runs, stderr, smallest } = await played(file, '--seeds', '1..12', '--orders', '1..2', '--jobs', '2');
  expect(code).toBe(1);
  const failed = runs.filter(({ verdict }) => verdict === 'failed');
  expect([failed.length > 0, failed.length < runs.length]).toEqual([true, true]);
  const seed = Math.min(...failed.map((one) => Number(one.seed)));
  const order = Math.min(...failed.filter((one) => one.seed === seed).map((one) => one.order));
  expect(smallest).toMatchObject({ seed, order, line: 6 });
  const lines = stderr.trimEnd().split('\n');
  expect(lines.filter((line) => line.startsWith(`FAIL ${file}  seed`))).toHaveLength(failed.length);
  expect(stderr).toContain(`smallest failure  ${file}  seed ${seed}  order ${order}  line 6\nFAIL ${file}:6`);
  expect(stderr).toMatch(/runs +passed +failed +smallest failing seed/);
  expect(lines.length).toBeLessThan(failed.length + 20);
  expect(lines.at(-1)).toBe(`${runs.length - failed.length} passed, ${failed.length} failed`);
  // As it is printed, without the word in front.
  const again = (smallest?.again ?? '').split(' ').slice(1);
  const second = await played(...again.slice(1));
  const same = runs.find((one) => one.seed === seed && one.order === order);
  expect(second.runs).toMatchObject([{ seed, order, failures: same?.failures }]);
}, 120_000);

test.each([
  [['--orders', '1..2', '--shuffle-ties'], 'say two things'],
  [['--orders', '3..1'], 'is not a range of orders'],
  [['--orders', '1..2', '--mode', 'real'], 'is for --mode fast'],
  [['--shuffle-ties', '0'], 'a whole number from 1'],
  [['--seeds', '1..1000', '--orders', '1..100'], 'more than 10,000 runs'],
])('%s is wrong usage, said with its fix', async (flags, reported) => {
  expect(await runHere(['run', sound, ...flags])).toMatchObject({ code: 2, stderr: expect.stringContaining(reported) });
});
