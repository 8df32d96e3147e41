/**
 * Lines of commands that follow a log. On a terminal none wraps inside a word, what repeats is one line, and a line that is kept
 * stays below the others until it is released. Elsewhere every line is printed once, as it comes. [cli]
 */
import { printable } from '../base/text/printable.ts';
import { presentable } from './output.ts';
import { cellsOf, keepBelow, write } from './streams.ts';

/** Indentation of a line that goes on, on a terminal. */
const HANGING = 5;

/** Maximum number of kept lines that are shown. */
const MOST_KEPT = 4;

const DEFAULT_COLUMNS = 80;

/** Where a word ends. A sign stays with the word after it. */
const WORD_END = /(?<=\S)(?=\s)(?<!(?:^|\s|\x1b\[[\d;]*m)[^\p{L}\p{N}\s\x1b](?:\x1b\[[\d;]*m)?)/u;

/** The line in rows of at most `columns` cells, broken where a column ends, then between words. A longer word has a row of its own. */
export function wordWrapped(line: string, columns: number): string[] {
  if (cellsOf(line) <= columns) return [line];
  const rows = [''];
  const put = (part: string): boolean => {
    const row = rows.at(-1) ?? '';
    if (cellsOf(row + part) > columns) return false;
    rows[rows.length - 1] = row + part;
    return true;
  };
  const putBelow = (part: string): void => {
    if (rows[0] === '') rows[0] = part;
    else rows.push(' '.repeat(HANGING) + part.trimStart());
  };
  for (const column of line.split(/(?<=\S)(?=\s{2})/)) {
    if (put(column)) continue;
    if (HANGING + cellsOf(column.trimStart()) <= columns) putBelow(column);
    else for (const word of column.split(WORD_END)) if (!put(word)) putBelow(word);
  }
  return rows;
}

/** Prints a sentence on stderr, on a terminal without a break inside a word. */
export function talkWords(text: string): void {
  const { isTTY, columns } = process.stderr;
  const line = presentable(printable(text));
  const rows = isTTY === true ? wordWrapped(line, columns || DEFAULT_COLUMNS) : [line];
  write(process.stderr, `${rows.join('\n')}\n`);
}

export class LiveLines {
  readonly #stream: NodeJS.WriteStream;
  readonly #kept = new Map<string, string>();
  /** The last lines, if they may repeat. They stay below until another line comes. */
  #last: { readonly key: string; readonly lines: readonly string[]; times: number } | null = null;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    if (this.isFolding) keepBelow(() => this.#below());
  }

  /** Whether repeats are one line, and lines are kept below the others. */
  get isFolding(): boolean {
    return this.#stream.isTTY === true && process.env['TERM'] !== 'dumb' && process.env['CI'] === undefined;
  }

  /** Prints lines. `key`: lines that follow with the same key are shown once, with their number; null: they never repeat. */
  add(lines: readonly string[], key: string | null = null): void {
    if (!this.isFolding) return this.#write(lines);
    const last = this.#last;
    if (last !== null && last.key === key) this.#last = { key, lines, times: last.times + 1 };
    else {
      const before = this.#lastLines();
      this.#last = null;
      if (before.length > 0) this.#write(before);
      if (key === null) return this.#write(lines);
      this.#last = { key, lines, times: 1 };
    }
    write(this.#stream, '');
  }

  /** Keeps one line for the key below the others. Elsewhere than on a terminal `lines` are printed instead. */
  keep(key: string, line: string, lines: readonly string[]): void {
    if (!this.isFolding) return this.#write(lines);
    this.#kept.set(key, line);
    write(this.#stream, '');
  }

  /** Ends the kept line of the key, if there is one, and prints `line` instead, as an ordinary one. */
  release(key: string, line: string): void {
    if (this.#kept.delete(key)) this.add([line]);
  }

  #lastLines(): string[] {
    if (this.#last === null) return [];
    const { lines, times } = this.#last;
    return lines.map((line, n) => (n === 0 && times > 1 ? `${line}  ×${times}` : line));
  }

  #write(lines: readonly string[]): void {
    write(this.#stream, lines.map((line) => `${this.#shown(line).join('\n')}\n`).join(''));
  }

  #shown(line: string): string[] {
    const text = presentable(printable(line));
    return this.#stream.isTTY === true ? wordWrapped(text, this.#columns) : [text];
  }

  get #columns(): number {
    return this.#stream.columns || DEFAULT_COLUMNS;
  }

  /** What stays below all other lines, each at most as wide as the terminal. */
  #below(): readonly string[] {
    const kept = [...this.#kept.values()];
    const more = kept.length - MOST_KEPT;
    const lines = [...kept.slice(0, MOST_KEPT), ...(more > 0 ? [`${' '.repeat(HANGING)}and ${more} more`] : [])];
    return [...this.#lastLines(), ...lines].flatMap((line) => this.#shown(line));
  }
}
