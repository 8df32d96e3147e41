/** The terminal: its alternate screen while the dashboard runs, only cells that changed, one write a frame, and all as it was at the end. */
import { clean, type Paper, type Size } from './paper.ts';
import type { Theme } from './theme.ts';

/** What is written to; a terminal, or what a test puts there. */
export interface Sink {
  write(text: string): void;
}

// Alternate screen, no cursor, no wrapping: the last cell of the last row must not scroll.
const ENTER = '\x1b[22;2t\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J';
// The title of the window comes back first, then what was on the screen.
const LEAVE = '\x1b[23;2t\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l';
// Terminals that know it show a frame as a whole; the others ignore it.
const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';

export class Screen {
  readonly #sink: Sink;
  #last: { readonly paper: Paper; readonly theme: Theme } | null = null;
  #isEntered = false;
  #title = '';

  constructor(sink: Sink) {
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
    this.#last = null;
    this.#sink.write(LEAVE);
  }

  /** The title of the window. */
  title(text: string): void {
    if (!this.#isEntered || text === this.#title) return;
    this.#title = text;
    this.#sink.write(`\x1b]2;${clean(text)}\x07`);
  }

  /** Into the clipboard of the terminal, where it allows that. */
  copy(text: string): void {
    this.#sink.write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`);
  }

  /** The next frame is written whole. */
  forget(): void {
    this.#last = null;
  }

  /** Shows a frame; answers the characters that it took, 0 where nothing changed. */
  paint(paper: Paper, theme: Theme): number {
    const last = this.#last;
    const isSame = last !== null && last.theme === theme && sameSize(last.paper, paper);
    let text = isSame ? '' : '\x1b[0m\x1b[2J';
    for (let y = 0; y < paper.rows; y += 1)
      text += isSame ? changed(last.paper, paper, y, theme) : line(paper, y, 0, paper.columns, theme);
    this.#last = { paper, theme };
    if (text === '') return 0;
    const whole = `${BEGIN}${text}${END}`;
    this.#sink.write(whole);
    return whole.length;
  }
}

const sameSize = (a: Size, b: Size): boolean => a.columns === b.columns && a.rows === b.rows;

const line = (paper: Paper, y: number, from: number, to: number, theme: Theme): string =>
  `\x1b[${y + 1};${from + 1}H${paper.span(y, from, to, theme)}`;

/** Cells between two changes that are cheaper to write again than to jump over. */
const GAP = 12;

/** What changed in a row, piece by piece. */
function changed(before: Paper, after: Paper, y: number, theme: Theme): string {
  const { columns } = after;
  const hasLinks = before.links.size > 0 || after.links.size > 0;
  let text = '';
  let from = -1;
  let to = -1;
  for (let x = 0; x < columns; x += 1) {
    const place = y * columns + x;
    if (
      before.characters[place] === after.characters[place] &&
      before.roles[place] === after.roles[place] &&
      (!hasLinks || before.links.get(place) === after.links.get(place))
    )
      continue;
    if (from >= 0 && x - to > GAP) {
      text += line(after, y, from, to, theme);
      from = -1;
    }
    if (from < 0) from = x;
    to = x + 1;
  }
  return from < 0 ? text : text + line(after, y, from, to, theme);
}
