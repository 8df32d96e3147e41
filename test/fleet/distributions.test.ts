/** What chance decides about people and watches has the published distributions: a statistical test for each. [realism 2.2, 3.1, 3.3] */
import { describe, expect, it } from 'vitest';
import { distance } from '../../src/base/geometry/shapes.ts';
import { Draws } from '../../src/base/random/draws.ts';
import { normalCdf } from '../../src/base/random/normal-distribution.ts';
import { streams } from '../../src/base/random/streams.ts';
import { temperOf } from '../../src/fleet/people/muster/muster-knobs.ts';
import { drainsOf } from '../../src/fleet/watch/charge.ts';
import { skewOf } from '../../src/fleet/watch/emulate.ts';
import { type Reception, Senses } from '../../src/fleet/watch/sensing.ts';

const START = 1_791_180_000_000;
const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `W-${n}`);

/** Kolmogorov-Smirnov: the largest distance between the values and the distribution, in units of its 1 % limit. */
function misfit(values: readonly number[], cdf: (value: number) => number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const count = sorted.length;
  const worst = sorted.reduce((most, value, n) => {
    const expected = cdf(value);
    return Math.max(most, expected - n / count, (n + 1) / count - expected);
  }, 0);
  return (worst * Math.sqrt(count)) / 1.628;
}

/** The distribution function of a standard normal value that is cut to -limit..limit. */
const cutNormalCdf = (z: number, limit: number): number =>
  (normalCdf(z) - normalCdf(-limit)) / (normalCdf(limit) - normalCdf(-limit));

describe('the start delay of people who are awake', () => {
  it('is a lognormal truncated at 300 s: its tail is left out, and nobody starts at exactly 300 s', () => {
    const people = names(20_000);
    const draws = new Draws('delays', 'muster', people);
    const delays = people.map((_, i) => temperOf(draws, i, 'general', { makeSafeShare: 0 }));
    const startS = delays.filter(({ behaviour }) => behaviour !== 'ignores').map(({ startMs }) => startMs / 1_000);
    const below = (s: number) => normalCdf((Math.log(s) - 3.44) / 0.94);
    expect(misfit(startS, (s) => below(s) / below(300))).toBeLessThan(1);
    expect(Math.max(...startS)).toBeLessThan(300);
    expect(new Set(startS.filter((s) => s > 299)).size).toBe(startS.filter((s) => s > 299).length);
  });
});

describe('the clocks of watches', () => {
  it('are off by 0.4 s, and one in 200 is wrong by 20 to 120 s', () => {
    const chance = streams('clocks');
    const skews = names(40_000).map((serial) => skewOf(chance.stream(serial, 'clock')));
    const wrong = skews.filter((ms) => Math.abs(ms) > 10_000);
    // Three standard deviations of a binomial share.
    expect(Math.abs(wrong.length / skews.length - 0.005)).toBeLessThan(3 * Math.sqrt((0.005 * 0.995) / skews.length));
    expect(misfit(wrong.map(Math.abs), (ms) => (ms - 20_000) / 100_000)).toBeLessThan(1);
    expect(Math.abs(wrong.filter((ms) => ms > 0).length / wrong.length - 0.5)).toBeLessThan(0.11);
    const usual = skews.filter((ms) => Math.abs(ms) <= 10_000);
    expect(misfit(usual, (ms) => normalCdf(ms / 400))).toBeLessThan(1);
  });
});

describe('the drains of watches', () => {
  it('differ: the usual times a lognormal of deviation 0.15 that is cut at twice it', () => {
    const chance = streams('drains');
    const drains = names(20_000).map((serial) => drainsOf(chance.stream(serial, 'battery')));
    const shares = drains.map(({ normal }) => Math.log(normal / 4.5) / 0.15);
    expect(misfit(shares, (z) => cutNormalCdf(z, 2))).toBeLessThan(1);
    for (const { normal, alarm } of drains.slice(0, 100)) expect(alarm / normal).toBeCloseTo(20 / 4.5, 9);
  });
});

describe('the errors of positions', () => {
  it.each<[string, Reception]>([
    ['the open', { source: 'gps', sigmaM: 3, tauMs: 60_000 }],
    ['a shelter', { source: 'network', sigmaM: 4, tauMs: 20_000 }],
  ])('in %s are within the stated radius in 68 % of fixes, and within 1.62 times it in 95 %', (_place, reception) => {
    const watches = names(400);
    const senses = new Senses('errors', watches);
    const errors: number[] = [];
    for (let n = 0; n < 250; n++)
      for (const [i] of watches.entries()) {
        const fix = senses.fix(i, [0, 0], reception, START + n * 300_000);
        if (fix.uncertaintyM !== null) errors.push(distance(fix.point, [0, 0]) / fix.uncertaintyM);
      }
    const within = (radii: number) => errors.filter((error) => error <= radii).length / errors.length;
    expect(Math.abs(within(1) - 0.68)).toBeLessThan(0.01);
    expect(Math.abs(within(1.62) - 0.95)).toBeLessThan(0.005);
  });

  it('have stated radii that vary by 0.25 as the power of e', () => {
    const watches = names(20_000);
    const senses = new Senses('radii', watches);
    const reception = { source: 'gps', sigmaM: 3, tauMs: 60_000 } as const;
    const stated = watches.flatMap((_, i) => senses.fix(i, [0, 0], reception, START).uncertaintyM ?? []);
    const logs = stated.map((metres) => Math.log(metres / (1.51 * 3)));
    const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
    const deviation = Math.sqrt(logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / logs.length);
    expect(mean).toBeCloseTo(0, 1);
    expect(deviation).toBeGreaterThan(0.22);
    expect(deviation).toBeLessThan(0.26);
  });
});
