/** Runs of a drill on hand-made layouts: who is safe since when, who is not and why, and what follows from the seed. */
import { describe, expect, test } from 'vitest';
import { pointInPolygon } from '../../../src/base/geometry/shapes.ts';
import { pointsOf } from '../../../src/proving/drill/layout.ts';
import { type DrillRun, playDrill, UNSAFE_REASONS, type UnsafeReason } from '../../../src/proving/drill/play.ts';
import { layoutFrom, played, SETTING, WORKS } from './layouts.ts';

const reasons = (runs: readonly DrillRun[]): Map<UnsafeReason, number> => {
  const counts = new Map<UnsafeReason, number>();
  for (const { people } of runs)
    for (const { why } of people) if (why !== null) counts.set(why, (counts.get(why) ?? 0) + 1);
  return counts;
};

describe('a person who is not safe', () => {
  test('is trapped, injured or at a wrong point, and the habit of each says why', async () => {
    const runs = await played(layoutFrom(WORKS.replace('[general, tsunami]', '[tsunami]'), 400), 2);
    const people = runs.flatMap((run) => run.people);
    expect(people).toHaveLength(800);
    const unsafe = people.filter(({ why }) => why !== null);
    expect(new Set(unsafe.map(({ why }) => why))).toEqual(new Set(['trapped', 'injured', 'wrong_point']));
    for (const { why, behaviour, safeS, point } of unsafe) {
      expect(behaviour).toBe(why === 'wrong_point' ? 'wrong' : why);
      expect(safeS).toBeNull();
      if (why === 'wrong_point') expect(point).toBe('Hill');
    }
    for (const { safeS, point } of people.filter(({ why }) => why === null)) {
      expect(point).toBe('Gate');
      expect(safeS).toBeGreaterThan(0);
    }
  });

  test.each<[limitMs: number, reason: UnsafeReason]>([
    [2_000, 'not_set_out'],
    [40_000, 'on_the_way'],
  ])('has not got there where a run is cut after %d ms: %s', async (limitMs, reason) => {
    const [run] = await played(layoutFrom(WORKS, 200), 1, { limitMs });
    expect(run?.lastedS).toBe(limitMs / 1_000);
    expect(reasons([run!]).get(reason)).toBeGreaterThan(20);
  });

  test('has found no way where a moat is round the only point', async () => {
    const ditch = '[[10, -70], [80, -70], [80, -20], [75, -20], [75, -65], [15, -65], [15, -20], [10, -20]]';
    const moat = `water: [${ditch}, [[8, -26], [82, -26], [82, -18], [8, -18]]]\n  zones:`;
    const cutOff = WORKS.replace('zones:', moat).replace(/ {4}Hill.*\n/, '');
    const [run] = await played(layoutFrom(cutOff, 40), 1, { limitMs: 600_000 });
    expect(reasons([run!]).get('no_way')).toBeGreaterThan(30);
    expect(run?.people.filter(({ why }) => why === null)).toEqual([]);
  });

  test('every reason has a place in the list', () => {
    expect(new Set(UNSAFE_REASONS).size).toBe(UNSAFE_REASONS.length);
  });
});

describe('a run', () => {
  test('follows from its seed alone, so that more runs begin with the fewer', async () => {
    const layout = layoutFrom(WORKS, 30);
    const [two, four] = [await played(layout, 2), await played(layout, 4)];
    expect(four.slice(0, 2)).toEqual(two);
    expect(four[2]).not.toEqual(four[3]);
    expect(four.map(({ seed }) => seed)).toEqual(['1/1', '1/2', '1/3', '1/4']);
  });

  test('has the same people with the same habits in a layout of another name', async () => {
    const [one, other] = [layoutFrom(WORKS, 40), layoutFrom(WORKS.replace('Old works', 'New works'), 40)];
    expect(await played(other, 2)).toEqual(await played(one, 2));
  });

  test('counts as safe the time since which a person stayed, not the first visit', async () => {
    const runs = await played(layoutFrom(WORKS, 300), 2);
    const returned = runs.flatMap(({ people }) => people.filter(({ behaviour }) => behaviour === 'returns'));
    const went = runs.flatMap(({ people }) => people.filter(({ behaviour }) => behaviour === 'goes'));
    const middle = (all: typeof went) => all.map(({ safeS }) => safeS ?? 0).sort((a, b) => a - b)[all.length >> 1]!;
    expect(returned.length).toBeGreaterThan(3);
    expect(middle(returned)).toBeGreaterThan(middle(went) + 60);
  });

  test('sends nobody to a point that is out of use', async () => {
    const [open, closed] = [
      await played(layoutFrom(WORKS, 60), 1),
      await played(layoutFrom(WORKS, 60), 1, { excluded: ['Gate'] }),
    ];
    const safeAt = ([run]: DrillRun[], name: string) =>
      run!.people.filter(({ point, why }) => point === name && why === null).length;
    expect(safeAt(open, 'Gate')).toBeGreaterThan(20);
    expect(safeAt(closed, 'Gate')).toBe(0);
    expect(safeAt(closed, 'Hill')).toBeGreaterThan(50);
  });

  test('takes everyone along, also the scripted workers of the file, and keeps who is named', async () => {
    const named = `${WORKS}workers:\n  ana: {in: Hall, behave: scripted, pace: 2}\n  luis: {at: [10, 90]}\n`;
    const [run] = await played(layoutFrom(named, 5), 1);
    expect(run?.people.map(({ id }) => id).slice(0, 2)).toEqual(['ana', 'luis']);
    expect(run?.people).toHaveLength(5);
    expect(run?.people[0]?.point).not.toBeNull();
  });

  test('sees the queue at a narrow door, and the crowd before it', async () => {
    const crowd = `${WORKS}crowd:\n  pack: {in: Hall, count: 150}\n`;
    const [run] = await played(layoutFrom(crowd), 1, { afterMs: 1_000 });
    const door = run?.queues.find(({ place }) => place === 'Hall, door at 40, 0');
    // 0.9 m lets 0.8 people a second through: half of the hall comes within the first minute.
    expect(door?.longest).toBeGreaterThan(10);
    expect(door?.waitS).toBeGreaterThan(10);
    expect(door?.personS).toBeGreaterThan(door!.waitS * 5);
    expect(run?.heat.length).toBeGreaterThan(0);
  });

  test('is over at once when it is interrupted', async () => {
    let calls = 0;
    const pause = { breathe: () => Promise.resolve(), isOver: () => ++calls > 90 };
    expect(await playDrill(layoutFrom(WORKS, 10), SETTING, { run: 1, seed: '1/1' }, pause)).toBeNull();
  });

  test('sends people on from a point that is full, while another has room', async () => {
    const layout = layoutFrom(WORKS.replace('capacity: 300', 'capacity: 10'), 60);
    const [run] = await played(layout, 1);
    const at = (name: string) => run!.people.filter(({ point }) => point === name).length;
    expect(at('Gate')).toBeLessThanOrEqual(12);
    expect(
      run!.people.filter(({ firstPoint, point }) => firstPoint === 'Gate' && point === 'Hill').length,
    ).toBeGreaterThan(20);
  });

  test('needs height in a vertical point', async () => {
    const tower =
      'Tower: {type: assembly_point, box: [100, 0, 130, 30], serves: [tsunami], vertical: true, floors: [{name: G, height_m: 0}, {name: Top, height_m: 12, refuge: true}]}\n    Hill:';
    const layout = layoutFrom(WORKS.replace('Hill:', tower), 40);
    const [run] = await played(layout, 1, { kind: 'tsunami' });
    const up = run!.people.filter(({ point, why }) => point === 'Tower' && why === null);
    expect(up.length).toBeGreaterThan(20);
    // Twelve metres of stairs take more than half a minute after the door.
    expect(Math.min(...up.map(({ safeS }) => safeS!))).toBeGreaterThan(60);
    const { ring } = pointsOf(layout, 'tsunami', []).find(({ name }) => name === 'Tower')!;
    expect(pointInPolygon([115, 15], ring)).toBe(true);
  });
});
