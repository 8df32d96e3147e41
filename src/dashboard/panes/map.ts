/** The map: boundary, zones, crowds, and what is written on them. */

import type { Point } from '../../base/geometry/shapes.ts';
import type { StreamSite } from '../../contract/stream.ts';
import { isException, locatedAmong, type PersonRow } from '../../watching/state/people.ts';
import { siteFrameOf } from '../../watching/state/site-frame.ts';
import { fitBox, siteBox } from '../map-fit.ts';
import { Canvas, DOTS, Grid, PERSON_RANK } from '../terminal/canvas.ts';
import { cellsOf } from '../terminal/cells.ts';
import type { Area } from '../terminal/layout.ts';
import type { TextLine } from '../terminal/lines.ts';
import type { Role, Theme } from '../terminal/theme.ts';
import type { DashboardScene, DashboardView } from '../view.ts';
import { cellOf, type Lens, placeOf, pointOf, rankOfStatus } from './lens.ts';
import { written, ZONE_ROLE } from './map-labels.ts';
import { astray, truthText } from './truth.ts';

/** From this number of people, a cell is shaded. */
const CROWD = 3;
const CROWD_STEPS = [3, 6, 10, 20] as const;

export const mapTitle = (view: DashboardView, { glyphs }: Theme): string =>
  `1 Map${view.zoom > 1 ? ` ${glyphs.by}${view.zoom}` : ''}`;

/** The number of people on the map, and its scale; while ground truth is shown, the accuracy of the positions. */
export function mapHint(scene: DashboardScene, view: DashboardView, theme: Theme, room: Area): string {
  const { site, siteRows, mapRows } = scene;
  const lens = site === null ? null : lensOf(site, siteRows, room, view, theme);
  if (lens === null) return '';
  if (view.truth) return truthText(scene, room.width >= 54);
  const scale = `1 cell ${theme.map === 'ascii' ? '~' : '≈'} ${Math.max(1, Math.round(lens.metresPerCell))} m`;
  const many = siteRows.length > 0 ? `${locatedAmong(mapRows)} of ${siteRows.length} on the map  ` : '';
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
  written(grid, lens, scene, view, theme, shades(grid, cells, theme));
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
function crowd(lens: Lens, { mapRows }: DashboardScene): Map<number, CrowdCell> {
  const cells = new Map<number, CrowdCell>();
  for (const row of mapRows) {
    const point = pointOf(lens, row);
    if (point === null || isException(row)) continue;
    const rank = rankOfStatus(row.status);
    lens.canvas.dot(...lens.toDot(point), row.status, rank);
    const [x, y] = lens.toCell(point);
    const place = placeOf(x, y);
    const cell = cells.get(place) ?? { count: 0, rank: PERSON_RANK - 1, role: 'person' };
    cell.count += 1;
    if (rank > cell.rank) [cell.rank, cell.role] = [rank, row.status];
    cells.set(place, cell);
  }
  return cells;
}

/** Shades the cells of a crowd, and returns them. */
function shades(grid: Grid, cells: ReadonlyMap<number, CrowdCell>, { glyphs }: Theme): Set<number> {
  const crowded = new Set<number>();
  for (const [place, { count, role }] of cells) {
    if (count < CROWD) continue;
    const step = CROWD_STEPS.filter((least) => count >= least).length - 1;
    const { x, y } = cellOf(place);
    if (x >= grid.width || y >= grid.height) continue;
    grid.set(x, y, glyphs.shades[step] as string, role);
    crowded.add(place);
  }
  return crowded;
}
