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
  /** Titles of the window that are kept for later. */
  titles = 0;
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
      else if (kind === 't') this.titles += given === '22;2' ? 1 : -1;
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
    expect(glass.titles).toBe(1);
    screen.leave();
    screen.leave();
    expect([...glass.modes].sort()).toEqual(['?25', '?7']);
    expect(glass.titles).toBe(0);
    expect(glass.writes).toBe(2);
  });
});

describe('what a terminal is told besides', () => {
  const written = (tell: (screen: Screen) => void): string => {
    let text = '';
    const screen = new Screen({
      write: (part) => {
        text += part;
      },
    });
    screen.enter();
    text = '';
    tell(screen);
    return text;
  };

  test('a title, once for each that is other, and nothing in it steers', () => {
    expect(
      written((screen) => {
        screen.title('1/2 safe');
        screen.title('1/2 safe');
        screen.title('2/2 safe\x07\x1b[2J');
      }),
    ).toBe('\x1b]2;1/2 safe\x07\x1b]2;2/2 safe[2J\x07');
  });

  test('what goes to its clipboard', () => {
    expect(written((screen) => screen.copy('W-014 ñ'))).toBe(
      `\x1b]52;c;${Buffer.from('W-014 ñ').toString('base64')}\x07`,
    );
  });

  test('a link, around its cells only, and gone with them', () => {
    const url = 'http://127.0.0.1:4600/panel/alerts/1';
    const linked = paperOf([[0, 0, 'open it', 0]]);
    linked.link(0, 0, 4, url);
    linked.link(0, 1, 4, 'javascript:alert(1)');
    linked.link(0, 2, 4, 'http://x/\x1b[2J');
    expect(linked.span(0, 0, 8, dark)).toBe(`\x1b]8;;${url}\x1b\\open\x1b]8;;\x1b\\ it `);
    expect(linked.links.size).toBe(4);
    const text = written((screen) => {
      screen.paint(linked, dark);
      screen.paint(paperOf([[0, 0, 'open it', 0]]), dark);
    });
    expect(text.split(url)).toHaveLength(2);
    expect(text).toMatch(/\x1b\[1;1Hopen\x1b\[\?2026l$/);
  });
});

test('a recording is a head and a line for each write, as asciinema reads it', () => {
  let [text, seconds] = ['', 0];
  const tape = cast(
    {
      write: (part) => {
        text += part;
      },
    },
    { columns: 80, rows: 24 },
    1_790_000_000.9,
    () => seconds,
  );
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
