/** The state that follows from the stream: snapshot, changes, removals, events. */
import { describe, expect, test } from 'vitest';
import type { StreamChange, StreamDelivery } from '../../src/contract/stream.ts';
import { changeLines, snapshotLines } from '../../src/dashboard/reader/plain.ts';
import { afterChange, afterSnapshot } from '../../src/watching/state/state.ts';
import { quantile } from '../../src/watching/state/tallies.ts';
import {
  alertId,
  event,
  MUSTER_ID,
  MUSTERING,
  NOW,
  person,
  SITE_ID,
  type Undated,
  workerId,
  worldOf,
} from './harbour.ts';

const world = worldOf(MUSTERING);
const at = (change: Undated): StreamChange => ({ at: NOW, ...change });
const sos = MUSTERING.alerts[1]!;
const muster = MUSTERING.musters[0]!;

describe('what is known', () => {
  test('people that changed come together, and the others stay where they were', () => {
    const moved = person({ n: 24, x: 520, y: 220, fares: 'safe' });
    const after = afterChange(world, at({ subject: 'person', people: [moved] }), 5);
    expect(after.people.get(workerId(24))).toBe(moved);
    expect(after.people.get(workerId(1))).toBe(world.people.get(workerId(1)));
    expect(world.people.get(workerId(24))?.muster?.status).toBe('pending');
  });

  test('an alert is as the last change has it', () => {
    const after = afterChange(world, at({ subject: 'alert', alert: { ...sos, status: 'acknowledged' } }), 5);
    expect(after.alerts.get(sos.id)?.status).toBe('acknowledged');
    expect(after.alerts.size).toBe(2);
  });

  test('a worker who is gone is nowhere, and on no map', () => {
    const after = afterChange(world, at({ subject: 'worker', gone: workerId(3) }), 5);
    expect([after.workers.has(workerId(3)), after.people.has(workerId(3))]).toEqual([false, false]);
  });

  test('of alerts that are resolved the newest 200 stay; the open ones all', () => {
    let after = world;
    for (let n = 100; n < 350; n += 1)
      after = afterChange(after, at({ subject: 'alert', alert: { ...sos, id: alertId(n), status: 'resolved' } }), 5);
    expect(after.alerts.size).toBe(202);
    expect([after.alerts.has(alertId(1)), after.alerts.has(alertId(149)), after.alerts.has(alertId(349))]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('deliveries are counted by destination, each once, and so are the attempts that failed', () => {
    const [failing, fine] = MUSTERING.deliveries as [StreamDelivery, StreamDelivery];
    const changed = (delivery: Partial<StreamDelivery>) =>
      at({ subject: 'delivery', delivery: { ...failing, ...delivery } });
    const after = [
      changed({ tries: 3 }),
      changed({ tries: 3 }),
      changed({ tries: 5, state: 'delivered', took_ms: 41 }),
      changed({ tries: 5, state: 'delivered', took_ms: 41 }),
      changed({ id: 'x', tries: 30, state: 'lost' }),
      at({ subject: 'delivery', delivery: { ...fine, id: 'y', state: 'delivered', tries: 1, took_ms: 9 } }),
    ].reduce((known, next) => afterChange(known, next, 5), world);
    expect(after.tallies.get(failing.destination_id)).toEqual({ delivered: 1, failed: 32, lost: 1, tookMs: [41] });
    expect(after.tallies.get(fine.destination_id)).toEqual({ delivered: 1, failed: 0, lost: 0, tookMs: [9] });
    expect(afterSnapshot(after, MUSTERING, 9).tallies).toEqual(after.tallies);
    expect(afterSnapshot(after, { ...MUSTERING, destinations: [] }, 9).tallies.size).toBe(0);
    const hundred = Array.from({ length: 100 }, (_, n) => n + 1);
    expect([[], [7], hundred].map((values) => quantile(values, 0.95))).toEqual([null, 7, 96]);
  });

  test('what occurred is written in the words of the events', () => {
    const points = muster.assembly_points.map((point) => ({ ...point, excluded: null }));
    const raised = { ...sos, id: alertId(9) };
    const counted = { ...muster, totals: { ...muster.totals, safe: 20, pending: 0 } };
    const open = { ...counted, targets_revision: 3, assembly_points: points };
    const after = [
      at({ subject: 'alert', alert: raised }),
      at(event('alert.created', { alert: raised })),
      at(event('alert.worker_acknowledged', { alert: { ...raised, worker_acknowledged_at: NOW } })),
      at(event('alert.resolved', { alert: { ...raised, status: 'resolved' } })),
      at({ subject: 'muster', muster: counted }),
      at(event('muster.updated', { muster: counted })),
      at(event('muster.targets_changed', { muster: open })),
      at(event('muster.kind_changed', { muster: { ...open, kind: 'general' } })),
      at(event('muster.phase_changed', { muster: { ...open, phase: 'inspecting' } })),
      at(event('muster.ended', { muster: { ...open, status: 'completed' } })),
      at(event('muster.started', { muster: { ...muster, id: SITE_ID } })),
    ].reduce((known, next) => afterChange(known, next, 5), world);
    expect(after.events.map(({ type, text }) => [type, text])).toEqual([
      ['alert.created', 'sos W-020'],
      ['alert.worker_acknowledged', 'sos W-020'],
      ['alert.resolved', 'sos W-020'],
      ['muster.updated', 'safe 19 to 20, pending 1 to 0'],
      ['muster.targets_changed', 'Gate A reinstated, revision 3'],
      ['muster.kind_changed', 'tsunami to general'],
      ['muster.phase_changed', 'inspecting'],
      ['muster.ended', 'completed'],
      ['muster.started', 'tsunami, "Warning"'],
    ]);
    expect(after.raised).toEqual(new Map([[alertId(9), 5]]));
  });

  test('the safe over time are drawn from each count that differs', () => {
    const count = (safe: number, time: string): StreamChange => ({
      ...at({ subject: 'muster', muster: { ...muster, totals: { ...muster.totals, safe } } }),
      at: time,
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
    expect([other.alerts.size, other.workers.size, other.clockReceivedAt]).toEqual([0, 0, 9]);
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
    const lines = (next: Undated): string[] => changeLines(world, at(next));
    expect(lines({ subject: 'person', people: [person({ n: 24, x: 1, y: 1, fares: 'pending' })] })).toEqual([]);
    expect(lines({ subject: 'person', people: [person({ n: 24, x: 1, y: 1, fares: 'safe' })] })).toEqual([
      '06:12:30 person   W-024 safe',
    ]);
    expect(lines({ subject: 'alert', alert: { ...sos, status: 'resolved' } })).toEqual([
      '06:12:30 alert    critical sos W-020 in Tank Farm resolved',
    ]);
    expect(lines({ subject: 'alert', alert: { ...sos, assigned_to: 'M. Vidal' } })).toEqual([]);
    expect(
      lines({
        subject: 'muster',
        muster: { ...muster, site: { id: SITE_ID, name: 'North Harbour' }, targets_revision: 3 },
      }),
    ).toEqual([]);
    expect(lines({ subject: 'clock', clock: { now: NOW, speed: 1, paused: true } })).toEqual([
      '06:12:30 clock    paused',
    ]);
  });
});
