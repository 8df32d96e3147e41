import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/judges/**'],
    // Only for what hangs: a busy machine boots a child process ten times as slowly as an idle one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Much of the suite waits for child processes and sockets, so two files at a time suit two cores.
    maxWorkers: 2,
    // Tests that say that they may run beside each other wait more than they work.
    maxConcurrency: 12,
  },
});
