/** A network that fails, and a second client with the same serial. [watch-protocol] */
import { parseInstant } from '../../../../base/time/instants.ts';
import { check as fits } from '../../../../contract/check.ts';
import { WatchBirth } from '../../../../contract/watch.ts';
import { advice, type Finding, passed } from '../../check.ts';
import { RECONNECT_MS, type WatchBench } from '../bench.ts';
import { broken, checksOf, noHand, type WatchCheck } from '../check.ts';
import { takeOver } from '../raw-client.ts';

const check = checksOf('outage', 'calm');

const outageText = (fromMs: number, toMs: number): string => `no network for ${((toMs - fromMs) / 1_000).toFixed(1)} s`;

/** A device that makes more attempts to connect per second has no back-off. */
const MOST_ATTEMPTS_PER_S = 2;

export const OUTAGE_CHECKS: readonly WatchCheck[] = [
  check(
    {
      number: 21,
      title: 'After an outage it comes back with a new session, and says its birth first',
      clause: 'watch-protocol: session, one more at each connection; birth after CONNACK',
    },
    async (bench) => {
      const { fromMs, toMs, connection } = await bench.outage();
      return judgeReturn(bench, outageText(fromMs, toMs), connection);
    },
  ),
  check(
    {
      number: 22,
      title: 'Positions of an outage come afterwards, oldest first, with their own t',
      clause: 'watch-protocol up/position: an array of them after an outage, oldest first',
    },
    async (bench) => {
      const { fromMs, toMs, aheadMs, connection } = await bench.outage();
      const sent = outageText(fromMs, toMs);
      const { positionEveryMs } = bench.service;
      const kept = bench
        .fixes()
        .filter(({ message }) => message.connection === connection)
        .filter(({ tMs }) => tMs - aheadMs > fromMs && tMs - aheadMs < toMs);
      const due = Math.floor((toMs - fromMs) / positionEveryMs);
      const got = `${kept.length} of about ${due} positions of that time`;
      if (kept.length < Math.max(1, Math.floor(due / 2)))
        return broken(sent, got, {
          production:
            'The way of the wearer while out of coverage is lost: where they were last, and whether they were inside.',
          fix: `Keep what is measured out of coverage with its t, at least an hour of it, and send it after the next birth as an array of at most 8 KiB.`,
        });
      const isInOrder = kept.every(({ tMs }, i) => i === 0 || tMs >= (kept[i - 1]?.tMs ?? 0));
      if (isInOrder) return passed(sent, `${got}, the oldest first`);
      return broken(sent, `${got}, not in the order of their t`, {
        production:
          'A position older than the last one known is kept as history and never moves the person back: the rest of the array is not looked at as a way.',
        fix: 'Send the oldest first, and all that was kept before the position of now.',
      });
    },
  ),
  check(
    {
      number: 23,
      title: 'An SOS that is pressed out of coverage comes afterwards, with the t of the press',
      needs: ['hand'],
      clause: 'watch-protocol up/event; decisions 9: what a real watch would keep and send later',
    },
    async (bench) => {
      const { fromMs, toMs, aheadMs, connection, pressed } = await bench.outage();
      if (pressed === null || !pressed.isDone) return noHand(pressed?.why ?? 'nothing was pressed');
      const sent = `${outageText(fromMs, toMs)}; SOS is pressed meanwhile`;
      const isKept = (t: unknown) => {
        const tMs = (parseInstant(String(t)) ?? Number.NaN) - aheadMs;
        return tMs > fromMs - 1_000 && tMs < toMs;
      };
      const all = bench.events('sos').filter((one) => one.connection === connection);
      const kept = all.find(({ payload }) => isKept((payload as { t?: unknown } | null)?.t));
      if (kept !== undefined) return passed(sent, String(kept.packet.payload).slice(0, 160));
      return broken(
        sent,
        all.length === 0 ? 'no up/event/sos came' : `it came as of ${String((all[0]?.payload as { t?: unknown }).t)}`,
        {
          production: 'The SOS is lost, or counts as pressed where the wearer is later.',
          fix: 'Keep events with id and t until their PUBACK, through any outage and restart.',
        },
      );
    },
  ),
  check(
    {
      number: 24,
      title: 'It limits its reconnections while the broker is unreachable',
      clause: 'watch-protocol: reconnection with jitter',
    },
    async (bench) => {
      const { fromMs, toMs, attempts } = await bench.outage();
      const got = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} to connect`;
      const most = Math.ceil(((toMs - fromMs) / 1_000) * MOST_ATTEMPTS_PER_S) + 1;
      if (attempts <= most) return passed(outageText(fromMs, toMs), got);
      return advice(
        outageText(fromMs, toMs),
        got,
        'Wait 1 s, then twice as long each time up to 30 s, each give or take a half by chance: thousands of watches come back at once.',
      );
    },
  ),
  check(
    {
      number: 25,
      title: 'After a take-over of its connection it comes back as after an outage',
      clause: 'watch-protocol: two clients of one id evict each other; a death of an older session is ignored',
    },
    async (bench) => {
      const { tap, service } = bench;
      const before = tap.current?.number ?? 0;
      const sent = 'a second CONNECT with its client id, which leaves again';
      const { broker, serial, key } = service;
      if (!(await takeOver({ broker, clientId: serial, serial, key })))
        return broken(sent, 'the broker refused it', {
          production: 'The sandbox did not let a second client in.',
          fix: 'Please report this.',
        });
      const connection = await tap.until(() => {
        const now = tap.current?.number ?? 0;
        return now > before && now;
      }, RECONNECT_MS);
      return judgeReturn(bench, sent, connection);
    },
  ),
];

async function judgeReturn({ tap }: WatchBench, sent: string, connection: number | null): Promise<Finding> {
  const remedy = {
    production:
      'The wearer counts as silent: no signal after 90 s of a muster, a watch-offline alert after 10 min. Without a new birth the open prompts, alerts and the muster are not sent again.',
    fix: 'Connect again with a back-off from 1 to 30 s. Count session up at each CONNECT, in the will and in the birth, and publish the birth before all else.',
  };
  if (connection === null) return broken(sent, `it did not come back within ${RECONNECT_MS / 1_000} s`, remedy);
  const first = await tap.until(() => tap.uplinks.find((one) => one.connection === connection), 10_000);
  if (first === null) return broken(sent, 'it reconnected without a message', remedy);
  const birth = fits(WatchBirth, first.payload);
  if (!birth.ok)
    return broken(
      sent,
      `it came back, and its first message is no birth: ${String(first.packet.payload).slice(0, 120)}`,
      remedy,
    );
  const before = tap.uplinks.findLast((one) => one.connection < connection && fits(WatchBirth, one.payload).ok);
  const last = (before?.payload as WatchBirth | undefined)?.session ?? 0;
  const got = `a birth with session ${birth.value.session} after ${last}`;
  return birth.value.session > last ? passed(sent, got) : broken(sent, got, remedy);
}
