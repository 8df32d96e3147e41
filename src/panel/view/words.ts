/** The words and signs of the pages: status by glyph and word, so that nobody depends on colour. */
import { type Html, html } from '../../base/html.ts';
import type { Fare } from '../../watching/people.ts';

export const GLYPH: Record<Fare, string> = {
  safe: '●',
  help: '▲',
  wrong_point: '◆',
  pending: '·',
  no_signal: '○',
  not_worn: '◌',
  person: '●',
};

/** In the order of danger, safe last. */
export const FARES = ['help', 'wrong_point', 'no_signal', 'not_worn', 'pending', 'safe'] as const;

const FARE_WORD: Record<Fare, string> = {
  safe: 'safe',
  help: 'needs help',
  wrong_point: 'wrong point',
  pending: 'pending',
  no_signal: 'no signal',
  not_worn: 'not worn',
  person: 'on site',
};
export const fareWord = (fare: Fare): string => FARE_WORD[fare];

/** `forbidden_zone_entry` as people write it. */
export function inWords(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/\bsos\b/, 'SOS');
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}

export const fareSign = (fare: Fare): Html =>
  html`<span class="fare ${fare}"><i aria-hidden="true">${GLYPH[fare]}</i> ${fareWord(fare)}</span>`;

/** The time of day, UTC; the whole time stands behind it. */
export const timeOf = (iso: string | null): Html =>
  iso === null
    ? html`<span class="dim">never</span>`
    : html`<time datetime="${iso}" title="${iso}">${iso.slice(11, 19)}</time>`;

/** With the day, for what may be of another one. */
export const momentOf = (iso: string | null): Html =>
  iso === null ? html`-` : html`<time datetime="${iso}" title="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)}</time>`;

export const many = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;
