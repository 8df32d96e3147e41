/** The map: boundary, zones, people, and names of people with an exception. */

import { bounds, type Point } from '../../base/geometry/shapes.ts';
import { NOT_SAFE_STATUSES } from '../../contract/resources/vocabulary.ts';
import type { Zone } from '../../contract/resources.ts';
import type { StreamSite } from '../../contract/stream.ts';
import { isException, locatedAmong, mapRankOf, type PersonRow, type ShownStatus } from '../../watching/state/people.ts';
import { siteFrameOf } from '../../watching/state/site-frame.ts';
import { fitBox, siteBox } from '../map-fit.ts';
import { Canvas, DOTS, Grid, PERSON_RANK } from '../terminal/canvas.ts';
import { cellsOf, clean } from '../terminal/cells.ts';
import type { Area } from '../terminal/layout.ts';
import type { TextLine } from '../terminal/lines.ts';
import type { Role, Theme } from '../terminal/theme.ts';
import { chosenOf, chosenWorkerOf, type DashboardScene, type DashboardView } from '../view.ts';
import type { LabelWriter, Lens } from './lens.ts';
import { astray, truths, truthText } from './truth.ts';

/** A higher rank covers a lower one. */
const RANKED: readonly ShownStatus[] = ['safe', 'person', ...NOT_SAFE_STATUSES.toReversed()];
const rankOfStatus = (status: ShownStatus): number => PERSON_RANK + RANKED.indexOf(status);

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
  const [crowded, taken] = [new Set<number>(), new Set<number>()];
  const label = labeller(grid, crowded, taken);
  shades(grid, cells, theme, crowded);
  if (view.truth) truths(lens, scene, view, theme, label);
  for (const zone of pointZones(scene)) if (isFull(scene, zone.zone)) pointLabel(lens, scene, zone, theme, label);
  exceptions(grid, lens, scene, view, theme, label, new Set(taken));
  labels(lens, scene, theme, label);
  ring(grid, lens, scene, view, theme);
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
const labeller = (grid: Grid, crowded: ReadonlySet<number>, taken: Set<number>): LabelWriter => {
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
  fixed: ReadonlySet<number>,
): void {
  const chosen = selectedWorkerOf(scene, view);
  const rows = scene.mapRows.filter((row) => isException(row) || row.id === chosen);
  // The most severe statuses are written last, over the others.
  rows.sort((a, b) => labelRankOf(a) - labelRankOf(b) || (a.id < b.id ? 1 : -1));
  const codes = scene.codes(theme);
  const cells = new Map<number, MarkedCell>();
  for (const row of rows) {
    const point = pointOf(lens, row);
    if (point === null) continue;
    const role = mapRankOf(row);
    const [x, y] = lens.toCell(point);
    // Only people to rescue, and the chosen person, cover the label of a full point.
    if (role !== 'rescue' && row.id !== chosen && fixed.has(y * 10_000 + x)) continue;
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
    // The ring around the chosen person has a cell on each side.
    const beside = row.id === chosen ? 2 : 1;
    const options = { overCrowd: true } as const;
    if (x + beside + width <= grid.width && label(x + beside, y, text, role, { touches: 'left', ...options })) continue;
    if (x + 1 - beside - width >= 0) label(x + 1 - beside - width, y, text, role, { touches: 'right', ...options });
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
const labelRankOf = (row: PersonRow): number => rankOfStatus(row.status) + (mapRankOf(row) === 'rescue' ? 100 : 0);

interface PlacedZone {
  readonly zone: Zone;
  readonly ring: readonly Point[];
}

/** The assembly points that the map names: during a muster, those that serve it. */
function pointZones({ site, active }: DashboardScene): PlacedZone[] {
  if (site === null) return [];
  const isOfMuster = ({ id }: Zone): boolean => active === null || active.assembly_points.some((one) => one.id === id);
  return siteFrameOf(site).zones.filter(({ zone }) => zone.type === 'assembly_point' && isOfMuster(zone));
}

function isFull({ active }: DashboardScene, { id, assembly_point }: Zone): boolean {
  const count = active?.assembly_points.find((point) => point.id === id)?.count ?? 0;
  const capacity = assembly_point?.capacity ?? null;
  return capacity !== null && count >= capacity;
}

/** Above or below the point; the label is whole, or the number of people alone. */
function pointLabel(
  lens: Lens,
  scene: DashboardScene,
  { zone, ring: zoneRing }: PlacedZone,
  theme: Theme,
  label: LabelWriter,
): void {
  const { minX: left, maxX: right, minY: top, maxY: bottom } = bounds(zoneRing.map(lens.toCell));
  const point = scene.active?.assembly_points.find(({ id }) => id === zone.id);
  const count = point?.count ?? 0;
  const capacity = zone.assembly_point?.capacity ?? null;
  const isOver = capacity !== null && count > capacity;
  const many = point === undefined ? '' : point.excluded === null ? String(count) : theme.glyphs.excluded;
  const role: Role = point?.excluded != null ? 'forbidden' : isOver ? 'critical' : 'target';
  const forms = [[clean(zone.name), many].filter((word) => word !== '').join(' '), many].filter((form) => form !== '');
  const isPlaced = forms.some((form) => {
    const text = `[${form}]`;
    const x = Math.floor((left + right) / 2) - Math.floor(cellsOf(text) / 2);
    return [top - 1, bottom + 1].some((y) => label(x, y, text, role, { overCrowd: isFull(scene, zone) }));
  });
  if (!isPlaced && isFull(scene, zone)) label(left, top, `[${many}]`, role, { anyway: true });
}

/** Labels are whole, or not there: the beginning of a word is another word. */
function labels(lens: Lens, scene: DashboardScene, theme: Theme, label: LabelWriter): void {
  const { site, active } = scene;
  if (site === null) return;
  const origin = active?.origin ?? null;
  if (origin !== null) {
    const at = lens.toCell(lens.flat.toMetres(origin));
    const name = origin.label === null ? '' : ` ${clean(origin.label)}`;
    if (!label(...at, `${theme.glyphs.origin}${name}`, 'origin')) label(...at, theme.glyphs.origin, 'origin');
  }
  // Assembly points are labelled first, because during an evacuation they matter more than other zones.
  const points = pointZones(scene);
  for (const zone of points) if (!isFull(scene, zone.zone)) pointLabel(lens, scene, zone, theme, label);
  const named = new Set(points.map(({ zone }) => zone.id));
  for (const { zone, ring: zoneRing } of siteFrameOf(site).zones) {
    if (named.has(zone.id)) continue;
    const { minX: left, maxX: right, minY: top } = bounds(zoneRing.map(lens.toCell));
    const room = right - left - 1;
    const name = [clean(zone.name), clean(zone.name.split(' ')[0] as string)].find((text) => cellsOf(text) <= room);
    if (name === undefined) continue;
    // In ASCII the outline consists of full stops, so blanks separate it from the name.
    const gap = theme.isAscii && cellsOf(name) + 2 <= room ? ' ' : '';
    const role = ZONE_ROLE[zone.type] === 'outline' ? 'dim' : ZONE_ROLE[zone.type];
    label(left + 1, top, `${gap}${name}${gap}`, role);
  }
}

/** A ring around what is chosen in the focused pane. */
function ring(grid: Grid, lens: Lens, scene: DashboardScene, view: DashboardView, theme: Theme): void {
  const point = selectedPointOf(lens, scene, view);
  if (point === null) return;
  const [x, y] = lens.toCell(point);
  const [before, after] = theme.glyphs.ring;
  grid.set(x - 1, y, before, 'focus');
  grid.set(x + 1, y, after, 'focus');
}

/** The worker of the chosen row: a person, or the worker of an alert. */
function selectedWorkerOf(scene: DashboardScene, view: DashboardView): string | null {
  if (view.pane === 'points' || view.pane === 'webhooks') return null;
  if (view.pane !== 'alerts') return chosenWorkerOf(scene, view);
  const id = chosenOf(scene, view, 'alerts');
  return scene.alerts.find((alert) => alert.id === id)?.worker?.id ?? null;
}

/** Metres in the local frame of the site; null: nothing is chosen, or it is nowhere. */
function selectedPointOf(lens: Lens, scene: DashboardScene, view: DashboardView): Point | null {
  if (view.pane === 'points') {
    const id = chosenOf(scene, view, 'points');
    const zone = pointZones(scene).find((one) => one.zone.id === id);
    if (zone === undefined) return null;
    const { minX, maxX, minY, maxY } = bounds(zone.ring);
    return [(minX + maxX) / 2, (minY + maxY) / 2];
  }
  const worker = selectedWorkerOf(scene, view);
  const row = scene.mapRows.find(({ id }) => id === worker);
  if (row !== undefined) return pointOf(lens, row);
  if (view.pane !== 'alerts') return null;
  const alert = scene.alerts.find(({ id }) => id === chosenOf(scene, view, 'alerts'));
  return alert?.location == null ? null : lens.flat.toMetres(alert.location);
}
