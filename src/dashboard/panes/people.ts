/** The rows of the people pane: the people who were not safe after a muster, then the missing people, or all people of the site. */
import { PERSON_TERMS } from '../../contract/resources/vocabulary.ts';
import { type FoldedRow, rowAlone, whatFormsOfPerson } from '../../watching/state/happened.ts';
import type { NotSafeRow } from '../../watching/state/not-safe.ts';
import {
  isUrgentMark,
  type MarkRank,
  markRankOf,
  type PersonRow,
  type PlaceGroup,
} from '../../watching/state/people.ts';
import { capital, dayTime, shortAge } from '../../watching/state/words.ts';
import type { Codes } from '../codes.ts';
import type { PeopleOrder } from '../people-order.ts';
import { type Column, cellsFor, type PaneRow, textRow, windowOf } from '../table.ts';
import type { Area } from '../terminal/layout.ts';
import type { Role, Theme } from '../terminal/theme.ts';
import { blindTo, chosenOf, type DashboardScene, type DashboardView } from '../view.ts';

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

/** What a row says of somebody: a person of the site, helpers as one row, or somebody who was not safe. */
interface PersonLine {
  readonly id: string;
  readonly workerId: string;
  /** The code in full, for the screen reader. */
  readonly code: string;
  readonly role: Role;
  /** The sign, which the row has although the theme has no colours. */
  readonly sign: MarkRank;
  readonly what: readonly string[];
  readonly whatRole: Role;
  readonly name: string;
  readonly place: string;
  /** Hours and minutes of a position that is not recent; empty: it is recent, or there is none. */
  readonly placeAt: string;
  readonly seen: string;
  readonly spoken: string;
  /** How many people the row stands for. */
  readonly count: number;
}

interface PeopleContext {
  readonly codes: Codes;
  readonly theme: Theme;
}

type PeopleColumn = Column<PersonLine, PeopleContext> & {
  readonly title: string;
  readonly sorts: PeopleOrder | null;
};

/** In a narrow column the zone says more than the distance from it. */
export const placeForms = (place: string, at = ''): readonly string[] =>
  [place, place.replace(/^\d+ m from /, '~')].map((form) => `${form}${at}`);

/** The columns of the list; a new one is one entry here. */
const COLUMNS: readonly PeopleColumn[] = [
  { title: '', sorts: null, priority: 10, cell: ({ sign, role }, { theme }) => [theme.glyphs[sign], role, ''] },
  { title: 'WHAT', sorts: 'status', priority: 8, cell: ({ what, whatRole, spoken }) => [what, whatRole, spoken] },
  {
    title: 'ID',
    sorts: 'id',
    priority: 7,
    cell: ({ workerId, code, role, sign, count }, { codes }) =>
      count > 1 ? ['', role] : [codes.of(workerId), isUrgentMark(sign) ? role : 'bold', code],
  },
  { title: 'NAME', sorts: 'name', priority: 9, least: 8, grows: true, cell: ({ name }) => [name, 'plain'] },
  {
    title: 'PLACE',
    sorts: 'place',
    priority: 6,
    least: 8,
    grows: true,
    cell: ({ place }) => [placeForms(place), 'plain', place],
  },
  {
    title: 'SEEN',
    sorts: 'seen',
    priority: 5,
    part: 'age',
    isRight: true,
    // The time of an old position needs no column of its own, which would be empty in most rows.
    cell: ({ placeAt, seen }) => {
      const spoken = seen === '' || seen === '-' ? [] : [`seen ${seen} ago`];
      if (placeAt === '') return [seen, 'dim', spoken.join('')];
      return [[`@${placeAt} ${seen}`.trim(), `@${placeAt}`], 'dim', [`at ${placeAt}`, ...spoken].join(', ')];
    },
  },
];

/** The titles of the columns; the column by which the rows are sorted is marked. */
const heading = (order: PeopleOrder, { glyphs }: Theme): PaneRow => ({
  id: null,
  kind: 'person',
  cells: COLUMNS.map(({ cell: _, title, sorts, ...form }) => ({
    ...form,
    text: [sorts === order ? `${title}${glyphs.sorted}` : title],
    spoken: '',
    token: sorts === order ? 'bold' : 'dim',
  })),
});

const rowOf = (one: PersonLine, context: PeopleContext): PaneRow => ({
  id: one.id,
  kind: 'person',
  cells: cellsFor(COLUMNS, one, context),
});

function listedPerson({ id, item: row, count }: FoldedRow<PersonRow>, now: number, { glyphs }: Theme): PersonLine {
  const { person, worker, status, rescue, alert } = row;
  const role = markRankOf(row);
  const { date_last_seen, location, place } = person;
  const common = { id, workerId: row.id, code: row.code, role, sign: role, count };
  if (count > 1) {
    const words = `${capital(PERSON_TERMS.helping.word)} ${glyphs.by}${count}`;
    const none = { name: '', place: '', placeAt: '', seen: '' };
    return { ...common, ...none, what: [words], whatRole: role, spoken: `${count} ${PERSON_TERMS.helping.spoken}` };
  }
  const what = whatNow(row);
  return {
    ...common,
    what,
    // Outside a muster, the text is that of the open alert, so its severity gives the colour.
    whatRole: role !== 'person' || status !== 'person' ? role : (alert?.severity ?? 'dim'),
    name: nameOf(worker),
    place: row.place ?? row.placeWords,
    placeAt: place.kind === 'last_known' ? (location?.position_date_utc.slice(11, 16) ?? '') : '',
    seen: date_last_seen === null ? '-' : shortAge(now - Date.parse(date_last_seen)),
    spoken: `${what[0]}${rescue ? `, ${PERSON_TERMS.rescue.spoken}` : ''}`,
  };
}

/** What happened to the person; outside a muster without an alert, what is known about the person. */
function whatNow(row: PersonRow): readonly string[] {
  const { status, person } = row;
  if (status !== 'person' || person.reason !== null) return whatFormsOfPerson(row);
  if (person.date_last_seen === null) return ['No report'];
  return person.in_vehicle ? ['In vehicle'] : person.location_withheld ? ['Veiled'] : whatFormsOfPerson(row);
}

/** `ended`: hours and minutes of the end of the muster, which are in the heading already. */
const notSafePerson = (
  { id, workerId, worker, rank, word, place, placeAt }: NotSafeRow,
  ended: string | undefined,
): PersonLine => ({
  id,
  workerId,
  code: worker?.external_id ?? workerId.slice(0, 8),
  role: rank,
  sign: rank,
  what: [capital(word)],
  whatRole: rank,
  name: worker === null ? '' : nameOf(worker),
  place,
  placeAt: placeAt === ended ? '' : (placeAt ?? ''),
  seen: '',
  spoken: `Not safe when the muster ended: ${word}`,
  count: 1,
});

const endOf = ({ muster }: DashboardScene): string | undefined => muster?.ended_at?.slice(11, 16);

/** Returns the name, or the contractor if the contract has no names. */
const nameOf = ({ name, contractor }: PersonRow['worker']): string => name ?? contractor ?? '';

/** All rows, for the screen reader: how many there are, and each. */
export function allPeopleRows(scene: DashboardScene, view: DashboardView, theme: Theme): PaneRow[] {
  const { notSafe, people, peopleRows, active, now } = scene;
  const context = { theme, codes: scene.codes(theme) };
  return [
    ...(notSafe.length === 0 ? [] : [notSafeHeading(scene, WIDE)]),
    ...notSafe.map((row) => rowOf(notSafePerson(row, endOf(scene)), context)),
    people.length === 0 ? emptyRow(scene, view) : textRow(`${people.length} ${active === null ? 'people' : 'missing'}`),
    ...peopleRows.map((row) => rowOf(listedPerson(row, now, theme), context)),
  ];
}

/** The row of one person. `now`: simulated ms since the epoch. */
export const personRow = (item: PersonRow, now: number, context: PeopleContext): PaneRow =>
  rowOf(listedPerson(rowAlone(item), now, context.theme), context);

/** Returns the rows that fit, in order; of people that do not fit, the number. */
export function peoplePaneRows(scene: DashboardScene, view: DashboardView, room: Area, theme: Theme): PaneRow[] {
  const { groups, notSafe, rescue, peopleRows } = scene;
  const context = { theme, codes: scene.codes(theme) };
  const foot =
    scene.active !== null && rescue > 0 && room.height > 6 ? [textRow(rescueText(scene, room.width), 'rescue')] : [];
  const chosen = chosenOf(scene, view, 'people');
  const many = groups?.length ?? peopleRows.length;
  // Those who were not safe have half of the rows, and what the others leave.
  const most = Math.max(Math.floor(room.height / 2), room.height - Math.max(1, many) - 1);
  const before = notSafe.length === 0 ? [] : notSafeRows(scene, chosen, { width: room.width, height: most }, context);
  const between = before.length === 0 ? [] : [textRow('At the site now:')];
  const height = room.height - before.length - between.length - foot.length;
  if (many === 0) return [...before, ...between, emptyRow(scene, view), ...foot];
  const head = height >= 8 && groups === null ? [heading(view.order, theme)] : [];
  const { shown, more } = windowOf<FoldedRow<PersonRow> | PlaceGroup>(
    groups ?? peopleRows,
    chosen,
    height - head.length,
    (one) => ('count' in one ? one.count : 1),
  );
  const listed = shown.map((one) =>
    'item' in one ? rowOf(listedPerson(one, scene.now, theme), context) : groupRow(one),
  );
  const rest = more === null ? [] : [textRow(`${theme.glyphs.dots} ${more}${room.width >= 36 ? MORE_KEYS : ''}`)];
  return [...before, ...between, ...head, ...listed, ...rest, ...foot];
}

const MORE_KEYS = '  PgDn  Enter for details';

/** At most `height` rows, including a heading. */
function notSafeRows(
  scene: DashboardScene,
  chosen: string | null,
  { width, height }: Area,
  context: PeopleContext,
): PaneRow[] {
  const { shown, more } = windowOf(scene.notSafe, chosen, Math.max(1, height - 1));
  return [
    notSafeHeading(scene, width),
    ...shown.map((row) => rowOf(notSafePerson(row, endOf(scene)), context)),
    ...(more === null ? [] : [textRow(`${context.theme.glyphs.dots} ${more}`, 'critical')]),
  ];
}

/** From this width on the heading has the time. */
const WIDE = 50;

function notSafeHeading({ notSafe, muster }: DashboardScene, width: number): PaneRow {
  const ended = muster?.ended_at == null ? '' : ` at ${dayTime(muster.ended_at)}`;
  const when = width < WIDE ? 'at the end of the muster' : `when the muster ended${ended}`;
  return textRow(`${notSafe.length} not safe ${when}`, 'critical');
}

/** The number of people at a place, and their statuses. */
const PLACE_COLUMNS: readonly Column<PlaceGroup, null>[] = [
  { priority: 3, least: 12, grows: true, cell: ({ place, rescue }) => [place, rescue > 0 ? 'rescue' : 'bold'] },
  {
    priority: 4,
    isRight: true,
    cell: ({ rows: { length } }) => [String(length), 'bold', `${length} people`],
  },
  { priority: 2, least: 12, grows: true, cell: ({ text, rescue }) => [text, rescue > 0 ? 'rescue' : 'pending'] },
];

const groupRow = (group: PlaceGroup): PaneRow => ({
  id: group.id,
  kind: 'group',
  cells: cellsFor(PLACE_COLUMNS, group, null),
});

/** The number of all people to rescue, including those whom the filter hides. */
function rescueText({ rescue, people }: DashboardScene, width: number): string {
  const hidden = rescue - people.filter((row) => row.rescue).length;
  const who = `${rescue} ${PERSON_TERMS.rescue.word}`;
  if (hidden > 0) return `${who}, ${hidden} not in this list`;
  return width > 50 ? `${who} (trapped, injured, SOS, fall, help)` : who;
}

function emptyRow(scene: DashboardScene, view: DashboardView): PaneRow {
  const { active } = scene;
  const why = blindToPeople(scene, view);
  if (!scene.isKnown) return textRow('');
  if (why !== null) return textRow(why);
  if (view.filter !== '') return textRow(`Nobody matches "${view.filter}".`);
  if (active === null) return textRow('Nobody.');
  // The viewer may see fewer people than the muster counts.
  const { expected, safe } = active.totals;
  return safe === expected
    ? textRow('Everybody is safe.', 'safe')
    : textRow(`${expected - safe} are missing; this view lists none.`, 'critical');
}
