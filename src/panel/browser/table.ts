/** The rows of a long list: only those that are other are touched. */
import type { PeopleList } from '../view/people.ts';
import { restView } from '../view/people.ts';
import { elementOf, morphInside } from './morph.ts';

/** What stands in each row, by its element. */
const drawn = new WeakMap<Element, string>();

export function updatePeople(region: Element, list: PeopleList): void {
  const title = region.querySelector('[data-title]');
  if (title !== null && title.textContent !== list.title) title.textContent = list.title;
  const rest = region.querySelector('[data-rest]');
  if (rest !== null && drawn.get(rest) !== restView(list).text) {
    morphInside(rest, restView(list).text);
    drawn.set(rest, restView(list).text);
  }
  const body = region.querySelector('tbody');
  if (body !== null) updateRows(body, list.rows);
}

function updateRows(body: HTMLTableSectionElement, rows: PeopleList['rows']): void {
  const known = new Map([...body.children].map((row) => [row.getAttribute('data-key') ?? '', row]));
  let place = body.firstElementChild;
  for (const [key, { text }] of rows) {
    let row = known.get(key);
    known.delete(key);
    if (row === undefined) row = newRow(text, body);
    else if (drawn.get(row) !== text) morphInside(row, insideOf(text));
    drawn.set(row, text);
    if (row === place) place = row.nextElementSibling;
    else body.insertBefore(row, place);
  }
  for (const row of known.values()) row.remove();
}

const insideOf = (row: string): string => row.slice(row.indexOf('>') + 1, row.lastIndexOf('</tr>'));

const newRow = (text: string, body: Element): Element => elementOf(text, body);
