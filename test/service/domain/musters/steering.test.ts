/** What the control room does in an evacuation, and what the event log tells of it. [spec 3, decisions 6] */
import { describe, expect, test } from 'vitest';
import { frame } from '../../../../src/base/geometry/shapes.ts';
import { ORIGIN, T0 } from '../small-world.ts';
import { BY, MusterWorld } from './muster-world.ts';

const MINUTE = 60_000;
const refusal = (detail: RegExp) => ({
  rejected: true,
  code: 'action_refused',
  detail: expect.stringMatching(detail),
});

describe('a change of kind', () => {
  test('is counted at once: other targets, another revision, one event', () => {
    const small = new MusterWorld();
    small.start();
    small.goes(1, 'gate');
    small.goes(2, 'hill');
    small.goes(3, 'tower');
    small.wait(10);
    expect(small.figures()).toEqual({ expected: 3, safe: 2, wrong_point: 1 });
    small.now += 1;
    small.begin('tsunami');
    expect(small.shown()).toMatchObject({
      kind: 'tsunami',
      targets_revision: 2,
      totals: { expected: 3, safe: 2, wrong_point: 1 },
      assembly_points: [
        { name: 'Hill North', count: 1 },
        { name: 'Tower', count: 1 },
      ],
    });
    expect(small.lastEvent()).toMatchObject({ type: 'muster.kind_changed', data: { muster: small.shown() } });
    expect(small.musterEvents().filter((type) => type === 'muster.kind_changed')).toHaveLength(1);
    small.wait(4);
    expect(small.musterEvents().at(-1)).toBe('muster.kind_changed');
  });

  test('leaves exclusions as they are, also of points that are no target for a while', () => {
    const small = new MusterWorld();
    small.start();
    small.exclude('Gate A');
    small.exclude('Hill North');
    small.begin('tsunami');
    expect(small.shown().assembly_points).toMatchObject([
      { name: 'Hill North', status: 'excluded', excluded: { reason: 'Smoke', by: BY } },
      { name: 'Tower', status: 'available' },
    ]);
    small.begin('earthquake');
    expect(small.shown().assembly_points.map(({ status }) => status)).toEqual(['excluded', 'excluded']);
    expect(small.shown().targets_revision).toBe(5);
  });

  test('to the kind that it has is refused', () => {
    const small = new MusterWorld();
    small.start();
    expect(small.begin('general')).toMatchObject(refusal(/general already/));
    expect(small.shown().targets_revision).toBe(1);
  });

  test('keeps who was marked safe without a point', () => {
    const small = new MusterWorld();
    small.start();
    small.mark(1);
    small.begin('tsunami');
    expect(small.figures()).toEqual({ expected: 3, safe: 1, pending: 2 });
  });

  test('keeps the phase', () => {
    const small = new MusterWorld();
    small.start();
    for (const n of [1, 2, 3]) small.declare(n, 'Gate A');
    small.wait(5);
    small.inspect();
    small.begin('tsunami');
    expect(small.shown()).toMatchObject({ phase: 'inspecting', totals: { safe: 0, wrong_point: 3 } });
  });
});

describe('the deadline', () => {
  const plan = { general: 15 * MINUTE, tsunami: 20 * MINUTE };

  test('is the plan’s for the kind, from the start', () => {
    const small = new MusterWorld({ site: { plan } });
    small.start({ kind: 'tsunami' });
    expect(small.shown().deadline).toEqual({ at: '2026-10-05T06:20:00.000Z', source: 'plan_estimate' });
  });

  test('is null without a plan for the kind', () => {
    const small = new MusterWorld({ site: { plan } });
    small.start({ kind: 'earthquake' });
    expect(small.shown().deadline).toBeNull();
  });

  test('is the official one where a bulletin gave it', () => {
    const small = new MusterWorld({ site: { plan } });
    small.start({ deadline: { at: T0 + 7 * MINUTE, source: 'official' } });
    expect(small.shown().deadline).toEqual({ at: '2026-10-05T06:07:00.000Z', source: 'official' });
  });

  test('of another kind is the one given, else the plan’s from the change', () => {
    const small = new MusterWorld({ site: { plan } });
    small.start({ deadline: { at: T0 + 7 * MINUTE, source: 'official' } });
    small.now += 2 * MINUTE;
    small.begin('tsunami');
    expect(small.shown().deadline).toEqual({ at: '2026-10-05T06:22:00.000Z', source: 'plan_estimate' });
    small.begin('general', { at: T0 + 30 * MINUTE, source: 'official' });
    expect(small.shown().deadline).toEqual({ at: '2026-10-05T06:30:00.000Z', source: 'official' });
    small.begin('earthquake');
    expect(small.shown().deadline).toBeNull();
  });
});

describe('an exclusion', () => {
  test('is reported at once with the last count, and counted with the next', () => {
    const small = new MusterWorld();
    small.start();
    small.goes(1, 'gate');
    small.wait(10);
    small.now += 1_000;
    small.exclude('Gate A');
    expect(small.lastEvent()).toMatchObject({ type: 'muster.targets_changed', data: { muster: small.shown() } });
    expect(small.shown()).toMatchObject({
      targets_revision: 2,
      totals: { safe: 1, wrong_point: 0 },
      assembly_points: [
        {
          name: 'Gate A',
          status: 'excluded',
          count: 1,
          excluded: { reason: 'Smoke', recommended: false, at: '2026-10-05T06:00:11.000Z', by: BY },
        },
        { name: 'Hill North', status: 'available' },
      ],
    });
    small.wait(4);
    expect(small.shown()).toMatchObject({
      totals: { safe: 0, wrong_point: 1 },
      assembly_points: [{ count: 0 }, { count: 0 }],
    });
    small.reinstate('Gate A');
    expect(small.shown()).toMatchObject({
      targets_revision: 3,
      totals: { safe: 0 },
      assembly_points: [{ status: 'available', excluded: null }, {}],
    });
    small.wait(5);
    expect(small.figures()).toEqual({ expected: 3, safe: 1, pending: 2 });
    expect(small.musterEvents()).toEqual([
      'muster.started',
      'muster.updated',
      'muster.targets_changed',
      'muster.updated',
      'muster.targets_changed',
      'muster.updated',
    ]);
  });

  test('of an excluded point, of one that is no target, and of none at all is refused', () => {
    const small = new MusterWorld();
    small.start();
    small.exclude('Gate A');
    expect(small.exclude('Gate A')).toMatchObject(refusal(/excluded already/));
    expect(small.exclude('Tower')).toMatchObject(refusal(/not a target: it does not serve general/));
    expect(small.exclude('Dock')).toMatchObject({ code: 'not_found' });
    expect(small.reinstate('Hill North')).toMatchObject(refusal(/not excluded/));
    expect(small.shown().targets_revision).toBe(2);
  });
});

describe('the system recommends an exclusion', () => {
  /** The hill stands around (625, 425). */
  const [X, Y] = [625, 425];
  const wind = (fromDeg: number, speedMs = 4) => ({ fromDeg, speedMs });
  const point = (x: number, y: number) => frame(ORIGIN).toDegrees([x, y]);

  test.each<[string, { origin: [number, number] | null; radiusM?: number; from?: number; speedMs?: number }, boolean]>([
    ['of a point within the radius', { origin: [X - 99, Y], radiusM: 100 }, true],
    ['not of one beyond it', { origin: [X - 101, Y], radiusM: 100 }, false],
    ['of one straight downwind', { origin: [X - 900, Y], from: 270 }, true],
    ['of one 44 degrees from downwind', { origin: [X - 500, Y], from: 314 }, true],
    ['of one 44 degrees to the other side', { origin: [X - 500, Y], from: 226 }, true],
    ['not of one 46 degrees from downwind', { origin: [X - 500, Y], from: 316 }, false],
    ['not of one upwind', { origin: [X - 500, Y], from: 90 }, false],
    ['of one downwind across north', { origin: [X, Y - 500], from: 200 }, true],
    ['not of one 1 km downwind', { origin: [X - 1_001, Y], from: 270 }, false],
    ['not by calm air', { origin: [X - 500, Y], from: 270, speedMs: 0 }, false],
    ['not without an origin', { origin: null, from: 270 }, false],
  ])('%s', (_words, { origin, radiusM = 50, from, speedMs }, recommended) => {
    const small = new MusterWorld({ site: { wind: from === undefined ? null : wind(from, speedMs) } });
    small.start({ origin: origin === null ? null : { ...point(...origin), radiusM, label: 'Leak', zone: null } });
    small.exclude('Hill North');
    expect(small.shown().assembly_points[1]?.excluded?.recommended).toBe(recommended);
  });

  test('by the radius from the edge of a zone that is the origin', () => {
    const small = new MusterWorld();
    const dock = small.zoneOf('Dock');
    const zone = { id: dock.id, name: dock.name };
    // The dock ends at x = 200, the gate’s own point is at (320, 20).
    small.start({ origin: { ...point(100, 60), radiusM: 120, label: null, zone } });
    expect(small.shown().origin).toMatchObject({ radius_m: 120, label: null, zone: { name: 'Dock' } });
    small.exclude('Gate A');
    small.exclude('Hill North');
    expect(small.shown().assembly_points.map(({ excluded }) => excluded?.recommended)).toEqual([true, false]);
  });

  test('as of the exclusion: what the wind does later changes nothing', () => {
    const small = new MusterWorld();
    small.start({ origin: { ...point(X - 500, Y), radiusM: 10, label: null, zone: null } });
    small.exclude('Hill North');
    small.world.put('site', { ...small.world.need('site', small.muster().site.id), wind: wind(270) });
    small.wait(5);
    expect(small.shown().assembly_points[1]?.excluded?.recommended).toBe(false);
    small.reinstate('Hill North');
    small.exclude('Hill North');
    expect(small.shown().assembly_points[1]?.excluded?.recommended).toBe(true);
  });
});

describe('a mark', () => {
  test('is for those who are expected, at a point where one can be safe', () => {
    const small = new MusterWorld();
    small.worker(9, 'Nia Sol');
    small.start();
    expect(small.mark(9)).toMatchObject(refusal(/not expected/));
    expect(small.mark(1, 'Tower')).toMatchObject(refusal(/Nobody is safe at Tower/));
    small.exclude('Gate A');
    expect(small.mark(1, 'Gate A')).toMatchObject(refusal(/Nobody is safe at Gate A/));
  });

  test('outlives what positions say', () => {
    const small = new MusterWorld();
    small.start();
    small.mark(1, 'Gate A');
    small.goes(1, 'nowhere');
    small.wait(5);
    expect(small.person(1)).toMatchObject({ status: 'safe', marked: { by: BY } });
  });
});

describe('an inspection', () => {
  test('needs that nobody is missing, and is reported', () => {
    const small = new MusterWorld();
    small.start();
    for (const n of [1, 2]) small.declare(n, 'Gate A');
    small.wait(5);
    expect(small.inspect()).toMatchObject(refusal(/1 of 3 is missing/));
    small.mark(3);
    small.wait(5);
    small.inspect();
    expect(small.shown().phase).toBe('inspecting');
    expect(small.lastEvent()).toMatchObject({ type: 'muster.phase_changed', data: { muster: small.shown() } });
    expect(small.inspect()).toMatchObject(refusal(/already/));
  });

  test('goes on when people leave: the count changes, not the phase', () => {
    const small = new MusterWorld();
    small.start();
    for (const n of [1, 2, 3]) small.goes(n, 'gate');
    small.wait(10);
    small.inspect();
    small.goes(1, 'nowhere');
    small.wait(5);
    expect(small.shown()).toMatchObject({ phase: 'inspecting', totals: { safe: 2, pending: 1 } });
    expect(small.musterEvents().at(-1)).toBe('muster.updated');
  });

  test.each(['completed', 'cancelled'] as const)('ends %s, and the muster keeps its phase', (outcome) => {
    const small = new MusterWorld();
    small.start();
    for (const n of [1, 2, 3]) small.goes(n, 'gate');
    small.wait(10);
    small.inspect();
    small.end(outcome);
    expect(small.shown()).toMatchObject({ status: outcome, phase: 'inspecting' });
  });
});

describe('the end', () => {
  test('makes a last count, which the closed muster keeps', () => {
    const small = new MusterWorld();
    small.start();
    small.declare(1, 'Gate A');
    small.now += 1;
    small.end();
    expect(small.shown().totals).toMatchObject({ expected: 3, safe: 1, pending: null });
    expect(small.musterEvents()).toEqual(['muster.started', 'muster.ended']);
  });

  test('forgets who was expected', () => {
    const small = new MusterWorld();
    small.start();
    expect(small.world.count('expected')).toBe(3);
    small.end();
    expect(small.world.count('expected')).toBe(0);
  });

  test('of one muster leaves the alerts of who could not evacuate to people', () => {
    const small = new MusterWorld();
    small.start();
    small.help(1, 'trapped');
    small.end();
    expect(small.alert('evacuation_help').status).toBe('unacknowledged');
  });
});

describe('a missing worker', () => {
  const missing = (small: MusterWorld) => small.events.filter(({ type }) => type === 'muster.worker_missing').length;

  test('is reported once, at the count at which the deadline has passed', () => {
    const small = new MusterWorld({ site: { plan: { general: 60_000 } } });
    small.start();
    small.wait(59);
    expect(missing(small)).toBe(0);
    small.wait(1);
    expect(small.lastEvent()).toMatchObject({
      type: 'muster.worker_missing',
      created_at: '2026-10-05T06:01:00.000Z',
      data: { muster: small.shown() },
    });
    small.wait(600);
    expect(missing(small)).toBe(1);
  });

  test('is reported 15 min after the start where there is no deadline', () => {
    const small = new MusterWorld();
    small.start();
    small.wait(895);
    expect(missing(small)).toBe(0);
    small.wait(5);
    expect(missing(small)).toBe(1);
  });

  test('is reported after the change of the count in the same count, a millisecond later', () => {
    const small = new MusterWorld({ site: { plan: { general: 60_000 } } });
    small.start();
    small.wait(55);
    small.declare(1, 'Gate A');
    small.wait(5);
    expect(small.events.slice(-2).map(({ type, createdAt }) => [type, createdAt - T0])).toEqual([
      ['muster.updated', 60_000],
      ['muster.worker_missing', 60_001],
    ]);
  });

  test('is reported again only for somebody new: who left a point, or came in late', () => {
    const small = new MusterWorld({ site: { plan: { general: 60_000 } } });
    small.worker(9, 'Nia Sol');
    small.start();
    small.goes(1, 'gate');
    small.wait(60);
    expect(missing(small)).toBe(1);
    small.goes(2, 'gate');
    small.wait(15);
    small.goes(2, 'nowhere');
    small.wait(5);
    expect(missing(small)).toBe(1);
    small.goes(1, 'nowhere');
    small.wait(5);
    expect(missing(small)).toBe(2);
    small.at(9, 40, 40);
    small.wait(5);
    expect(missing(small)).toBe(3);
  });

  test('is nobody when all are safe', () => {
    const small = new MusterWorld({ site: { plan: { general: 60_000 } } });
    small.start();
    for (const n of [1, 2, 3]) small.mark(n);
    small.wait(300);
    expect(missing(small)).toBe(0);
  });
});
