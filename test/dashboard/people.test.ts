/** People as rows: who is missing, where, and how bad. */
import { describe, expect, test } from 'vitest';
import type { StreamPerson } from '../../src/contract/stream.ts';
import { press } from '../../src/dashboard/press.ts';
import { layoutOf, pageRowsOf } from '../../src/dashboard/terminal/layout.ts';
import { sceneOf } from '../../src/dashboard/view.ts';
import { byRisk, groupsOf, rowsOf, statusWord } from '../../src/watching/state/people.ts';
import { placeOf } from '../../src/watching/state/places.ts';
import { MUSTERING, person, SITE_ID, viewer, worldOf } from './harbour.ts';

const world = worldOf(MUSTERING);
const site = world.sites.get(SITE_ID)!;
const [muster] = MUSTERING.musters;

describe('a place', () => {
  const height = (building: string, floor: string | null): StreamPerson => {
    const one = person({ n: 1, x: 100, y: 100 });
    return { ...one, location: { ...one.location!, height: { height_m: 4, uncertainty_m: 1, building, floor } } };
  };

  test.each([
    ['the zone that they are in', person({ n: 1, x: 100, y: 100 }), 'Container Yard'],
    ['the nearest zone and how far it is', person({ n: 1, x: 100, y: 200 }), '20 m from Container Yard'],
    ['the building and its floor', height('Warehouse', '2'), 'Warehouse, floor 2'],
    ['the building alone, where no floor is known', height('Warehouse', null), 'Warehouse'],
    ['nothing, where no location is shown', { ...person({ n: 1, x: 1, y: 1 }), location: null }, null],
  ])('is %s', (_what, one, place) => {
    expect(placeOf(site, one)).toBe(place);
  });

  test('is the smallest of the zones that overlap', () => {
    const [yard, tanks] = site.zones;
    const shed = { ...yard!, id: 'shed', name: 'Shed', geometry: tanks!.geometry };
    const over = { ...site, zones: [{ ...yard!, geometry: site.boundary }, shed] };
    expect(placeOf(over, person({ n: 1, x: 300, y: 100 }))).toBe('Shed');
    expect(placeOf(over, person({ n: 1, x: 500, y: 280 }))).toBe('Container Yard');
  });
});

const FARES = [
  { fares: 'help', help: 'trapped', needsRescue: true, word: 'trapped' },
  { fares: 'help', help: 'injured', needsRescue: true, word: 'injured' },
  { fares: 'pending', rescue: true, needsRescue: true, word: 'SOS' },
  { fares: 'help', help: 'helping', needsRescue: false, word: 'helping' },
  { fares: 'wrong_point', needsRescue: false, word: 'wrong point' },
  { fares: 'no_signal', needsRescue: false, word: 'no signal' },
  { fares: 'not_worn', needsRescue: false, word: 'not worn' },
  { fares: 'pending', needsRescue: false, word: 'not arrived' },
] as const;

const rows = (people: readonly StreamPerson[]) =>
  rowsOf(worldOf({ ...MUSTERING, people: [...people], alerts: [] }), MUSTERING.sites[0]!, muster!, []);

test.each(FARES)('a worker with the status "$word" needs rescue: $needsRescue', ({ needsRescue, word, ...how }) => {
  const [row] = rows([person({ n: 1, x: 100, y: 100, ...how })]);
  expect([row?.rescue, row === undefined ? null : statusWord(row)]).toEqual([needsRescue, word]);
});

test('workers who need rescue are above those who help others, and these are above all who are only late', () => {
  const people = FARES.toReversed().map(({ needsRescue: _, word: __, ...how }, n) =>
    person({ n: n + 1, x: 100, y: 100, ...how }),
  );
  const words = byRisk(rows(people), Date.parse(MUSTERING.clock.now)).map(statusWord);
  expect(new Set(words.slice(0, 3))).toEqual(new Set(['trapped', 'injured', 'SOS']));
  expect(words.slice(3)).toEqual(['helping', 'wrong point', 'no signal', 'not worn', 'not arrived']);
});

test('a place counts its people by how they status, and the metres to it do not tear it apart', () => {
  const people = [
    person({ n: 1, x: 100, y: 100, fares: 'help', help: 'injured' }),
    person({ n: 2, x: 110, y: 100, fares: 'pending' }),
    person({ n: 3, x: 120, y: 100, fares: 'pending' }),
    person({ n: 4, x: 100, y: 200, fares: 'pending' }),
    person({ n: 5, x: 100, y: 210, fares: 'pending' }),
  ];
  const groups = groupsOf(byRisk(rows(people), 0));
  expect(groups.map(({ place, text }) => `${place}: ${text}`)).toEqual([
    'Container Yard: 1 injured, 2 not arrived',
    'near Container Yard: 2 not arrived',
  ]);
});

describe('keys', () => {
  const pressed = (view = viewer(), key = 'p', pageRows = 5) =>
    press(key, view, sceneOf(world, view, 0), world, 0, pageRows).view;

  test('p groups by place, Enter opens a place as a filter', () => {
    const grouped = pressed();
    expect(grouped.isGrouped).toBe(true);
    const opened = pressed(grouped, 'enter');
    expect([opened.isGrouped, opened.filter]).toEqual([false, 'Tank Farm']);
    expect(sceneOf(world, opened, 0).people.map(({ code }) => code)).toContain('W-020');
  });

  test('PgDn and PgUp go by as many rows as the pane shows', () => {
    const { people } = sceneOf(world, viewer(), 0);
    const down = pressed(viewer(), 'pagedown', 3);
    expect(down.chosen.people).toBe(people[3]?.id);
    expect(pressed(down, 'pageup', 2).chosen.people).toBe(people[1]?.id);
  });

  test('a page is what the pane has room for', () => {
    const rowsAt = (columns: number, lines: number): number =>
      pageRowsOf(layoutOf({ columns, rows: lines }, 3), 'people');
    expect(rowsAt(120, 40)).toBeGreaterThan(rowsAt(80, 24));
    expect(rowsAt(40, 10)).toBe(1);
  });
});
