/** What is wrong in a file and where, and how that is shown to the person who wrote it. */

import { isPrintable } from '../base/printable.ts';

/** The keys and indexes that lead to a value in a document. */
export type Path = readonly (string | number)[];

/** A stretch of one line; line and column count from 1, in UTF-16 units as editors do. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** One mistake (or warning): its place, what is wrong, and what to write instead. */
export interface Mistake extends Place {
  readonly file: string;
  readonly message: string;
  /** What mends it for certain; absent where a person has to decide. */
  readonly fix?: SuggestedFix;
  /** The lines as they would be after the fix, where the message alone does not show them. */
  readonly instead?: readonly string[];
}

/** `word`: the word `from` at the place is replaced; `beside`: the key at the place moves out of its braces, to stand beside the word before them. */
export type SuggestedFix =
  | { readonly kind: 'word'; readonly from: string; readonly to: string }
  | { readonly kind: 'beside' };

/** The word that stands for a value, or the value itself. */
export type Spot = 'key' | 'value';

/** Collects the mistakes of a reader of sections; its maker knows the file behind each path. */
export interface Report {
  mistake(path: Path, message: string, spot?: Spot, fix?: SuggestedFix): void;
  /** The file is taken nevertheless. */
  warning(path: Path, message: string, spot?: Spot): void;
  /** Whether two keys stand in one file; absent where there is one file only. */
  sameFile?(one: Path, other: Path): boolean;
}

/** A source line longer than this is cut around the place. */
const WIDEST_LINE = 160;

/** In the order of the files as they first appear, then of the lines; what is said twice of one place is said once. */
export function inOrder(mistakes: readonly Mistake[]): Mistake[] {
  const files = [...new Set(mistakes.map((mistake) => mistake.file))];
  const once = new Map(mistakes.map((mistake) => [JSON.stringify(mistake), mistake]));
  return [...once.values()].sort(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
}

/**
 * The mistakes as text, each with its source line and carets below the wrong word; without a newline at the end.
 * `sourceOf` gives the whole text of a file, or undefined where there is none to show.
 */
export function renderMistakes(mistakes: readonly Mistake[], sourceOf: (file: string) => string | undefined): string {
  const lines = new Map<string, readonly string[] | undefined>();
  for (const { file } of mistakes) {
    if (!lines.has(file))
      lines.set(
        file,
        sourceOf(file)
          ?.replace(/^\ufeff/, '')
          .split(/\r?\n/),
      );
  }
  return mistakes.map((mistake) => rendered(mistake, lines.get(mistake.file)?.[mistake.line - 1])).join('\n');
}

function rendered(mistake: Mistake, source: string | undefined): string {
  const head = `${mistake.file}:${mistake.line}:${mistake.column}  ${printable(mistake.message)}`;
  if (source === undefined) return head;
  const start = mistake.column - 1;
  const cut = source.length > WIDEST_LINE ? Math.max(0, start - WIDEST_LINE / 2) : 0;
  const shown = source.slice(cut, cut + WIDEST_LINE);
  const marked = shown.slice(start - cut, start - cut + mistake.length);
  // Tabs stay tabs and a letter of two units is one letter, so that the carets stand below it.
  const pad = shown.slice(0, start - cut).replace(/[^\t]/gu, ' ');
  const carets = '^'.repeat(Math.max(1, [...marked].length));
  const number = String(mistake.line).padStart(5);
  const gutter = ' '.repeat(number.length);
  const instead = (mistake.instead ?? []).map((line) => `\n${gutter} + ${printable(line)}`).join('');
  return `${head}\n${number} | ${printable(shown)}\n${gutter} | ${pad}${carets}${instead}`;
}

// A file may hold escape sequences, which a terminal would obey. A sign stands for each, so that the carets stay below it.
function printable(text: string): string {
  return [...text].map((character) => (character === '\t' || isPrintable(character) ? character : '\ufffd')).join('');
}
