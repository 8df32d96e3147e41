/** Renders the mistakes of a file as text for its author. */
import { isPrintable } from '../base/text/printable.ts';
import { plural } from '../contract/sentences.ts';
import { type Mistake, MOST_COLLECTED } from './mistakes.ts';

/** Mistakes that are listed at once. [decisions 9, Limits of scenario files] */
export const MOST_LISTED = 100;

/** A longer source line is cut around the position of the mistake. */
const WIDEST_LINE = 160;

/**
 * The mistakes as text, each with its source line and carets below the wrong word; without a newline at the end.
 * `sourceOf` returns the whole text of a file, or undefined if there is none to show. At most a hundred are listed.
 */
export function renderMistakes(
  mistakes: readonly Mistake[],
  sourceOf: (file: string) => string | undefined,
  noun: 'mistake' | 'warning' | 'note' = 'mistake',
): string {
  const lines = new Map<string, readonly string[] | undefined>();
  for (const { file } of mistakes.slice(0, MOST_LISTED)) {
    if (!lines.has(file))
      lines.set(
        file,
        sourceOf(file)
          ?.replace(/^\ufeff/, '')
          .split(/\r?\n/),
      );
  }
  const listed = mistakes.slice(0, MOST_LISTED);
  const texts = listed.map((mistake) => rendered(mistake, lines.get(mistake.file)?.[mistake.line - 1]));
  return [...texts, ...unlisted(mistakes, noun)].join('\n');
}

/** The line with the number of mistakes that are not listed; none if all are. */
function unlisted({ length }: readonly Mistake[], noun: string): string[] {
  if (length <= MOST_LISTED) return [];
  const atLeast = noun === 'mistake' && isCutOff(length) ? 'at least ' : '';
  return [`and ${atLeast}${plural(length - MOST_LISTED, `more ${noun}`)}`];
}

/** True if reading ended at this number of mistakes, so that the total is not known. */
const isCutOff = (length: number): boolean => length >= MOST_COLLECTED;

/** `2 mistakes`, `at least 250 mistakes`. */
export const countOfMistakes = (length: number): string =>
  `${isCutOff(length) ? 'at least ' : ''}${plural(length, 'mistake')}`;

function rendered(mistake: Mistake, source: string | undefined): string {
  const head = `${mistake.file}:${mistake.line}:${mistake.column}  ${withMarks(mistake.message)}`;
  if (source === undefined) return head;
  const start = mistake.column - 1;
  const cut = source.length > WIDEST_LINE ? Math.max(0, start - WIDEST_LINE / 2) : 0;
  const shown = source.slice(cut, cut + WIDEST_LINE);
  const marked = shown.slice(start - cut, start - cut + mistake.length);
  // Tabs are kept and a surrogate pair counts as one character, which keeps the carets aligned.
  const pad = shown.slice(0, start - cut).replace(/[^\t]/gu, ' ');
  const carets = '^'.repeat(Math.max(1, [...marked].length));
  const number = String(mistake.line).padStart(5);
  const gutter = ' '.repeat(number.length);
  const instead = (mistake.instead ?? []).map((line) => `\n${gutter} + ${withMarks(line)}`).join('');
  return `${head}\n${number} | ${withMarks(shown)}\n${gutter} | ${pad}${carets}${instead}`;
}

// A file may contain escape sequences, which a terminal would execute. Each is replaced by one visible character, which
// keeps the carets aligned.
function withMarks(text: string): string {
  return [...text].map((character) => (character === '\t' || isPrintable(character) ? character : '\ufffd')).join('');
}
