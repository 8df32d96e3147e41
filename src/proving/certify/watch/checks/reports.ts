/** Positions, battery, wrist and clock. [watch-protocol, topics and fine print] */
import { CLI } from '../../../../base/text/command-form.ts';
import { downConfigTopic } from '../../../../contract/watch.ts';
import { advice, type Finding, notJudged, passed } from '../../check.ts';
import type { ReportPace, WatchBench } from '../bench.ts';
import { broken, checksOf, noHand, type Remedy, type WatchCheck } from '../check.ts';

const check = checksOf('reports', 'calm');

/** What a radio and a busy machine may add to an interval; wall ms. */
const SLACK_MS = 150;

/** A `t` that is off by more is noted by the service. [watch-protocol, fine print] */
const CLOCK_OFF_MS = 60_000;
const CLOCK_GOOD_MS = 5_000;
const HOUR_S = 3_600;

const seconds = (ms: number): string => `${Number((ms / 1_000).toFixed(1))} s`;

const INTERVAL: Remedy = {
  production:
    'With late reports, the map and the headcount of a muster are outdated. Too many reports use up the battery and the network.',
  fix: 'Take the intervals of down/config, which is retained: position_every_s, and alarm_every_s while an alert is open or a muster is active.',
};

/** Judges whether positions come at the current interval. */
export function judgePace(sent: string, { medianMs, positions }: ReportPace, everyMs: number): Finding {
  if (medianMs === null)
    return broken(sent, positions.length === 0 ? 'no position' : 'one position, and no more', INTERVAL);
  const got = `a position every ${seconds(medianMs)}`;
  const isFit = medianMs > everyMs * 0.5 - SLACK_MS && medianMs < everyMs * 1.5 + SLACK_MS;
  return isFit ? passed(sent, got) : broken(sent, `${got} instead of ${seconds(everyMs)}`, INTERVAL);
}

/** Judges whether positions come at the alarm interval and with QoS 1. */
export async function judgeAlarm(bench: WatchBench, sent: string): Promise<Finding> {
  const { alarmEveryMs } = bench.service;
  const pace = await bench.pace(alarmEveryMs);
  const finding = judgePace(`${sent}; alarm_every_s is ${alarmEveryMs / 1_000}`, pace, alarmEveryMs);
  const loose = pace.positions.slice(1).filter(({ packet }) => packet.qos !== 1).length;
  if (finding.result !== 'passed' || loose === 0) return finding;
  return broken(finding.sent, `${finding.got}, ${loose} of ${pace.positions.length - 1} by QoS 0`, {
    production: 'A lost position is missing in a muster, when the control room must know who is still inside.',
    fix: 'Publish positions with QoS 1 while an alert is open or a muster is active.',
  });
}

export const REPORT_CHECKS: readonly WatchCheck[] = [
  check(
    {
      number: 6,
      title: 'It reports its position at the interval of down/config',
      clause: 'watch-protocol up/position, down/config',
    },
    async (bench) => {
      const { positionEveryMs } = bench.service;
      const pace = await bench.pace(positionEveryMs);
      const finding = judgePace(`position_every_s is ${positionEveryMs / 1_000}`, pace, positionEveryMs);
      if (finding.result !== 'passed' || pace.positions.slice(1).every(({ packet }) => packet.qos === 0))
        return finding;
      return advice(
        finding.sent,
        `${finding.got}, by QoS 1`,
        'QoS 0 saves a packet for each report. Use QoS 1 only during alerts and musters.',
      );
    },
  ),
  check(
    { number: 7, title: 'It obeys a new down/config at once', clause: 'watch-protocol down/config' },
    async (bench) => {
      const { siteId, serial, positionEveryMs, alarmEveryMs, promptMs } = bench.service;
      const topic = downConfigTopic(siteId, serial);
      const configure = (everyMs: number) => {
        const payload = {
          position_every_s: everyMs / 1_000,
          alarm_every_s: alarmEveryMs / 1_000,
          prompt_s: promptMs / 1_000,
        };
        return bench.tap.inject(topic, payload, 3_000);
      };
      const everyMs = positionEveryMs * 2;
      if (!(await configure(everyMs))) return broken('a new down/config', 'no PUBACK', INTERVAL);
      const pace = await bench.pace(everyMs);
      await configure(positionEveryMs);
      return judgePace(`down/config with position_every_s ${everyMs / 1_000}`, pace, everyMs);
    },
  ),
  check(
    { number: 8, title: 'Its times are UTC, and right', clause: 'watch-protocol, fine print: t' },
    async (bench) => {
      const fix = bench.fixes(bench.mark - 40 < 0 ? 0 : bench.mark - 40).at(-1);
      if (fix === undefined) return notJudged('it has reported no position');
      const offMs = fix.tMs - fix.message.wallMs;
      const sent = 'nothing';
      const got = `t ${fix.t}, ${Number.isNaN(offMs) ? 'which is no time' : `${seconds(Math.abs(offMs))} ${offMs > 0 ? 'ahead of' : 'behind'} the true time`}`;
      if (Math.abs(offMs) <= CLOCK_GOOD_MS) return passed(sent, got);
      if (Math.abs(offMs) <= CLOCK_OFF_MS) return advice(sent, got, 'Set the clock by NTP or by GPS, again every day.');
      return broken(sent, got, {
        production:
          'A t in the future is replaced by the time of arrival. A position that is more than 5 min old does not move the worker on the map. worker_acknowledged_at has the time of this clock.',
        fix: 'Write UTC with milliseconds and Z, as 2026-10-05T06:00:00.000Z: a local time with a Z is wrong by hours. Set the clock by NTP or by GPS.',
      });
    },
  ),
  check({ number: 9, title: 'It reports its battery', clause: 'watch-protocol up/battery' }, async (bench) => {
    const found = await bench.tap.until(
      () => bench.tap.uplinks.find(({ known }) => known?.way === 'up' && known.leaf === 'battery'),
      BATTERY_MS,
    );
    if (found !== null) return passed('nothing', String(found.packet.payload).slice(0, 120));
    return broken('nothing', `no up/battery within ${BATTERY_MS / 1_000} s`, {
      production:
        'The service never raises a low-battery alert for it, and a watch with an empty battery looks like a missing person.',
      fix: 'Publish {"session","seq","t","pct","charging"} on up/battery after the birth, and at each change.',
    });
  }),
  check(
    {
      number: 10,
      title: 'When taken off the wrist, it reports this',
      clause: 'watch-protocol up/position: worn',
      needs: ['hand'],
    },
    async (bench) => {
      if (bench.fixes().at(-1)?.worn === null) return notJudged('it has no wrist sensor: worn is null');
      const sent = 'the watch is taken off';
      const { mark } = bench;
      const off = await bench.ask({ do: 'wear', worn: false }, 'Take the watch off.');
      if (!off.isDone) return noHand(off.why);
      const limitMs = 2 * bench.service.positionEveryMs + (bench.hand?.patienceMs ?? 0);
      const seen = await bench.tap.until(() => bench.fixes(mark).some(({ worn }) => worn === false), limitMs);
      await bench.ask({ do: 'wear', worn: true }, 'Put the watch on again.');
      if (seen === true) return passed(sent, 'worn: false');
      return broken(
        sent,
        `${bench.fixes(mark).length} positions with worn: ${String(bench.fixes(mark).at(-1)?.worn)}`,
        {
          production: 'A watch on a table counts as its wearer, for example as safe.',
          fix: 'Write the state of the wrist sensor to worn in the next report; null only if there is no sensor.',
        },
      );
    },
  ),
  check(
    {
      number: 11,
      title: 'A clock that was an hour off is right again after it is set',
      needs: ['hand'],
      clause: 'watch-protocol, fine print: a t more than a minute off is noted',
    },
    async (bench) => {
      const sent = 'the clock is set an hour ahead, then right';
      const ahead = await bench.ask({ do: 'clock', ahead_s: HOUR_S }, null);
      if (!ahead.isDone) return noHand(ahead.why);
      const limitMs = 3 * bench.service.positionEveryMs + 2_000;
      const offBy = (ms: number, mark: number) => () =>
        bench.fixes(mark).some(({ tMs, message }) => Math.abs(tMs - message.wallMs - ms) < CLOCK_GOOD_MS);
      const wasOff = await bench.tap.until(offBy(HOUR_S * 1_000, bench.mark), limitMs);
      await bench.ask({ do: 'clock', ahead_s: 0 }, null);
      const isRight = await bench.tap.until(offBy(0, bench.mark), limitMs);
      if (wasOff !== true) return notJudged('no t was an hour ahead after the clock was set so');
      const noted = (await bench.service.noted()).findLast((line) => line.includes('ahead of'));
      if (isRight === true)
        return passed(sent, `t is right again${noted === undefined ? '' : `; the service had noted: ${noted}`}`);
      return broken(sent, `t is still ${bench.fixes().at(-1)?.t}`, {
        production: `The service replaces a future t by the time of arrival and logs both times in ${CLI} logs watches; acknowledgements are wrong by an hour.`,
        fix: 'Read the clock for the time of each message; do not use an offset from the start.',
      });
    },
  ),
];

/** Time limit for a battery report; wall ms. */
const BATTERY_MS = 10_000;
