/** The figures of made-up runs, and what two layouts differ in. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { drillData, peopleOfRunsCsv, runsCsv } from '../../../src/proving/drill/data.ts';
import { compared, differenceOf, figuresOf, timesOf } from '../../../src/proving/drill/figures.ts';
import type { DrilledPerson, DrillRun } from '../../../src/proving/drill/play.ts';
import { tablesOf } from '../../../src/proving/drill/tables.ts';
import { comparedCells, dominantText } from '../../../src/proving/drill/words.ts';
import { layoutFrom, SETTING } from './layouts.ts';

const layout = layoutFrom(undefined, 4);

const person = (safeS: number | null, zone: string | null = 'Hall', point: string | null = 'Gate'): DrilledPerson => ({
  id: 'W-001',
  zone,
  behaviour: 'goes',
  point,
  firstPoint: point,
  safeS,
  startS: 4,
  waitedS: 2,
  why: safeS === null ? 'trapped' : null,
  watch: 'worn',
});

const run = (number: number, people: readonly DrilledPerson[]): DrillRun => ({
  run: number,
  seed: `1/${number}`,
  lastedS: 600,
  people,
  queues: [],
  heat: [],
});

describe('the times of a run', () => {
  test.each([
    [[10, 20, 30, 40], { 50: 20, 90: 40, 100: 40, last: 40 }],
    [[10, null, 30, 40], { 50: 30, 90: null, 100: null, last: 40 }],
    [[null, null], { 50: null, 90: null, 100: null, last: null }],
    [[], { 50: null, 90: null, 100: null, last: null }],
  ])('of %j are %j', (times, expected) => {
    expect(
      timesOf(
        run(
          1,
          times.map((time) => person(time)),
        ),
      ),
    ).toEqual(expected);
  });
});

describe('figures over runs', () => {
  const runs = [
    run(1, [person(10), person(20), person(30, 'Yard'), person(40, null)]),
    run(2, [person(12), person(22), person(32, 'Yard'), person(null, 'Yard', null)]),
    run(3, [person(14), person(24), person(34), person(44, 'Hall', 'Hill')]),
  ];
  const figures = figuresOf(layout, SETTING, runs);

  test('rank a run that never got there last', () => {
    expect(figures.all.shares[50]).toEqual({ p5: 20, median: 22, p95: 24, never: 0 });
    expect(figures.all.shares[100]).toEqual({ p5: 40, median: 44, p95: null, never: 1 });
    expect(figures.all.last.p95).toBe(44);
  });

  test('leave out of a zone the runs in which nobody was there, and name the rest of the site last', () => {
    expect(figures.zones.map(({ zone }) => zone)).toEqual(['Hall', 'Yard', null]);
    const [hall, yard, rest] = figures.zones;
    expect(hall?.people).toEqual({ p5: 2, median: 2, p95: 4, never: 0 });
    expect(yard?.shares[50]).toEqual({ p5: 30, median: 30, p95: 32, never: 0 });
    expect(rest?.shares[100].median).toBe(40);
  });

  test('count people by the point where they stood, and why the others are not safe', () => {
    expect(figures.points.map(({ point, people }) => [point.name, people.median])).toEqual([
      ['Gate', 3],
      ['Hill', 0],
    ]);
    expect(figures.unsafe).toEqual([{ what: 'trapped', mean: 1 / 3, most: 1, runs: 1 }]);
    expect(figures.unseen).toEqual([]);
  });

  test('make a curve that only rises, to the share that came', () => {
    const medians = figures.curve.map(({ median }) => median);
    expect(medians).toEqual([...medians].sort((a, b) => a - b));
    expect(figures.curve[0]).toEqual({ s: 0, p5: 0, median: 0, p95: 0 });
    expect(figures.curve.at(-1)).toEqual({ s: 45, p5: 75, median: 100, p95: 100 });
  });

  test('call who is not safe by the words of the other screens', () => {
    expect(tablesOf(figures).unsafe.rows).toEqual([['to rescue: trapped', '0.33', '1', '1']]);
  });

  test('have every field of the JSON in the documentation', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/drill.md'), 'utf8');
    const queue = { place: 'Hall, door at 40, 0', at: [40, 0] as const, perS: 0.93, longest: 3, waitS: 4, personS: 9 };
    const left = { ...person(50), watch: 'left_behind' as const };
    const busy = figuresOf(layout, SETTING, [{ ...run(1, [left, person(null)]), queues: [queue], heat: [[7, 12]] }]);
    const keys = new Set<string>();
    JSON.parse(JSON.stringify(drillData('1', 1, [busy, figures])), (key, value: unknown) => {
      if (/^[a-z0-9]\w*[a-z]\w*$/.test(key)) keys.add(key);
      return value;
    });
    expect(keys.size).toBeGreaterThan(40);
    expect([...keys].filter((key) => !new RegExp(`\\b${key}\\b`).test(page))).toEqual([]);
  });

  test('stand in tables with a row for each run, and for each person', () => {
    const rows = runsCsv([figures]).split('\r\n');
    expect(rows[2]).toBe('works.yaml,2,1/2,4,3,22,,,32,0,,0,0');
    expect(peopleOfRunsCsv([figures]).split('\r\n')[1]).toBe('works.yaml,1,1/1,W-001,Hall,goes,10,Gate,Gate,,worn');
  });

  test('of two layouts are compared run by run, never being later than any time', () => {
    const faster = figuresOf(layout, SETTING, [
      run(1, [person(5), person(15), person(25), person(35)]),
      run(2, [person(12), person(25), person(32), person(60)]),
      run(3, [person(10), person(20), person(30), person(null)]),
    ]);
    expect(differenceOf(figures, faster, (one) => timesOf(one)[50])).toMatchObject({
      median: -4,
      earlier: 2,
      later: 1,
    });
    expect(differenceOf(figures, faster, (one) => timesOf(one)[100])).toMatchObject({
      median: -5,
      earlier: 2,
      later: 1,
    });
    const { all, zones } = compared(figures, faster);
    expect(all.map(({ name }) => name)).toEqual(['50 % safe', '90 % safe', '100 % safe', 'last of those who came']);
    expect(zones.map(({ name }) => name)).toEqual(['Hall']);
  });

  test('give a difference with its interval, and none where the interval holds 0', () => {
    const later = (s: number) =>
      figuresOf(
        layout,
        SETTING,
        Array.from({ length: 20 }, (_, n) => run(n + 1, [person(60 + s * ((n % 5) - 1))])),
      );
    const first = figuresOf(
      layout,
      SETTING,
      Array.from({ length: 20 }, (_, n) => run(n + 1, [person(40 + (n % 5))])),
    );
    const cells = (second: typeof first) => comparedCells(compared(first, second).all[0]!);
    expect(cells(first)[2]).toBe('no difference seen (0:00 to 0:00)');
    expect(cells(later(1))[2]).toMatch(/^\+0:19 \(\+0:19 to \+0:19\)$/);
    expect(cells(later(20))[2]).toMatch(/^\+0:38 \(\+0:\d\d to \+0:\d\d\)$/);
  });

  test('say what the time around 90 % is made of, and what it follows from', () => {
    expect(dominantText(figures)).toContain('start delays 0:04, waits at doors and stairs 0:02');
    const hurried = { ...person(100), startS: 90, waitedS: 5 };
    const decided = dominantText(figuresOf(layout, SETTING, [run(1, [hurried])]));
    expect(decided).toMatch(/^What dominates: start delays, so wider doors and shorter ways change little/);
  });

  test('have a calculation by hand for each queue: its people by the flow of the door', () => {
    const queue = { place: 'Hall, door', at: [40, 0] as const, perS: 0.931, longest: 100, waitS: 106, personS: 900 };
    const [only] = figuresOf(layout, SETTING, [{ ...run(1, [person(9)]), queues: [queue] }]).queues;
    expect(only).toMatchObject({ perS: 0.931, byHand: { median: 107 }, wait: { median: 106 } });
  });
});
