/** People who walk, watches that see where they are, and batteries that run down. */
import { describe, expect, it } from 'vitest';
import { distance, pointInPolygon, type Ring } from '../../src/base/geometry.ts';
import { streams } from '../../src/base/streams.ts';
import { Charge } from '../../src/fleet/charge.ts';
import { Person } from '../../src/fleet/person.ts';
import { sense } from '../../src/fleet/sensing.ts';

const NOW = 1_791_180_000_000;
const HOUR_MS = 3_600_000;
const AREA: Ring = [
  [0, 0],
  [100, 0],
  [100, 60],
  [0, 60],
];
const person = (seed = 'a', now = NOW) =>
  new Person({ at: [10, 10], area: AREA, pace: 1.5, walk: streams(seed).stream('W-001', 'walk'), now });
const puppet = () => new Person({ at: [10, 10], area: AREA, pace: 1.5, walk: null, now: NOW });

describe('a person', () => {
  it('walks about their area at their pace, and pauses', () => {
    const walker = person();
    let before = walker.at(NOW);
    let stoodMs = 0;
    for (let ms = 1_000; ms <= HOUR_MS; ms += 1_000) {
      const at = walker.at(NOW + ms);
      expect(pointInPolygon(at, AREA)).toBe(true);
      expect(distance(before, at)).toBeLessThanOrEqual(1.5 + 1e-9);
      if (distance(before, at) === 0) stoodMs += 1_000;
      before = at;
    }
    expect(stoodMs).toBeGreaterThan(0.2 * HOUR_MS);
    expect(stoodMs).toBeLessThan(0.9 * HOUR_MS);
  });

  it('is where they are, however often one looks', () => {
    const [often, seldom, other] = [person(), person(), person('b')];
    for (let ms = 0; ms < HOUR_MS; ms += 777) often.at(NOW + ms);
    expect(often.at(NOW + HOUR_MS)).toEqual(seldom.at(NOW + HOUR_MS));
    expect(other.at(NOW + HOUR_MS)).not.toEqual(seldom.at(NOW + HOUR_MS));
  });

  it('who is a puppet stands still until told', () => {
    const still = puppet();
    expect(still.at(NOW + HOUR_MS)).toEqual([10, 10]);
    still.moveTo([[40, 50]], NOW + HOUR_MS);
    expect(still.at(NOW + HOUR_MS + 10_000)).toEqual([
      expect.closeTo(10 + 0.3 * 30, 2),
      expect.closeTo(10 + 0.3 * 40, 2),
    ]);
    expect(still.at(NOW + 3 * HOUR_MS)).toEqual([40, 50]);
    still.put([1, 2], NOW + 3 * HOUR_MS);
    expect(still.at(NOW + 4 * HOUR_MS)).toEqual([1, 2]);
  });

  it('who was put somewhere goes on from there', () => {
    const walker = person();
    walker.put([90, 50], NOW + 1_000);
    expect(walker.at(NOW + 2_000)).toEqual([90, 50]);
    expect(walker.at(NOW + HOUR_MS)).not.toEqual([90, 50]);
  });

  it('whose area is a single place stays there', () => {
    const guard = new Person({ at: [5, 5], area: [[5, 5]], pace: 1, walk: streams('a').stream('W', 'walk'), now: NOW });
    expect(guard.at(NOW + HOUR_MS)).toEqual([5, 5]);
  });
});

describe('a fix', () => {
  it('of a puppet is exact', () => {
    expect(sense([3, 4], null)).toEqual({ point: [3, 4], uncertaintyM: 3 });
  });

  it('of anybody else lies some metres off, within what it says mostly', () => {
    const fixes = streams('a').stream('W-001', 'fixes');
    const sensed = Array.from({ length: 1_000 }, () => sense([3, 4], fixes));
    expect(sensed.every(({ uncertaintyM }) => uncertaintyM >= 4 && uncertaintyM <= 8)).toBe(true);
    const within = sensed.filter(({ point, uncertaintyM }) => distance(point, [3, 4]) <= uncertaintyM).length;
    expect(within).toBeGreaterThan(750);
    expect(within).toBeLessThan(950);
  });
});

describe('a battery', () => {
  it('loses so many points an hour, and says when the next is gone', () => {
    const charge = new Charge(80, 6, NOW);
    expect(charge.pct(NOW)).toBe(80);
    expect(charge.nextChangeAt(NOW)).toBe(NOW + 10 * 60_000);
    expect(charge.pct(NOW + 10 * 60_000 - 1)).toBe(80);
    expect(charge.pct(NOW + 10 * 60_000)).toBe(79);
    expect(charge.pct(NOW + 5 * HOUR_MS)).toBe(50);
    expect(charge.pct(NOW + 50 * HOUR_MS)).toBe(0);
    expect(charge.nextChangeAt(NOW + 50 * HOUR_MS)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is what it is set to, and drains as it is told to', () => {
    const charge = new Charge(80, 0, NOW);
    expect(charge.nextChangeAt(NOW)).toBe(Number.POSITIVE_INFINITY);
    charge.set({ drain: 60 }, NOW);
    expect(charge.pct(NOW + 600_000)).toBe(70);
    charge.set({ pct: 18 }, NOW + 600_000);
    expect(charge.pct(NOW + 600_000)).toBe(18);
    expect(charge.pct(NOW + 660_000)).toBe(17);
    charge.set({ drain: 0 }, NOW + 660_000);
    expect(charge.pct(NOW + HOUR_MS)).toBe(17);
  });
});
