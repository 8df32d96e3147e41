/** The details of the chosen row, beside the panes or as a sheet, with the same keys. */
import { describe, expect, test } from 'vitest';
import { press } from '../../src/dashboard/press.ts';
import { theme } from '../../src/dashboard/terminal/theme.ts';
import { type DashboardView, sceneOf } from '../../src/dashboard/view.ts';
import { inputsOf } from '../helpers/whole.ts';
import { frameText } from './drawn.ts';
import { MUSTERING, viewer, worldOf } from './harbour.ts';

const world = worldOf(MUSTERING);
const text = (view: DashboardView, columns: number, rows: number): string =>
  frameText({ world, view, connection: { is: 'open' }, at: 0 }, { columns, rows }, theme('mono')).join('\n');
const [delivery] = MUSTERING.deliveries;

const CHOSEN: readonly (readonly [string, Partial<DashboardView>, RegExp, RegExp])[] = [
  ['a person', { pane: 'people' }, /name +Ana Ruiz U/, /m mark safe {2}a ack {2}r resolve {2}o page/],
  ['an alert', { pane: 'alerts' }, /severity +critical/, /a ack {2}r resolve {2}o page/],
  ['a point', { pane: 'points' }, /status +excluded/, /u reinstate {2}y copy id/],
  ['a destination', { pane: 'webhooks' }, /url +https:\/\/slow\.example/, /y copy id/],
  [
    'a delivery',
    { pane: 'webhooks', chosen: { ...viewer().chosen, webhooks: delivery!.id } },
    /answer +503/,
    /R send again {2}y copy id/,
  ],
];

describe('the inspector', () => {
  test.each(CHOSEN)('of %s has its details and its keys at every size', (_what, change, details, keys) => {
    const sizes = [
      [120, 40],
      [200, 60],
      [60, 24],
      [80, 24],
      [104, 40],
    ] as const;
    for (const [columns, rows] of inputsOf(sizes, 3)) {
      const page = text(viewer({ ...change, isDetailOpen: true }), columns, rows);
      expect([columns, page]).toEqual([columns, expect.stringMatching(details)]);
      expect([columns, page]).toEqual([columns, expect.stringMatching(keys)]);
    }
  });

  test('leaves the map, the list and the focused pane in view from 100 columns', () => {
    const sizes = [
      [120, 40],
      [200, 60],
      [104, 40],
    ] as const;
    for (const pane of ['people', 'alerts', 'webhooks'] as const)
      for (const [columns, rows] of inputsOf(sizes, 3)) {
        const page = text(viewer({ pane, isDetailOpen: true }), columns, rows);
        for (const word of ['1 Map', '3 Missing', pane === 'webhooks' ? '5 Webhooks' : '4 Alerts'])
          expect([pane, columns, page]).toEqual([pane, columns, expect.stringContaining(word)]);
      }
  });

  test('is open without a key where it has a column of its own', () => {
    expect(text(viewer(), 200, 60)).toMatch(/name +Ana Ruiz U/);
    expect(text(viewer(), 120, 40)).not.toMatch(/name +Ana Ruiz U/);
  });

  test('breaks its lines between words', () => {
    const page = text(viewer({ pane: 'alerts', isDetailOpen: true }), 200, 60);
    expect(text(viewer(), 200, 60)).toMatch(/alert +critical: SOS by button, +│\s+.* {12}unacknowledged/);
    expect(page).not.toContain('unacknow ');
  });

  test('sends a delivery again after a question', () => {
    const view = viewer({ pane: 'webhooks', chosen: { ...viewer().chosen, webhooks: delivery!.id } });
    const pressed = press('R', view, sceneOf(world, view, 0), world, 0).view;
    expect(pressed.question).toMatchObject({
      title: 'Send again',
      lines: ['alert.created', 'to https://slow.example/hook'],
    });
    expect(press('y', pressed, sceneOf(world, pressed, 0), world, 0).order).toMatchObject({
      body: { action: 'resend', to: delivery!.destination_id, event: delivery!.event_id },
    });
    const none = viewer({ pane: 'webhooks' });
    expect(press('R', none, sceneOf(world, none, 0), world, 0).view.reply?.text).toMatch(/^Choose the delivery first/);
  });
});
