import { relative } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONG, STARTS_PROCESSES } from './test/not-quick.ts';

const ALL = ['test/**/*.test.{ts,tsx}'];
const NEVER = [...configDefaults.exclude, 'test/judges/**'];

/** In this order, before all others. */
const FIRST = ['scenario/playing/all-stories', 'product/mutate', 'sandbox/one-eye', 'fleet/life', 'product/restart'].map(
  (name) => `test/${name}.test.ts`,
);

/** The longest files first, so that no worker is left with one of them at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = FIRST.indexOf(relative(import.meta.dirname, moduleId));
      return rank < 0 ? FIRST.length : rank;
    };
    return [...files].sort((a, b) => rankOf(a) - rankOf(b) || b.project.name.localeCompare(a.project.name));
  }
}

export default defineConfig({
  test: {
    // Only for what hangs: a busy machine boots a child process ten times as slowly as an idle one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A worker keeps its modules from file to file: importing them anew took longer than most files take.
    isolate: false,
    // Not threads: libsql, a native module, aborts in a second one.
    pool: 'forks',
    // Two cores; the third worker works while another waits for child processes and sockets.
    maxWorkers: 3,
    // Tests that say that they may run beside each other wait more than they work.
    maxConcurrency: 12,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'whole', include: [...STARTS_PROCESSES, ...LONG], exclude: NEVER } },
      { extends: true, test: { name: 'quick', include: ALL, exclude: [...NEVER, ...STARTS_PROCESSES, ...LONG] } },
    ],
  },
});
