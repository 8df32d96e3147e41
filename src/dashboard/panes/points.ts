/** The content of the pane of assembly points: each point with its people, exclusions, and the curve of safe people. */
import type { AssemblyPoint } from '../../contract/resources.ts';
import type { Area } from '../terminal/layout.ts';
import { scrolled } from '../terminal/lines.ts';
import { blindTo, chosenOf, type DashboardScene, type DashboardView } from '../view.ts';

/** One row of the screen. `id`: the id of the point that a click chooses. */
export type PointEntry =
  | {
      readonly kind: 'point';
      readonly id: string;
      readonly point: AssemblyPoint;
      readonly wrong: number;
      readonly capacity: number | null;
    }
  | { readonly kind: 'reason'; readonly id: string; readonly text: string }
  | { readonly kind: 'text'; readonly id: null; readonly text: string };

/** Rows of all points: a point with an exclusion has a second row with the reason. */
export const pointRowsOf = ({ points }: DashboardScene): number =>
  points.reduce((rows, { excluded }) => rows + (excluded === null ? 1 : 2), 0);

export function pointEntries(scene: DashboardScene, view: DashboardView, { height }: Area, dots: string): PointEntry[] {
  const { points, active, isKnown } = scene;
  if (!isKnown) return [];
  if (active === null) {
    const why = blindTo(view, 'musters:read') ?? 'They count people while a muster is active.';
    return [{ kind: 'text', id: null, text: why }];
  }
  const wrong = wrongAt(scene);
  const from = scrolled(points, chosenOf(scene, view, 'points'), height);
  const entries = points.slice(from).flatMap((point): PointEntry[] => {
    const { id, excluded } = point;
    const entry: PointEntry = { kind: 'point', id, point, wrong: wrong.get(id) ?? 0, capacity: capacityOf(scene, id) };
    if (excluded === null) return [entry];
    const { reason, recommended, by } = excluded;
    return [entry, { kind: 'reason', id, text: `${recommended ? 'recommended, ' : ''}by ${by}: ${reason}` }];
  });
  if (entries.length <= height) return entries;
  const shown = entries.slice(0, Math.max(1, height - 1));
  const rest = points.length - from - shown.filter(({ kind }) => kind === 'point').length;
  return height < 2 || rest === 0
    ? entries.slice(0, height)
    : [...shown, { kind: 'text', id: null, text: `${dots} ${rest} more` }];
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

/** Safe people over time in `columns` steps, newest last, as fractions of the expected people. Null without data. */
export function curveOf({ active, world, now }: DashboardScene, columns: number): number[] | null {
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
