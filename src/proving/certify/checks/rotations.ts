/** Rotations of the secret: taken over without a restart, or by a restart after each. [spec Rotate] */
import {
  advice,
  type CheckBench,
  type Finding,
  failed,
  notJudged,
  passed,
  RETRIES,
  type ReceiverCheck,
} from '../check.ts';
import type { DeliveryMaker } from '../deliveries.ts';
import { type Exchange, isAccepted, replyText } from '../send.ts';
import { acceptedFinding, refusedFinding } from './row.ts';

/** A receiver that verifies nothing, or reads only one of two signatures, would fail these checks for that reason alone. */
const requires = [16, 26, 27];

const ACCEPT_ANY = 'Accept a delivery if any of its signatures matches any valid secret.';
const ONLY_NEWEST =
  'Discard the old secret when you have the new one. During the 24 h, both secrets sign each delivery, so you need only one.';
const FORGEABLE = 'No delivery is lost, but anyone with a retired secret can forge alerts at any later time.';

/** Rotates to the secret of `now`. Returns a sentence if the receiver did not accept the secret. */
async function takeOver({ secretTo }: CheckBench, now: DeliveryMaker): Promise<string | null> {
  return secretTo!.send(now.secret);
}

/** After the judgement, gives the receiver the secret of all other checks again, independent of the finding. */
async function withOriginal(bench: CheckBench, judge: () => Promise<Finding>): Promise<Finding> {
  const finding = await judge();
  const refusal = await takeOver(bench, bench.make);
  return refusal === null || finding.result === 'not_judged' ? finding : notJudged(refusal);
}

const ROTATED_CHECKS: readonly ReceiverCheck[] = [
  {
    number: 62,
    group: 'rotated',
    title: 'A new secret is taken over without a restart',
    clause: 'Rotate',
    needs: ['secretTo'],
    requires,
    judge: (bench) =>
      withOriginal(bench, async () => {
        const [old, now] = [bench.make, bench.make.withSecret(bench.make.otherSecret())];
        const refusal = await takeOver(bench, now);
        if (refusal !== null) return notJudged(refusal);
        const found = acceptedFinding(
          [
            await bench.send(now.sos('within the 24 h: v1=<new>,v1=<old>', { secrets: [now.secret, old.secret] })),
            await bench.send(now.sos('after the 24 h: v1=<new>')),
          ],
          `Use a new secret at once; the previous one may stay in force beside it for 24 h. ${ACCEPT_ANY}`,
        );
        if (found.result === 'passed') return found;
        const stale = await bench.send(old.sos('with the old secret alone'));
        return isAccepted(stale)
          ? { ...found, got: `${found.got}; the old secret is in use, and the new one is not` }
          : found;
      }),
  },
  {
    number: 63,
    group: 'rotated',
    title: 'A second rotation retires the first secret, without a restart',
    clause: 'Rotate: never more than two',
    needs: ['secretTo'],
    requires,
    judge: (bench) => withOriginal(bench, () => judgeSecondRotation(bench)),
  },
];

async function judgeSecondRotation(bench: CheckBench): Promise<Finding> {
  const first = bench.make;
  const [second, third] = [first.withSecret(first.otherSecret()), first.withSecret(first.otherSecret())];
  const refusal = (await takeOver(bench, second)) ?? (await takeOver(bench, third));
  if (refusal !== null) return notJudged(refusal);
  const during = await bench.send(
    third.sos('after two rotations: v1=<third>,v1=<second>', { secrets: [third.secret, second.secret] }),
  );
  const stale = await bench.send(first.sos('with the first secret alone'));
  if (!isAccepted(during)) return refusedAfterTwo(during, stale);
  return refusedFirst(stale, [during]);
}

/** The finding if neither of the two valid secrets is used. */
function refusedAfterTwo(during: Exchange, stale: Exchange): Finding {
  const usesFirst = isAccepted(stale);
  const got = usesFirst
    ? `${replyText(during)}; the first secret, which the second rotation retired, is still in use: it alone is answered ${stale.status}`
    : `${replyText(during)}; the first secret alone: ${replyText(stale)}`;
  return failed(during.delivery.what, got, {
    production: `After two rotations on one day nothing arrives any more. ${RETRIES}`,
    fix: `Hold the two newest secrets: a rotation makes the new one the first and the one before it the second. ${ACCEPT_ANY}`,
    exchanges: [during, stale],
  });
}

/** `stale` is the delivery that is signed with the first secret alone. */
function refusedFirst(stale: Exchange, before: readonly Exchange[]): Finding {
  const found = refusedFinding(
    [stale],
    'Keep at most the two newest secrets: a second rotation retires the first one.',
  );
  if (found.result === 'failed')
    return {
      ...found,
      got: `${found.got}; the first secret is still in use`,
      production: FORGEABLE,
      exchanges: [...found.exchanges, ...before],
    };
  return passed('two rotations', 'the newest secret is accepted, the first is refused', [...before, stale]);
}

const RESTART_CHECKS: readonly ReceiverCheck[] = [
  {
    number: 58,
    group: 'restart',
    title: 'After a rotation the new secret is taken over',
    clause: 'Rotate',
    needs: ['process'],
    requires,
    judge: async (bench) => {
      const [old, now] = [bench.make, bench.make.withSecret(bench.make.otherSecret())];
      await bench.process!.restart(now.secret);
      const good = [
        await bench.send(now.sos('within the 24 h: v1=<new>,v1=<old>', { secrets: [now.secret, old.secret] })),
        await bench.send(now.sos('after the 24 h: v1=<new>')),
      ];
      const accepted = acceptedFinding(
        good,
        'Read SANDBOX_WEBHOOK_SECRET at each start, and accept a delivery if any of its signatures matches.',
      );
      if (accepted.result !== 'passed') return accepted;
      const stale = await bench.send(old.sos('with the old secret alone, after the restart with the new one'));
      const [sent, got] = [`${accepted.sent}; ${stale.delivery.what}`, `${accepted.got}; ${replyText(stale)}`];
      // The previous secret is valid for 24 h, although nothing is signed with it alone.
      return isAccepted(stale) ? advice(sent, got, ONLY_NEWEST, [stale, ...good]) : passed(sent, got, [...good, stale]);
    },
  },
  {
    number: 59,
    group: 'restart',
    title: 'A second rotation retires the first secret',
    clause: 'Rotate: never more than two',
    needs: ['process'],
    requires,
    judge: async (bench) => {
      const first = bench.make;
      const [second, third] = [first.withSecret(first.otherSecret()), first.withSecret(first.otherSecret())];
      await bench.process!.restart(second.secret);
      const during = await bench.send(
        third.sos('v1=<third>,v1=<second>, before you take the third', { secrets: [third.secret, second.secret] }),
      );
      if (!isAccepted(during)) return acceptedFinding([during], ACCEPT_ANY);
      await bench.process!.restart(third.secret);
      const after = await bench.send(
        third.sos('v1=<third>,v1=<second>, after you took the third', { secrets: [third.secret, second.secret] }),
      );
      const stale = await bench.send(first.sos('with the first secret alone'));
      if (!isAccepted(after)) return refusedAfterTwo(after, stale);
      const fine = await bench.send(third.sos('with the third secret'));
      if (!isAccepted(fine))
        return failed(fine.delivery.what, `${replyText(fine)}; the second secret is still in use, and not the third`, {
          production: RETRIES,
          fix: 'Read SANDBOX_WEBHOOK_SECRET at each start.',
          exchanges: [fine],
        });
      return refusedFirst(stale, [during, after, fine]);
    },
  },
];

/** A restart deletes what the receiver has in memory, so the checks with restarts are the last. */
export const TAKE_OVER_CHECKS: readonly ReceiverCheck[] = [...ROTATED_CHECKS, ...RESTART_CHECKS];
