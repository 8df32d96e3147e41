/** Shapes on a site: frames, distances, borders, representative points and hulls. */
import { describe, expect, test } from 'vitest';
import {
  bearing,
  bounds,
  boxRing,
  convexHull,
  distance,
  distanceToBorder,
  frame,
  grow,
  isSimpleRing,
  minimumWidth,
  type Point,
  pointInPolygon,
  polygonArea,
  randomPointIn,
  representativePoint,
  signedDistance,
} from '../../src/base/geometry/shapes.ts';
import { streams } from '../../src/base/random/streams.ts';

const SQUARE = boxRing(0, 0, 10, 10);
const U_SHAPE: Point[] = [
  [0, 0],
  [30, 0],
  [30, 30],
  [28, 30],
  [28, 2],
  [2, 2],
  [2, 30],
  [0, 30],
];
const BOW_TIE: Point[] = [
  [0, 0],
  [10, 10],
  [10, 0],
  [0, 10],
];

describe('a frame', () => {
  test.each([
    ['the equator', 0, 0, 111_319.49, 110_574.28],
    ['45 degrees north', 45, 9, 78_846.81, 111_131.75],
    ['Antofagasta', -23.65, -70.4, 102_025.04, 110_753.18],
  ])('has the metres per degree of %s', (_, latitude, longitude, eastM, northM) => {
    const [x, y] = frame({ latitude, longitude }).toMetres({ latitude: latitude + 1, longitude: longitude + 1 });
    expect(Math.abs(x / eastM - 1)).toBeLessThan(1e-4);
    expect(Math.abs(y / northM - 1)).toBeLessThan(1e-4);
  });

  test('gives a place back within a centimetre, with 7 decimals, also on the date line', () => {
    const chance = streams(1).stream('frame', 'points');
    for (const origin of [
      { latitude: -23.65, longitude: -70.4 },
      { latitude: 52, longitude: 179.999 },
    ]) {
      const site = frame(origin);
      for (let i = 0; i < 500; i++) {
        const point: Point = [chance.normal(0, 2000), chance.normal(0, 2000)];
        const place = site.toDegrees(point);
        expect(distance(site.toMetres(place), point)).toBeLessThan(0.012);
        expect(Number(place.latitude.toFixed(7))).toBe(place.latitude);
        expect(Math.abs(place.longitude)).toBeLessThanOrEqual(180);
      }
    }
    expect(() => frame({ latitude: 90, longitude: 0 })).toThrow('latitude 90');
  });
});

test.each([
  ['north', [0, 5], 0],
  ['east', [5, 0], 90],
  ['south', [0, -5], 180],
  ['west', [-5, 0], 270],
  ['north-west', [-5, 5], 315],
  ['nowhere', [0, 0], 0],
] as const)('what lies to the %s has its bearing', (_, to, degrees) => {
  expect(bearing([0, 0], to)).toBeCloseTo(degrees, 9);
});

describe('a ring', () => {
  test.each([
    ['the middle', [5, 5], 5],
    ['a point near the edge', [1, 5], 1],
    ['a border point', [10, 5], 0],
    ['a corner', [0, 0], 0],
    ['a point beside', [13, 5], -3],
    ['a point off a corner', [13, 14], -5],
    ['a point level with a corner', [-4, 10], -4],
  ] as const)('%s is as far inside as it is', (_, point, metres) => {
    for (const ring of [SQUARE, [...SQUARE].reverse(), [...SQUARE, SQUARE[0]!]]) {
      expect(signedDistance(point, ring)).toBeCloseTo(metres, 9);
      expect(distanceToBorder(point, ring)).toBeCloseTo(Math.abs(metres), 9);
      expect(pointInPolygon(point, ring)).toBe(metres >= 0);
    }
  });

  test('has its area and its bounds whichever way it goes', () => {
    expect(polygonArea(SQUARE)).toBe(100);
    expect(polygonArea([...SQUARE].reverse())).toBe(100);
    expect(polygonArea(U_SHAPE)).toBe(60 + 56 * 2);
    expect(bounds(U_SHAPE)).toEqual({ minX: 0, minY: 0, maxX: 30, maxY: 30 });
    expect(boxRing(10, 10, 0, 0)).toEqual(SQUARE);
  });

  test('has a representative point strictly inside, the centroid where that is inside', () => {
    expect(representativePoint(SQUARE)).toEqual([5, 5]);
    expect(representativePoint([...SQUARE, SQUARE[0]!])).toEqual([5, 5]);
    expect(representativePoint(U_SHAPE)).toEqual([15, 1]);
    const far = U_SHAPE.map(([x, y]): Point => [x + 1e5, y - 1e5]);
    expect(signedDistance(representativePoint(far), far)).toBeGreaterThan(0);
  });

  test('has a representative point strictly inside whatever its shape', () => {
    const chance = streams(2).stream('rings', 'stars');
    for (let i = 0; i < 300; i++) {
      const corners = chance.int(3, 14);
      const star = Array.from({ length: corners }, (_, n): Point => {
        const radius = 1 + 50 * chance.float();
        const angle = (2 * Math.PI * n) / corners;
        return [radius * Math.cos(angle) + 40, radius * Math.sin(angle)];
      });
      const point = representativePoint(star);
      expect(signedDistance(point, star)).toBeGreaterThan(0);
      expect(representativePoint(star)).toEqual(point);
    }
  });

  test('a random point lies inside, and every part is reached', () => {
    const chance = streams(3).stream('points', 'random');
    const points = Array.from({ length: 2000 }, () => randomPointIn(U_SHAPE, chance));
    for (const point of points) expect(pointInPolygon(point, U_SHAPE)).toBe(true);
    const left = points.filter(([x]) => x <= 2).length;
    expect(Math.abs(left / 2000 - 60 / 172)).toBeLessThan(0.05);
  });

  test.each([
    ['a square', SQUARE, true],
    ['a closed square', [...SQUARE, SQUARE[0]!], true],
    ['a U', U_SHAPE, true],
    ['a bow tie', BOW_TIE, false],
    [
      'a line',
      [
        [0, 0],
        [5, 5],
      ],
      false,
    ],
    [
      'a line there and back',
      [
        [0, 0],
        [5, 0],
        [2, 0],
      ],
      false,
    ],
    [
      'a square with a spike',
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [10, 20],
        [10, 10],
        [0, 10],
      ],
      false,
    ],
    [
      'a ring that touches itself',
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [5, 0],
        [0, 10],
      ],
      false,
    ],
    [
      'a square with a corner in an edge',
      [
        [0, 0],
        [5, 0],
        [10, 0],
        [10, 10],
        [0, 10],
      ],
      true,
    ],
  ] as [string, Point[], boolean][])('%s is simple or not', (_, ring, simple) => {
    expect(isSimpleRing(ring)).toBe(simple);
    expect(isSimpleRing([...ring].reverse())).toBe(simple);
  });
});

describe('a hull', () => {
  test('leaves out what is inside or on its edges', () => {
    expect(
      convexHull([
        [5, 5],
        [10, 10],
        [0, 0],
        [5, 0],
        [10, 0],
        [0, 10],
        [0, 0],
      ]),
    ).toEqual(SQUARE);
    expect(
      convexHull([
        [1, 1],
        [1, 1],
      ]),
    ).toEqual([[1, 1]]);
    expect(
      convexHull([
        [0, 0],
        [2, 2],
        [1, 1],
      ]),
    ).toEqual([
      [0, 0],
      [2, 2],
    ]);
  });

  test('grown by a margin has all that is nearer inside, and nothing much farther', () => {
    const chance = streams(4).stream('hulls', 'random');
    for (let i = 0; i < 200; i++) {
      const points = Array.from(
        { length: chance.int(1, 8) },
        (): Point => [chance.normal(0, 60), chance.normal(0, 60)],
      );
      const hull = convexHull(points);
      const grown = grow(points, 200);
      expect(isSimpleRing(grown)).toBe(true);
      const corner = chance.pick(hull);
      for (let n = 0; n < 20; n++) {
        const angle = chance.float() * 2 * Math.PI;
        const near: Point = [corner[0] + 200 * Math.cos(angle), corner[1] + 200 * Math.sin(angle)];
        expect(pointInPolygon(near, grown)).toBe(true);
      }
      for (const vertex of grown) {
        const away =
          hull.length < 3 ? Math.min(...hull.map((p) => distance(p, vertex))) : -signedDistance(vertex, hull);
        expect(away).toBeLessThan(200 * 1.083);
      }
    }
    expect(grow(SQUARE, 0)).toEqual(SQUARE);
  });

  test('is as wide as the narrowest corridor that it passes', () => {
    expect(minimumWidth(boxRing(0, 0, 40, 7))).toBe(7);
    const diamond: Point[] = [
      [0, -10],
      [10, 0],
      [0, 10],
      [-10, 0],
    ];
    expect(minimumWidth(diamond)).toBeCloseTo(Math.sqrt(200), 9);
    expect(
      minimumWidth([
        [0, 0],
        [5, 5],
      ]),
    ).toBe(0);
  });
});
