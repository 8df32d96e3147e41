/** The rows of the pane of assembly points: each point with its people, exclusions, and the curve of safe people. */
import type { AssemblyPoint } from '../../contract/resources.ts';
import { type Column, cellsFor, type PaneRow, textRow, windowOf } from '../table.ts';
import type { Area } from '../terminal/layout.ts';
import type { Role, Theme } from '../terminal/theme.ts';
import { blindTo, chosenOf, type DashboardScene, type DashboardView } from '../view.ts';

/** Rows of all points: a point with an exclusion has a second row with the reason. */
export const pointRowsOf = ({ points }: DashboardScene): number =>
  points.reduce((rows, { excluded }) => rows + (excluded === null ? 1 : 2), 0);

export const pointsHint = ({ active }: DashboardScene): string =>
  active === null ? '' : `rev ${active.targets_revision}`;

export function pointPaneRows(scene: DashboardScene, view: DashboardView, room: Area, theme: Theme): PaneRow[] {
  const { points, active, isKnown } = scene;
  if (!isKnown) return [];
  if (active === null) return [textRow(blindTo(view, 'musters:read') ?? 'They count people while a muster is active.')];
  const wrong = wrongAt(scene);
  const reasons = pointRowsOf(scene) - points.length;
  // Reasons need a row of their own, which points have before them.
  const isLong = points.length + reasons <= room.height;
  const { shown, more } = windowOf(points, chosenOf(scene, view, 'points'), room.height);
  const rows = shown.flatMap((point): PaneRow[] => {
    const { id, name, count, excluded } = point;
    const line = { name, excluded, people: count ?? 0, wrong: wrong.get(id) ?? 0, capacity: capacityOf(scene, id) };
    const row: PaneRow = { id, kind: 'point', cells: cellsFor(COLUMNS, line, theme) };
    return excluded === null || !isLong ? [row] : [row, textRow(`  ${reasonText(excluded)}`, 'dim', id)];
  });
  if (more !== null) return [...rows, textRow(`${theme.glyphs.dots} ${more}`)];
  const curve = rows.length < room.height ? curveRow(scene, room.width, theme) : null;
  return curve === null ? rows : [...rows, curve];
}

/** All points, for the screen reader. */
export const allPointRows = (scene: DashboardScene, view: DashboardView, theme: Theme): PaneRow[] =>
  pointPaneRows(scene, view, { width: 0, height: 2 * scene.points.length }, theme).filter(
    ({ kind, id }) => kind === 'point' || (kind === 'text' && id === null),
  );

const reasonText = ({ reason, recommended, by }: NonNullable<AssemblyPoint['excluded']>): string =>
  `${recommended ? 'recommended, ' : ''}by ${by}: ${reason}`;

/** A point with the people who are counted there. */
interface PointLine extends Pick<AssemblyPoint, 'name' | 'excluded'> {
  readonly people: number;
  /** People at a point that does not serve. */
  readonly wrong: number;
  /** Null: it is unknown. */
  readonly capacity: number | null;
}

const isOver = ({ people, capacity }: PointLine): boolean => capacity !== null && people > capacity;
const tokenOf = (point: PointLine): Role =>
  point.excluded !== null ? 'forbidden' : isOver(point) ? 'critical' : 'safe';

/** The columns of the points; a new one is one entry here. */
const COLUMNS: readonly Column<PointLine, Theme>[] = [
  { priority: 5, least: 8, cell: ({ name, excluded }) => [name, excluded === null ? 'plain' : 'forbidden'] },
  {
    priority: 3,
    cell: (point, { glyphs }) => [point.excluded === null ? glyphs.safe : glyphs.excluded, tokenOf(point), ''],
  },
  {
    priority: 4,
    isRight: true,
    cell: (point) => {
      const { people, capacity, excluded } = point;
      if (excluded !== null) return [['excluded', 'out'], tokenOf(point), `excluded ${reasonText(excluded)}`];
      const holds = capacity === null ? '' : `, of ${capacity} that it holds`;
      return [capacity === null ? String(people) : `${people}/${capacity}`, tokenOf(point), `${people} safe${holds}`];
    },
  },
  {
    priority: 2,
    cell: (point, theme) => {
      const { people, wrong, capacity, excluded } = point;
      if (excluded !== null)
        return wrong > 0
          ? [`${theme.glyphs.wrong_point} ${wrong} here`, 'wrong_point', `${wrong} are here`]
          : ['', 'wrong_point'];
      const over = `${people - (capacity ?? 0)} too many`;
      return isOver(point) ? [[over, 'full'], tokenOf(point), over] : [barForms(people, capacity, theme), 'safe', ''];
    },
  },
];

/** Lengths of the bar in cells; a shorter bar is not informative. */
const BARS = [30, 24, 18, 12, 8, 5] as const;

/** A bar with the occupancy of the point, in each length. */
function barForms(count: number, capacity: number | null, { glyphs }: Theme): readonly string[] {
  if (capacity === null || capacity === 0) return [''];
  return BARS.map((length) => {
    const filled = Math.min(length, Math.ceil((count * length) / capacity));
    return `${glyphs.full.repeat(filled)}${glyphs.empty.repeat(length - filled)}`;
  });
}

/** Capacity of the point; null if it is unknown. */
const capacityOf = ({ site }: DashboardScene, pointId: string): number | null =>
  site?.zones.find(({ id }) => id === pointId)?.assembly_point?.capacity ?? null;

/** Number of people at each point that does not serve. */
function wrongAt({ siteRows }: DashboardScene): ReadonlyMap<string, number> {
  const wrong = new Map<string, number>();
  for (const { status, person } of siteRows) {
    const id = person.muster?.assembly_point?.id;
    if (status === 'wrong_point' && id !== undefined) wrong.set(id, (wrong.get(id) ?? 0) + 1);
  }
  return wrong;
}

/** The number of safe people over time as their share of the expected people; it is green only when all are safe. */
function curveRow(scene: DashboardScene, width: number, { glyphs }: Theme): PaneRow | null {
  const { active } = scene;
  if (active === null) return null;
  const { safe, expected } = active.totals;
  const [head, tail] = ['safe', `${safe}/${expected}`];
  const parts = curveOf(scene, Math.max(0, width - head.length - tail.length - 4));
  if (parts === null) return null;
  const isDone = safe === expected;
  const steps = [...glyphs.spark];
  // The top step means all people, and the bottom step means none.
  const step = (part: number): number =>
    part >= 1
      ? steps.length - 1
      : part <= 0
        ? 0
        : Math.max(1, Math.min(steps.length - 2, Math.round(part * (steps.length - 1))));
  return {
    id: null,
    kind: 'curve',
    cells: [
      { text: [head], spoken: '', token: 'dim', priority: 1 },
      {
        text: [parts.map((part) => steps[step(part)]).join('')],
        spoken: '',
        token: isDone ? 'safe' : 'pending',
        priority: 2,
      },
      { text: [tail], spoken: '', token: isDone ? 'safe' : 'bold', priority: 3 },
    ],
  };
}

/** Safe people over time in `columns` steps, newest last, as fractions of the expected people. Null without data. */
function curveOf({ active, world, now }: DashboardScene, columns: number): number[] | null {
  const curve = active === null ? [] : (world.curves.get(active.id) ?? []);
  const first = curve[0];
  if (first === undefined || active === null) return null;
  const start = Math.min(first.at, Date.parse(active.started_at));
  const expected = Math.max(1, active.totals.expected);
  return Array.from({ length: columns }, (_, column) => {
    const at = start + ((now - start) * (column + 1)) / columns;
    return (curve.findLast((point) => point.at <= at)?.safe ?? 0) / expected;
  });
}
