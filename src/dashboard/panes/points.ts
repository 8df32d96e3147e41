/** The assembly points of the muster: how many are there, of how many they hold; excluded ones; and how the safe have grown. */
import type { AssemblyPoint } from '../../contract/resources.ts';
import { type Area, box, scrolled } from '../box.ts';
import { cut, type Paper } from '../paper.ts';
import { chosenOf, type Scene } from '../rows.ts';
import type { Theme } from '../theme.ts';
import { blindTo, type View } from '../view.ts';

export function pointsPane(paper: Paper, area: Area, scene: Scene, view: View, theme: Theme): void {
  const { active, points } = scene;
  const inner = box(paper, area, theme, {
    title: '2 Assembly points',
    hint: active === null ? '' : `rev ${active.targets_revision}`,
    focused: view.pane === 'points',
  });
  pointRows(paper, inner, scene, view, theme);
  const used = points.reduce((rows, point) => rows + (point.excluded === null ? 1 : 2), 0);
  if (active !== null && used < inner.height) sparkline(paper, inner, scene, theme);
}

/** The rows alone, for a pane that shows other things at other times. */
export function pointRows(paper: Paper, inner: Area, scene: Scene, view: View, theme: Theme): void {
  const { points, active, everybody } = scene;
  const end = inner.x + inner.width;
  if (active === null) {
    const why = blindTo(view, 'musters:read') ?? 'They count while a muster is under way.';
    paper.write(inner.x + 1, inner.y, why, 'dim', end);
    return;
  }
  const chosen = chosenOf(scene, view, 'points');
  const wrong = new Map<string, number>();
  for (const { fare, person } of everybody)
    if (fare === 'wrong_point' && person.muster?.assembly_point != null)
      wrong.set(person.muster.assembly_point.id, (wrong.get(person.muster.assembly_point.id) ?? 0) + 1);
  let y = inner.y;
  const from = scrolled(
    points.findIndex(({ id }) => id === chosen),
    points.length,
    inner.height,
  );
  for (const point of points.slice(from)) {
    if (y >= inner.y + inner.height) break;
    const isChosen = point.id === chosen && view.pane === 'points';
    if (isChosen) paper.write(inner.x, y, theme.glyphs.mark, 'focus');
    row(paper, inner, y, point, wrong.get(point.id) ?? 0, scene, theme);
    y += 1;
    if (point.excluded === null || y >= inner.y + inner.height) continue;
    const { reason, recommended, by } = point.excluded;
    const text = `${recommended ? 'recommended, ' : ''}by ${by}: ${reason}`;
    paper.write(inner.x + 3, y, cut(text, inner.width - 4, theme.glyphs.dots), 'dim', end);
    y += 1;
  }
}

function row(
  paper: Paper,
  inner: Area,
  y: number,
  point: AssemblyPoint,
  wrong: number,
  { site }: Scene,
  { glyphs }: Theme,
): void {
  const end = inner.x + inner.width;
  const nameWidth = Math.max(8, Math.min(16, inner.width - 24));
  const capacity = site?.zones.find(({ id }) => id === point.id)?.assembly_point?.capacity ?? null;
  paper.write(
    inner.x + 1,
    y,
    cut(point.name, nameWidth, glyphs.dots),
    point.excluded === null ? 'plain' : 'forbidden',
    end,
  );
  const x = inner.x + nameWidth + 2;
  if (point.excluded !== null) {
    const there = wrong > 0 ? `  ${glyphs.wrong_point} ${wrong} here` : '';
    const after = paper.write(x, y, `${glyphs.excluded} excluded`, 'forbidden', end);
    paper.write(after, y, there, 'wrong_point', end);
    return;
  }
  const count = point.count ?? 0;
  const figures = capacity === null ? String(count) : `${count}/${capacity}`;
  const after = paper.write(x, y, `${glyphs.safe} ${figures.padStart(7)} `, 'safe', end);
  const room = end - 1 - after;
  if (capacity === null || capacity === 0 || room < 4) return;
  const filled = Math.min(room, Math.ceil((count * room) / capacity));
  paper.write(after, y, glyphs.full.repeat(filled), count > capacity ? 'help' : 'safe', end);
  paper.write(after + filled, y, glyphs.empty.repeat(room - filled), 'dim', end);
}

/** The safe over time, the newest at the right. */
function sparkline(paper: Paper, inner: Area, { active, world, now }: Scene, theme: Theme): void {
  const curve = active === null ? [] : (world.curves.get(active.id) ?? []);
  const first = curve[0];
  if (first === undefined || active === null) return;
  const y = inner.y + inner.height - 1;
  const start = Math.min(first.at, Date.parse(active.started_at));
  const head = 'safe ';
  const tail = ` ${active.totals.safe}/${active.totals.expected}`;
  const room = Math.max(0, inner.width - 2 - head.length - tail.length);
  const steps = [...theme.glyphs.spark];
  let line = '';
  for (let column = 0; column < room; column += 1) {
    const at = start + ((now - start) * (column + 1)) / room;
    const safe = curve.findLast((point) => point.at <= at)?.safe ?? 0;
    line += steps[Math.round((safe / Math.max(1, active.totals.expected)) * (steps.length - 1))];
  }
  const x = paper.write(inner.x + 1, y, head, 'dim');
  paper.write(paper.write(x, y, line, 'safe'), y, tail, 'bold');
}
