/** The tables of a drill, which the terminal and the page share: each figure has one name. */
import { type CountFigures, type DrillFigures, type GroupFigures, SAFE_SHARES } from './figures.ts';
import { countText, holdsText, NOWHERE, REASON_WORDS, servingOf, spreadText, UNSEEN_WORDS } from './words.ts';

/** The first column names the row; the other columns are figures. */
export interface FigureTable {
  readonly title: string;
  /** The names of the columns after the first. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const SHARES_HEAD = SAFE_SHARES.map((share) => `${share} %`);

const sharesOf = ({ shares, last }: GroupFigures): string[] => [
  ...SAFE_SHARES.map((share) => spreadText(shares[share])),
  spreadText(last),
];

const pointTable = ({ points }: DrillFigures): FigureTable => ({
  title: 'By assembly point',
  head: ['use', 'people', 'holds', 'went on', ...SHARES_HEAD, 'last'],
  rows: points.map((one) => {
    const times = sharesOf(one);
    const isUsed = one.point.serves && (one.people.p95 ?? 0) > 0;
    return [
      ...[one.point.name, servingOf(one), spreadText(one.people, countText), holdsText(one), one.wentOn.toFixed(1)],
      ...(isUsed ? times : times.map(() => '-')),
    ];
  }),
});

const zoneTable = ({ zones }: DrillFigures): FigureTable => ({
  title: 'By zone at the alarm',
  head: ['people', ...SHARES_HEAD, 'last'],
  rows: zones.map((one) => [one.zone ?? NOWHERE, spreadText(one.people, countText), ...sharesOf(one)]),
});

const countTable = <What extends string>(
  title: string,
  counts: readonly CountFigures<What>[],
  words: Readonly<Record<string, string>>,
): FigureTable => ({
  title,
  head: ['people a run', 'at most', 'in runs'],
  rows: counts.map(({ what, mean, most, runs }) => [words[what] ?? what, mean.toFixed(2), String(most), String(runs)]),
});

/** The worst come first. */
const queueTable = ({ queues }: DrillFigures): FigureTable => ({
  title: 'Queues',
  head: ['people/s', 'longest', 'by hand', 'longest wait', 'person-min'],
  rows: queues.map(({ place, perS, longest, byHand, wait, personS }) => [
    ...[place, perS.toFixed(2), spreadText(longest, countText), spreadText(byHand), spreadText(wait)],
    (personS / 60).toFixed(1),
  ]),
});

/** The tables of one layout. A table may have no rows. */
export const tablesOf = (figures: DrillFigures) => ({
  points: pointTable(figures),
  zones: zoneTable(figures),
  unsafe: countTable('Not safe at the end', figures.unsafe, REASON_WORDS),
  unseen: countTable('Safe, but not by their watch', figures.unseen, UNSEEN_WORDS),
  queues: queueTable(figures),
});
