/** The content of the people pane: the people who were not safe after a muster, then the missing people, or all people of the site; and the widths of the columns. */
import type { NotSafeRow } from '../../watching/state/not-safe.ts';
import type { PersonRow, PlaceGroup } from '../../watching/state/people.ts';
import { statusWord } from '../../watching/state/people.ts';
import { dayTime } from '../../watching/state/words.ts';
import type { Codes } from '../codes.ts';
import { cellsOf } from '../terminal/cells.ts';
import type { Area } from '../terminal/layout.ts';
import { scrolled } from '../terminal/lines.ts';
import type { Role } from '../terminal/theme.ts';
import { blindTo, chosenOf, type DashboardScene, type DashboardView } from '../view.ts';

/** One row of the screen. `id`: the id of the row that a click chooses; null: none. */
export type PeopleEntry =
  | { readonly kind: 'heading'; readonly id: null }
  | { readonly kind: 'text'; readonly id: null; readonly text: string; readonly role: Role }
  | { readonly kind: 'person'; readonly id: string; readonly row: PersonRow }
  | { readonly kind: 'not-safe'; readonly id: string; readonly row: NotSafeRow }
  | { readonly kind: 'group'; readonly id: string; readonly group: PlaceGroup };

const text = (words: string, role: Role): PeopleEntry => ({ kind: 'text', id: null, text: words, role });

/** A client needs one of these scopes to see people. */
const blindToPeople = ({ active }: DashboardScene, view: DashboardView): string | null =>
  blindTo(view, 'workers:read', 'positions:read', ...(active === null ? [] : (['musters:read'] as const)));

export function peopleTitle(scene: DashboardScene, view: DashboardView): string {
  if (!scene.isKnown || blindToPeople(scene, view) !== null) return '3 People';
  return `3 ${scene.active === null ? 'People' : 'Missing'} ${scene.people.length}`;
}

export function peopleHint({ isKnown, groups }: DashboardScene, view: DashboardView): string {
  const filter = view.filter === '' && !view.isFiltering ? '/ filter' : `/${view.filter}${view.isFiltering ? '_' : ''}`;
  if (!isKnown) return '';
  return `${groups === null ? `c by ${view.order}` : 'p by place'}  ${filter}`;
}

/** Returns the rows that fit, in order; the last row has the number of the others. */
export function peopleEntries(scene: DashboardScene, view: DashboardView, room: Area, dots: string): PeopleEntry[] {
  const { people, groups, notSafe, rescue } = scene;
  const foot =
    scene.active !== null && rescue > 0 && room.height > 6 ? [text(rescueText(scene, room.width), 'rescue')] : [];
  const chosen = chosenOf(scene, view, 'people');
  const before =
    notSafe.length === 0
      ? []
      : notSafeEntries(scene, chosen, { width: room.width, height: Math.floor(room.height / 2) }, dots);
  const between = before.length === 0 ? [] : [text('At the site now:', 'dim')];
  const height = room.height - before.length - between.length - foot.length;
  const rows: readonly PeopleEntry[] =
    groups === null
      ? people.map((row) => ({ kind: 'person', id: row.id, row }))
      : groups.map((group) => ({ kind: 'group', id: group.id, group }));
  if (rows.length === 0) return [...before, ...between, emptyEntry(scene, view), ...foot];
  const head: PeopleEntry[] = height >= 8 && groups === null ? [{ kind: 'heading', id: null }] : [];
  const listed = windowOf(rows, chosen, height - head.length, room.width, dots);
  const gap = Array.from({ length: Math.max(0, height - head.length - listed.length) }, () => text('', 'plain'));
  return [...before, ...between, ...head, ...listed, ...(foot.length > 0 ? gap : []), ...foot];
}

/** Returns the rows around the chosen one, and the number of rows after them. */
function windowOf<E extends PeopleEntry>(
  rows: readonly E[],
  chosen: string | null,
  height: number,
  width: number,
  dots: string,
): PeopleEntry[] {
  if (rows.length <= height) return [...rows];
  const room = Math.max(1, height - 1);
  const from = scrolled(rows as readonly (E & { id: string })[], chosen, room);
  const below = rows.length - from - room;
  const more = below > 0 ? `${below} more${width >= 36 ? '  PgDn  Enter for details' : ''}` : `end of ${rows.length}`;
  return [...rows.slice(from, from + room), text(`${dots} ${more}`, 'dim')];
}

/** Returns at most `height` rows, including a heading. */
function notSafeEntries(
  { notSafe, muster }: DashboardScene,
  chosen: string | null,
  { width, height }: Area,
  dots: string,
): PeopleEntry[] {
  const ended = muster?.ended_at == null ? '' : ` at ${dayTime(muster.ended_at)}`;
  const when = width < 50 ? 'at the end of the muster' : `when the muster ended${ended}`;
  const head = text(`${notSafe.length} not safe ${when}`, 'critical');
  const rows = notSafe.map((row): PeopleEntry => ({ kind: 'not-safe', id: row.id, row }));
  return [head, ...windowOf(rows, chosen, Math.max(1, height - 1), 0, dots)];
}

/** The number of all people to rescue, including those whom the filter hides. */
function rescueText({ rescue, people }: DashboardScene, width: number): string {
  const hidden = rescue - people.filter((row) => row.rescue).length;
  const who = `${rescue} to rescue`;
  if (hidden > 0) return `${who}, ${hidden} not in this list`;
  return width > 50 ? `${who} (trapped, injured, SOS, fall, help)` : who;
}

function emptyEntry(scene: DashboardScene, view: DashboardView): PeopleEntry {
  const { isKnown, active } = scene;
  if (!isKnown) return text('', 'dim');
  const why = blindToPeople(scene, view);
  if (why !== null) return text(why, 'dim');
  if (view.filter !== '') return text(`Nobody matches "${view.filter}".`, 'dim');
  if (active === null) return text('Nobody.', 'dim');
  // The viewer may see fewer people than the muster counts.
  const { expected, safe } = active.totals;
  return safe === expected
    ? text('Everybody is safe.', 'safe')
    : text(`${expected - safe} are missing; this view lists none.`, 'critical');
}

/** Widths in cells, including a gap; 0: the column is omitted. */
export interface PeopleColumns {
  readonly code: number;
  readonly name: number;
  readonly words: number;
  readonly place: number;
  readonly seen: number;
}

/** Width of the mark and of the glyph with its gap. */
const FIRST = 3;
/** Smallest useful widths, including a gap. */
const LEAST_NAME = 8;
const LEAST_PLACE = 8;

/** Id, name, status and place are shown at every size; the time since the last report is shown if there is space. */
export function columnsOf(width: number, codes: Codes, people: readonly PersonRow[]): PeopleColumns {
  const code = Math.min(codes.width, Math.max(1, width - FIRST - 12)) + 1;
  const words = width < 50 ? 11 : width < 80 ? 12 : 15;
  const room = Math.max(0, width - FIRST - code - words);
  const longest = people.reduce((most, { worker }) => Math.max(most, cellsOf(nameOf(worker))), 0);
  const seen = room >= LEAST_NAME + LEAST_PLACE + 10 ? 8 : 0;
  const rest = room - seen;
  if (longest === 0) return { code, name: 0, words, place: rest, seen };
  if (rest < LEAST_NAME + LEAST_PLACE) return { code, name: rest >= LEAST_NAME ? rest : 0, words, place: 0, seen };
  const name = Math.max(LEAST_NAME, Math.min(longest + 1, Math.round(rest * 0.48)));
  return { code, name, words, place: rest - name, seen };
}

/** Returns the name, or the contractor if the contract has no names. */
export const nameOf = ({ name, contractor }: PersonRow['worker']): string => name ?? contractor ?? '';

/** Shorter words for narrow columns: the distinguishing word is never cut. */
const SHORT: Readonly<Record<string, string>> = {
  wrong_point: 'wrong_pt',
  no_signal: 'no_sig',
  not_worn: 'unworn',
  'helps another': 'helps',
};

/** The reason in at most `room` cells; outside a muster, what is known about the person. */
export function statusWords(one: PersonRow, room: number): string {
  const { status, person, rescue } = one;
  if (status === 'person') {
    if (person.reason !== null) return statusWord(one);
    const noReport = person.date_last_seen === null ? 'no report' : null;
    return noReport ?? (person.in_vehicle ? 'in vehicle' : person.location_withheld ? 'veiled' : 'on site');
  }
  const word = statusWord(one);
  // In addition to an SOS or a fall, the status in the muster is shown.
  const long = rescue && status !== 'help' ? `${word} ${status}` : word;
  if (long.length <= room) return long;
  const short = rescue && status !== 'help' ? `${word} ${SHORT[status] ?? status}` : (SHORT[word] ?? word);
  return short.length <= room ? short : (SHORT[word] ?? word);
}
