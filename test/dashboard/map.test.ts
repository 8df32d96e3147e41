/** The map spends its cells on what matters: zones, points, people to rescue, and the selection. */
import { describe, expect, test } from 'vitest';
import type { StreamSnapshot } from '../../src/contract/stream.ts';
import { fitBox } from '../../src/dashboard/map-fit.ts';
import { mapLines } from '../../src/dashboard/panes/map.ts';
import { theme } from '../../src/dashboard/terminal/theme.ts';
import { type DashboardView, sceneOf } from '../../src/dashboard/view.ts';
import { HILL, MUSTERING, person, viewer, workerId, worldOf } from './harbour.ts';

const mono = theme('mono');
const boxWith = (people: StreamSnapshot['people']) => {
  const { site, siteRows } = sceneOf(worldOf({ ...MUSTERING, people, alerts: [] }), viewer(), 0);
  return fitBox(site!, siteRows);
};
const drawn = (
  snapshot: StreamSnapshot,
  width: number,
  height: number,
  change: Partial<DashboardView> = {},
): string => {
  const view = viewer(change);
  const lines = mapLines(sceneOf(worldOf(snapshot), view, 0), view, mono, { width, height }) ?? [];
  return lines.map((line) => line.map(({ text }) => text).join('')).join('\n');
};

describe('the frame of the map', () => {
  const none = boxWith([]);

  test('does not change while people walk, and widens only for somebody to rescue outside of it', () => {
    expect(boxWith([person({ n: 1, x: 2, y: 2, fares: 'pending' })])).toEqual(none);
    expect(boxWith([person({ n: 1, x: 100, y: 100, fares: 'help', help: 'trapped' })])).toEqual(none);
    const wide = boxWith([person({ n: 1, x: 2, y: 2, fares: 'help', help: 'trapped' })]);
    expect(wide!.minX).toBeLessThan(none!.minX);
    expect(boxWith([person({ n: 1, x: 4, y: 3, fares: 'help', help: 'trapped' })])).toEqual(wide);
  });
});

test('a label of the map is whole, or not there', () => {
  const names = new Set(['Container', 'Yard', 'Tank', 'Farm', 'Flare', 'Gate', 'A', 'Hill', 'W']);
  for (let width = 12; width <= 120; width += 3) {
    const words = drawn(MUSTERING, width, Math.max(4, Math.round(width / 4))).match(/[A-Za-z]{1,}/g) ?? [];
    expect([width, words.filter((word) => !names.has(word))]).toEqual([width, []]);
  }
});

describe('a full point and people to rescue', () => {
  const [muster] = MUSTERING.musters;
  const points = muster!.assembly_points.map((point) => (point.id === HILL ? { ...point, count: 120 } : point));
  const crowd = Array.from({ length: 24 }, (_, n) =>
    person({ n: n + 1, x: 500 + (n % 12) * 5, y: 252 - n, fares: 'no_signal' }),
  );
  const trapped = person({ n: 1, x: 530, y: 240, fares: 'help', help: 'trapped' });
  const full = { ...MUSTERING, musters: [{ ...muster!, assembly_points: points }], people: [...crowd, trapped] };

  test('stand above the crowd', () => {
    for (const [width, height] of [
      [118, 40],
      [58, 23],
      [34, 12],
    ] as const) {
      const map = drawn(full, width, height);
      expect([width, map]).toEqual([width, expect.stringMatching(/\[Hill 120\]|\[120\]/)]);
      expect([width, map]).toEqual([width, expect.stringContaining('▲')]);
    }
  });
});

test('helpers around a point do not take the place of its label', () => {
  const helpers = Array.from({ length: 12 }, (_, n) =>
    person({ n: n + 1, x: 480 + n * 8, y: n % 2 === 0 ? 262 : 190, fares: 'help', help: 'helping' }),
  );
  const map = drawn({ ...MUSTERING, people: helpers }, 58, 23, { pane: 'webhooks' });
  expect(map).toMatch(/\[Hill 19\]|\[19\]/);
});

describe('the selection', () => {
  test.each([
    ['a person', { pane: 'people' as const }, '(▲)W-020'],
    ['the worker of an alert', { pane: 'alerts' as const }, '(▲)W-020'],
    ['another person', { chosen: { ...viewer().chosen, people: workerId(22) } }, '(◇)W-022'],
  ])('is ringed on the map: %s', (_what, change, mark) => {
    expect(drawn(MUSTERING, 58, 23, change)).toContain(mark);
  });

  test('is ringed on the map: a point', () => {
    const chosen = { ...viewer().chosen, points: HILL };
    const map = drawn({ ...MUSTERING, people: [] }, 58, 23, { pane: 'points', chosen });
    expect(map).toMatch(/\(.\)/);
    expect(drawn({ ...MUSTERING, people: [] }, 58, 23, { pane: 'webhooks' })).not.toMatch(/\(.\)/);
  });
});
