/** Which tests belong to which module of src, besides those of its folder in test/. */

/**
 * Tests outside of test/MODULE/, as globs. Most of them start the built command by its path, so no import leads from them to
 * the module. A test may belong to several modules; each belongs to one at least, as test/selection/selection.test.ts checks.
 */
export const BELONGS: Readonly<Record<string, readonly string[]>> = {
  api: product('api-documents', 'coverage', 'encoders', 'extremes', 'reading-over-http').concat('test/surfaces/*'),
  base: product('fitted', 'printable', 'readers', 'local-files', 'hostile-files'),
  broker: product('external-broker', 'fleet', 'mosquitto', 'nodes', 'packet-numbers'),
  certify: product('certify', 'certify-watch', 'examples'),
  cli: product(
    ...[
      'commands-in-files',
      'completion',
      'coverage',
      'doctor',
      'exec',
      'explain-delivery',
      'first-minutes',
      'fitted',
      'from-clone',
      'compiled-code',
      'loaded-packages',
    ],
    ...['help', 'json-everywhere', 'last-resort', 'listen', 'mcp', 'printable', 'readers', 'settings', 'tls-commands'],
    ...['uses', 'world-and-status'],
  ).concat('test/docs/*', 'test/generated/*'),
  compare: product('compare'),
  contract: product('api-documents', 'encoders', 'extremes', 'help').concat('test/generated/*', 'test/surfaces/*'),
  dashboard: product('dashboard', 'dashboard-tmux').concat('test/surfaces/*'),
  domain: product('extremes', 'kill', 'restart').concat('test/surfaces/*'),
  drawing: product('drill', 'reports').concat('test/watching/regions*'),
  drill: product('drill'),
  engine: product('kill', 'node-clocks', 'nodes', 'states', 'true-messages'),
  explore: product('explore', 'examples', 'control-rooms'),
  fleet: product('certify-watch', 'fleet', 'packet-numbers', 'restart'),
  library: product('from-code', 'library', 'no-telemetry').concat('test/generated/*'),
  panel: product('tls').concat('test/surfaces/*'),
  plant: product('first-minutes', 'up').concat('test/generated/*'),
  sandbox: product(
    ...[
      'deploy',
      'extremes',
      'local-files',
      'no-telemetry',
      'restart',
      'running-scenarios',
      'scenario-killed',
      'settings',
    ],
    ...['side-by-side', 'states', 'tls', 'tls-clients', 'true-messages', 'up'],
  ).concat('test/architecture/*'),
  scenario: product(
    ...['again', 'commands-in-files', 'held-runs', 'hostile-files', 'interrupted-runs', 'mutate', 'reading-over-http'],
    ...[
      'replay',
      'report-flags',
      'report-names',
      'reports',
      'run-flags',
      'run-logs',
      'running-scenarios',
      'scenario-killed',
      'scenarios',
      'seeds-and-orders',
    ],
    ...['validate-fix', 'which-cases'],
  ).concat('test/generated/*'),
  store: product('damage', 'kill', 'local-files', 'node-clocks', 'nodes', 'postgres', 'states', 'true-messages'),
  state: ['test/dashboard/lines*', 'test/watching/*.test.ts', 'test/surfaces/*'],
  regions: ['test/watching/*.test.ts', 'test/service/panel/*', 'test/surfaces/*'],
  updates: ['test/service/panel/*', 'test/scenario/reporting/*'],
  webhooks: product('deploy', 'explain-delivery', 'listen', 'replay'),
};

/** Tests that a file outside of src and test belongs to, by the beginning of its path. `test/*`: all. */
export const OTHER_FILES: readonly (readonly [path: string, tests: readonly string[]])[] = [
  ['package.json', ['test/*']],
  ['package-lock.json', ['test/*']],
  ['vitest.config.ts', ['test/*']],
  ['tsconfig', ['test/product/*', 'test/architecture/*']],
  ['bin/', ['test/product/*']],
  ['build.js', ['test/product/*']],
  ['scenarios/', ['test/scenario/*', ...product('mutate', 'scenarios')]],
  ['scenario.schema.json', ['test/scenario/*', 'test/generated/*']],
  ['docs/', ['test/docs/*', 'test/generated/*', 'test/architecture/*', 'test/house*', 'test/service/panel/guide*']],
  ['README.md', ['test/docs/*', 'test/house*', 'test/product/library*']],
  ['examples/', ['test/docs/*', ...product('examples', 'library')]],
  ['deploy/', product('deploy')],
  ['action/', product('deploy')],
  ['bench/', ['test/house*', ...product('control-rooms')]],
];

function product(...names: readonly string[]): string[] {
  return names.map((name) => `test/product/${name}.test.ts`);
}
