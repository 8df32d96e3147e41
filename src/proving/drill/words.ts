/** The texts of a drill's reports, on the terminal and in HTML. */
import { ALERT_TERMS, HELP_REASON_WORDS, PERSON_TERMS } from '../../contract/resources/vocabulary.ts';
import { plural } from '../../contract/sentences.ts';
import { spanText } from '../../watching/state/words.ts';
import type { ComparedRow, DrillDifference, DrillFigures, PointFigures } from './figures.ts';
import { CONFIDENCE_PCT, type RunInterval } from './interval.ts';
import type { UnsafeReason } from './play.ts';
import type { RunSpread, RunValue } from './spread.ts';

/** The status that a headcount has for the person, and what only the model knows. */
export const REASON_WORDS: { readonly [K in UnsafeReason]: string } = {
  trapped: `${PERSON_TERMS.rescue.word}: ${HELP_REASON_WORDS.trapped}`,
  injured: `${PERSON_TERMS.rescue.word}: ${HELP_REASON_WORDS.injured}`,
  fallen: `${PERSON_TERMS.rescue.word}: ${ALERT_TERMS.fall_detected.spoken}`,
  helping: PERSON_TERMS.helping.word,
  wrong_point: PERSON_TERMS.wrong_point.word,
  went_back: `${PERSON_TERMS.pending.word}: went back for their tools`,
  no_way: `${PERSON_TERMS.pending.word}: found no way to a point`,
  on_the_way: `${PERSON_TERMS.pending.word}: still on the way`,
  not_set_out: `${PERSON_TERMS.pending.word}: had not set out`,
};

export const UNSEEN_WORDS: Readonly<Record<string, string>> = {
  left_behind: `${PERSON_TERMS.not_worn.word}: the watch lies where they worked`,
  no_signal: PERSON_TERMS.no_signal.word,
};

export const NOWHERE = 'outside of all zones';

/** For example `4:05`; `never` for null. */
export const timeText = (s: RunValue): string => (s === null ? 'never' : spanText(s * 1_000));

/** The median, and the 95th percentile if it differs. */
export const spreadText = ({ median, p95 }: RunSpread, text: (value: RunValue) => string = timeText): string =>
  text(median) === text(p95) ? text(median) : `${text(median)} (${text(p95)})`;

export const countText = (value: RunValue): string => (value === null ? '-' : String(value));

const signed = (s: number): string => `${s < 0 ? '-' : s > 0 ? '+' : ''}${spanText(Math.abs(s) * 1_000)}`;

/** For example `-0:30 (-0:45 to -0:10)`. If the interval contains 0, the text states that no difference was seen. */
function differenceText({ median, interval, isSeen }: DrillDifference): string {
  if (median === null || interval === null) return '-';
  const range = `${signed(interval.from ?? 0)} to ${signed(interval.to ?? 0)}`;
  return isSeen ? `${signed(median)} (${range})` : `no difference seen (${range})`;
}

/** For example `4:05 to 4:40`. */
export function intervalText(interval: RunInterval | null): string {
  if (interval === null) return '-';
  const [from, to] = [timeText(interval.from), timeText(interval.to)];
  return from === to ? from : `${from} to ${to}`;
}

/** A sentence about the main reason for the time at which 90 % are safe. */
export function dominantText({ parts }: DrillFigures): string {
  if (parts === null) return 'Nobody was safe.';
  const named = [
    ['start delays', parts.startS, 'wider doors and shorter ways change little'],
    ['waits at doors and stairs', parts.waitedS, 'wider doors, or more of them, change most'],
    ['the ways and what happens on them', parts.restS, 'nearer points change most'],
  ] as const;
  const [most] = named.toSorted((a, b) => b[1] - a[1]);
  const all = named.map(([what, s]) => `${what} ${timeText(Math.round(s))}`).join(', ');
  return `What dominates: ${most![0]}, so ${most![2]}. Means of the people who were safe around 90 %: ${all}.`;
}

/** In how many runs it never came to that, for example `never in 8 of 10 runs`; otherwise empty. */
export const neverText = ({ never }: RunSpread, runs: number): string =>
  never === 0 ? '' : `never in ${never} of ${plural(runs, 'run')}`;

/** The cells of a row that compares two layouts, under `COMPARED_HEAD`. */
export const comparedCells = ({ first, second, difference }: ComparedRow): string[] => [
  ...[spreadText(first), spreadText(second), differenceText(difference)],
  ...[String(difference.earlier), String(difference.later)],
];
export const COMPARED_HEAD = ['A', 'B', 'B less A (interval)', 'B earlier', 'B later'];

/** For example `Terminal Puerto Alerce: general drill, 60 people, 50 runs of seed 1`. */
export function titleOf({ layout, setting, runs }: DrillFigures, seed: string, runsRequested: number): string {
  const done =
    runs.length === runsRequested ? plural(runsRequested, 'run') : `${runs.length} of ${plural(runsRequested, 'run')}`;
  const out = setting.excluded.filter((name) => layout.planned.zones.some((zone) => zone.name === name));
  const closed = out.length === 0 ? '' : `, ${out.join(' and ')} out of use`;
  return `${layout.planned.name}: ${setting.kind} drill, ${peopleText(layout.people)}, ${done} of seed ${seed}${closed}`;
}

export const peopleText = (count: number): string => (count === 1 ? '1 person' : `${count} people`);

/** The role of a point in the drill. */
export const servingOf = ({ point }: PointFigures): string =>
  point.excluded ? 'out of use' : point.serves ? 'serves' : 'does not serve';

/** The capacity of a point (`~`: not in the file), and the number of runs in which more people were there. */
export const holdsText = ({ point, overfull }: PointFigures): string =>
  `${point.isAssumed ? '~' : ''}${point.capacity}${overfull === 0 ? '' : `, over in ${overfull}`}`;

/** The explanation of a wide table. */
export const HOW_TO_READ = 'Median over the runs, in brackets the 95th percentile. Minutes and seconds from the alarm.';

/** The explanation of intervals. */
export const ABOUT_INTERVALS = `Intervals hold the figure with ${CONFIDENCE_PCT} % confidence (bootstrap over the runs). More runs make them narrower.`;
