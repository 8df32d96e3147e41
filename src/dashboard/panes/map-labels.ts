/** What is written on the map: marks and codes of people, labels of points and zones, and the ring around the selection. */

import { bounds, type Point } from '../../base/geometry/shapes.ts';
import type { Zone } from '../../contract/resources.ts';
import { isException, isUrgentMark, type MarkRank, markRankOf, type PersonRow } from '../../watching/state/people.ts';
import { siteFrameOf } from '../../watching/state/site-frame.ts';
import type { Grid } from '../terminal/canvas.ts';
import { cellsOf, clean } from '../terminal/cells.ts';
import type { Role, Theme } from '../terminal/theme.ts';
import { chosenOf, chosenWorkerOf, type DashboardScene, type DashboardView } from '../view.ts';
import { type LabelWriter, type Lens, placeOf, pointOf, rankOfStatus } from './lens.ts';
import { truths } from './truth.ts';

export const ZONE_ROLE: Record<Zone['type'], Role> = {
  work_area: 'outline',
  building: 'outline',
  privacy: 'outline',
  restricted: 'restricted',
  forbidden: 'forbidden',
  assembly_point: 'target',
};

/**
 * Writes marks and labels, of which the first keep their cells: people to rescue, the chosen person and the ring, full
 * points, the marks of other people, codes, then all other labels. `crowded`: the cells with shades of a crowd.
 */
export function written(
  grid: Grid,
  lens: Lens,
  scene: DashboardScene,
  view: DashboardView,
  theme: Theme,
  crowded: ReadonlySet<number>,
): void {
  const taken = new Set<number>();
  const label = labeller(grid, crowded, taken);
  if (view.truth) truths(lens, scene, view, theme, label);
  const chosen = selectedWorkerOf(scene, view);
  const cells = markedCells(lens, scene, chosen);
  const mark = ({ x, y, role }: MarkedCell): boolean => label(x, y, theme.glyphs[role], role, { anyway: true });
  cells.filter(({ isFirst }) => isFirst).forEach(mark);
  const ring = ringOf(lens, scene, view, theme).filter(({ x, y }) => !taken.has(placeOf(x, y)));
  for (const { x, y, glyph } of ring) label(x, y, glyph, 'focus', { anyway: true, exactly: true });
  const points = pointZones(scene);
  const [full, others] = [true, false].map((is) => points.filter(({ zone }) => isFull(scene, zone) === is));
  for (const zone of full ?? []) pointLabel(lens, scene, zone, theme, label);
  cells.filter(({ isFirst, x, y }) => !isFirst && !taken.has(placeOf(x, y))).forEach(mark);
  const [first, rest] = [true, false].map((is) => cells.filter(({ isFirst }) => isFirst === is));
  names(first ?? [], scene, chosen, theme, label);
  originLabel(lens, scene, theme, label);
  // During an evacuation, assembly points matter more than helpers and other zones.
  for (const zone of others ?? []) pointLabel(lens, scene, zone, theme, label);
  names(rest ?? [], scene, chosen, theme, label);
  zoneLabels(lens, scene, theme, label);
}

/** Writes the whole text if there is no other label, or nothing. */
const labeller = (grid: Grid, crowded: ReadonlySet<number>, taken: Set<number>): LabelWriter => {
  return (x, y, text, role, { anyway = false, exactly = false, overCrowd = false, touches } = {}) => {
    const width = cellsOf(clean(text));
    if (exactly && (x < 0 || x + width > grid.width)) return false;
    const column = Math.max(0, Math.min(x, grid.width - width));
    if (y < 0 || y >= grid.height || width > grid.width || column > x + 8 || column < x - width) return false;
    const places = Array.from({ length: width }, (_, n) => placeOf(column + n, y));
    // A blank cell on each side, because two adjacent labels would look like one.
    const [before, after] = [placeOf(column - 1, y), placeOf(column + width, y)];
    const around = [...(touches === 'left' ? [] : [before]), ...(touches === 'right' ? [] : [after])];
    if (!anyway && [...places, ...around].some((place) => taken.has(place))) return false;
    if (!anyway && !overCrowd && places.some((place) => crowded.has(place))) return false;
    for (const place of places) taken.add(place);
    grid.write(column, y, text, role);
    return true;
  };
};

/** A cell with the mark of one person or more. */
interface MarkedCell {
  readonly x: number;
  readonly y: number;
  readonly role: MarkRank;
  /** People with a label in this cell. */
  readonly names: number;
  readonly rank: number;
  readonly row: PersonRow;
  /** True if nothing may cover it: somebody to rescue, or the chosen person. */
  readonly isFirst: boolean;
}

/** The cells of people with an exception and of the chosen person, the most severe first. */
function markedCells(lens: Lens, scene: DashboardScene, chosen: string | null): MarkedCell[] {
  const rows = scene.mapRows.filter((row) => isException(row) || row.id === chosen);
  rows.sort((a, b) => labelRankOf(a) - labelRankOf(b) || (a.id < b.id ? 1 : -1));
  const cells = new Map<number, MarkedCell>();
  for (const row of rows) {
    const point = pointOf(lens, row);
    if (point === null) continue;
    const role = markRankOf(row);
    const [x, y] = lens.toCell(point);
    // A helper is named too, because the person who is helped may be unable to report a position.
    const isNamed = isUrgentMark(role) || row.status === 'help' || row.id === chosen;
    const before = cells.get(placeOf(x, y));
    // One label per cell: the person with the most severe status, and the number of others who would have a label.
    const names = (before?.names ?? 0) + Number(isNamed);
    const first = isNamed && (before === undefined || labelRankOf(row) >= before.rank) ? row : before?.row;
    const isFirst = isUrgentMark(role) || row.id === chosen || before?.isFirst === true;
    cells.set(placeOf(x, y), { x, y, role, names, rank: labelRankOf(row), row: first ?? row, isFirst });
  }
  return [...cells.values()].sort((a, b) => b.rank - a.rank);
}

/** Codes beside the marks. */
function names(
  cells: readonly MarkedCell[],
  scene: DashboardScene,
  chosen: string | null,
  theme: Theme,
  label: LabelWriter,
): void {
  const codes = scene.codes(theme);
  for (const { x, y, role, names: many, row } of cells) {
    if (many === 0) continue;
    const code = codes.of(row.id);
    const name = many > 1 ? `${code}+${many - 1}` : code;
    // In ASCII, letters and digits mark people and crowds, so a blank separates them from the name.
    const text = theme.isAscii ? ` ${name} ` : name;
    const width = cellsOf(text);
    // The ring around the chosen person has a cell on each side.
    const beside = row.id === chosen ? 2 : 1;
    const options = { overCrowd: true, exactly: true } as const;
    if (!label(x + beside, y, text, role, { touches: 'left', ...options }))
      label(x + 1 - beside - width, y, text, role, { touches: 'right', ...options });
  }
}

/** People to rescue are labelled before all others. */
const labelRankOf = (row: PersonRow): number => rankOfStatus(row.status) + (isUrgentMark(markRankOf(row)) ? 100 : 0);

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

/**
 * Above or below the point; the label is whole, or the number of people alone. During a muster it is written nearby if
 * both are taken.
 */
function pointLabel(
  lens: Lens,
  scene: DashboardScene,
  { zone, ring }: PlacedZone,
  theme: Theme,
  label: LabelWriter,
): void {
  const { minX: left, maxX: right, minY: top, maxY: bottom } = bounds(ring.map(lens.toCell));
  const point = scene.active?.assembly_points.find(({ id }) => id === zone.id);
  const count = point?.count ?? 0;
  const capacity = zone.assembly_point?.capacity ?? null;
  const many = point === undefined ? '' : point.excluded === null ? String(count) : theme.glyphs.excluded;
  const role: Role =
    point?.excluded != null ? 'forbidden' : capacity !== null && count > capacity ? 'critical' : 'target';
  const options = { overCrowd: isFull(scene, zone) };
  const place = (form: string, y: number, shift = 0): boolean => {
    const text = `[${form}]`;
    const x = Math.floor((left + right) / 2) - Math.floor(cellsOf(text) / 2) + shift;
    return label(x, y, text, role, options);
  };
  const forms = [[clean(zone.name), many].filter((word) => word !== '').join(' '), many].filter((form) => form !== '');
  if (forms.some((form) => [top - 1, bottom + 1].some((y) => place(form, y))) || point === undefined) return;
  const rows = Array.from({ length: bottom - top + 5 }, (_, n) => top - 2 + n);
  forms.some((form) => NEARBY.some((shift) => rows.some((y) => place(form, y, shift))));
}

/** Cells to the side, the nearest first. */
const NEARBY = [0, 2, -2, 4, -4, 7, -7] as const;

function originLabel(lens: Lens, { active }: DashboardScene, theme: Theme, label: LabelWriter): void {
  const origin = active?.origin ?? null;
  if (origin === null) return;
  const at = lens.toCell(lens.flat.toMetres(origin));
  const name = origin.label === null ? '' : ` ${clean(origin.label)}`;
  if (!label(...at, `${theme.glyphs.origin}${name}`, 'origin')) label(...at, theme.glyphs.origin, 'origin');
}

/** Labels are whole, or not there: the beginning of a word is another word. */
function zoneLabels(lens: Lens, scene: DashboardScene, theme: Theme, label: LabelWriter): void {
  const { site } = scene;
  if (site === null) return;
  const named = new Set(pointZones(scene).map(({ zone }) => zone.id));
  for (const { zone, ring } of siteFrameOf(site).zones) {
    if (named.has(zone.id)) continue;
    const { minX: left, maxX: right, minY: top } = bounds(ring.map(lens.toCell));
    const room = right - left - 1;
    const name = [clean(zone.name), clean(zone.name.split(' ')[0] as string)].find((text) => cellsOf(text) <= room);
    if (name === undefined) continue;
    // In ASCII the outline consists of full stops, so blanks separate it from the name.
    const gap = theme.isAscii && cellsOf(name) + 2 <= room ? ' ' : '';
    const role = ZONE_ROLE[zone.type] === 'outline' ? 'dim' : ZONE_ROLE[zone.type];
    label(left + 1, top, `${gap}${name}${gap}`, role);
  }
}

/** The cells of a ring around what is chosen in the focused pane. */
function ringOf(
  lens: Lens,
  scene: DashboardScene,
  view: DashboardView,
  { glyphs }: Theme,
): readonly { readonly x: number; readonly y: number; readonly glyph: string }[] {
  const point = selectedPointOf(lens, scene, view);
  if (point === null) return [];
  const [x, y] = lens.toCell(point);
  const [before, after] = glyphs.ring;
  return [
    { x: x - 1, y, glyph: before },
    { x: x + 1, y, glyph: after },
  ];
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
