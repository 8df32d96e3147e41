/** The stories that ship: each passes against a whole sandbox, and between them they cover what they must. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { runFile } from '../../../src/scenario/playing/run-file.ts';
import { loadStory } from '../../../src/scenario/reading/load.ts';
import { shownCase } from '../../../src/scenario/story/bindings.ts';
import { CLAUSES, coverageReadme, covering, SCENARIOS, shippedStories } from '../coverage.ts';

const stories = shippedStories();
const runs = stories.flatMap(({ name, file }) => {
  const loaded = loadStory(file);
  const cases = loaded.ok && loaded.cases.length > 0 ? loaded.cases : [null];
  return cases.map((values) => ({ file, values, name: values === null ? name : `${name} ${shownCase(values)}` }));
});

describe('the story', () => {
  test.each(runs)('$name passes', async ({ file, values }) => {
    const { failures, error, verdict } = await runFile(file, { mode: 'fast', values, boot: bootStage, sink: () => {} });
    expect({ failures, error, verdict }).toEqual({ failures: [], error: null, verdict: 'passed' });
  });
});

describe('all stories', () => {
  test('are at least thirty, and each is valid without a warning', () => {
    expect(stories.length).toBeGreaterThanOrEqual(30);
    for (const { file } of stories) {
      const loaded = loadStory(file);
      expect(loaded.ok ? loaded.warnings : loaded.text, file).toEqual([]);
    }
  });

  test.each(CLAUSES)('cover [$clause] $what', (clause) => {
    expect(covering(clause, stories)).not.toEqual([]);
  });

  test('stand in the table of what covers which clause', () => {
    const written = readFileSync(resolve(SCENARIOS, 'README.md'), 'utf8');
    expect(written, 'node --import tsx test/scenario/write-generated.ts renews it').toBe(coverageReadme());
  });

  test('are as many as the README says', () => {
    expect(readFileSync(resolve(SCENARIOS, '../README.md'), 'utf8')).toContain(`[${shippedStories().length} stories](`);
  });
});
