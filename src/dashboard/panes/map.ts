/** The map: boundary, zones, people, and names of those with an exception. */
import { bounds, type Frame, type Point } from '../../base/geometry.ts';
import type { Zone } from '../../contract/resources.ts';
import type { StreamSite } from '../../contract/stream.ts';
import { isException, locatedAmong, mapRankOf, type PersonRow, type ShownStatus } from '../../watching/people.ts';
import { siteFrameOf } from '../../watching/site-frame.ts';
import { Canvas, DOTS, Grid, PERSON_RANK } from '../canvas.ts';
import type { Area, PaneLines } from '../layout.ts';
import { cut, type TextLine } from '../lines.ts';
import type { Role, Theme } from '../theme.ts';
import { chosenOf, type DashboardScene, type DashboardView } from '../view.ts';
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

/** People in a cell from which it is shaded. */
const CROWD = 3;
const CROWD_STEPS = [3, 6, 10, 20] as const;

/** From metres to dots and cells of the canvas. */
export interface Lens {
  readonly flat: Frame;
  readonly canvas: Canvas;
  readonly toDot: (point: Point) => [number, number];
  readonly toCell: (point: Point) => [number, number];
  readonly metresPerCell: number;
}

export function mapPaneLines(scene: DashboardScene, view: DashboardView, theme: Theme, room: Area): PaneLines {
  const { site, siteRows } = scene;
  const title = `1 Map${view.zoom > 1 ? ` ${theme.glyphs.by}${view.zoom}` : ''}`;
  const lens = site === null || room.width < 4 || room.height < 2 ? null : lensOf(site, room, view, theme);
  if (lens === null || site === null)
    return { title, hint: '', lines: [[{ text: ' No site is known yet.', role: 'dim' }]] };
  const isWide = room.width >= 58;
  const many = isWide ? `${locatedAmong(siteRows)} of ${siteRows.length} on the map  ` : '';
  const scale = `1 cell ${theme.map === 'ascii' ? '~' : '≈'} ${Math.max(1, Math.round(lens.metresPerCell))} m`;
  return {
    title,
    hint: view.truth ? truthText(scene, isWide) : `${many}${scale}  +/- zoom`,
    lines: drawn(lens, scene, view, theme, room),
  };
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
  const taken = new Set<number>();
  const label = labeller(grid, taken);
  shades(grid, cells, theme, taken);
  if (view.truth) truths(lens, scene, view, theme, label);
  exceptions(grid, lens, scene, view, theme, label);
  labels(lens, scene, theme, label);
  return grid.lines();
}

function lensOf(site: StreamSite, inner: Area, view: DashboardView, theme: Theme): Lens | null {
  const { flat, boundary } = siteFrameOf(site);
  if (boundary.length === 0) return null;
  // The origin of the frame is the middle of the boundary.
  const { maxX, maxY } = bounds(boundary);
  const [width, height] = [maxX * 2, maxY * 2];
  const canvas = new Canvas(inner.width, inner.height, theme.map);
  const [across, down] = DOTS[theme.map];
  // A cell is twice as high as wide, and so is the ground it shows.
  const metresPerColumn = Math.max(width / (inner.width - 1), height / ((inner.height - 1) * 2), 0.1) / view.zoom;
  const [perX, perY] = [metresPerColumn / across, (metresPerColumn * 2) / down];
  const [cx, cy] = view.zoom === 1 ? [0, 0] : [(view.centre[0] - 0.5) * width, (0.5 - view.centre[1]) * height];
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

/** People without an exception as dots. Returns the count in each cell, by the index of the cell. */
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

/** Metres; null: no location, or out of view. */
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

export type LabelWriter = (
  x: number,
  y: number,
  text: string,
  role: Role,
  options?: { anyway?: boolean; exactly?: boolean },
) => boolean;

/** Writes the whole text where no other label is, or nothing. */
const labeller =
  (grid: Grid, taken: Set<number>): LabelWriter =>
  (x, y, text, role, { anyway = false, exactly = false } = {}) => {
    const width = [...text].length;
    if (exactly && (x < 0 || x + width > grid.width)) return false;
    const column = Math.max(0, Math.min(x, grid.width - width));
    if (y < 0 || y >= grid.height || width > grid.width || column > x + 8 || column < x - width) return false;
    const places = Array.from({ length: width }, (_, n) => y * 10_000 + column + n);
    if (!anyway && places.some((place) => taken.has(place))) return false;
    for (const place of places) taken.add(place);
    grid.write(column, y, text, role);
    return true;
  };

function exceptions(
  grid: Grid,
  lens: Lens,
  scene: DashboardScene,
  view: DashboardView,
  theme: Theme,
  label: LabelWriter,
): void {
  const chosen = chosenOf(scene, view, 'people');
  const rows = scene.siteRows.filter((row) => isException(row) || (row.id === chosen && view.pane !== 'alerts'));
  // The gravest are written last, over the others.
  rows.sort((a, b) => labelRankOf(a) - labelRankOf(b));
  const cells = new Map<number, MarkedCell>();
  for (const row of rows) {
    const point = pointOf(lens, row);
    if (point === null) continue;
    const role = mapRankOf(row);
    const [x, y] = lens.toCell(point);
    label(x, y, theme.glyphs[role], role, { anyway: true });
    // A helper is named too: the person helped may be unable to say where they are.
    const isNamed = role === 'rescue' || row.status === 'help' || row.id === chosen;
    const before = cells.get(y * 10_000 + x);
    // One label per cell: the gravest person, and the number of others that would have a label.
    const names = (before?.names ?? 0) + Number(isNamed);
    const first = isNamed && (before === undefined || labelRankOf(row) >= before.rank) ? row : before?.row;
    cells.set(y * 10_000 + x, { x, y, role, names, rank: labelRankOf(row), row: first ?? row });
  }
  for (const { x, y, role, names, row } of [...cells.values()].sort((a, b) => b.rank - a.rank)) {
    if (names === 0) continue;
    const text = names > 1 ? `${row.code}+${names - 1}` : row.code;
    const width = text.length;
    if (x + 1 + width <= grid.width && label(x + 1, y, text, role)) continue;
    if (x - width >= 0) label(x - width, y, text, role);
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
    const name = origin.label === null ? '' : ` ${cut(origin.label, 20)}`;
    label(...lens.toCell(lens.flat.toMetres(origin)), `${theme.glyphs.origin}${name}`, 'origin');
  }
  // Targets first: where to go matters more than what a yard is called.
  const zones = siteFrameOf(site).zones.toSorted(
    (a, b) => Number(b.zone.type === 'assembly_point') - Number(a.zone.type === 'assembly_point'),
  );
  for (const { zone, ring } of zones) {
    const { minX: left, maxX: right, minY: top, maxY: bottom } = bounds(ring.map(lens.toCell));
    const point = active?.assembly_points.find(({ id }) => id === zone.id);
    if (zone.type === 'assembly_point' && (active === null || point !== undefined)) {
      const many =
        point === undefined ? '' : point.excluded === null ? ` ${point.count ?? 0}` : ` ${theme.glyphs.excluded}`;
      const text = `[${cut(zone.name, 16, theme.glyphs.dots)}${many}]`;
      const x = Math.floor((left + right) / 2) - Math.floor(text.length / 2);
      const role: Role = point?.excluded == null ? 'target' : 'forbidden';
      if (!label(x, top - 1, text, role)) label(x, bottom + 1, text, role);
      continue;
    }
    const room = right - left - 1;
    const first = zone.name.split(' ')[0] as string;
    const name = [zone.name, first].find((text) => [...text].length <= room) ?? cut(first, room, '');
    if ([...name].length < 3) continue;
    label(left + 1, top, name, ZONE_ROLE[zone.type] === 'outline' ? 'dim' : ZONE_ROLE[zone.type]);
  }
}
