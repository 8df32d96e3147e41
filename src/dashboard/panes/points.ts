/** The assembly points of the muster: people and capacity, exclusions, and the curve of the safe. */
import type { AssemblyPoint } from '../../contract/resources.ts';
import type { Area, PaneLines } from '../layout.ts';
import { blank, cell, cut, row, scrolled, span, type TextLine, type TextSpan, widthOf } from '../lines.ts';
import type { Theme } from '../theme.ts';
import { blindTo, chosenOf, type DashboardScene, type DashboardView } from '../view.ts';

export function pointsPaneLines(scene: DashboardScene, view: DashboardView, theme: Theme, room: Area): PaneLines {
  const { active } = scene;
  const lines = pointLines(scene, view, theme, room);
  const curve = active !== null && lines.length < room.height ? sparkline(scene, room.width, theme) : null;
  const gap = Array.from({ length: Math.max(0, room.height - lines.length - 1) }, (): TextLine => [blank(room.width)]);
  return {
    title: '2 Assembly points',
    hint: active === null ? '' : `rev ${active.targets_revision}`,
    lines: curve === null ? lines : [...lines, ...gap, curve],
  };
}

/** Rows of all points: the reason of an exclusion takes a second one. */
export const pointRowsOf = ({ points }: DashboardScene): number =>
  points.reduce((rows, { excluded }) => rows + (excluded === null ? 1 : 2), 0);

export function pointLines(
  scene: DashboardScene,
  view: DashboardView,
  theme: Theme,
  { width, height }: Area,
): TextLine[] {
  const { points, active } = scene;
  if (active === null) {
    const why = blindTo(view, 'musters:read') ?? 'They count while a muster is under way.';
    return [[blank(1), span(why, 'dim')]];
  }
  const chosen = chosenOf(scene, view, 'points');
  const wrong = wrongAt(scene);
  const from = scrolled(points, chosen, height);
  const lines = points.slice(from).flatMap((point): TextLine[] => {
    const isChosen = point.id === chosen && view.pane === 'points';
    const mark = isChosen ? span(theme.glyphs.mark, 'focus') : blank(1);
    const line = pointLine(mark, point, wrong.get(point.id) ?? 0, scene, width, theme);
    if (point.excluded === null) return [line];
    const { reason, recommended, by } = point.excluded;
    const text = `${recommended ? 'recommended, ' : ''}by ${by}: ${reason}`;
    return [line, [blank(3), span(cut(text, width - 4, theme.glyphs.dots), 'dim')]];
  });
  return lines.slice(0, height);
}

/** People at each point that does not serve. */
function wrongAt({ siteRows }: DashboardScene): ReadonlyMap<string, number> {
  const wrong = new Map<string, number>();
  for (const { status, person } of siteRows) {
    const id = person.muster?.assembly_point?.id;
    if (status === 'wrong_point' && id !== undefined) wrong.set(id, (wrong.get(id) ?? 0) + 1);
  }
  return wrong;
}

function pointLine(
  mark: TextSpan,
  point: AssemblyPoint,
  wrong: number,
  { site }: DashboardScene,
  width: number,
  theme: Theme,
): TextLine {
  const { glyphs } = theme;
  const nameWidth = Math.max(8, Math.min(16, width - 24));
  const capacity = site?.zones.find(({ id }) => id === point.id)?.assembly_point?.capacity ?? null;
  const name = cell(point.name, nameWidth + 1, point.excluded === null ? 'plain' : 'forbidden', glyphs.dots);
  if (point.excluded !== null) {
    const there = wrong > 0 ? `  ${glyphs.wrong_point} ${wrong} here` : '';
    return [mark, name, span(`${glyphs.excluded} excluded`, 'forbidden'), span(there, 'wrong_point')];
  }
  const count = point.count ?? 0;
  const figures = capacity === null ? String(count) : `${count}/${capacity}`;
  const isOver = capacity !== null && count > capacity;
  const left = [mark, name, span(`${glyphs.safe} ${figures.padStart(7)} `, isOver ? 'critical' : 'safe')];
  const room = width - 1 - widthOf(left);
  if (isOver && room >= 5) return [...left, span(cut(`${count - capacity} too many`, room, glyphs.dots), 'critical')];
  if (capacity === null || capacity === 0 || room < 4) return left;
  const filled = Math.min(room, Math.ceil((count * room) / capacity));
  return [...left, span(glyphs.full.repeat(filled), 'safe'), span(glyphs.empty.repeat(room - filled), 'dim')];
}

/** The number of safe people over time, the newest at the right; null without data. */
function sparkline({ active, world, now }: DashboardScene, width: number, { glyphs }: Theme): TextLine | null {
  const curve = active === null ? [] : (world.curves.get(active.id) ?? []);
  const first = curve[0];
  if (first === undefined || active === null) return null;
  const start = Math.min(first.at, Date.parse(active.started_at));
  const head = ' safe ';
  const tail = ` ${active.totals.safe}/${active.totals.expected}`;
  const room = Math.max(0, width - 1 - head.length - tail.length);
  const steps = [...glyphs.spark];
  let line = '';
  for (let column = 0; column < room; column += 1) {
    const at = start + ((now - start) * (column + 1)) / room;
    const safe = curve.findLast((point) => point.at <= at)?.safe ?? 0;
    line += steps[Math.round((safe / Math.max(1, active.totals.expected)) * (steps.length - 1))];
  }
  return row(width, [span(head, 'dim'), span(line, 'safe'), span(tail, 'bold')]);
}
