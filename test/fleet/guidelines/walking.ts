/** Guideline tests of one person and of small groups: speeds, stairs, corners, start delays. */

import { distance, type Point, pointInPolygon } from '../../../src/base/geometry/shapes.ts';
import { Draws } from '../../../src/base/random/draws.ts';
import { normalCdf } from '../../../src/base/random/normal-distribution.ts';
import { ln } from '../../../src/base/random/portable-math.ts';
import { type GuidelineCheck, seconds } from './check.ts';
import { type PersonSpec, PLAIN, Play, point, room, scattered } from './hand-made.ts';

/** Time over the metres from x = 2 to x = 42 of a corridor. */
function corridorS(pace: number): number {
  const play = new Play([room('Corridor', [0, 0, 46, 2], [])], [{ at: [2, 1], pace }], '1');
  play.send(0, [44, 1]);
  return play.first((second) => play.at(0, second)[0] >= 42, { step: 0.1 });
}

// Rise of a flight of 10 m, of steps of 18 on 28 cm.
const FLIGHT_RISE_M = 5.4;
/** The pace on the flat of people who climb at that speed. [realism 2.1] */
const flatPace = (stairMs: number, share: number): number => (stairMs * 1.34) / share;

const isOnStairs = (play: Play, top: number) => (second: number) => {
  const height = play.heightOf(0, second);
  return height > 0 && height < top;
};

/** From the first second on the stairs to the last. */
function stairsS(play: Play, top: number): number {
  const on = isOnStairs(play, top);
  const begins = play.first(on);
  let second = begins;
  while (on(second)) second += 1;
  // The first and the last second are on a floor at one end.
  return second - begins + 1;
}

function upS(metres: number, stairMs: number): number {
  const top = (metres * FLIGHT_RISE_M) / 10;
  const floors = [
    { name: 'Ground', heightM: 0 },
    { name: 'Top', heightM: top, refuge: true },
  ];
  const tower = point('Tower', [0, 0, 20, 20], { floors, minHeightM: top - 1.5, doors: [{ at: [10, 0], widthM: 2 }] });
  const play = new Play([tower], [{ at: [10, -5], pace: flatPace(stairMs, 0.61) }], '1');
  play.alarm();
  return stairsS(play, top);
}

function downS(metres: number, stairMs: number): number {
  const top = (metres * FLIGHT_RISE_M) / 10;
  const floors = [
    { name: 'Ground', heightM: 0 },
    { name: 'Top', heightM: top },
  ];
  const house = room('House', [0, 0, 20, 20], [[10, 0, 2]], { floors });
  const person = { at: [5, 5], pace: flatPace(stairMs, 0.69), zone: 'House', floor: 'Top' } as const;
  const play = new Play([house], [person], '1');
  play.send(0, [10, -10]);
  return stairsS(play, top);
}

const near = (value: number, wanted: number, share: number): boolean => Math.abs(value / wanted - 1) <= share;

const CORNER: readonly Point[] = [
  [0, 0],
  [12, 0],
  [12, 12],
  [10, 12],
  [10, 2],
  [0, 2],
];

function corner(seed: string): { outside: number; outS: number } {
  const people = scattered(20, [0, 0, 6, 2], seed).map((at) => ({ at }));
  const play = new Play([room('Corner', CORNER, [[11, 12, 2]])], people, seed);
  play.sendAll((i) => [11 + (i % 5) * 0.1, 20]);
  let outside = 0;
  const outS = play.first(
    (second) => {
      const places = people.map((_, i) => play.at(i, second));
      // Before the exit, all are within the walls.
      outside += places.filter((at) => at[1] < 12 && !pointInPolygon(at, CORNER)).length;
      return places.every((at) => at[1] >= 12);
    },
    { step: 0.2, limit: 120 },
  );
  return { outside, outS };
}

/** Age groups: slowest and fastest, metres per second. [realism 2.1, RiMEA] */
const AGES = [
  [0.58, 1.61],
  [1.41, 1.54],
  [0.68, 1.41],
  [0.46, 0.76],
] as const;

/** The speeds at which people go who are far from each other. */
function speedsOf(paces: readonly number[], seed: string): number[] {
  const people = paces.map((pace, n): PersonSpec => ({ at: [0, 20 * n], pace }));
  const play = new Play([], people, seed);
  play.sendAll((i) => [200, 20 * i]);
  return paces.map((_, i) => distance(play.at(i, 10), play.at(i, 60)) / 50);
}

/** The largest distance between the shares of a sample and a distribution. */
function kolmogorovSmirnov(sample: readonly number[], cdf: (value: number) => number): number {
  const sorted = [...sample].sort((a, b) => a - b);
  return Math.max(
    ...sorted.map((value, n) =>
      Math.max(Math.abs((n + 1) / sorted.length - cdf(value)), Math.abs(n / sorted.length - cdf(value))),
    ),
  );
}

/** The limit of that distance for p = 0.05. */
const ksLimit = (n: number): number => 1.358 / Math.sqrt(n);

function startDelays(seed: string): number[] {
  const at = Array.from({ length: 1_000 }, (_, n): Point => [15 * (n % 32), 15 * Math.floor(n / 32)]);
  const { start: _, ...plain } = PLAIN;
  const play = new Play(
    [point('Point', [600, 200, 640, 240])],
    at.map((one) => ({ at: one })),
    seed,
    plain,
  );
  play.alarm();
  const begins = play.at(0, 1);
  const delays = at.map(() => 0);
  for (let second = 1; second <= 302; second++)
    for (const [i, delay] of delays.entries()) {
      if (delay === 0 && distance(play.at(i, second + 0.5), i === 0 ? begins : play.at(i, second)) > 0.1)
        delays[i] = second;
    }
  // They set out at the whole second after the drawn delay.
  return delays.map((delay) => delay - 0.5);
}

export const WALKING: readonly GuidelineCheck[] = [
  {
    id: 'RiMEA 1',
    what: 'one person, corridor of 40 m, 1.33 m/s',
    criterion: '26 to 34 s',
    checks: 'behaviour',
    play: () => {
      const s = corridorS(1.33);
      return { met: s >= 26 && s <= 34, result: seconds(s) };
    },
  },
  {
    id: 'IMO 1, NIST 2.1',
    what: 'one person, corridor of 40 m, 1.0 m/s',
    criterion: '40 s; 1.0 m/s within 0.05',
    checks: 'behaviour',
    play: () => {
      const s = corridorS(1);
      return { met: Math.abs(40 / s - 1) <= 0.05, result: seconds(s) };
    },
  },
  {
    id: 'RiMEA 2',
    what: 'one person up a stair of 10 m at 0.50 m/s',
    criterion: '20.0 s within 5 %',
    checks: 'behaviour',
    play: () => {
      const s = upS(10, 0.5);
      return { met: near(s, 20, 0.05), result: seconds(s) };
    },
  },
  {
    id: 'RiMEA 3',
    what: 'one person down a stair of 10 m at 0.65 m/s',
    criterion: '15.4 s within 5 %',
    checks: 'behaviour',
    play: () => {
      const s = downS(10, 0.65);
      return { met: near(s, 10 / 0.65, 0.05), result: seconds(s) };
    },
  },
  {
    id: 'NIST 2.2',
    what: 'one person on stairs of 100 m at 1.0 m/s, up and down',
    criterion: '1.0 m/s within 0.05',
    checks: 'behaviour',
    play: () => {
      const speeds = [100 / upS(100, 1), 100 / downS(100, 1)];
      return {
        met: speeds.every((ms) => Math.abs(ms - 1) <= 0.05),
        result: `${speeds.map((ms) => ms.toFixed(2)).join(' and ')} m/s`,
      };
    },
  },
  {
    id: 'RiMEA 5',
    what: '10 persons who start after 10, 20 ... 100 s',
    criterion: 'each within 1 s of their time',
    checks: 'input',
    play: (seed) => {
      const people = scattered(10, [0, 0, 8, 5], seed).map((at) => ({ at }));
      const play = new Play([room('Room', [0, 0, 8, 5], [[8, 2.5, 1]])], people, seed);
      const late = people.map((_, i) => {
        const due = 10 * (i + 1);
        play.at(i, due);
        play.send(i, [20, 2.5], due);
        return Math.abs(play.first((second) => distance(play.at(i, due + second), play.at(i, due)) > 0, { step: 0.1 }));
      });
      return { met: late.every((s) => s <= 1), result: `at most ${seconds(Math.max(...late))} late` };
    },
  },
  {
    id: 'RiMEA 6, NIST 2.3',
    what: '20 persons round a corner',
    criterion: 'none in a wall, all out within 60 s',
    checks: 'behaviour',
    play: (seed) => {
      const { outside, outS } = corner(seed);
      return { met: outside === 0 && outS < 60, result: `${outside} in a wall, out at ${seconds(outS)}` };
    },
  },
  {
    id: 'RiMEA 7',
    what: '4 x 50 persons by age group',
    criterion: 'every speed in the table',
    checks: 'input',
    play: (seed) => {
      const draws = new Draws(seed, 'ages', ['all']);
      const off = AGES.flatMap(([least, most]) => {
        const paces = Array.from({ length: 50 }, () => draws.between(0, least, most));
        return speedsOf(paces, seed).filter((ms) => ms < least - 1e-6 || ms > most + 1e-6);
      });
      return { met: off.length === 0, result: `${off.length} of 200 outside` };
    },
  },
  {
    id: 'NIST 2.4',
    what: '100 persons, speeds N(1.2, 0.2)',
    criterion: 'Kolmogorov-Smirnov, p > 0.05',
    checks: 'input',
    play: (seed) => {
      const draws = new Draws(seed, 'speeds', ['all']);
      const speeds = speedsOf(
        Array.from({ length: 100 }, () => draws.normal(0, 1.2, 0.2)),
        seed,
      );
      const far = kolmogorovSmirnov(speeds, (ms) => normalCdf((ms - 1.2) / 0.2));
      return { met: far < ksLimit(100), result: `D ${far.toFixed(3)} < ${ksLimit(100).toFixed(3)}` };
    },
  },
  {
    id: 'NIST 1.1',
    what: '1,000 persons, start delays of a muster against the lognormal (3.44, 0.94) cut at 300 s',
    criterion: 'Kolmogorov-Smirnov, p > 0.05',
    checks: 'behaviour',
    play: (seed) => {
      const delays = startDelays(seed);
      const far = kolmogorovSmirnov(delays, (s) => (s >= 299 ? 1 : normalCdf((ln(s) - 3.44) / 0.94)));
      return { met: far < ksLimit(1_000), result: `D ${far.toFixed(3)} < ${ksLimit(1_000).toFixed(3)}` };
    },
  },
];
