/** The words and signs of the pages: status by glyph and word, so that nobody depends on colour. */
import { type Html, html } from '../../base/html.ts';
import { type Fare, fareWord, type PersonRow } from '../../watching/people.ts';

/** A fare, or the rank above all of them. */
export type Rank = Fare | 'rescue';

/** As on the terminal. */
export const GLYPH: Record<Rank, string> = {
  safe: '●',
  rescue: '▲',
  help: '△',
  wrong_point: '◆',
  no_signal: '○',
  not_worn: '◌',
  pending: '·',
  person: '●',
};

/** In the order of danger, safe last. */
export const FARES = ['help', 'wrong_point', 'no_signal', 'not_worn', 'pending', 'safe'] as const;

/** The order of counters, bars and legends: safe, then the order of danger. */
export const RANKS = ['safe', 'rescue', 'help', 'wrong_point', 'no_signal', 'not_worn', 'pending'] as const;

export const RANK_WORD: Record<Rank, string> = {
  safe: 'safe',
  rescue: 'need rescue',
  help: 'need help',
  wrong_point: 'wrong point',
  no_signal: 'no signal',
  not_worn: 'not worn',
  pending: 'pending',
  person: 'on site',
};

export const rankOf = ({ fare, needsRescue }: Pick<PersonRow, 'fare' | 'needsRescue'>): Rank =>
  needsRescue ? 'rescue' : fare;

/** How somebody fares, by its distinguishing word: `trapped`, `SOS`, `helps another`, `no signal`. */
export const rowWord = (row: PersonRow): string => (row.fare === 'person' ? 'on site' : plainly(fareWord(row)));

/** Without the underscores of names on the wire. */
export const plainly = (words: string): string => words.replaceAll('_', ' ');

/** Where somebody is, in words, or why that is not shown. */
export const placeWord = ({ place, person }: PersonRow): string =>
  place ?? (person.location_withheld ? 'not shown' : 'not known');

/** `forbidden_zone_entry` as people write it. */
export function inWords(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/\bsos\b/, 'SOS');
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}

export const rowSign = (row: PersonRow): Html => {
  const rank = rankOf(row);
  return html`<span class="fare ${rank}"><i aria-hidden="true">${GLYPH[rank]}</i> ${rowWord(row)}</span>`;
};

/** The time of day, UTC; the whole time stands behind it. */
export const timeOf = (iso: string | null): Html =>
  iso === null
    ? html`<span class="dim">never</span>`
    : html`<time datetime="${iso}" title="${iso}">${iso.slice(11, 19)}</time>`;

/** With the day, for what may be of another one. */
export const momentOf = (iso: string | null): Html =>
  iso === null ? html`-` : html`<time datetime="${iso}" title="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)}</time>`;

export const many = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;

/** `12 s`, `3 min`, `2 h 5 min`, `4 d`: how long ago; ms. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d`;
}

/** The browser keeps it right each second, by the attribute. */
export const ageOf = (iso: string, now: number): Html =>
  html`<span class="age" data-since="${Date.parse(iso)}">${ageText(now - Date.parse(iso))}</span>`;
