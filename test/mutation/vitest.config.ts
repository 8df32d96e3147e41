/** The tests that judge the mutants of one module: `MODULE` names it. */
import { defineConfig } from 'vitest/config';

const TESTS: Readonly<Record<string, readonly string[]>> = {
  domain: ['test/service/domain/**/*.test.ts', 'test/service/engine/**/*.test.ts'],
  engine: ['test/service/engine/**/*.test.ts', 'test/service/domain/**/*.test.ts'],
  webhooks: ['test/service/webhooks/**/*.test.ts'],
  broker: ['test/service/broker/**/*.test.ts'],
  api: ['test/service/api/**/*.test.ts'],
};

const module = process.env['MODULE'] ?? 'domain';

export default defineConfig({
  test: {
    include: [...(TESTS[module] ?? [])],
    // Waits for limits in real time would be added to each mutant that they reach; limit.test.ts passes the same limits.
    testNamePattern: /^(?!.*that never ends?$)/,
    // A mutant for which a test waits in vain is noticed by that; waiting longer finds nothing more.
    testTimeout: 5_000,
    hookTimeout: 5_000,
    isolate: false,
  },
});
