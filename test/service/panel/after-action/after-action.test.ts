/** The figures of a muster, against a scenario computed by hand. */
import { describe, expect, test } from 'vitest';
import { deadlineOf, sharesOf } from '../../../../src/service/panel/after-action/milestones.ts';
import type { CountRecord } from '../../../../src/service/panel/after-action/record.ts';
import { BY, MusterWorld } from '../../domain/musters/muster-world.ts';
import { T0 } from '../../domain/small-world.ts';
import { at, reportOf, scenario } from './scenario.ts';

describe('the record of a muster that ended', () => {
  const report = reportOf(scenario());

  test('says how it went: outcome, times, the last count', () => {
    expect(report).toMatchObject({
      status: 'completed',
      reason: 'Drill',
      startedAt: at(0),
      endedAt: at(75),
      asOf: at(75),
      totals: { expected: 5, safe: 5, help: 0, wrong_point: 0, pending: 0, no_signal: 0, not_worn: 0 },
      kinds: [{ kind: 'general', from: at(0), until: null }],
    });
  });

  test('says that the deadline was missed, and by how many', () => {
    expect(report.deadline).toEqual({ at: at(60), source: 'official', verdict: 'missed', safe: 3, expected: 5 });
  });

  test('says when how many per cent were safe: for the first time, and to the end', () => {
    // Two of four are half at 15; Gate A is lost at 30, back at 45; Nia makes it two of five at 50; three at 60.
    expect(report.shares).toEqual([
      { percent: 50, firstAt: at(15), sinceAt: at(60) },
      { percent: 90, firstAt: at(70), sinceAt: at(70) },
      { percent: 95, firstAt: at(70), sinceAt: at(70) },
      { percent: 100, firstAt: at(70), sinceAt: at(70) },
    ]);
  });

  test('says what the worst moments were', () => {
    expect(report.peaks).toEqual([
      { of: 'help', people: 1, at: at(25) },
      { of: 'wrong_point', people: 2, at: at(30) },
      { of: 'no_signal', people: 0, at: null },
      { of: 'not_worn', people: 0, at: null },
    ]);
  });

  test('says of each point when it served, who excluded it and why, how many came and when the last', () => {
    expect(report.points).toMatchObject([
      {
        name: 'Gate A',
        kinds: ['general'],
        safe: 2,
        most: 2,
        lastArrivalAt: at(45),
        exclusions: [{ at: at(26), by: BY, reason: 'Smoke', recommended: null, until: { at: at(40), by: BY } }],
      },
      { name: 'Hill North', kinds: ['general'], safe: 3, most: 3, lastArrivalAt: at(70), exclusions: [] },
    ]);
  });

  test('says of each contractor how many are safe and how long they took', () => {
    // Norte SL: 15 and 70 s. Own staff: Ana 10, Óscar 60, Eva 65 s.
    expect(report.contractors).toEqual([
      { contractor: 'Norte SL', expected: 2, safe: 2, medianMs: 42_500 },
      { contractor: null, expected: 3, safe: 3, medianMs: 60_000 },
    ]);
  });

  test('has everybody by name, accents and all, since when and by what they are safe', () => {
    expect(
      report.people?.map(({ worker, since, safeAfterMs, safeBy, point }) => [
        ...[worker.name, since, safeAfterMs, safeBy, point?.name],
      ]),
    ).toEqual([
      ['Ana Ruiz', at(45), 10_000, 'position', 'Gate A'],
      ['Eva Mar', at(65), 65_000, 'marked', 'Hill North'],
      ['Luis Paz', at(45), 15_000, 'declared', 'Gate A'],
      ['Nia Sol', at(70), 70_000, 'declared', 'Hill North'],
      ['Óscar Gil', at(60), 60_000, 'position', 'Hill North'],
    ]);
  });

  test('has what the control room did, with who and why', () => {
    expect(report.timeline.map(({ at: when, what, reason }) => [when, what, reason])).toEqual([
      [at(0), 'Started: general', 'Drill'],
      [at(26), 'Excluded Gate A', 'Smoke'],
      [at(40), 'Reinstated Gate A', null],
      [at(62), 'Marked Eva Mar safe at Hill North', null],
      [at(75), 'Ended: completed', null],
    ]);
  });

  test('has the alerts of it, and the serious ones open at its start, with how long each waited and for whom', () => {
    expect(report.alerts.map(({ type, before, worker }) => [type, before, worker?.name])).toEqual([
      ['sos', true, 'Luis Paz'],
      ['evacuation_help', false, 'Eva Mar'],
      ['sos', false, 'Eva Mar'],
    ]);
    expect(report.alerts[2]).toMatchObject({
      severity: 'critical',
      status: 'resolved',
      raisedAt: at(20),
      // By the integration, as the API says; the timeline knows the person.
      acknowledged: { at: at(32), by: 'Desk 2', afterMs: 12_000 },
      resolved: { at: at(71), by: 'Desk 2', reason: 'Freed', note: 'Walked out', afterMs: 51_000 },
    });
    expect(report.alerts[1]).toMatchObject({ acknowledged: null, resolved: null });
  });

  test('has the counts that changed something', () => {
    expect(report.course.map((count) => [count.at, count.totals.safe, count.totals.expected])).toEqual([
      [at(0), 0, 4],
      [at(10), 1, 4],
      [at(15), 2, 4],
      [at(25), 2, 4],
      [at(30), 0, 4],
      [at(45), 2, 4],
      [at(50), 2, 5],
      [at(60), 3, 5],
      [at(65), 4, 5],
      [at(70), 5, 5],
      [at(75), 5, 5],
    ]);
  });

  test('does not change with what happens afterwards, but for its alerts', () => {
    const small = scenario();
    small.now += 3_600_000;
    small.sos(1);
    small.goes(1, 'nowhere');
    const later = reportOf(small);
    const { drawnAt, ...rest } = report;
    expect(later).toEqual({ ...rest, drawnAt: drawnAt + 3_600_000 });
  });
});

describe('the record of a muster under way', () => {
  test('is of its last count, and says as of when', () => {
    const report = reportOf(scenario(33));
    expect(report).toMatchObject({
      status: 'active',
      endedAt: null,
      asOf: at(33),
      totals: { safe: 0, wrong_point: 2, help: 1, pending: 1 },
      deadline: { verdict: 'ahead', safe: 0, expected: 4 },
    });
    expect(report.people?.map(({ worker, status, needsRescue }) => [worker.name, status, needsRescue])).toEqual([
      ['Ana Ruiz', 'wrong_point', false],
      ['Eva Mar', 'help', true],
      ['Luis Paz', 'wrong_point', true],
      ['Óscar Gil', 'pending', false],
    ]);
    expect(report.points[0]?.exclusions).toEqual([
      { at: at(26), by: BY, reason: 'Smoke', recommended: false, until: null },
    ]);
    expect(report.shares?.[0]).toEqual({ percent: 50, firstAt: at(15), sinceAt: null });
  });

  test('follows a change of kind: what served when, and from when', () => {
    const small = new MusterWorld();
    small.start();
    small.goes(1, 'gate');
    small.wait(12);
    small.begin('tsunami');
    const report = reportOf(small);
    expect(report.kinds).toEqual([
      { kind: 'general', from: T0, until: T0 + 12_000 },
      { kind: 'tsunami', from: T0 + 12_000, until: null },
    ]);
    expect(report.points).toMatchObject([
      { name: 'Gate A', kinds: ['general'], safe: 0, most: 1, lastArrivalAt: T0 + 10_000 },
      { name: 'Hill North', kinds: ['general', 'tsunami'], safe: 0, most: 0, lastArrivalAt: null },
      { name: 'Tower', kinds: ['tsunami'], safe: 0, most: 0, lastArrivalAt: null },
    ]);
  });
});

describe('a muster of which little is known', () => {
  test('a muster whose records were removed has its closing figures and its timeline', () => {
    const small = scenario();
    const { id } = small.muster();
    small.world.remove('roll', id);
    for (const { id: stretch } of [...small.world.all('course')]) small.world.remove('course', stretch);
    expect(reportOf(small)).toMatchObject({
      people: null,
      shares: null,
      peaks: [],
      course: [],
      contractors: [],
      totals: { expected: 5, safe: 5, help: null },
      deadline: { verdict: 'unknown', safe: null },
      points: [{ name: 'Gate A', safe: null, most: null, lastArrivalAt: null }, { name: 'Hill North' }],
    });
  });

  test('a muster that expected nobody reaches no share and has no people', () => {
    const small = new MusterWorld();
    small.now += 13 * 3_600_000;
    small.start();
    small.end('cancelled');
    expect(reportOf(small)).toMatchObject({ people: [], totals: { expected: 0 }, deadline: null });
    expect(reportOf(small).shares?.map(({ firstAt }) => firstAt)).toEqual([null, null, null, null]);
  });
});

/** Counts at the given seconds, with the number safe and the number of people. */
const counts = (...rows: [second: number, safe: number, expected: number][]): CountRecord[] =>
  rows.map(([second, safe, expected]) => ({
    at: T0 + second * 1_000,
    kind: 'general' as const,
    safeAt: new Map(),
    totals: { expected, safe, help: 0, wrong_point: 0, pending: expected - safe, no_signal: 0, not_worn: 0 },
  }));

describe('a share', () => {
  test.each<[string, CountRecord[], (readonly [number | null, number | null])[]]>([
    [
      'of all at once',
      counts([0, 4, 4]),
      [
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    ],
    [
      'of 90 % is 9 of 10, and not 8',
      counts([0, 8, 10], [5, 9, 10]),
      [
        [0, 0],
        [5, 5],
        [null, null],
        [null, null],
      ],
    ],
    [
      'of 95 % of 19 is 19: 18 are less',
      counts([0, 18, 19], [5, 19, 19]),
      [
        [0, 0],
        [0, 0],
        [5, 5],
        [5, 5],
      ],
    ],
    [
      'a share that was lost at the end is not held',
      counts([0, 4, 4], [5, 1, 4]),
      [
        [0, null],
        [0, null],
        [0, null],
        [0, null],
      ],
    ],
  ])('%s', (_words, course, expected) => {
    const seconds = (instant: number | null) => (instant === null ? null : (instant - T0) / 1_000);
    expect(sharesOf(course)?.map(({ firstAt, sinceAt }) => [seconds(firstAt), seconds(sinceAt)])).toEqual(expected);
  });
});

describe('a deadline at second 60', () => {
  const muster = (endedSecond: number | null) => ({
    ...new MusterWorld().start({ deadline: { at: T0 + 60_000, source: 'official' as const } }),
    endedAt: endedSecond === null ? null : T0 + endedSecond * 1_000,
  });
  test.each<[string, number | null, number, CountRecord[], string]>([
    ['is met by all safe then', null, 61, counts([0, 0, 4], [60, 4, 4]), 'met'],
    ['is met though somebody left later', null, 90, counts([0, 0, 4], [40, 4, 4], [65, 3, 4]), 'met'],
    ['is missed by the next count', null, 65, counts([0, 0, 4], [65, 4, 4]), 'missed'],
    ['has not passed a second before', null, 59, counts([0, 4, 4]), 'ahead'],
    ['is missed by a muster that ends at it with somebody missing', 60, 60, counts([0, 0, 4], [60, 3, 4]), 'missed'],
    ['is met by a muster that ended before it with all safe', 40, 90, counts([0, 0, 4], [40, 4, 4]), 'met'],
    ['is neither, where the muster ended before it with somebody missing', 40, 90, counts([0, 0, 4]), 'ended_before'],
    ['is unknown without counts', 40, 90, [], 'unknown'],
  ])('%s', (_words, ended, now, course, verdict) => {
    expect(deadlineOf(muster(ended), course, T0 + now * 1_000)?.verdict).toBe(verdict);
  });
});
