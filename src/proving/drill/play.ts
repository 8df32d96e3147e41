/** One run of a drill: the people of a layout work, hear the alarm and walk. The result is the time at which each person was safe, by ground truth. */
import type { MusterKind } from '../../contract/enumerations.ts';
import { flatRing, insideRing } from '../../fleet/people/ground/rings.ts';
import type { Behaviour } from '../../fleet/people/muster/muster-knobs.ts';
import type { Stage } from '../../fleet/people/muster/muster-part.ts';
import { TICK_MS, WalkingPeople } from '../../fleet/people/site-people.ts';
import { Crowding, type DrillQueue } from './crowding.ts';
import { DRILL_START, type DrillLayout, type LayoutPoint, noticeOf, pointsOf } from './layout.ts';

/** Interval of the check whether people are still on their way; ticks. */
const ASK_EVERY = 30;

/** Ticks of simulated time between two pauses in which signals are handled. */
const BREATHE_EVERY = 60;

export interface DrillSetting {
  readonly kind: MusterKind;
  /** Names of points that are out of use. */
  readonly excluded: readonly string[];
  /** Time from the start of the shift to the alarm; milliseconds. */
  readonly afterMs: number;
  /** A run ends when all people stay where they are, at the latest this time after the alarm; milliseconds. */
  readonly limitMs: number;
}

/** Why a person was not safe at the end of a run. */
export const UNSAFE_REASONS = [
  'trapped',
  'injured',
  'fallen',
  'helping',
  'wrong_point',
  'went_back',
  'no_way',
  'on_the_way',
  'not_set_out',
] as const;
export type UnsafeReason = (typeof UNSAFE_REASONS)[number];

/** Whether the watch could report the position of its wearer at the end. */
export const DRILL_WATCHES = ['worn', 'left_behind', 'no_signal'] as const;

export interface DrilledPerson {
  readonly id: string;
  /** The zone of the person at the alarm; null: none. */
  readonly zone: string | null;
  readonly behaviour: Behaviour;
  /** The point where the person was at the end, even if it does not serve. */
  readonly point: string | null;
  /**
   * The first serving point where the person was. It differs from `point` if the point was full, or if the person only
   * passed through.
   */
  readonly firstPoint: string | null;
  /** Time from the alarm until the person was at a serving point and stayed there; seconds. */
  readonly safeS: number | null;
  /** Time from the alarm until the person started to walk; seconds. */
  readonly startS: number;
  /** Waiting time in queues at doors and stairs; seconds. */
  readonly waitedS: number;
  /** Null: the person is safe. */
  readonly why: UnsafeReason | null;
  readonly watch: (typeof DRILL_WATCHES)[number];
}

export interface DrillRun {
  /** Counted from 1. */
  readonly run: number;
  readonly seed: string;
  /** Time from the alarm until all people stayed where they were, or until the limit; seconds. */
  readonly lastedS: number;
  /** All participants: people on shift at the alarm. */
  readonly people: readonly DrilledPerson[];
  readonly queues: readonly DrillQueue[];
  /** Each cell with its person-seconds above the density limit. */
  readonly heat: readonly (readonly [cell: number, personS: number])[];
}

const BY_STAGE: { readonly [K in Stage]: UnsafeReason } = {
  starts: 'not_set_out',
  calls: 'injured',
  stuck: 'injured',
  'to-help': 'helping',
  helps: 'helping',
  drives: 'on_the_way',
  goes: 'on_the_way',
  lost: 'no_way',
  there: 'on_the_way',
  fetches: 'went_back',
  over: 'went_back',
  'to-watch': 'went_back',
};

/** The seed of a run. It does not depend on the number of runs, so N runs of a seed contain the first M < N runs. */
export const seedOfRun = (seed: string, run: number): string => `${seed}/${run}`;

interface DrillPause {
  /** Awaited at intervals, so that signals are handled. */
  readonly breathe: () => Promise<void>;
  readonly isOver: () => boolean;
}

/** Returns null if `isOver` was true before the end. */
export async function playDrill(
  layout: DrillLayout,
  setting: DrillSetting,
  { run, seed }: Pick<DrillRun, 'run' | 'seed'>,
  { breathe, isOver }: DrillPause,
): Promise<DrillRun | null> {
  const alarm = DRILL_START + setting.afterMs;
  const { people, points, ids } = placed(layout, setting, seed);
  const advance = async (now: number): Promise<void> => {
    people.advanceTo(now);
    if (Math.floor((now - DRILL_START) / TICK_MS) % BREATHE_EVERY === 0) await breathe();
  };
  for (let now = DRILL_START; now < alarm && !isOver(); now += TICK_MS) await advance(now);
  people.advanceTo(alarm);
  const zones = ids.map((_, i) => people.zoneName(people.at(i, alarm)));
  people.onMuster(noticeOf(layout, setting.kind, points), alarm);
  people.advanceTo(alarm + TICK_MS);
  const taking = ids.flatMap((_, i) => (people.kept(i).muster?.part == null ? [] : [i]));
  const pointAt = pointFinder(people, points);
  const safeSinceS = new Map<number, number>();
  const firstPoints = new Map<number, string>();
  const crowding = new Crowding(people);
  let moving = taking;
  let now = alarm + TICK_MS;
  for (let tick = 1; now <= alarm + setting.limitMs && moving.length > 0; tick++, now += TICK_MS) {
    await advance(now);
    if (isOver()) return null;
    const onTheWay = moving.filter((i) => {
      const point = pointAt(i, now);
      if (point?.serves !== true) safeSinceS.delete(i);
      else if (!safeSinceS.has(i)) {
        safeSinceS.set(i, (tick * TICK_MS) / 1_000);
        if (!firstPoints.has(i)) firstPoints.set(i, point.name);
      }
      return point === undefined;
    });
    crowding.look(onTheWay, now);
    if (tick % ASK_EVERY === 0) moving = moving.filter((i) => !stays(people.kept(i)));
  }
  const end = now - TICK_MS;
  return {
    run,
    seed,
    lastedS: (end - alarm) / 1_000,
    people: taking.map((i) => ({
      id: ids[i]!,
      zone: zones[i]!,
      point: pointAt(i, end)?.name ?? null,
      firstPoint: firstPoints.get(i) ?? null,
      safeS: safeSinceS.get(i) ?? null,
      waitedS: crowding.waitedS(i),
      ...outcomeOf(people, i, safeSinceS.has(i)),
    })),
    queues: crowding.queues(),
    heat: crowding.heat(),
  };
}

function placed(layout: DrillLayout, { kind, excluded }: DrillSetting, seed: string) {
  const { site, persons, ids } = layout.populate(seed);
  const people = new WalkingPeople(site, persons, seed, DRILL_START);
  return { people, ids, points: pointsOf(layout, kind, excluded) };
}

/** Finds the point where a person is, at a sufficient height; undefined: none. */
function pointFinder(people: WalkingPeople, points: readonly LayoutPoint[]) {
  const rings = points.map(({ ring }) => flatRing(ring));
  return (i: number, now: number): LayoutPoint | undefined => {
    const at = people.at(i, now);
    return points.find(
      ({ leastM }, n) =>
        insideRing(rings[n]!, at[0], at[1]) && (leastM === null || (people.heightAt(i, at)?.heightM ?? 0) >= leastM),
    );
  };
}

function outcomeOf(
  people: WalkingPeople,
  i: number,
  isSafe: boolean,
): Pick<DrilledPerson, 'behaviour' | 'startS' | 'why' | 'watch'> {
  const { part, left, outage } = people.kept(i).muster!;
  const { stage, point, temper } = part!;
  const isWrong = stage === 'there' && point?.serves !== true;
  return {
    behaviour: temper.behaviour,
    startS: Math.round(temper.startMs / 1_000),
    why: isSafe ? null : (people.stuckBy(i) ?? (isWrong ? 'wrong_point' : BY_STAGE[stage])),
    watch: left !== null ? 'left_behind' : outage !== null && outage.lostAt === null ? 'no_signal' : 'worn',
  };
}

/** Returns true if the person will not move: the person is at a point and will not leave it, or cannot move. */
function stays({ muster, row }: ReturnType<WalkingPeople['kept']>): boolean {
  const part = muster?.part ?? null;
  if (part === null || part.stage === 'stuck') return true;
  return part.stage === 'there' && part.leaveAt === null && row.height === row.climbTo;
}
