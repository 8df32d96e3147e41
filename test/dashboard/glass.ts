/** An emulated terminal: output becomes cells with colours. */
import xterm from '@xterm/headless';

type Xterm = InstanceType<typeof xterm.Terminal>;

export interface Cell {
  readonly character: string;
  /** Null: the terminal's default. */
  readonly colour: number | null;
  readonly background: number | null;
  readonly isBold: boolean;
  readonly isInverse: boolean;
}

export class Glass {
  readonly #terminal: Xterm;
  readonly titles: string[] = [];

  constructor(columns = 120, rows = 40) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true });
    this.#terminal.onTitleChange((title) => this.titles.push(title));
  }

  /** Resolves when it is in view. */
  write(text: string): Promise<void> {
    return new Promise((done) => this.#terminal.write(text, done));
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  get size(): { readonly columns: number; readonly rows: number } {
    return { columns: this.#terminal.cols, rows: this.#terminal.rows };
  }

  get lines(): string[] {
    const { active } = this.#terminal.buffer;
    return Array.from(
      { length: this.#terminal.rows },
      (_, y) => active.getLine(active.viewportY + y)?.translateToString(true) ?? '',
    );
  }

  get text(): string {
    return this.lines.join('\n');
  }

  cell(x: number, y: number): Cell {
    const { active } = this.#terminal.buffer;
    const cell = active.getLine(active.viewportY + y)?.getCell(x);
    if (cell === undefined) throw new Error(`no cell at ${x}, ${y}`);
    return {
      character: cell.getChars(),
      colour: cell.isFgDefault() ? null : cell.getFgColor(),
      background: cell.isBgDefault() ? null : cell.getBgColor(),
      isBold: cell.isBold() !== 0,
      isInverse: cell.isInverse() !== 0,
    };
  }

  /** All cells, row by row. */
  get cells(): Cell[] {
    return this.lines.flatMap((_, y) => Array.from({ length: this.#terminal.cols }, (__, x) => this.cell(x, y)));
  }

  /** Position of the text. */
  find(text: string): { x: number; y: number } {
    const y = this.lines.findIndex((line) => line.includes(text));
    if (y < 0) throw new Error(`"${text}" is not on the screen`);
    return { x: [...(this.lines[y] as string).split(text)[0]!].length, y };
  }

  get isAlternate(): boolean {
    return this.#terminal.buffer.active.type === 'alternate';
  }

  get wraps(): boolean {
    return this.#terminal.modes.wraparoundMode;
  }
}
