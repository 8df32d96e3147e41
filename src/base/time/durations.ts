/** Durations in the form that people write (`45s`, `1h30m`), and the sentence that explains a wrong one. */

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

/** The grammar as a regular expression, also for JSON Schema: the units d h m s ms in this order, each at most once. */
export const DURATION_PATTERN = '^(?=\\d)(\\d+d)?(\\d+h)?(\\d+m)?(\\d+s)?(\\d+ms)?$';

const DURATION = /^(?=\d)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/;

/** A range of durations in ms, both ends included. */
export interface DurationRange {
  readonly min: number;
  readonly max: number;
}

/** The milliseconds of `500ms`, `45s`, `2m`, `1h30m`, `24h`, `1d`; null for any other text. */
export function parseDuration(text: string): number | null {
  const numbers = DURATION.exec(text)?.slice(1);
  if (!numbers) return null;
  const ms = UNITS.reduce((sum, [, unitMs], i) => sum + Number(numbers[i] ?? 0) * unitMs, 0);
  return Number.isSafeInteger(ms) ? ms : null;
}

/** Both ends of `29s..31s` in ms; null for any other text, and if the end is before the beginning. */
export function parseRange(text: string): DurationRange | null {
  const ends = text.split('..');
  const min = parseDuration(ends[0]!);
  const max = parseDuration(ends[1] ?? '');
  return ends.length === 2 && min !== null && max !== null && min <= max ? { min, max } : null;
}

/**
 * Formats milliseconds in the same grammar, the largest units first: `1h30m`. Fractions are rounded, and a negative
 * duration has a minus.
 */
export function formatDuration(ms: number): string {
  let rest = Math.round(Math.abs(ms));
  let text = '';
  for (const [unit, unitMs] of UNITS) {
    const count = Math.floor(rest / unitMs);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * unitMs;
  }
  return text === '' ? '0s' : ms < 0 ? `-${text}` : text;
}

/** For a measured duration: `120 ms`, `5.0 s`, `12m30s`, `1d`. Only as precise as a reader needs it. */
export function roughDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const unitMs = ms < 3_600_000 ? 1_000 : 60_000;
  return formatDuration(Math.round(ms / unitMs) * unitMs);
}

/** The message for a text that is not a duration or a range: what is wrong, and what to write. */
export function explainDuration(text: string): string {
  const trimmed = text.trim();
  if (trimmed.includes('..')) return explainRange(trimmed);
  if (parseDuration(text) !== null) return `${text} is a duration.`;
  const shown = trimmed === '' ? 'An empty text' : trimmed;
  if (trimmed.startsWith('-') && parseDuration(trimmed.slice(1)) !== null) {
    return `${shown} is negative. Write ${trimmed.slice(1)}.`;
  }
  const bare = /^\d+(?:[.,]\d+)?$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : null;
  if (bare !== null) return `${shown} has no unit. Write ${bareAs(bare, 's', 1000)} or ${bareAs(bare, 'm', 60_000)}.`;
  const meant = clockMs(trimmed) ?? wordsMs(trimmed);
  if (meant === null) return `${shown} is not a duration. Write 30s, 2m or 1h30m.`;
  return `${shown} is not a duration. Write ${formatDuration(meant)}.`;
}

function explainRange(text: string): string {
  const ends = text.split('..').map((end) => end.trim());
  const [from = '', to = ''] = ends;
  if (ends.length !== 2) return `${text} is not a range. Write 29s..31s.`;
  if (ends.every((end) => /^\d+$/.test(end))) return `${text} has no unit. Write ${from}s..${to}s or ${from}m..${to}m.`;
  const wrong = ends.find((end) => parseDuration(end) === null);
  if (wrong !== undefined) return explainDuration(wrong);
  if (parseRange(`${from}..${to}`)) return `${text} is a range. Write ${from}..${to} only where a range is allowed.`;
  return `${text} ends before it begins. Write ${to}..${from}.`;
}

function bareAs(count: number, unit: string, unitMs: number): string {
  return Number.isInteger(count) ? `${count}${unit}` : formatDuration(count * unitMs);
}

/** `10:00` is minutes and seconds, `1:10:00` starts with hours. */
function clockMs(text: string): number | null {
  const parts = /^(?:(\d+):)?(\d+):(\d{2})$/.exec(text);
  if (!parts) return null;
  return safe(Number(parts[1] ?? 0) * 3_600_000 + Number(parts[2]) * 60_000 + Number(parts[3]) * 1000);
}

const WORDS: readonly [pattern: RegExp, unitMs: number][] = [
  [/^(?:d|days?)$/, 86_400_000],
  [/^(?:h|hrs?|hours?)$/, 3_600_000],
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^(?:s|secs?|seconds?)$/, 1000],
  [/^(?:ms|msecs?|millis|milliseconds?)$/, 1],
];

/** `1.5s`, `5 min`, `30s 1m`, `2 hours`, `PT5M`: numbers with units in any order and spelling. */
function wordsMs(text: string): number | null {
  const plain = text
    .toLowerCase()
    .replace(/^p(?=[\dt])/, '')
    .replace(/t(?=\d)/, '')
    .replaceAll(' and ', ' ');
  // Spaces are allowed at only one place of the repetition: two places would cause exponential backtracking.
  if (!/^\s*(?:\d+(?:[.,]\d+)?\s*[a-z]+\s*)+$/.test(plain)) return null;
  let sum = 0;
  for (const [, count, word] of plain.matchAll(/(\d+(?:[.,]\d+)?)\s*([a-z]+)/g)) {
    const unit = WORDS.find(([pattern]) => pattern.test(word!));
    if (!unit) return null;
    sum += Number(count!.replace(',', '.')) * unit[1];
  }
  return safe(sum);
}

function safe(ms: number): number | null {
  return Number.isSafeInteger(Math.round(ms)) ? ms : null;
}
