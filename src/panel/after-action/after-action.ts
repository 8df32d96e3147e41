/** Makes the after-action record of a muster, ended or active. Pure. */
import type { Instant } from '../../base/clock.ts';
import { lastLines } from '../../domain/musters/roll.ts';
import { linesOf } from '../../domain/musters/roll-rows.ts';
import type { CourseStretch, Muster } from '../../domain/world/documents.ts';
import type { World } from '../../domain/world/world.ts';
import { alertsOf } from './alerts.ts';
import { countsOf, deadlineOf, kindsOf, peaksOf, sharesOf } from './milestones.ts';
import { pointsOf } from './points.ts';
import type { AfterAction, ContractorRecord, PersonRecord } from './record.ts';

/** `course`: the muster's stretches in order. People and figures are of the last count, which the end of a muster makes; alerts are of `now`. */
export function afterAction(world: World, muster: Muster, course: readonly CourseStretch[], now: Instant): AfterAction {
  const counts = countsOf(course);
  const people = peopleOf(world, muster, now);
  return {
    musterId: muster.id,
    site: muster.site,
    ...{ status: muster.status, phase: muster.phase, reason: muster.reason },
    ...{ startedAt: muster.startedAt, endedAt: muster.endedAt },
    ...{ asOf: muster.endedAt ?? now, drawnAt: now },
    kinds: kindsOf(muster, counts),
    deadline: deadlineOf(muster, counts, now),
    totals: counts.at(-1)?.totals ?? muster.totals,
    shares: sharesOf(counts),
    peaks: peaksOf(counts),
    points: pointsOf(muster, course, counts),
    contractors: contractorsOf(people ?? []),
    people,
    timeline: muster.timeline,
    alerts: alertsOf(world, muster, now),
    course: counts,
  };
}

/** The roll of an ended muster, or the people expected in an active one. */
function peopleOf(world: World, muster: Muster, now: Instant): PersonRecord[] | null {
  const roll = world.get('roll', muster.id);
  if (muster.status !== 'active' && roll === undefined) return null;
  const lines = roll === undefined ? lastLines(world, muster, now) : linesOf(roll);
  return lines
    .map((line) => ({ ...line, safeAfterMs: line.firstSafeAt === null ? null : line.firstSafeAt - muster.startedAt }))
    .sort((a, b) => byName(a.worker.name, b.worker.name) || (a.worker.id < b.worker.id ? -1 : 1));
}

/** The company’s own people come last. */
function contractorsOf(people: readonly PersonRecord[]): ContractorRecord[] {
  const groups = new Map<string | null, PersonRecord[]>();
  for (const person of people) {
    const { contractor } = person.worker;
    const group = groups.get(contractor);
    if (group === undefined) groups.set(contractor, [person]);
    else group.push(person);
  }
  return [...groups]
    .map(([contractor, group]) => ({
      contractor,
      expected: group.length,
      safe: group.filter(({ status }) => status === 'safe').length,
      medianMs: median(group.flatMap(({ safeAfterMs }) => safeAfterMs ?? [])),
    }))
    .sort(
      (a, b) =>
        Number(a.contractor === null) - Number(b.contractor === null) || byName(a.contractor ?? '', b.contractor ?? ''),
    );
}

function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** Accents do not sort a name to the end. */
const byName = new Intl.Collator('en').compare;
