/** The flags of `sandbox run` as their user types them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { RunData } from '../../src/scenario/reporting/run-data.ts';
import { ownMachine } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { unless } from '../helpers/unless.ts';
import { withoutWhole } from '../helpers/whole.ts';
import { runHere, StartedHere } from './here.ts';
import { run } from './sandbox-process.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const SCENARIO = `scenario: One SOS
site: {name: P, origin: [43, -8], zones: {Dock: {type: work_area, box: [0, 0, 90, 90]}}}
params: {limit: 5s}
workers: {ana: {in: Dock}}
receivers: {erp: {events: [alert.*]}}
steps:
  - sos: {who: ana}
  - expect: {delivery: erp, result: delivered, status: 204}
    within: $limit
`;
const scenario = join(folder.path, 'one.scenario.yaml');
writeFileSync(scenario, SCENARIO);
const cases = join(folder.path, 'cases.scenario.yaml');
writeFileSync(
  cases,
  SCENARIO.replace('params: {limit: 5s}', 'matrix: {limit: [5s, 6s]}\nparams: {status: 204}').replace(
    'status: 204}\n    within',
    'status: $status}\n    within',
  ),
);
const broken = join(folder.path, 'failing.scenario.yaml');
writeFileSync(
  broken,
  SCENARIO.replace('status: 204}\n    within: $limit', 'status: 500}\n    within: 1s').replace(
    'params: {limit: 5s}\n',
    '',
  ),
);

const played = (...args: string[]) => playedBy(runHere, ...args);

async function playedBy(how: typeof run | typeof runHere, ...args: string[]) {
  const { code, stdout, stderr } = await how(['run', ...args, '--json']);
  const { data } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { data: { runs: RunData[] } };
  return { code, runs: data.runs, stderr };
}

describe('sandbox run', () => {
  test('--seeds plays a run for each seed, and the last line has the counts', async () => {
    const { code, runs, stderr } = await played(scenario, '--seeds', '3..5');
    expect({ code, seeds: runs.map(({ seed }) => seed) }).toEqual({ code: 0, seeds: [3, 4, 5] });
    expect(new Set(runs.map(({ log_sha256 }) => log_sha256)).size).toBe(3);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^PASSED {2}3 passed, 0 failed {3}3 checks {3}.*\d+\.\d s$/);
  });

  test('counts runs without a result as errors, the same in the terminal, Markdown, JUnit and annotations', async () => {
    const invalid = join(folder.path, 'invalid.scenario.yaml');
    writeFileSync(invalid, SCENARIO.replace('who: ana', 'who: anna'));
    const skipped = join(folder.path, 'skipped.scenario.yaml');
    writeFileSync(skipped, `${SCENARIO}skip: Not drawn yet.\n`);
    const out = join(folder.path, 'counted');
    const args = ['run', scenario, broken, invalid, skipped, '--report', 'html,junit,md', '--out', out];
    const { code, stdout, stderr } = await runHere(args, { env: { GITHUB_ACTIONS: 'true' } });
    expect(code).toBe(2);
    expect(stderr.trimEnd().split('\n').at(-1)).toContain('FAILED  1 passed, 1 failed, 1 error, 1 skipped   ');
    expect(stderr).toContain(`   report ${join(out, 'report.html')}\n`);
    expect(readFileSync(join(out, 'summary.md'), 'utf8')).toMatch(
      /^## 1 of 4 runs passed, 1 failed, 1 error, 1 skipped\n/,
    );
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain(
      '<h1>1 of 4 runs passed, 1 failed, 1 error, 1 skipped</h1>',
    );
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('failures="1" errors="1" skipped="1"');
    const annotations = stdout.split('\n').filter((line) => line.startsWith('::error'));
    expect(annotations).toEqual([
      expect.stringMatching(/failing\.scenario\.yaml,line=7,title=[^✗][^:]*::✗/),
      expect.stringMatching(/invalid\.scenario\.yaml,line=7,col=16::"anna" is not a worker or a crowd/),
    ]);
  });

  test('of an outdated known_failure with several seeds prints the command of the whole run', async () => {
    const marked = join(folder.path, 'marked.scenario.yaml');
    writeFileSync(marked, `${SCENARIO}known_failure: Ticket 812.\n`);
    const { code, stderr } = await runHere(['run', marked, '--seeds', '1..2']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/\nsmallest failure {2}.*seed 2 {2}line 1\n {4}again {5}.* --seed 2\n/);
    expect(stderr).not.toContain('--until 1\n');
  });

  unless(
    withoutWhole,
  ).test('--jobs plays in several processes, to the same verdicts and hashes, in the same order', async () => {
    const [one, two] = [await played(cases, scenario), await playedBy(run, cases, scenario, '--jobs', '2')];
    const reported = ({ runs }: { runs: RunData[] }) =>
      runs.map(({ file, case: values, log_sha256, verdict }) => ({ file, values, log_sha256, verdict }));
    expect(reported(two)).toEqual(reported(one));
    expect(two.runs.map(({ case: values }) => values)).toEqual([{ limit: '5s' }, { limit: '6s' }, null]);
  });

  test.each([
    ['passed', scenario, /^PASSED {2}1 passed, 0 failed {3}.*\d+\.\d s {3}report \S+report\.html$/],
    ['failed', broken, /^FAILED {2}0 passed, 1 failed {3}.*\d+\.\d s {3}report \S+report\.html$/],
  ])('one file that %s ends with its verdict too, behind the paths of all reports', async (verdict, file, last) => {
    const out = join(folder.path, `one-${verdict}`);
    const { stderr } = await played(file, '--report', 'html,junit', '--out', out);
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(last);
    expect(stderr.match(/ passed, /g)).toHaveLength(1);
  });

  test('--fail-fast begins no run after one that failed', async () => {
    const { code, runs, stderr } = await played(broken, scenario, '--fail-fast');
    expect({ code, results: runs.map(({ verdict }) => verdict) }).toEqual({ code: 1, results: ['failed'] });
    expect(stderr).toMatch(/\nFAILED {2}0 passed, 1 failed, 1 not begun {3}/);
    const all = await played(broken, scenario);
    expect(all.runs.map(({ verdict }) => verdict)).toEqual(['failed', 'passed']);
    expect(all.stderr).toMatch(/^✗ failing {3}✓ one 1$/m);
    expect(all.stderr).toMatch(
      /^✗ \S+failing\.scenario\.yaml:7 {2}expect delivery erp within 1s\n {4}status +expected 500/m,
    );
  });

  test('--verify of several runs prints the steps of neither play', async () => {
    const { code, stderr } = await played(scenario, '--seeds', '1..2', '--verify');
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^✓[^\n]*\n\nPASSED {2}[^\n]*\n$/)]);
  });

  test('--verify of several runs ends with FAILED and 4, where a receiver answers otherwise the second time', async () => {
    let served = 0;
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(served++ % 2 === 0 ? 204 : 200).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const own = `erp=http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const { code, stderr } = await played(scenario, '--seeds', '1..2', '--verify', '--receiver', own);
    expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([4, expect.stringMatching(/^FAILED {2}2 /)]);
  });

  test('a failure that all cases have is printed once, with the names of the others', async () => {
    const alike = join(folder.path, 'alike.scenario.yaml');
    writeFileSync(
      alike,
      readFileSync(cases, 'utf8')
        .replace('[5s, 6s]', '[5s, 5000ms]')
        .replace('params: {status: 204}', 'params: {status: 500}'),
    );
    const { code, stderr } = await played(alike);
    expect([code, stderr.match(/^✗ \S+alike\.scenario\.yaml:/gm)?.length]).toEqual([1, 1]);
    expect(stderr).toMatch(
      /\n {4}again {5}.* --case limit=5s.*\n {4}also {6}limit=5000ms\nFAILED {2}0 passed, 2 failed/,
    );
  });

  test('a mistake of a file is said once for all seeds, and no seed is the smallest', async () => {
    const wrong = join(folder.path, 'wrong.scenario.yaml');
    writeFileSync(wrong, readFileSync(scenario, 'utf8').replace('{who: ana}', '{whom: ana}'));
    const { code, stderr } = await played(wrong, '--seeds', '1..3');
    expect([code, stderr.match(/is not a key/g)?.length, stderr.includes('smallest')]).toEqual([2, 1, false]);
    // One file ends with a verdict too.
    const one = await runHere(['run', wrong]);
    expect([one.code, one.stderr]).toEqual([
      2,
      expect.stringMatching(/\nFAILED {2}the file has mistakes {3}\d+\.\d s\n$/),
    ]);
  });

  test('--verbose prints the steps of several runs, too, before the failures', async () => {
    const { stderr } = await played(broken, scenario, '--verbose');
    const [steps, failures] = stderr.split('\n\n');
    expect(steps).toMatch(/00:00:00\.000 {3}sos ana\n/);
    expect(failures).toMatch(/^✗ .*\n(?: {4}.*\n)+FAILED {2}1 passed, 1 failed/);
  });

  test('--receiver brings deliveries to the user’s own receiver', async () => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => bodies.push(chunk.toString('utf8')));
      request.on('end', () => response.writeHead(204).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { code } = await played(
      scenario,
      '--receiver',
      `erp=http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    );
    expect(code).toBe(0);
    expect(bodies.join('')).toContain('"type":"alert.created"');
  });

  unless(ownMachine).test('--timeout ends a run that takes longer, with 3', async () => {
    const { code, stderr } = await played(scenario, '--mode', 'real', '--timeout', '1ms');
    expect(code).toBe(3);
    expect(stderr).toContain('The run took longer than 1ms');
  });

  test('--verify finds equal logs equal; --shuffle-ties keeps the verdict', async () => {
    expect((await played(scenario, '--verify')).code).toBe(0);
    expect((await played(scenario, '--shuffle-ties')).code).toBe(0);
  });

  test('annotates failures where GitHub runs it', async () => {
    const { stdout } = await runHere(['run', broken], { env: { GITHUB_ACTIONS: 'true' } });
    expect(stdout).toMatch(new RegExp(`^::error file=${broken},line=7,title=[^✗].*::✗ .*status.*500.*204`));
  });

  unless(withoutWhole).test('--keep leaves the sandbox up until Ctrl-C', async () => {
    const kept = await StartedHere.start(['run', scenario, '--keep'], { first: 'stderr' });
    await kept.prints(/client {3}/, 'stderr');
    const [, url] = /API {6}(http:\S+)/.exec(kept.stderr) ?? [];
    expect((await fetch(`${url}/v1/sites`)).status).toBe(401);
    expect(await kept.end()).toBe(0);
  });

  test('--watch plays again when the file is saved', async () => {
    const watched = join(folder.path, 'watched.scenario.yaml');
    writeFileSync(watched, SCENARIO);
    const watching = await StartedHere.start(['run', watched, '--watch'], { first: 'stderr' });
    await watching.prints(/Waiting for a change/, 'stderr');
    writeFileSync(watched, readFileSync(watched, 'utf8').replace('One SOS', 'Another SOS'));
    await watching.prints(/Another SOS[\s\S]*Waiting for a change/, 'stderr');
    expect(await watching.end()).toBe(130);
  });

  test.each([
    [['--seed', '1', '--seeds', '1..2'], 'contradict each other'],
    [['--seeds', '9..1'], 'is not a range of seeds'],
    [['--shuffle-ties', '--mode', 'real'], 'is for --mode fast'],
    [['--jobs', '2', '--keep'], 'cannot be combined with'],
    [['--receiver', 'epr=http://127.0.0.1:1'], 'Did you mean "erp"?'],
  ])('%s is wrong usage, said with its fix', async (flags, reported) => {
    expect(await runHere(['run', scenario, ...flags])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(reported),
    });
  });
});
