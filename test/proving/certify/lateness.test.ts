/** certify on a machine that has no time for it: a check is judged again, and after a second lateness it is inconclusive, which is no pass. [cli, certify] */
import { describe, expect, test } from 'vitest';
import type { MachineTime } from '../../../src/base/time/timers.ts';
import { endCertify } from '../../../src/cli/certify/report.ts';
import { CHECKS } from '../../../src/proving/certify/catalogue.ts';
import { type CheckOutcome, certify, countsOf } from '../../../src/proving/certify/certify.ts';
import { type Finding, failed, notJudged, type ReceiverCheck } from '../../../src/proving/certify/check.ts';
import { DeliveryMaker } from '../../../src/proving/certify/deliveries.ts';
import { certifyJunit } from '../../../src/proving/certify/reports.ts';
import { lateMachine, PUNCTUAL } from '../../helpers/manual-machine.ts';
import { SECRET, SITE, TestReceiver } from './receiver.ts';

const IN_TIME = CHECKS.find(({ number }) => number === 2) as ReceiverCheck;

/** The check of the 5 s, here 50 ms, for a receiver that answers after them or at once. */
async function judged(answerAfterMs: number, machine: MachineTime, check = IN_TIME) {
  let requests = 0;
  const receiver = await TestReceiver.start({
    answerAfterMs,
    before: () => {
      requests += 1;
      return null;
    },
  });
  try {
    const [outcome] = await certify({
      target: receiver.url,
      make: new DeliveryMaker(SECRET, SITE),
      checks: [check],
      probe: null,
      pages: null,
      secretTo: null,
      client: null,
      process: null,
      clientWaitMs: 0,
      answerLimitMs: answerAfterMs === 0 ? 60_000 : 50,
      machine,
      skipVerify: false,
      onOutcome: () => {},
      signal: new AbortController().signal,
    });
    // One request is to see whether the receiver is there.
    return { outcome: outcome as CheckOutcome, deliveries: requests - 1 };
  } finally {
    await receiver.close();
  }
}

const reportOf = (outcome: CheckOutcome) => {
  const outcomes = [outcome];
  return { url: 'http://r', subject: 'Webhook receiver' as const, version: '1', outcomes, counts: countsOf(outcomes) };
};

describe('the check that an answer comes in time', () => {
  test.each<[string, MachineTime, CheckOutcome['result'], deliveries: number]>([
    ['fails where certify was in time', PUNCTUAL, 'failed', 1],
    ['fails in the second try, in which certify was in time', lateMachine(1), 'failed', 2],
    ['is not judged where certify was late twice', lateMachine(), 'not_judged', 2],
  ])('%s', async (_what, machine, result, deliveries) => {
    const judgement = await judged(60, machine);
    expect([judgement.outcome.result, judgement.deliveries]).toEqual([result, deliveries]);
    expect(judgement.outcome.isInconclusive ?? false).toBe(result === 'not_judged');
  });

  test('passes where the answer came in time, however late certify was', async () => {
    const { outcome, deliveries } = await judged(0, lateMachine());
    expect([outcome.result, deliveries]).toEqual(['passed', 1]);
  });

  test('of a check whose passing depends on time too is not judged then', async () => {
    const { outcome } = await judged(0, lateMachine(), { ...IN_TIME, timedMs: () => 2_000 });
    expect(outcome).toMatchObject({ result: 'not_judged', isInconclusive: true });
  });
});

describe('a check that a receiver fails by giving up, so that a second try finds nothing to judge,', () => {
  const found: Finding[] = [
    failed('a 429', 'no call came', { production: '', fix: '' }),
    notJudged('no call met a limit'),
  ];
  const GIVES_UP: ReceiverCheck = { ...IN_TIME, timedMs: () => 1_000, judge: async () => found.shift() as Finding };

  test('is inconclusive, which is no pass', async () => {
    const { outcome } = await judged(0, lateMachine(1), GIVES_UP);
    expect(outcome).toMatchObject({ result: 'not_judged', isInconclusive: true, sent: 'a 429' });
  });
});

test('an inconclusive check is an error of the report, and the command does not succeed', async () => {
  const { outcome } = await judged(60, lateMachine());
  expect(outcome.got).toMatch(/^inconclusive: this machine was busy, and a timer of certify came .* late/);
  const report = reportOf(outcome);
  expect(certifyJunit(report)).toContain('failures="0" errors="1"');
  expect(certifyJunit(report)).toContain('<error type="inconclusive" message="inconclusive: this machine was busy');
  const end = { isInterrupted: false, checks: 1, warnings: [], requested: [] };
  const reports = { command: 'certify', kinds: [], folder: null, path: null } as const;
  expect(() => endCertify(report, { words: [], json: true, reports }, end)).toThrow(
    /^Check 2 was to be judged and could not be: inconclusive/,
  );
});
