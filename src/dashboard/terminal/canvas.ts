/** A canvas for the map with dots smaller than cells: 2 x 4 dots per cell in braille, 1 x 2 in blocks, one in ASCII. */
import { cellsOf, charactersOf, clean } from './cells.ts';
import type { TextLine, TextSpan } from './lines.ts';
import type { MapMode, Role } from './theme.ts';

// Bit of each dot of a braille cell, by row and column.
const BRAILLE = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
const BLOCKS = [' ', '▀', '▄', '█'] as const;

/** Dots per cell, across and down. */
export const DOTS: Record<MapMode, readonly [number, number]> = { braille: [2, 4], block: [1, 2], ascii: [1, 1] };

export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly #mode: MapMode;
  readonly #columns: number;
  readonly #bits: Uint8Array;
  readonly #ranks: Uint8Array;
  readonly #roles: Role[];

  /** Parameters in cells; the fields `width` and `height` are in dots. */
  constructor(columns: number, rows: number, mode: MapMode) {
    const [across, down] = DOTS[mode];
    this.#mode = mode;
    this.#columns = columns;
    this.width = columns * across;
    this.height = rows * down;
    this.#bits = new Uint8Array(columns * rows);
    this.#ranks = new Uint8Array(columns * rows);
    this.#roles = new Array(columns * rows).fill('plain');
  }

  /** The dot with the highest rank in a cell determines the colour of the cell. */
  dot(x: number, y: number, role: Role, rank: number): void {
    const [column, row] = [Math.round(x), Math.round(y)];
    if (column < 0 || row < 0 || column >= this.width || row >= this.height) return;
    const [across, down] = DOTS[this.#mode];
    const place = Math.floor(row / down) * this.#columns + Math.floor(column / across);
    const bit =
      this.#mode === 'braille' ? (BRAILLE[row % 4]?.[column % 2] ?? 0) : this.#mode === 'block' ? 1 << (row % 2) : 1;
    // A person replaces the outlines in the same cell.
    if (rank > (this.#ranks[place] as number) && rank >= PERSON_RANK && (this.#ranks[place] as number) < PERSON_RANK)
      this.#bits[place] = 0;
    else if (rank < PERSON_RANK && (this.#ranks[place] as number) >= PERSON_RANK) return;
    this.#bits[place] = (this.#bits[place] as number) | bit;
    if (rank < (this.#ranks[place] as number)) return;
    this.#ranks[place] = rank;
    this.#roles[place] = role;
  }

  /** Draws a straight line, of which only every `dash`th dot is visible. */
  line(
    [x1, y1]: readonly [number, number],
    [x2, y2]: readonly [number, number],
    role: Role,
    rank: number,
    dash = 1,
  ): void {
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1))));
    if (steps > 20_000) return;
    for (let step = 0; step <= steps; step += dash)
      this.dot(x1 + ((x2 - x1) * step) / steps, y1 + ((y2 - y1) * step) / steps, role, rank);
  }

  /** Returns null for an empty cell. */
  at(column: number, row: number): { character: string; role: Role } | null {
    const place = row * this.#columns + column;
    const bits = this.#bits[place] as number;
    if (bits === 0) return null;
    const role = this.#roles[place] as Role;
    if (this.#mode === 'braille') return { character: String.fromCharCode(0x2800 + bits), role };
    if (this.#mode === 'block') return { character: BLOCKS[bits] as string, role };
    return { character: (this.#ranks[place] as number) >= PERSON_RANK ? 'o' : '.', role };
  }
}

/** Dots with at least this rank are people. */
export const PERSON_RANK = 10;

/** The cells of the map: the drawing of the canvas, with glyphs and labels over it. */
export class Grid {
  readonly width: number;
  readonly height: number;
  readonly #characters: string[];
  readonly #roles: Role[];

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#characters = new Array(width * height).fill(' ');
    this.#roles = new Array(width * height).fill('plain');
  }

  set(x: number, y: number, character: string, role: Role): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const place = y * this.width + x;
    if (character !== '') this.#split(place, x);
    this.#characters[place] = character;
    this.#roles[place] = role;
  }

  /** If one cell of a wide character is overwritten, the other cell becomes blank. */
  #split(place: number, x: number): void {
    if (this.#characters[place] === '') this.#characters[place - 1] = ' ';
    if (x + 1 < this.width && this.#characters[place + 1] === '') this.#characters[place + 1] = ' ';
  }

  write(x: number, y: number, text: string, role: Role): void {
    let column = x;
    for (const character of charactersOf(clean(text))) {
      const width = cellsOf(character);
      // A wide character also occupies the next cell.
      for (let n = 0; n < Math.max(1, width); n += 1) this.set(column + n, y, n === 0 ? character : '', role);
      column += Math.max(1, width);
    }
  }

  /** Returns each row as spans of one role; blanks get the role before them, which reduces the number of spans. */
  lines(): TextLine[] {
    return Array.from({ length: this.height }, (_, y) => this.#line(y));
  }

  #line(y: number): TextLine {
    const pieces: TextSpan[] = [];
    let [text, role]: [string, Role] = ['', 'plain'];
    for (let place = y * this.width; place < (y + 1) * this.width; place += 1) {
      const character = this.#characters[place] as string;
      const isBlank = character === ' ';
      // The role `truth` has a background, which must not extend over blanks.
      const next: Role = isBlank ? (role === 'truth' ? 'plain' : role) : (this.#roles[place] as Role);
      if (next !== role) {
        if (text !== '') pieces.push({ text, role });
        [text, role] = ['', next];
      }
      text += character;
    }
    return [...pieces, { text, role }];
  }
}
