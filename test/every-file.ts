/** What holds in every test file: a title is a sentence and not the text of a function, no clock goes on running, the processor time is measured, and the shell in which it runs changes nothing. */
import { afterAll, beforeEach, type RunnerTestSuite } from 'vitest';
import { SimulatedClock } from '../src/base/time/simulated-clock.ts';
import { isAlone } from './helpers/needs.ts';
import { type ProcessorTime, processorTime, since } from './reporting/processor-time.ts';
import { hasNoSubject } from './titles.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Of a file: what this process and its children used while it ran. */
    processor?: ProcessorTime;
  }
}

const PATCHED = Symbol.for('muster-sandbox/clocks-under-test');
type Patched = typeof SimulatedClock.prototype & { [PATCHED]?: Set<SimulatedClock> };

/** The clocks that were started and not stopped. The module, and so the patch, outlives a file. */
function runningClocks(): Set<SimulatedClock> {
  const prototype: Patched = SimulatedClock.prototype;
  const known = prototype[PATCHED];
  if (known !== undefined) return known;
  const running = new Set<SimulatedClock>();
  const { start, stop } = prototype;
  prototype[PATCHED] = running;
  prototype.start = function (this: SimulatedClock) {
    running.add(this);
    start.call(this);
  };
  prototype.stop = function (this: SimulatedClock) {
    running.delete(this);
    stop.call(this);
  };
  return running;
}

const running = runningClocks();

/** What a job of CI or a user's shell has set, and a command would heed: tests set what they are about. */
const OF_THE_SHELL = /^(?:CI|COLORTERM|COLUMNS|LINES|NO_COLOR|GITHUB_.*|LC_.*|SANDBOX_.*|(?:https?|all|no)_proxy)$/i;

for (const name of Object.keys(process.env)) if (OF_THE_SHELL.test(name)) delete process.env[name];
// Of a locale that is not installed, bash warns at each start.
process.env['LANG'] = 'C.UTF-8';

const started = processorTime();

// The last hook of a file: test/reporting/reporter.ts adds up what the files cost.
// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this parameter.
afterAll(({}, file) => {
  file.meta.processor = since(started);
});

// A worker goes on with other files, and a lock-step clock would run beside them for ever.
afterAll(() => {
  for (const clock of [...running]) clock.stop();
});

// These tests have the machine for themselves; all others have run before. test/helpers/needs.ts
if (isAlone)
  beforeEach(({ task, skip }) => {
    for (let one: typeof task | RunnerTestSuite | undefined = task; one !== undefined; one = one.suite)
      if (one.meta.alone === true) return;
    skip('it does not need a machine of its own');
  });

/** What is wrong with the titles of a group, as far as its tests ran. Code that a test is about is written in backquotes. */
function* wrongTitles(group: RunnerTestSuite, above: readonly string[]): Generator<string> {
  for (const task of group.tasks) {
    const names = [...above, task.name];
    if (task.type === 'suite') yield* wrongTitles(task, names);
    else if (task.result !== undefined && task.mode !== 'skip') {
      if (/=>|\bfunction\b.*\{|\[Function/s.test(task.name.replace(/`[^`]*`/gs, '')))
        yield `The title of a test is the text of a function: ${task.name}`;
      for (const name of names.filter(hasNoSubject))
        yield `A title begins with its subject, and this one does not: "${name}".`;
    }
  }
}

// The sources are checked by test/house-language.test.ts; here are the titles that a table completes. Once for each file: a
// hook of each test takes as long as most tests.
// biome-ignore lint/correctness/noEmptyPattern: as above.
afterAll(({}, file) => {
  const wrong = [...new Set(wrongTitles(file, []))];
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
});
