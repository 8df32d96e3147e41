/** Stryker for one module; `run.mjs` calls it. */
const { MODULE = 'domain', MUTATE = `src/service/${MODULE}/**/*.ts`, CORES = '2' } = process.env;

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  mutate: MUTATE.split(','),
  // Tests that a mutant is reached by, and no others.
  coverageAnalysis: 'perTest',
  // What a message says in other words breaks no rule; what it names is judged by the tests of messages.
  mutator: { excludedMutations: ['StringLiteral'] },
  // A constant of a module is one mutant for all tests: minutes each, for what the tables of the tests say already.
  ignoreStatic: true,
  ignorePatterns: [
    '/.mutation',
    '/.bench',
    '/docs',
    '/dist',
    '/bench',
    '/test/judges',
    '/test/mutation/node_modules',
    '.sandbox',
  ],
  concurrency: Number(CORES),
  timeoutMS: 10_000,
  tempDirName: '.mutation/tmp',
  reporters: ['json', 'html', 'progress-append-only'],
  jsonReporter: { fileName: `.mutation/${MODULE}.json` },
  htmlReporter: { fileName: `.mutation/${MODULE}.html` },
  checkers: [],
  // TypeScript 7 has no API that could rewrite it, and nothing here reads it.
  tsconfigFile: 'none.json',
  allowEmpty: true,
};
