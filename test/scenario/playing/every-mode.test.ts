/** One story, one verdict: each shipped story that plays in scaled time comes there to the verdict of the fast run. [scenario-language, three ways time passes] */
import { describe, expect, test } from 'vitest';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { type RunResult, runFile } from '../../../src/scenario/playing/run-file.ts';
import { loadStory } from '../../../src/scenario/reading/load.ts';
import { shippedStories } from '../coverage.ts';

/** About so long a scaled run takes, wall seconds; a short story is not hurried, since limits are lengthened by wall time. */
const WALL_S = 25;
const SLOWEST = 20;

const told = ({ verdict, passed, failed, failures, error }: RunResult) => ({
  ...{ verdict, passed, failed, error },
  failures: failures.map(({ text }) => text),
});

const stories = shippedStories().filter(({ file }) => {
  const loaded = loadStory(file);
  return loaded.ok && loaded.story.modes.includes('scaled');
});

// They wait more than they work.
describe.concurrent('a story', () => {
  test.each(stories)('$name', async ({ file }) => {
    const play = { boot: bootStage, sink: () => {} };
    const fast = await runFile(file, { ...play, mode: 'fast' });
    const speed = Math.max(SLOWEST, fast.simulatedMs / 1_000 / WALL_S);
    const scaled = await runFile(file, { ...play, mode: 'scaled', speed });
    expect(told(fast)).toMatchObject({ verdict: 'passed', failed: 0 });
    expect(told(scaled)).toEqual(told(fast));
  }, 240_000);
});

test('there are stories enough to compare', () => {
  expect(stories.length).toBeGreaterThan(35);
});
