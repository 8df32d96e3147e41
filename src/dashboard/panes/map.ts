/** The map: boundary, zones, people, and names of people with an exception. */
import { bounds, type Point } from '../../base/geometry/shapes.ts';
import type { Zone } from '../../contract/resources.ts';
import type { StreamSite } from '../../contract/stream.ts';
import { isException, locatedAmong, mapRankOf, type PersonRow, type ShownStatus } from '../../watching/state/people.ts';
import { siteFrameOf } from '../../watching/state/site-frame.ts';
import { fitBox, siteBox } from '../map-fit.ts';
import { Canvas, DOTS, Grid, PERSON_RANK } from '../terminal/canvas.ts';
import { cellsOf, charactersOf, clean, cut } from '../terminal/cells.ts';
import type { Area } from '../terminal/layout.ts';
import type { TextLine } from '../terminal/lines.ts';
import type { Role, Theme } from '../terminal/theme.ts';
import { chosenWorkerOf, type DashboardScene, type DashboardView } from '../view.ts';
import type { LabelWriter, Lens } from './lens.ts';
import { astray, truths, truthText } from './truth.ts';

/** A higher rank covers a lower one. */
const RANK: Record<ShownStatus, number> = {
  safe: 10,
  person: 11,
  pending: 12,
  not_worn: 13,
  no_signal: 14,
  wrong_point: 15,
  help: 16,
};

const ZONE_ROLE: Record<Zone['type'], Role> = {
  work_area: 'outline',
  building: 'outline',
  privacy: 'outline',
  restricted: 'restricted',
  forbidden: 'forbidden',
  assembly_point: 'target',
};

/** From this number of people, a cell is shaded. */
const CROWD = 3;
const CROWD_STEPS = [3, 6, 10, 20] as const;

export const mapTitle = (view: DashboardView, { glyphs }: Theme): string =>
  `1 Map${view.zoom > 1 ? ` ${glyphs.by}${view.zoom}` : ''}`;

/** The number of people on the map, and its scale; while ground truth is shown, the accuracy of the positions. */
export function mapHint(scene: DashboardScene, view: DashboardView, theme: Theme, room: Area): string {
  const { site, siteRows } = scene;
  const lens = site === null ? null : lensOf(site, siteRows, room, view, theme);
  if (lens === null) return '';
  if (view.truth) return truthText(scene, room.width >= 54);
  const scale = `1 cell ${theme.map === 'ascii' ? '~' : '≈'} ${Math.max(1, Math.round(lens.metresPerCell))} m`;
  const many = siteRows.length > 0 ? `${locatedAmong(siteRows)} of ${siteRows.length} on the map  ` : '';
  const forms = [`${many}${scale}  +/- zoom`, `${many}${scale}`, `${scale}  +/- zoom`, scale];
  return forms.find((form) => cellsOf(form) + HINT_AROUND <= room.width) ?? '';
}

/** Cells for the title, and for the blanks and border lines around the title and the hint. */
const HINT_AROUND = 16;

/** The rows of the map. Null if there is nothing to draw. */
export function mapLines(scene: DashboardScene, view: DashboardView, theme: Theme, room: Area): TextLine[] | null {
  const { site, siteRows } = scene;
  const lens = site === null ? null : lensOf(site, siteRows, room, view, theme);
  return lens === null ? null : drawn(lens, scene, view, theme, room);
}

function drawn(lens: Lens, scene: DashboardScene, view: DashboardView, theme: Theme, room: Area): TextLine[] {
  ground(lens, scene, theme);
  const cells = crowd(lens, scene);
  if (view.truth) astray(lens, scene);
  const grid = new Grid(room.width, room.height);
  for (let y = 0; y < room.height; y += 1)
    for (let x = 0; x < room.width; x += 1) {
      const cell = lens.canvas.at(x, y);
      if (cell !== null) grid.set(x, y, cell.character, cell.role);
    }
  const crowded = new Set<number>();
  const label = labeller(grid, crowded);
  shades(grid, cells, theme, crowded);
  if (view.truth) truths(lens, scene, view, theme, label);
  exceptions(grid, lens, scene, view, theme, label);
  labels(lens, scene, theme, label);
  return grid.lines();
}

function lensOf(
  site: StreamSite,
  rows: readonly PersonRow[],
  inner: Area,
  view: DashboardView,
  theme: Theme,
): Lens | null {
  const { flat } = siteFrameOf(site);
  const [whole, fitted] = [siteBox(site), fitBox(site, rows)];
  if (whole === null || fitted === null || inner.width < 4 || inner.height < 2) return null;
  const [width, height] = [fitted.maxX - fitted.minX, fitted.maxY - fitted.minY];
  const canvas = new Canvas(inner.width, inner.height, theme.map);
  const [across, down] = DOTS[theme.map];
  // A cell is twice as high as it is wide, so it also shows twice as much ground vertically.
  const metresPerColumn = Math.max(width / (inner.width - 1), height / ((inner.height - 1) * 2), 0.1) / view.zoom;
  const [perX, perY] = [metresPerColumn / across, (metresPerColumn * 2) / down];
  const [cx, cy] =
    view.zoom === 1
      ? [(fitted.minX + fitted.maxX) / 2, (fitted.minY + fitted.maxY) / 2]
      : [
          whole.minX + view.centre[0] * (whole.maxX - whole.minX),
          whole.maxY - view.centre[1] * (whole.maxY - whole.minY),
        ];
  const toDot = ([x, y]: Point): [number, number] => [
    (x - cx) / perX + canvas.width / 2,
    canvas.height / 2 - (y - cy) / perY,
  ];
  return {
    flat,
    canvas,
    metresPerCell: metresPerColumn,
    toDot,
    toCell: (point) => {
      const [x, y] = toDot(point);
      return [Math.floor(Math.round(x) / across), Math.floor(Math.round(y) / down)];
    },
  };
}

function drawRing(lens: Lens, ring: readonly Point[], role: Role, rank: number, dash = 1): void {
  const dots = ring.map(lens.toDot);
  for (const [place, dot] of dots.entries())
    if (place > 0) lens.canvas.line(dots[place - 1] as [number, number], dot, role, rank, dash);
}

function ground(lens: Lens, { site, active }: DashboardScene, theme: Theme): void {
  if (site === null) return;
  const { boundary, zones } = siteFrameOf(site);
  drawRing(lens, boundary, 'outline', 1, theme.map === 'braille' ? 3 : 1);
  for (const { zone, ring } of zones) {
    const point = active?.assembly_points.find(({ id }) => id === zone.id);
    const role =
      point?.excluded != null
        ? 'forbidden'
        : active !== null && zone.type === 'assembly_point' && point === undefined
          ? 'outline'
          : ZONE_ROLE[zone.type];
    drawRing(lens, ring, role, role === 'outline' ? 2 : 4);
  }
  const origin = active?.origin ?? null;
  if (origin === null || origin.radius_m === 0) return;
  const [x, y] = lens.flat.toMetres(origin);
  const circle = Array.from({ length: 73 }, (_, step): Point => {
    const angle = (step * Math.PI) / 36;
    return [x + Math.cos(angle) * origin.radius_m, y + Math.sin(angle) * origin.radius_m];
  });
  drawRing(lens, circle, 'origin', 5, 2);
}

interface CrowdCell {
  count: number;
  rank: number;
  role: Role;
}

/** Draws people without an exception as dots. Returns the number of people in each cell, by the index of the cell. */
function crowd(lens: Lens, { siteRows }: DashboardScene): Map<number, CrowdCell> {
  const cells = new Map<number, CrowdCell>();
  for (const row of siteRows) {
    const point = pointOf(lens, row);
    if (point === null || isException(row)) continue;
    const rank = RANK[row.status];
    lens.canvas.dot(...lens.toDot(point), row.status, rank);
    const [x, y] = lens.toCell(point);
    const place = y * 10_000 + x;
    const cell = cells.get(place) ?? { count: 0, rank: PERSON_RANK - 1, role: 'person' };
    cell.count += 1;
    if (rank > cell.rank) [cell.rank, cell.role] = [rank, row.status];
    cells.set(place, cell);
  }
  return cells;
}

/** Returns the position in metres; null if it is unknown or out of view. */
function pointOf(lens: Lens, { person: { location } }: PersonRow): Point | null {
  if (location === null) return null;
  const point = lens.flat.toMetres(location);
  const [x, y] = lens.toDot(point).map(Math.round) as [number, number];
  return x < 0 || y < 0 || x >= lens.canvas.width || y >= lens.canvas.height ? null : point;
}

function shades(grid: Grid, cells: ReadonlyMap<number, CrowdCell>, { glyphs }: Theme, taken: Set<number>): void {
  for (const [place, { count, role }] of cells) {
    if (count < CROWD) continue;
    const step = CROWD_STEPS.filter((least) => count >= least).length - 1;
    const [x, y] = [place % 10_000, Math.floor(place / 10_000)];
    if (x >= grid.width || y >= grid.height) continue;
    grid.set(x, y, glyphs.shades[step] as string, role);
    taken.add(place);
  }
}

/** Writes the whole text if there is no other label, or nothing. */
const labeller = (grid: Grid, crowded: ReadonlySet<number>): LabelWriter => {
  const taken = new Set<number>();
  return (x, y, text, role, { anyway = false, exactly = false, overCrowd = false, touches } = {}) => {
    const width = cellsOf(clean(text));
    if (exactly && (x < 0 || x + width > grid.width)) return false;
    const column = Math.max(0, Math.min(x, grid.width - width));
    if (y < 0 || y >= grid.height || width > grid.width || column > x + 8 || column < x - width) return false;
    const places = Array.from({ length: width }, (_, n) => y * 10_000 + column + n);
    // A blank cell on each side, because two adjacent labels would look like one.
    const [before, after] = [y * 10_000 + column - 1, y * 10_000 + column + width];
    const around = [...(touches === 'left' ? [] : [before]), ...(touches === 'right' ? [] : [after])];
    if (!anyway && [...places, ...around].some((place) => taken.has(place))) return false;
    if (!anyway && !overCrowd && places.some((place) => crowded.has(place))) return false;
    for (const place of places) taken.add(place);
    grid.write(column, y, text, role);
    return true;
  };
};

function exceptions(
  grid: Grid,
  lens: Lens,
  scene: DashboardScene,
  view: DashboardView,
  theme: Theme,
  label: LabelWriter,
): void {
  const chosen = chosenWorkerOf(scene, view);
  const rows = scene.siteRows.filter((row) => isException(row) || (row.id === chosen && view.pane !== 'alerts'));
  // The most severe statuses are written last, over the others.
  rows.sort((a, b) => labelRankOf(a) - labelRankOf(b) || (a.id < b.id ? 1 : -1));
  const codes = scene.codes(theme);
  const cells = new Map<number, MarkedCell>();
  for (const row of rows) {
    const point = pointOf(lens, row);
    if (point === null) continue;
    const role = mapRankOf(row);
    const [x, y] = lens.toCell(point);
    label(x, y, theme.glyphs[role], role, { anyway: true });
    // A helper is named too, because the person who is helped may be unable to report a position.
    const isNamed = role === 'rescue' || row.status === 'help' || row.id === chosen;
    const before = cells.get(y * 10_000 + x);
    // One label per cell: the person with the most severe status, and the number of others who would have a label.
    const names = (before?.names ?? 0) + Number(isNamed);
    const first = isNamed && (before === undefined || labelRankOf(row) >= before.rank) ? row : before?.row;
    cells.set(y * 10_000 + x, { x, y, role, names, rank: labelRankOf(row), row: first ?? row });
  }
  for (const { x, y, role, names, row } of [...cells.values()].sort((a, b) => b.rank - a.rank)) {
    if (names === 0) continue;
    const code = codes.of(row.id);
    const name = names > 1 ? `${code}+${names - 1}` : code;
    // In ASCII, letters and digits mark people and crowds, so a blank separates them from the name.
    const text = theme.isAscii ? ` ${name} ` : name;
    const width = cellsOf(text);
    if (x + 1 + width <= grid.width && label(x + 1, y, text, role, { touches: 'left', overCrowd: true })) continue;
    if (x - width >= 0) label(x - width, y, text, role, { touches: 'right', overCrowd: true });
  }
}

interface MarkedCell {
  readonly x: number;
  readonly y: number;
  readonly role: Role;
  /** People with a label in this cell. */
  readonly names: number;
  readonly rank: number;
  readonly row: PersonRow;
}

/** People to rescue are labelled before all others. */
const labelRankOf = (row: PersonRow): number => RANK[row.status] + (mapRankOf(row) === 'rescue' ? 100 : 0);

function labels(lens: Lens, { site, active }: DashboardScene, theme: Theme, label: LabelWriter): void {
  if (site === null) return;
  const origin = active?.origin ?? null;
  if (origin !== null) {
    const name = origin.label === null ? '' : ` ${cut(clean(origin.label), 20, theme.glyphs.dots)}`;
    label(...lens.toCell(lens.flat.toMetres(origin)), `${theme.glyphs.origin}${name}`, 'origin');
  }
  // Assembly points are labelled first, because during an evacuation they matter more than other zones.
  const zones = siteFrameOf(site).zones.toSorted(
    (a, b) => Number(b.zone.type === 'assembly_point') - Number(a.zone.type === 'assembly_point'),
  );
  for (const { zone, ring } of zones) {
    const { minX: left, maxX: right, minY: top, maxY: bottom } = bounds(ring.map(lens.toCell));
    const point = active?.assembly_points.find(({ id }) => id === zone.id);
    if (zone.type === 'assembly_point' && (active === null || point !== undefined)) {
      const count = point?.count ?? 0;
      const many = point === undefined ? '' : point.excluded === null ? ` ${count}` : ` ${theme.glyphs.excluded}`;
      const text = `[${cut(clean(zone.name), 16, theme.glyphs.dots)}${many}]`;
      const x = Math.floor((left + right) / 2) - Math.floor(cellsOf(text) / 2);
      const capacity = zone.assembly_point?.capacity ?? null;
      const isOver = capacity !== null && count > capacity;
      const role: Role = point?.excluded != null ? 'forbidden' : isOver ? 'critical' : 'target';
      if (!label(x, top - 1, text, role)) label(x, bottom + 1, text, role);
      continue;
    }
    const room = right - left - 1;
    const [whole, first] = [clean(zone.name), clean(zone.name.split(' ')[0] as string)];
    const name = [whole, first].find((text) => cellsOf(text) <= room) ?? cut(first, room, '');
    if (charactersOf(name).length < 3) continue;
    // In ASCII the outline consists of full stops, so blanks separate it from the name.
    const gap = theme.isAscii && cellsOf(name) + 2 <= room ? ' ' : '';
    const role = ZONE_ROLE[zone.type] === 'outline' ? 'dim' : ZONE_ROLE[zone.type];
    label(left + 1, top, `${gap}${name}${gap}`, role);
  }
}
