/** What is known follows from the stream alone: snapshot, changes, and what is no more. */
import { describe, expect, test } from 'vitest';
import { changeLines, snapshotLines } from '../../src/dashboard/plain.ts';
import type { FeedChange } from '../../src/watching/feed.ts';
import { afterChange, afterSnapshot } from '../../src/watching/world.ts';
import { alertId, MUSTER_ID, MUSTERING, NOW, person, SITE_ID, workerId, worldOf } from './harbour.ts';

const world = worldOf(MUSTERING);
const change = (subject: FeedChange['subject'], rest: Partial<FeedChange>): FeedChange => ({
  subject,
  at: NOW,
  ...rest,
});
const sos = MUSTERING.alerts[1]!;
const muster = MUSTERING.musters[0]!;

describe('what is known', () => {
  test('people that changed come together, and the others stay where they were', () => {
    const moved = person({ n: 24, x: 520, y: 220, fares: 'safe' });
    const after = afterChange(world, change('person', { people: [moved] }), 5);
    expect(after.people.get(workerId(24))).toBe(moved);
    expect(after.people.get(workerId(1))).toBe(world.people.get(workerId(1)));
    expect(world.people.get(workerId(24))?.muster?.status).toBe('pending');
  });

  test('an alert is as it was told last', () => {
    const after = afterChange(world, change('alert', { alert: { ...sos, status: 'acknowledged' } }), 5);
    expect(after.alerts.get(sos.id)?.status).toBe('acknowledged');
    expect(after.alerts.size).toBe(2);
  });

  test('who is gone is nowhere, and on no map', () => {
    const after = afterChange(world, change('worker', { gone: workerId(3) }), 5);
    expect([after.workers.has(workerId(3)), after.people.has(workerId(3))]).toEqual([false, false]);
  });

  test('of alerts that are resolved the newest 200 stay; the open ones all', () => {
    let after = world;
    for (let n = 100; n < 350; n += 1)
      after = afterChange(after, change('alert', { alert: { ...sos, id: alertId(n), status: 'resolved' } }), 5);
    expect(after.alerts.size).toBe(202);
    expect([after.alerts.has(alertId(1)), after.alerts.has(alertId(149)), after.alerts.has(alertId(349))]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('the safe over time are drawn from each count that differs', () => {
    const count = (safe: number, at: string): FeedChange => ({
      ...change('muster', { muster: { ...muster, totals: { ...muster.totals, safe } } }),
      at,
    });
    const after = [
      count(20, '2026-10-05T06:12:35Z'),
      count(20, '2026-10-05T06:12:40Z'),
      count(22, '2026-10-05T06:12:45Z'),
    ].reduce((known, next) => afterChange(known, next, 5), world);
    expect(after.curves.get(MUSTER_ID)?.map(({ safe }) => safe)).toEqual([19, 20, 22]);
  });

  test('a snapshot replaces all, but for the curve of a muster that still is', () => {
    const other = afterSnapshot(world, { ...MUSTERING, alerts: [], workers: [] }, 9);
    expect([other.alerts.size, other.workers.size, other.clockToldAt]).toEqual([0, 0, 9]);
    expect(other.curves.get(MUSTER_ID)).toHaveLength(2);
    expect(afterSnapshot(world, { ...MUSTERING, musters: [] }, 9).curves.size).toBe(0);
  });
});

describe('one fact a line', () => {
  test('a beginning tells of the muster that is under way and of open alerts', () => {
    expect(snapshotLines(MUSTERING)).toEqual([
      '06:12:30 begin    North Harbour: 24 people, 2 open alerts, 2 destinations',
      '06:12:30 muster   North Harbour tsunami evacuating 19 of 24 safe help 1 wrong_point 1 pending 1 no_signal 1 not_worn 1',
      '06:12:30 alert    low low_battery W-022 in Tank Farm acknowledged',
      '06:12:30 alert    critical sos W-020 in Tank Farm unacknowledged',
    ]);
  });

  test('a change tells what is other than before, and a walk tells nothing', () => {
    const lines = (next: Partial<FeedChange>): string[] => changeLines(world, change('person', next));
    expect(lines({ people: [person({ n: 24, x: 1, y: 1, fares: 'pending' })] })).toEqual([]);
    expect(lines({ people: [person({ n: 24, x: 1, y: 1, fares: 'safe' })] })).toEqual(['06:12:30 person   W-024 safe']);
    expect(lines({ alert: { ...sos, status: 'resolved' } })).toEqual([
      '06:12:30 alert    critical sos W-020 in Tank Farm resolved',
    ]);
    expect(lines({ alert: { ...sos, assigned_to: 'M. Vidal' } })).toEqual([]);
    expect(lines({ muster: { ...muster, site: { id: SITE_ID, name: 'North Harbour' }, targets_revision: 3 } })).toEqual(
      [],
    );
    expect(lines({ clock: { now: NOW, speed: 1, paused: true } })).toEqual(['06:12:30 clock    paused']);
  });
});
