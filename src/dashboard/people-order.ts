/** The order of the people: by risk, or by a column of the list. */
import type { PersonRow } from '../watching/state/people.ts';
import { statusWord } from '../watching/state/people.ts';

export const PEOPLE_ORDERS = ['risk', 'id', 'name', 'status', 'place', 'seen'] as const;
export type PeopleOrder = (typeof PEOPLE_ORDERS)[number];

/** `rows` are sorted by risk, and equal rows keep this order. People to rescue are first in every order. */
export function inOrder(rows: readonly PersonRow[], order: PeopleOrder): readonly PersonRow[] {
  if (order === 'risk') return rows;
  const keyed = rows.map((row) => ({ row, key: KEY[order](row) }));
  keyed.sort((a, b) => Number(b.row.rescue) - Number(a.row.rescue) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ row }) => row);
}

/** Sorts after every other text. */
const LAST = '\uffff';

const KEY: Readonly<Record<Exclude<PeopleOrder, 'risk'>, (row: PersonRow) => string>> = {
  id: ({ code }) => code,
  name: ({ worker }) => (worker.name === undefined ? LAST : plainName(worker.name)),
  status: statusWord,
  place: ({ placeWords }) => placeWords,
  // The person without a report for the longest time is first.
  seen: ({ person }) => person.date_last_seen ?? '',
};

const names = new Map<string, string>();
/** Maximum number of memoised names; more than any site has. */
const MOST_NAMES = 20_000;

/** Returns the name without accents and capitals; memoised, because each frame compares thousands of names. */
function plainName(name: string): string {
  let plain = names.get(name);
  if (plain === undefined) {
    if (names.size >= MOST_NAMES) names.clear();
    plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    names.set(name, plain);
  }
  return plain;
}
