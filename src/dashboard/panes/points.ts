/** The rows of the pane of assembly points: each point with its people, exclusions, and the curve of safe people. */
import type { AssemblyPoint } from '../../contract/resources.ts';
import { type PaneRow, type RowCell, textRow, windowOf } from '../table.ts';
import type { Area } from '../terminal/layout.ts';
import type { Theme } from '../terminal/theme.ts';
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
    const { id, excluded } = point;
    const row: PaneRow = { id, kind: 'point', cells: cellsOf(point, wrong.get(id) ?? 0, capacityOf(scene, id), theme) };
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

function cellsOf(
  { name, count, excluded }: AssemblyPoint,
  wrong: number,
  capacity: number | null,
  theme: Theme,
): RowCell[] {
  const { glyphs } = theme;
  const people = count ?? 0;
  const isOver = capacity !== null && people > capacity;
  const token = isOver ? 'critical' : 'safe';
  const title: RowCell = {
    text: [name],
    spoken: name,
    token: excluded === null ? 'plain' : 'forbidden',
    priority: 5,
    least: 8,
  };
  if (excluded !== null)
    return [
      title,
      { text: [glyphs.excluded], spoken: '', token: 'forbidden', priority: 3 },
      {
        text: ['excluded', 'out'],
        spoken: `excluded ${reasonText(excluded)}`,
        token: 'forbidden',
        priority: 4,
        isRight: true,
      },
      {
        text: wrong > 0 ? [`${glyphs.wrong_point} ${wrong} here`] : [''],
        spoken: wrong > 0 ? `${wrong} are here` : '',
        token: 'wrong_point',
        priority: 2,
      },
    ];
  return [
    title,
    { text: [glyphs.safe], spoken: '', token, priority: 3 },
    {
      text: [capacity === null ? String(people) : `${people}/${capacity}`],
      spoken: `${people} safe${capacity === null ? '' : `, of ${capacity} that it holds`}`,
      token,
      priority: 4,
      isRight: true,
    },
    {
      text: isOver ? [`${people - capacity} too many`, 'full'] : barForms(people, capacity, theme),
      spoken: isOver ? `${people - capacity} too many` : '',
      token,
      priority: 2,
    },
  ];
}

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
