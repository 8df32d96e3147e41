/** Words and figures that the terminal dashboard and the panel share. */

/** For example `wrong point` for `wrong_point`. */
export const plainWords = (code: string): string => code.replaceAll('_', ' ');

export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** For example `forbidden zone entry` for `forbidden_zone_entry`; `sos` is an acronym. */
export const typeWords = (name: string): string => plainWords(name).replace(/\bsos\b/, 'SOS');

/** Time of day of a simulated time, UTC. */
export const dayTime = (iso: string): string => iso.slice(11, 19);

/** The age in its largest whole unit, at most 4 characters: `3s`, `37m`, `2h`, `5d`; the input is in ms. */
export function shortAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

/** For example `m:ss`, or `h:mm:ss` from one hour on; the input is in ms. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (n: number): string => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** The same with its unit, such as `1:00 min` or `1:04:05 h`, which tells minutes from hours. */
export const unitSpan = (ms: number): string => `${spanText(ms)} ${ms < 3_600_000 ? 'min' : 'h'}`;

/** The time until a deadline, or since then: `0:22 min left`, `LATE 6:26 min`; with `spanText`, for narrow screens, without the unit. */
export const deadlineText = (leftMs: number, spanOf = unitSpan): string =>
  leftMs < 0 ? `LATE ${spanOf(-leftMs)}` : `${spanOf(leftMs)} left`;
