/** The battery of a watch. [realism 3.3] */
import { describe, expect, it } from 'vitest';
import { Charge } from '../../src/fleet/watch/charge.ts';

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

describe('a charge', () => {
  const drains = { normal: 5, alarm: 20 };

  it('falls faster in an alarm, and rises only on the charger: fast to 80 %, then slower', () => {
    const charge = new Charge(50, drains, NOW);
    expect(charge.be('alarm', NOW)).toBe(true);
    expect(charge.be('alarm', NOW)).toBe(false);
    expect(charge.pct(NOW + HOUR_MS)).toBe(30);
    charge.be('charging', NOW + HOUR_MS);
    expect(charge.charging).toBe(true);
    expect(charge.pct(NOW + 1.5 * HOUR_MS)).toBe(57);
    // 50 points at 53 an hour, then 20 at 40.
    expect(charge.pct(NOW + HOUR_MS + (50 / 53 + 0.25) * HOUR_MS)).toBe(90);
    expect(charge.pct(NOW + 4 * HOUR_MS)).toBe(100);
    expect(charge.nextChangeAt(NOW + 4 * HOUR_MS)).toBe(Number.POSITIVE_INFINITY);
    charge.be('normal', NOW + 4 * HOUR_MS);
    expect(charge.pct(NOW + 6 * HOUR_MS)).toBe(90);
  });

  it('says when the shown percent is another, also while it rises', () => {
    const charge = new Charge(77.3, drains, NOW);
    charge.be('charging', NOW);
    for (let now = NOW, shown = charge.pct(NOW); shown < 100; shown++) {
      const next = charge.nextChangeAt(now);
      expect(charge.pct(next - 2)).toBe(shown);
      expect(charge.pct(next)).toBe(shown + 1);
      now = next;
    }
  });
});
