/** Updates the rows of a long list; unchanged rows are not touched. */
import { type ListedPerson, type PeopleList, restView } from '../../../watching/regions/people.ts';
import { timeOf } from '../../../watching/regions/scene.ts';
import { elementOf, morphInside } from './morph.ts';

/** A drawn row, and its two cells that change with every report. */
interface DrawnRow {
  readonly key: string;
  readonly row: Element;
  identity: string;
  place: string;
  seen: string | null;
  readonly cells: { readonly place: Element | null; readonly seen: Element | null };
}
/** Rows of each list, in order. */
const lists = new WeakMap<Element, readonly DrawnRow[]>();
const rests = new WeakMap<Element, string>();

export function updatePeople(region: Element, list: PeopleList): void {
  const title = region.querySelector('[data-title]');
  if (title !== null && title.textContent !== list.title) title.textContent = list.title;
  const rest = region.querySelector('[data-rest]');
  const { text } = restView(list);
  if (rest !== null && rests.get(rest) !== text) {
    morphInside(rest, text);
    rests.set(rest, text);
  }
  const body = region.querySelector('tbody');
  if (body !== null) updateRows(body, list.rows);
}

function updateRows(body: Element, rows: PeopleList['rows']): void {
  const before = lists.get(body) ?? [...body.children].map(adopted);
  const isSameOrder = before.length === rows.length && rows.every(({ key }, place) => before[place]?.key === key);
  const known = isSameOrder ? null : new Map(before.map((drawn) => [drawn.key, drawn]));
  const after = rows.map((listed, place) => {
    const drawn = known === null ? before[place] : known.get(listed.key);
    known?.delete(listed.key);
    return drawn === undefined ? newRow(listed) : updated(drawn, listed);
  });
  lists.set(body, after);
  if (known === null) return;
  for (const { row } of known.values()) row.remove();
  let place = body.firstElementChild;
  for (const { row } of after)
    if (row === place) place = row.nextElementSibling;
    else body.insertBefore(row, place);
}

/** A row that the server has drawn: only its key is known. */
const adopted = (row: Element): DrawnRow => ({
  key: row.getAttribute('data-key') ?? '',
  row,
  identity: '',
  place: '',
  seen: null,
  cells: cellsOf(row),
});

const cellsOf = (row: Element): DrawnRow['cells'] => ({
  place: row.querySelector('[data-place]'),
  seen: row.querySelector('[data-seen]'),
});

function newRow({ key, identity, place, seen, view }: ListedPerson): DrawnRow {
  const row = elementOf(view().text);
  return { key, row, identity, place, seen, cells: cellsOf(row) };
}

function updated(drawn: DrawnRow, { key, identity, place, seen, view }: ListedPerson): DrawnRow {
  const { row, cells } = drawn;
  if (drawn.identity !== identity) {
    morphInside(row, insideOf(view().text));
    return { key, row, identity, place, seen, cells: cellsOf(row) };
  }
  // The identity is equal, so only place and time can differ.
  if (drawn.place !== place && cells.place !== null) cells.place.textContent = place;
  if (drawn.seen !== seen && cells.seen !== null) cells.seen.innerHTML = timeOf(seen).text;
  drawn.place = place;
  drawn.seen = seen;
  return drawn;
}

const insideOf = (row: string): string => row.slice(row.indexOf('>') + 1, row.lastIndexOf('</tr>'));
