/** What is written to a terminal: only what changed, and together the whole frame. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cast } from '../../src/dashboard/cast.ts';
import { Paper } from '../../src/dashboard/paper.ts';
import { Screen } from '../../src/dashboard/screen.ts';
import { ROLES, theme } from '../../src/dashboard/theme.ts';

const dark = theme('dark');
const SIZE = { columns: 40, rows: 6 };

/** A terminal that knows the few sequences that are written: each cell with its colours. */
class Glass {
  cells: string[] = [];
  modes = new Set<string>();
  writes = 0;
  readonly #columns: number;

  constructor(columns: number) {
    this.#columns = columns;
  }

  write(text: string): void {
    this.writes += 1;
    let [place, sgr] = [0, ''];
    for (const [part] of text.matchAll(/\x1b\[[?0-9;]*[A-Za-z]|[^\x1b]/gu)) {
      const sequence = /^\x1b\[(.*)([A-Za-z])$/u.exec(part);
      const [, given = '', kind] = sequence ?? [];
      if (sequence === null) this.cells[place++] = `${sgr} ${part}`;
      else if (kind === 'm') sgr = given === '0' ? '' : given;
      else if (kind === 'J') this.cells = [];
      else if (kind === 'h') this.modes.add(given);
      else if (kind === 'l') this.modes.delete(given);
      else if (kind === 'H') {
        const [row = 1, column = 1] = given.split(';').map(Number);
        place = (row - 1) * this.#columns + column - 1;
      } else throw new Error(`Not expected: ${JSON.stringify(part)}`);
    }
  }
}

const paperOf = (marks: readonly (readonly [number, number, string, number])[]): Paper => {
  const paper = new Paper(SIZE);
  for (const [x, y, text, role] of marks) paper.write(x, y, text, ROLES[role]);
  return paper;
};

const anyMarks = fc.array(
  fc.tuple(fc.nat(39), fc.nat(5), fc.constantFrom('a', 'safe', '⣿⣿', '▲W-020', '        '), fc.nat(ROLES.length - 1)),
  { maxLength: 12 },
);

describe('a screen', () => {
  test('shows after any changes what it shows when it is painted whole', () => {
    fc.assert(
      fc.property(fc.array(anyMarks, { minLength: 2, maxLength: 5 }), (frames) => {
        const glass = new Glass(SIZE.columns);
        const screen = new Screen(glass);
        screen.enter();
        for (const marks of frames) screen.paint(paperOf(marks), dark);
        const whole = new Glass(SIZE.columns);
        new Screen(whole).paint(paperOf(frames.at(-1)!), dark);
        expect(glass.cells).toEqual(whole.cells);
      }),
    );
  });

  test('writes once a frame, and nothing where nothing changed', () => {
    const glass = new Glass(SIZE.columns);
    const screen = new Screen(glass);
    expect(screen.paint(paperOf([[0, 0, 'safe', 0]]), dark)).toBeGreaterThan(0);
    expect(screen.paint(paperOf([[0, 0, 'safe', 0]]), dark)).toBe(0);
    expect(screen.paint(paperOf([[0, 0, 'sane', 0]]), dark)).toBeLessThan(60);
    expect(glass.writes).toBe(2);
  });

  test('leaves the terminal as it was, once', () => {
    const glass = new Glass(SIZE.columns);
    const screen = new Screen(glass);
    // The cursor and the wrapping of lines are on in a terminal that is as it was.
    glass.modes = new Set(['?25', '?7']);
    screen.enter();
    expect([...glass.modes]).toEqual(['?1049']);
    screen.leave();
    screen.leave();
    expect([...glass.modes].sort()).toEqual(['?25', '?7']);
    expect(glass.writes).toBe(2);
  });
});

test('a recording is a head and a line for each write, as asciinema reads it', () => {
  let [text, seconds] = ['', 0];
  const tape = cast({ write: (part) => (text += part) }, { columns: 80, rows: 24 }, 1_790_000_000.9, () => seconds);
  tape.output('\x1b[2Jsafe');
  seconds = 1.5;
  tape.resized({ columns: 120, rows: 40 });
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ version: 2, width: 80, height: 24, timestamp: 1_790_000_000 });
  expect(lines.slice(1)).toEqual([
    [0, 'o', '\x1b[2Jsafe'],
    [1.5, 'r', '120x40'],
  ]);
});
