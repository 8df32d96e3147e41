/** Who is missing, by risk; outside of a muster everybody, those with an open alert first. */

import { type PersonRow, spanText } from '../../watching/people.ts';
import { blank, cell, cut, type Line, row, type Span, scrolled, span, widthOf } from '../lines.ts';
import { chosenOf, type Scene } from '../rows.ts';
import type { Role, Theme } from '../theme.ts';
import { blindTo, type View } from '../view.ts';
import type { PaneLines, Room } from './pane-lines.ts';

export function peopleLines(scene: Scene, view: View, theme: Theme, room: Room): PaneLines {
  const { active, people } = scene;
  const filter = view.filter === '' && !view.isFiltering ? '/ filter' : `/${view.filter}${view.isFiltering ? '_' : ''}`;
  return {
    title: `3 ${active === null ? 'People' : 'Missing'} ${people.length}`,
    hint: room.width >= 38 && active !== null ? `by risk  ${filter}` : filter,
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
  const { people } = scene;
  const head = height >= 12 && width >= 36 ? [heading(width)] : [];
  const rescue = people.filter(({ needsRescue }) => needsRescue).length;
  const list = height - head.length;
  const foot = rescue > 0 && list > 6 ? 1 : 0;
  const chosen = chosenOf(scene, view, 'people');
  const place = people.findIndex(({ id }) => id === chosen);
  const rest = people.length > list - foot ? 1 : 0;
  const room = list - foot - rest;
  const from = scrolled(place, people.length, room);
  const shown = people.slice(from, from + room);
  const lines = shown.map((one) => {
    const mark = one.id === chosen ? span(theme.glyphs.mark, view.pane === 'people' ? 'focus' : 'dim') : blank(1);
    return personLine(mark, one, scene, width, theme);
  });
  const below = people.length - from - room;
  const more =
    below > 0
      ? `${theme.glyphs.dots} ${below} more${width >= 36 ? '  PgDn  Enter tells all' : ''}`
      : `${theme.glyphs.dots} the end of ${people.length}`;
  if (rest > 0) lines.push([blank(3), span(more, 'dim')]);
  const gap = Array.from({ length: Math.max(0, list - foot - lines.length) }, (): Line => [blank(width)]);
  const needs = `${rescue} ${rescue === 1 ? 'needs' : 'need'} rescue${width > 34 ? ' (open SOS or fall)' : ''}`;
  return [...head, ...lines, ...(foot > 0 ? [...gap, [blank(1), span(needs, 'help')]] : [])];
}

/** Over the columns of the rows. */
function heading(width: number): Line {
  const { nameWidth, hasName } = columnsOf(width);
  const name = hasName ? [cell('NAME', nameWidth + 1, 'dim')] : [];
  return row(width, [blank(3), cell('ID', 9, 'dim'), ...name, span('STATUS', 'dim')], [span('SEEN ', 'dim')]);
}

/** Mark, glyph, id, name, status, last seen: how wide the name is, and whether it has room. */
function columnsOf(width: number): { readonly nameWidth: number; readonly hasName: boolean } {
  const wordsWidth = Math.min(18, Math.max(13, width - 29));
  const nameWidth = width - 12 - wordsWidth - 7;
  return { nameWidth, hasName: nameWidth >= 6 };
}

function personLine(mark: Span, one: PersonRow, scene: Scene, width: number, theme: Theme): Line {
  const { person, worker, fare, needsRescue, alert } = one;
  const isGrave = needsRescue || fare === 'help' || (fare === 'person' && alert !== null);
  const role: Role = isGrave ? 'help' : fare;
  const glyph = isGrave ? theme.glyphs.help : fare === 'person' ? theme.glyphs.safe : theme.glyphs[fare];
  const seen = person.date_last_seen === null ? '-' : spanText(scene.now - Date.parse(person.date_last_seen));
  const { nameWidth, hasName } = columnsOf(width);
  const name = shortName(worker.name ?? worker.contractor ?? '', nameWidth, theme);
  const left: Span[] = [
    mark,
    cell(glyph, 2, role),
    cell(one.code, 8, isGrave ? 'help' : 'bold', theme.glyphs.dots),
    blank(1),
    ...(hasName ? [cell(name, nameWidth + 1)] : []),
  ];
  const words = cut(wordsOf(one, scene), width - widthOf(left) - seen.length - 2, theme.glyphs.dots);
  return row(width, [...left, span(words, role === 'person' ? 'dim' : role)], [span(`${seen} `, 'dim')]);
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
