/** What is known follows from the stream alone: snapshot, changes, and what is no more. */
import { describe, expect, test } from 'vitest';
import { changeLines, snapshotLines } from '../../src/dashboard/plain.ts';
import type { FeedChange, FeedDelivery } from '../../src/watching/feed.ts';
import { p95 } from '../../src/watching/tallies.ts';
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

  test('deliveries are counted by destination, each once, and so are the attempts that failed', () => {
    const [failing, fine] = MUSTERING.deliveries as [FeedDelivery, FeedDelivery];
    const told = (delivery: Partial<FeedDelivery>) => change('delivery', { delivery: { ...failing, ...delivery } });
    const after = [
      told({ tries: 3 }),
      told({ tries: 3 }),
      told({ tries: 5, state: 'delivered', took_ms: 41 }),
      told({ tries: 5, state: 'delivered', took_ms: 41 }),
      told({ id: 'x', tries: 30, state: 'lost' }),
      change('delivery', { delivery: { ...fine, id: 'y', state: 'delivered', tries: 1, took_ms: 9 } }),
    ].reduce((known, next) => afterChange(known, next, 5), world);
    expect(after.tallies.get(failing.destination_id)).toEqual({ delivered: 1, failed: 32, lost: 1, tookMs: [41] });
    expect(after.tallies.get(fine.destination_id)).toEqual({ delivered: 1, failed: 0, lost: 0, tookMs: [9] });
    expect(afterSnapshot(after, MUSTERING, 9).tallies).toEqual(after.tallies);
    expect(afterSnapshot(after, { ...MUSTERING, destinations: [] }, 9).tallies.size).toBe(0);
    expect([p95([]), p95([7]), p95(Array.from({ length: 100 }, (_, n) => n + 1))]).toEqual([null, 7, 96]);
  });

  test('what occurred is told in the words of the events', () => {
    const points = muster.assembly_points.map((point) => ({ ...point, excluded: null }));
    const after = [
      change('alert', { alert: { ...sos, id: alertId(9) } }),
      change('alert', { alert: { ...sos, id: alertId(9), worker_acknowledged_at: NOW } }),
      change('alert', { alert: { ...sos, id: alertId(9), status: 'resolved' } }),
      change('muster', { muster: { ...muster, totals: { ...muster.totals, safe: 20, pending: 0 } } }),
      change('muster', { muster: { ...muster, targets_revision: 3, assembly_points: points } }),
      change('muster', { muster: { ...muster, targets_revision: 3, assembly_points: points } }),
      change('muster', { muster: { ...muster, targets_revision: 3, assembly_points: points, status: 'completed' } }),
    ].reduce((known, next) => afterChange(known, next, 5), world);
    expect(after.happenings.map(({ type, text }) => [type, text])).toEqual([
      ['alert.created', 'sos W-020'],
      ['alert.worker_acknowledged', 'sos W-020'],
      ['alert.resolved', 'sos W-020'],
      ['muster.updated', 'safe 19 to 20, pending 1 to 0'],
      ['muster.targets_changed', 'Gate A reinstated, revision 3'],
      ['muster.ended', 'completed'],
    ]);
    expect(after.raised).toEqual(new Map([[alertId(9), 5]]));
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
