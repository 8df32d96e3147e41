/** Scenes in which the contact is disturbed: deliveries, the API, limits, tokens and secrets. */
import { formatDuration } from '../../../base/time/durations.ts';
import type { GeneratedStep } from '../generated-scenario.ts';
import { BY, type Drawing, TOKENS } from '../moves.ts';
import {
  apiAway,
  disturbed,
  faulty,
  lives,
  lowBattery,
  OUTLASTED,
  raised,
  receiverAway,
  reopen,
  resolve,
  type Scene,
  sos,
  wait,
} from './steps.ts';

/** Alerts whose deliveries, or the client's calls about them, fail while their statuses change. */
const troubled =
  (trouble: (draw: Drawing) => GeneratedStep | readonly GeneratedStep[]): Scene =>
  (draw) => {
    // Between two wake calls, so that a poll does not always bring at once what a delivery lost.
    const begin = draw.one([[], [], [wait('3s')], [wait('14s')]]);
    // A later alert shows whether the first ones block the system.
    const next = draw.stream.chance(0.5) ? [{ ...sos(draw, draw.fresh('a')), after: '20s' }] : [];
    return [...begin, ...[trouble(draw)].flat(), ...lives(draw), ...next, wait('3m')];
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

export const CONTACT_SCENES = {
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
  // The first deliveries are refused once, so that the next ones overtake them. The API may be away too.
  overtaken: troubled((draw) => {
    const refused = Array.from({ length: draw.one([1, 3, 3, 5]) }, () => 503);
    const away = draw.stream.chance(0.5) ? [apiAway(draw, '15s')] : [];
    return [{ receiver: { name: draw.receiver(), does: [...refused, 'ok'] } }, ...away];
  }),
  receiverFails: troubled(faulty(503)),
  answersLost: troubled(faulty('lost_answer')),
  receiverResets: troubled(faulty(['reset', 503])),
  apiFails: troubled((draw) => ({ api_fault: { status: draw.one([500, 503]) }, for: draw.one(['10s', '40s']) })),
  apiFailsAtTimes: troubled((draw) => ({ api_fault: { status: draw.one([500, 503]), share: 0.5 }, for: '2m' })),
  // A system that lost the contact may begin afresh, and forget what it did.
  apiAwayWhileOpen: (draw) => {
    const alert = draw.fresh('a');
    const away = draw.one([[apiAway(draw, '20s')], [apiAway(draw, '20s'), receiverAway(draw, '20s')]]);
    return [
      sos(draw, alert),
      wait('20s'),
      ...away,
      { ...raised(draw, draw.fresh('a')), after: '5s' },
      OUTLASTED,
      wait('17s'),
      raised(draw, draw.fresh('a')),
      wait('1m'),
      resolve(alert),
      wait('2m'),
    ];
  },
  // The system's own call about an alert fails, and the alert is not an SOS.
  ownCallFails: (draw) => {
    const [low] = lowBattery(draw);
    const trouble = draw.one([limited(draw, '2s'), [apiAway(draw, '20s')]]);
    return [...low, wait('2m'), ...trouble, ...lowBattery(draw)[0], wait('3m'), sos(draw, draw.fresh('a')), wait('3m')];
  },
  noTokenForAWhile: (draw) => [
    ...lowBattery(draw)[0],
    wait('1m'),
    { api_fault: { status: draw.one([500, 503]), ...TOKENS }, for: '40s' },
    { token: { [draw.one(['expire', 'revoke'])]: 'customer' } },
    sos(draw, draw.fresh('a')),
    wait('1s'),
    OUTLASTED,
    wait('2m'),
    ...lowBattery(draw)[0],
    raised(draw, draw.fresh('a')),
    wait('3m'),
  ],
  apiFailsFirst: (draw) => [
    { api_fault: { status: draw.one([500, 503]) }, for: '2m' },
    wait('10m'),
    sos(draw, draw.fresh('a')),
    wait('3m'),
  ],
  tooManyRequests: troubled((draw) => limited(draw, '2s')),
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
    ...lives(draw),
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
} satisfies Readonly<Record<string, Scene>>;
