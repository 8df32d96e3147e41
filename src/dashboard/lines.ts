/** Lines of a frame: spans of text, each with a role; one character takes one cell. */
import type { Role } from './theme.ts';

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

export interface TextSpan {
  readonly text: string;
  readonly role: Role;
  /** Target of a hyperlink, in terminals that support it. */
  readonly url?: string;
}
export type TextLine = readonly TextSpan[];

// Two cells wide in every terminal: they would shift the rest of the line.
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu;
const NO_CELL = /[\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Zl}\p{Zp}]/gu;

/** Untrusted text with one cell per character: escape sequences and invisible characters are dropped. */
export const clean = (text: string): string => text.normalize('NFC').replace(NO_CELL, '').replace(WIDE, '?');

/** ASCII: letters lose their accents; braille and blocks stay, since `--map` requests them; anything else is `?`. */
export const inAscii = (text: string): string =>
  [...text].map((character) => (character <= '~' ? character : plainLetter(character))).join('');

function plainLetter(character: string): string {
  const [letter = '?'] = character.normalize('NFD');
  if (letter <= '~') return letter;
  return /[\u2580-\u259f\u2800-\u28ff]/.test(character) ? character : '?';
}

/** At most `width` cells; `dots` mark a cut. */
export function cut(text: string, width: number, dots = '…'): string {
  const characters = [...text];
  if (characters.length <= width) return text;
  return width <= dots.length
    ? characters.slice(0, Math.max(0, width)).join('')
    : `${characters.slice(0, width - dots.length).join('')}${dots}`;
}

export const span = (text: string, role: Role = 'plain'): TextSpan => ({ text: clean(text), role });

/** Exactly `width` cells: cut, or padded. */
export function cell(text: string, width: number, role: Role = 'plain', dots = '…'): TextSpan {
  const shown = cut(clean(text), width, dots);
  return { text: shown + ' '.repeat(Math.max(0, width - [...shown].length)), role };
}

export const blank = (width: number, role: Role = 'plain'): TextSpan => ({
  text: ' '.repeat(Math.max(0, width)),
  role,
});

export const widthOf = (line: TextLine): number => line.reduce((sum, { text }) => sum + [...text].length, 0);

/** The first `width` cells. */
export function cutLine(line: TextLine, width: number): TextLine {
  const kept: TextSpan[] = [];
  let room = width;
  for (const piece of line) {
    const characters = [...piece.text];
    if (room <= 0) break;
    kept.push(characters.length <= room ? piece : { ...piece, text: characters.slice(0, room).join('') });
    room -= characters.length;
  }
  return kept;
}

/** Exactly `width` cells: `right` is flush right, `left` is cut before it. `fill`: the role of the blanks between. */
export function row(width: number, left: TextLine, right: TextLine = [], fill: Role = 'plain'): TextLine {
  const tail = cutLine(right, width);
  const head = cutLine(left, width - widthOf(tail));
  return [...head, blank(width - widthOf(head) - widthOf(tail), fill), ...tail];
}

/** Index of the first of `room` rows, so that the chosen one is in view. */
export function scrolled(rows: readonly { readonly id: string }[], chosenId: string | null, room: number): number {
  const chosen = rows.findIndex(({ id }) => id === chosenId);
  if (rows.length <= room || chosen < room - 1) return 0;
  return Math.min(chosen - room + 2, rows.length - room);
}
