/** Runs types, lint and structure beside each other, and prints the output of each as a whole: `npm run check`. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const TSC = 'typescript/bin/tsc';

/** Each checker of tsc has all types for itself: with few cores, one is as quick for two thirds of the processor time. */
const CHECKERS = ['--checkers', availableParallelism() > 4 ? '4' : '1'];

const BROWSER = [
  'watching/updates',
  'service/panel/browser',
  'service/api/guide/browser',
  'service/api/reference/browser',
  'scenario/reporting/html/browser',
];

/** Programs of node_modules with their arguments. Those of one row run after each other. */
const ROWS: readonly (readonly (readonly string[])[])[] = [
  [
    [TSC, '--noEmit', ...CHECKERS],
    ...BROWSER.map((folder) => [TSC, '--noEmit', '-p', `src/${folder}`]),
    // The published types; what is in them was checked above.
    [TSC, '-p', 'tsconfig.build.json', '--noEmit', '--emitDeclarationOnly', 'false', '--noCheck'],
  ],
  [
    ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
    ['vitest/vitest.mjs', 'run', 'test/house', 'test/selection', 'test/reporting/summary'],
  ],
];

const only = process.argv[2];

async function ran([program = '', ...args]: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [join(ROOT, 'node_modules', program), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  const code = await new Promise<number | null>((done) => child.once('close', done));
  process.stdout.write(printed);
  return code === 0;
}

const outcomes = await Promise.all(
  ROWS.map(async (row) => {
    let isRight = true;
    for (const one of row) if (only === undefined || one[0]?.startsWith(only)) isRight = (await ran(one)) && isRight;
    return isRight;
  }),
);
if (outcomes.includes(false)) {
  process.stdout.write('check: something is wrong; see above.\n');
  process.exitCode = 1;
}
