/** The battery of a watch. [realism 3.3] */
import { describe, expect, it } from 'vitest';
import { Charge } from '../../src/fleet/charge.ts';

const NOW = 1_791_180_000_000;
const HOUR_MS = 3_600_000;

describe('a battery', () => {
  it('loses so many points an hour, and says when the next is gone', () => {
    const charge = new Charge(80, { normal: 6, alarm: 20 }, NOW);
    expect(charge.pct(NOW)).toBe(80);
    expect(charge.nextChangeAt(NOW)).toBe(NOW + 10 * 60_000);
    expect(charge.pct(NOW + 10 * 60_000 - 1)).toBe(80);
    expect(charge.pct(NOW + 10 * 60_000)).toBe(79);
    expect(charge.pct(NOW + 5 * HOUR_MS)).toBe(50);
    expect(charge.pct(NOW + 50 * HOUR_MS)).toBe(0);
    expect(charge.nextChangeAt(NOW + 50 * HOUR_MS)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is what it is set to, and drains as it is told to', () => {
    const charge = new Charge(80, { normal: 0, alarm: 0 }, NOW);
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
