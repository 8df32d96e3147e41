/** How people react to an alarm: shares, delays and distances of a muster as one table of parameters, and what each person draws from it. [realism 2.2, 2.3] */
import type { Draws } from '../../../base/random/draws.ts';
import { ln } from '../../../base/random/portable-math.ts';
import type { MusterKind } from '../../../contract/enumerations.ts';

const SECOND_MS = 1_000;

/** Kinds of behaviour in a muster; by default a person goes at once. */
export const BEHAVIOURS = ['goes', 'helps', 'trapped', 'injured', 'wrong', 'ignores', 'returns'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/**
 * Shares of the people who take part. They are assumptions, not evidence. The remaining people go at once.
 * [realism 2.3]
 */
export const SHARES: { readonly [K in MusterKind]: Readonly<Record<Exclude<Behaviour, 'goes'>, number>> } = {
  general: { helps: 0.05, trapped: 0.003, injured: 0.007, wrong: 0.05, ignores: 0.02, returns: 0.02 },
  earthquake: { helps: 0.08, trapped: 0.008, injured: 0.02, wrong: 0.05, ignores: 0.01, returns: 0.03 },
  tsunami: { helps: 0.05, trapped: 0.003, injured: 0.005, wrong: 0.08, ignores: 0.01, returns: 0.02 },
};

/** Delay between hearing the alarm and setting out: a truncated lognormal of seconds. [realism 2.2, IMO day] */
export const START = { mu: 3.44, sigma: 0.94, mostMs: 300 * SECOND_MS } as const;

/** Share of people who shut a machine down before they leave. [realism 2.2] */
export const MAKE_SAFE = { share: 0.12, mu: ln(120), sigma: 0.6 } as const;

/** Share of people who go to the point that they are used to, instead of the nearest. [realism 7.3] */
export const HABIT_SHARE = 0.08;
/** The longest detour that people accept for a habit; metres. An assumption. */
export const HABIT_DETOUR_M = 250;

/** Parameters that a test or a study changes; absent ones keep their default. */
export interface MusterKnobs {
  readonly shares?: (typeof SHARES)[MusterKind];
  readonly start?: { readonly mu: number; readonly sigma: number; readonly mostMs: number };
  readonly makeSafeShare?: number;
  readonly habitShare?: number;
  readonly watches?: (typeof WATCH_SHARES)[MusterKind];
}

/** Duration of a strong earthquake (magnitude 7), during which no one leaves. [realism 2.2] */
export const SHAKING_MS = 30 * SECOND_MS;

/**
 * Delays on a plant with drills for a tsunami: a time to notice, and a Rayleigh-distributed time; milliseconds.
 * [realism 2.2]
 */
export const TSUNAMI = { noticeMs: 60 * SECOND_MS, scaleMs: 99 * SECOND_MS } as const;

/** Delay until the watch reminds a wearer who ignored the alarm. */
const REMINDED_MS = 120 * SECOND_MS;

/** Time from the alarm to the call for help of a person who cannot move. [realism 7.2] */
const CALL = { leastMs: 20 * SECOND_MS, mu: ln(60), sigma: 0.8 } as const;
/** Time that a helper spends with a person who needs help but has not called. */
const HELP = { mu: ln(120), sigma: 0.6 } as const;
/** A helper goes to a person who cannot move, up to this distance; metres. [realism 2.3] */
export const HELP_WITHIN_M = 60;
/** Speed factor of an injured person and of their helper. [realism 2.1] */
export const ESCORTED = 0.5;

/**
 * Share of people at a wrong point who notice this on their watch and leave again, and the delay before it.
 * [realism 2.3]
 */
const CORRECTED = { share: 0.7, leastMs: 20 * SECOND_MS, mu: ln(40), sigma: 0.7 } as const;

/** People who go back for their tools: time at the point before that, and time with the tools. */
const LEAVES_MS = { min: 60 * SECOND_MS, max: 180 * SECOND_MS } as const;
const FETCHES_MS = { min: 20 * SECOND_MS, max: 60 * SECOND_MS } as const;

/**
 * Share of people who press "I am here" on arrival: more in a shelter, where reception is poor. People whose watch
 * shows no position always press it.
 */
const DECLARE_SHARE = { ground: 0.3, vertical: 0.9 } as const;
const DECLARES_MS = { min: 3 * SECOND_MS, max: 15 * SECOND_MS } as const;

/**
 * Shares of all watches at the alarm: off the wrist, and without coverage from some moment of the first minute.
 * [realism 2.3]
 */
export const WATCH_SHARES: { readonly [K in MusterKind]: { readonly off: number; readonly uncovered: number } } = {
  general: { off: 0.04, uncovered: 0.04 },
  earthquake: { off: 0.04, uncovered: 0.15 },
  tsunami: { off: 0.04, uncovered: 0.1 },
};
/** Probability that a worker who is not wearing the watch takes it along when evacuating. An assumption. */
const TAKES_ALONG = 0.5;
const COVER_LOST_MS = { min: 0, max: 60 * SECOND_MS } as const;
/**
 * Duration of a radio outage while many people call and the mains may fail: longer than the usual 45 s. An assumption.
 * [realism 3.3]
 */
const OUTAGE = { mu: ln(120), sigma: 0.8, mostMs: 20 * 60 * SECOND_MS } as const;

/** Delay between a change of the serving points and the reaction of the people. [realism 7.2] */
const PERCEIVE_MS = { min: 5 * SECOND_MS, max: 40 * SECOND_MS } as const;

/** Delay between the end of the muster and the way back. */
const BACK_TO_WORK_MS = { min: 30 * SECOND_MS, max: 180 * SECOND_MS } as const;

/** People in a vehicle drive when the distance exceeds this; metres. */
export const DRIVE_FROM_M = 150;
/** Drivers stop at this distance from the point, and walk on; metres. */
export const PARK_BEFORE_M = 30;

/** State of the watch when the alarm arrives; milliseconds. */
export interface WatchDraws {
  /** The watch is off the wrist. */
  readonly off: boolean;
  /** The wearer puts the watch on when they set out. */
  readonly takenAlong: boolean;
  /** From the alarm to the loss of coverage; null if the watch keeps it. */
  readonly coverLostMs: number | null;
  readonly outageMs: number;
}

/** A person's behaviour in one muster, drawn at the alarm. The number of draws is fixed, so that no outcome shifts the stream. Milliseconds. */
export interface Temper {
  readonly behaviour: Behaviour;
  /** From the alarm to setting out. */
  readonly startMs: number;
  /** From the alarm to the call for help. */
  readonly callMs: number;
  readonly helpMs: number;
  /** From arriving at a wrong point to leaving it; null if they stay. */
  readonly correctedMs: number | null;
  readonly leavesMs: number;
  readonly fetchesMs: number;
  /** From arriving to pressing "I am here". */
  readonly declaresMs: number;
  /** Whether they press it although the watch shows their position: on the ground, and in a shelter. */
  readonly declares: { readonly ground: boolean; readonly vertical: boolean };
  readonly watch: WatchDraws;
  /**
   * The point that they are used to, as a position in the list of points from 0 to 1; null or absent: they take the
   * nearest.
   */
  readonly habit?: number | null;
}

export function temperOf(draws: Draws, i: number, kind: MusterKind, knobs: MusterKnobs = {}): Temper {
  const { shares = SHARES[kind], habitShare = HABIT_SHARE, watches = WATCH_SHARES[kind] } = knobs;
  const behaviour = behaviourOf(shares, draws.float(i));
  const startMs = startOf(draws, i, kind, knobs);
  const againMs = REMINDED_MS + startOf(draws, i, kind, knobs);
  const callMs = CALL.leastMs + seconds(draws.lognormal(i, CALL.mu, CALL.sigma));
  const habit = draws.float(i);
  const helpMs = seconds(draws.lognormal(i, HELP.mu, HELP.sigma));
  const corrected = draws.chance(i, CORRECTED.share);
  const correctedMs = CORRECTED.leastMs + seconds(draws.lognormal(i, CORRECTED.mu, CORRECTED.sigma));
  const leavesMs = draws.between(i, LEAVES_MS.min, LEAVES_MS.max);
  const fetchesMs = draws.between(i, FETCHES_MS.min, FETCHES_MS.max);
  const declares = draws.float(i);
  const declaresMs = draws.between(i, DECLARES_MS.min, DECLARES_MS.max);
  return {
    behaviour,
    startMs: behaviour === 'ignores' ? againMs : startMs,
    callMs,
    helpMs,
    correctedMs: corrected ? correctedMs : null,
    leavesMs,
    fetchesMs,
    declaresMs,
    declares: { ground: declares < DECLARE_SHARE.ground, vertical: declares < DECLARE_SHARE.vertical },
    watch: watchDrawsOf(draws, i, watches),
    habit: habit < habitShare ? habit / habitShare : null,
  };
}

// Always makes five draws.
function watchDrawsOf(draws: Draws, i: number, shares: (typeof WATCH_SHARES)[MusterKind]): WatchDraws {
  const off = draws.chance(i, shares.off);
  const takenAlong = draws.chance(i, TAKES_ALONG);
  const uncovered = draws.chance(i, shares.uncovered);
  const lostMs = draws.between(i, COVER_LOST_MS.min, COVER_LOST_MS.max);
  const outageMs = seconds(draws.cutLognormal(i, OUTAGE.mu, OUTAGE.sigma, OUTAGE.mostMs / SECOND_MS));
  return { off, takenAlong, coverLostMs: uncovered ? lostMs : null, outageMs };
}

/** Delay between the notice of other serving points and the reaction. One draw. */
export const perceiveMs = (draws: Draws, i: number): number => draws.between(i, PERCEIVE_MS.min, PERCEIVE_MS.max);

/** Delay between the end and the return to work. One draw. */
export const backToWorkMs = (draws: Draws, i: number): number =>
  draws.between(i, BACK_TO_WORK_MS.min, BACK_TO_WORK_MS.max);

function behaviourOf(shares: (typeof SHARES)[MusterKind], drawn: number): Behaviour {
  let below = 0;
  for (const [behaviour, share] of Object.entries(shares)) {
    below += share;
    if (drawn < below) return behaviour as Behaviour;
  }
  return 'goes';
}

// Always makes five draws, for each kind of muster.
function startOf(draws: Draws, i: number, kind: MusterKind, { start = START, makeSafeShare }: MusterKnobs): number {
  const day = seconds(draws.cutLognormal(i, start.mu, start.sigma, start.mostMs / SECOND_MS));
  const busy = draws.chance(i, makeSafeShare ?? MAKE_SAFE.share);
  const makeSafeMs = seconds(draws.lognormal(i, MAKE_SAFE.mu, MAKE_SAFE.sigma));
  const noticeMs = draws.between(i, 0, TSUNAMI.noticeMs);
  const rayleighMs = TSUNAMI.scaleMs * Math.sqrt(-2 * ln(draws.float(i)));
  const extraMs = busy ? makeSafeMs : 0;
  if (kind === 'tsunami') return noticeMs + rayleighMs + extraMs;
  return (kind === 'earthquake' ? SHAKING_MS : 0) + day + extraMs;
}

const seconds = (s: number): number => s * SECOND_MS;
