/** The example receivers pass `sandbox certify` and bear the scenarios of `sandbox explore`, each where its language is installed; where it is not, the name of the test says so. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { isSampled, isWhole } from '../helpers/whole.ts';
import { run } from './sandbox-process.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'examples');
const folder = ownFolder();
afterAll(() => folder.remove());

interface Example {
  readonly language: string;
  /** Commands that succeed where the language is installed. */
  readonly needs: readonly (readonly [command: string, ...args: string[]])[];
  readonly build?: string;
  readonly start: string;
  /** Checks that give advice. */
  readonly advice?: readonly number[];
}

const TSX = join(ROOT, 'node_modules/tsx/dist/loader.mjs');

const EXAMPLE_RECEIVERS: readonly Example[] = [
  { language: 'TypeScript', needs: [], start: `exec node --import ${TSX} ${EXAMPLES}/typescript/receiver.ts` },
  { language: 'Python', needs: [['python3', '--version']], start: `exec python3 ${EXAMPLES}/python/receiver.py` },
  {
    language: 'Go',
    needs: [['go', 'version']],
    build: `cd ${EXAMPLES}/go && go build -o ${folder.path}/go-receiver .`,
    start: `exec ${folder.path}/go-receiver`,
  },
  {
    language: 'Java',
    needs: [['javac', '--version']],
    build: `javac -d ${folder.path}/java ${EXAMPLES}/java/*.java`,
    start: `exec java -cp ${folder.path}/java Receiver`,
  },
  {
    language: 'C#',
    needs: [
      ['mcs', '--version'],
      ['mono', '--version'],
      // These parts of Mono are packages of their own.
      ['ls', ...['Net.Http', 'Runtime.Serialization', 'Xml.Linq'].map((name) => `/usr/lib/mono/gac/System.${name}`)],
    ],
    build: `mcs -out:${folder.path}/receiver.exe -r:System.Net.Http -r:System.Runtime.Serialization -r:System.Xml -r:System.Xml.Linq ${EXAMPLES}/csharp/*.cs`,
    start: `exec mono ${folder.path}/receiver.exe`,
  },
  {
    language: 'PHP',
    needs: [['php', '--version']],
    start: `export TMPDIR=${folder.path} PHP_CLI_SERVER_WORKERS=4; php ${EXAMPLES}/php/poller.php & exec php -S 127.0.0.1:$PORT ${EXAMPLES}/php/receiver.php`,
    // Its server closes each connection.
    advice: [37],
  },
  { language: 'Ruby', needs: [['ruby', '-e', 'require "webrick"']], start: `exec ruby ${EXAMPLES}/ruby/receiver.rb` },
];

/** The rules that stand beside the examples. */
const RULES = readFileSync(join(EXAMPLES, 'receiver.explore.yaml'), 'utf8');
const SCENARIOS = isWhole ? 10 : 3;

function built(command: string | undefined): void {
  if (command === undefined) return;
  const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, expect.any(String)]);
}

const missing = ({ needs }: Example): string | undefined =>
  needs.find(([command, ...args]) => spawnSync(command, args).status !== 0)?.join(' ');

/** They page nobody, and take a new secret at a start only. */
const NOT_OF_EXAMPLES = [61, 62, 63];

interface Checked {
  readonly number: number;
  readonly result: string;
  readonly came_back: string;
  readonly cure: string | null;
}

describe.concurrent('the example receiver', () => {
  // Two of them are enough for the loop of an editor.
  for (const [place, example] of EXAMPLE_RECEIVERS.slice(0, isWhole ? undefined : 2).entries()) {
    const { language, build, start, advice = [] } = example;
    const without = missing(example);
    const name = without === undefined ? '' : ` (skipped: there is no "${without}" on this machine)`;
    test.skipIf(without !== undefined || !isSampled(place, 2))(`in ${language} passes certify${name}`, async () => {
      built(build);
      const address = `http://127.0.0.1:${await freePort()}`;
      const args = ['certify', `${address}/hook`, '--probe', `${address}/state`, '--start-command', start, '--json'];
      const { code, stdout, stderr } = await run(args, { cwd: folder.path, env: { POLL_SECONDS: '1' } });
      const { data, error } = JSON.parse(stdout);
      expect([error, stderr]).toEqual([null, '']);
      const checks = data.checks as Checked[];
      const other = checks.filter(({ result }) => result !== 'passed');
      const isExpected = ({ result, number }: Checked) =>
        result === 'advice' ? advice.includes(number) : result === 'not_judged' && NOT_OF_EXAMPLES.includes(number);
      expect(other.filter((one) => !isExpected(one))).toEqual([]);
      expect([code, checks.length]).toEqual([0, 64]);
    });

    test.skipIf(without !== undefined || !isWhole)(
      `in ${language} bears the scenarios of explore${name}`,
      {
        timeout: 300_000,
      },
      async () => {
        built(build);
        const file = join(folder.path, `${language}.explore.yaml`);
        // Each scenario starts it anew, with a folder of its own for what it writes.
        const command = `export POLL_SECONDS=0.2 TMPDIR=$(mktemp -d -p ${folder.path}); ${start}`;
        writeFileSync(file, RULES.replace(/start: .*/, `start: ${JSON.stringify(command)}`));
        const args = ['explore', file, '--runs', String(SCENARIOS), '--jobs', '1', '--seed', '5', '--json'];
        const { code, stdout, stderr } = await run(args, { cwd: folder.path });
        const { data, error } = JSON.parse(stdout);
        expect([data?.finding, error]).toEqual([null, null]);
        expect(stderr).toContain('nothing found');
        expect([code, data.stories]).toEqual([0, SCENARIOS]);
      },
    );
  }
});
