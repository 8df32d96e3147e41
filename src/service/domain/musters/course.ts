/** The course of a muster: the totals of each headcount that changed them, in several documents to keep each write small. */
import type { Instant } from '../../../base/time/clock.ts';
import type { ChangeOf } from '../changes.ts';
import { type CourseSample, type CourseStretch, type Muster, stretchId } from '../world/muster-documents.ts';
import type { World } from '../world/world.ts';
import { COUNT_EVERY_MS, type Count } from './count.ts';

/** Samples of one stretch. The whole stretch is written again with each sample: a few kilobytes at most. */
const STRETCH = 50;

/** The most samples of one muster: almost three hours if every count changes something. */
export const MOST_SAMPLES = 2_000;

/** The stretches of a muster in order, also of a muster that ended long ago. */
export function courseOf(world: World, musterId: string): readonly CourseStretch[] {
  const held = world.indexes.courseOfMuster.of(musterId).values();
  if (held.length > 0) return held;
  const found: CourseStretch[] = [];
  for (let stretch = world.get('course', stretchId(musterId, 0)); stretch !== undefined; ) {
    found.push(stretch);
    stretch = world.get('course', stretchId(musterId, found.length));
  }
  return found;
}

/** The course with the sample of one more count of `muster`, at `at`. */
export function courseAfter(world: World, muster: Muster, made: Count, at: Instant): ChangeOf<'course-drawn'> {
  const before = world.indexes.courseOfMuster.of(muster.id).values();
  const last = before.at(-1);
  const sample: CourseSample = {
    // A count has the instant at which it was due, and may be made after a step that came later.
    at: Math.max(at, last?.samples.at(-1)?.at ?? at),
    totals: made.totals,
    safeAt: muster.targets.map(({ id }) => made.safeAt[id] ?? 0),
  };
  const goesOn = last !== undefined && last.samples.length < STRETCH && isOf(last, muster);
  const stretch = goesOn ? { ...last, samples: [...last.samples, sample] } : stretchOf(muster, before.length, [sample]);
  const kept = before.reduce((sum, { samples }) => sum + samples.length, 0);
  if (kept < MOST_SAMPLES) return { kind: 'course-drawn', stretches: [stretch], dropped: [] };
  const stretches = thinned(muster, goesOn ? [...before.slice(0, -1), stretch] : [...before, stretch]);
  const dropped = before.slice(stretches.length).map(({ id }) => id);
  return { kind: 'course-drawn', stretches, dropped };
}

const stretchOf = ({ id, kind, targets }: Muster, number: number, samples: readonly CourseSample[]): CourseStretch => ({
  id: stretchId(id, number),
  musterId: id,
  number,
  kind,
  points: targets,
  samples,
});

/** The targets change only with the kind; an exclusion does not change them. [decisions 6] */
const isOf = (stretch: CourseStretch, { kind, targets }: Muster): boolean =>
  stretch.kind === kind &&
  stretch.points.length === targets.length &&
  stretch.points.every(({ id }, place) => id === targets[place]?.id);

/**
 * Keeps about half of the samples or fewer: the first one, and the last one of each interval, all intervals equally
 * long.
 */
function thinned(muster: Muster, stretches: readonly CourseStretch[]): CourseStretch[] {
  const all = stretches.flatMap((stretch) => stretch.samples.map((sample) => ({ stretch, sample })));
  let spanMs = COUNT_EVERY_MS;
  const spanOf = (sample: CourseSample): number => Math.floor((sample.at - muster.startedAt) / spanMs);
  do spanMs *= 2;
  while (new Set(all.map(({ sample }) => spanOf(sample))).size > MOST_SAMPLES / 2 + 1);
  const kept = all.filter(({ sample }, place) => {
    const next = all[place + 1];
    return place === 0 || next === undefined || spanOf(next.sample) !== spanOf(sample);
  });
  const packed: CourseStretch[] = [];
  for (const { stretch, sample } of kept) {
    const last = packed.at(-1);
    const { kind, points: targets } = stretch;
    if (last !== undefined && last.samples.length < STRETCH && isOf(last, { ...muster, kind, targets }))
      packed[packed.length - 1] = { ...last, samples: [...last.samples, sample] };
    else packed.push(stretchOf({ ...muster, kind, targets }, packed.length, [sample]));
  }
  return packed;
}
