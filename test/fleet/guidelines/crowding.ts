/** Guideline tests of crowds: density, doors, bottlenecks, stairs, and the choice of exits. */
import { distance, type Point } from '../../../src/base/geometry/shapes.ts';
import type { FleetZone } from '../../../src/fleet/people/ground/site.ts';
import type { GuidelineCheck } from './check.ts';
import { type Box, isIn, type PersonSpec, PLAIN, Play, point, room, scattered, spread } from './hand-made.ts';

/** Weidmann's speed at a density, from his paper and not from our code: 1.34 (1 - exp(-1.913 (1/rho - 1/5.4))). */
const weidmannMs = (perM2: number): number => Math.max(0, 1.34 * (1 - Math.exp(-1.913 * (1 / perM2 - 1 / 5.4))));

interface CorridorFlow {
  /** As people were placed. */
  readonly perM2: number;
  readonly ms: number;
}

/** Mean speed within a long corridor from second 10 to second 70, people evenly spread at first. */
function corridorFlow(wanted: number, widthM: number, seed: string): CorridorFlow {
  // They keep off the walls, and so stand a little closer.
  const people = spread((wanted * widthM) / (widthM - 0.6), [10, 0.3, 190, widthM - 0.3], seed);
  const corridor = room('Corridor', [0, 0, 320, widthM], [[320, widthM / 2, widthM]]);
  const play = new Play(
    [corridor],
    people.map((at) => ({ at })),
    seed,
  );
  play.sendAll((i) => [318, people[i]![1]]);
  // Those behind and before them are in the crowd as well, all the time.
  const inside = people.flatMap(([x], i) => (x > 70 && x < 100 ? [i] : []));
  const early = inside.map((i) => play.at(i, 10));
  const metres = inside.map((i, n) => distance(early[n]!, play.at(i, 70)));
  const ms = metres.reduce((sum, one) => sum + one, 0) / metres.length / 60;
  return { perM2: people.length / (180 * widthM), ms };
}

function fundamentalDiagram(widthM: number, seed: string): { met: boolean; result: string } {
  const flows = [0.5, 1, 2, 3, 4].map((perM2) => corridorFlow(perM2, widthM, seed));
  const worst = Math.max(...flows.map(({ perM2, ms }) => Math.abs(ms / weidmannMs(perM2) - 1)));
  const jamMs = Math.max(...[5, 6].map((perM2) => corridorFlow(perM2, widthM, seed).ms));
  const speeds = flows.map(({ perM2, ms }) => `${perM2.toFixed(1)}: ${ms.toFixed(2)}`).join(', ');
  const result = `${speeds} m/s, at worst ${(worst * 100).toFixed(0)} % off; then ${jamMs.toFixed(2)} m/s`;
  return { met: worst <= 0.15 && jamMs < 0.1, result };
}

const HALL: Box = [0, 0, 30, 20];

/** 1,000 persons leave a hall by two or four doors of 1 m: when the last one is out. */
function hallS(doors: 2 | 4, seed: string): number {
  const south = [7.5, 22.5].map((x) => [x, 0, 1] as const);
  const north = doors === 4 ? [7.5, 22.5].map((x) => [x, 20, 1] as const) : [];
  const points = [...south, ...north].map(([x, y], n) => {
    const away = y === 0 ? -30 : 50;
    return point(`Point ${n}`, [x - 6, away - 6, x + 6, away + 6], { capacity: 2_000 });
  });
  const people = scattered(1_000, HALL, seed).map((at) => ({ at }));
  const play = new Play([room('Hall', HALL, [...south, ...north]), ...points], people, seed);
  play.alarm();
  return allOut(play, HALL);
}

function allOut(play: Play, box: Box): number {
  let inside = Array.from({ length: play.count }, (_, i) => i);
  return play.first((second) => {
    inside = inside.filter((i) => isIn(play.at(i, second), box));
    return inside.length === 0;
  });
}

/** Persons in each room; 15 in those that are assigned the main exit. */
const CABINS = [2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2] as const;

/** Rooms 1 to 4 and 7 to 10 go to the main exit: at which ends of the corridor they come out. */
function cabins(seed: string): { main: number; secondary: number; wrong: number } {
  const corridor = room(
    'Corridor',
    [0, 0, 24, 2],
    [
      [0, 1, 1],
      [24, 1, 1],
    ],
  );
  const rooms = CABINS.map((_, n): FleetZone => {
    const [x, top] = [4 * (n % 6), n < 6];
    const box: Box = top ? [x, 2, x + 4, 7] : [x, -5, x + 4, 0];
    return room(`Cabin ${n + 1}`, box, [[x + 2, top ? 2 : 0, 0.9]]);
  });
  const people = CABINS.flatMap((count, n) => {
    const x = 4 * (n % 6);
    return scattered(count, n < 6 ? [x, 2, x + 4, 7] : [x, -5, x + 4, 0], `${seed}/${n}`).map((at) => ({ at, n }));
  });
  const isMain = (n: number): boolean => n % 6 < 4;
  const play = new Play([corridor, ...rooms], people, seed);
  play.sendAll((i) => (isMain(people[i]!.n) ? [-10, 1] : [34, 1]));
  const ends = people.map(({ n }, i) => ({
    toMain: isMain(n),
    main: play.at(i, 300)[0] < 0,
    out: !isIn(play.at(i, 300), [0, -5, 24, 7]),
  }));
  return {
    main: ends.filter(({ main, out }) => out && main).length,
    secondary: ends.filter(({ main, out }) => out && !main).length,
    wrong: ends.filter(({ toMain, main, out }) => !out || toMain !== main).length,
  };
}

/** 1,000 persons in one half of a hall: how many take the near door, and how many the far one. */
function nearAndFar(seed: string): { near: number; far: number } {
  const hall: Box = [0, 0, 50, 20];
  const people = scattered(1_000, [0, 0, 25, 20], seed).map((at) => ({ at }));
  const zones = [
    room('Hall', hall, [
      [18, 0, 1],
      [50, 10, 1],
    ]),
    point('Point', [40, -50, 60, -30], { capacity: 2_000 }),
  ];
  const play = new Play(zones, people, seed);
  play.alarm();
  const doors: Point[] = [
    [18, 0],
    [50, 10],
  ];
  const counts = [0, 0];
  let inside = people.map((_, i) => i);
  play.first((second) => {
    inside = inside.filter((i) => {
      const at = play.at(i, second);
      if (isIn(at, hall)) return true;
      counts[distance(at, doors[0]!) < distance(at, doors[1]!) ? 0 : 1]! += 1;
      return false;
    });
    return inside.length === 0;
  });
  return { near: counts[0]!, far: counts[1]! };
}

/** 150 persons through two doors of 1 m, one after the other. */
function twoBottlenecks(seed: string): { first: number; second: number; flows: readonly [number, number] } {
  const [before, between]: Box[] = [
    [0, 0, 10, 10],
    [10, 0, 20, 10],
  ];
  const people = scattered(150, before!, seed).map((at) => ({ at }));
  const zones = [room('First room', before!, [[10, 5, 1]]), room('Second room', between!, [[20, 5, 1]])];
  const play = new Play(zones, people, seed);
  play.sendAll((i) => [30 + (i % 10), 5]);
  let [first, second] = [0, 0];
  const times: number[][] = [[], []];
  const stage = people.map(() => 0);
  play.first((s) => {
    for (const [i] of people.entries()) {
      const [x] = play.at(i, s);
      for (const door of [0, 1]) {
        if (stage[i] !== door || x <= 10 * (door + 1)) continue;
        stage[i] = door + 1;
        times[door]!.push(s);
      }
    }
    first = Math.max(first, play.waitingAt('First room'));
    second = Math.max(second, play.waitingAt('Second room'));
    return stage.every((one) => one === 2);
  });
  const flow = (all: readonly number[]): number => (all.length - 1) / (all.at(-1)! - all[0]!);
  return { first, second, flows: [flow(times[0]!), flow(times[1]!)] };
}

/** 100 persons out of a room of 8 x 5 m by a door of 1 m. */
function oneDoor(seed: string): { outS: number; flow: number } {
  const box: Box = [0, 0, 8, 5];
  const people = scattered(100, box, seed).map((at) => ({ at }));
  const play = new Play([room('Room', box, [[8, 2.5, 1]])], people, seed);
  play.sendAll((i) => [25 + (i % 10), 2.5]);
  const outS = allOut(play, box);
  return { outS, flow: 100 / outS };
}

/** 60 persons on three floors, all of one pace: when the last one is out. */
function houseS(pace: number, seed: string): number {
  const box: Box = [0, 0, 20, 12];
  const floors = ['Ground', 'First', 'Second'].map((name, n) => ({ name, heightM: 3.5 * n }));
  const people = floors.flatMap(({ name }, n) =>
    scattered(20, box, `${seed}/${n}`).map((at): PersonSpec => ({ at, pace, zone: 'House', floor: name })),
  );
  const house = room('House', box, [[20, 6, 1.2]], { floors, stairs: [{ at: [3, 6], widthM: 1.2 }] });
  const play = new Play([house], people, seed);
  play.sendAll((i) => [30 + (i % 10), 6]);
  return allOut(play, box);
}

/** 60 persons; the point that half of them head for is excluded after a second. */
function excludedPoint(seed: string): { first: number; other: number } {
  const people = scattered(60, [0, 0, 20, 20], seed).map((at) => ({ at }));
  const zones = [point('Point 1', [-60, 0, -40, 20]), point('Point 2', [60, 0, 80, 20])];
  const play = new Play(zones, people, seed, PLAIN);
  play.alarm();
  play.at(0, 1);
  play.alarm(1, ['Point 1'], 2);
  const ends = people.map((_, i) => play.at(i, 400));
  return {
    first: ends.filter((at) => isIn(at, [-60, 0, -40, 20])).length,
    other: ends.filter((at) => isIn(at, [60, 0, 80, 20])).length,
  };
}

export const CROWDING: readonly GuidelineCheck[] = [
  {
    id: 'RiMEA 4',
    what: 'corridor 10 m wide, 0.5 to 6 persons per m2, 10 to 70 s',
    criterion: "Weidmann's speeds within 15 % up to 4 per m2, a standstill (below 0.1 m/s) at 5 and 6",
    checks: 'behaviour',
    play: (seed) => fundamentalDiagram(10, seed),
  },
  {
    id: 'RiMEA 4',
    what: 'the same, corridor 2 m wide',
    criterion: "Weidmann's speeds within 15 % up to 4 per m2, a standstill (below 0.1 m/s) at 5 and 6",
    checks: 'behaviour',
    play: (seed) => fundamentalDiagram(2, seed),
  },
  {
    id: 'RiMEA 8',
    what: '60 persons on three floors, at 0.50, 0.75 and 1.00 m/s',
    criterion: 'the slower, the later',
    checks: 'behaviour',
    play: (seed) => {
      const [slow, middle, fast] = [0.5, 0.75, 1].map((pace) => houseS(pace, seed)) as [number, number, number];
      return { met: slow > middle && middle > fast, result: `${slow} > ${middle} > ${fast} s` };
    },
  },
  {
    id: 'RiMEA 9',
    what: '1,000 persons, 30 x 20 m, four doors of 1 m, then two',
    criterion: 'twice the time: 1.6 to 2.4',
    checks: 'behaviour',
    play: (seed) => {
      const [four, two] = [hallS(4, seed), hallS(2, seed)];
      const ratio = two / four;
      return { met: ratio >= 1.6 && ratio <= 2.4, result: `${four} s and ${two} s, ${ratio.toFixed(2)}` };
    },
  },
  {
    id: 'RiMEA 10, NIST 3.1',
    what: 'corridor with 12 rooms, 23 persons, assigned exits',
    criterion: '15 by the main exit, 8 by the secondary',
    checks: 'input',
    play: (seed) => {
      const { main, secondary, wrong } = cabins(seed);
      return { met: main === 15 && secondary === 8 && wrong === 0, result: `${main} and ${secondary}` };
    },
  },
  {
    id: 'RiMEA 11',
    what: '1,000 persons, a near exit and a far one',
    criterion: 'more by the near one, some by the far one',
    checks: 'behaviour',
    play: (seed) => {
      const { near, far } = nearAndFar(seed);
      return { met: near > far && far > 0, result: `${near} and ${far}` };
    },
  },
  {
    id: 'RiMEA 12',
    what: '150 persons, two doors of 1 m in series',
    criterion: 'no jam at the second (at most 5 % of them); flow first - last >= -0.05 p/s',
    checks: 'behaviour',
    play: (seed) => {
      const { first, second, flows } = twoBottlenecks(seed);
      const met = second <= 0.05 * 150 && first > second && flows[0] - flows[1] >= -0.05;
      return {
        met,
        result: `at most ${first} and ${second} wait; ${flows.map((one) => one.toFixed(2)).join(' and ')} p/s`,
      };
    },
  },
  {
    id: 'IMO 4, NIST 5.2',
    what: '100 persons, 8 x 5 m, one door of 1 m',
    criterion: 'mean flow at most 1.33 p/s (by hand, SFPE: 0.93 p/s, 107 s)',
    checks: 'behaviour',
    play: (seed) => {
      const { outS, flow } = oneDoor(seed);
      return { met: flow <= 1.33 && Math.abs(outS / 107.4 - 1) < 0.1, result: `${flow.toFixed(2)} p/s, ${outS} s` };
    },
  },
  {
    id: 'NIST 4.1',
    what: '60 persons, the first of two exits (assembly points) is closed after 1 s',
    criterion: 'all at the second',
    checks: 'behaviour',
    play: (seed) => {
      const { first, other } = excludedPoint(seed);
      return { met: first === 0 && other === 60, result: `${first} and ${other}` };
    },
  },
];
