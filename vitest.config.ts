import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/judges/**'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Much of the suite waits for child processes and sockets, so two files at a time suit two cores.
    maxWorkers: 2,
  },
});
