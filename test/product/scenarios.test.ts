/** The commands for scenario files as their user types them: init, validate, list, explain, schema. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { bootStage } from '../../src/sandbox/boot.ts';
import { runFile } from '../../src/scenario/playing/run-file.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { isWhole } from '../helpers/whole.ts';
import { runHere } from './here.ts';

const folder = ownFolder();
afterAll(() => folder.remove());
const here = { cwd: folder.path };
const SCENARIOS = new URL('../../scenarios/', import.meta.url).pathname;

describe('sandbox init', () => {
  test('writes a scenario that is valid and passes, with the schema by which editors complete it, and overwrites nothing', async () => {
    expect(await runHere(['init'], here)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('sandbox run scenarios/first.scenario.yaml'),
    });
    const scenario = join(folder.path, 'scenarios/first.scenario.yaml');
    expect(readFileSync(scenario, 'utf8').split('\n')[0]).toBe(
      '# yaml-language-server: $schema=./scenario.schema.json',
    );
    const schema = JSON.parse(readFileSync(join(folder.path, 'scenarios/scenario.schema.json'), 'utf8')) as {
      title: string;
    };
    expect(schema.title).toBe('Scenario of muster-sandbox');
    expect(await runHere(['validate'], here)).toMatchObject({
      code: 0,
      stdout: 'scenarios/first.scenario.yaml  valid\n',
      stderr: '',
    });
    for (const words of [['tag:smoke'], []])
      expect(await runHere(['run', ...words], here)).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('3 passed, 0 failed'),
      });
    writeFileSync(scenario, 'mine');
    expect(await runHere(['init'], here)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is there already'),
    });
    expect(readFileSync(scenario, 'utf8')).toBe('mine');
    // The rules are a file of their own, and the first scenario stays as it is.
    expect(await runHere(['init', '--explore'], here)).toMatchObject({ code: 0 });
    expect(readFileSync(scenario, 'utf8')).toBe('mine');
    const rules = join('scenarios', 'first.explore.yaml');
    expect(await runHere(['validate', rules], here)).toMatchObject({ code: 0, stdout: `${rules}  valid\n` });
    const page = readFileSync(join(import.meta.dirname, '../../docs/explore.md'), 'utf8');
    expect(page).toContain(readFileSync(join(folder.path, rules), 'utf8'));
  });
});

describe('sandbox validate', () => {
  const broken = join(folder.path, 'broken.scenario.yaml');
  const text =
    'scenario: X\nsite: {name: P, origin: [43, -8], zones: {Dock: {type: work_area, box: [0, 0, 9, 9]}}}\nworkers: {ana: {in: Dock}, eva: {in: Dock}}\nsteps:\n  - sos: {who: anna}\n  - wait: 5\n';

  test('tells every mistake with its place, and exits with 2', async () => {
    writeFileSync(broken, text);
    const { code, stdout, stderr } = await runHere(['validate', broken]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: `${broken}  2 mistakes\n` });
    expect(stderr).toContain(
      `${broken}:5:16  "anna" is not a worker or a crowd. Did you mean "ana"?\n    5 |   - sos: {who: anna}\n      |                ^^^^`,
    );
    expect(stderr).toContain(`${broken}:6:11  5 has no unit. Write 5s or 5m.`);
  });

  test('tells warnings of a valid file, and exits with 0', async () => {
    writeFileSync(broken, text.replace('anna', 'ana').replace('wait: 5', 'wait: 5s'));
    const { code, stderr } = await runHere(['validate', broken]);
    expect(code).toBe(0);
    expect(stderr).toContain('warning  The worker "eva" is not used in this file.');
  });

  test('notes what people assume of a plant where its file is silent, and takes it as valid', async () => {
    const part = join(folder.path, 'plant.yaml');
    const zones =
      'Shed: {type: building, box: [0, 0, 9, 9]}, Gate: {type: assembly_point, box: [20, 0, 29, 9], serves: [general], capacity: 20}';
    writeFileSync(part, `part: A plant\nsite: {name: P, origin: [43, -8], zones: {${zones}}}\n`);
    const { code, stdout, stderr } = await runHere(['validate', part]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${part}  valid\n` });
    expect(stderr).toBe(
      `${part}:2:35  note  "Shed" has no doors: people use one of 1.2 m in the middle of each side. Write doors: [[x, y, width]].\n`,
    );
    const { stdout: json } = await runHere(['validate', part, '--json']);
    const { data } = JSON.parse(json) as { data: { files: { notes: object[] }[] } };
    expect(data.files[0]?.notes).toMatchObject([{ line: 2, column: 35, length: 5 }]);
  });

  test('gives both as one JSON object, and annotations where GitHub runs it', async () => {
    writeFileSync(broken, text);
    const { stdout } = await runHere(['validate', broken, '--json']);
    const { status, error, data } = JSON.parse(stdout) as {
      status: string;
      error: { code: string };
      data: { files: { mistakes: object[] }[] };
    };
    expect({ status, code: error.code }).toEqual({ status: 'error', code: 'invalid_file' });
    expect(data.files[0]?.mistakes[0]).toMatchObject({ line: 5, column: 16, length: 4 });
    const github = await runHere(['validate', broken], { env: { GITHUB_ACTIONS: 'true' } });
    expect(github.stdout).toContain(`::error file=${broken},line=6,col=11::5 has no unit. Write 5s or 5m.`);
  });
});

describe('sandbox list', () => {
  test('tells titles and tags, and with --ids what a run will call its people', async () => {
    const file = join(SCENARIOS, 'fall-to-sos.scenario.yaml');
    const { stdout } = await runHere(['list', file, '--ids', '--json']);
    const { data } = JSON.parse(stdout) as {
      data: { scenarios: { ids: { what: string; name: string; id: string }[] }[] };
    };
    const reported = data.scenarios[0]?.ids.find(({ name }) => name === 'ana')?.id;
    let seen: string | undefined;
    const boot: typeof bootStage = async (request) => {
      const stage = await bootStage(request);
      seen = stage.workerId('E-1041');
      return stage;
    };
    await runFile(file, { mode: 'fast', boot, sink: () => {}, until: 1 });
    expect(reported).toBe(seen);
    expect((await runHere(['list', file])).stdout).toContain('A fall nobody answers becomes an SOS  [alerts, smoke]');
  });
});

describe('outside a project with scenarios', () => {
  const elsewhere = ownFolder();
  afterAll(() => elsewhere.remove());
  const there = { cwd: elsewhere.path };

  test('list shows the scenarios of the package by the names that run takes', async () => {
    const { code, stdout, stderr } = await runHere(['list'], there);
    expect(code).toBe(0);
    expect(stdout).toContain('fall-to-sos  A fall nobody answers becomes an SOS  [alerts, smoke]\n');
    expect(stderr).toContain('sandbox run NAME plays one');
    for (const flag of isWhole ? ['--json'] : []) {
      const { scenarios } = JSON.parse((await runHere(['list', flag], there)).stdout).data;
      expect(scenarios.map(({ name }: { name: string }) => name)).toContain('fall-to-sos');
    }
  });

  test('run finds them by name and by tag, and names the tag or the name that was meant', async () => {
    for (const word of ['call-request', 'tag:zones'])
      expect(await runHere(['run', word], there)).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('0 failed'),
      });
    expect((await runHere(['run', 'tag:smok'], there)).stderr).toContain('Did you mean "smoke"?');
    expect((await runHere(['run', 'call-reqest'], there)).stderr).toContain('Did you mean "call-request"?');
    const nothing = await runHere(['run'], there);
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('sandbox run fall-to-sos')]);
  });
});

describe('sandbox explain and schema', () => {
  test('tell of a step, of the subject of a check, and of a wrong word what was meant', async () => {
    expect((await runHere(['explain', 'fall'])).stdout).toContain(
      '  - fall: {who: ana, answers: ok, answers_after: 10s}',
    );
    expect((await runHere(['explain', 'delivery'])).stdout).toContain('dropped');
    expect(await runHere(['explain', 'fal'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "fall"?'),
    });
    expect((JSON.parse((await runHere(['schema'])).stdout) as { $schema: string }).$schema).toContain('draft-07');
  });

  test.each([
    [['receivers'], 'Receivers of events by short name'],
    [['within'], '29s..31s: at the earliest after 29 s'],
    [['one', 'of'], '"one of a, b" matches each of these values.'],
    [['a..b'], 'the seed selects a number or a duration from a to b'],
    [['worker'], 'in a check'],
    [['serves'], 'a key of "site" (Keys of a file)'],
    [[], 'How values are written'],
  ])('tell of every word of the language: %j', async (words, text) => {
    const { code, stdout } = await runHere(['explain', ...words]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(text) });
  });

  test('tell the same as JSON', async () => {
    const data = async (...words: string[]) => JSON.parse((await runHere(['explain', ...words, '--json'])).stdout).data;
    const { words } = await data();
    expect(words.map(({ word }: { word: string }) => word)).toEqual(
      expect.arrayContaining(['rules', 'fall', 'alert', 'as']),
    );
    expect(await data('worker')).toMatchObject({ words: [{ group: 'worker' }, { group: 'subjects' }], key_of: [] });
    expect(await data('fall_prompt')).toMatchObject({ words: [], key_of: [{ word: 'service' }] });
    const wrong = await runHere(['explain', 'recievers', '--json']);
    expect(JSON.parse(wrong.stdout)).toMatchObject({
      status: 'error',
      error: { actions: ['Did you mean "receivers"?'] },
    });
    expect(wrong.code).toBe(2);
  });
});

test('a scenario of the package goes by its name, and a wrong one gets the name that was meant', async () => {
  expect(await runHere(['run', 'fall-to-sos'], here)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('10 passed, 0 failed'),
  });
  expect(await runHere(['run', 'scenarios/fall-to-soss.scenario.yaml'], here)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('and no scenario of that name. Did you mean "fall-to-sos"?'),
  });
});
