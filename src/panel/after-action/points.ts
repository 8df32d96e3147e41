/** The history of each assembly point: when it served, exclusions, arrivals. */
import type { Instant } from '../../base/clock.ts';
import type { MusterKind } from '../../contract/enumerations.ts';
import { excludedLine, reinstatedLine } from '../../domain/musters/words.ts';
import type { CourseStretch, Muster } from '../../domain/world/documents.ts';
import type { CountRecord, ExclusionRecord, PointRecord } from './record.ts';

export function pointsOf(
  muster: Muster,
  course: readonly CourseStretch[],
  counts: readonly CountRecord[],
): PointRecord[] {
  const found = new Map<string, { id: string; name: string; kinds: Set<MusterKind> }>();
  const stretches = course.length > 0 ? course : [{ kind: muster.kind, points: muster.targets }];
  for (const { kind, points } of stretches)
    for (const { id, name } of points) {
      const known = found.get(id) ?? { id, name, kinds: new Set() };
      known.kinds.add(kind);
      found.set(id, known);
    }
  return [...found.values()].map(({ id, name, kinds }) => ({
    ...{ id, name, kinds: [...kinds] },
    exclusions: exclusionsOf(muster, id, name),
    ...arrivals(counts, id),
  }));
}

function arrivals(counts: readonly CountRecord[], id: string): Pick<PointRecord, 'safe' | 'most' | 'lastArrivalAt'> {
  if (counts.length === 0) return { safe: null, most: null, lastArrivalAt: null };
  let [before, most, lastArrivalAt]: [number, number, Instant | null] = [0, 0, null];
  for (const { at, safeAt } of counts) {
    const people = safeAt.get(id) ?? 0;
    if (people > before) lastArrivalAt = at;
    most = Math.max(most, people);
    before = people;
  }
  return { safe: before, most, lastArrivalAt };
}

/** The timeline has all exclusions; the muster has the current ones, with the recommendation. */
function exclusionsOf({ timeline, exclusions }: Muster, id: string, name: string): ExclusionRecord[] {
  const standing = exclusions.find(({ pointId }) => pointId === id);
  const found: ExclusionRecord[] = [];
  for (const { at, what, by, reason } of timeline) {
    const open = found.at(-1);
    if (what === excludedLine(name)) found.push({ at, by, reason, recommended: null, until: null });
    else if (what === reinstatedLine(name) && open?.until === null)
      found[found.length - 1] = { ...open, until: { at, by } };
  }
  if (standing === undefined) return found;
  const { at, by, reason, recommended } = standing;
  // A long timeline may have lost the line, but not the exclusion.
  return [...found.filter((one) => one.until !== null), { at, by, reason, recommended, until: null }];
}
