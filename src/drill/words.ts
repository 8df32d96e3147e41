/** The words of a drill's reports, on the terminal and in HTML. */
import { plural } from '../contract/sentences.ts';
import { spanText } from '../watching/words.ts';
import type { ComparedRow, DrillDifference, DrillFigures, PointFigures } from './figures.ts';
import type { UnsafeReason } from './play.ts';
import type { RunSpread, RunValue } from './spread.ts';

export const REASON_WORDS: { readonly [K in UnsafeReason]: string } = {
  trapped: 'trapped, nobody freed them',
  injured: 'injured, nobody came for them',
  fallen: 'lying after a fall',
  helping: 'with a person who needs help',
  wrong_point: 'at a point that does not serve',
  went_back: 'went back for their tools',
  no_way: 'found no way to a point',
  on_the_way: 'still on their way',
  not_set_out: 'had not set out',
};

export const UNSEEN_WORDS: Readonly<Record<string, string>> = {
  left_behind: 'their watch lies where they worked',
  no_signal: 'their watch has no signal',
};

export const NOWHERE = 'outside of all zones';

/** `4:05`; never. */
export const timeText = (s: RunValue): string => (s === null ? 'never' : spanText(s * 1_000));

/** The median, and the 95th percentile where it differs. */
export const spreadText = ({ median, p95 }: RunSpread, text: (value: RunValue) => string = timeText): string =>
  text(median) === text(p95) ? text(median) : `${text(median)} (${text(p95)})`;

export const countText = (value: RunValue): string => (value === null ? '-' : String(value));

/** `-0:30`, `+1:05`. */
const differenceText = ({ median }: DrillDifference): string =>
  median === null ? '-' : `${median < 0 ? '-' : median > 0 ? '+' : ''}${spanText(Math.abs(median) * 1_000)}`;

/** The cells of a row of two layouts, under `COMPARED_HEAD`. */
export const comparedCells = ({ first, second, difference }: ComparedRow): string[] => [
  ...[spreadText(first), spreadText(second), differenceText(difference)],
  ...[String(difference.earlier), String(difference.later)],
];
export const COMPARED_HEAD = ['A', 'B', 'B less A', 'B earlier', 'B later'];

/** `Terminal Puerto Alerce: general drill, 60 people, 50 runs of seed 1`. */
export function titleOf({ layout, setting, runs }: DrillFigures, seed: string, runsRequested: number): string {
  const done =
    runs.length === runsRequested ? plural(runsRequested, 'run') : `${runs.length} of ${plural(runsRequested, 'run')}`;
  const out = setting.excluded.filter((name) => layout.planned.zones.some((zone) => zone.name === name));
  const closed = out.length === 0 ? '' : `, ${out.join(' and ')} out of use`;
  return `${layout.planned.name}: ${setting.kind} drill, ${peopleText(layout.people)}, ${done} of seed ${seed}${closed}`;
}

export const peopleText = (count: number): string => (count === 1 ? '1 person' : `${count} people`);

/** How a point takes part. */
export const servingOf = ({ point }: PointFigures): string =>
  point.excluded ? 'out of use' : point.serves ? 'serves' : 'does not serve';

/** What a point holds (`~`: the file does not say), and the runs in which more people were there. */
export const holdsText = ({ point, overfull }: PointFigures): string =>
  `${point.isAssumed ? '~' : ''}${point.capacity}${overfull === 0 ? '' : `, over in ${overfull}`}`;

/** What a wide table needs to be understood. */
export const HOW_TO_READ = 'Median over the runs, in brackets the 95th percentile. Minutes and seconds from the alarm.';
