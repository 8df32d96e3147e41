/** The rows of a long list: only those that are other are touched. */
import type { PeopleList } from '../view/people.ts';
import { restView } from '../view/people.ts';
import { timeOf } from '../view/words.ts';
import { elementOf, morphInside } from './morph.ts';

interface Drawn {
  identity: string;
  place: string;
  seen: string | null;
}
const drawn = new WeakMap<Element, Drawn>();
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

function updateRows(body: HTMLTableSectionElement, rows: PeopleList['rows']): void {
  const known = new Map([...body.children].map((row) => [row.getAttribute('data-key') ?? '', row]));
  let place = body.firstElementChild;
  for (const listed of rows) {
    const { key, identity, place: at, seen } = listed;
    let row = known.get(key);
    known.delete(key);
    const before = row === undefined ? undefined : drawn.get(row);
    if (row === undefined) row = elementOf(listed.view().text);
    else if (before?.identity !== identity) morphInside(row, insideOf(listed.view().text));
    else cells(row, before, at, seen);
    drawn.set(row, { identity, place: at, seen });
    if (row === place) place = row.nextElementSibling;
    else body.insertBefore(row, place);
  }
  for (const row of known.values()) row.remove();
}

/** They walk, and are heard of: nothing else of the row is other. */
function cells(row: Element, before: Drawn, place: string, seen: string | null): void {
  if (before.place !== place) put(row, '[data-place]', place);
  if (before.seen === seen) return;
  const time = row.querySelector('[data-seen] time');
  if (time === null || seen === null) return morphInside(row.querySelector('[data-seen]') ?? row, timeOf(seen).text);
  time.setAttribute('datetime', seen);
  time.setAttribute('title', seen);
  time.textContent = seen.slice(11, 19);
}

function put(row: Element, where: string, text: string): void {
  const cell = row.querySelector(where);
  if (cell !== null) cell.textContent = text;
}

const insideOf = (row: string): string => row.slice(row.indexOf('>') + 1, row.lastIndexOf('</tr>'));
