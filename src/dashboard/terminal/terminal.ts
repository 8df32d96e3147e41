/** The terminal of a dashboard: its streams, the alternate screen, the window's title and the clipboard. */
import { clean } from './cells.ts';
import type { ScreenSize } from './lines.ts';
import { MOUSE_OFF, MOUSE_ON } from './mouse.ts';

export interface TextSink {
  write(text: string): void;
}

export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/** Stops and continues the process, as the job control of a shell does. */
export interface JobControl {
  /** Stops the process group; returns when it continues, or at once if there is no shell that could continue it. */
  readonly stop: () => void;
  /** The listener is called each time the process continues in the foreground; returns the unsubscribe function. */
  readonly onContinue: (listener: () => void) => () => void;
  /** False for a job in the background, which is stopped when it uses the terminal. */
  readonly isForeground: () => boolean;
}

export const sizeOf = ({ stdout }: Terminal): ScreenSize => ({
  columns: stdout.columns || 80,
  rows: stdout.rows || 24,
});

// Alternate screen, no cursor, no line wrapping; the window's title is pushed on the terminal's stack.
const ENTER = '\x1b[22;2t\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J\x1b[H';
// Pops the title, then restores the screen.
const LEAVE = '\x1b[23;2t\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l';

export class AlternateScreen {
  readonly #sink: TextSink;
  readonly #hasMouse: boolean;
  #isEntered = false;
  #title = '';

  constructor(sink: TextSink, { mouse = false } = {}) {
    this.#sink = sink;
    this.#hasMouse = mouse;
  }

  enter(): void {
    if (this.#isEntered) return;
    this.#isEntered = true;
    this.#sink.write(this.#hasMouse ? `${ENTER}${MOUSE_ON}` : ENTER);
    if (this.#title !== '') this.#sink.write(titleSequence(this.#title));
  }

  /** Restores the screen; idempotent. */
  leave(): void {
    if (!this.#isEntered) return;
    this.#isEntered = false;
    this.#sink.write(this.#hasMouse ? `${MOUSE_OFF}${LEAVE}` : LEAVE);
  }

  /** Sets the title of the window. */
  title(text: string): void {
    if (!this.#isEntered || text === this.#title) return;
    this.#title = text;
    this.#sink.write(titleSequence(text));
  }
}

const titleSequence = (text: string): string => `\x1b]2;${clean(text)}\x07`;

/** Writes to the terminal's clipboard (OSC 52), if the terminal allows it. */
export const copyTo = (sink: TextSink, text: string): void =>
  sink.write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`);
