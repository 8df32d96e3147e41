/** A judgement by wall time during which a timer of the process was late is repeated once, and is inconclusive after a second lateness. */
import { describe, expect, test } from 'vitest';
import { allowedLatenessMs, judgeOnTime, LatenessWatch } from '../../src/base/time/lateness.ts';
import { ManualMachine } from '../helpers/manual-machine.ts';

/** Judges a limit while the machine gives this process no time for these spans, one for each judgement. */
async function judged(
  limitMs: number,
  sleepsMs: readonly number[],
  options: Omit<NonNullable<Parameters<typeof judgeOnTime<string>>[2]>, 'machine'> = {},
) {
  const machine = new ManualMachine();
  let judgements = 0;
  const judge = async () => {
    machine.pass(1_000);
    machine.sleep(sleepsMs[judgements++] ?? 0);
    machine.wake();
    return `judgement ${judgements}`;
  };
  return { ...(await judgeOnTime(limitMs, judge, { machine, ...options })), judgements };
}

describe('a judgement with a limit of 5 s', () => {
  test.each([
    ['counts where no timer was late', [], { value: 'judgement 1', lateMs: null, judgements: 1 }],
    [
      'counts where a timer was late by a tenth of the limit',
      [500],
      { value: 'judgement 1', lateMs: null, judgements: 1 },
    ],
    ['is repeated where it was later', [501], { value: 'judgement 2', lateMs: null, judgements: 2 }],
    ['is inconclusive where the second was late too', [900, 800], { value: 'judgement 2', lateMs: 800, judgements: 2 }],
  ] as const)('%s', async (_what, sleepsMs, expected) => {
    // The timer that measures is due 50 ms after the time that passed, and the process sleeps from there.
    expect(
      await judged(
        5_000,
        sleepsMs.map((ms) => ms + 50),
      ),
    ).toEqual(expected);
  });

  test('counts where the lateness cannot have caused it', async () => {
    const depends = () => false;
    expect(await judged(5_000, [900], { depends })).toEqual({ value: 'judgement 1', lateMs: null, judgements: 1 });
  });

  test('is inconclusive where the second, in time, has nothing to judge any more', async () => {
    const judges = (value: string) => value === 'judgement 1';
    expect(await judged(5_000, [950, 0], { judges })).toEqual({ value: 'judgement 1', lateMs: 900, judgements: 2 });
    // A subject that had nothing to judge in the first try either is not judged.
    const never = { judges: () => false };
    expect(await judged(5_000, [950, 0], never)).toEqual({ value: 'judgement 2', lateMs: null, judgements: 2 });
  });
});

test('200 ms are no lateness, however short the limit', () => {
  expect([75, 2_000, 5_000].map(allowedLatenessMs)).toEqual([200, 200, 500]);
});

test('a timer that has not fired yet is late as well', () => {
  const machine = new ManualMachine();
  const watch = new LatenessWatch(machine);
  machine.sleep(350);
  expect(watch.end()).toBe(300);
  // It has ended: nothing is measured any more.
  machine.sleep(5_000);
  machine.wake();
  expect(watch.end()).toBe(5_300);
});

test('a judgement that throws ends its measurement', async () => {
  const machine = new ManualMachine();
  const judging = judgeOnTime(1_000, async () => Promise.reject(new Error('refused')), { machine });
  await expect(judging).rejects.toThrow('refused');
});
