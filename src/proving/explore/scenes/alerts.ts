/** Scenes of alerts: their lives, many of them, and people about whom little is known. */
import { formatDuration } from '../../../base/time/durations.ts';
import type { GeneratedStep } from '../generated-scenario.ts';
import { BY, type Drawing } from '../moves.ts';
import {
  acknowledge,
  apiAway,
  lives,
  lowBattery,
  raised,
  receiverAway,
  reopen,
  resolve,
  type Scene,
  SHORT,
  sos,
  wait,
} from './steps.ts';

/** One open alert for each of this number of workers, of another type with each number. */
const many = (draw: Drawing, counts: readonly number[]): readonly GeneratedStep[] =>
  counts.map((count, at) => ({ [['call_request', 'sos', 'panel_sos'][at] ?? 'sos']: { who: draw.crew(count) } }));

export const ALERT_SCENES = {
  alertLives: (draw) => [...lives(draw), wait('2m')],
  alertLife: (draw) => {
    const alert = draw.fresh('a');
    const turn = { acknowledge: { alert: `$${alert}`, by: BY, via: 'panel' }, after: draw.one(SHORT) };
    return [
      sos(draw, alert),
      turn,
      resolve(alert, '40s'),
      reopen(alert, draw.one(['40s', '2m'])),
      resolve(alert, '2m'),
    ];
  },
  reopenedWithoutPause: (draw) => {
    const alert = draw.fresh('a');
    return [sos(draw, alert), resolve(alert), reopen(alert, draw.one(['1s', '2s'])), wait('2m')];
  },
  fallBecomesSos: (draw) => [
    { fall: { who: draw.who(), answers: draw.one(['help', 'never']) }, as: draw.fresh('a') },
    wait('3m'),
  ],
  // A press on the watch is not an acknowledgement by the control room.
  workerAnswers: (draw) => {
    const who = draw.who();
    const [call, alert] = [draw.fresh('a'), draw.fresh('a')];
    return [
      { call_request: { who }, as: call },
      { press_ack: { who, alert: `$${call}` }, after: '10s' },
      { sos: { who }, as: alert, after: '2m' },
      { press_ack: { who, alert: `$${alert}` }, after: '10s' },
      resolve(alert, '40s'),
      wait('2m'),
    ];
  },
  alertWithoutWorker: (draw) => {
    const alert = draw.fresh('a');
    const kind = draw.one(['earthquake', 'tsunami_risk']);
    return [
      { hazard: { kind, ...draw.site(), official: true, magnitude: 7 }, as: alert },
      wait('1m'),
      resolve(alert),
      reopen(alert, draw.one(SHORT)),
      wait('2m'),
    ];
  },
  // A system that compares whole seconds confuses the order of these changes.
  changesWithinASecond: (draw) => {
    const alert = draw.fresh('a');
    const [call, answer] = [raised(draw, alert), acknowledge(alert, '300ms')];
    const more = draw.one([[], [resolve(alert, '200ms')], [resolve(alert, '200ms'), reopen(alert, '300ms')]]);
    return [wait('5s'), call, answer, ...more, wait('2m')];
  },
  // Just before and just after a wake call, so that one poll reads the first and the next one the second.
  alertsWithinASecond: (draw) => {
    const { wakeEveryMs } = draw.plant;
    const beforeMs = (wakeEveryMs ?? 10_000) - 300;
    const next = draw.one([sos, raised])(draw, draw.fresh('a'));
    return [wait(formatDuration(beforeMs)), sos(draw, draw.fresh('a')), { ...next, after: '500ms' }, wait('2m')];
  },
  alertsAtOnce: (draw) => {
    const first = draw.fresh('a');
    return [
      {
        together: [{ sos: { who: draw.who() }, as: first }, { sos: { who: draw.who() } }, { sos: { who: draw.who() } }],
      },
      resolve(first, draw.one(SHORT)),
      { ...raised(draw, draw.fresh('a')), after: '20s' },
      wait('2m'),
    ];
  },
  alertsOfOnePerson: (draw) => {
    const who = draw.who();
    const [first, second] = [draw.fresh('a'), draw.fresh('a')];
    return [
      { sos: { who }, as: first },
      { call_request: { who }, as: second, after: '20s' },
      { battery: { who, pct: 12 }, after: '20s' },
      wait('6m'),
      resolve(first),
      wait('2m'),
      resolve(second),
      wait('1m'),
    ];
  },
  // The place of an urgent alert is shown. That of another alert of the same person is withheld.
  withheldPlace: (draw) => {
    const who = draw.who();
    const [urgent, other] = [draw.fresh('a'), draw.fresh('a')];
    const site = draw.plant.siteOf[who] ?? draw.one(draw.plant.sites);
    return [
      { privacy: { site, mode: 'on_demand' } },
      { sos: { who }, as: urgent, after: '10s' },
      { call_request: { who }, as: other, after: '20s' },
      wait('1m'),
      resolve(urgent),
      wait('1m'),
      { privacy: { site, mode: 'continuous' } },
      { call_request: { who: draw.who() }, after: '20s' },
      wait('1m'),
    ];
  },
  // Alerts of all severities within a few seconds. Some systems get a part of them by deliveries, and the others by polling.
  mixedSeverities: (draw) => {
    const [low] = lowBattery(draw);
    return [
      ...low,
      sos(draw, draw.fresh('a')),
      { call_request: { who: draw.who() }, after: '500ms' },
      { hazard: { kind: 'earthquake', ...draw.site(), official: true, magnitude: 6 }, after: '2s' },
      wait('2m'),
    ];
  },
  privacyZone: (draw) => {
    const { name: zone, site } = draw.one(draw.plant.zones.filter(({ type }) => type === 'privacy'));
    const who = draw.one(draw.peopleAt(site));
    const alert = draw.fresh('a');
    return [
      { enter: { who, zone } },
      wait('2m'),
      { [draw.one(['call_request', 'sos'])]: { who }, as: alert },
      wait('1m'),
      { leave: { who, zone } },
      wait('2m'),
      resolve(alert),
      wait('1m'),
    ];
  },
  // More open alerts than one page of the API has: 20, 50 (its default) or 200 (its limit) for most clients.
  manyOpenAlerts: (draw) => {
    const alert = draw.fresh('a');
    const steps = many(draw, draw.one([[25], [60], [60], [70, 70, 70]]));
    return [...steps, { ...sos(draw, alert), after: '70s' }, wait('1m'), resolve(alert), wait('2m')];
  },
  // While the API is away, deliveries bring more events than a page of the log has. Later events come by polling alone.
  manyEventsOneWay: (draw) => {
    const counts = draw.one([[60], [60], [60], [60], [70, 70, 70]]);
    return [
      apiAway(draw, '12m'),
      ...many(draw, counts),
      wait('30s'),
      receiverAway(draw, '20s'),
      sos(draw, draw.fresh('a')),
      wait('1m'),
      ...lowBattery(draw)[0],
      wait('14m'),
      sos(draw, draw.fresh('a')),
      wait('3m'),
    ];
  },
  // More than a page of events while no delivery arrives.
  manyEventsUndelivered: (draw) => [
    receiverAway(draw, '5m'),
    ...many(draw, draw.one([[25], [60], [60]])),
    wait('7m'),
    sos(draw, draw.fresh('a')),
    wait('3m'),
  ],
  manyAndSentAgain: (draw) => {
    const [alert, again] = [draw.fresh('a'), draw.fresh('a')];
    return [
      sos(draw, again),
      { sos: { who: draw.crew(25) }, after: '2s' },
      sos(draw, alert),
      wait('2m'),
      { resend: { to: draw.receiver(), since: '1h' } },
      wait('1m'),
      resolve(again),
      reopen(again, '2s'),
      wait('2m'),
    ];
  },
  zoneEntry: (draw) => {
    const who = draw.who();
    const zone = draw.zoneNear(who);
    return [{ enter: { who, zone } }, wait('1m'), { leave: { who, zone } }, wait('2m')];
  },
  batteryLife: (draw) => {
    const [low, alert] = lowBattery(draw);
    return [
      ...low,
      wait('20s'),
      resolve(alert),
      reopen(alert, draw.one(SHORT)),
      wait('2m'),
      resolve(alert),
      wait('1m'),
    ];
  },
  silentWatch: (draw) => {
    const who = draw.who();
    const alert = draw.fresh('a');
    return [
      { signal: { who, is: 'lost', kind: 'network' }, for: '40m' },
      { wait_for: { alert: 'device_offline', of: who }, within: '35m', as: alert },
      wait('2m'),
      resolve(alert),
      wait('20m'),
    ];
  },
  namesHidden: (draw) => [
    { contract: { include_worker_names: false } },
    sos(draw, draw.fresh('a')),
    wait('1m'),
    { contract: { include_worker_names: true } },
  ],
} satisfies Readonly<Record<string, Scene>>;
