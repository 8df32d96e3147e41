/** `sandbox run --mutate`: every shipped scenario notices every change that is made to it. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ownFolder } from '../helpers/own-folder.ts';
import { isSampled } from '../helpers/whole.ts';
import { wholeScenario } from '../scenario/whole-stage.ts';
import { runHere } from './here.ts';

interface Scenario {
  readonly file: string;
  readonly made: number;
  readonly counts: { readonly noticed: number; readonly needed: number; readonly equivalent: number };
  readonly broken: unknown;
  readonly changes: readonly { line: number; word: string; detail: string; outcome: string; why: string }[];
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
    .map((line) => (JSON.parse(line) as { scenario: Scenario }).scenario);

test('each shipped scenario notices every change, or says why it need not', async () => {
  const isWhole = process.env['MUTATE'] === 'all';
  const shipped = readdirSync('scenarios').filter((name) => name.endsWith('.scenario.yaml'));
  const files = shipped.filter((_, place) => isWhole || (place % 4 === 0 && isSampled(place, 12)));
  const flags = isWhole ? ['--jobs', '2', '--json'] : ['--mutate-share', SHARE];
  const { code, stdout, stderr } = await runHere([
    'run',
    ...files.map((name) => join('scenarios', name)),
    '--mutate',
    ...flags,
  ]);
  const scenarios = isWhole ? scenariosOf(stdout) : sharedIn(stdout);
  const weak = scenarios.flatMap(({ file, changes }) =>
    changes
      .filter(({ outcome }) => outcome === 'unnoticed' || outcome === 'stale')
      .map(({ line, word, detail, why }) => `${file}:${line} ${word} ${detail}: ${why}`),
  );
  const broken = scenarios.filter((scenario) => scenario.broken !== null);
  expect({ weak, broken, stderr: code === 0 ? '' : stderr }).toEqual({ weak: [], broken: [], stderr: '' });
  expect(code).toBe(0);
  expect(scenarios.length).toBe(files.length);
  // A scenario of few changes may have none in this share.
  for (const { file, made } of scenarios) expect([file, made > 2 || !isWhole]).toEqual([file, true]);
  expect(scenarios.reduce((sum, { made }) => sum + made, 0)).toBeGreaterThan(files.length);
}, 600_000);

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
    expect(alone.stderr).toMatch(/WEAK .*weak\.scenario\.yaml {2}\d+ changes, \d+ noticed, 0 equivalent, 2 unnoticed/);
    expect(alone.stderr).toMatch(/:15 {2}sos {2}left out {2}unnoticed\n +No check looks at what it causes/);
  });
});

test('a scenario that fails as it is is not changed, and its failure is shown', async () => {
  const { code, stderr } = await runHere(['run', fileOf('broken', '- check: {alerts: all, count: 9}'), '--mutate']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/BROKEN .* does not pass as it is[\s\S]*check alerts all count 9/);
});

test('a file with a mistake is reported with its line, and ends with 2', async () => {
  const file = fileOf('mistaken', '- sso: {who: ana}');
  for (const more of [[], ['--jobs', '2']]) {
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
  expect(stderr).toMatch(/--mutate plays in lock-step and writes no reports: it does not go with --/);
});
