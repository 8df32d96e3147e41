/** Who is missing, by risk or by place; outside of a muster everybody, those with an open alert first. */

import { familyName, fareWord, type PersonRow, spanText } from '../../watching/people.ts';
import { blank, cell, cut, type Line, row, type Span, scrolled, span, widthOf } from '../lines.ts';
import { chosenOf, type Scene } from '../rows.ts';
import type { Role, Theme } from '../theme.ts';
import { blindTo, type View } from '../view.ts';
import type { PaneLines, Room } from './pane-lines.ts';

export function peopleLines(scene: Scene, view: View, theme: Theme, room: Room): PaneLines {
  const { active, people, groups } = scene;
  const filter = view.filter === '' && !view.isFiltering ? '/ filter' : `/${view.filter}${view.isFiltering ? '_' : ''}`;
  const order = groups === null ? 'by risk' : 'by place';
  return {
    title: `3 ${active === null ? 'People' : 'Missing'} ${people.length}`,
    hint: room.width >= 38 && active !== null ? `p ${order}  ${filter}` : filter,
    lines: people.length === 0 ? [emptyLine(scene, view)] : listLines(scene, view, theme, room),
  };
}

function emptyLine({ active }: Scene, view: View): Line {
  const all = active !== null && view.filter === '' ? 'Everybody is safe.' : 'Nobody.';
  const why = blindTo(view, 'workers:read', 'positions:read');
  const text = why ?? (view.filter === '' ? all : `Nobody matches "${view.filter}".`);
  return [blank(1), span(text, all === 'Everybody is safe.' ? 'safe' : 'dim')];
}

function listLines(scene: Scene, view: View, theme: Theme, { width, height }: Room): Line[] {
  const { people, groups } = scene;
  const columns = columnsOf(width);
  const head = height >= 12 && width >= 33 && groups === null ? [heading(width, columns)] : [];
  const rescue = people.filter(({ needsRescue }) => needsRescue).length;
  const list = height - head.length;
  const foot = rescue > 0 && list > 6 ? 1 : 0;
  const chosen = chosenOf(scene, view, 'people');
  const mark = (id: string): Span =>
    id === chosen ? span(theme.glyphs.mark, view.pane === 'people' ? 'focus' : 'dim') : blank(1);
  const all = groups ?? people;
  const rest = all.length > list - foot ? 1 : 0;
  const room = list - foot - rest;
  const from = scrolled(
    all.findIndex(({ id }) => id === chosen),
    all.length,
    room,
  );
  const lines: Line[] =
    groups === null
      ? people.slice(from, from + room).map((one) => personLine(mark(one.id), one, scene, columns, width, theme))
      : groups.slice(from, from + room).map((group) => {
          const isGrave = group.rescue > 0;
          const count = String(group.rows.length).padStart(3);
          const name = cell(
            group.place,
            Math.min(22, Math.max(12, width - 26)),
            isGrave ? 'rescue' : 'bold',
            theme.glyphs.dots,
          );
          const left = [mark(group.id), name, span(`${count}  `, 'bold')];
          return [
            ...left,
            span(cut(group.text, width - widthOf(left), theme.glyphs.dots), isGrave ? 'rescue' : 'pending'),
          ];
        });
  if (rest > 0) lines.push(restLine(all.length, from + room, width, theme));
  const gap = Array.from({ length: Math.max(0, list - foot - lines.length) }, (): Line => [blank(width)]);
  const needs = `${rescue} ${rescue === 1 ? 'needs' : 'need'} rescue${width > 38 ? ' (trapped, injured, SOS, fall)' : ''}`;
  return [...head, ...lines, ...(foot > 0 ? [...gap, [blank(1), span(needs, 'rescue')]] : [])];
}

function restLine(count: number, shown: number, width: number, { glyphs }: Theme): Line {
  const below = count - shown;
  const more = below > 0 ? `${below} more${width >= 36 ? '  PgDn  Enter tells all' : ''}` : `the end of ${count}`;
  return [blank(3), span(`${glyphs.dots} ${more}`, 'dim')];
}

/** Cells of each column; 0: it has no room. */
interface Columns {
  readonly name: number;
  readonly words: number;
  readonly place: number;
}

/** Mark and glyph, id, name, status, place, last seen: where they are matters more than what they are called. */
function columnsOf(width: number): Columns {
  // Mark, glyph, id with a blank, and the time with one on each side.
  const rest = width - 3 - 9 - 7;
  const words = Math.min(14, Math.max(11, rest - 12));
  const place = rest - words >= 12 ? Math.min(20, rest - words - (rest - words >= 24 ? 10 : 0)) : 0;
  const left = rest - words - place;
  return { name: left >= 9 ? Math.min(16, left) : 0, words: words + (left >= 9 ? 0 : left), place };
}

/** Over the columns of the rows. */
function heading(width: number, { name, words, place }: Columns): Line {
  const titles = [
    cell('ID', 9, 'dim'),
    ...(name > 0 ? [cell('NAME', name, 'dim')] : []),
    cell('STATUS', words, 'dim'),
    ...(place > 0 ? [cell('PLACE', place, 'dim')] : []),
  ];
  return row(width, [blank(3), ...titles], [span('SEEN ', 'dim')]);
}

function personLine(mark: Span, one: PersonRow, scene: Scene, columns: Columns, width: number, theme: Theme): Line {
  const { person, worker, fare, needsRescue, alert } = one;
  const isGrave = needsRescue || (fare === 'person' && alert !== null);
  const role: Role = isGrave ? 'rescue' : fare;
  const glyph = isGrave ? theme.glyphs.rescue : fare === 'person' ? theme.glyphs.safe : theme.glyphs[fare];
  const seen = person.date_last_seen === null ? '-' : spanText(scene.now - Date.parse(person.date_last_seen));
  const field = (text: string, cells: number, of: Role): Span[] =>
    cells === 0 ? [] : [cell(cut(text, cells - 1, theme.glyphs.dots), cells, of)];
  const left: Span[] = [
    mark,
    cell(glyph, 2, role),
    cell(one.code, 8, isGrave ? 'rescue' : 'bold', theme.glyphs.dots),
    blank(1),
    ...field(worker.name === undefined ? (worker.contractor ?? '') : familyName(worker.name), columns.name, 'plain'),
    ...field(statusWords(one, columns.words - 1), columns.words, role === 'person' ? 'dim' : role),
    ...field(one.place ?? (person.location_withheld ? 'withheld' : '-'), columns.place, 'plain'),
  ];
  return row(width, left, [span(`${seen} `, 'dim')]);
}

/** Shorter words where the long ones have no room: what tells one status from another is never cut. */
const SHORT: Readonly<Record<string, string>> = {
  wrong_point: 'wrong_pt',
  no_signal: 'no_sig',
  not_worn: 'unworn',
  'helps another': 'helps',
};

function statusWords(one: PersonRow, room: number): string {
  const { fare, person, alert, needsRescue } = one;
  if (fare === 'person') {
    const heard = person.date_last_seen === null ? 'no report yet' : null;
    return alert?.type ?? heard ?? (person.in_vehicle ? 'in vehicle' : person.location_withheld ? 'veiled' : 'on site');
  }
  const word = fareWord(one);
  // Beside an SOS or a fall, how they fare in the muster says more.
  const long = needsRescue && fare !== 'help' ? `${word} ${fare}` : word;
  if (long.length <= room) return long;
  const short = needsRescue && fare !== 'help' ? `${word} ${SHORT[fare] ?? fare}` : (SHORT[word] ?? word);
  return short.length <= room ? short : word;
}
