/** A control room that acknowledges several alerts at a time and pages people passes; each mistake of it fails by its own check, and at most two others. [cli, certify] */
import { describe, expect, test } from 'vitest';
import { startCertifySandbox } from '../../../src/cli/certify/receiver-sandbox.ts';
import { ApiClientWatch } from '../../../src/proving/certify/api-client-watch.ts';
import { CHECKS } from '../../../src/proving/certify/catalogue.ts';
import { type CheckOutcome, certify } from '../../../src/proving/certify/certify.ts';
import type { ReceiverCheck } from '../../../src/proving/certify/check.ts';
import { DeliveryMaker } from '../../../src/proving/certify/deliveries.ts';
import { PagesProbe, ReceiverProbe, SecretAddress } from '../../../src/proving/certify/probe.ts';
import { unless } from '../../helpers/unless.ts';
import { isWhole, sampled } from '../../helpers/whole.ts';
import { conclusive } from './conclusive.ts';
import { ControlRoom, type RoomMistake } from './control-room.ts';

const SECRET = 'whsec_of_the_control_room';
/** The offset of the plant's local time. */
const OFFSET_MS = 2 * 3_600_000;

/** A shorter limit than that of the product, and more time for calls of a busy machine to come together. */
const TIMES = { retryAfterS: 1, gatherMs: 600 };

const NEEDED = ['client', 'pages', 'rotated'];
const ALL = CHECKS.filter(({ needs }) => !needs.includes('process'));
/** What a mistake of its calls, pages and secrets can fail. */
const OF_ROOM = ALL.filter(
  ({ number, group }) => number <= 2 || [26, 27, 41, 70].includes(number) || NEEDED.includes(group),
);

async function judge(wrong: RoomMistake | null, checks: typeof ALL): Promise<readonly CheckOutcome[]> {
  const sandbox = await startCertifySandbox();
  const client = await ApiClientWatch.start(sandbox, 0, TIMES);
  client.missed.push(...sandbox.missed);
  const { clientId, clientSecret } = sandbox;
  const room = await ControlRoom.start(
    0,
    { apiUrl: client.url, clientId, clientSecret, webhookSecret: SECRET },
    { offsetMs: OFFSET_MS, pollEveryMs: 500, ...(wrong === null ? {} : { wrong }) },
  );
  try {
    return await certify({
      target: room.url,
      make: new DeliveryMaker(SECRET, sandbox.site),
      checks,
      probe: new ReceiverProbe(room.probe, 1_000),
      pages: new PagesProbe(room.pagesProbe),
      secretTo: new SecretAddress(room.secretTo),
      client,
      process: null,
      clientWaitMs: 10_000,
      answerLimitMs: 60_000,
      skipVerify: false,
      onOutcome: () => {},
      signal: new AbortController().signal,
    });
  } finally {
    await room.close();
    await client.stop();
    await sandbox.stop();
  }
}

/** What was judged on a busy machine is judged again, and finds what the first judgement left behind. */
const judgedTwice = (check: ReceiverCheck): ReceiverCheck => ({
  ...check,
  judge: async (bench) => {
    const first = await check.judge(bench);
    return first.result === 'passed' ? check.judge(bench) : first;
  },
});

const of = (outcomes: readonly CheckOutcome[], result: CheckOutcome['result']) =>
  outcomes.filter((one) => one.result === result);
const numbersOf = (outcomes: readonly CheckOutcome[]) => outcomes.map(({ check }) => check.number);

/** The check that is about the mistake, the cause in its words, and the others that fail by it. */
const MISTAKES: readonly [wrong: RoomMistake, check: number, cause: RegExp, others: readonly number[]][] = [
  ['hides-behind-its-acknowledgement', 70, /the alert is held as acknowledged, and is resolved/, []],
  ['gives-up-at-429', 54, /was refused and never made again/, []],
  ['pages-again-by-poll', 61, /was paged \d times for one alert: .*a list of the API had it/, []],
  ['keeps-the-first-secret', 63, /the first secret, which the second rotation retired, is still in use/, [62]],
  ['writes-local-time', 60, /from 1 h 59 min after now on: a local time that is written as UTC/, []],
  ['pages-at-each-event', 61, /was paged 2 times for one alert: .*its worker pressed/, []],
  ['pages-at-each-delivery', 61, /was paged \d times for one alert: its event was delivered/, []],
  ['keeps-every-secret', 63, /the first secret is still in use/, []],
  ['ignores-retry-after', 54, /came again 0\.\d s after the answer/, []],
  ['keeps-a-refused-token', 55, /no new token .* further calls with the refused one/, []],
  ['gives-up-at-401', 55, /no new token/, []],
  ['logs-in-for-each-call', 51, /tokens for/, []],
  ['reads-the-first-page', 53, /not followed/, [52]],
  ['misspells-a-parameter', 56, /page_size/, [52]],
];

describe.concurrent('a control room that', () => {
  test('does all right passes whatever can be seen, with parallel acknowledgements and pages, each check twice', async () => {
    const outcomes = await conclusive(() => judge(null, (isWhole ? ALL : OF_ROOM).map(judgedTwice)));
    expect(of(outcomes, 'failed')).toEqual([]);
    expect(of(outcomes, 'not_judged')).toEqual([]);
  });

  for (const {
    row: [wrong, check, cause, others],
    skip,
  } of sampled(MISTAKES, 14))
    unless(skip).test(`${wrong} fails check ${check}`, async () => {
      const failed = of(await conclusive(() => judge(wrong, OF_ROOM)), 'failed');
      expect(failed.find((one) => one.check.number === check)?.got).toMatch(cause);
      const beside = failed.filter((one) => one.check.number !== check);
      expect(numbersOf(beside), beside.map(({ got }) => got).join('\n')).toEqual(others);
      expect(others.length).toBeLessThanOrEqual(2);
    });
});
