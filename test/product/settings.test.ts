/** `sandbox.config.yaml` in the project: options of any command, each command takes its own. [cli] */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { eachOf } from '../helpers/each-of.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { runHere } from './here.ts';

const folder = ownFolder();
afterAll(() => folder.remove());

const SHORT = join(folder.path, 'short.scenario.yaml');
writeFileSync(SHORT, 'scenario: Short\nworkers: [ana]\nsteps:\n  - check: {alerts: open, of: ana, count: 0}\n');

function project(settings: string): string {
  const path = mkdtempSync(join(folder.path, 'project-'));
  writeFileSync(join(path, 'sandbox.config.yaml'), settings);
  return path;
}

/** Where the API is for a command of exec; null: it was not started. */
async function urlOfExec(cwd: string, env: Record<string, string>) {
  const words = ['exec', '--watches', '3', '--', 'sh', '-c', 'echo $SANDBOX_API_URL > url.txt'];
  const { code, stderr } = await runHere(words, { cwd, env });
  const file = join(cwd, 'url.txt');
  return { code, stderr, url: existsSync(file) ? readFileSync(file, 'utf8') : null };
}

/** Options of `up`, `run`, `fleet` and `logs`. */
const MIXED = 'port: 4700\nmqtt-port: 18830\njobs: 2\nseed: 9\nspeed: 20\nmode: fast\nlimit: 7\nwatches: 3\n';

test.each([
  [['gaps']],
  [['schema']],
  [['openapi']],
  [['asyncapi']],
  [['list', SHORT]],
  [['validate', SHORT]],
  [['explain', 'fall']],
  [['trigger', '--list']],
])('options of other commands are none of the business of %j', async (args) => {
  expect(await runHere(args, { cwd: project(MIXED) })).toMatchObject({ code: 0, stderr: '' });
});

test('a file of another command is not taken for a switch of the same name', async () => {
  const ran = (settings: string) => runHere(['run', SHORT], { cwd: project(settings) });
  expect(await ran('truth: truth.ndjson\n')).toMatchObject({ code: 0 });
  expect((await ran('fail-fast: maybe\n')).stderr).toContain('neither true nor false');
});

test('each command takes its own, and the command line wins', async () => {
  const cwd = project('port: 4700\nseed: 9\nlimit: 7\n');
  const seedOf = async (...args: string[]) => {
    const { stdout, code } = await runHere(['run', SHORT, '--json', ...args], { cwd });
    expect(code).toBe(0);
    return JSON.parse(stdout).data.runs[0].seed;
  };
  expect([await seedOf(), await seedOf('--seed', '4')]).toEqual([9, 4]);
});

test('several runs at a time are so many, and not each of them so many again', async () => {
  const { code, stdout } = await runHere(['run', SHORT, '--json'], { cwd: project('jobs: 2\nseed: 9\n') });
  expect({ code, runs: JSON.parse(stdout).data.runs.map(({ verdict }: { verdict: string }) => verdict) }).toEqual({
    code: 0,
    runs: ['passed'],
  });
});

test.each(['gaps', 'run'])('a name that no command knows stops %s, with the one that was meant', async (command) => {
  const { code, stderr } = await runHere([command, ...(command === 'run' ? [SHORT] : [])], {
    cwd: project('prot: 4700\n'),
  });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('sandbox.config.yaml: "prot" is not a flag of any command. Did you mean "port"?'),
  });
});

eachOf(
  [
    ['SANDBOX_STRICT', '0', 0],
    ['SANDBOX_TLS', 'false', 0],
    ['SANDBOX_TLS', '', 0],
    ['SANDBOX_MEMORY', 'maybe', 2],
  ],
  4,
)('a variable of a switch can be off: %s=%s', async (name, value, code) => {
  const [cwd, env] = [project(''), { [name]: value }];
  const { stderr, code: ended, url } = await urlOfExec(cwd, env);
  expect([ended, url]).toEqual([code, code === 0 ? expect.stringMatching(/^http:/) : null]);
  if (code !== 0)
    expect(stderr).toContain(`${name}=${value} is neither 1 nor 0.\n       Write ${name}=1, or leave it out.`);
});

test('a variable that is off wins over the settings', async () => {
  const cwd = project('tls: true\n');
  expect((await urlOfExec(cwd, { SANDBOX_TLS: '0' })).url).toMatch(/^http:/);
});

test.each([
  ['data-dir: 1.10', '1.10'],
  ['data-dir: 007', '007'],
  ['data-dir: 12345678901234567890', '12345678901234567890'],
])('a number is used for a flag as it is written: %s', async (setting, text) => {
  const { stderr } = await runHere(['status'], { cwd: project(`${setting}\n`) });
  expect(stderr).toContain(`No sandbox is running with the data folder ${text}.`);
});
