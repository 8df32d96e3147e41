/** Converts a person's row of the columns in `People` to its stored form, and back. */
import { type KeptRow, keptInstant, resumedInstant } from '../kept/documents.ts';
import type { People } from './people.ts';

export function keptRow(people: People, i: number): KeptRow {
  const { stuck } = people;
  const route = people.routes[i]!;
  const floor = people.givenFloors.get(i);
  return {
    x: people.x[i]!,
    y: people.y[i]!,
    height: people.height[i]!,
    climbTo: people.climbTo[i]!,
    goalHeight: people.goalHeight[i]!,
    pace: people.pace[i]!,
    speed: people.speed[i]!,
    since: people.since[i]!,
    until: keptInstant(people.until[i]!),
    shiftEndsAt: people.shiftEndsAt[i]!,
    nextBreakAt: people.nextBreakAt[i]!,
    shiftMs: people.shiftMs[i]!,
    dockMs: people.dockMs[i]!,
    onFootUntil: people.onFootUntil[i]!,
    drives: people.drives[i]!,
    phase: people.phaseOf(i),
    aboard: people.aboard[i] === 1,
    lowBattery: people.lowBattery[i] === 1,
    stuck: stuck.has(i) ? { by: stuck.causes(i), since: stuck.since(i) } : null,
    way: route === null ? null : Array.from(route.subarray(people.corner[i]!)),
    floor: floor === undefined ? null : { ...floor },
  };
}

/** Due instants are postponed by the downtime. */
export function resumeRow(people: People, i: number, kept: KeptRow, gapMs: number): void {
  people.stand(i, [kept.x, kept.y]);
  people.height[i] = kept.height;
  people.climbTo[i] = kept.climbTo;
  people.goalHeight[i] = kept.goalHeight;
  people.pace[i] = kept.pace;
  people.until[i] = resumedInstant(kept.until, gapMs);
  people.shiftEndsAt[i] = kept.shiftEndsAt + gapMs;
  people.nextBreakAt[i] = kept.nextBreakAt + gapMs;
  people.shiftMs[i] = kept.shiftMs;
  people.dockMs[i] = kept.dockMs;
  people.onFootUntil[i] = kept.onFootUntil + gapMs;
  people.drives[i] = kept.drives;
  people.be(i, kept.phase);
  people.aboard[i] = kept.aboard ? 1 : 0;
  people.lowBattery[i] = kept.lowBattery ? 1 : 0;
  if (kept.stuck !== null) for (const cause of kept.stuck.by) people.stuck.hold(i, cause, kept.stuck.since);
  if (kept.way !== null && kept.way.length % 2 === 0) {
    people.setOut(i, Float64Array.from(kept.way), kept.speed, kept.since + gapMs);
  }
  if (kept.floor === null) people.givenFloors.delete(i);
  else people.givenFloors.set(i, kept.floor);
}
