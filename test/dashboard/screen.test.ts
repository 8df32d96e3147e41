/** Writes to a terminal: only changed rows, and the restored screen. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrameOutput } from '../../src/dashboard/terminal/frame-output.ts';
import { cast } from '../../src/dashboard/terminal/recording.ts';
import { AlternateScreen, copyTo, type TextSink } from '../../src/dashboard/terminal/terminal.ts';
import { Glass } from './glass.ts';

const SIZE = { columns: 40, rows: 6 };

/** Each write. */
class Written implements TextSink {
  readonly parts: string[] = [];

  write(text: string): void {
    this.parts.push(text);
  }

  get text(): string {
    return this.parts.join('');
  }
}

const anyRow = fc.constantFrom(
  '',
  'safe',
  '\x1b[32m● 19 safe\x1b[39m',
  '\x1b[7mEVACUATING\x1b[27m',
  '(▲)W-020',
  '#'.repeat(SIZE.columns),
  `\x1b[1m\x1b[36m${'─'.repeat(SIZE.columns)}\x1b[39m\x1b[22m`,
);
const anyFrame = fc.array(anyRow, { minLength: SIZE.rows, maxLength: SIZE.rows }).map((rows) => rows.join('\n'));

async function glassOf(frames: readonly string[]): Promise<Glass> {
  const written = new Written();
  const output = new FrameOutput(written, SIZE);
  for (const frame of frames) output.write(frame);
  const glass = new Glass(SIZE.columns, SIZE.rows);
  await glass.write(`\x1b[?7l${written.text}`);
  return glass;
}

describe('frames', () => {
  test('show after any changes what they show when they are written whole', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyFrame, { minLength: 2, maxLength: 5 }), async (frames) => {
        const [changed, whole] = await Promise.all([glassOf(frames), glassOf(frames.slice(-1))]);
        expect(changed.cells).toEqual(whole.cells);
      }),
      { numRuns: 60 },
    );
  });

  test('are written once each, and not where nothing changed', () => {
    const written = new Written();
    const output = new FrameOutput(written, SIZE);
    output.write('safe\nhelp\n\n\n\n');
    output.write('safe\nhelp\n\n\n\n');
    output.write('sane\nhelp\n\n\n\n');
    expect(written.parts).toHaveLength(2);
    expect(written.parts[1]).toBe('\x1b[?2026h\x1b[1;1Hsane\x1b[K\x1b[?2026l');
  });

  test('are whole again at another size, and never more than the terminal has rows', () => {
    const written = new Written();
    const output = new FrameOutput(written, SIZE);
    output.write('a\nb\nc\nd\ne\nf\ng');
    expect(written.text).not.toContain('g');
    output.resize({ columns: 10, rows: 2 });
    output.write('a\nb');
    expect(written.parts.at(-1)).toMatch(/^\x1b\[\?2026h\x1b\[0m\x1b\[2J/);
  });

  test('are dropped after the end', () => {
    const written = new Written();
    const output = new FrameOutput(written, SIZE);
    output.end();
    output.write('late');
    expect(written.text).toBe('');
  });
});

describe('the alternate screen', () => {
  test('leaves the terminal as it was, once', async () => {
    const written = new Written();
    const screen = new AlternateScreen(written);
    const glass = new Glass(SIZE.columns, SIZE.rows);
    await glass.write('before');
    screen.enter();
    await glass.write(written.text);
    expect([glass.isAlternate, glass.wraps, glass.text.trim()]).toEqual([true, false, '']);
    screen.leave();
    screen.leave();
    expect(written.parts).toHaveLength(2);
    await glass.write(written.parts[1] as string);
    expect([glass.isAlternate, glass.wraps, glass.lines[0]]).toEqual([false, true, 'before']);
    expect(written.text.split('\x1b[22;2t').length).toBe(written.text.split('\x1b[23;2t').length);
  });

  test('has a title, written once for each that is another, and nothing in it steers', () => {
    const written = new Written();
    const screen = new AlternateScreen(written);
    screen.title('too early');
    screen.enter();
    for (const title of ['1/2 safe', '1/2 safe', '2/2 safe\x07\x1b[2J']) screen.title(title);
    expect(written.parts.slice(1)).toEqual(['\x1b]2;1/2 safe\x07', '\x1b]2;2/2 safe[2J\x07']);
  });
});

test('what goes to the clipboard of the terminal', () => {
  const written = new Written();
  copyTo(written, 'W-014 ñ');
  expect(written.text).toBe(`\x1b]52;c;${Buffer.from('W-014 ñ').toString('base64')}\x07`);
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
