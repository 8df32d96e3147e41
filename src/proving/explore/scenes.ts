/**
 * Scenes: situations of an alert or a muster in which integrations often fail, each a few steps with details drawn by the seed.
 * A search plays all of them before it generates scenarios of single moves, so that each specified transition occurs early.
 */
import { formatDuration } from '../../base/time/durations.ts';
import type { GeneratedStep } from './generated-scenario.ts';
import { BY, type Drawing, type WeightedMove } from './moves.ts';

type Scene = (draw: Drawing) => readonly GeneratedStep[];

const SHORT = ['2s', '10s', '40s'];

const sos = (draw: Drawing, as: string): GeneratedStep => ({ sos: { who: draw.who() }, as });
const resolve = (alert: string, after?: string): GeneratedStep => ({
  resolve: { alert: `$${alert}`, by: BY, via: 'panel' },
  ...(after === undefined ? {} : { after }),
});
const reopen = (alert: string, after: string): GeneratedStep => ({ reopen: { alert: `$${alert}`, by: BY }, after });
const start = (kind: string, site: object, as: string): GeneratedStep => ({
  start_muster: { kind, by: BY, ...site },
  as,
});
const end = (muster: string, outcome: string, after: string): GeneratedStep => ({
  end_muster: { muster: `$${muster}`, outcome, by: BY },
  after,
});
const wait = (time: string): GeneratedStep => ({ wait: time });

/** A muster at a site with an assembly point, and the people of the site. */
function mustered(draw: Drawing, kind = 'general') {
  const site = draw.one(draw.plant.sites.filter((name) => draw.pointsOf(name).length > 0));
  const muster = draw.fresh('m');
  const named = draw.plant.sites.length > 1 ? { site } : {};
  return { site, muster, begin: start(kind, named, muster), people: draw.peopleAt(site) };
}

/** An alert whose delivery, or the client's call about it, fails while its status changes. */
const troubled =
  (trouble: (draw: Drawing) => GeneratedStep): Scene =>
  (draw) => {
    const alert = draw.fresh('a');
    const turns: readonly GeneratedStep[] = draw.one([
      [],
      [resolve(alert, draw.one(SHORT))],
      [{ acknowledge: { alert: `$${alert}`, by: BY, via: 'panel' }, after: draw.one(SHORT) }],
      [resolve(alert, '2s'), reopen(alert, '2s')],
    ]);
    // A second alert shows whether the first one blocks the system.
    const next = draw.stream.chance(0.5) ? [sos(draw, draw.fresh('a'))] : [];
    return [trouble(draw), sos(draw, alert), ...turns, ...next, wait('3m')];
  };

/**
 * Sets the request limit to zero so that the first or the second poll of a system with wake calls falls into it: the first one
 * requests a token, the second one has it. `lasts`: a duration.
 */
function limited(draw: Drawing, lasts: string): readonly GeneratedStep[] {
  const { wakeEveryMs } = draw.plant;
  const limits = { limits: { requests_per_minute: 0 }, for: lasts };
  if (wakeEveryMs === null || wakeEveryMs <= 1_000) return [limits];
  return [wait(formatDuration(draw.one([1, 2, 2]) * wakeEveryMs - 1_000)), limits];
}

const faulty = (does: unknown) => (draw: Drawing) => ({ receiver: { name: draw.receiver(), does }, for: '40s' });
const disturbed = (how: object) => (draw: Drawing) => ({ deliveries: { to: draw.receiver(), ...how }, for: '5m' });

export const SCENES: Readonly<Record<string, Scene>> = {
  alertLife: (draw) => {
    const alert = draw.fresh('a');
    const turn = { acknowledge: { alert: `$${alert}`, by: BY, via: 'panel' }, after: draw.one(SHORT) };
    return [sos(draw, alert), turn, resolve(alert, '40s'), reopen(alert, '40s'), resolve(alert, '2m')];
  },
  reopenedAlert: (draw) => {
    const alert = draw.fresh('a');
    return [sos(draw, alert), wait('1m'), resolve(alert), reopen(alert, '2m'), wait('2m')];
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
  severalAlerts: (draw) => {
    const alerts = draw.plant.people.slice(0, 3).map((who) => ({ who, as: draw.fresh('a') }));
    const [first] = alerts;
    return [...alerts.map(({ who, as }) => ({ sos: { who }, as })), resolve(first?.as ?? '', '10s'), wait('2m')];
  },
  alertWithoutWorker: (draw) => [
    {
      hazard: { kind: draw.one(['earthquake', 'tsunami_risk']), ...draw.site(), official: true, magnitude: 7 },
      as: draw.fresh('a'),
    },
    wait('2m'),
  ],
  zoneEntry: (draw) => {
    const who = draw.who();
    const zone = draw.zoneNear(who);
    return [{ enter: { who, zone } }, wait('1m'), { leave: { who, zone } }, wait('2m')];
  },
  lowBattery: (draw) => [{ battery: { who: draw.who(), pct: 12 } }, wait('2m')],
  silentWatch: (draw) => [{ signal: { who: draw.who(), is: 'lost', kind: 'network' }, for: '40m' }, wait('1h')],
  namesHidden: (draw) => [
    { contract: { include_worker_names: false } },
    sos(draw, draw.fresh('a')),
    wait('1m'),
    { contract: { include_worker_names: true } },
  ],
  twice: troubled(disturbed({ duplicate: 2 })),
  shuffled: troubled(disturbed({ shuffle: '30s' })),
  shuffledLong: troubled(disturbed({ shuffle: '5m' })),
  late: troubled(disturbed({ hold: '2m' })),
  // `alert.created` is delivered after the alert was resolved, and before `alert.resolved` is delivered. A second alert is open.
  resolvedBeforeItArrives: (draw) => {
    const alert = draw.fresh('a');
    const receiver = draw.receiver();
    return [
      { deliveries: { to: receiver, hold: '5s' } },
      sos(draw, alert),
      { ...sos(draw, draw.fresh('a')), after: '2s' },
      resolve(alert, '2s'),
      { receiver: { name: receiver, does: 503 }, for: '5m', after: '4s' },
      wait('4m'),
    ];
  },
  // `muster.ended` is delivered after the next muster of the site has started.
  lateEndOfMuster: (draw) => {
    const { muster, begin, site } = mustered(draw);
    const named = draw.plant.sites.length > 1 ? { site } : {};
    return [
      begin,
      { receiver: { name: draw.receiver(), does: 503 }, for: '3s', after: '10s' },
      end(muster, draw.one(['cancelled', 'completed']), '1s'),
      { ...start(draw.one(['general', 'tsunami']), named, draw.fresh('m')), after: '5s' },
      wait('5m'),
    ];
  },
  receiverFails: troubled(faulty(503)),
  answersLost: troubled(faulty('lost_answer')),
  receiverResets: troubled(faulty(['reset', 503])),
  apiFails: troubled((draw) => ({ api_fault: { status: draw.one([500, 503]) }, for: draw.one(['10s', '40s']) })),
  apiFailsAtTimes: troubled((draw) => ({ api_fault: { status: draw.one([500, 503]), share: 0.5 }, for: '2m' })),
  apiFailsFirst: (draw) => [
    { api_fault: { status: draw.one([500, 503]) }, for: '2m' },
    wait('10m'),
    sos(draw, draw.fresh('a')),
    wait('3m'),
  ],
  tooManyRequests: (draw) => [...limited(draw, '2s'), sos(draw, draw.fresh('a')), wait('3m')],
  tooManyRequestsLater: (draw) => {
    const alert = draw.fresh('a');
    return [
      sos(draw, alert),
      ...limited(draw, draw.one(['2s', '5s'])),
      resolve(alert),
      reopen(alert, '1s'),
      wait('3m'),
    ];
  },
  tooManyRequestsAgain: (draw) => [
    ...limited(draw, '2s'),
    sos(draw, draw.fresh('a')),
    wait('5m'),
    { limits: { requests_per_minute: 0 }, for: '2s' },
    sos(draw, draw.fresh('a')),
    wait('3m'),
  ],
  tokenExpires: (draw) => [
    sos(draw, draw.fresh('a')),
    wait('1m'),
    { token: { [draw.one(['expire', 'revoke'])]: 'customer' } },
    sos(draw, draw.fresh('a')),
    wait('3m'),
  ],
  hoursPass: (draw) => [
    sos(draw, draw.fresh('a')),
    { clock: { advance: draw.one(['2h', '25h']) }, after: '1m' },
    sos(draw, draw.fresh('a')),
    wait('3m'),
  ],
  rotated: (draw) => {
    const rotate = { webhook: { rotate_secret: draw.informedReceiver() } };
    return [rotate, sos(draw, draw.fresh('a')), wait('1m'), rotate, sos(draw, draw.fresh('a')), wait('3m')];
  },
  rotatedTwiceAtOnce: (draw) => {
    const rotate = { webhook: { rotate_secret: draw.informedReceiver() } };
    return [rotate, rotate, sos(draw, draw.fresh('a')), wait('3m')];
  },
  rotatedAndOver: (draw) => [
    { webhook: { rotate_secret: draw.informedReceiver() } },
    { clock: { advance: '25h' } },
    sos(draw, draw.fresh('a')),
    wait('3m'),
  ],
  rotatedUntold: (draw) => [
    { webhook: { rotate_secret: draw.receiver(), announced: false } },
    sos(draw, draw.fresh('a')),
    wait('3m'),
  ],
  testEvent: (draw) => [{ webhook: { test: draw.receiver() } }, wait('2m')],
  sentAgain: (draw) => {
    const alert = draw.fresh('a');
    return [
      sos(draw, alert),
      resolve(alert, '40s'),
      { resend: { to: draw.receiver(), since: '1h' }, after: '2m' },
      wait('2m'),
    ];
  },
  // More events than one page of the event log (at most 200), while API and receiver are down.
  longGap: (draw) => {
    const receiver = draw.plant.receivers[0];
    const alert = draw.fresh('a');
    return [
      { api_fault: { status: 503 }, for: '8m' },
      ...(receiver === undefined ? [] : [{ receiver: { name: receiver, does: 503 }, for: '8m' }]),
      {
        repeat: {
          times: draw.one([30, 30, 30, 110]),
          every: '2s',
          steps: [
            { sos: { who: draw.who() }, as: alert },
            { resolve: { alert: `$${alert}`, by: BY, via: 'panel' }, after: '1s' },
          ],
        },
      },
      sos(draw, draw.fresh('a')),
      wait('20m'),
    ];
  },
  musterLife: (draw) => {
    const { site, muster, begin, people } = mustered(draw);
    const [point = ''] = draw.pointsOf(site);
    const [one = '', ...rest] = people;
    const fields = { muster: `$${muster}`, by: BY };
    const excludes =
      draw.pointsOf(site).length > 1
        ? [
            { exclude_point: { ...fields, point, reason: 'Smoke' }, after: '20s' },
            { reinstate_point: { ...fields, point }, after: '30s' },
          ]
        : [];
    return [
      begin,
      ...excludes,
      { mark_safe: { ...fields, who: one }, after: '40s' },
      ...(rest.length === 0 ? [] : [{ mark_safe: { ...fields, who: rest }, after: '40s' }]),
      { inspect: fields, after: '1m' },
      end(muster, 'completed', '2m'),
      wait('1m'),
    ];
  },
  musterInspected: (draw) => {
    const { muster, begin, people } = mustered(draw);
    const fields = { muster: `$${muster}`, by: BY };
    return [
      begin,
      { mark_safe: { ...fields, who: people }, after: '20s' },
      { inspect: fields, after: '20s' },
      wait('5m'),
    ];
  },
  musterCancelled: (draw) => {
    const { muster, begin } = mustered(draw, draw.one(['general', 'tsunami']));
    return [begin, end(muster, 'cancelled', draw.one(SHORT)), wait('2m')];
  },
  musterChanges: (draw) => {
    const { muster, begin } = mustered(draw, draw.one(['general', 'earthquake']));
    const change = { change_kind: { muster: `$${muster}`, to: 'tsunami', by: BY }, after: draw.one(SHORT) };
    return [begin, change, wait('3m')];
  },
  musterDisturbed: (draw) => {
    const { muster, begin } = mustered(draw);
    const disturb = draw.one([
      disturbed({ shuffle: '5m' }),
      disturbed({ duplicate: 2 }),
      disturbed({ hold: '2m' }),
      faulty(503),
    ])(draw);
    const change = { change_kind: { muster: `$${muster}`, to: 'tsunami', by: BY }, after: '2s' };
    return [disturb, begin, change, ...(draw.stream.chance(0.5) ? [end(muster, 'cancelled', '2s')] : []), wait('10m')];
  },
  musterNeedsHelp: (draw) => {
    const { muster, begin, people } = mustered(draw);
    return [
      begin,
      { cannot_evacuate: { who: draw.one(people), reason: draw.one(['trapped', 'injured']) }, after: '20s' },
      wait('2m'),
      end(muster, 'completed', '1m'),
    ];
  },
  musterMissing: (draw) => {
    const { muster, begin, people } = mustered(draw);
    const fields = { muster: `$${muster}`, by: BY };
    const rescued = people.slice(0, 1);
    return [begin, wait('15m'), { mark_safe: { ...fields, who: rescued } }, wait('2m'), end(muster, 'completed', '2m')];
  },
  twoMusters: (draw) => {
    const sites = draw.plant.sites.filter((name) => draw.pointsOf(name).length > 0);
    const [first = '', second = ''] = [draw.one(sites), draw.one(sites.slice(1))];
    const [one, two] = [draw.fresh('m'), draw.fresh('m')];
    const other = first === second ? (sites[0] ?? '') : first;
    const ended = draw.one([one, two]);
    return [
      start('general', { site: other }, one),
      { ...start('general', { site: second }, two), after: '10s' },
      end(ended, draw.one(['completed', 'cancelled']), '1m'),
      wait('3m'),
    ];
  },
  secondMuster: (draw) => {
    const { muster, begin, site } = mustered(draw);
    const named = draw.plant.sites.length > 1 ? { site } : {};
    return [
      begin,
      end(muster, 'cancelled', '40s'),
      { ...start('general', named, draw.fresh('m')), after: '2m' },
      wait('3m'),
    ];
  },
  alertInMuster: (draw) => {
    const { begin } = mustered(draw);
    const alert = draw.fresh('a');
    return [begin, { ...sos(draw, alert), after: '20s' }, resolve(alert, '1m'), wait('2m')];
  },
};

/** Variants, and scenes that concern few systems. They come later, because a slow system plays about 30 scenarios per minute. */
const LATER = new Set([
  ...['reopenedWithoutPause', 'shuffledLong', 'receiverResets', 'apiFailsAtTimes', 'tooManyRequestsLater', 'hoursPass'],
  ...['rotatedAndOver', 'rotatedUntold', 'lowBattery', 'silentWatch', 'zoneEntry', 'alertWithoutWorker', 'namesHidden'],
  ...[
    'musterDisturbed',
    'musterNeedsHelp',
    'alertInMuster',
    'late',
    'apiFails',
    'tooManyRequestsAgain',
    'fallBecomesSos',
  ],
]);

/** Played last, because it takes several seconds. */
const LAST = new Set(['longGap']);

/** The scenes as moves that can be drawn again later. */
export const SCENE_MOVES: readonly WeightedMove[] = Object.entries(SCENES).map(([name, steps]) => ({
  name,
  weight: LAST.has(name) ? 0.5 : 2,
  steps,
}));

/** Returns the rank in the order in which a search plays the scenes. The seed shuffles scenes of one rank. */
export const rankOfScene = (name: string): number => (LAST.has(name) ? 2 : LATER.has(name) ? 1 : 0);
