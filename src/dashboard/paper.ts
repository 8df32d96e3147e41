/** A sheet of cells, each a character and its role: what a frame is written on, and turned into lines of text. */
import { ROLES, type Role, type Theme } from './theme.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const NUMBER = new Map(ROLES.map((role, number) => [role, number]));

// Wide in every terminal: two cells would shift all that follows.
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu;
const NO_CELL = /[\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Zl}\p{Zp}]/gu;

/** Text of others as one cell a character: nothing in it steers the terminal. */
export const clean = (text: string): string => text.normalize('NFC').replace(NO_CELL, '').replace(WIDE, '?');

/** A letter without its accent; what has no such letter, and is none of the map's dots, is `?`. */
function plain(character: string): string {
  const [letter = '?'] = character.normalize('NFD');
  if (letter <= '~') return letter;
  return /[\u2580-\u259f\u2800-\u28ff]/.test(character) ? character : '?';
}

/** At most so many cells, cut at its end with `dots`. */
export function cut(text: string, width: number, dots = '…'): string {
  const characters = [...text];
  if (characters.length <= width) return text;
  return width <= dots.length
    ? characters.slice(0, Math.max(0, width)).join('')
    : `${characters.slice(0, width - dots.length).join('')}${dots}`;
}

export class Paper {
  readonly columns: number;
  readonly rows: number;
  readonly characters: string[];
  readonly roles: Uint8Array;
  /** What a click on a cell opens, by its place. */
  readonly links = new Map<number, string>();

  constructor({ columns, rows }: Size) {
    this.columns = columns;
    this.rows = rows;
    this.characters = new Array(columns * rows).fill(' ');
    this.roles = new Uint8Array(columns * rows);
  }

  /** One cell; outside of the paper nothing happens. */
  set(x: number, y: number, character: string, role: Role): void {
    if (x < 0 || y < 0 || x >= this.columns || y >= this.rows) return;
    const place = y * this.columns + x;
    this.characters[place] = character;
    this.roles[place] = NUMBER.get(role) as number;
  }

  /** Writes from there to the right, as far as `end` (excluded); answers the column after it. */
  write(x: number, y: number, text: string, role: Role = 'plain', end: number = this.columns): number {
    let column = x;
    for (const character of clean(text)) {
      if (column >= end) break;
      this.set(column, y, character, role);
      column += 1;
    }
    return column;
  }

  /** All of a row, between two columns, in another role. */
  paint(x: number, y: number, end: number, role: Role): void {
    for (let column = x; column < end; column += 1)
      if (column >= 0 && column < this.columns && y >= 0 && y < this.rows)
        this.roles[y * this.columns + column] = NUMBER.get(role) as number;
  }

  /** Cells that lead somewhere, in terminals that know links. */
  link(x: number, y: number, end: number, url: string): void {
    if (!/^https?:\/\/[\x21-\x7e]+$/.test(url)) return;
    for (let column = x; column < Math.min(end, this.columns); column += 1)
      if (column >= 0 && y >= 0 && y < this.rows) this.links.set(y * this.columns + column, url);
  }

  isBlank(x: number, y: number): boolean {
    return this.characters[y * this.columns + x] === ' ';
  }

  /** The cells of a row from one column to another (excluded), with the SGR of the theme, and reset at its end. */
  span(y: number, from: number, to: number, { sgr, isAscii }: Theme): string {
    let text = '';
    let role = 0;
    let open = false;
    let link: string | undefined;
    for (let place = y * this.columns + from; place < y * this.columns + to; place += 1) {
      const next = this.roles[place] as number;
      if (this.links.size > 0 && this.links.get(place) !== link) {
        link = this.links.get(place);
        text += `\x1b]8;;${link ?? ''}\x1b\\`;
      }
      if (next !== role || place === y * this.columns + from) {
        const code = sgr[ROLES[next] as Role];
        if (open) text += '\x1b[0m';
        if (code !== '') text += `\x1b[${code}m`;
        open = code !== '';
        role = next;
      }
      const character = this.characters[place] as string;
      text += isAscii && character > '~' ? plain(character) : character;
    }
    if (link !== undefined) text += '\x1b]8;;\x1b\\';
    return open ? `${text}\x1b[0m` : text;
  }

  /** Every row as a line, without the blanks at its end where the theme has no colours. */
  lines(theme: Theme): string[] {
    return Array.from({ length: this.rows }, (_, y) => {
      const line = this.span(y, 0, this.columns, theme);
      return theme.name === 'mono' ? line.trimEnd() : line;
    });
  }
}
