/** The stream that Ink writes frames to: only the rows that changed go to the terminal, in one write. */
import { EventEmitter } from 'node:events';
import { cellsOf, charactersOf } from './cells.ts';
import type { ScreenSize } from './lines.ts';
import type { TextSink } from './terminal.ts';

// Synchronized update: terminals that support it show the frame at once; other terminals ignore it.
const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';
/** SGR and link sequences, which occupy no cell. */
const NO_CELL = /\x1b\[[0-9;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)/g;
const CLEAR = '\x1b[0m\x1b[2J';

/**
 * Ink's `debug` mode writes each frame completely, and leaves the cursor to its stream. Ink's own writers do not work
 * for a full screen: one erases every row of every frame, and the incremental writer of 6.8 is one row off and clears
 * the last column.
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
      // Ink omits trailing blanks, so the rest of the row is erased. Erasing after a full row would remove its last
      // cell.
      const isFull = cellsOf(line.replace(NO_CELL, '')) >= this.columns;
      text += `\x1b[${y + 1};1H${placed(line)}${isFull ? '' : '\x1b[K'}`;
    }
    this.#last = lines;
    if (text !== '') this.#sink.write(`${BEGIN}${text}${END}`);
    return true;
  }

  /** Drops frames until `resume`, because the shell uses the screen. */
  pause(): void {
    this.#isPaused = true;
  }

  /** After this, the next frame is written completely. */
  resume(): void {
    this.#isPaused = false;
    this.#last = null;
  }

  /** Terminals reflow text differently, so the next frame is written completely. */
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

/** Letters with marks, wide letters and emoji, whose width differs between terminals. */
const UNUSUAL = /\p{M}|\u200c|\u200d|(?![✕✸✚❚])[\u1100-\u11ff\u2600-\u27bf\u2e80-\uffef]|[\u{1f000}-\u{3ffff}]/u;
const SEQUENCE_OR_TEXT = /(\x1b\[[0-9;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\))|([^\x1b]+)/g;

/** Sets the cursor after each character whose width may differ between terminals, so that the rest of the row stays in its columns. */
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
