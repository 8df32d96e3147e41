/** `sandbox run --mutate`: every shipped scenario notices every change that is made to it. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { isWhole } from '../helpers/whole.ts';
import { wholeScenario } from '../scenario/whole-stage.ts';
import { runHere } from './here.ts';

interface Scenario {
  readonly file: string;
  readonly made: number;
  readonly counts: { readonly noticed: number; readonly needed: number; readonly equivalent: number };
  readonly broken: unknown;
  readonly changes: readonly { line: number; word: string; detail: string; outcome: string; why: string }[];
  readonly checks: { readonly all: number; readonly failed: number; readonly idle: number };
  readonly idle: readonly { line: number; word: string; outcome: string; why: string }[];
  readonly nothing_fails: boolean;
}

/** One scenario of a share, which judges no check: another share may have made it fail. */
interface ShareOfScenario extends Omit<Scenario, 'made' | 'changes' | 'idle'> {
  readonly judged: Scenario['changes'];
}

const scenariosOf = (stdout: string): readonly Scenario[] =>
  (JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as { data: { stories: Scenario[] } }).data.stories;

const folder = ownFolder();
afterAll(folder.remove);

function fileOf(name: string, steps: string): string {
  const file = join(folder.path, `${name}.scenario.yaml`);
  writeFileSync(file, wholeScenario(steps));
  return file;
}

/** Of every fourth scenario every sixteenth change is made here; `MUTATE=all` makes all of all, which takes five minutes. */
const SHARE = '1/16';

/** A process that takes a share prints a line for each scenario. */
const sharedIn = (stdout: string): readonly Scenario[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { scenario: ShareOfScenario }).scenario)
    .map((one): Scenario => ({ ...one, made: one.judged.length, changes: one.judged, idle: [] }));

test('each shipped scenario notices every change and has no idle check, or says why', async () => {
  const isAll = process.env['MUTATE'] === 'all';
  const shipped = readdirSync('scenarios').filter((name) => name.endsWith('.scenario.yaml'));
  const files = isAll ? shipped : shipped.filter((_, place) => place % (isWhole ? 4 : 24) === 0);
  const flags = isAll ? ['--jobs', '2', '--json'] : ['--mutate-share', SHARE];
  const { code, stdout, stderr } = await runHere([
    'run',
    ...files.map((name) => join('scenarios', name)),
    '--mutate',
    ...flags,
  ]);
  const scenarios = isAll ? scenariosOf(stdout) : sharedIn(stdout);
  const weak = scenarios.flatMap(({ file, changes }) =>
    changes
      .filter(({ outcome }) => outcome === 'unnoticed' || outcome === 'stale')
      .map(({ line, word, detail, why }) => `${file}:${line} ${word} ${detail}: ${why}`),
  );
  const idle = scenarios.flatMap(({ file, idle: checks }) =>
    checks
      .filter(({ outcome }) => outcome !== 'equivalent')
      .map(({ line, word, why }) => `${file}:${line} ${word} ${why}`),
  );
  const broken = scenarios.filter((scenario) => scenario.broken !== null);
  expect({ weak, idle, broken, stderr: code === 0 ? '' : stderr }).toEqual({
    weak: [],
    idle: [],
    broken: [],
    stderr: '',
  });
  expect(code).toBe(0);
  expect(scenarios.length).toBe(files.length);
  // A scenario of few changes may have none in this share.
  for (const { file, made } of scenarios) expect([file, made > 2 || !isAll]).toEqual([file, true]);
  expect(scenarios.reduce((sum, { made }) => sum + made, 0)).toBeGreaterThan(files.length);
});

describe('a scenario that is weak', () => {
  const WEAK = '- sos: {who: ana}\n- sos: {who: luis}\n- expect: {event: alert.created, object: {type: sos}}';

  test('gives exit code 1, its lines and what would help, in one process as in two', async () => {
    const file = fileOf('weak', WEAK);
    const [alone, shared] = await Promise.all([
      runHere(['run', file, '--mutate', '--json']),
      runHere(['run', file, '--mutate', '--json', '--jobs', '2']),
    ]);
    expect([alone.code, shared.code]).toEqual([1, 1]);
    expect(scenariosOf(shared.stdout)).toEqual(scenariosOf(alone.stdout));
    // Either press makes the event that is expected, so that neither is missed.
    expect(scenariosOf(alone.stdout)[0]!.changes.filter(({ outcome }) => outcome === 'unnoticed')).toHaveLength(2);
    expect(alone.stderr).toMatch(
      /WEAK .*weak\.scenario\.yaml {2}\d+ changes: \d+ noticed, 0 equivalent, 2 unnoticed; 1 check: 0 idle/,
    );
    expect(alone.stderr).toMatch(/:15 {2}sos {2}left out {2}unnoticed\n +No check looks at what it causes/);
  });

  test('because of an idle check gives exit code 1, its line and what to write, in one process as in two', async () => {
    const file = fileOf(
      'idle',
      '- sos: {who: ana}\n- expect: {alert: sos, of: ana}\n- never: {alert: heat_stress}\n  for: 1s',
    );
    const [alone, shared] = await Promise.all([
      runHere(['run', file, '--mutate', '--json']),
      runHere(['run', file, '--mutate', '--json', ...(isWhole ? ['--jobs', '2'] : [])]),
    ]);
    expect([alone.code, shared.code]).toEqual([1, 1]);
    expect(scenariosOf(shared.stdout)).toEqual(scenariosOf(alone.stdout));
    const [{ checks, idle, nothing_fails: fails } = expect.fail()] = scenariosOf(alone.stdout);
    expect([checks, fails]).toMatchObject([{ all: 2, failed: 1, idle: 1 }, false]);
    expect(idle).toMatchObject([{ word: 'never', outcome: 'idle' }]);
    expect(alone.stderr).toMatch(
      /idle\.scenario\.yaml:17 {2}never {2}\{alert: heat_stress\} {2}idle\n +No change makes this happen/,
    );
  });

  test('because no change can make it fail says so', async () => {
    const steps = '- sos: {who: ana}\n- never: {alert: heat_stress}\n  for: 1s\n  equivalent: {idle: It is cold.}';
    const { code, stderr, stdout } = await runHere(['run', fileOf('vain', steps), '--mutate', '--json']);
    expect([code, scenariosOf(stdout)[0]?.nothing_fails]).toEqual([1, true]);
    expect(stderr).toMatch(/No change makes any check fail: the scenario passes whatever happens/);
  });
});

test('a scenario that fails as it is is not changed, and its failure is shown', async () => {
  const { code, stderr } = await runHere(['run', fileOf('broken', '- check: {alerts: all, count: 9}'), '--mutate']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/BROKEN .* does not pass as it is[\s\S]*check alerts all count 9/);
});

test('a file with a mistake is reported with its line, and ends with 2', async () => {
  const file = fileOf('mistaken', '- sso: {who: ana}');
  for (const more of isWhole ? [[], ['--jobs', '2']] : [[]]) {
    const { code, stderr } = await runHere(['run', file, '--mutate', ...more]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/"sso" is not a step. Did you mean "sos"\?/);
  }
});

test.each([
  [['--mode', 'real']],
  [['--verify']],
  [['--keep']],
  [['--out', 'x']],
  [['--until', '9']],
])('it does not go with %j', async (flags) => {
  const { code, stderr } = await runHere(['run', 'scenarios', '--mutate', ...flags]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/--mutate plays in lock-step and writes no reports, so it cannot be combined with --/);
});
