/** Which zones hold a point: the same as if every zone were tested, on sites of any size. [decisions 4, 5] */
import { describe, expect, test } from 'vitest';
import { type Point, signedDistance } from '../../../../src/base/geometry/shapes.ts';
import { streams } from '../../../../src/base/random/streams.ts';
import type { Zone } from '../../../../src/service/domain/world/documents.ts';
import { Fence, fenceOf } from '../../../../src/service/domain/zones/fence.ts';
import { SITE, SmallWorld } from '../small-world.ts';

const zone = (name: string, [x, y, width, height]: readonly [number, number, number, number], part = {}): Zone => ({
  id: name,
  siteId: SITE,
  name,
  type: 'work_area',
  assemblyPoint: null,
  floors: [],
  // A triangle: its bounds hold points that it does not.
  ring: [
    [x, y],
    [x + width, y],
    [x, y + height],
  ],
  ...part,
});

const names = (found: readonly { readonly zone: Zone }[]) => found.map(({ zone: { name } }) => name);

describe('a fence', () => {
  test('without zones holds nothing and hides nobody', () => {
    const fence = new Fence([]);
    expect([fence.holding([0, 0]), fence.inBuilding([0, 0]), fence.hiding([0, 0], 1e9)]).toEqual([[], false, null]);
    expect([fence.get('Quay'), fence.zones, fence.privacy]).toEqual([undefined, [], []]);
  });

  test('knows of each zone its size and its narrowest way across', () => {
    const box = zone('Pier', [0, 0, 0, 0], {
      ring: [
        [5, 5],
        [45, 5],
        [45, 15],
        [5, 15],
      ],
    });
    const fence = new Fence([box, zone('Quay', [0, 0, 30, 40])]);
    expect(fence.get('Pier')).toMatchObject({
      area: 400,
      widthM: 10,
      bounds: { minX: 5, minY: 5, maxX: 45, maxY: 15 },
    });
    expect(fence.get('Quay')).toMatchObject({ area: 600, widthM: 24 });
    expect(fence.get('Mole')).toBeUndefined();
  });

  test.each<[string, number, number, number?]>([
    ['smaller than one cell', 4, 1],
    ['of a few cells', 90, 7],
    ['of as many cells as there may be', 1_280, 40],
    ['larger than that', 9_000, 300],
    ['much wider than high', 4_000, 60, 200],
    ['much higher than wide', 200, 60, 4_000],
  ])('of a site %s finds the zones that hold a point, the smallest first', (words, sizeX, zoneM, sizeY = sizeX) => {
    const random = streams(words).stream('test', 'fence');
    const within = (low: number, high: number) => low + random.float() * (high - low);
    const zones = Array.from({ length: 40 }, (_none, n) => {
      const place = [within(-sizeX, 0), within(-sizeY, 0), within(zoneM, 4 * zoneM), within(zoneM, 4 * zoneM)] as const;
      return zone(`Z${n}`, place, { type: n % 3 === 0 ? 'building' : 'work_area' });
    });
    // One zone over nearly all of the site, which cells at its borders belong to as well.
    zones.push(zone('Site', [-sizeX, -sizeY, 2 * sizeX, 2 * sizeY]));
    const fence = new Fence(zones);
    const corners = zones.flatMap(({ ring }) => ring);
    const anywhere = Array.from(
      { length: 300 },
      (): Point => [within(-1.5 * sizeX, sizeX), within(-1.5 * sizeY, sizeY)],
    );
    for (const point of [...corners, ...anywhere]) {
      const holding = fence.zones
        .filter(({ zone: { ring } }) => signedDistance(point, ring) >= 0)
        .sort((a, b) => a.area - b.area);
      expect(names(fence.holding(point))).toEqual(names(holding));
      expect(fence.inBuilding(point)).toBe(holding.some(({ zone: { type } }) => type === 'building'));
    }
  });

  test('hides who is in a privacy zone or within reach of one, and names the first by name', () => {
    const square = (name: string, at: number) =>
      zone(name, [0, 0, 0, 0], {
        type: 'privacy',
        ring: [
          [at, at],
          [at + 10, at],
          [at + 10, at + 10],
          [at, at + 10],
        ],
      });
    const fence = new Fence([zone('Quay', [0, 0, 30, 30]), square('A', 20), square('B', 25)]);
    expect(names(fence.privacy)).toEqual(['A', 'B']);
    const hiding = (x: number, y: number, reachM: number) => fence.hiding([x, y], reachM)?.name;
    expect([hiding(22, 22, 0), hiding(27, 27, 0), hiding(32, 32, 0), hiding(5, 5, 0)]).toEqual([
      'A',
      'A',
      'B',
      undefined,
    ]);
    // Seven metres east and seven north of the corner are more than nine away.
    expect([hiding(42, 42, 9), hiding(42, 42, 10), hiding(45, 30, 10), hiding(45.1, 30, 10)]).toEqual([
      undefined,
      'B',
      'B',
      undefined,
    ]);
  });
});

test('the fence of a site is made once, and anew when its zones change', () => {
  const small = new SmallWorld();
  const before = fenceOf(small.world, SITE);
  expect(fenceOf(small.world, SITE)).toBe(before);
  small.zone('Quay', 'work_area', [0, 0, 5, 5]);
  expect(names(fenceOf(small.world, SITE).holding([2, 2]))).toEqual(['Quay', 'Dock']);
  expect(names(before.holding([2, 2]))).toEqual(['Dock']);
});
