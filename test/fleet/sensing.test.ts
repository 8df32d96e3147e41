/** Fixes: errors of the right size that last as long as real ones, and uncertainties that keep their word. [realism 3.1, 7.6] */
import { describe, expect, it } from 'vitest';
import { boxRing, distance, type Point } from '../../src/base/geometry/shapes.ts';
import { groundOf } from '../../src/fleet/people/ground/ground.ts';
import { floorAt, HEIGHT_SIGMA_M, type Reception, receptionAt, Senses } from '../../src/fleet/watch/sensing.ts';
import { WatchWhereabouts } from '../../src/fleet/wearer/whereabouts.ts';
import { isWhole } from '../helpers/whole.ts';
import { peopledSites, START } from './people/plants.ts';

const MANY = isWhole ? 100_000 : 20_000;

const YARD: Reception = { source: 'gps', sigmaM: 3, tauMs: 60_000 };
const ground = groundOf({
  boundary: [],
  zones: [
    {
      name: 'Shed',
      type: 'building',
      ring: boxRing(0, 0, 40, 20),
      floors: [
        { name: 'Ground', heightM: 0 },
        { name: 'Gallery', heightM: 5.5 },
      ],
      doors: [],
    },
  ],
});

/** Fixes of one watch that stands still, and how far each is off. */
function offBy(count: number, everyMs: number, reception: Reception, seed = 'a') {
  const senses = new Senses(seed, ['W-001']);
  return Array.from({ length: count }, (_, n) => {
    const { point, uncertaintyM } = senses.fix(0, [0, 0], reception, START + n * everyMs);
    return { point, uncertaintyM, metres: distance(point, [0, 0]) };
  });
}

const shareWithin = (fixes: readonly { metres: number; uncertaintyM: number | null }[]): number => {
  const stated = fixes.filter(({ uncertaintyM }) => uncertaintyM !== null);
  return stated.filter(({ metres, uncertaintyM }) => metres <= uncertaintyM!).length / stated.length;
};

describe('a fix', () => {
  it('in the open is within what it says in 66 to 70 of 100 cases, over many', () => {
    const fixes = offBy(MANY, 600_000, YARD);
    expect(shareWithin(fixes)).toBeGreaterThan(0.66);
    expect(shareWithin(fixes)).toBeLessThan(0.7);
    const unknown = fixes.filter(({ uncertaintyM }) => uncertaintyM === null).length / fixes.length;
    expect(unknown).toBeCloseTo(0.02, 2);
    expect(Math.max(...fixes.map(({ metres }) => metres))).toBeLessThanOrEqual(9 + 1e-9);
  });

  it('wherever people go is within what it says in 66 to 70 of 100 cases, and never more than 24 m off', () => {
    const fixes: { metres: number; uncertaintyM: number | null }[] = [];
    const sources = new Set<string>();
    for (const { people, persons } of peopledSites()) {
      const senses = new Senses(
        'a',
        persons.map(({ serial }) => serial),
      );
      for (let now = START; now < START + 4 * 3_600_000; now += isWhole ? 13_000 : 78_000) {
        for (const i of persons.keys()) {
          const at = people.at(i, now);
          const { point, uncertaintyM, source } = senses.fix(i, at, receptionAt(people.ground, at), now);
          sources.add(source);
          fixes.push({ metres: distance(point, at), uncertaintyM });
        }
      }
    }
    expect(fixes.length).toBeGreaterThan(isWhole ? 100_000 : 16_500);
    expect(shareWithin(fixes)).toBeGreaterThan(0.66);
    expect(shareWithin(fixes)).toBeLessThan(0.7);
    expect(Math.max(...fixes.map(({ metres }) => metres))).toBeLessThanOrEqual(24 + 1e-9);
    expect(sources).toEqual(new Set(['gps', 'network']));
  });

  it.each([
    [10_000, 60_000],
    [10_000, 90_000],
    [5_000, 20_000],
    [60_000, 60_000],
  ])('every %i ms is like the one before by exp(-dt/tau), tau %i ms', (everyMs, tauMs) => {
    const east = offBy(MANY, everyMs, { ...YARD, tauMs }).map(({ point }) => point[0]);
    const mean = east.reduce((sum, x) => sum + x, 0) / east.length;
    const variance = east.reduce((sum, x) => sum + (x - mean) ** 2, 0);
    const lagged = east.slice(1).reduce((sum, x, n) => sum + (x - mean) * (east[n]! - mean), 0);
    expect(Math.abs(lagged / variance - Math.exp(-everyMs / tauMs))).toBeLessThan(0.02);
  });

  it('of equal seeds has equal errors, and another watch changes none', () => {
    const [alone, joined] = [new Senses('a', ['W-001']), new Senses('a', ['W-000', 'W-001'])];
    for (let n = 0; n < 100; n++) {
      joined.fix(0, [5, 5], YARD, START + n * 1_000);
      expect(joined.fix(1, [1, 2], YARD, START + n * 1_000)).toEqual(alone.fix(0, [1, 2], YARD, START + n * 1_000));
    }
    expect(offBy(3, 1_000, YARD, 'b')).not.toEqual(offBy(3, 1_000, YARD, 'a'));
  });

  it('does not jump when somebody goes indoors', () => {
    const senses = new Senses('a', ['W-001']);
    let before: Point | null = null;
    for (let s = 0; s < 600; s++) {
      const { point } = senses.fix(0, [0, 0], receptionAt(ground, s < 300 ? [200, 200] : [20, 10]), START + s * 1_000);
      if (before !== null) expect(distance(before, point)).toBeLessThan(7);
      before = point;
    }
  });

  it('knows the open yard, the yard beside a wall, and a building', () => {
    expect(receptionAt(ground, [200, 200])).toMatchObject({ source: 'gps', sigmaM: 3, tauMs: 60_000 });
    expect(receptionAt(ground, [50, 10])).toMatchObject({ source: 'gps', sigmaM: 8, tauMs: 90_000 });
    expect(receptionAt(ground, [20, 10])).toMatchObject({ source: 'network', tauMs: 20_000 });
  });
});

describe('a barometer', () => {
  it('is off by 0.7 m, for a long time', () => {
    const senses = new Senses('a', ['W-001']);
    const heights = Array.from({ length: 20_000 }, (_, n) => {
      senses.fix(0, [0, 0], YARD, START + n * 3_600_000);
      return senses.height(0, 5);
    });
    const mean = heights.reduce((sum, height) => sum + height, 0) / heights.length;
    const sd = Math.sqrt(heights.reduce((sum, height) => sum + (height - mean) ** 2, 0) / heights.length);
    expect(mean).toBeCloseTo(5, 1);
    expect(sd).toBeCloseTo(HEIGHT_SIGMA_M, 1);
    senses.fix(0, [0, 0], YARD, START + 20_000 * 3_600_000);
    const one = senses.height(0, 5);
    senses.fix(0, [0, 0], YARD, START + 20_000 * 3_600_000 + 10_000);
    expect(Math.abs(senses.height(0, 5) - one)).toBeLessThan(0.4);
  });

  it('tells the floor where storeys are high enough for it', () => {
    const { floors } = ground.zones[0]!;
    expect(floorAt(floors, 0.9)).toBe('Ground');
    expect(floorAt(floors, 4.8)).toBe('Gallery');
    const low = [
      { name: 'A', heightM: 0 },
      { name: 'B', heightM: 2.6 },
    ];
    expect(floorAt(low, 0)).toBeNull();
    expect(floorAt([{ name: 'Ground', heightM: 0 }], 1.2)).toBe('Ground');
    expect(floorAt([], 1.2)).toBeNull();
  });

  it('knows beside a shelter that it is on the ground, and farther off says nothing of height', () => {
    const { people, persons } = peopledSites('1', 30)[0]!;
    const senses = new Senses(
      '1',
      persons.map(({ serial }) => serial),
    );
    const tower = people.ground.zones.find(({ name }) => name === 'Control Tower')!;
    const { ring, centre } = tower;
    const heightAt = (x: number, person: number) => {
      people.put(person, [x, centre[1]], null, false, START);
      return new WatchWhereabouts({ people, person, senses }).fix(START, { worn: true, skewMs: 0 }).height;
    };
    for (let person = 0; person < 10; person++) {
      const beside = heightAt(ring.minX - 10, person);
      expect(beside).toMatchObject({ building: null, floor: null });
      expect(Math.abs(beside!.height_m)).toBeLessThan(5 * HEIGHT_SIGMA_M);
      expect(heightAt(ring.minX - 26, person)).toBeUndefined();
      expect(heightAt(centre[0], person)).toMatchObject({ building: 'Control Tower' });
    }
  });
});
