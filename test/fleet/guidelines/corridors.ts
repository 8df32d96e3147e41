/** Guideline tests of crowds in corridors: before a stair, round a corner, behind a door, with one slow person. */
import type { Point } from '../../../src/base/geometry/shapes.ts';
import type { GuidelineCheck } from './check.ts';
import { type Box, isIn, Play, point, room, scattered } from './hand-made.ts';

/** A room of 10 x 10 m, and from its east side a corridor of 2 x 20 m. */
const ROOM: Box = [0, 0, 10, 10];
const CORRIDOR: Box = [10, 4, 30, 6];
const ROOM_AND_CORRIDOR: readonly Point[] = [
  [0, 0],
  [10, 0],
  [10, 4],
  [30, 4],
  [30, 6],
  [10, 6],
  [10, 10],
  [0, 10],
];

/** 100 persons of a room who go up by a stair of 1.2 m at the end of a corridor of 2 m. */
function beforeStairs(seed: string): { waiting: number; corridor: number; stair: number } {
  const people = scattered(100, ROOM, seed).map((at) => ({ at }));
  const shelter = point('Shelter', [0, 0, 1, 1], {
    ring: ROOM_AND_CORRIDOR,
    floors: [
      { name: 'Ground', heightM: 0 },
      { name: 'Top', heightM: 6, refuge: true },
    ],
    doors: [{ at: [0, 5], widthM: 1 }],
    stairs: [{ at: [29, 5], widthM: 1.2 }],
    minHeightM: 4,
  });
  const play = new Play([shelter], people, seed);
  play.alarm();
  const times: { corridor: number[]; stair: number[] } = { corridor: [], stair: [] };
  const [isPast, isUp] = [people.map(() => false), people.map(() => false)];
  let waiting = 0;
  play.first((second) => {
    for (const [i] of people.entries()) {
      if (!isPast[i] && play.at(i, second)[0] > 12) times.corridor.push(second);
      isPast[i] ||= play.at(i, second)[0] > 12;
      if (!isUp[i] && play.heightOf(i, second) > 0) times.stair.push(second);
      isUp[i] ||= play.heightOf(i, second) > 0;
    }
    waiting = Math.max(waiting, play.waitingAt('Shelter'));
    return isUp.every((is) => is);
  });
  // Before the jam has grown back to the entrance: half of them.
  const flow = (all: readonly number[]): number => 49 / (all[49]! - all[0]!);
  return { waiting, corridor: flow(times.corridor), stair: flow(times.stair) };
}

/** When the last of 150 persons has gone through a corridor of 4 m with this outline, to its end. */
function throughS(outline: readonly Point[], start: Box, end: Point, seed: string): number {
  const people = scattered(150, start, seed).map((at) => ({ at }));
  const play = new Play([room('Corridor', outline, [[...end, 4]])], people, seed);
  const [x, y] = end;
  const away: Point = x > y ? [x + 20, y] : [x, y + 20];
  play.sendAll(() => away);
  return play.first((second) =>
    people.every((_, i) => (x > y ? play.at(i, second)[0] > x : play.at(i, second)[1] > y)),
  );
}

function corners(seed: string): { short: number; corner: number; long: number } {
  const straight = (metres: number): Point[] => [
    [0, 0],
    [metres, 0],
    [metres, 4],
    [0, 4],
  ];
  const bent: Point[] = [
    [0, 0],
    [24, 0],
    [24, 24],
    [20, 24],
    [20, 4],
    [0, 4],
  ];
  const start: Box = [0, 0, 12, 4];
  return {
    // Along the inner wall and along the outer one.
    short: throughS(straight(40), start, [40, 2], seed),
    corner: throughS(bent, start, [22, 24], seed),
    long: throughS(straight(48), start, [48, 2], seed),
  };
}

/** 30 persons of a room, all of one pace but for one. */
function withOneS(slowest: number, seed: string): number {
  const people = scattered(30, ROOM, seed).map((at, i) => ({ at, pace: i === 0 ? slowest : 1.25 }));
  const play = new Play([room('Room', ROOM, [[10, 5, 0.9]])], people, seed);
  play.sendAll((i) => [30 + (i % 10), 5]);
  return play.first((second) => people.every((_, i) => play.at(i, second)[0] > 29));
}

/** 100 persons of a room by a door of 1 m into a corridor: the most that stand in 6 m2, before the door and behind it. */
function peaks(seed: string): { before: number; behind: number } {
  const people = scattered(100, ROOM, seed).map((at) => ({ at }));
  const zones = [room('Room', ROOM, [[10, 5, 1]]), room('Corridor', CORRIDOR, [[30, 5, 2]])];
  const play = new Play(zones, people, seed);
  play.sendAll((i) => [40 + (i % 10), 5]);
  let [before, behind] = [0, 0];
  for (let second = 0; second < 150; second++) {
    const places = people.map((_, i) => play.at(i, second));
    const within = (box: Box): number => places.filter((at) => isIn(at, box)).length / 6;
    before = Math.max(before, within([7, 4, 10, 6]));
    for (let x = 11; x < 27; x += 3) behind = Math.max(behind, within([x, 4, x + 3, 6]));
  }
  return { before, behind };
}

export const CORRIDORS: readonly GuidelineCheck[] = [
  {
    id: 'RiMEA 13',
    what: '100 persons through a corridor of 2 m to a stair of 1.2 m',
    criterion: 'a jam before the stair; flow at the stair below that of the corridor by more than 0.05 p/s',
    checks: 'behaviour',
    play: (seed) => {
      const { waiting, corridor, stair } = beforeStairs(seed);
      return {
        met: waiting > 20 && corridor - stair > 0.05,
        result: `at most ${waiting} wait; ${corridor.toFixed(2)} and ${stair.toFixed(2)} p/s`,
      };
    },
  },
  {
    id: 'RiMEA 15',
    what: '150 persons round a corner of a corridor of 4 m, and straight on, as long as its inner and its outer wall',
    criterion: 'time: short <= corner <= long',
    checks: 'behaviour',
    play: (seed) => {
      const { short, corner, long } = corners(seed);
      return { met: short <= corner && corner <= long, result: `${short} <= ${corner} <= ${long} s` };
    },
  },
  {
    id: 'NIST 2.10',
    what: '30 persons, one of them at 0.4 instead of 1.25 m/s',
    criterion: 'the total time rises',
    checks: 'behaviour',
    play: (seed) => {
      const [all, slow] = [withOneS(1.25, seed), withOneS(0.4, seed)];
      return { met: slow > all, result: `${all} and ${slow} s` };
    },
  },
  {
    id: 'NIST 5.1',
    what: '100 persons by a door of 1 m into a corridor of 2 m',
    criterion: 'the highest density is before the door',
    checks: 'behaviour',
    play: (seed) => {
      const { before, behind } = peaks(seed);
      return { met: before > behind, result: `${before.toFixed(1)} and ${behind.toFixed(1)} per m2` };
    },
  },
];
