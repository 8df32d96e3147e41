/** A muster from its start to its end, as the event log tells it. [spec 3, decisions 6] */
import { describe, expect, test } from 'vitest';
import { isRejection } from '../../../../src/service/domain/changes.ts';
import { T0 } from '../small-world.ts';
import { MusterWorld } from './muster-world.ts';

describe('a muster', () => {
  test('starts active and evacuating, counted at once, and tells so', () => {
    const small = new MusterWorld();
    small.start({ reason: 'Drill' });
    expect(small.shown()).toMatchObject({
      status: 'active',
      phase: 'evacuating',
      kind: 'general',
      reason: 'Drill',
      started_at: '2026-10-05T06:00:00.000Z',
      ended_at: null,
      deadline: null,
      origin: null,
      targets_revision: 1,
      totals: { expected: 3, safe: 0, help: 0, wrong_point: 0, pending: 3, no_signal: 0, not_worn: 0 },
      assembly_points: [
        { name: 'Gate A', status: 'available', count: 0, excluded: null },
        { name: 'Hill North', status: 'available', count: 0, excluded: null },
      ],
    });
    expect(small.musterEvents()).toEqual(['muster.started']);
    expect(small.lastEvent().data).toEqual({ muster: small.shown() });
  });

  test('is the only active one of its site', () => {
    const small = new MusterWorld();
    small.start();
    const again = small.do({
      type: 'start-muster',
      siteId: small.muster().site.id,
      kind: 'tsunami',
      by: 'B',
      reason: null,
      origin: null,
      deadline: null,
    });
    expect(again).toMatchObject({ code: 'action_refused', detail: expect.stringMatching(/active on Harbour plant/) });
    small.end();
    small.start({ kind: 'tsunami' });
    expect(small.world.count('muster')).toBe(2);
  });

  test('ends with its closing figures, and nothing moves it any more', () => {
    const small = new MusterWorld();
    small.start();
    small.now = T0 + 1_000;
    small.end('cancelled');
    expect(small.shown()).toMatchObject({
      status: 'cancelled',
      phase: 'evacuating',
      ended_at: '2026-10-05T06:00:01.000Z',
      totals: { expected: 3, safe: 0, help: null, wrong_point: null, pending: null, no_signal: null, not_worn: null },
      assembly_points: [{ count: null }, { count: null }],
    });
    expect(small.lastEvent()).toMatchObject({ type: 'muster.ended', data: { muster: small.shown() } });
    const shown = small.shown();
    const refused = [
      small.begin('tsunami'),
      small.exclude('Gate A'),
      small.reinstate('Gate A'),
      small.mark(1),
      small.inspect(),
      small.end(),
    ];
    for (const decision of refused)
      expect(isRejection(decision) && decision).toMatchObject({
        code: 'action_refused',
        detail: 'The muster is cancelled.',
      });
    small.do({ type: 'count-muster', musterId: small.muster().id });
    expect(small.shown()).toEqual(shown);
    expect(small.musterEvents()).toEqual(['muster.started', 'muster.ended']);
  });
});

describe('a worker who cannot evacuate', () => {
  test('is a critical alert that names the muster', () => {
    const small = new MusterWorld();
    const { id } = small.start();
    small.help(1, 'trapped');
    expect(small.alert('evacuation_help')).toMatchObject({
      severity: 'critical',
      details: { reason: 'trapped', muster_id: id },
    });
    small.wait(5);
    expect(small.figures()).toEqual({ expected: 3, help: 1, pending: 2 });
  });

  test('is heard and dropped where no muster is active', () => {
    const small = new MusterWorld();
    expect(small.help(1)).toMatchObject({ dropped: 'no muster is active on the site' });
    expect(small.declare(1, 'Gate A')).toMatchObject({ dropped: 'no muster is active on the site' });
    expect(small.alerts()).toEqual([]);
  });
});
