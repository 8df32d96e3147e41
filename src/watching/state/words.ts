/** Words, symbols and figures that the terminal dashboard and the panel share. */
import type { StatusRank } from './people.ts';

export const STATUS_GLYPH: Readonly<Record<StatusRank, string>> = {
  safe: '●',
  rescue: '▲',
  help: '△',
  wrong_point: '◆',
  no_signal: '○',
  not_worn: '◌',
  pending: '·',
  person: '●',
};

/** For example `wrong point` for `wrong_point`. */
export const plainWords = (code: string): string => code.replaceAll('_', ' ');

export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** For example `forbidden zone entry` for `forbidden_zone_entry`; `sos` is an acronym. */
export const typeWords = (name: string): string => plainWords(name).replace(/\bsos\b/, 'SOS');

/** Time of day of a simulated time, UTC. */
export const dayTime = (iso: string): string => iso.slice(11, 19);

/** For example `m:ss`, or `h:mm:ss` from one hour on; the input is in ms. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (n: number): string => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
