/** People on a map: a dot for each person without an exception, a mark for each exception, one mark with a number for a cluster. [spec 2 Location] */

import { type Box, isWithin, overlap } from '../../base/geometry/boxes.ts';
import { Html, html } from '../../base/text/html.ts';
import { PERSON_TERMS } from '../../contract/resources/vocabulary.ts';
import { FreeRoom } from '../drawing/labels.ts';
import {
  isException,
  isUrgentMark,
  type MarkRank,
  markRankOf,
  type PersonRow,
  type ShownStatus,
  termOfMark,
} from '../state/people.ts';
import { siteFrameOf } from '../state/site-frame.ts';
import { personTitle } from './people.ts';
import type { PanelScene } from './scene.ts';
import { deci } from './window.ts';

/** Maximum number of marks with names; more names would overlap. */
const MOST_NAMED = 40;

/** Marks closer than this form a cluster; CSS pixels. */
const TOGETHER_PX = 13;

/** Maximum number of people that a tooltip names: with thousands on a site, names are much of a page. */
const MOST_TITLED = 4;

/** The scale of the map, and the boxes that names of zones occupy. */
export interface MapScale {
  readonly window: Box;
  readonly metresPerPx: number;
  readonly taken: readonly Box[];
  /** Of these, the names that the code of somebody to rescue may cover where no other place is free, as the marks of others. */
  readonly coverable?: readonly Box[];
  /** A person who is marked regardless of the status. */
  readonly chosen: string | null;
}

/** Returns true if the mark is labelled with the person's code. */
const isNamed = (row: PersonRow): boolean =>
  markRankOf(row) !== 'helping' && (row.rescue || row.status === 'help' || row.alert?.severity === 'critical');

export const DOT_STATUSES = ['safe', 'pending', 'person'] as const satisfies readonly ShownStatus[];
type DotStatus = (typeof DOT_STATUSES)[number];

/** Dots nearer than this are one, because they would cover each other: with thousands on a site, they are much of a page. CSS pixels. */
const DOT_STEP_PX = 3;

/** One path per status, on a grid, so that people who stand together are one dot. */
export function dotsOf(
  { site, siteRows }: PanelScene,
  chosen: string | null,
  metresPerPx: number,
): Record<DotStatus, string> {
  const { flat } = siteFrameOf(site);
  const step = Math.max(1, Math.round(DOT_STEP_PX * metresPerPx));
  const cells: Record<DotStatus, Set<number>> = { safe: new Set(), pending: new Set(), person: new Set() };
  for (const row of siteRows) {
    const { location } = row.person;
    if (location === null || row.id === chosen || isException(row)) continue;
    const [x, y] = flat.toMetres(location);
    cells[row.status as DotStatus].add(Math.round(-y / step) * ROW + Math.round(x / step));
  }
  return { safe: pathOf(cells.safe, step), pending: pathOf(cells.pending, step), person: pathOf(cells.person, step) };
}

/** Cells of a row of the grid; a site is narrower. */
const ROW = 1e6;

/** A dot for each cell, each from the one before: short numbers that repeat are few bytes. In decimetres. */
function pathOf(cells: ReadonlySet<number>, step: number): string {
  const size = deci(step);
  let path = '';
  let [left, top] = [0, 0];
  for (const cell of Float64Array.from(cells).sort()) {
    const row = Math.round(cell / ROW);
    const column = cell - row * ROW;
    path += `m${(column - left) * size} ${(row - top) * size}h0`;
    [left, top] = [column, row];
  }
  return path;
}

/** A mark. Its position is separate, because it changes far more often than the rest. */
export interface MapMark {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  /** Identity without position: equal means that only the coordinates changed. */
  readonly identity: string;
  /** True for people whom no name of a place may cover. */
  readonly isUrgent: boolean;
  /** The box of its label. */
  readonly label: Box | null;
  readonly view: () => Html;
}

/** The name of a place on the map. */
export interface PlaceName {
  readonly box: Box;
  readonly view: Html;
}

/** The marks with the names of places, which cover those of people who are not urgent. A name that a label covers is left out. */
export function withNames(marks: readonly MapMark[], names: readonly PlaceName[]): MapMark[] {
  const labels = marks.flatMap(({ label }) => label ?? []);
  const shown = names.filter(({ box }) => !labels.some((label) => overlap(label, box)));
  const [key, view] = [
    'names',
    () => html`<g class="labels" data-key="names">${shown.map((one) => one.view)}</g>`,
  ] as const;
  const place = marks.findIndex(({ isUrgent }) => isUrgent);
  const below = place < 0 ? marks.length : place;
  const mark: MapMark = { key, x: 0, y: 0, identity: view().text, isUrgent: false, label: null, view };
  return [...marks.slice(0, below), mark, ...marks.slice(below)];
}

const SIDES = ['right', 'left', 'above', 'below'] as const;
type Side = (typeof SIDES)[number];

interface MarkLabel {
  readonly text: string;
  readonly side: Side;
  readonly box: Box;
}

interface MarkCluster {
  readonly x: number;
  readonly y: number;
  /** The most severe status first. */
  readonly rows: PersonRow[];
}

/** Critical alerts of people in no muster come behind those of people to rescue. */
const weightOf = (row: PersonRow, chosen: string | null): number => {
  const rank = markRankOf(row);
  return row.id === chosen ? -1 : rank === 'critical' ? PERSON_TERMS.rescue.rank + 0.5 : PERSON_TERMS[rank].rank;
};

interface Clustered {
  /** The most severe first. */
  readonly clusters: readonly MarkCluster[];
  /** The size of a glyph; metres. */
  readonly reach: number;
  /** The box of the glyph of each cluster. */
  readonly glyphs: readonly Box[];
}

/** Where marks are; `urgent`: those of people to rescue, which no name may cover. */
export function glyphsOf(
  scene: PanelScene,
  metresPerPx: number,
): { readonly all: readonly Box[]; readonly urgent: readonly Box[] } {
  const { clusters, glyphs } = clustersOf(scene, metresPerPx, null);
  return {
    all: glyphs,
    urgent: glyphs.filter((_, place) => isUrgentMark(markRankOf(clusters[place]?.rows[0] as PersonRow))),
  };
}

function clustersOf({ site, siteRows }: PanelScene, metresPerPx: number, chosen: string | null): Clustered {
  const { flat } = siteFrameOf(site);
  const rows = siteRows.filter((row) => row.person.location !== null && (row.id === chosen || isException(row)));
  rows.sort((a, b) => weightOf(a, chosen) - weightOf(b, chosen));
  const clusters: MarkCluster[] = [];
  const cells = new Map<string, MarkCluster[]>();
  const reach = TOGETHER_PX * metresPerPx;
  for (const row of rows) {
    const [east, north] = flat.toMetres(row.person.location as NonNullable<typeof row.person.location>);
    const [x, y] = [east, -north];
    const [column, line] = [Math.floor(x / reach), Math.floor(y / reach)];
    const near = [-1, 0, 1]
      .flatMap((dx) => [-1, 0, 1].flatMap((dy) => cells.get(`${column + dx} ${line + dy}`) ?? []))
      .find((other) => Math.abs(other.x - x) < reach && Math.abs(other.y - y) < reach);
    if (near !== undefined && near.rows[0]?.id !== chosen) {
      near.rows.push(row);
      continue;
    }
    const cluster = { x, y, rows: [row] };
    clusters.push(cluster);
    const cell = `${column} ${line}`;
    cells.set(cell, [...(cells.get(cell) ?? []), cluster]);
  }
  const glyphs = clusters.map(({ x, y }) => ({ x: x - reach / 2, y: y - reach / 2, width: reach, height: reach }));
  return { clusters, reach, glyphs };
}

/** The most severe marks come last, so that they are on top; each links to its most severe person. */
export function marksOf(
  scene: PanelScene,
  { window, metresPerPx, taken, coverable = [], chosen }: MapScale,
): MapMark[] {
  const { clusters, reach, glyphs } = clustersOf(scene, metresPerPx, chosen);
  const room = new FreeRoom(taken);
  const urgentRoom = new FreeRoom(taken.filter((box) => !coverable.includes(box)));
  return clusters.map((cluster, place) => markOf(cluster, place)).reverse();

  function markOf({ x, y, rows: members }: MarkCluster, place: number): MapMark {
    const first = members[0] as PersonRow;
    const rank = markRankOf(first);
    const isChosen = first.id === chosen;
    const isFirstNamed = place < MOST_NAMED && (isChosen || isNamed(first));
    const label = labelFor(labelsOf(members, isFirstNamed), { x, y }, place, isChosen, isUrgentMark(rank));
    const { text: shown, side } = label ?? { text: '', side: 'right' };
    const titled = members.slice(0, MOST_TITLED).map(personTitle).join('\n');
    const rest = members.length - MOST_TITLED;
    const title = `${titled}${rest > 0 ? `\nand ${rest} more` : ''}`;
    return {
      key: first.id,
      x: deci(x),
      y: deci(y),
      identity: `${rank} ${isChosen} ${shown} ${side} ${title}`,
      isUrgent: isChosen || isUrgentMark(rank),
      label: label?.box ?? null,
      view: () => {
        const at = html`x="${deci(x)}" y="${deci(y)}"`;
        const ring = isChosen ? html`<text class="ring" ${at}>◯</text>` : new Html('');
        const code = shown === '' ? null : html`<text class="code ${side}" ${at}>${shown}</text>`;
        return html`<a href="${scene.reader.links}/people/${first.id}" class="mark ${rank}${isChosen ? ' chosen' : ''}"><title>${title}</title><text ${at}>${termOfMark(rank).glyph}</text>${ring}${code}</a>`;
      },
    };
  }

  /**
   * Returns the longest label that has a place, or no label, because overlapping labels are unreadable. Only the chosen person
   * always has a label, in the view.
   */
  function labelFor(
    texts: readonly string[],
    at: { x: number; y: number },
    place: number,
    isChosen: boolean,
    isNeeded: boolean,
  ): MarkLabel | null {
    for (const text of texts)
      for (const among of isNeeded ? [room, urgentRoom] : [room]) {
        const found = sideFor(text, at, place, isChosen, among);
        if (found !== null) return { text, ...found };
      }
    return null;
  }

  function isUrgent(place: number): boolean {
    return isUrgentMark(markRankOf(clusters[place]?.rows[0] as PersonRow));
  }

  /** Returns null if there is no space for the label. */
  function sideFor(
    text: string,
    at: { x: number; y: number },
    place: number,
    isChosen: boolean,
    among: FreeRoom,
  ): Omit<MarkLabel, 'text'> | null {
    const [width, height] = [(text.length * 7.2 + 2) * metresPerPx, 12 * metresPerPx];
    const boxes: Record<Side, Box> = {
      right: { x: at.x + reach / 2, y: at.y - height / 2, width, height },
      left: { x: at.x - reach / 2 - width, y: at.y - height / 2, width, height },
      above: { x: at.x - width / 2, y: at.y - reach / 2 - height, width, height },
      below: { x: at.x - width / 2, y: at.y + reach / 2, width, height },
    };
    const isFree = (box: Box): boolean =>
      isWithin(box, window) &&
      among.isFree(box) &&
      !glyphs.some((other, index) => index !== place && (among === room || isUrgent(index)) && overlap(box, other));
    const side =
      SIDES.find((one) => isFree(boxes[one])) ??
      (isChosen ? (SIDES.find((one) => isWithin(boxes[one], window)) ?? 'right') : null);
    if (side === null) return null;
    room.add(boxes[side]);
    urgentRoom.add(boxes[side]);
    return { side, box: boxes[side] };
  }
}

/** Maximum number of people to rescue whose codes one mark has. */
const MOST_CODES = 3;

/**
 * From the longest: the codes of all who must be rescued, that of the first one, both with the signs of the others, because a mark
 * has the sign of its first person only; then their number. `×3`, because `3` could be a figure.
 */
function labelsOf(members: readonly PersonRow[], isFirstNamed: boolean): readonly string[] {
  const [first] = members as readonly [PersonRow];
  const rank = markRankOf(first);
  const isMixed = members.some((row) => markRankOf(row) !== rank);
  const number = members.length === 1 ? [] : [`×${members.length}`];
  if (!isFirstNamed) return isMixed ? [signsOf(members.slice(1)), ...number] : number;
  const codes = [members.filter(({ rescue }, place) => rescue || place === 0).slice(0, MOST_CODES), [first]];
  const named = codes.map((some) => [some, members.filter((row) => !some.includes(row))] as const);
  return [
    ...named.map(([some, rest]) => codesOf(some) + (rest.length === 0 ? '' : ` ${signsOf(rest)}`)),
    ...named.map(([some, { length }]) => codesOf(some) + (length === 0 ? '' : ` +${length}`)),
    ...number,
  ];
}

const codesOf = (rows: readonly PersonRow[]): string => rows.map(({ code }) => code).join(', ');

/** For example `+2△ +1◌`. */
function signsOf(rows: readonly PersonRow[]): string {
  const counts = new Map<MarkRank, number>();
  for (const row of rows) counts.set(markRankOf(row), (counts.get(markRankOf(row)) ?? 0) + 1);
  return [...counts].map(([rank, count]) => `+${count}${termOfMark(rank).glyph}`).join(' ');
}
