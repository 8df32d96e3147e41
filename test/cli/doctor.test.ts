/** What `doctor` says of a request that fails while this machine has no time. [cli, doctor] */
import { expect, test } from 'vitest';
import { onTime } from '../../src/cli/doctor/checks.ts';
import { lateMachine, PUNCTUAL } from '../helpers/manual-machine.ts';

const FAILED = { verdict: 'failed', detail: 'http://r does not answer: TimeoutError', fix: 'Start it.' } as const;

test.each([
  ['a failure in time is judged once', PUNCTUAL, 1, FAILED],
  ['a late failure is judged again', lateMachine(1), 2, FAILED],
  [
    'a second late failure is inconclusive',
    lateMachine(),
    2,
    { verdict: 'failed', detail: expect.stringMatching(/TimeoutError; this is inconclusive: the machine was busy/) },
  ],
])('%s', async (_what, machine, times, outcome) => {
  let judged = 0;
  const judge = async () => {
    judged += 1;
    return FAILED;
  };
  expect(await onTime(judge, machine)).toMatchObject(outcome);
  expect(judged).toBe(times);
});
