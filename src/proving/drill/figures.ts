/** The figures of a drill: percentiles over its runs. */
import type { Point } from '../../base/geometry/shapes.ts';
import { countUpTo } from '../../base/sorted-numbers.ts';
import { intervalOf, type RunInterval } from './interval.ts';
import { type DrillLayout, type LayoutPoint, pointsOf } from './layout.ts';
import {
  DRILL_WATCHES,
  type DrilledPerson,
  type DrillRun,
  type DrillSetting,
  UNSAFE_REASONS,
  type UnsafeReason,
} from './play.ts';
import { mean, percentile, type RunSpread, type RunValue, spreadOf } from './spread.ts';

/** Shares of people for which the report gives a time; percent. */
export const SAFE_SHARES = [50, 90, 100] as const;
type SafeShare = (typeof SAFE_SHARES)[number];

/** Times that a group of people took. */
export interface GroupFigures {
  readonly people: RunSpread;
  /** Seconds from the alarm until that share of people was safe; null: never. */
  readonly shares: { readonly [K in SafeShare]: RunSpread };
  /** Time at which the last of the people who became safe was safe; seconds. */
  readonly last: RunSpread;
}

export interface PointFigures extends GroupFigures {
  readonly point: LayoutPoint;
  /** Number of runs that ended with more people at the point than its capacity. */
  readonly overfull: number;
  /**
   * Mean number of people per run who came to this point first, but were elsewhere at the end: the point was full, or
   * it is on the way to another one.
   */
  readonly wentOn: number;
}

interface ZoneFigures extends GroupFigures {
  /** Null: outside all zones. */
  readonly zone: string | null;
}

/** Something that happened to people: the number of people per run. */
export interface CountFigures<W extends string> {
  readonly what: W;
  readonly mean: number;
  readonly most: number;
  /** Runs with at least one such person. */
  readonly runs: number;
}

interface QueueFigures {
  readonly place: string;
  /** Capacity of the door or stair, people per second. */
  readonly perS: number;
  /**
   * A calculation by hand: the wait of the last person in the longest queue, at that flow; seconds. [realism 1.3, SFPE]
   */
  readonly byHand: RunSpread;
  /** Position in metres. */
  readonly at: Point;
  readonly longest: RunSpread;
  /** Longest wait; seconds. */
  readonly wait: RunSpread;
  /** Person-seconds of waiting per run. */
  readonly personS: number;
}

export interface CurveStep {
  /** Seconds from the alarm. */
  readonly s: number;
  /** Percentage of people who are safe at that time. */
  readonly p5: number;
  readonly median: number;
  readonly p95: number;
}

/** The time at which a share of all people was safe, with confidence intervals. */
interface TimedFigure {
  readonly name: string;
  readonly spread: RunSpread;
  readonly median: RunInterval | null;
  readonly p95: RunInterval | null;
}

/** The components of the evacuation time around the 90th percentile: means over people and runs; seconds. */
interface TimeParts {
  readonly startS: number;
  readonly waitedS: number;
  /** The time spent on the way, including everything that happens there. */
  readonly restS: number;
}

export interface DrillFigures {
  readonly layout: DrillLayout;
  readonly setting: DrillSetting;
  readonly runs: readonly DrillRun[];
  readonly all: GroupFigures;
  readonly timed: readonly TimedFigure[];
  /** Null if no person was safe. */
  readonly parts: TimeParts | null;
  readonly points: readonly PointFigures[];
  readonly zones: readonly ZoneFigures[];
  readonly unsafe: readonly CountFigures<UnsafeReason>[];
  /** People who were really safe, but whose watch could not report it at the end. */
  readonly unseen: readonly CountFigures<string>[];
  readonly queues: readonly QueueFigures[];
  readonly curve: readonly CurveStep[];
  /** Person-seconds per run, by cell. */
  readonly heat: ReadonlyMap<number, number>;
}

/** `runs` are in order; there is at least one. */
export function figuresOf(layout: DrillLayout, setting: DrillSetting, runs: readonly DrillRun[]): DrillFigures {
  const zones = [...new Set(runs.flatMap(({ people }) => people.map(({ zone }) => zone)))];
  const order = layout.planned.zones.map(({ name }) => name);
  const rank = (zone: string | null): number => (zone === null ? order.length : order.indexOf(zone));
  return {
    layout,
    setting,
    runs,
    all: groupOf(runs, () => true),
    timed: timedOf(runs),
    parts: partsOf(runs),
    points: pointsOf(layout, setting.kind, setting.excluded).map((point) => {
      const here = ({ point: at }: DrilledPerson): boolean => at === point.name;
      const over = runs.filter(({ people }) => people.filter(here).length > point.capacity);
      const left = ({ firstPoint, point: at }: DrilledPerson): boolean =>
        firstPoint === point.name && at !== point.name;
      const wentOn = mean(runs.map(({ people }) => people.filter(left).length));
      return { point, ...groupOf(runs, here), overfull: over.length, wentOn };
    }),
    zones: zones
      .toSorted((a, b) => rank(a) - rank(b))
      .map((zone) => ({ zone, ...groupOf(runs, (person) => person.zone === zone) })),
    unsafe: UNSAFE_REASONS.map((what) => countOf(runs, what, ({ why }) => why === what)).filter(({ most }) => most > 0),
    unseen: DRILL_WATCHES.filter((what) => what !== 'worn')
      .map((what) => countOf(runs, what, ({ watch, why }) => watch === what && why === null))
      .filter(({ most }) => most > 0),
    queues: queuesOf(runs),
    curve: curveOf(runs),
    heat: heatOf(runs),
  };
}

/** The intervals use the seed of the runs, so that the same drill gives the same intervals. */
const seedOf = (runs: readonly DrillRun[]): string => runs[0]?.seed ?? '';

function timedOf(runs: readonly DrillRun[]): TimedFigure[] {
  const times = runs.filter(({ people }) => people.length > 0).map(timesOf);
  const seed = seedOf(runs);
  return ([...SAFE_SHARES, 'last'] as const).map((key) => {
    const values = times.map((one) => one[key]);
    return {
      name: key === 'last' ? LAST : `${key} % safe`,
      spread: spreadOf(values),
      median: intervalOf(values, 50, seed),
      p95: intervalOf(values, 95, seed),
    };
  });
}

/** The people around the 90th percentile, who determine when 90 % are safe. */
const AROUND = { from: 0.85, to: 0.95 } as const;

function partsOf(runs: readonly DrillRun[]): TimeParts | null {
  const around = runs.flatMap(({ people }) => {
    const safe = people.filter(({ safeS }) => safeS !== null).sort((a, b) => a.safeS! - b.safeS!);
    return safe.slice(Math.floor(AROUND.from * people.length), Math.ceil(AROUND.to * people.length));
  });
  if (around.length === 0) return null;
  const [safeS, startS, waitedS] = [
    mean(around.map((one) => one.safeS!)),
    mean(around.map((one) => Math.min(one.startS, one.safeS!))),
    mean(around.map((one) => one.waitedS)),
  ];
  return { startS, waitedS, restS: Math.max(0, safeS - startS - waitedS) };
}

/** Runs in which the group is empty do not count for its times. */
function groupOf(runs: readonly DrillRun[], isOf: (person: DrilledPerson) => boolean): GroupFigures {
  const groups = runs.map(({ people }) => people.filter(isOf).map(({ safeS }) => safeS));
  const some = groups.filter(({ length }) => length > 0);
  const at = (share: SafeShare): RunSpread => spreadOf(some.map((times) => percentile(times, share)));
  return {
    people: spreadOf(groups.map(({ length }) => length)),
    shares: { 50: at(50), 90: at(90), 100: at(100) },
    last: spreadOf(some.map(lastOf)),
  };
}

const lastOf = (times: readonly RunValue[]): RunValue => {
  const reached = times.filter((time) => time !== null);
  return reached.length === 0 ? null : reached.reduce((last, time) => Math.max(last, time));
};

/** Returns the times of one run, for its row in the table. */
export function timesOf({ people }: DrillRun): { readonly [K in SafeShare]: RunValue } & { readonly last: RunValue } {
  const times = people.map(({ safeS }) => safeS);
  const at = (share: SafeShare): RunValue => (times.length === 0 ? null : percentile(times, share));
  return { 50: at(50), 90: at(90), 100: at(100), last: lastOf(times) };
}

function countOf<W extends string>(
  runs: readonly DrillRun[],
  what: W,
  isOf: (person: DrilledPerson) => boolean,
): CountFigures<W> {
  const counts = runs.map(({ people }) => people.filter(isOf).length);
  return { what, mean: mean(counts), most: Math.max(...counts), runs: counts.filter((count) => count > 0).length };
}

/** The worst queue first. */
function queuesOf(runs: readonly DrillRun[]): QueueFigures[] {
  const places = [...new Set(runs.flatMap(({ queues }) => queues.map(({ place }) => place)))];
  const figures = places.map((place): QueueFigures => {
    const each = runs.map(({ queues }) => queues.find((queue) => queue.place === place));
    return {
      place,
      at: each.find((queue) => queue !== undefined)!.at,
      perS: each.find((queue) => queue !== undefined)!.perS,
      byHand: spreadOf(each.map((queue) => (queue === undefined ? 0 : Math.round(queue.longest / queue.perS)))),
      longest: spreadOf(each.map((queue) => queue?.longest ?? 0)),
      wait: spreadOf(each.map((queue) => queue?.waitS ?? 0)),
      personS: mean(each.map((queue) => queue?.personS ?? 0)),
    };
  });
  return figures.toSorted((a, b) => b.personS - a.personS || (a.place < b.place ? -1 : 1));
}

/** Steps of the curve; seconds. A short drill uses the finest step, so that a curve has about 60 to 120 points. */
const CURVE_STEPS_S = [5, 10, 15, 30, 60] as const;
const MOST_STEPS = 120;

function curveOf(runs: readonly DrillRun[]): CurveStep[] {
  const sorted = runs.map(({ people }) => ({
    count: Math.max(1, people.length),
    times: people.flatMap(({ safeS }) => safeS ?? []).sort((a, b) => a - b),
  }));
  const lastS = Math.max(0, ...sorted.map(({ times }) => times.at(-1) ?? 0));
  const step = CURVE_STEPS_S.find((one) => lastS / one <= MOST_STEPS) ?? 60;
  return Array.from({ length: Math.ceil(lastS / step) + 1 }, (_, n) => {
    const s = n * step;
    const shares = sorted.map(
      ({ count, times }) => (100 * countUpTo(times.length, (place) => times[place]!, s)) / count,
    );
    const { p5, median, p95 } = spreadOf(shares);
    return { s, p5: tenth(p5), median: tenth(median), p95: tenth(p95) };
  });
}

const tenth = (value: RunValue): number => Math.round((value ?? 0) * 10) / 10;

function heatOf(runs: readonly DrillRun[]): Map<number, number> {
  const sum = new Map<number, number>();
  for (const { heat } of runs) for (const [cell, personS] of heat) sum.set(cell, (sum.get(cell) ?? 0) + personS);
  return new Map([...sum].sort(([a], [b]) => a - b).map(([cell, personS]) => [cell, personS / runs.length]));
}

/**
 * The difference of a figure between both layouts, run by run: runs with the same seed have the same people with the
 * same habits.
 */
export interface DrillDifference {
  /** The median over the runs of the second value minus the first; null: no run has both values. */
  readonly median: number | null;
  /** The confidence interval of that median. */
  readonly interval: RunInterval | null;
  /** True if the interval does not contain 0. */
  readonly isSeen: boolean;
  /** Runs in which the second value was earlier, and later. */
  readonly earlier: number;
  readonly later: number;
}

/** `timeOf` returns undefined if a run has no value to compare. */
export function differenceOf(
  first: DrillFigures,
  second: DrillFigures,
  timeOf: (run: DrillRun) => RunValue | undefined,
): DrillDifference {
  const others = new Map(second.runs.map((run) => [run.run, timeOf(run)]));
  const pairs = first.runs.flatMap((run) => {
    const [one, other] = [timeOf(run), others.get(run.run)];
    return one === undefined || other === undefined ? [] : [[one, other] as const];
  });
  const beyond = (value: RunValue): number => value ?? Number.POSITIVE_INFINITY;
  const both = pairs.flatMap(([a, b]) => (a === null || b === null ? [] : [b - a]));
  const interval = intervalOf(both, 50, seedOf(first.runs));
  return {
    median: both.length === 0 ? null : percentile(both, 50),
    interval,
    isSeen: interval !== null && ((interval.from ?? 0) > 0 || (interval.to ?? 0) < 0),
    earlier: pairs.filter(([a, b]) => beyond(b) < beyond(a)).length,
    later: pairs.filter(([a, b]) => beyond(b) > beyond(a)).length,
  };
}

/** One row of the comparison of two layouts, for a figure that both have. */
export interface ComparedRow {
  readonly name: string | null;
  readonly first: RunSpread;
  readonly second: RunSpread;
  readonly difference: DrillDifference;
}

/**
 * Compares by share of all people, and by zone: the time at which 90 % of the people who were in the zone at the alarm
 * were safe.
 */
export function compared(
  first: DrillFigures,
  second: DrillFigures,
): { readonly all: readonly ComparedRow[]; readonly zones: readonly ComparedRow[] } {
  const all = [...SAFE_SHARES, 'last' as const].map((key): ComparedRow => {
    const of = ({ all: group }: DrillFigures): RunSpread => (key === 'last' ? group.last : group.shares[key]);
    const difference = differenceOf(first, second, (run) => timesOf(run)[key]);
    return { name: key === 'last' ? LAST : `${key} % safe`, first: of(first), second: of(second), difference };
  });
  const zones = first.zones.flatMap(({ zone, shares }): ComparedRow[] => {
    const same = second.zones.find((one) => one.zone === zone);
    if (same === undefined) return [];
    const timeOf = ({ people }: DrillRun): RunValue | undefined => {
      const here = people.filter((person) => person.zone === zone).map(({ safeS }) => safeS);
      return here.length === 0 ? undefined : percentile(here, 90);
    };
    return [
      { name: zone, first: shares[90], second: same.shares[90], difference: differenceOf(first, second, timeOf) },
    ];
  });
  return { all, zones };
}

const LAST = 'last of those who came';
