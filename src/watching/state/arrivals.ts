/** How many people came to each assembly point in the last minute, from the counts of the muster. Nothing is predicted. */
import type { Muster } from '../../contract/resources.ts';

/** The number of safe people at each point, from this time on. */
export interface PointCounts {
  /** Simulated ms since the epoch. */
  readonly at: number;
  /** By the point's id. */
  readonly counts: Readonly<Record<string, number>>;
}

const MINUTE_MS = 60_000;

/** Most counts that are kept; a muster is counted every 5 s. */
const MOST_COUNTS = 60;

/** Adds the counts of a muster at a time. Only those that the last minute needs are kept. */
export function countsAfter(
  before: readonly PointCounts[],
  { assembly_points }: Pick<Muster, 'assembly_points'>,
  at: number,
): readonly PointCounts[] {
  const counts = Object.fromEntries(assembly_points.map(({ id, count }) => [id, count ?? 0]));
  const last = before.at(-1)?.counts;
  if (last !== undefined && assembly_points.every(({ id }) => last[id] === counts[id])) return before;
  return recentOf([...before, { at, counts }], at);
}

/** The counts since a minute before `now`, and the one that was valid then. */
export function recentOf(all: readonly PointCounts[], now: number): readonly PointCounts[] {
  const since = all.findLastIndex(({ at }) => at <= now - MINUTE_MS);
  return all.slice(Math.max(0, since)).slice(-MOST_COUNTS);
}

/** Those of the server, and what a viewer saw after the last of them: the viewer learns of a count later than it was made. */
export const countsBeside = (
  ofServer: readonly PointCounts[],
  seen: readonly PointCounts[],
): readonly PointCounts[] => {
  const last = ofServer.at(-1)?.at ?? 0;
  return [...ofServer, ...seen.filter(({ at }) => at > last)];
};

/**
 * How many more people are safe at the point than a minute before `now`; negative if people left. Null: it is not known
 * how many were there then.
 */
export function arrivalsOf(
  all: readonly PointCounts[],
  { id, count }: { readonly id: string; readonly count: number | null },
  now: number,
  startedAt: number,
): number | null {
  if (count === null) return null;
  const then = all.findLast(({ at }) => at <= now - MINUTE_MS);
  if (then === undefined && startedAt <= now - MINUTE_MS) return null;
  return count - (then?.counts[id] ?? 0);
}

/** As text for an attribute of a page, which has each id once; `countsIn` reads it. */
export const countsText = (all: readonly PointCounts[]): string => {
  const ids = [...new Set(all.flatMap(({ counts }) => Object.keys(counts)))];
  return [ids, ...all.map(({ at, counts }) => [at, ...ids.map((id) => counts[id] ?? 0)])]
    .map((part) => part.join(' '))
    .join(';');
};

/** What was written does not come from this program alone, so anything else than a number is no count. */
export function countsIn(text: string): readonly PointCounts[] {
  const [ids = [], ...all] = text.split(';').map((part) => part.split(' '));
  return all.flatMap(([at = '', ...counts]) =>
    /^\d+$/.test(at)
      ? [{ at: Number(at), counts: Object.fromEntries(ids.map((id, place) => [id, Number(counts[place]) || 0])) }]
      : [],
  );
}
