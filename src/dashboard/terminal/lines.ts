/** Lines of a frame: spans of text, each with a role. */
import { cellsOf, clean, cut } from './cells.ts';
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

export const span = (text: string, role: Role = 'plain'): TextSpan => ({ text: clean(text), role });

/** Cuts or pads the text to exactly `width` cells. */
export function cell(text: string, width: number, role: Role = 'plain', dots = '…'): TextSpan {
  const shown = cut(clean(text), width, dots);
  return { text: shown + ' '.repeat(Math.max(0, width - cellsOf(shown))), role };
}

export const blank = (width: number, role: Role = 'plain'): TextSpan => ({
  text: ' '.repeat(Math.max(0, width)),
  role,
});

export const widthOf = (line: TextLine): number => line.reduce((sum, { text }) => sum + cellsOf(text), 0);

/** The first `width` cells. */
function cutLine(line: TextLine, width: number): TextLine {
  const kept: TextSpan[] = [];
  let room = width;
  for (const piece of line) {
    if (room <= 0) break;
    const width = cellsOf(piece.text);
    kept.push(width <= room ? piece : { ...piece, text: cut(piece.text, room, '') });
    room -= width;
  }
  return kept;
}

/**
 * Builds a row of exactly `width` cells: `right` is flush right, `left` is cut before it. `fill`: the role of the
 * blanks in between.
 */
export function row(width: number, left: TextLine, right: TextLine = [], fill: Role = 'plain'): TextLine {
  const tail = cutLine(right, width);
  const head = cutLine(left, width - widthOf(tail));
  return [...head, blank(width - widthOf(head) - widthOf(tail), fill), ...tail];
}

/** Returns the index of the first of `room` rows, so that the chosen row is visible. */
export function scrolled(rows: readonly { readonly id: string }[], chosenId: string | null, room: number): number {
  const chosen = rows.findIndex(({ id }) => id === chosenId);
  if (rows.length <= room || chosen < room - 1) return 0;
  return Math.min(chosen - room + 2, rows.length - room);
}
