/** The terminal of a dashboard: streams as Node has them, the alternate screen, the window's title and the clipboard. */
import { clean, type ScreenSize } from './lines.ts';

/** What text is written to. */
export interface TextSink {
  write(text: string): void;
}

export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

export const sizeOf = ({ stdout }: Terminal): ScreenSize => ({
  columns: stdout.columns || 80,
  rows: stdout.rows || 24,
});

// Alternate screen, no cursor, no wrapping; the title of the window is kept for later.
const ENTER = '\x1b[22;2t\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J\x1b[H';
// The title of the window comes back first, then what was on the screen.
const LEAVE = '\x1b[23;2t\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l';

/** The alternate screen while the dashboard runs, and all as it was at the end. */
export class AlternateScreen {
  readonly #sink: TextSink;
  #isEntered = false;
  #title = '';

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  enter(): void {
    if (this.#isEntered) return;
    this.#isEntered = true;
    this.#sink.write(ENTER);
  }

  /** As it was before; may be called twice, and from anywhere. */
  leave(): void {
    if (!this.#isEntered) return;
    this.#isEntered = false;
    this.#sink.write(LEAVE);
  }

  /** Of the window. */
  title(text: string): void {
    if (!this.#isEntered || text === this.#title) return;
    this.#title = text;
    this.#sink.write(`\x1b]2;${clean(text)}\x07`);
  }
}

/** Into the clipboard of the terminal, where it allows that. */
export const copyTo = (sink: TextSink, text: string): void =>
  sink.write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`);
