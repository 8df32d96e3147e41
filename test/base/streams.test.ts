/** Seeded chance: the same on every machine, independent by name, and true to its distributions. */
import { describe, expect, test } from 'vitest';
import { inverseNormalCdf, normalCdf } from '../../src/base/random/normal-distribution.ts';
import { atan2, cos, exp, ln, sin } from '../../src/base/random/portable-math.ts';
import { type Stream, streams } from '../../src/base/random/streams.ts';

const DRAWS = 20_000;

function meanAndSd(draw: () => number): { mean: number; sd: number } {
  const values = Array.from({ length: DRAWS }, draw);
  const mean = values.reduce((sum, value) => sum + value, 0) / DRAWS;
  const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) / DRAWS);
  return { mean, sd };
}

function some(stream: Stream): number[] {
  return Array.from({ length: 5 }, () => stream.float());
}

describe('streams', () => {
  test('the first values of a seed never change between versions', () => {
    const stream = streams(1).stream('ana', 'walk');
    expect([stream.float(), stream.int(1, 1000), stream.normal(0, 1), stream.exponential(10)]).toMatchInlineSnapshot(`
      [
        0.21652993454927805,
        68,
        0.20190275081411183,
        3.8863742576559535,
      ]
    `);
    expect(stream.bytes(8).toString('hex')).toMatchInlineSnapshot(`"62ad4c3f00997fa1"`);
    expect(stream.shuffle(['a', 'b', 'c', 'd', 'e']).join('')).toMatchInlineSnapshot(`"abced"`);
  });

  test('a stream depends on seed, actor and purpose, and on nothing that others draw', () => {
    const luis = some(streams(1).stream('luis', 'walk'));
    const world = streams(1);
    some(world.stream('ana', 'walk'));
    some(world.stream('luis', 'battery'));
    expect(some(world.stream('luis', 'walk'))).toEqual(luis);
    expect(some(streams('1').stream('luis', 'walk'))).toEqual(luis);
    expect(some(streams(2).stream('luis', 'walk'))).not.toEqual(luis);
    expect(some(streams(1).stream('luis', 'pace'))).not.toEqual(luis);
  });

  test('a fork is its own stream, whatever was drawn before it', () => {
    const early = streams(1).stream('ana', 'walk').fork('pause');
    const parent = streams(1).stream('ana', 'walk');
    some(parent);
    expect(some(parent.fork('pause'))).toEqual(some(early));
    expect(some(parent.fork('turn'))).not.toEqual(some(parent.fork('pause')));
  });

  test('floats lie in 0..1 and whole numbers reach both ends', () => {
    const stream = streams(7).stream('a', 'b');
    const { mean, sd } = meanAndSd(() => stream.float());
    expect(mean).toBeCloseTo(0.5, 1);
    expect(sd).toBeCloseTo(Math.sqrt(1 / 12), 1);
    expect(new Set(Array.from({ length: 500 }, () => stream.int(-2, 2)))).toEqual(new Set([-2, -1, 0, 1, 2]));
    expect(stream.int(5, 5)).toBe(5);
    expect(() => stream.int(2, 1)).toThrow('2..1');
  });

  test('distributions have the mean and spread that were asked for', () => {
    const stream = streams(8).stream('a', 'b');
    const normal = meanAndSd(() => stream.normal(10, 3));
    expect(Math.abs(normal.mean - 10)).toBeLessThan(0.1);
    expect(Math.abs(normal.sd - 3)).toBeLessThan(0.1);
    const wait = meanAndSd(() => stream.exponential(4));
    expect(Math.abs(wait.mean - 4)).toBeLessThan(0.15);
    expect(Math.abs(wait.sd - 4)).toBeLessThan(0.25);
    const logarithm = meanAndSd(() => ln(stream.lognormal(1, 0.5)));
    expect(Math.abs(logarithm.mean - 1)).toBeLessThan(0.02);
    expect(Math.abs(logarithm.sd - 0.5)).toBeLessThan(0.02);
    const hits = Array.from({ length: DRAWS }, () => stream.chance(0.3)).filter(Boolean).length;
    expect(Math.abs(hits / DRAWS - 0.3)).toBeLessThan(0.02);
    expect([stream.chance(0), stream.chance(1)]).toEqual([false, true]);
  });

  test('a cut normal distribution stays within its ends, also far out in a tail', () => {
    const stream = streams(9).stream('a', 'b');
    for (const [min, max] of [
      [-1, 2],
      [4, 5],
      [-9, -8],
      [8, 100],
      [50, 60],
      [3, 3],
    ] as const) {
      const outside: number[] = [];
      const { mean } = meanAndSd(() => {
        const value = stream.truncatedNormal(0, 1, min, max);
        if (value < min || value > max) outside.push(value);
        return value;
      });
      expect(outside).toEqual([]);
      if (max - min === 1 || min === 8) expect(Math.abs(mean - (min > 0 ? min : max))).toBeLessThan(0.3);
    }
    expect(stream.truncatedNormal(7, 0, 1, 5)).toBe(5);
  });

  test('every distribution of real numbers takes exactly one draw', () => {
    const draws: ((stream: Stream) => unknown)[] = [
      (s) => s.normal(0, 1),
      (s) => s.truncatedNormal(0, 1, 5, 6),
      (s) => s.lognormal(0, 1),
      (s) => s.exponential(1),
      (s) => s.chance(0),
    ];
    for (const draw of draws) {
      const one = streams(3).stream('a', 'b');
      const two = streams(3).stream('a', 'b');
      one.float();
      draw(two);
      expect(two.float()).toBe(one.float());
    }
  });

  test('a shuffle keeps the items and the given list, and every place is as likely', () => {
    const stream = streams(4).stream('a', 'b');
    const items = [0, 1, 2, 3];
    const first = [0, 0, 0, 0];
    for (let i = 0; i < 4000; i++) {
      const shuffled = stream.shuffle(items);
      expect([...shuffled].sort()).toEqual(items);
      first[shuffled[0]!]!++;
    }
    for (const count of first) expect(Math.abs(count - 1000)).toBeLessThan(150);
    expect(items).toEqual([0, 1, 2, 3]);
    expect(stream.pick(['only'])).toBe('only');
    expect(() => stream.pick([])).toThrow('empty');
  });
});

describe('portable functions', () => {
  test('agree with the engine to 14 digits', () => {
    const stream = streams(5).stream('a', 'b');
    for (let i = 0; i < 5000; i++) {
      const u = stream.float();
      const x = (u - 0.5) * 100;
      const y = stream.float() - 0.5;
      expect(Math.abs(ln(u) - Math.log(u))).toBeLessThan(1e-13);
      expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(1e-14);
      expect(Math.abs(sin(x) - Math.sin(x))).toBeLessThan(1e-14);
      expect(Math.abs(cos(x) - Math.cos(x))).toBeLessThan(1e-14);
      expect(Math.abs(atan2(y, x) - Math.atan2(y, x))).toBeLessThan(1e-14);
    }
    expect([ln(0), ln(1), exp(0), exp(1000), exp(-1000), atan2(0, 0), atan2(0, -1)]).toEqual([
      Number.NEGATIVE_INFINITY,
      0,
      1,
      Number.POSITIVE_INFINITY,
      0,
      0,
      Math.PI,
    ]);
  });

  test('the normal distribution has its known values, and its inverse inverts it', () => {
    const known: [number, number][] = [
      [-6, 9.865876450377012e-10],
      [-1, 0.15865525393145707],
      [0, 0.5],
      [2, 0.9772498680518208],
    ];
    for (const [z, p] of known) {
      expect(Math.abs(normalCdf(z) / p - 1)).toBeLessThan(1e-8);
      expect(inverseNormalCdf(p)).toBeCloseTo(z, 9);
    }
    expect(Number.isFinite(inverseNormalCdf(0)) && Number.isFinite(inverseNormalCdf(1))).toBe(true);
  });
});
