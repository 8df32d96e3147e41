/** The scenarios of the pages under `sandbox run --mutate`: each change is noticed, and each hint notices its change. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ReadText } from '../../../src/base/user-files.ts';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { isOfCause } from '../../../src/scenario/model/change.ts';
import { idleChecks } from '../../../src/scenario/mutate/idle.ts';
import { mutateScenario } from '../../../src/scenario/mutate/mutate-scenario.ts';
import { loadScenario } from '../../../src/scenario/reading/load.ts';
import { blocksOf } from '../../docs/blocks.ts';
import { isWhole } from '../../helpers/whole.ts';
import { faultsOf, isShort, pastedHints, withoutChecks } from './pasted-hints.ts';

/** The saved scenarios of a page, by name, with the parts that they use. */
const savedOn = (page: string): ReadonlyMap<string, string> =>
  new Map(
    blocksOf(readFileSync(join('docs', page), 'utf8'), page).flatMap(({ run, text }) =>
      // A built-in receiver answers for the reader's own.
      run.how === 'save' ? [[run.what, `${text.replace(/, url: "[^"]*"/, '')}\n`] as const] : [],
    ),
  );

const PAGES = ['scenario-how-to.md', 'scenario-tutorial.md'].map((page) => [page, savedOn(page)] as const);

/** What the page shows is its failure. */
const MEANT_TO_FAIL: readonly string[] = ['late.scenario.yaml'];

const OF_PAGES = PAGES.flatMap(([page, saved]) =>
  [...saved.keys()]
    .filter((name) => name.endsWith('.scenario.yaml') && isShort(name) && !MEANT_TO_FAIL.includes(name))
    .map((name) => [name, page, saved] as const),
);

describe('of the scenarios of the pages', () => {
  test.each(
    isWhole ? OF_PAGES : OF_PAGES.filter(([name]) => name.startsWith('macro')),
  )('%s on %s notices each change, and a hint for any of them is right where no check is left', async (file, _page, saved) => {
    const read: ReadText = (path) => saved.get(path);
    const loaded = loadScenario(file, { read });
    const cases = loaded.ok && loaded.cases.length > 0 ? loaded.cases : [null];
    const { judged, checks, broken } = await mutateScenario(file, { boot: bootStage, cases, read });
    const weak = judged.filter(({ outcome }) => outcome === 'unnoticed' || outcome === 'stale');
    const idle = idleChecks(checks, file).filter(({ outcome }) => outcome !== 'equivalent');
    expect({ broken, weak, idle }).toEqual({ broken: null, weak: [], idle: [] });
    const bare: ReadText = (path) => (path === file ? withoutChecks(saved.get(path) ?? '') : saved.get(path));
    for (const without of isWhole ? [bare] : [])
      expect(faultsOf(await pastedHints(file, without, isOfCause))).toEqual([]);
  });
});
