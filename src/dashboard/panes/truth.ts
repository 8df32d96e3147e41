/** Ground truth on the map: true positions, and the errors of the position fixes. */
import { distance, frame } from '../../base/geometry/shapes.ts';
import type { StreamTruth } from '../../contract/stream.ts';
import { isException, type PersonRow } from '../../watching/state/people.ts';
import { quantile } from '../../watching/state/tallies.ts';
import { cellsOf } from '../terminal/cells.ts';
import type { Theme } from '../terminal/theme.ts';
import { chosenWorkerOf, type DashboardScene, type DashboardView } from '../view.ts';
import type { LabelWriter, Lens } from './lens.ts';

/** Below people, and above the ground. */
const RANK = 6;
/** A line is drawn if fix and true position are at least this number of cells apart. */
const FAR_CELLS = 1.5;

/** Metres between fix and true position; null if no fix is shown. */
export function offBy({ person: { location } }: PersonRow, truth: StreamTruth): number | null {
  if (location === null) return null;
  const flat = frame(truth);
  return distance(flat.toMetres(location), flat.toMetres(truth));
}

const truthOf = ({ world }: DashboardScene, { id }: PersonRow): StreamTruth | null => world.truth.get(id) ?? null;

/** The accuracy of the position fixes of the site, as one line. */
export function truthText(scene: DashboardScene, isLong: boolean): string {
  const known = scene.siteRows.flatMap((row) => {
    const truth = truthOf(scene, row);
    return truth === null ? [] : [offBy(row, truth)];
  });
  if (known.length === 0) return scene.world.truth.size === 0 ? 'TRUTH is not known' : 'TRUTH of nobody here';
  const off = known.filter((metres) => metres !== null);
  const unseen = known.length - off.length;
  const at = (part: number): number => Math.round(quantile(off, part) ?? 0);
  if (!isLong) return unseen > 0 ? `TRUTH ${unseen} unseen` : `TRUTH off ${at(0.5)} m`;
  const seen = off.length === 0 ? '' : ` fixes off ${at(0.5)} m, 95 % under ${at(0.95)} m`;
  return `TRUTH${seen}${unseen > 0 ? `${seen === '' ? '' : ','} ${unseen} unseen` : ''}`;
}

/** Draws lines from fixes to true positions. */
export function astray(lens: Lens, scene: DashboardScene): void {
  for (const row of scene.mapRows) {
    const truth = truthOf(scene, row);
    const { location } = row.person;
    if (truth === null || location === null) continue;
    if ((offBy(row, truth) ?? 0) < lens.metresPerCell * FAR_CELLS) continue;
    const [seen, true_] = [location, truth].map((place) => lens.toDot(lens.flat.toMetres(place)));
    if (seen !== undefined && true_ !== undefined) lens.canvas.line(seen, true_, 'astray', RANK, 2);
  }
}

/** Draws marks at true positions; a person with an exception who is far from the fix also gets a code. */
export function truths(lens: Lens, scene: DashboardScene, view: DashboardView, theme: Theme, label: LabelWriter): void {
  const chosen = chosenWorkerOf(scene, view);
  const named: [x: number, y: number, code: string][] = [];
  const codes = scene.codes(theme);
  // People without a fix are drawn last, over the others.
  const rows = [...scene.mapRows].sort(
    (a, b) => Number(a.person.location === null) - Number(b.person.location === null),
  );
  for (const row of rows) {
    const truth = truthOf(scene, row);
    if (truth === null) continue;
    const [x, y] = lens.toCell(lens.flat.toMetres(truth));
    const off = offBy(row, truth);
    if (!label(x, y, off === null ? theme.glyphs.unseen : theme.glyphs.truth, 'truth', { anyway: true, exactly: true }))
      continue;
    const isFar = off === null || off > lens.metresPerCell * FAR_CELLS;
    if (isFar && (row.id === chosen || isException(row))) named.push([x, y, codes.of(row.id)]);
  }
  for (const [x, y, code] of named)
    if (!label(x + 1, y, code, 'truth', { touches: 'left' }))
      label(x - cellsOf(code), y, code, 'truth', { touches: 'right' });
}
