/** The mouse: what a terminal sends, and what a click and the wheel change. */

import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { mouseEventOf, pointed } from '../../src/dashboard/terminal/mouse.ts';
import { theme } from '../../src/dashboard/terminal/theme.ts';
import { type DashboardView, type Pane, sceneOf } from '../../src/dashboard/view.ts';
import { frameText } from './drawn.ts';
import { alertId, HILL, MUSTERING, viewer, workerId, worldOf } from './harbour.ts';

const world = worldOf(MUSTERING);
const SIZES = [
  [200, 60],
  [120, 40],
  [80, 24],
  [60, 20],
] as const;

test.each([
  ['[<0;10;5M', { kind: 'click', x: 9, y: 4 }],
  ['\x1b[<0;300;5M', { kind: 'click', x: 299, y: 4 }],
  ['[<16;1;1M', { kind: 'click', x: 0, y: 0 }],
  ['[<0;10;5m', { kind: 'other', x: 9, y: 4 }],
  ['[<2;10;5M', { kind: 'other', x: 9, y: 4 }],
  ['[<64;10;5M', { kind: 'wheel-up', x: 9, y: 4 }],
  ['[<65;10;5M', { kind: 'wheel-down', x: 9, y: 4 }],
  ['[A', null],
  ['<0;1;1M', null],
])('%j is %j', (input, event) => {
  expect(mouseEventOf(input)).toEqual(event);
});

/** The view after a click on that text of the frame. */
function click(words: string, view: DashboardView, columns: number, rows: number): DashboardView {
  const frame = { world, view, connection: { is: 'open' as const }, at: 0 };
  const lines = frameText(frame, { columns, rows }, theme('mono')).map(stripVTControlCharacters);
  const y = lines.findLastIndex((line) => line.includes(words));
  expect([words, y]).not.toEqual([words, -1]);
  const x = lines[y]!.lastIndexOf(words);
  return pointed({ kind: 'click', x, y }, view, sceneOf(world, view, 0), { columns, rows }).view;
}

describe('a click', () => {
  test.each(SIZES)('chooses the row that is there, and its pane, at %i x %i', (columns, rows) => {
    const rowsOf: readonly (readonly [Pane, string, string])[] = [
      ['people', 'Ana Ruiz W', workerId(22)],
      ['alerts', 'Low battery', alertId(1)],
    ];
    for (const [pane, words, id] of rowsOf) {
      const view = click(words, viewer(), columns, rows);
      expect([view.pane, view.chosen[pane]]).toEqual([pane, id]);
    }
    const onPoints = click('Hill   ', viewer({ pane: 'points' }), columns, rows);
    expect([onPoints.pane, onPoints.chosen.points]).toEqual(['points', HILL]);
  });

  test('on a border or a blank row moves the focus alone', () => {
    const view = click('╰─', viewer({ pane: 'alerts' }), 80, 24);
    expect(view.chosen).toEqual(viewer().chosen);
  });

  test('does nothing under a question', () => {
    const question = { kind: 'choice' as const, title: 'End', lines: [], choices: [] };
    const view = viewer({ question });
    expect(
      pointed({ kind: 'click', x: 60, y: 12 }, view, sceneOf(world, view, 0), { columns: 80, rows: 24 }).view,
    ).toBe(view);
  });
});

describe('the wheel', () => {
  const wheel = (x: number, y: number, kind: 'wheel-up' | 'wheel-down', view = viewer()) =>
    pointed({ kind, x, y }, view, sceneOf(world, view, 0), { columns: 120, rows: 40 });

  test('moves through the rows of the pane that it is over', () => {
    expect(wheel(100, 15, 'wheel-down')).toMatchObject({ view: { pane: 'people' }, keys: ['down', 'down', 'down'] });
    expect(wheel(10, 33, 'wheel-up')).toMatchObject({ view: { pane: 'alerts' }, keys: ['up', 'up', 'up'] });
  });

  test('zooms the map, and turns the pages of the help', () => {
    expect(wheel(10, 15, 'wheel-up')).toMatchObject({ view: { pane: 'map' }, keys: ['+'] });
    expect(wheel(10, 15, 'wheel-down', viewer({ isHelpOpen: true })).keys).toEqual(['pagedown']);
  });
});
