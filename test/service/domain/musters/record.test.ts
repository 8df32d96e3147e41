/** What a muster writes down of itself: its timeline, its course, and everybody's last line. [spec 2 Muster, decisions 6] */
import { describe, expect, test } from 'vitest';
import { type Count, lastLines } from '../../../../src/service/domain/musters/count.ts';
import { courseAfter, MOST_SAMPLES } from '../../../../src/service/domain/musters/course.ts';
import { linesOf, rowsOf } from '../../../../src/service/domain/musters/roll-rows.ts';
import type { Muster, RollLine } from '../../../../src/service/domain/world/documents.ts';
import { SITE, T0 } from '../small-world.ts';
import { BY, MusterWorld } from './muster-world.ts';

const UNKNOWN = '00000000-0000-4000-8000-00000000ffff';
const NORTH = '00000000-0000-4000-8000-000000000011';

describe('the timeline', () => {
  const lines = (small: MusterWorld) =>
    small.muster().timeline.map(({ at, what, by, reason }) => [at - T0, what, by, reason]);

  test('has a line for each step, by whom, when and why', () => {
    const small = new MusterWorld();
    small.start({ reason: 'Drill' });
    small.now += 1_000;
    small.exclude('Gate A', 'Smoke');
    small.reinstate('Gate A');
    small.now += 1_000;
    small.begin('tsunami');
    for (const n of [1, 2]) small.declare(n, 'Tower');
    small.mark(3);
    small.wait(5);
    small.mark(3, 'Tower');
    small.inspect();
    small.end('cancelled');
    expect(lines(small)).toEqual([
      [0, 'Started: general', BY, 'Drill'],
      [1_000, 'Excluded Gate A', BY, 'Smoke'],
      [1_000, 'Reinstated Gate A', BY, null],
      [2_000, 'Changed from general to tsunami', BY, null],
      [2_000, 'Marked Eva Mar safe', BY, null],
      [7_000, 'Marked Eva Mar safe at Tower', BY, null],
      [7_000, 'Count complete: inspecting', BY, null],
      [7_000, 'Ended: cancelled', BY, null],
    ]);
    for (const { note } of small.muster().timeline) expect(note).toBeNull();
  });

  test('keeps its first 250 lines and the last ones, 500 in all', () => {
    const small = new MusterWorld();
    small.start();
    for (let marks = 1; marks < 500; marks++) {
      small.now = T0 + marks;
      small.mark(1);
    }
    const whole = small.muster().timeline;
    expect(whole).toHaveLength(500);
    small.now = T0 + 500;
    small.mark(1);
    const cut = small.muster().timeline;
    expect(cut).toEqual([...whole.slice(0, 250), ...whole.slice(251), { ...whole.at(-1), at: T0 + 500 }]);
  });
});

describe('steps on what is not there', () => {
  test('are not found, or refused, and change nothing', () => {
    const small = new MusterWorld();
    const request = { siteId: UNKNOWN, kind: 'general', reason: null, origin: null, deadline: null, by: BY } as const;
    expect(small.do({ type: 'start-muster', ...request })).toMatchObject({ code: 'not_found' });
    const muster = small.start();
    const before = small.events.length;
    const [musterId, pointId] = [muster.id, small.pointId('Gate A')];
    const north = small.zoneOf('Hill North');
    small.world.put('zone', { ...north, id: UNKNOWN, name: 'North hill', siteId: NORTH });
    const by = { by: BY };
    for (const id of [UNKNOWN, musterId]) {
      const code = id === musterId ? 'action_refused' : 'not_found';
      expect(
        small.do({ type: 'change-muster-kind', musterId: id, kind: 'general', deadline: null, ...by }),
      ).toMatchObject({ code });
      expect(small.do({ type: 'reinstate-point', musterId: id, pointId, ...by })).toMatchObject({ code });
      expect(small.do({ type: 'mark-safe', musterId: id, workerId: UNKNOWN, pointId, ...by })).toMatchObject({ code });
      expect(small.do({ type: 'inspect-plant', musterId: id, ...by })).toMatchObject({ code });
    }
    for (const [id, at] of [
      [UNKNOWN, pointId] as const,
      [musterId, small.pointId('Dock')] as const,
      [musterId, UNKNOWN] as const,
      [musterId, NORTH] as const,
    ])
      for (const type of ['exclude-point', 'reinstate-point'] as const)
        expect(small.do({ type: type as 'exclude-point', musterId: id, pointId: at, reason: '', ...by })).toMatchObject(
          { code: 'not_found' },
        );
    expect(small.do({ type: 'end-muster', musterId: UNKNOWN, outcome: 'completed', ...by })).toMatchObject({
      code: 'not_found',
    });
    expect(small.do({ type: 'count-muster', musterId: UNKNOWN })).toEqual({ changes: [] });
    expect(small.mark(1, 'Dock')).toMatchObject({ code: 'action_refused', detail: expect.stringMatching(/Dock/) });
    const mark = { type: 'mark-safe', musterId, workerId: small.workerId(1), pointId: NORTH, ...by } as const;
    expect(small.do(mark)).toMatchObject({ code: 'action_refused', detail: expect.stringMatching(NORTH) });
    expect([small.events.length, small.muster()]).toEqual([before, muster]);
  });

  test('answer the muster that they were about', () => {
    const small = new MusterWorld();
    const { id: musterId } = small.start();
    small.now += 1;
    for (const decision of [
      small.begin('tsunami'),
      small.begin('general'),
      small.exclude('Gate A'),
      small.reinstate('Gate A'),
      small.mark(1),
      small.mark(2),
      small.mark(3),
    ])
      expect(decision).toMatchObject({ musterId });
    small.wait(5);
    expect([small.inspect(), small.end()]).toMatchObject([{ musterId }, { musterId }]);
  });

  test('keep what they do not say: who is expected, and other exclusions', () => {
    const small = new MusterWorld();
    expect(small.start().exclusions).toEqual([]);
    const steps = [
      () => small.exclude('Gate A'),
      () => small.exclude('Hill North'),
      () => small.reinstate('Gate A'),
      () => small.mark(1),
      () => small.mark(2),
      () => small.mark(3),
      () => small.wait(5),
      () => small.inspect(),
    ];
    for (const step of steps) {
      step();
      expect(small.world.count('expected')).toBe(3);
    }
    expect(small.muster()).toMatchObject({
      phase: 'inspecting',
      exclusions: [{ pointId: small.pointId('Hill North') }],
    });
    small.world.remove('worker', small.workerId(1));
    expect(small.mark(1)).toMatchObject({ code: 'action_refused' });
    expect(small.end()).toMatchObject({ changes: [{}, { kind: 'roll-closed', forgotten: [] }, {}] });
  });

  test('a start and a change of kind after the deadline report no missing worker; the next count does', () => {
    const small = new MusterWorld();
    const passed = { at: T0 - 1, source: 'official' } as const;
    small.start({ deadline: passed });
    expect(small.musterEvents()).toEqual(['muster.started']);
    small.wait(5);
    expect(small.musterEvents()).toEqual(['muster.started', 'muster.worker_missing']);
    small.end();
    small.now += 1;
    small.start();
    small.begin('tsunami', passed);
    small.wait(5);
    expect(small.musterEvents().slice(-3)).toEqual(['muster.started', 'muster.kind_changed', 'muster.worker_missing']);
  });

  test('are told to those who watch, and to watches only where they show something else', () => {
    const small = new MusterWorld();
    small.start();
    small.now += 1_000;
    const from = small.effects.length;
    small.mark(1);
    expect(small.effects.slice(from)).toEqual([
      {
        kind: 'notice',
        notice: {
          kind: 'muster-changed',
          at: '2026-10-05T06:00:01.000Z',
          muster: small.shown(),
          organization_id: small.muster().organizationId,
        },
      },
    ]);
    small.exclude('Gate A');
    expect(small.effects.slice(from + 1).map(({ kind }) => kind)).toEqual(['notice', 'notice', 'muster']);
  });

  test('say how many are missing', () => {
    const small = new MusterWorld();
    small.start();
    expect(small.inspect()).toMatchObject({ detail: '3 of 3 are missing; inspect when nobody is.' });
    for (const n of [1, 2]) small.mark(n);
    small.wait(5);
    expect(small.inspect()).toMatchObject({ detail: '1 of 3 is missing; inspect when nobody is.' });
  });
});

describe('the course', () => {
  const of = (small: MusterWorld) => small.world.indexes.courseOfMuster.of(small.muster().id).values();
  const times = (small: MusterWorld) => of(small).map(({ samples }) => samples.map(({ at }) => (at - T0) / 1_000));
  const made = (small: MusterWorld): Count => ({
    totals: small.muster().totals,
    safeAt: {},
    contractors: [],
    changed: [],
    newlyMissing: [],
  });
  const draw = (small: MusterWorld, muster: Muster, second: number) => {
    const change = courseAfter(small.world, muster, made(small), T0 + second * 1_000);
    for (const stretch of change.stretches) small.world.put('course', stretch);
    for (const id of change.dropped) small.world.remove('course', id);
    return change;
  };

  test('never goes back: a count that was due before a step, and is made after it, stands at the step', () => {
    const small = new MusterWorld();
    const { id } = small.start();
    small.declare(1, 'Gate A');
    small.now = T0 + 7_000;
    small.begin('earthquake');
    small.help(2);
    small.do({ type: 'count-muster', musterId: id });
    expect(times(small)).toEqual([[0], [7, 7]]);
  });

  test('has 50 counts in a stretch, of one kind and the same points', () => {
    const small = new MusterWorld();
    const muster = small.start();
    for (let second = 1; second < 51; second++) draw(small, muster, second);
    expect(of(small).map(({ number, samples }) => [number, samples.length])).toEqual([
      [0, 50],
      [1, 1],
    ]);
    const [gate, hill] = muster.targets as [Muster['targets'][number], Muster['targets'][number]];
    const others: Partial<Muster>[] = [
      { kind: 'earthquake' },
      { kind: 'earthquake', targets: [hill] },
      { kind: 'earthquake', targets: [hill, gate] },
      { kind: 'earthquake', targets: [hill, gate] },
      { kind: 'earthquake', targets: [{ ...hill, id: UNKNOWN }, gate] },
    ];
    for (const [place, part] of others.entries()) draw(small, { ...muster, ...part }, 60 + place);
    expect(
      of(small)
        .map(({ kind, points, samples }) => [kind, points.length, samples.length])
        .slice(1),
    ).toEqual([
      ['general', 2, 1],
      ['earthquake', 2, 1],
      ['earthquake', 1, 1],
      ['earthquake', 2, 2],
      ['earthquake', 2, 1],
    ]);
    expect(of(small).map(({ id }) => id)).toEqual([...of(small).map(({ id }) => id)].sort());
  });

  test('a full course keeps about half of its samples: the first, the last of each span, and the targets of each', () => {
    const small = new MusterWorld();
    const muster = small.start();
    const tsunami = { ...muster, kind: 'tsunami' as const, targets: muster.targets.slice(1) };
    for (let count = 1; count < MOST_SAMPLES; count++) draw(small, count < 1_025 ? muster : tsunami, count * 5);
    expect(of(small).reduce((sum, { samples }) => sum + samples.length, 0)).toBe(MOST_SAMPLES);
    const stretches = of(small).length;
    const { dropped } = draw(small, tsunami, MOST_SAMPLES * 5);
    const kept = times(small).flat();
    expect(kept.slice(0, 4)).toEqual([0, 5, 15, 25]);
    expect(kept.slice(-2)).toEqual([MOST_SAMPLES * 5 - 5, MOST_SAMPLES * 5]);
    expect(kept).toHaveLength(MOST_SAMPLES / 2 + 2);
    expect(of(small).every(({ number }, place) => number === place)).toBe(true);
    expect(dropped).toHaveLength(stretches - of(small).length);
    const lastOfGeneral = of(small)
      .filter(({ kind }) => kind === 'general')
      .flatMap(({ samples }) => samples)
      .at(-1);
    expect(((lastOfGeneral?.at ?? 0) - T0) / 1_000).toBeLessThanOrEqual(1_024 * 5);
    expect(
      of(small)
        .map(({ kind, points }) => points.length - (kind === 'general' ? 2 : 1))
        .some((extra) => extra !== 0),
    ).toBe(false);
    for (const { samples } of of(small)) expect(samples.length).toBeLessThanOrEqual(50);
    draw(small, tsunami, MOST_SAMPLES * 5 + 5);
    expect(times(small).flat()).toHaveLength(MOST_SAMPLES / 2 + 3);
  });
});

describe('the course of a long muster', () => {
  test.each([
    [5, 3],
    [10, 3],
    [35, 0],
  ])('with a count each %i s, begun %i s after a round moment, keeps half of it', (everyS, offsetS) => {
    const small = new MusterWorld();
    small.now += offsetS * 1_000;
    const muster = small.start();
    const safeAt = {};
    const made = { totals: muster.totals, safeAt, contractors: [], changed: [], newlyMissing: [] };
    let dropped: readonly string[] = [];
    for (let count = 1; count <= MOST_SAMPLES; count++) {
      expect(dropped).toEqual([]);
      const change = courseAfter(small.world, muster, made, muster.startedAt + count * everyS * 1_000);
      for (const stretch of change.stretches) small.world.put('course', stretch);
      dropped = change.dropped;
      for (const id of dropped) small.world.remove('course', id);
    }
    const kept = small.world.indexes.courseOfMuster
      .of(muster.id)
      .values()
      .flatMap(({ samples }) => samples.map(({ at }) => (at - muster.startedAt) / 1_000));
    let spanS = 5;
    const all = Array.from({ length: MOST_SAMPLES + 1 }, (_none, count) => count * everyS);
    const spans = () => new Map(all.map((second) => [Math.floor(second / spanS), second]));
    do spanS *= 2;
    while (spans().size > MOST_SAMPLES / 2 + 1);
    expect(kept).toEqual([...new Set([0, ...spans().values()])]);
    expect(dropped.length).toBeGreaterThan(15);
  });
});

describe('everybody’s last line', () => {
  const line = (n: number, part: Partial<RollLine> = {}): RollLine => ({
    worker: { id: `w${n}`, externalId: null, name: `Person ${n}`, contractor: null },
    status: 'pending',
    helpReason: null,
    point: null,
    safeBy: null,
    declared: null,
    marked: null,
    since: null,
    firstSafeAt: null,
    lastSeenAt: null,
    needsRescue: false,
    critical: null,
    fix: null,
    ...part,
  });
  const [gate, hill] = [
    { id: 'g', name: 'Gate A' },
    { id: 'h', name: 'Hill North' },
  ];

  test('is the same when it is read as when it was written, and names are written once', () => {
    const lines: RollLine[] = [
      line(1),
      line(2, {
        worker: { id: 'w2', externalId: 'E-2', name: 'Luis Paz', contractor: 'Norte SL' },
        status: 'safe',
        safeBy: 'declared',
        point: { ...hill, valid: true },
        since: 5,
        firstSafeAt: 4,
        declared: { point: hill, at: 3, contradicted: false },
        lastSeenAt: 2,
      }),
      line(3, {
        worker: { id: 'w3', externalId: 'E-3', name: 'Eva Mar', contractor: 'Sur SL' },
        status: 'wrong_point',
        point: { ...gate, valid: false },
        needsRescue: true,
        declared: { point: hill, at: 9, contradicted: true },
        marked: { point: null, at: 8, by: BY },
      }),
      line(4, {
        worker: { id: 'w4', externalId: 'E-4', name: 'Ana Ruiz', contractor: 'Norte SL' },
        status: 'help',
        helpReason: 'injured',
        marked: { point: gate, at: 7, by: BY },
      }),
    ];
    const roll = rowsOf('m', T0, lines);
    expect(linesOf(roll)).toEqual(lines);
    expect(roll).toMatchObject({ id: 'm', at: T0, points: [hill, gate], contractors: ['Norte SL', 'Sur SL'] });
    expect(rowsOf('m', T0, [])).toEqual({ id: 'm', at: T0, points: [], contractors: [], rows: [] });
  });

  test('is of those whom a count took in and who are still there, in the order of their ids', () => {
    const small = new MusterWorld();
    small.worker(9, 'Nia Sol');
    const muster = small.start();
    small.at(9, 40, 40);
    small.declare(9, 'Gate A');
    small.world.remove('worker', small.workerId(2));
    const ids = (changed?: Parameters<typeof lastLines>[3]) =>
      lastLines(small.world, muster, small.now, changed).map(({ worker }) => worker.id);
    expect(ids()).toEqual([small.workerId(1), small.workerId(3)]);
    const [nia, ana] = [{ ...small.person(9), counted: true }, small.person(1)];
    expect(ids([nia, ana])).toEqual([1, 3, 9].map((n) => small.workerId(n)));
    small.worker(0, 'Abel Mas');
    small.at(0, 40, 40);
    small.wait(5);
    expect(ids()).toEqual([0, 1, 3, 9].map((n) => small.workerId(n)));
  });

  test('says of somebody without a watch, and of a point that is gone, what is known', () => {
    const small = new MusterWorld();
    small.start();
    small.mark(1, 'Gate A');
    small.sos(1);
    small.sos(2);
    small.declare(3, 'Tower');
    small.wait(5);
    small.world.put('worker', { ...small.world.need('worker', small.workerId(1)), deviceId: null });
    small.world.remove('zone', small.pointId('Tower'));
    const lines = lastLines(small.world, small.muster(), small.now);
    expect(lines).toMatchObject([
      {
        status: 'safe',
        safeBy: 'marked',
        lastSeenAt: null,
        needsRescue: false,
        point: { name: 'Gate A', valid: true },
      },
      { status: 'pending', safeBy: null, lastSeenAt: T0, needsRescue: true, point: null },
      {
        status: 'wrong_point',
        declared: { point: { name: '' } },
        point: { name: '', valid: false },
        needsRescue: false,
      },
    ]);
  });

  test('says by what somebody is safe as long as it holds', () => {
    const small = new MusterWorld();
    small.start();
    small.goes(1, 'gate');
    small.declare(2, 'Gate A');
    small.mark(3);
    small.wait(10);
    const safeBy = () => lastLines(small.world, small.muster(), small.now).map((line) => [line.status, line.safeBy]);
    expect(safeBy()).toEqual([
      ['safe', 'position'],
      ['safe', 'declared'],
      ['safe', 'marked'],
    ]);
    expect(lastLines(small.world, small.muster(), small.now)[2]?.marked).toEqual({ point: null, at: T0, by: BY });
    small.exclude('Gate A');
    expect(safeBy()).toEqual([
      ['safe', null],
      ['safe', null],
      ['safe', 'marked'],
    ]);
  });
});

test('a muster is of its site and company', () => {
  const small = new MusterWorld();
  const muster = small.start({ reason: 'Drill' });
  expect(muster).toMatchObject({
    organizationId: small.world.need('site', SITE).organizationId,
    site: { id: SITE, name: 'Harbour plant' },
  });
  expect(small.events).toMatchObject([{ siteId: SITE, objectId: muster.id, contractor: null }]);
});
