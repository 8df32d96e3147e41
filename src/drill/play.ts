/** One run of a drill: the people of a layout live for a while, hear the alarm and walk; who is safe since when, in truth. */
import type { MusterKind } from '../contract/enumerations.ts';
import type { Behaviour } from '../fleet/people/muster-knobs.ts';
import type { Stage } from '../fleet/people/muster-part.ts';
import { insideRing } from '../fleet/people/rings.ts';
import { TICK_MS, WalkingPeople } from '../fleet/people/site-people.ts';
import { Crowding, type DrillQueue } from './crowding.ts';
import { DRILL_START, type DrillLayout, noticeOf, pointsOf } from './layout.ts';

/** How often people are asked whether they still have somewhere to go; ticks. */
const ASK_EVERY = 30;

/** Ticks of simulated time between two pauses for signals. */
const BREATHE_EVERY = 60;

export interface DrillSetting {
  readonly kind: MusterKind;
  /** Names of points that are out of use. */
  readonly excluded: readonly string[];
  /** How long the shift lasts when the alarm comes; milliseconds. */
  readonly afterMs: number;
  /** A run ends when everyone stays where they are, at the latest this long after the alarm; milliseconds. */
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

/** Whether the watch could say where its wearer was at the end. */
export const DRILL_WATCHES = ['worn', 'left_behind', 'no_signal'] as const;

export interface DrilledPerson {
  readonly id: string;
  /** The zone in which they were at the alarm; null: none. */
  readonly zone: string | null;
  readonly behaviour: Behaviour;
  /** The point where they stood at the end, also one that does not serve. */
  readonly point: string | null;
  /** From the alarm to when they were at a point that serves and stayed there; seconds. */
  readonly safeS: number | null;
  /** Null: they are safe. */
  readonly why: UnsafeReason | null;
  readonly watch: (typeof DRILL_WATCHES)[number];
}

export interface DrillRun {
  /** From 1 on. */
  readonly run: number;
  readonly seed: string;
  /** All who took part: on shift at the alarm. */
  readonly people: readonly DrilledPerson[];
  readonly queues: readonly DrillQueue[];
  /** Cell and person-seconds in it above the density limit. */
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

/** The seed of a run: N runs of a seed contain the M < N runs of it. */
export const seedOfRun = (seed: string, run: number): string => `${seed}/${run}`;

/** Null: `isOver` was true before the end. `breathe` is awaited now and then, so that signals are heard. */
export async function playDrill(
  layout: DrillLayout,
  { kind, excluded, afterMs, limitMs }: DrillSetting,
  { run, seed }: { readonly run: number; readonly seed: string },
  { breathe, isOver }: { readonly breathe: () => Promise<void>; readonly isOver: () => boolean },
): Promise<DrillRun | null> {
  const { site, persons, ids } = layout.populate(seed);
  const people = new WalkingPeople(site, persons, seed, DRILL_START);
  const points = pointsOf(layout, kind, excluded);
  const targets = points.map(({ name, leastM, serves }) => {
    const zone = people.ground.zones.find((one) => one.name === name && one.type === 'assembly_point');
    return { name, leastM: leastM ?? 0, serves, ring: zone?.ring ?? null };
  });
  const pointAt = (i: number, now: number) => {
    const at = people.at(i, now);
    return targets.findIndex(
      ({ ring, leastM }) =>
        ring !== null &&
        insideRing(ring, at[0], at[1]) &&
        (leastM <= 0 || (people.heightAt(i, at)?.heightM ?? 0) >= leastM),
    );
  };
  const alarm = DRILL_START + afterMs;
  for (let now = DRILL_START; now < alarm; now += BREATHE_EVERY * TICK_MS) {
    people.advanceTo(Math.min(now, alarm));
    await breathe();
    if (isOver()) return null;
  }
  people.advanceTo(alarm);
  const zones = persons.map((_, i) => people.zoneName(people.at(i, alarm)));
  people.hearMuster(noticeOf(layout, kind, points), alarm);
  people.advanceTo(alarm + TICK_MS);
  const partOf = (i: number) => people.kept(i).muster?.part ?? null;
  const taking = persons.flatMap((_, i) => (partOf(i) === null ? [] : [i]));
  const safeSince = new Float64Array(persons.length).fill(Number.NaN);
  const crowding = new Crowding(people);
  let moving = taking;
  for (let tick = 1; tick * TICK_MS <= limitMs && moving.length > 0; tick++) {
    const now = alarm + tick * TICK_MS;
    people.advanceTo(now);
    for (const i of moving) {
      const at = pointAt(i, now);
      if (at < 0 || !targets[at]!.serves) safeSince[i] = Number.NaN;
      else if (Number.isNaN(safeSince[i]!)) safeSince[i] = tick * (TICK_MS / 1_000);
    }
    crowding.look(moving, now);
    if (tick % ASK_EVERY === 0) moving = moving.filter((i) => !stays(people.kept(i)));
    if (tick % BREATHE_EVERY !== 0) continue;
    await breathe();
    if (isOver()) return null;
  }
  return {
    ...{ run, seed },
    people: taking.map((i): DrilledPerson => {
      const { part, left, outage } = people.kept(i).muster!;
      const since = safeSince[i]!;
      const at = pointAt(i, 0);
      const isSafe = !Number.isNaN(since);
      const isWrong = part?.stage === 'there' && !(part.point?.serves ?? false);
      const stuck = people.stuckBy(i);
      return {
        ...{ id: ids[i]!, zone: zones[i]!, behaviour: part!.temper.behaviour },
        point: targets[at]?.name ?? null,
        safeS: isSafe ? since : null,
        why: isSafe ? null : (stuck ?? (isWrong ? 'wrong_point' : BY_STAGE[part!.stage])),
        watch: left !== null ? 'left_behind' : outage !== null && outage.lostAt === null ? 'no_signal' : 'worn',
      };
    }),
    queues: crowding.queues(),
    heat: crowding.heat(),
  };
}

/** They have nowhere to go: they stand at a point that they will not leave, or cannot leave their place. */
function stays({ muster, row }: ReturnType<WalkingPeople['kept']>): boolean {
  const part = muster?.part ?? null;
  if (part === null || part.stage === 'stuck') return true;
  return part.stage === 'there' && part.leaveAt === null && row.height === row.climbTo;
}
