/** Crowds: doors and stairs that let some pass at a time, density that slows people, points that are full, and who is not part of it. */
import { describe, expect, it } from 'vitest';
import { distance, type Point, pointInPolygon } from '../../../src/base/geometry/shapes.ts';
import { weidmann } from '../../../src/fleet/people/density.ts';
import { type Box, isIn, PLAIN, Play, point, room, SECOND, START, scattered } from '../guidelines/hand-made.ts';

const ROOM: Box = [0, 0, 10, 10];

/** People in a room with one door of that width, sent out of it. */
function leaving(count: number, widthM: number, seed = '1'): Play {
  const people = scattered(count, ROOM, seed).map((at) => ({ at }));
  const play = new Play([room('Room', ROOM, [[10, 5, widthM]])], people, seed);
  play.sendAll((i) => [30 + (i % 10), 5]);
  return play;
}

const inside = (play: Play, second: number): number[] =>
  play.persons.flatMap((_, i) => (isIn(play.at(i, second), ROOM) ? [i] : []));

describe('a door', () => {
  it('lets 1.33 people a second and metre pass, without 0.30 m of its width', () => {
    for (const [widthM, perS] of [
      [0.8, 0.665],
      [1, 0.931],
      [1.5, 1.596],
    ] as const) {
      const play = leaving(100, widthM);
      const [left20, left50] = [inside(play, 20), inside(play, 50)].map(({ length }) => length);
      expect((left20! - left50!) / 30, `${widthM} m`).toBeGreaterThan(perS - 0.07);
      expect((left20! - left50!) / 30, `${widthM} m`).toBeLessThan(perS + 0.07);
    }
  });

  it('shows how many wait at it, and the grid how many are where', () => {
    const play = leaving(60, 1);
    play.at(0, 15);
    const [queue, ...others] = play.people.queues();
    expect(others).toEqual([]);
    expect(queue?.door).toEqual({ kind: 'door', zone: 'Room', at: [10, 5], perS: 1.33 * 0.7 });
    const left = inside(play, 15).length;
    expect(queue!.waiting).toBeGreaterThan(30);
    expect(queue!.waiting).toBeLessThanOrEqual(left);
    const grid = play.people.density!;
    const counted = grid.occupied();
    expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(60);
    for (const { column, row, count } of counted) {
      const [x, y] = [grid.origin[0] + column * grid.cellM, grid.origin[1] + row * grid.cellM];
      const there = play.persons.filter((_, i) => {
        const at = play.at(i, 15);
        return at[0] >= x && at[0] < x + grid.cellM && at[1] >= y && at[1] < y + grid.cellM;
      });
      expect(count).toBe(there.length);
      expect(grid.countAt(column, row)).toBe(count);
    }
  });

  it('is passed in the order of arrival, by nobody twice, and those who wait are packed in front of it', () => {
    const play = leaving(80, 1);
    let before = inside(play, 0);
    for (let second = 1; second < 100; second++) {
      const now = inside(play, second);
      expect(now.filter((i) => !before.includes(i))).toEqual([]);
      before = now;
      if (second === 20) for (const i of now) expect(distance(play.at(i, second), [10, 5])).toBeLessThan(6);
    }
    expect(inside(play, 120)).toEqual([]);
  });

  it('does not wait for a person who falls in the queue', () => {
    const play = leaving(40, 1);
    play.at(0, 10);
    const nearest = inside(play, 10).sort(
      (a, b) => distance(play.at(a, 10), [10, 5]) - distance(play.at(b, 10), [10, 5]),
    )[0]!;
    play.people.hold(nearest, 'fallen', START + 10 * SECOND);
    expect(inside(play, 80)).toEqual([nearest]);
    play.people.free(nearest, START + 80 * SECOND);
    expect(play.people.queues()).toEqual([]);
  });

  it('costs one person no time', () => {
    const [alone, open] = [[[10, 5, 1]] as const, [] as const].map((doors) => {
      const zones = doors.length === 0 ? [] : [room('Room', ROOM, doors)];
      const play = new Play(zones, [{ at: [1, 5] }], '1');
      play.send(0, [30, 5]);
      return play.first((second) => play.at(0, second)[0] >= 29, { step: 0.1 });
    });
    expect(alone).toBe(open);
  });

  it('is no obstacle for scripted workers, who go as their script says, but others see them', () => {
    const crowd = scattered(60, ROOM, '1').map((at) => ({ at, behave: 'scripted' as const }));
    const walker: Point = [1, 5];
    const alone = new Play([room('Room', ROOM, [[10, 5, 1]])], [{ at: walker }], '1');
    const among = new Play([room('Room', ROOM, [[10, 5, 1]])], [{ at: walker }, ...crowd], '1');
    for (const play of [alone, among]) play.send(0, [30, 5]);
    expect(among.at(0, 5)[0]).toBeLessThan(alone.at(0, 5)[0] - 0.3);
    for (let i = 1; i <= 60; i++) among.send(i, [40, 5], 10);
    // 60 people would need a minute and more.
    expect(inside(among, 25).filter((i) => i > 0)).toEqual([]);
  });
});

describe('a stair', () => {
  it('lets 1.01 people a second and metre pass, and stands where the site says', () => {
    const floors = [
      { name: 'Ground', heightM: 0 },
      { name: 'Top', heightM: 8 },
    ];
    const people = scattered(40, ROOM, '1').map((at) => ({ at, zone: 'House', floor: 'Top' }));
    const house = room('House', ROOM, [[10, 5, 3]], { floors, stairs: [{ at: [2, 2], widthM: 1.2 }] });
    const play = new Play([house], people, '1');
    play.sendAll((i) => [30 + (i % 10), 5]);
    let elsewhere = 0;
    for (let second = 1; second <= 120; second++)
      for (const [i] of people.entries()) {
        const height = play.heightOf(i, second);
        if (height > 0 && height < 8 && distance(play.at(i, second), [2, 2]) > 0.01) elsewhere += 1;
      }
    expect(elsewhere).toBe(0);
    play.at(0, 120);
    expect(inside(play, 120)).toEqual([]);
    const again = new Play([house], people, '1');
    again.sendAll((i) => [30 + (i % 10), 5]);
    const up = (second: number): number => people.filter((_, i) => again.heightOf(i, second) === 8).length;
    const flow = (up(10) - up(30)) / 20;
    expect(flow).toBeGreaterThan(0.85);
    expect(flow).toBeLessThan(0.97);
    expect(again.people.queues().map(({ door }) => door.kind)).toContain('stair');
  });
});

describe('density', () => {
  it("slows people by Weidmann's formula", () => {
    expect(weidmann(0.2)).toBe(1);
    expect(weidmann(1)).toBeCloseTo(1.058 / 1.34, 2);
    expect(weidmann(2)).toBeCloseTo(0.606 / 1.34, 2);
    expect(weidmann(6)).toBeCloseTo(0.06 / 1.34, 5);
  });

  it('does not reach through a wall', () => {
    const crowd = scattered(200, ROOM, '1').map((at) => ({ at, behave: 'scripted' as const }));
    const zones = [room('Room', ROOM, [[10, 5, 1]])];
    const play = new Play(zones, [{ at: [-10, -1] as const }, ...crowd], '1');
    play.send(0, [20, -1]);
    expect(play.at(0, 10)[0]).toBeCloseTo(3.4, 6);
  });
});

describe('an assembly point that is full', () => {
  const people = scattered(40, [0, 0, 20, 20], '1').map((at) => ({ at }));
  const at = (play: Play, box: Box): number => people.filter((_, i) => isIn(play.at(i, 600), box)).length;
  const near: Box = [40, 0, 60, 20];
  const far: Box = [120, 0, 140, 20];

  it('sends those who come on to the next that has room', () => {
    const play = new Play([point('Near', near, { capacity: 25 }), point('Far', far, { capacity: 30 })], people, '1');
    play.alarm();
    expect([at(play, near), at(play, far)]).toEqual([25, 15]);
  });

  it('keeps them where no other has room', () => {
    const play = new Play([point('Near', near, { capacity: 25 }), point('Far', far, { capacity: 5 })], people, '1');
    play.alarm();
    expect([at(play, near), at(play, far)]).toEqual([25, 15]);
    expect(people.filter((_, i) => play.people.activity(i) === 'at_point').length).toBe(40);
  });

  it('has room for two people per square metre where the site says nothing', () => {
    const play = new Play([point('Near', [40, 0, 43, 3]), point('Far', far)], people, '1');
    play.alarm();
    expect(at(play, [40, 0, 43, 3])).toBe(18);
  });
});

describe('habit', () => {
  it('takes a share of people to the point that they know, where that is not much farther', () => {
    const people = scattered(400, [0, 0, 60, 60], '1').map((at) => ({ at }));
    const share = (x: number): number => {
      const zones = [point('Near', [-60, 0, -20, 60]), point('Known', [x, 0, x + 40, 60])];
      const play = new Play(zones, people, '1', { ...PLAIN, habitShare: 0.5 });
      play.alarm();
      return people.filter((_, i) => play.at(i, 900)[0] >= x).length / people.length;
    };
    // Half of them have a habit, and for half of those it is this point.
    expect(share(200)).toBeGreaterThan(0.2);
    expect(share(200)).toBeLessThan(0.3);
    expect(share(600)).toBe(0);
  });
});

describe('a room that is emptied', () => {
  /** When the last of 120 is out, of a room that is turned and moved, with that many doors of 1 m, at that pace. */
  function emptyS({ turned = 0, moved = 0, doors = 1, pace = 1.34, more = 0 } = {}): number {
    const [cos, sin] = [Math.cos(turned), Math.sin(turned)];
    const place = ([x, y]: Point): Point => [moved + x * cos - y * sin, moved + x * sin + y * cos];
    const ring = (
      [
        [0, 0],
        [12, 0],
        [12, 8],
        [0, 8],
      ] as const
    ).map(place);
    const ways = (
      [
        [12, 4],
        [0, 4],
        [6, 8],
      ] as const
    )
      .slice(0, doors)
      .map((at) => [...place(at), 1] as const);
    const people = scattered(120, [0, 0, 12, 8], '1').map((at) => ({ at: place(at), pace }));
    // Others far from there.
    const others = Array.from({ length: more }, (_, n) => ({ at: [500 + 3 * n, 900] as const }));
    const gathering = (
      [
        [60, 4],
        [-60, 4],
        [6, 60],
      ] as const
    ).map((at, n) =>
      room(
        `Point ${n}`,
        [
          [-8, -8],
          [8, -8],
          [8, 8],
          [-8, 8],
        ].map(([x, y]) => place([at[0] + x!, at[1] + y!])),
        [],
        {
          type: 'assembly_point',
        },
      ),
    );
    const play = new Play([room('Room', ring, ways), ...gathering], [...people, ...others], '1');
    play.alarm();
    const isInside = (i: number, second: number): boolean => pointInPolygon(play.at(i, second), ring);
    return play.first((second) => people.every((_, i) => !isInside(i, second)));
  }

  it('takes as long wherever it is, however it is turned, and whoever else is far from it', () => {
    const plain = emptyS();
    for (const turned of [0.4, 1.1, 2.7]) expect(Math.abs(emptyS({ turned }) - plain)).toBeLessThanOrEqual(4);
    for (const moved of [-731.3, 1.5, 4_000.25]) expect(Math.abs(emptyS({ moved }) - plain)).toBeLessThanOrEqual(4);
    expect(emptyS({ more: 50 })).toBe(plain);
  });

  it('is empty sooner with one more door, and never later where people are faster', () => {
    const [one, two, three] = [1, 2, 3].map((doors) => emptyS({ doors })) as [number, number, number];
    expect(two).toBeLessThan(0.8 * one);
    expect(three).toBeLessThan(two);
    const times = [0.6, 0.9, 1.2, 1.5].map((pace) => emptyS({ pace }));
    expect([...times].sort((a, b) => b - a)).toEqual(times);
  });
});
