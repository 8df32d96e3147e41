/** Updates the rows of a long list; unchanged rows are not touched, and in a held list no row moves or leaves. */
import { Html } from '../../base/text/html.ts';
import { type ListedPerson, type PeopleList, restView } from '../regions/people.ts';
import { many, timeOf } from '../regions/scene.ts';
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
interface DrawnList {
  /** In order. */
  readonly rows: readonly DrawnRow[];
  /** The people of the list when it was last ordered, also those beyond its rows. */
  readonly ids: ReadonlySet<string>;
}
const lists = new WeakMap<Element, DrawnList>();
const rests = new WeakMap<Element, string>();

export function updatePeople(region: Element, list: PeopleList, isHeld: boolean): void {
  const title = region.querySelector('[data-title]');
  if (title !== null && title.textContent !== list.title) title.textContent = list.title;
  const rest = region.querySelector('[data-rest]');
  const { text } = restView(list);
  if (rest !== null && rests.get(rest) !== text) {
    morphInside(rest, text);
    rests.set(rest, text);
  }
  const body = region.querySelector('tbody');
  if (body === null) return;
  const before = lists.get(body) ?? { rows: [...body.children].map(adopted), ids: new Set(list.ids) };
  const focused = before.rows.findIndex(({ row }) => row.contains(document.activeElement));
  const rows = updateRows(body, before.rows, isHeld ? heldRows(before.rows, list) : list.rows);
  // A row has no button once its worker is safe. Without this, the keyboard focus would move to the top of the page.
  if (focused >= 0 && !body.contains(document.activeElement))
    rows[Math.min(focused, rows.length - 1)]?.row.querySelector<HTMLElement>('th a')?.focus({ preventScroll: true });
  lists.set(body, { rows, ids: isHeld ? before.ids : new Set(list.ids) });
  showFresh(region, isHeld ? list.ids.filter((id) => !before.ids.has(id)).length : 0);
}

/** The rows that are shown now, in their order, as they would be drawn now. */
function heldRows(before: readonly DrawnRow[], list: PeopleList): readonly ListedPerson[] {
  const known = new Map(list.rows.map((listed) => [listed.key, listed]));
  return before.map(
    ({ key, row, identity, place, seen }) =>
      known.get(key) ?? list.former(key) ?? { key, identity, place, seen, view: () => new Html(row.outerHTML) },
  );
}

/** Says above a held list how many people are not in its rows yet. */
function showFresh(region: Element, people: number): void {
  const [text, button] = [region.querySelector('[data-fresh]'), region.querySelector<HTMLElement>('[data-show]')];
  const words = people === 0 ? '' : many(people, 'new person', 'new people');
  if (text !== null && text.textContent !== words) text.textContent = words;
  if (button !== null) button.hidden = people === 0;
}

function updateRows(body: Element, before: readonly DrawnRow[], rows: PeopleList['rows']): readonly DrawnRow[] {
  const isSameOrder = before.length === rows.length && rows.every(({ key }, place) => before[place]?.key === key);
  const known = isSameOrder ? null : new Map(before.map((drawn) => [drawn.key, drawn]));
  const after = rows.map((listed, place) => {
    const drawn = known === null ? before[place] : known.get(listed.key);
    known?.delete(listed.key);
    return drawn === undefined ? newRow(listed) : updated(drawn, listed);
  });
  if (known === null) return after;
  for (const { row } of known.values()) row.remove();
  let place = body.firstElementChild;
  for (const { row } of after)
    if (row === place) place = row.nextElementSibling;
    else body.insertBefore(row, place);
  return after;
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
    const { text } = view();
    morphInside(row, insideOf(text));
    row.className = /^<tr[^>]* class="([^"]*)"/.exec(text)?.[1] ?? '';
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
