/** How many there must be: `count` in checks and in rules. [scenario-language, Checks] */
import { describe, expect, test } from 'vitest';
import { mistakesTextOf, playSmall, playSteps, type SmallWorld, scenarioOf } from '../small-stage.ts';

const sosAt =
  (...times: readonly number[]) =>
  (world: SmallWorld): void => {
    for (const [i, ms] of times.entries())
      world.at(ms, () => world.alert(`a${i + 1}`, { type: 'sos' }, 'alert.created'));
  };

const COUNTS = [
  ['0..', 0, true],
  ['0..', 3, true],
  ['2..', 1, false],
  ['2..', 2, true],
  ['2..', 5, true],
  ['1..2', 2, true],
  ['1..2', 3, false],
  ['0', 0, true],
  ['0', 1, false],
  ['">= 2"', 2, true],
] as const;

const times = (count: number): number[] => Array.from({ length: count }, (_, i) => 100 * (i + 1));

describe('count', () => {
  test.each(COUNTS)('%s of a rule, with %i events, holds: %s', async (count, events, holds) => {
    const rules = ['rules:', '  - every: {event: alert.created}', `    count: ${count}`];
    const { result } = await playSmall(scenarioOf(['wait: 2s'], rules), sosAt(...times(events)));
    expect(result.verdict).toBe(holds ? 'passed' : 'failed');
  });

  test.each(COUNTS)('%s of a check, with %i events, holds: %s', async (count, events, holds) => {
    const steps = ['wait: 2s', `check: {event: alert.created, count: ${count}}`];
    const { result } = await playSteps(steps, sosAt(...times(events)));
    expect(result.verdict).toBe(holds ? 'passed' : 'failed');
  });

  test('a rule that matched nothing says what to write where that is right', async () => {
    const { result } = await playSmall(scenarioOf(['wait: 1s'], ['rules:', '  - every: {event: alert.created}']));
    expect(result.failures[0]?.text).toContain('it matched nothing. Write count: 0.. beside it where that is right');
  });

  test('says what it expected in words of its own', async () => {
    const { result } = await playSteps(['check: {event: alert.created, count: 2..}']);
    expect(result.failures[0]?.text).toMatch(/count +expected >= 2 +got 0/);
  });

  test.each([
    ['some', '"some" is not a count. Write 0, 2, 1..3 or 3.. for three or more.'],
    ['-1', '-1 is not a count. Write 0, 2, 1..3 or 3.. for three or more.'],
    ['..3', '"..3" is not a count. Write 0, 2, 1..3 or 3.. for three or more.'],
    ['1.5..', '"1.5.." is not a count. Write 0, 2, 1..3 or 3.. for three or more.'],
    ['3..1', '3..1 ends before it begins. Write 1..3.'],
  ])('%s is none', (count, message) => {
    const reported = mistakesTextOf(scenarioOf([`check: {alerts: open, count: ${count}}`]));
    expect(reported.split('\n')[0]?.replace(/^\S+ {2}/, '')).toBe(message);
  });
});
