/** The stream that Ink writes frames to: only the rows that changed go to the terminal, in one write. */
import { EventEmitter } from 'node:events';
import { cellsOf, charactersOf } from './cells.ts';
import type { ScreenSize } from './lines.ts';
import type { TextSink } from './terminal.ts';

// Synchronized update: terminals that support it show the frame at once; the others ignore it.
const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';
/** SGR and link sequences take no cell. */
const NO_CELL = /\x1b\[[0-9;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)/g;
const CLEAR = '\x1b[0m\x1b[2J';

/**
 * Ink's `debug` mode writes each frame whole and leaves the cursor to its stream. Its own writers do not fit a full screen:
 * one erases every row of every frame, and the incremental one of 6.8 is a row off and clears the last column.
 */
export class FrameOutput extends EventEmitter {
  columns: number;
  rows: number;
  readonly isTTY = true;
  readonly #sink: TextSink;
  #last: readonly string[] | null = null;
  #isEnded = false;
  #isPaused = false;

  constructor(sink: TextSink, { columns, rows }: ScreenSize) {
    super();
    this.#sink = sink;
    this.columns = columns;
    this.rows = rows;
  }

  write(frame: string): boolean {
    if (this.#isEnded || this.#isPaused) return true;
    const lines = frame.split('\n').slice(0, this.rows);
    const last = this.#last;
    let text = last === null ? CLEAR : '';
    for (let y = 0; y < this.rows; y += 1) {
      const line = lines[y] ?? '';
      if (last !== null && line === last[y]) continue;
      // Ink omits trailing blanks. Erasing after a full row would take its last cell.
      const isFull = cellsOf(line.replace(NO_CELL, '')) >= this.columns;
      text += `\x1b[${y + 1};1H${placed(line)}${isFull ? '' : '\x1b[K'}`;
    }
    this.#last = lines;
    if (text !== '') this.#sink.write(`${BEGIN}${text}${END}`);
    return true;
  }

  /** Drops frames until `resume`: the screen belongs to the shell. */
  pause(): void {
    this.#isPaused = true;
  }

  /** The next frame is written whole. */
  resume(): void {
    this.#isPaused = false;
    this.#last = null;
  }

  /** Terminals reflow differently, so the next frame is written whole. */
  resize({ columns, rows }: ScreenSize): void {
    this.columns = columns;
    this.rows = rows;
    this.#last = null;
    this.emit('resize');
  }

  /** Drops later writes. */
  end(): void {
    this.#isEnded = true;
  }
}

/** Letters with marks, wide letters and emoji: terminals differ in their width. */
const UNUSUAL = /\p{M}|\u200c|\u200d|(?![✕✸✚❚])[\u1100-\u11ff\u2600-\u27bf\u2e80-\uffef]|[\u{1f000}-\u{3ffff}]/u;
const SEQUENCE_OR_TEXT = /(\x1b\[[0-9;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\))|([^\x1b]+)/g;

/** After each character whose width a terminal may see differently, the cursor is set, so that the rest of the row stays in its columns. */
function placed(line: string): string {
  if (!UNUSUAL.test(line)) return line;
  let column = 0;
  return line.replace(SEQUENCE_OR_TEXT, (_, sequence: string | undefined, text: string | undefined) => {
    if (sequence !== undefined || text === undefined) return sequence ?? '';
    return charactersOf(text)
      .map((character) => {
        column += cellsOf(character);
        return UNUSUAL.test(character) ? `${character}\x1b[${column + 1}G` : character;
      })
      .join('');
  });
}
