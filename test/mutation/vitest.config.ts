/** The tests that judge the mutants of one room: `ROOM` names it. */
import { defineConfig } from 'vitest/config';

const TESTS: Readonly<Record<string, readonly string[]>> = {
  domain: ['test/domain/**/*.test.ts', 'test/engine/**/*.test.ts'],
  engine: ['test/engine/**/*.test.ts', 'test/domain/**/*.test.ts'],
  webhooks: ['test/webhooks/**/*.test.ts'],
  broker: ['test/broker/**/*.test.ts'],
  api: ['test/api/**/*.test.ts'],
};

const room = process.env['ROOM'] ?? 'domain';

export default defineConfig({
  test: {
    include: [...(TESTS[room] ?? [])],
    // A mutant for which a test waits in vain is noticed by that; waiting longer finds nothing more.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    isolate: false,
  },
});
