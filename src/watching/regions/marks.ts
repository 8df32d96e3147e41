/** People on a map: a dot for each person without an exception, a mark for each exception, one mark with a number for a cluster. [spec 2 Location] */
import { type Box, isWithin, overlap } from '../../base/geometry/boxes.ts';
import { Html, html } from '../../base/text/html.ts';
import { FreeRoom } from '../drawing/labels.ts';
import { isException, mapRankOf, type PersonRow, rankOf, type ShownStatus, type StatusRank } from '../state/people.ts';
import { siteFrameOf } from '../state/site-frame.ts';
import { STATUS_GLYPH } from '../state/words.ts';
import { personTitle } from './people.ts';
import { type PanelScene, RANKS } from './scene.ts';
import { deci } from './window.ts';

/** Maximum number of marks with names; more names would overlap. */
const MOST_NAMED = 40;

/** Marks closer than this form a cluster; CSS pixels. */
const TOGETHER_PX = 13;

/** Maximum number of people that a tooltip names. */
const MOST_TITLED = 12;

/** The scale of the map, and the boxes that names of zones occupy. */
export interface MapScale {
  readonly window: Box;
  readonly metresPerPx: number;
  readonly taken: readonly Box[];
  /** A person who is marked regardless of the status. */
  readonly chosen: string | null;
}

/** Returns true if the mark is labelled with the person's code. */
const isNamed = (row: PersonRow): boolean => row.rescue || row.status === 'help' || row.alert?.severity === 'critical';

export const DOT_STATUSES = ['safe', 'pending', 'person'] as const satisfies readonly ShownStatus[];
type DotStatus = (typeof DOT_STATUSES)[number];

/** One path per status, with a dot per person. */
export function dotsOf({ site, siteRows }: PanelScene, chosen: string | null): Record<DotStatus, string> {
  const { flat } = siteFrameOf(site);
  const parts: Record<DotStatus, string[]> = { safe: [], pending: [], person: [] };
  for (const row of siteRows) {
    const { location } = row.person;
    if (location === null || row.id === chosen || isException(row)) continue;
    const [x, y] = flat.toMetres(location);
    parts[row.status as DotStatus].push(`M${deci(x)} ${deci(-y)}h0`);
  }
  return { safe: parts.safe.join(''), pending: parts.pending.join(''), person: parts.person.join('') };
}

/** A mark. Its position is separate, because it changes far more often than the rest. */
export interface MapMark {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  /** Identity without position: equal means that only the coordinates changed. */
  readonly identity: string;
  readonly view: () => Html;
}

const SIDES = ['right', 'left', 'above', 'below'] as const;
type Side = (typeof SIDES)[number];

interface MarkCluster {
  readonly x: number;
  readonly y: number;
  /** The most severe status first. */
  readonly rows: PersonRow[];
}

const WEIGHT = new Map<StatusRank, number>(RANKS.map((rank, place) => [rank, rank === 'safe' ? RANKS.length : place]));
const weightOf = (row: PersonRow, chosen: string | null): number =>
  row.id === chosen
    ? -1
    : row.alert?.severity === 'critical' && row.status === 'person'
      ? 1.5
      : (WEIGHT.get(rankOf(row)) ?? RANKS.length);

/** The most severe marks come last, so that they are on top; each links to its most severe person. */
export function marksOf({ site, siteRows }: PanelScene, { window, metresPerPx, taken, chosen }: MapScale): MapMark[] {
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
  const room = new FreeRoom(taken);
  return clusters.map((cluster, place) => markOf(cluster, place)).reverse();

  function markOf({ x, y, rows: members }: MarkCluster, place: number): MapMark {
    const first = members[0] as PersonRow;
    const rank = mapRankOf(first);
    const isChosen = first.id === chosen;
    const named = place < MOST_NAMED && (isChosen || isNamed(first)) ? first.code : '';
    const text = members.length === 1 ? named : named === '' ? `${members.length}` : `${named} +${members.length - 1}`;
    const [shown, side] = labelFor(text, members.length, { x, y }, place, isChosen);
    const titled = members.slice(0, MOST_TITLED).map(personTitle).join('\n');
    const rest = members.length - MOST_TITLED;
    const title = `${titled}${rest > 0 ? `\nand ${rest} more` : ''}`;
    return {
      key: first.id,
      x: deci(x),
      y: deci(y),
      identity: `${rank} ${isChosen} ${shown} ${side} ${title}`,
      view: () => {
        const at = html`x="${deci(x)}" y="${deci(y)}"`;
        const ring = isChosen ? html`<text class="ring" ${at}>◯</text>` : new Html('');
        const label = shown === '' ? new Html('') : html`<text class="code ${side ?? 'right'}" ${at}>${shown}</text>`;
        return html`<a href="/panel/people/${first.id}" data-key="${first.id}" data-count="${members.length}" class="mark ${rank}${isChosen ? ' chosen' : ''}"><title>${title}</title><text ${at}>${STATUS_GLYPH[rank]}</text>${ring}${label}</a>`;
      },
    };
  }

  /**
   * Returns the whole label, or only the number, or no label, because overlapping labels are unreadable. Only the
   * chosen person always has a label.
   */
  function labelFor(
    text: string,
    people: number,
    at: { x: number; y: number },
    place: number,
    isChosen: boolean,
  ): readonly [text: string, side: Side | null] {
    for (const one of new Set([text, people > 1 ? `${people}` : ''])) {
      const side = one === '' ? null : sideFor(one, at, place, isChosen);
      if (side !== null) return [one, side];
    }
    return ['', null];
  }

  /** Returns null if there is no space for the label. */
  function sideFor(text: string, at: { x: number; y: number }, place: number, isChosen: boolean): Side | null {
    const [width, height] = [(text.length * 7.2 + 2) * metresPerPx, 12 * metresPerPx];
    const boxes: Record<Side, Box> = {
      right: { x: at.x + reach / 2, y: at.y - height / 2, width, height },
      left: { x: at.x - reach / 2 - width, y: at.y - height / 2, width, height },
      above: { x: at.x - width / 2, y: at.y - reach / 2 - height, width, height },
      below: { x: at.x - width / 2, y: at.y + reach / 2, width, height },
    };
    const isFree = (box: Box): boolean =>
      isWithin(box, window) &&
      room.isFree(box) &&
      !glyphs.some((other, index) => index !== place && overlap(box, other));
    const side = SIDES.find((one) => isFree(boxes[one])) ?? (isChosen ? 'right' : null);
    if (side !== null) room.take(boxes[side]);
    return side;
  }
}
