/** The example receivers pass `sandbox certify` and bear the scenarios of `sandbox explore`, each where its language is installed. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { isWhole, sampled, withoutWhole } from '../helpers/whole.ts';
import { coverageCells, EXAMPLES, exampleReceivers, QUICK_START, withSystem } from './example-receivers.ts';
import { runHere } from './here.ts';
import { run } from './sandbox-process.ts';

const folder = ownFolder();
const EXAMPLE_RECEIVERS = exampleReceivers(folder.path);
afterAll(() => folder.remove());

const COVERAGE_PAGE = readFileSync(join(EXAMPLES, '../docs/coverage.md'), 'utf8');

/** The rules that stand beside the examples. */
const RULES = readFileSync(join(EXAMPLES, 'receiver.explore.yaml'), 'utf8');
const SCENARIOS = isWhole ? 10 : 3;

function built(command: string | undefined): void {
  if (command === undefined) return;
  const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, expect.any(String)]);
}

/** It starts soonest: checks start the receiver anew, and the compiler of another one with it. */
const CHEAP = EXAMPLE_RECEIVERS.findIndex(({ language }) => language === 'Python');

/** They page nobody, and take a new secret at a start only. */
const NOT_OF_EXAMPLES = [61, 62, 63];

interface Checked {
  readonly number: number;
  readonly result: string;
  readonly came_back: string;
  readonly cure: string | null;
}

describe.concurrent('the example receiver', () => {
  for (const { row, skip } of sampled(EXAMPLE_RECEIVERS, EXAMPLE_RECEIVERS.length, EXAMPLE_RECEIVERS.length - CHEAP)) {
    const { language, build, start, advice = [], without = () => null } = row;
    unless(skip, without).test(`in ${language} passes certify`, async () => {
      built(build);
      const judge = async () => {
        const address = `http://127.0.0.1:${await freePort()}`;
        const args = ['certify', `${address}/hook`, '--probe', `${address}/state`, '--start-command', start, '--json'];
        return runHere(args, { cwd: folder.path, env: { POLL_SECONDS: '1' } });
      };
      let judged = await judge();
      // What a busy machine made inconclusive is judged anew.
      while (judged.stdout.includes('"inconclusive: ')) judged = await judge();
      const { code, stdout, stderr } = judged;
      const { data, error } = JSON.parse(stdout);
      expect([error, stderr]).toEqual([null, '']);
      const checks = data.checks as Checked[];
      const other = checks.filter(({ result }) => result !== 'passed');
      const isExpected = ({ result, number }: Checked) =>
        result === 'advice' ? advice.includes(number) : result === 'not_judged' && NOT_OF_EXAMPLES.includes(number);
      expect(other.filter((one) => !isExpected(one))).toEqual([]);
      expect([code, checks.length]).toEqual([0, 70]);
    });

    unless(
      withoutWhole,
      without,
    ).test(`in ${language} has the coverage of the page after the quick start`, async () => {
      built(build);
      const file = join(folder.path, `${language}.scenario.yaml`);
      const covered = join(folder.path, `${language}.json`);
      writeFileSync(file, withSystem(QUICK_START, start));
      const { code, stderr } = await runHere(['run', file, '--allow-commands', '--coverage', covered]);
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      const row = COVERAGE_PAGE.split('\n').find((line) => line.startsWith(`| ${language}, quick start |`)) ?? '';
      // What comes by polling depends on when the poller called, for example on how long its language takes to start.
      const [, , , ...delivered] = coverageCells(covered).split(' | ').slice(0, 8);
      expect(row.split(' | ').slice(4, 9)).toEqual(delivered);
    });

    unless(withoutWhole, without).test(`in ${language} bears the scenarios of explore`, async () => {
      built(build);
      const file = join(folder.path, `${language}.explore.yaml`);
      // Each scenario starts it anew, with a folder of its own for what it writes.
      const command = `export POLL_SECONDS=0.2 TMPDIR=$(mktemp -d -p ${folder.path}); ${start}`;
      writeFileSync(file, RULES.replace(/start: .*/, `start: ${JSON.stringify(command)}`));
      const args = ['explore', file, '--runs', String(SCENARIOS), '--jobs', '1', '--seed', '5', '--json'];
      const { code, stdout, stderr } = await run(args, { cwd: folder.path });
      const { data, error } = JSON.parse(stdout);
      expect([data?.finding, error]).toEqual([null, null]);
      expect(stderr).toContain('PASSED  0 rules broken');
      expect([code, data.stories]).toEqual([0, SCENARIOS]);
    });
  }
});
