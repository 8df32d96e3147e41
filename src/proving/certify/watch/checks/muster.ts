/** The behaviour of the watch in an evacuation. [watch-protocol all/muster, decisions 6] */
import { type Finding, notJudged, passed } from '../../check.ts';
import type { WatchBench } from '../bench.ts';
import { broken, checksOf, noHand, type WatchCheck } from '../check.ts';
import { judgeAlarm, judgePace } from './reports.ts';

const check = checksOf('muster', 'muster');

/** Ids of the assembly points to which the wearer must go. */
const targets = ({ muster }: WatchBench): readonly string[] =>
  (muster?.points ?? [])
    .filter(({ status, serves }) => status === 'available' && serves.includes(muster?.kind ?? 'general'))
    .map(({ id }) => id);

const SHOWS = {
  production: 'The wearer walks to a point that does not serve, or does not walk: they count as missing.',
  fix: 'Show each all/muster as it comes: status, phase, kind, and of points those that are available and serve the kind. A newer revision replaces the one before.',
};

async function judgeTargets(bench: WatchBench, sent: string): Promise<Finding> {
  const points = targets(bench);
  const names = (bench.muster?.points ?? []).filter(({ id }) => points.includes(id)).map(({ name }) => name);
  const isShown = await bench.looks(
    `Does the watch tell its wearer to evacuate to ${names.join(' or ')}, and to no other point?`,
    (shows) => shows.muster === 'evacuate' && sameIds(shows.points, points),
  );
  if (isShown === null) return notJudged('the device does not report what it shows');
  return isShown
    ? passed(sent, `it sends its wearer to ${names.join(', ')}`)
    : broken(sent, 'it shows something else', SHOWS);
}

const sameIds = (a: readonly string[], b: readonly string[]): boolean => a.toSorted().join() === b.toSorted().join();

export const MUSTER_CHECKS: readonly WatchCheck[] = [
  check(
    {
      number: 26,
      title: 'During a muster it reports at the alarm interval, by QoS 1',
      clause: 'watch-protocol up/position: 1 during a muster; down/config: alarm_every_s',
    },
    (bench) => judgeAlarm(bench, 'all/muster, active'),
  ),
  check(
    {
      number: 27,
      title: 'It sends its wearer to the points that serve',
      needs: ['hand'],
      clause: 'watch-protocol all/muster: points',
    },
    (bench) => judgeTargets(bench, 'all/muster of kind general'),
  ),
  check(
    {
      number: 28,
      title: 'A change of kind changes where it sends its wearer',
      needs: ['hand'],
      clause: 'watch-protocol all/muster: kind, revision; decisions 6',
    },
    async (bench) => {
      await bench.changeKind('tsunami');
      return judgeTargets(bench, 'all/muster of kind tsunami');
    },
  ),
  check(
    {
      number: 29,
      title: 'A call for help is published with its reason',
      needs: ['hand'],
      clause: 'watch-protocol up/event: help',
    },
    async (bench) => {
      const sent = 'the wearer says that they are trapped';
      const { mark } = bench;
      const reply = await bench.ask(
        { do: 'help', reason: 'trapped' },
        'Say on the watch that you cannot evacuate: you are trapped.',
      );
      if (!reply.isDone) return noHand(reply.why);
      const help = await bench.event('help', mark);
      const { reason = null } = (help?.payload ?? {}) as { reason?: unknown };
      if (help !== null && reason === 'trapped') return passed(sent, String(help.packet.payload).slice(0, 160));
      return broken(sent, help === null ? 'no up/event/help' : `reason ${String(reason)}`, {
        production:
          'No alert that the wearer cannot evacuate, or one without its reason: the rescuers do not know what to bring.',
        fix: 'Publish up/event/help by QoS 1 with reason trapped, injured, helping, or null where the wearer gave none.',
      });
    },
  ),
  check(
    {
      number: 30,
      title: 'Its wearer can declare the point at which they are',
      needs: ['hand'],
      clause: 'watch-protocol up/event: declare',
    },
    async (bench) => {
      const [point] = targets(bench);
      const name = bench.muster?.points.find(({ id }) => id === point)?.name;
      if (point === undefined || name === undefined) return notJudged('the muster has no point that serves');
      const sent = `the wearer declares that they are at ${name}`;
      const { mark } = bench;
      const reply = await bench.ask({ do: 'declare', point_id: point }, `Say on the watch that you are at ${name}.`);
      if (!reply.isDone) return noHand(reply.why);
      const declared = await bench.event('declare', mark);
      const { point_id: declaredPoint = null } = (declared?.payload ?? {}) as { point_id?: unknown };
      if (declared !== null && String(declaredPoint).toLowerCase() === point)
        return passed(sent, String(declared.packet.payload).slice(0, 160));
      return broken(
        sent,
        declared === null ? 'no up/event/declare' : `point_id ${String(declaredPoint)} instead of ${point}`,
        {
          production: 'Indoors, without a fix, declaring is the only way to count as safe.',
          fix: 'Publish up/event/declare by QoS 1 with the id of the point in all/muster.',
        },
      );
    },
  ),
  check(
    {
      number: 31,
      title: 'While the plant is inspected it tells its wearer to stay out',
      needs: ['hand'],
      clause: 'watch-protocol all/muster: do not return until further notice',
    },
    async (bench) => {
      await bench.resolveAlerts();
      if (!(await bench.inspect())) return notJudged('others are still missing');
      const sent = 'all/muster in phase inspecting';
      const isShown = await bench.looks(
        'Does the watch say not to return until further notice?',
        ({ muster }) => muster === 'stay_out',
      );
      if (isShown === null) return notJudged('the device does not report what it shows');
      return isShown ? passed(sent, 'it tells its wearer to stay out') : broken(sent, 'it does not', SHOWS);
    },
  ),
  check(
    {
      number: 32,
      title: 'After the end of a muster it reports as usual again',
      clause: 'watch-protocol, fine print: one message with its final status, then an empty one',
    },
    async (bench) => {
      await bench.endMuster();
      const { positionEveryMs } = bench.service;
      const pace = await bench.pace(positionEveryMs);
      return judgePace('all/muster with its final status, then an empty one', pace, positionEveryMs);
    },
  ),
];
