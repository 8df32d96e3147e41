/** The example receivers pass `sandbox certify` and bear the scenarios of `sandbox explore`, each where its language is installed. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { freePort } from '../helpers/free-port.ts';
import { type Lack, withoutMonoPart, withoutPrograms } from '../helpers/needs.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { withoutPart } from '../helpers/program-part.ts';
import { unless } from '../helpers/unless.ts';
import { isWhole, sampled, withoutWhole } from '../helpers/whole.ts';
import { runHere } from './here.ts';
import { run } from './sandbox-process.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const EXAMPLES = join(ROOT, 'examples');
const folder = ownFolder();
afterAll(() => folder.remove());

interface Example {
  readonly language: string;
  /** Why the language cannot be had here. */
  readonly without?: () => Lack | null;
  readonly build?: string;
  readonly start: string;
  /** Checks that give advice. */
  readonly advice?: readonly number[];
}

const TSX = join(ROOT, 'node_modules/tsx/dist/loader.mjs');

const EXAMPLE_RECEIVERS: readonly Example[] = [
  { language: 'TypeScript', start: `exec node --import ${TSX} ${EXAMPLES}/typescript/receiver.ts` },
  {
    language: 'Python',
    without: () => withoutPrograms('python3'),
    start: `exec python3 ${EXAMPLES}/python/receiver.py`,
  },
  {
    language: 'Go',
    without: () => withoutPrograms('go'),
    build: `cd ${EXAMPLES}/go && go build -o ${folder.path}/go-receiver .`,
    start: `exec ${folder.path}/go-receiver`,
  },
  {
    language: 'Java',
    without: () => withoutPrograms('javac', 'java'),
    build: `javac -d ${folder.path}/java ${EXAMPLES}/java/*.java`,
    start: `exec java -cp ${folder.path}/java Receiver`,
  },
  {
    language: 'C#',
    without: () =>
      withoutPrograms('mcs', 'mono') ??
      withoutMonoPart('Net.Http') ??
      withoutMonoPart('Runtime.Serialization') ??
      withoutMonoPart('Xml.Linq'),
    build: `mcs -out:${folder.path}/receiver.exe -r:System.Net.Http -r:System.Runtime.Serialization -r:System.Xml -r:System.Xml.Linq ${EXAMPLES}/csharp/*.cs`,
    start: `exec mono ${folder.path}/receiver.exe`,
  },
  {
    language: 'PHP',
    without: () => withoutPrograms('php'),
    start: `export TMPDIR=${folder.path} PHP_CLI_SERVER_WORKERS=4; php ${EXAMPLES}/php/poller.php & exec php -S 127.0.0.1:$PORT ${EXAMPLES}/php/receiver.php`,
    // Its server closes each connection.
    advice: [37],
  },
  {
    language: 'Ruby',
    without: () =>
      withoutPart('ruby with webrick', 'apt-get install ruby ruby-webrick', ['ruby', '-e', 'require "webrick"']),
    start: `exec ruby ${EXAMPLES}/ruby/receiver.rb`,
  },
];

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
