/** Milestones from the headcounts: shares safe, worst moments, the deadline. A headcount is valid until the next. */

import type { Instant } from '../../../base/time/clock.ts';
import { NOT_SAFE_STATUSES } from '../../../contract/resources/vocabulary.ts';
import type { CourseStretch, Muster } from '../../domain/world/documents.ts';
import type {
  CountRecord,
  DeadlineRecord,
  DeadlineResult,
  KindSpan,
  PeakOf,
  PeakRecord,
  ShareRecord,
} from './record.ts';

const PERCENTS = [50, 90, 95, 100];

export const countsOf = (course: readonly CourseStretch[]): CountRecord[] =>
  course.flatMap(({ kind, points, samples }) =>
    samples.map(({ at, totals, safeAt }) => ({
      at,
      kind,
      totals,
      safeAt: new Map(points.map(({ id }, place) => [id, safeAt[place] ?? 0])),
    })),
  );

export function kindsOf(muster: Muster, counts: readonly CountRecord[]): KindSpan[] {
  const spans: KindSpan[] = [];
  for (const { at, kind } of counts) {
    const last = spans.at(-1);
    if (last?.kind === kind) continue;
    if (last !== undefined) spans[spans.length - 1] = { ...last, until: at };
    spans.push({ kind, from: last === undefined ? muster.startedAt : at, until: null });
  }
  return spans.length > 0 ? spans : [{ kind: muster.kind, from: muster.startedAt, until: null }];
}

export function sharesOf(counts: readonly CountRecord[]): ShareRecord[] | null {
  if (counts.length === 0) return null;
  return PERCENTS.map((percent) => {
    let firstAt: Instant | null = null;
    let sinceAt: Instant | null = null;
    for (const { at, totals } of counts) {
      const reached = totals.expected > 0 && totals.safe * 100 >= totals.expected * percent;
      if (reached) firstAt ??= at;
      sinceAt = reached ? (sinceAt ?? at) : null;
    }
    return { percent, firstAt, sinceAt };
  });
}

const PEAKS: readonly PeakOf[] = NOT_SAFE_STATUSES.filter((status) => status !== 'pending');

export const peaksOf = (counts: readonly CountRecord[]): PeakRecord[] =>
  counts.length === 0
    ? []
    : PEAKS.map((of) => {
        let [people, at]: [number, Instant | null] = [0, null];
        for (const { at: when, totals } of counts)
          if ((totals[of] ?? 0) > people) [people, at] = [totals[of] ?? 0, when];
        return { of, people, at };
      });

export const countAt = (counts: readonly CountRecord[], at: Instant): CountRecord | undefined =>
  counts.findLast((one) => one.at <= at);

/**
 * The deadline is met if all expected people were safe at the deadline, or at the end if the muster ended before it.
 */
export function deadlineOf(
  { deadline, endedAt }: Muster,
  counts: readonly CountRecord[],
  now: Instant,
): DeadlineRecord | null {
  if (deadline === null) return null;
  const count = countAt(counts, deadline.at);
  const result = (): DeadlineResult => {
    if (endedAt === null && now < deadline.at) return 'ahead';
    if (count === undefined) return 'unknown';
    if (count.totals.safe === count.totals.expected) return 'met';
    return endedAt !== null && endedAt < deadline.at ? 'ended_before' : 'missed';
  };
  const { safe = null, expected = null } = count?.totals ?? {};
  return { ...deadline, verdict: result(), safe, expected };
}
