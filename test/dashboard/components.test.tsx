/** Single components, and the keys that reach them. */
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { useInput } from 'ink';
import { render } from 'ink-testing-library';
import type { ReactElement, ReactNode } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { TabsPane } from '../../src/dashboard/components/frame.tsx';
import { ListPane } from '../../src/dashboard/components/list-pane.tsx';
import { Row, ThemeContext } from '../../src/dashboard/components/look.tsx';
import { PaneFrame } from '../../src/dashboard/components/pane.tsx';
import { keyNamesOf } from '../../src/dashboard/keys.ts';
import { listenForKeys } from '../../src/dashboard/terminal/keypress.ts';
import { span, type TextLine } from '../../src/dashboard/terminal/lines.ts';
import { type Theme, theme } from '../../src/dashboard/terminal/theme.ts';
import { sceneOf } from '../../src/dashboard/view.ts';
import { MUSTERING, viewer, worldOf } from './harbour.ts';

const mono = theme('mono');
const ascii = theme('mono', { ascii: true });
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

function drawn(node: ReactElement, look: Theme = mono): string[] {
  const { lastFrame, unmount } = render(<ThemeContext value={look}>{node}</ThemeContext>);
  closers.push(unmount);
  return stripVTControlCharacters(lastFrame() ?? '').split('\n');
}

describe('a pane', () => {
  const lines: TextLine[] = [[span('first')], [span('second')]];
  const rows = lines.map((line) => <Row key={line[0]?.text} line={line} />);

  test('has a title and a hint in its border, and its rows inside', () => {
    const area = { width: 27, height: 4 };
    const pane = (
      <PaneFrame area={area} title="3 People" hint="/ filter">
        {rows}
      </PaneFrame>
    );
    expect(drawn(pane)).toEqual([
      '╭─ 3 People ─── / filter ─╮',
      '│first                    │',
      '│second                   │',
      '╰─────────────────────────╯',
    ]);
  });

  test('leaves the hint out where the title needs the room', () => {
    const [top] = drawn(<PaneFrame area={{ width: 16, height: 3 }} title="3 People" hint="/ filter" />, ascii);
    expect(top).toBe('+- 3 People ---+');
  });

  test('keeps its border when it is drawn again with other glyphs', () => {
    const pane = (look: typeof mono): ReactElement => (
      <ThemeContext value={look}>
        <PaneFrame area={{ width: 12, height: 4 }} title="1">
          {rows}
        </PaneFrame>
      </ThemeContext>
    );
    const { lastFrame, rerender, unmount } = render(pane(mono));
    closers.push(unmount);
    for (const look of [mono, ascii, mono]) rerender(pane(look));
    expect(stripVTControlCharacters(lastFrame() ?? '').split('\n')).toEqual([
      '╭─ 1 ──────╮',
      '│first     │',
      '│second    │',
      '╰──────────╯',
    ]);
  });
});

describe('of a muster', () => {
  const scene = sceneOf(worldOf(MUSTERING), viewer(), 0);

  test('the pane of people lists who is missing, the gravest first', () => {
    const lines = drawn(<ListPane pane="people" area={{ width: 43, height: 12 }} scene={scene} view={viewer()} />);
    expect(lines[0]).toMatch(/^╭─ 3 Missing 5 ─+ c by risk {2}\/ filter ─╮$/);
    expect(lines[2]).toMatch(/▌▲ Injured +W-020 Ana Ru\S* +Tank/);
  });

  test('a small terminal has one pane for what is not people and map', () => {
    const view = viewer({ pane: 'points' });
    const [top] = drawn(<TabsPane area={{ width: 66, height: 6 }} scene={scene} view={view} />);
    expect(top).toMatch(/4 Alerts 2 ■1 │ 5 Webhooks.* │ \[2 Points\]/);
  });
});

describe('a line', () => {
  const url = 'http://127.0.0.1:4600/panel/alerts/1';

  /** With its sequences. */
  const written = (line: TextLine): string => {
    const { lastFrame, unmount } = render(<Row line={line} />);
    closers.push(unmount);
    return lastFrame() ?? '';
  };

  test('carries a link around its own text only', () => {
    const line = written([{ text: 'open', role: 'plain', url }, span(' it')]);
    expect(line).toBe(`\x1b]8;;${url}\x07open\x1b]8;;\x07 it\x1b]8;;\x07`);
  });

  test.each(['javascript:alert(1)', 'http://x/\x1b[2J'])('does not link to %j', (bad) => {
    expect(written([{ text: 'open', role: 'plain', url: bad }])).toBe('open');
  });
});

/** Names of the key map for a terminal's input. */
const SENT: readonly (readonly [string, readonly string[]])[] = [
  ['\x1b[A\x1b[B\x1bOC\x1b[D', ['up', 'down', 'right', 'left']],
  ['\x1b[5~\x1b[6~\x1b[H\x1b[F', ['pageup', 'pagedown', 'home', 'end']],
  ['\x1b[Z\t\r\x7f \x03', ['shift-tab', 'tab', 'enter', 'backspace', 'space', 'ctrl-c']],
  ['ñ€', ['ñ', '€']],
  ['?aT', ['?', 'a', 'T']],
  ['\x1a', ['ctrl-z']],
  ['\x01', []],
];

describe('what a terminal sends', () => {
  test.each(SENT)('%j is heard by Ink as %j', async (sent, keys) => {
    const received: string[] = [];
    const Ears = (): ReactNode => {
      useInput((input, key) => received.push(...keyNamesOf(input, key)));
      return null;
    };
    const { stdin, unmount } = render(<Ears />);
    closers.push(unmount);
    for (const piece of sent.match(/\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])|[\s\S]/gu) ?? []) stdin.write(piece);
    expect(received).toEqual(keys);
  });

  test.each(SENT)('%j is heard by the reader as %j', async (sent, keys) => {
    const received: string[] = [];
    const stdin = Object.assign(new PassThrough(), { setRawMode: () => stdin }) as unknown as NodeJS.ReadStream;
    closers.push(listenForKeys(stdin, (key) => received.push(key)));
    const ended = new EventEmitter();
    stdin.on('data', () => ended.emit('read'));
    const read = new Promise((done) => ended.once('read', done));
    stdin.push(sent);
    await read;
    expect(received).toEqual(keys);
  });
});
