/** Who is missing, by risk; outside of a muster everybody, those with an open alert first. */

import { type PersonRow, spanText } from '../../watching/people.ts';
import { type Area, box, scrolled } from '../box.ts';
import { cut, type Paper } from '../paper.ts';
import { chosenOf, type Scene } from '../rows.ts';
import type { Role, Theme } from '../theme.ts';
import { blindTo, type View } from '../view.ts';

export function peoplePane(paper: Paper, area: Area, scene: Scene, view: View, theme: Theme): void {
  const { active, people } = scene;
  const missing = active === null ? '' : 'by risk';
  const filter = view.filter === '' && !view.isFiltering ? '/ filter' : `/${view.filter}${view.isFiltering ? '_' : ''}`;
  const inner = box(paper, area, theme, {
    title: `3 ${active === null ? 'People' : 'Missing'} ${people.length}`,
    hint: area.width >= 40 && missing !== '' ? `${missing}  ${filter}` : filter,
    focused: view.pane === 'people',
  });
  const { x, width } = inner;
  const end = x + width;
  if (people.length === 0) {
    const all = active !== null && view.filter === '' ? 'Everybody is safe.' : 'Nobody.';
    paper.write(
      x + 1,
      inner.y,
      blindTo(view, 'workers:read', 'positions:read') ??
        (view.filter === '' ? all : `Nobody matches "${view.filter}".`),
      all === 'Everybody is safe.' ? 'safe' : 'dim',
      end,
    );
    return;
  }
  const head = inner.height >= 12 && width >= 36 ? 1 : 0;
  if (head > 0) heading(paper, inner);
  const list = { ...inner, y: inner.y + head, height: inner.height - head };
  const rescue = people.filter(({ needsRescue }) => needsRescue).length;
  const foot = rescue > 0 && list.height > 6 ? 1 : 0;
  const chosen = chosenOf(scene, view, 'people');
  const place = people.findIndex(({ id }) => id === chosen);
  const rest = people.length > list.height - foot ? 1 : 0;
  const room = list.height - foot - rest;
  const from = scrolled(place, people.length, room);
  for (const [n, row] of people.slice(from, from + room).entries()) {
    const y = list.y + n;
    if (row.id === chosen) {
      paper.write(x, y, theme.glyphs.mark, view.pane === 'people' ? 'focus' : 'dim');
    }
    line(paper, list, y, row, scene, theme);
  }
  const below = people.length - from - room;
  if (rest > 0)
    paper.write(
      x + 3,
      list.y + room,
      below > 0
        ? `${theme.glyphs.dots} ${below} more${width >= 36 ? '  PgDn  Enter tells all' : ''}`
        : `${theme.glyphs.dots} the end of ${people.length}`,
      'dim',
      end,
    );
  if (foot > 0)
    paper.write(
      x + 1,
      list.y + list.height - 1,
      `${rescue} ${rescue === 1 ? 'needs' : 'need'} rescue${width > 34 ? ' (open SOS or fall)' : ''}`,
      'help',
      end,
    );
}

/** Over the columns of the rows. */
function heading(paper: Paper, { x, y, width }: Area): void {
  const { column, hasName } = columnsOf(x, width);
  paper.write(x + 3, y, 'ID', 'dim');
  if (hasName) paper.write(x + 12, y, 'NAME', 'dim');
  paper.write(column, y, 'STATUS', 'dim');
  paper.write(x + width - 5, y, 'SEEN', 'dim');
}

function columnsOf(x: number, width: number): { nameWidth: number; hasName: boolean; column: number } {
  const wordsWidth = Math.min(18, Math.max(13, width - 29));
  const nameWidth = width - 12 - wordsWidth - 7;
  const hasName = nameWidth >= 6;
  return { nameWidth, hasName, column: x + 12 + (hasName ? nameWidth + 1 : 0) };
}

function line(paper: Paper, inner: Area, y: number, row: PersonRow, scene: Scene, theme: Theme): void {
  const { x, width } = inner;
  const { now } = scene;
  const end = x + width;
  const { person, worker, fare, needsRescue, alert } = row;
  const isGrave = needsRescue || fare === 'help' || (fare === 'person' && alert !== null);
  const role: Role = isGrave ? 'help' : fare;
  const glyph = isGrave ? theme.glyphs.help : fare === 'person' ? theme.glyphs.safe : theme.glyphs[fare];
  paper.write(x + 1, y, glyph, role, end);
  paper.write(x + 3, y, cut(row.code, 8, theme.glyphs.dots), isGrave ? 'help' : 'bold', end);
  const seen = person.date_last_seen === null ? '-' : spanText(now - Date.parse(person.date_last_seen));
  paper.write(end - 1 - seen.length, y, seen, 'dim', end);
  const words = wordsOf(row, scene);
  const { nameWidth, hasName, column } = columnsOf(x, width);
  if (hasName)
    paper.write(x + 12, y, shortName(worker.name ?? worker.contractor ?? '', nameWidth, theme), 'plain', end);
  paper.write(
    column,
    y,
    cut(words, end - column - seen.length - 2, theme.glyphs.dots),
    role === 'person' ? 'dim' : role,
    end,
  );
}

function wordsOf({ fare, person, alert, needsRescue }: PersonRow, { site }: Scene): string {
  const rescue = needsRescue && alert !== null ? alert.type : null;
  if (fare === 'person')
    return (
      alert?.type ??
      (person.date_last_seen === null ? 'no report yet' : null) ??
      (person.in_vehicle ? 'in vehicle' : person.location_withheld ? 'veiled' : 'on site')
    );
  if (fare === 'help' && person.muster?.help_reason === 'helping') return 'helps another';
  if (fare === 'help') return `help ${person.muster?.help_reason ?? rescue ?? ''}`.trim();
  if (rescue !== null) return `${rescue} ${fare}`;
  const point = fare === 'wrong_point' ? person.muster?.assembly_point?.id : undefined;
  const at = site?.zones.find(({ id }) => id === point)?.name;
  return at === undefined ? fare : `at ${at}`;
}

/** The first name and the letter of the last; what has no room is left out. */
function shortName(name: string, width: number, { glyphs }: Theme): string {
  const [first = '', ...rest] = name.split(' ');
  const long = rest.length === 0 ? first : `${first} ${rest.at(-1)?.charAt(0)}.`;
  return [...long].length <= width ? long : cut(first, width, glyphs.dots);
}
