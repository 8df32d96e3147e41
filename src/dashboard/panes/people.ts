/** The people pane: the missing by risk or by place; outside of a muster everyone, open alerts first. */
import type { PersonRow, PlaceGroup } from '../../watching/people.ts';
import { familyName, spanText, statusWord } from '../../watching/words.ts';
import type { Area, PaneLines } from '../layout.ts';
import { blank, cell, cut, row, scrolled, span, type TextLine, type TextSpan, widthOf } from '../lines.ts';
import type { Role, Theme } from '../theme.ts';
import { blindTo, chosenOf, type DashboardScene, type DashboardView } from '../view.ts';

export function peopleLines(scene: DashboardScene, view: DashboardView, theme: Theme, room: Area): PaneLines {
  const { active, people, groups } = scene;
  const filter = view.filter === '' && !view.isFiltering ? '/ filter' : `/${view.filter}${view.isFiltering ? '_' : ''}`;
  const order = groups === null ? 'by risk' : 'by place';
  return {
    title: `3 ${active === null ? 'People' : 'Missing'} ${people.length}`,
    hint: room.width >= 38 && active !== null ? `p ${order}  ${filter}` : filter,
    lines: people.length === 0 ? [emptyLine(scene, view)] : listLines(scene, view, theme, room),
  };
}

function emptyLine({ active }: DashboardScene, view: DashboardView): TextLine {
  const all = active !== null && view.filter === '' ? 'Everybody is safe.' : 'Nobody.';
  const why = blindTo(view, 'workers:read', 'positions:read');
  const text = why ?? (view.filter === '' ? all : `Nobody matches "${view.filter}".`);
  return [blank(1), span(text, all === 'Everybody is safe.' ? 'safe' : 'dim')];
}

function listLines(scene: DashboardScene, view: DashboardView, theme: Theme, { width, height }: Area): TextLine[] {
  const { people, groups } = scene;
  const columns = columnsOf(width, scene.active !== null);
  const head = height >= 12 && width >= 33 && groups === null ? [heading(width, columns)] : [];
  const rescue = people.filter(({ rescue }) => rescue).length;
  const list = height - head.length;
  const foot = rescue > 0 && list > 6 ? 1 : 0;
  const chosen = chosenOf(scene, view, 'people');
  const mark = (id: string): TextSpan =>
    id === chosen ? span(theme.glyphs.mark, view.pane === 'people' ? 'focus' : 'dim') : blank(1);
  const all = groups ?? people;
  const rest = all.length > list - foot ? 1 : 0;
  const room = list - foot - rest;
  const from = scrolled(all, chosen, room);
  const lines: TextLine[] =
    groups === null
      ? people.slice(from, from + room).map((one) => personLine(mark(one.id), one, scene, columns, width, theme))
      : groupLines(groups.slice(from, from + room), mark, width, theme);
  if (rest > 0) lines.push(restLine(all.length, from + room, width, theme));
  const gap = Array.from({ length: Math.max(0, list - foot - lines.length) }, (): TextLine => [blank(width)]);
  const needs = `${rescue} ${rescue === 1 ? 'needs' : 'need'} rescue${width > 38 ? ' (trapped, injured, SOS, fall)' : ''}`;
  return [...head, ...lines, ...(foot > 0 ? [...gap, [blank(1), span(needs, 'rescue')]] : [])];
}

/** `Container Yard 14  2 injured, 1 trapped, 11 pending`. */
function groupLines(
  groups: readonly PlaceGroup[],
  mark: (id: string) => TextSpan,
  width: number,
  theme: Theme,
): TextLine[] {
  const longest = Math.max(...groups.map(({ place }) => [...place].length));
  const nameWidth = Math.min(longest + 1, Math.max(12, width - 26));
  return groups.map(({ id, place, rows, text, rescue }) => {
    const role: Role = rescue > 0 ? 'rescue' : 'pending';
    const name = cell(cut(place, nameWidth - 1, theme.glyphs.dots), nameWidth, rescue > 0 ? 'rescue' : 'bold');
    const left = [mark(id), name, span(`${String(rows.length).padStart(3)}  `, 'bold')];
    return [...left, span(cut(text, width - widthOf(left), theme.glyphs.dots), role)];
  });
}

function restLine(count: number, shown: number, width: number, { glyphs }: Theme): TextLine {
  const below = count - shown;
  const more = below > 0 ? `${below} more${width >= 36 ? '  PgDn  Enter tells all' : ''}` : `the end of ${count}`;
  return [blank(3), span(`${glyphs.dots} ${more}`, 'dim')];
}

/** Widths in cells; 0: omitted. */
interface Columns {
  readonly name: number;
  readonly words: number;
  readonly place: number;
  readonly seen: number;
}

/** Mark, glyph and id, each with a blank. */
const FIRST = 12;
const SEEN = 6;
/** Least useful widths. */
const LEAST_PLACE = 12;
const LEAST_NAME = 9;

/** Id, name, status, place, last seen. In a muster the place has priority over the time, and the time over the name; otherwise the name comes first. */
function columnsOf(width: number, isMuster: boolean): Columns {
  const words = isMuster ? Math.min(14, Math.max(12, width - 40)) : 14;
  const room = width - FIRST - words;
  if (isMuster && room >= LEAST_PLACE && room < LEAST_PLACE + SEEN) return { name: 0, words, place: room, seen: 0 };
  const rest = room - SEEN;
  if (rest < LEAST_NAME) return { name: 0, words: words + rest, place: 0, seen: SEEN };
  if (!isMuster || rest < LEAST_PLACE) {
    const name = Math.min(18, rest - (rest >= LEAST_NAME + LEAST_PLACE ? LEAST_PLACE : 0));
    const place = rest - name >= LEAST_PLACE ? rest - name : 0;
    return { name: place > 0 ? name : rest, words, place, seen: SEEN };
  }
  // Long names of places are more common than long names of people.
  const name = rest < LEAST_PLACE + LEAST_NAME ? 0 : Math.min(20, Math.max(LEAST_NAME, Math.floor((rest * 2) / 5)));
  return { name, words, place: rest - name, seen: SEEN };
}

function heading(width: number, { name, words, place, seen }: Columns): TextLine {
  const titles = [
    cell('ID', 9, 'dim'),
    ...(name > 0 ? [cell('NAME', name, 'dim')] : []),
    cell('STATUS', words, 'dim'),
    ...(place > 0 ? [cell('PLACE', place, 'dim')] : []),
  ];
  return row(width, [blank(3), ...titles], seen > 0 ? [span('SEEN ', 'dim')] : []);
}

function personLine(
  mark: TextSpan,
  one: PersonRow,
  scene: DashboardScene,
  columns: Columns,
  width: number,
  theme: Theme,
): TextLine {
  const { person, worker, status, rescue, alert } = one;
  const isGrave = rescue || (status === 'person' && alert !== null);
  const role: Role = isGrave ? 'rescue' : status;
  const glyph = isGrave ? theme.glyphs.rescue : status === 'person' ? theme.glyphs.safe : theme.glyphs[status];
  const seen = person.date_last_seen === null ? '-' : spanText(scene.now - Date.parse(person.date_last_seen));
  const field = (text: string, cells: number, of: Role): TextSpan[] =>
    cells === 0 ? [] : [cell(cut(text, cells - 1, theme.glyphs.dots), cells, of)];
  const left: TextSpan[] = [
    mark,
    cell(glyph, 2, role),
    cell(one.code, 8, isGrave ? 'rescue' : 'bold', theme.glyphs.dots),
    blank(1),
    ...field(worker.name === undefined ? (worker.contractor ?? '') : familyName(worker.name), columns.name, 'plain'),
    ...field(statusWords(one, columns.words - 1), columns.words, role === 'person' ? 'dim' : role),
    ...field(one.placeWords, columns.place, 'plain'),
  ];
  return row(width, left, columns.seen > 0 ? [span(`${seen} `, 'dim')] : []);
}

/** Shorter words for narrow columns: the distinguishing word is never cut. */
const SHORT: Readonly<Record<string, string>> = {
  wrong_point: 'wrong_pt',
  no_signal: 'no_sig',
  not_worn: 'unworn',
  'helps another': 'helps',
};

function statusWords(one: PersonRow, room: number): string {
  const { status, person, alert, rescue } = one;
  if (status === 'person') {
    const heard = person.date_last_seen === null ? 'no report yet' : null;
    return alert?.type ?? heard ?? (person.in_vehicle ? 'in vehicle' : person.location_withheld ? 'veiled' : 'on site');
  }
  const word = statusWord(one);
  // Beside an SOS or a fall, the status in the muster is shown too.
  const long = rescue && status !== 'help' ? `${word} ${status}` : word;
  if (long.length <= room) return long;
  const short = rescue && status !== 'help' ? `${word} ${SHORT[status] ?? status}` : (SHORT[word] ?? word);
  return short.length <= room ? short : word;
}
