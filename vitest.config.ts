import { relative } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import {
  COLOURED,
  IN_CI,
  ISOLATED,
  LONG,
  lateOptimization,
  STARTS_PROCESSES,
  WAITING,
  WITH_ALL_ROWS,
} from './test/groups.ts';

const isWhole = process.env['WHOLE'] === '1';
/** `npm run test:quick` sets it. */
const isQuick = process.env['QUICK'] === '1';
const exclude = [
  ...configDefaults.exclude,
  'test/judges/**',
  'test/runners/**',
  ...(isQuick ? [...STARTS_PROCESSES, ...LONG] : []),
  // A plain `npm test` sets it.
  ...(process.env['EVERYDAY'] === '1' ? Object.keys(IN_CI) : []),
];

/** About how long a file takes; s. */
const secondsOf = (file: string): number =>
  (isWhole ? WITH_ALL_ROWS[file] : undefined) ?? (LONG.includes(file) ? 8 : file.startsWith('test/product/') ? 4 : 0.8);

/**
 * The longest files first, so that no worker is left with one of them at the end. Beside each file that waits, the two
 * other workers have files that compute.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const fileOf = ({ moduleId }: TestSpecification) => relative(import.meta.dirname, moduleId);
    const waitOf = (one: TestSpecification) => WAITING[fileOf(one)] ?? 0;
    const rankOf = (one: TestSpecification) => -secondsOf(fileOf(one));
    // A worker cannot go on with files of another project, so those of one stand together.
    const computing = files
      .filter((one) => waitOf(one) === 0)
      .sort((a, b) => rankOf(a) - rankOf(b) || b.project.name.localeCompare(a.project.name));
    const waiting = files.filter((one) => waitOf(one) > 0).sort((a, b) => waitOf(b) - waitOf(a));
    const sorted: TestSpecification[] = [];
    let [waited, computed] = [0, 0];
    for (const one of computing) {
      while (computed >= 2 * waited) {
        const next = waiting.shift();
        if (next === undefined) break;
        sorted.push(next);
        waited += waitOf(next);
      }
      sorted.push(one);
      computed += secondsOf(fileOf(one));
    }
    return [...sorted, ...waiting];
  }
}

export default defineConfig({
  oxc: { jsx: { development: false } },
  test: {
    // Sources are transformed once, not anew in each run and for each worker.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest-modules' },
    // Only for what hangs: a busy machine boots a child process ten times as slowly as an idle one. No test has its own.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // Only for what never comes, for the same reason: what comes late has come.
    expect: { poll: { timeout: 600_000 } },
    // A worker keeps its modules from file to file: importing them anew took longer than most files take.
    isolate: false,
    // Not threads: libsql, a native module, aborts in a second one.
    pool: 'forks',
    // Workers keep the modules and worlds of all files: with the small young generation of Node, a tenth of their time is collection.
    // Most code runs a few times only: optimizing it as early as Node does costs a seventh more. Three workers share two cores, so
    // that threads beside the collection are a cost too.
    execArgv: ['--max-semi-space-size=64', '--single-threaded-gc', ...lateOptimization(1_000_000)],
    // Two cores; the third worker works while others wait for child processes and sockets. Each imports all modules anew.
    // All rows wait more: with three workers, a fifth of the two cores was idle.
    maxWorkers: isWhole ? 4 : 3,
    // Tests that say that they may run beside each other wait more than they work.
    maxConcurrency: 12,
    env: {
      // As `npm test` has it: messages print `npx sandbox`, on a machine with a global installation too.
      npm_command: 'run-script',
      // As the package is built: React for development takes half as long again for each frame of the dashboard.
      NODE_ENV: 'production',
    },
    reporters: ['default', './test/reporting/reporter.ts'],
    setupFiles: ['test/every-file.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'isolated', include: [...ISOLATED], exclude, isolate: true } },
      { extends: true, test: { name: 'coloured', include: [...COLOURED], exclude, env: { FORCE_COLOR: '1' } } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...exclude, ...ISOLATED, ...COLOURED],
        },
      },
    ],
  },
});
