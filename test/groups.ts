/** Test files that are run in a way of their own, as globs from the root of the project. */

/** Left out by `npm run test:quick`: they start child processes or a browser; test/house.test.ts checks that no other file does. */
export const STARTS_PROCESSES: readonly string[] = [
  'test/service/api/long-life.test.ts',
  'test/architecture/architecture.test.ts',
  'test/service/broker/any-broker.test.ts',
  'test/service/broker/claims.test.ts',
  'test/service/broker/external-broker.test.ts',
  'test/proving/certify/watch/watches.test.ts',
  'test/proving/compare/recorded-browser.test.ts',
  'test/proving/compare/report-browser.test.ts',
  'test/docs/pages.test.ts',
  'test/product/*.test.ts',
  'test/proving/drill/report-browser.test.ts',
  'test/service/panel/browser.test.ts',
  'test/service/panel/guide-browser.test.ts',
  'test/service/panel/held-list.test.ts',
  'test/service/panel/looks-browser.test.ts',
  'test/service/panel/tls.test.ts',
  'test/service/panel/urgent-browser.test.ts',
  'test/reporting/reporter.test.ts',
  'test/service/panel/after-action/browser.test.ts',
  'test/sandbox/fleet-brokers.test.ts',
  'test/scenario/reporting/report-browser.test.ts',
  'test/watching/updates/anew-browser.test.ts',
  'test/service/store/damage.test.ts',
  'test/service/store/data-folder.test.ts',
  'test/service/store/faults.test.ts',
  'test/service/store/nodes.test.ts',
  'test/service/store/postgres.test.ts',
];

/**
 * Left out by a plain `npm test`: each starts the command many times, or plays a large world, for rules that a cheaper test has too, by its files here.
 * `.ci/run` runs them, and so does a run that names them or their module. The summary of a run counts them.
 */
export const IN_CI: Readonly<Record<string, readonly string[]>> = {
  'test/product/certify-watch.test.ts': ['test/proving/certify/watch/watches.test.ts'],
  'test/product/certify.test.ts': ['test/proving/certify/receivers.test.ts', 'test/proving/certify/lateness.test.ts'],
  'test/product/compare.test.ts': ['test/proving/compare/judge.test.ts', 'test/proving/compare/proxy.test.ts'],
  'test/product/damage.test.ts': ['test/service/store/damage.test.ts'],
  'test/product/dashboard-tmux.test.ts': ['test/dashboard/terminal.test.ts', 'test/dashboard/frame.test.ts'],
  'test/product/dashboard.test.ts': ['test/dashboard/terminal.test.ts', 'test/dashboard/screen.test.ts'],
  'test/product/drill.test.ts': ['test/proving/drill/figures.test.ts', 'test/proving/drill/play.test.ts'],
  'test/product/encoders.test.ts': ['test/service/domain/deliveries/mistakes.test.ts'],
  'test/product/explore.test.ts': ['test/proving/explore/search.test.ts', 'test/proving/explore/scenarios.test.ts'],
  'test/product/extremes.test.ts': ['test/service/api/reach.test.ts', 'test/service/api/bad-input.test.ts'],
  'test/product/from-code.test.ts': ['test/library/sandbox.test.ts'],
  'test/product/library.test.ts': ['test/library/sandbox.test.ts', 'test/library/isolated.test.ts'],
  'test/product/mutate.test.ts': ['test/scenario/playing/mutate.test.ts'],
  'test/product/node-clocks.test.ts': ['test/sandbox/resumed-clock.test.ts'],
  'test/product/nodes.test.ts': ['test/service/store/nodes.test.ts'],
  'test/product/postgres.test.ts': ['test/service/store/postgres.test.ts'],
  'test/product/restart.test.ts': ['test/sandbox/restart.test.ts'],
  'test/product/seeds-and-orders.test.ts': ['test/scenario/playing/simultaneous.test.ts'],
  'test/product/side-by-side.test.ts': ['test/library/isolated.test.ts'],
  'test/product/tls-clients.test.ts': ['test/service/store/authority.test.ts', 'test/cli/banner.test.ts'],
  'test/product/tls.test.ts': ['test/library/tls.test.ts', 'test/service/store/authority.test.ts'],
  'test/product/true-messages.test.ts': ['test/service/store/faults.test.ts'],
  'test/sandbox/counted-musters.test.ts': [
    'test/service/domain/musters/count.test.ts',
    'test/fleet/sensing.test.ts',
    'test/sandbox/muster-run.test.ts',
  ],
};

/** Left out by `npm run test:quick` as well: each of them takes many seconds of CPU time, or waits for seconds of wall time. */
export const LONG: readonly string[] = [
  'test/proving/compare/deviations.test.ts',
  'test/proving/explore/planted-bugs.test.ts',
  'test/proving/explore/search.test.ts',
  'test/proving/certify/watch/watches.test.ts',
  'test/product/certify-watch.test.ts',
  'test/scenario/playing/all-scenarios.test.ts',
  'test/service/panel/browser.test.ts',
  'test/product/commands-in-files.test.ts',
  'test/product/damage.test.ts',
  'test/product/hostile-files.test.ts',
  'test/product/reading-over-http.test.ts',
  'test/product/restart.test.ts',
  'test/product/examples.test.ts',
  'test/docs/pages.test.ts',
  'test/product/library.test.ts',
  'test/proving/certify/receivers.test.ts',
  'test/fleet/life.test.ts',
  'test/fleet/guidelines/guidelines.test.ts',
  'test/proving/certify/client.test.ts',
  'test/sandbox/counted-musters.test.ts',
  'test/sandbox/one-eye.test.ts',
  'test/surfaces/surfaces.test.ts',
  'test/scenario/language/explain.test.ts',
  'test/sandbox/ambient.test.ts',
  'test/sandbox/stuck.test.ts',
  'test/sandbox/muster-run.test.ts',
  'test/service/broker/downlinks.test.ts',
  'test/sandbox/restart.test.ts',
  'test/dashboard/terminal.test.ts',
  'test/scenario/judging/never.test.ts',
];

/** About how long the longest files take with all rows (WHOLE=1), so that none is left alone at the end; seconds. */
export const WITH_ALL_ROWS: Readonly<Record<string, number>> = {
  'test/scenario/playing/hints.test.ts': 500,
  'test/scenario/playing/page-hints.test.ts': 400,
  'test/proving/compare/deviations.test.ts': 250,
  'test/product/hostile-files.test.ts': 180,
  'test/scenario/playing/all-scenarios.test.ts': 170,
  'test/product/from-clone.test.ts': 120,
  'test/fleet/life.test.ts': 110,
  'test/proving/explore/search.test.ts': 105,
  'test/product/damage.test.ts': 90,
  'test/sandbox/counted-musters.test.ts': 85,
  'test/scenario/language/explain.test.ts': 85,
  'test/service/panel/browser.test.ts': 80,
  'test/product/restart.test.ts': 75,
  'test/proving/compare/worlds.test.ts': 75,
  'test/docs/pages.test.ts': 72,
  'test/product/commands-in-files.test.ts': 65,
  'test/product/examples.test.ts': 63,
  'test/product/no-telemetry.test.ts': 60,
  'test/product/library.test.ts': 58,
  'test/service/panel/guide-browser.test.ts': 54,
  'test/proving/certify/control-room.test.ts': 50,
  'test/proving/explore/planted-bugs.test.ts': 47,
  'test/surfaces/surfaces.test.ts': 46,
};

/** Each of these has modules of its own: it looks at what is loaded with a module for the first time (whether the first check registers the formats). */
export const ISOLATED: readonly string[] = ['test/contract/check.test.ts'];

/** chalk decides about colours when it is loaded, so these have workers of their own. */
export const COLOURED: readonly string[] = ['test/dashboard/*.test.ts', 'test/dashboard/components.test.tsx'];

/**
 * Test files that mostly wait for real time, and for how long; seconds. vitest.config.ts distributes them over the run,
 * because several of them at the same time would leave a core idle.
 */
export const WAITING: Readonly<Record<string, number>> = {
  'test/proving/explore/search.test.ts': 25,
  'test/proving/certify/watch/watches.test.ts': 38,
  'test/proving/certify/control-room.test.ts': 32,
  'test/scenario/playing/all-scenarios.test.ts': 30,
  'test/proving/certify/client.test.ts': 27,
  'test/product/certify-watch.test.ts': 20,
  'test/service/webhooks/answers.test.ts': 18,
  'test/product/commands-in-files.test.ts': 10,
  'test/product/examples.test.ts': 9,
  'test/product/dashboard-tmux.test.ts': 9,
  'test/service/store/nodes.test.ts': 6,
};

/**
 * Options that delay the optimization of a function until V8 has executed this number of bytes of it (default: 67,584). Node
 * 22 and newer have no such option, and Node refuses to start with an unknown one.
 */
export const lateOptimization = (bytes: number): readonly string[] =>
  process.versions.node.startsWith('20.') ? [`--interrupt-budget=${bytes}`] : [];
