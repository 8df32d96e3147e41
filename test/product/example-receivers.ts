/** The example receivers: how each is built and started, and a scenario of the user with one of them as the system. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CoverageView } from '../../src/contract/operations/coverage.ts';
import { COVERAGE_GROUPS, COVERAGE_ITEMS } from '../../src/service/api/coverage/catalogue.ts';
import { type Lack, withoutMonoPart, withoutPrograms } from '../helpers/needs.ts';
import { withoutPart } from '../helpers/program-part.ts';

const ROOT = resolve(import.meta.dirname, '../..');
export const EXAMPLES = join(ROOT, 'examples');

export interface ExampleReceiver {
  readonly language: string;
  /** Why the language cannot be had here. */
  readonly without?: () => Lack | null;
  readonly build?: string;
  readonly start: string;
  /** Checks that give advice. */
  readonly advice?: readonly number[];
}

const TSX = join(ROOT, 'node_modules/tsx/dist/loader.mjs');

/** `folder`: for what they compile and write. */
export const exampleReceivers = (folder: string): readonly ExampleReceiver[] => [
  { language: 'TypeScript', start: `exec node --import ${TSX} ${EXAMPLES}/typescript/receiver.ts` },
  {
    language: 'Python',
    without: () => withoutPrograms('python3'),
    start: `exec python3 ${EXAMPLES}/python/receiver.py`,
  },
  {
    language: 'Go',
    without: () => withoutPrograms('go'),
    build: `cd ${EXAMPLES}/go && go build -o ${folder}/go-receiver .`,
    start: `exec ${folder}/go-receiver`,
  },
  {
    language: 'Java',
    without: () => withoutPrograms('javac', 'java'),
    build: `javac -d ${folder}/java ${EXAMPLES}/java/*.java`,
    start: `exec java -cp ${folder}/java Receiver`,
  },
  {
    language: 'C#',
    without: () =>
      withoutPrograms('mcs', 'mono') ??
      withoutMonoPart('Net.Http') ??
      withoutMonoPart('Runtime.Serialization') ??
      withoutMonoPart('Xml.Linq'),
    build: `mcs -out:${folder}/receiver.exe -r:System.Net.Http -r:System.Runtime.Serialization -r:System.Xml -r:System.Xml.Linq ${EXAMPLES}/csharp/*.cs`,
    start: `exec mono ${folder}/receiver.exe`,
  },
  {
    language: 'PHP',
    without: () => withoutPrograms('php'),
    start: `export TMPDIR=${folder} PHP_CLI_SERVER_WORKERS=4; php ${EXAMPLES}/php/poller.php & exec php -S 127.0.0.1:$PORT ${EXAMPLES}/php/receiver.php`,
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

/** The cells of the table in docs/coverage.md, of a file that `--coverage` wrote. */
export function coverageCells(file: string): string {
  const { coverage } = JSON.parse(readFileSync(file, 'utf8')).data as { coverage: CoverageView };
  const met = new Set(coverage.companies.flatMap((company) => company.met.map(({ id }) => id)));
  return COVERAGE_GROUPS.map((group) => {
    const items = COVERAGE_ITEMS.filter((item) => item.group === group);
    return `${items.filter(({ id }) => met.has(id)).length}/${items.length}`;
  }).join(' | ');
}

/** The steps of the quick start for receivers. */
export const QUICK_START = `scenario: The steps of the quick start
workers: [ana]
steps:
  - fall: {who: ana, answers: never}
  - wait: 1m
`;

/** The scenario with a receiver more, which is the system that this command starts. */
export function withSystem(scenario: string, start: string): string {
  const own = 'own: {url: /hook, events: [alert.*, muster.*]}';
  const system = `system:\n  start: ${JSON.stringify(`export POLL_SECONDS=0.2; ${start}`)}\n  ready: /state\n`;
  const received = /^receivers:/m.test(scenario)
    ? scenario.replace(/^receivers:\s*(?:\{|(?:#.*)?\n)/m, (head) =>
        head.endsWith('{') ? `${head}${own}, ` : `${head}  ${own}\n`,
      )
    : scenario.replace(/^steps:/m, `receivers:\n  ${own}\nsteps:`);
  return received.replace(/^steps:/m, `${system}steps:`);
}
