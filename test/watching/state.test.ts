/** The state that follows from the stream: snapshot, changes, removals, events. */
import { describe, expect, test } from 'vitest';
import type { StreamChange, StreamDelivery, StreamWorker } from '../../src/contract/stream.ts';
import { eventText } from '../../src/watching/state/events.ts';
import { afterChange, afterSnapshot, exampleCodeOf, nowOf } from '../../src/watching/state/state.ts';
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
} from '../dashboard/harbour.ts';

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
    expect(after.events.map((one) => [one.event.type, eventText(one)])).toEqual([
      ['alert.created', 'SOS W-020'],
      ['alert.worker_acknowledged', 'SOS W-020'],
      ['alert.resolved', 'SOS W-020'],
      ['muster.updated', 'safe 19 to 20, not arrived 1 to 0'],
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

  test('the time that is shown never goes back: it waits until a run that fell behind has come there', () => {
    const clockAt = (now: string): StreamChange => ({
      ...at({ subject: 'clock', clock: { now, speed: 60, paused: false } }),
      at: now,
    });
    const time = (state: typeof world, ms: number) => new Date(nowOf(state, ms) ?? 0).toISOString().slice(11, 19);
    const first = afterChange(world, clockAt('2026-10-05T06:20:00Z'), 1_000);
    expect([time(first, 1_000), time(first, 2_000)]).toEqual(['06:20:00', '06:21:00']);
    const behind = afterChange(first, clockAt('2026-10-05T06:20:30Z'), 2_000);
    expect([time(behind, 2_000), time(behind, 2_400), time(behind, 3_000)]).toEqual([
      '06:21:00',
      '06:21:00',
      '06:21:30',
    ]);
    const elsewhere = { ...MUSTERING, clock: { now: '2026-10-05T06:00:00Z', speed: 1, paused: true } };
    expect(time(afterSnapshot(behind, elsewhere, 3_000), 3_000)).toBe('06:00:00');
  });

  test('a snapshot replaces all, but for the curve of a muster that still is', () => {
    const other = afterSnapshot(world, { ...MUSTERING, alerts: [], workers: [] }, 9);
    expect([other.alerts.size, other.workers.size, other.clockReceivedAt]).toEqual([0, 0, 9]);
    expect(other.curves.get(MUSTER_ID)).toHaveLength(2);
    expect(afterSnapshot(world, { ...MUSTERING, musters: [] }, 9).curves.size).toBe(0);
  });

  test('the example commands name the lowest code of those who work, in any order of arrival', () => {
    const [example] = MUSTERING.workers as [StreamWorker];
    const codeOf = (workers: StreamWorker[], site?: string) => exampleCodeOf(worldOf({ ...MUSTERING, workers }), site);
    const others = [...MUSTERING.workers].reverse();
    const elsewhere = { ...example, id: workerId(90), external_id: 'A-1', site_id: 'elsewhere' };
    expect(codeOf(others)).toBe('W-001');
    expect(codeOf([...others, elsewhere])).toBe('A-1');
    expect(codeOf([...others, elsewhere], SITE_ID)).toBe('W-001');
    expect(codeOf([...others, { ...elsewhere, is_active: false }])).toBe('W-001');
    expect(codeOf([])).toBe('W-014');
  });
});
