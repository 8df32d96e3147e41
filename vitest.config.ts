import { relative } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { ISOLATED, LONG, STARTS_PROCESSES } from './test/groups.ts';

/** `npm run test:quick` sets it. */
const isQuick = process.env['QUICK'] === '1';
const exclude = [
  ...configDefaults.exclude,
  'test/judges/**',
  'test/runners/**',
  ...(isQuick ? [...STARTS_PROCESSES, ...LONG] : []),
];

/** The longest files first, so that no worker is left with one of them at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const file = relative(import.meta.dirname, moduleId);
      if (LONG.includes(file)) return LONG.indexOf(file);
      return LONG.length + (file.startsWith('test/product/') ? 0 : 1);
    };
    // A worker cannot go on with files of another project, so those of one stand together.
    return [...files].sort((a, b) => rankOf(a) - rankOf(b) || b.project.name.localeCompare(a.project.name));
  }
}

export default defineConfig({
  oxc: { jsx: { development: false } },
  test: {
    // Sources are transformed once, not anew in each run and for each worker.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest-modules' },
    // Only for what hangs: a busy machine boots a child process ten times as slowly as an idle one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A worker keeps its modules from file to file: importing them anew took longer than most files take.
    isolate: false,
    // Not threads: libsql, a native module, aborts in a second one.
    pool: 'forks',
    // Two cores; the third worker works while others wait for child processes and sockets. Each imports all modules anew.
    maxWorkers: 3,
    // Tests that say that they may run beside each other wait more than they work.
    maxConcurrency: 12,
    env: {
      // As `npm test` has it: messages print `npx sandbox`, on a machine with a global installation too.
      npm_command: 'run-script',
      // As the package is built: React for development takes half as long again for each frame of the dashboard.
      NODE_ENV: 'production',
    },
    setupFiles: ['test/every-file.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'isolated', include: [...ISOLATED], exclude, isolate: true } },
      {
        extends: true,
        test: { name: 'shared', include: ['test/**/*.test.{ts,tsx}'], exclude: [...exclude, ...ISOLATED] },
      },
    ],
  },
});
