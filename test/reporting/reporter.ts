/** The reporter of this project, beside one of vitest: prints the last lines of a run. */
import { relative, sep } from 'node:path';
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node';
import { IN_CI } from '../groups.ts';
import type { SkipReason } from '../helpers/needs.ts';
import { isWhole } from '../helpers/whole.ts';
import { processorTime } from './processor-time.ts';
import { type EndedFile, summaryOf } from './summary.ts';

/** Those of a group hold for its tests too. */
function reasonsOf(test: TestCase): SkipReason[] {
  const reasons = [...(test.meta().skipped ?? [])];
  for (let one: TestSuite | TestModule = test.parent; one.type !== 'module'; one = one.parent)
    reasons.push(...(one.meta().skipped ?? []));
  return [...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()];
}

const namesOf = (test: TestCase | TestSuite): string[] => {
  const names = [test.name];
  for (let one: TestSuite | TestModule = test.parent; one.type !== 'module'; one = one.parent) names.unshift(one.name);
  return names;
};

/** `pattern`: of `-t`. What it does not name is left out on purpose. */
function endedFile(module: TestModule, root: string, pattern: RegExp | undefined): EndedFile {
  const file = relative(root, module.moduleId).split(sep).join('/');
  const tests = [...module.children.allTests()];
  const isFailed = (one: TestCase) => one.result().state === 'failed';
  const failed = [
    ...tests.filter(isFailed).map((test) => ({ file, names: namesOf(test) })),
    ...[...module.children.allSuites()]
      .filter((group) => group.errors().length > 0)
      .map((group) => ({ file, names: namesOf(group), isGroup: true })),
  ];
  // A file that could not be loaded, or whose own hook failed.
  const isBroken = module.errors().length > 0 || (module.state() === 'failed' && failed.length === 0);
  return {
    file,
    failed: isBroken ? [...failed, { file, names: [] }] : failed,
    // A test after a hook that failed counts as skipped too, but was not declared so.
    skipped: tests
      .filter((test) => test.options.mode === 'skip' && (pattern?.test(namesOf(test).join(' ')) ?? true))
      .map((test) => ({ names: namesOf(test), reasons: reasonsOf(test) })),
    processor: module.meta().processor,
  };
}

export default class SummaryReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const vitest = this.#vitest;
    if (vitest === undefined || modules.length === 0) return;
    const root = vitest.config.root;
    const lines = summaryOf({
      files: modules.map((module) => endedFile(module, root, vitest.config.testNamePattern)),
      isWhole,
      isQuick: process.env['QUICK'] === '1',
      leftFiles: process.env['EVERYDAY'] === '1' ? Object.keys(IN_CI).length : 0,
      vitestS: processorTime().ownS,
    });
    if (lines.length > 0) vitest.logger.log(`${lines.join('\n')}\n`);
  }
}
