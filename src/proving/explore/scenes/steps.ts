/** Steps and disturbances that several scenes have. */
import type { GeneratedStep } from '../generated-scenario.ts';
import { BY, type Drawing } from '../moves.ts';

/** A situation in which integrations often fail; its details are drawn by the seed. */
export type Scene = (draw: Drawing) => readonly GeneratedStep[];

export const SHORT = ['2s', '10s', '40s'];

export const sos = (draw: Drawing, as: string): GeneratedStep => ({ sos: { who: draw.who() }, as });
export const resolve = (alert: string, after?: string): GeneratedStep => ({
  resolve: { alert: `$${alert}`, by: BY, via: 'panel' },
  ...(after === undefined ? {} : { after }),
});
export const reopen = (alert: string, after: string): GeneratedStep => ({
  reopen: { alert: `$${alert}`, by: BY },
  after,
});
export const start = (kind: string, site: object, as: string): GeneratedStep => ({
  start_muster: { kind, by: BY, ...site },
  as,
});
export const end = (muster: string, outcome: string, after: string): GeneratedStep => ({
  end_muster: { muster: `$${muster}`, outcome, by: BY },
  after,
});
export const wait = (time: string): GeneratedStep => ({ wait: time });

export const faulty = (does: unknown) => (draw: Drawing) => ({ receiver: { name: draw.receiver(), does }, for: '40s' });
export const disturbed = (how: object) => (draw: Drawing) => ({
  deliveries: { to: draw.receiver(), ...how },
  for: '5m',
});

/**
 * A pause of wall time. An outage of simulated time takes a few milliseconds of wall time, and a system that tries again would
 * always outlast it.
 */
export const OUTLASTED: GeneratedStep = { clock: { pause: '1s500ms' } };

/** The API, or a receiver, answers nothing but errors for this duration. */
export const apiAway = (draw: Drawing, lasts: string): GeneratedStep => ({
  api_fault: { status: draw.one([500, 503]) },
  for: lasts,
});
export const receiverAway = (draw: Drawing, lasts: string): GeneratedStep => ({
  receiver: { name: draw.receiver(), does: 503 },
  for: lasts,
});

/** A call or an SOS: an alert that a system treats as urgent, or as one of many. */
export const raised = (draw: Drawing, as: string): GeneratedStep => ({
  [draw.one(['call_request', 'sos'])]: { who: draw.who() },
  as,
});

export const acknowledge = (alert: string, after: string): GeneratedStep => ({
  acknowledge: { alert: `$${alert}`, by: BY, via: 'panel' },
  after,
});

/** An alert of low severity, raised by the next report of the watch, and its name. */
export function lowBattery(draw: Drawing): readonly [readonly GeneratedStep[], string] {
  const who = draw.who();
  const alert = draw.fresh('a');
  const raising = { wait_for: { alert: 'low_battery', of: who }, within: '10m', as: alert };
  return [[{ battery: { who, pct: 12 } }, raising], alert];
}

/**
 * Three alerts at nearly the same time, each with another life: one reopened at once, one acknowledged, one resolved; then two
 * of them change in the same way once more. A scenario has costs of its own, so that a scene with three lives finds more in a
 * minute than three scenes, and is shortened to the one that counts.
 */
export function lives(draw: Drawing): readonly GeneratedStep[] {
  const [reopened, acknowledged, resolved] = [draw.fresh('a'), draw.fresh('a'), draw.fresh('a')];
  const again = [
    resolve(reopened, '40s'),
    resolve(acknowledged, '300ms'),
    reopen(acknowledged, draw.one(['300ms', '2s'])),
    acknowledge(acknowledged, draw.one(['2s', '40s'])),
  ];
  return [
    sos(draw, reopened),
    { call_request: { who: draw.who() }, as: acknowledged },
    { ...sos(draw, resolved), after: '300ms' },
    acknowledge(acknowledged, draw.one(['300ms', '2s'])),
    resolve(reopened, draw.one(SHORT)),
    reopen(reopened, draw.one(['300ms', '2s'])),
    resolve(resolved, draw.one(SHORT)),
    ...(draw.stream.chance(0.7) ? again : []),
  ];
}
