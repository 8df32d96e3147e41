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
    // A mutant for which a test waits in vain is noticed by that; waiting longer finds nothing more.
    testTimeout: 20_000,
    hookTimeout: 20_000,
    isolate: false,
  },
});
