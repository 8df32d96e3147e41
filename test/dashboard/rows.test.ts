/** Rows are reserved only for what exists, and say what happened, to whom, where and how long ago. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/contract/resources.ts';
import type { StreamDelivery, StreamSnapshot } from '../../src/contract/stream.ts';
import { LISTED_PANES, type ListPaneName } from '../../src/dashboard/panes/panes.ts';
import { pointRowsOf } from '../../src/dashboard/panes/points.ts';
import { press } from '../../src/dashboard/press.ts';
import { type Column, cellsFor, spokenRow, tableLines } from '../../src/dashboard/table.ts';
import { insideOf, layoutOf, placedPanes } from '../../src/dashboard/terminal/layout.ts';
import { theme } from '../../src/dashboard/terminal/theme.ts';
import { PANES, sceneOf } from '../../src/dashboard/view.ts';
import { isOpenCritical } from '../../src/watching/state/people.ts';
import { isWhole } from '../helpers/whole.ts';
import { frameText } from './drawn.ts';
import { alertId, event, MUSTERING, notSafeLine, person, QUIET, viewer, workerId, worldOf } from './harbour.ts';

const mono = theme('mono');
const [, sos] = MUSTERING.alerts as [Alert, Alert];
const [destination] = MUSTERING.destinations;
const [waiting] = MUSTERING.deliveries as [StreamDelivery];
const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;

const anyWorld = fc
  .record({
    severities: fc.array(fc.constantFrom(...SEVERITIES), { maxLength: 14 }),
    helpers: fc.nat(6),
    events: fc.nat(8),
    notSafe: fc.nat(12),
    people: fc.nat(24),
    destinations: fc.nat(7),
    deliveries: fc.nat(7),
    isMustering: fc.boolean(),
  })
  .map((many): StreamSnapshot => {
    const base = many.isMustering ? MUSTERING : QUIET;
    const raised = (n: number, change: object): Alert => ({ ...sos, id: alertId(n), ...change }) as Alert;
    const { event: one } = event('alert.created', { alert: sos }) as { event: StreamSnapshot['events'][number] };
    return {
      ...base,
      people: base.people.slice(0, many.people),
      not_safe: Array.from({ length: many.isMustering ? 0 : many.notSafe }, (_, n) => notSafeLine(n + 1)),
      musters: many.isMustering ? base.musters : [{ ...MUSTERING.musters[0]!, status: 'completed' }],
      alerts: [
        ...many.severities.map((severity, n) => raised(n, { severity })),
        ...Array.from({ length: many.helpers }, (_, n) =>
          raised(50 + n, { type: 'evacuation_help', details: { reason: 'helping' } }),
        ),
      ],
      events: Array.from({ length: many.events }, (_, n) => ({ ...one, id: `event ${n}` })),
      destinations: Array.from({ length: many.destinations }, (_, n) => ({ ...destination!, id: `d${n}` })),
      deliveries: Array.from({ length: many.deliveries }, (_, n) => ({
        ...waiting,
        id: `x${n}`,
        destination_id: 'd0',
      })),
    };
  });

/** The rows of each pane that a terminal of that size shows. */
function panesAt(snapshot: StreamSnapshot, columns: number, rows: number, pane: (typeof PANES)[number]) {
  const view = viewer({ pane });
  const scene = sceneOf(worldOf(snapshot), view, 0);
  return placedPanes(layoutOf({ columns, rows }, pointRowsOf(scene)), pane).flatMap(({ pane: shown, area }) => {
    if (shown === 'map') return [];
    const room = insideOf(area);
    return [{ shown, scene, room, rows: LISTED_PANES[shown].rows(scene, view, room, mono) }];
  });
}

test('a pane has no blank row while something critical or high, or anybody who was not safe, is hidden in it', () => {
  fc.assert(
    fc.property(
      anyWorld,
      fc.integer({ min: 60, max: 220 }),
      fc.integer({ min: 16, max: 70 }),
      fc.constantFrom(...PANES),
      (snapshot, columns, height, pane) => {
        for (const { shown, scene, room, rows } of panesAt(snapshot, columns, height, pane)) {
          expect(rows.length).toBeLessThanOrEqual(room.height);
          const blank = rows.filter(({ cells }) => cells.every(({ text }) => text[0]?.trim() === '')).length;
          const free = room.height - rows.length + blank;
          const ids = new Set(rows.map(({ id }) => id));
          const urgent: Readonly<Record<ListPaneName, readonly { readonly id: string }[]>> = {
            alerts: scene.alertRows.filter(({ item }) => isOpenCritical(item) || item.severity === 'high'),
            people: [...scene.notSafe, ...scene.peopleRows.filter(({ item }) => item.rescue)],
            points: scene.points,
            webhooks: scene.destinations,
          };
          const hidden = urgent[shown].filter(({ id }) => !ids.has(id)).length;
          expect([shown, hidden > 0 && free > 0]).toEqual([shown, false]);
          // An event or a chart takes no row that an urgent alert needs.
          const others =
            shown === 'alerts' ? rows.filter(({ kind }) => kind === 'event' || kind === 'minute').length : 0;
          expect([shown, hidden > 0 && others > 0]).toEqual([shown, false]);
        }
      },
    ),
    { numRuns: isWhole ? 600 : 60 },
  );
});

test('the events of the snapshot are counted at once', () => {
  const { event: one } = event('alert.created', { alert: sos }) as { event: StreamSnapshot['events'][number] };
  const events = [1, 2, 3].map((n) => ({ ...one, id: `event ${n}` }));
  const shown = { world: worldOf({ ...QUIET, events }), view: viewer(), connection: { is: 'open' }, at: 0 } as const;
  expect(frameText(shown, { columns: 120, rows: 40 }, mono).join('\n')).toContain('3 events in the last minute');
});

describe('helpers', () => {
  const people = Array.from({ length: 24 }, (_, n) =>
    person({ n: n + 1, x: 100, y: 100, fares: 'help', help: n < 20 ? 'helping' : 'injured' }),
  );
  const alerts = people.map((_, n) => ({
    ...sos,
    id: alertId(n + 1),
    type: 'evacuation_help',
    details: { reason: n < 20 ? 'helping' : 'injured' },
    worker: { ...sos.worker, id: workerId(n + 1), external_id: `W-0${n}` },
  })) as unknown as Alert[];
  const world = worldOf({ ...MUSTERING, people, alerts });
  const scene = sceneOf(world, viewer(), 0);
  const text = frameText(
    { world, view: viewer(), connection: { is: 'open' }, at: 0 },
    { columns: 120, rows: 40 },
    mono,
  );

  test('are one row behind those to rescue, in the list of people and in that of alerts', () => {
    const lines = (word: RegExp) => text.filter((line) => word.test(line)).length;
    expect(lines(/⊕ Helping ×20/)).toBe(2);
    expect(lines(/[▲■] Injured/)).toBe(8);
    expect(scene.peopleRows.map(({ count }) => count)).toEqual([1, 1, 1, 1, 20]);
    expect(scene.alertRows.map(({ count }) => count)).toEqual([1, 1, 1, 1, 20]);
    for (const pane of ['people', 'alerts'] as const)
      expect(spokenRow(LISTED_PANES[pane].all(scene, viewer(), mono).at(-1)!)).toMatch(/^20 helping another/);
  });

  test('are one row without a mark of danger after the muster, and behind those with an alert', () => {
    const after = worldOf({
      ...QUIET,
      alerts: [...alerts, { ...sos, id: alertId(90), worker: { ...sos.worker!, id: workerId(24) } }],
    });
    const rows = sceneOf(after, viewer(), 0).peopleRows;
    expect(rows.slice(0, 6).map(({ count }) => count)).toEqual([1, 1, 1, 1, 20]);
    const page = frameText(
      { world: after, view: viewer(), connection: { is: 'open' }, at: 0 },
      { columns: 120, rows: 40 },
      mono,
    ).join('\n');
    expect(page).not.toMatch(/▲ Helping/);
  });

  test('are all listed where their row is opened', () => {
    const chosen = { ...viewer().chosen, people: scene.peopleRows.at(-1)!.id };
    const opened = press('enter', viewer({ chosen }), scene, world, 0).view;
    expect(opened.filter).toBe('helping');
    expect(sceneOf(world, opened, 0).peopleRows).toHaveLength(20);
    expect(sceneOf(world, opened, 0).alertRows).toHaveLength(20);
  });
});

describe('the rows of alerts', () => {
  const { event: one } = event('alert.created', { alert: sos }) as { event: StreamSnapshot['events'][number] };
  const events = Array.from({ length: 9 }, (_, n) => ({ ...one, id: `event ${n}` }));
  const alertOf = (n: number, change: object): Alert =>
    ({ ...sos, id: alertId(n), worker: { ...sos?.worker, id: workerId(n) }, ...change }) as unknown as Alert;
  const paneAt = (alerts: readonly Alert[], columns: number, rows: number) =>
    frameText(
      { world: worldOf({ ...QUIET, alerts: [...alerts], events }), view: viewer(), connection: { is: 'open' }, at: 0 },
      { columns, rows },
      mono,
    ).join('\n');

  test('are all of them where they fit, and events take what is left', () => {
    const low = Array.from({ length: 5 }, (_, n) => alertOf(n + 1, { severity: 'low' }));
    const text = paneAt(low, 80, 24);
    expect(text.match(/□ SOS/g)).toHaveLength(5);
    expect(paneAt(low.slice(1), 80, 24).match(/· SOS/g)).toHaveLength(1);
  });

  test('count each of the helpers that do not fit, and no helper as critical', () => {
    const helpers = Array.from({ length: 7 }, (_, n) =>
      alertOf(n + 20, { type: 'evacuation_help', details: { reason: 'helping' } }),
    );
    const text = paneAt([...Array.from({ length: 6 }, (_, n) => alertOf(n + 1, {})), ...helpers], 80, 24);
    expect(text).toContain('… 9 more (2 critical)');
    expect(text).toContain('[4 Alerts 13 ■6]');
    const high = [alertOf(1, {}), alertOf(2, { severity: 'high' }), alertOf(3, { severity: 'low' })];
    expect(sceneOf(worldOf({ ...QUIET, alerts: [...high, ...helpers] }), viewer(), 0).alertRows.at(-1)?.count).toBe(7);
    expect(paneAt(helpers.slice(0, 1), 80, 24)).not.toContain('■ Helping');
  });
});

test('a filter is one for the list, the alerts and the map', () => {
  const scene = sceneOf(worldOf(MUSTERING), viewer({ filter: 'tank farm' }), 0);
  expect(scene.people.map(({ code }) => code)).toEqual(['W-020', 'W-024']);
  expect(scene.mapRows.map(({ code }) => code)).toEqual(['W-020', 'W-024']);
  expect(scene.alertRows.map(({ id }) => id)).toEqual([alertId(2)]);
  const other = sceneOf(worldOf(MUSTERING), viewer({ filter: 'w-022' }), 0);
  expect(other.alertRows.map(({ id }) => id)).toEqual([alertId(1)]);
  expect(LISTED_PANES.alerts.title(other, viewer())).toBe('4 Alerts 1 of 2 open');
});

describe('a table', () => {
  const COLUMNS: readonly Column<readonly string[], null>[] = [
    { priority: 2, cell: ([what = '', short = '']) => [[what, short], 'plain'] },
    { priority: 3, least: 4, cell: ([, , name = '']) => [name, 'bold'] },
    { priority: 1, least: 3, grows: true, cell: ([, , , place = '']) => [place, 'dim'] },
  ];
  const rows = [
    ['Forbidden zone', 'Forbid', 'Ana Ruiz', 'Tank Farm'],
    ['SOS', 'SOS', 'Eva', 'Quay'],
  ].map((item, n) => ({ id: `${n}`, kind: 'row', cells: cellsFor(COLUMNS, item, null) }));
  const written = (width: number): string[] =>
    tableLines(rows, { width, chosen: '1', isFocused: true }, mono).map((line) =>
      line.map(({ text }) => text).join(''),
    );

  test('gives names their width first, then words in a short form, and cuts no word', () => {
    expect(written(34)).toEqual([' Forbidden zone Ana Ruiz Tank Farm', '▌SOS            Eva      Quay     ']);
    expect(written(26)).toEqual([' Forbid Ana Ruiz Tank Farm', '▌SOS    Eva      Quay     ']);
    expect(written(20)).toEqual([' Forbid Ana Ruiz Ta…', '▌SOS    Eva      Qu…']);
    expect(written(14)).toEqual([' Forbid Ana R…', '▌SOS    Eva   ']);
  });

  test('gives one long name no more than the other columns leave', () => {
    const people = ['Ana Ruiz', 'Eva Gil', 'Juan Sosa', 'Luis Mora', 'María de los Ángeles Reynoso Alarcón'].map(
      (name, n) => ({ id: `p${n}`, kind: 'row', cells: cellsFor(COLUMNS, ['', '', name, 'Container Yard'], null) }),
    );
    const lines = tableLines(people, { width: 40, chosen: null, isFocused: false }, mono);
    for (const line of lines) expect(line.map(({ text }) => text).join('')).toContain('Container Yard');
  });

  test('lets columns share what is free', () => {
    expect(written(46)[1]).toBe('▌SOS            Eva      Quay                 ');
  });
});
