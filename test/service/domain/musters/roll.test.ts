/** What outlives a muster: everybody's last line and the course of the counts; and that no resource or event shows them. */
import { describe, expect, test } from 'vitest';
import { lastLines } from '../../../../src/service/domain/musters/count.ts';
import { MOST_SAMPLES } from '../../../../src/service/domain/musters/course.ts';
import { linesOf } from '../../../../src/service/domain/musters/roll-rows.ts';
import { missingIn } from '../../../../src/service/domain/views/muster.ts';
import type { CourseSample } from '../../../../src/service/domain/world/documents.ts';
import { ORG, SITE, T0 } from '../small-world.ts';
import { BY, MusterWorld } from './muster-world.ts';

const lastOf = (small: MusterWorld) => linesOf(small.world.need('roll', small.muster().id));

const course = (small: MusterWorld) => small.world.indexes.courseOfMuster.of(small.muster().id).values();

/** Second, safe, and safe at each point. */
const figures = ({ at, totals, safeAt }: CourseSample) => [(at - T0) / 1_000, totals.safe, ...safeAt];

describe('the roll', () => {
  test('has a line for everybody, by whom and where they are safe, and why not', () => {
    const small = new MusterWorld();
    small.start();
    small.goes(1, 'gate');
    small.help(2, 'injured');
    small.mark(3, 'Hill North');
    small.wait(10);
    small.sos(2);
    small.now += 2_000;
    small.end();
    expect(lastOf(small)).toEqual([
      {
        worker: { id: small.workerId(1), externalId: 'E-1', name: 'Ana Ruiz', contractor: null },
        status: 'safe',
        helpReason: null,
        safeBy: 'position',
        declared: null,
        marked: null,
        needsRescue: false,
        critical: null,
        fix: null,
        point: { id: small.pointId('Gate A'), name: 'Gate A', valid: true },
        since: T0 + 10_000,
        firstSafeAt: T0 + 10_000,
        lastSeenAt: T0,
      },
      {
        worker: { id: small.workerId(2), externalId: 'E-2', name: 'Luis Paz', contractor: 'Norte SL' },
        status: 'help',
        helpReason: 'injured',
        safeBy: null,
        declared: null,
        marked: null,
        needsRescue: true,
        critical: 'sos',
        fix: expect.objectContaining({ at: T0, uncertaintyM: 3 }),
        point: null,
        since: T0 + 5_000,
        firstSafeAt: null,
        lastSeenAt: T0,
      },
      {
        worker: { id: small.workerId(3), externalId: 'E-3', name: 'Eva Mar', contractor: null },
        status: 'safe',
        helpReason: null,
        safeBy: 'marked',
        declared: null,
        needsRescue: false,
        critical: null,
        fix: null,
        marked: { point: { id: small.pointId('Hill North'), name: 'Hill North' }, at: T0, by: BY },
        point: { id: small.pointId('Hill North'), name: 'Hill North', valid: true },
        since: T0 + 5_000,
        firstSafeAt: T0 + 5_000,
        lastSeenAt: T0,
      },
    ]);
  });

  test('is of the last count, which the end makes: who arrived since the one before is safe', () => {
    const small = new MusterWorld();
    small.start();
    small.now += 1_000;
    small.goes(1, 'gate');
    small.wait(10);
    small.now += 1_000;
    expect(small.person(1).status).toBe('pending');
    small.end();
    expect(lastOf(small)[0]).toMatchObject({ status: 'safe', since: T0 + 12_000, firstSafeAt: T0 + 12_000 });
    expect(small.muster().totals.safe).toBe(1);
  });

  test('sums up to the closing figures, whoever came in at the last moment', () => {
    const small = new MusterWorld();
    small.worker(9, 'Nia Sol');
    small.start();
    small.now += 1_000;
    small.at(9, 40, 40);
    small.end();
    expect(lastOf(small)).toHaveLength(small.muster().totals.expected);
    expect(lastOf(small).at(-1)).toMatchObject({ worker: { name: 'Nia Sol' }, since: T0 + 1_000 });
  });

  test('of a muster that expects nobody is empty', () => {
    const small = new MusterWorld();
    small.now += 13 * 3_600_000;
    small.start();
    small.end();
    expect(small.muster().totals).toMatchObject({ expected: 0, safe: 0 });
    expect(lastOf(small)).toEqual([]);
  });

  test('keeps names as they were, and what was declared and contradicted', () => {
    const small = new MusterWorld();
    small.start();
    small.declare(1, 'Gate A');
    small.wait(5);
    small.goes(1, 'nowhere');
    small.wait(5);
    small.end();
    const worker = small.world.need('worker', small.workerId(1));
    small.world.put('worker', { ...worker, name: 'Ana Ruiz Sol' });
    expect(lastOf(small)[0]).toMatchObject({
      worker: { name: 'Ana Ruiz' },
      status: 'pending',
      declared: { point: { name: 'Gate A' }, at: T0, contradicted: true },
      firstSafeAt: T0 + 5_000,
    });
  });

  test('of an active muster is that of its last count', () => {
    const small = new MusterWorld();
    small.start();
    small.goes(1, 'gate');
    small.wait(10);
    const lines = lastLines(small.world, small.muster(), small.now);
    expect(lines.map(({ status }) => status)).toEqual(['safe', 'pending', 'pending']);
    expect(small.world.get('roll', small.muster().id)).toBeUndefined();
  });

  test('goes with its site', () => {
    const small = new MusterWorld();
    small.start();
    small.end();
    const [client] = small.world.all('client');
    small.world.put('guest', {
      id: 'run',
      organizationId: client!.organizationId,
      clientId: client!.id,
      siteIds: [SITE],
      receivers: { domain: 'run.example', urls: [] },
      destinationIds: [],
      before: { contract: null, limits: null, apiFault: null, broker: null },
    });
    small.do({ type: 'leave-plant', guestId: 'run' });
    expect([small.world.count('roll'), small.world.count('course')]).toEqual([0, 0]);
  });

  test('makes room for those of later musters: the oldest goes first', () => {
    const small = new MusterWorld();
    small.start();
    small.end();
    const first = small.muster().id;
    const [row] = small.world.need('roll', first).rows;
    small.now += 1_000;
    small.start();
    small.end();
    const second = small.muster().id;
    const kept = () => [first, second].map((id) => small.world.get('roll', id)?.rows.length);
    const another = () => {
      small.now += 1_000;
      small.start();
      small.end();
    };
    // 200,000 lines are kept in all.
    const many = Array.from({ length: 199_994 }, () => row as NonNullable<typeof row>);
    small.world.put('roll', { ...small.world.need('roll', second), rows: many });
    another();
    expect(kept()).toEqual([3, 199_994]);
    another();
    expect(kept()).toEqual([undefined, 199_994]);
    another();
    expect(kept()).toEqual([undefined, undefined]);
    expect(lastOf(small)).toHaveLength(3);
  });

  test('is in no view, event or effect: an ended muster shows nothing of its people', () => {
    const small = new MusterWorld();
    small.start();
    small.goes(1, 'gate');
    small.wait(10);
    const [events, effects] = [small.events.length, small.effects.length];
    small.end();
    expect(small.world.count('expected')).toBe(0);
    const viewer = { organizationId: ORG, names: true, contractors: null };
    expect(missingIn(small.world, small.muster(), viewer, small.now)).toEqual([]);
    const reported = JSON.stringify([small.events.slice(events), small.effects.slice(effects), small.shown()]);
    expect(small.events.slice(events).map(({ type }) => type)).toEqual(['muster.ended']);
    expect(reported).not.toMatch(/Ana Ruiz|firstSafe|safeBy|samples/);
  });
});

describe('the course', () => {
  test('has the totals of each count that changed something, and of the end', () => {
    const small = new MusterWorld();
    small.start();
    small.goes(1, 'gate');
    small.wait(40);
    small.declare(2, 'Hill North');
    small.wait(7);
    small.end();
    const [stretch] = course(small);
    expect(stretch?.points.map(({ name }) => name)).toEqual(['Gate A', 'Hill North']);
    expect(stretch?.samples.map(figures)).toEqual([
      [0, 0, 0, 0],
      [10, 1, 1, 0],
      [45, 2, 1, 1],
      [47, 2, 1, 1],
    ]);
    expect(stretch?.samples.at(-1)?.totals).toEqual({
      expected: 3,
      safe: 2,
      help: 0,
      wrong_point: 0,
      pending: 1,
      no_signal: 0,
      not_worn: 0,
    });
  });

  test('begins a stretch with other targets, at once', () => {
    const small = new MusterWorld();
    small.start();
    small.goes(1, 'gate');
    small.wait(10);
    small.now += 2_000;
    small.begin('tsunami');
    small.wait(13);
    const stretches = course(small);
    expect(
      stretches.map(({ kind, points, samples }) => [kind, points.map(({ name }) => name), samples.length]),
    ).toEqual([
      ['general', ['Gate A', 'Hill North'], 2],
      ['tsunami', ['Hill North', 'Tower'], 1],
    ]);
    expect(stretches[1]?.samples[0]).toMatchObject({ at: T0 + 12_000, totals: { safe: 0, wrong_point: 1 } });
  });

  test('is written in pieces, and never has more than its bound', () => {
    const small = new MusterWorld();
    small.start();
    // Each count differs: a person is there, and is not.
    for (let round = 1; round <= MOST_SAMPLES + 400; round++) {
      if (round % 2 === 1) small.declare(1, 'Gate A');
      else small.at(1, 100, 60);
      const before = [...course(small)];
      small.wait(5);
      const touched = course(small).filter((stretch) => !before.includes(stretch));
      if (round < MOST_SAMPLES) {
        expect(touched).toHaveLength(1);
        expect(touched[0]?.samples.length).toBeLessThanOrEqual(50);
      }
    }
    const samples = course(small).flatMap((stretch) => stretch.samples);
    const times = samples.map(({ at }) => (at - T0) / 1_000);
    expect(samples.length).toBeLessThanOrEqual(MOST_SAMPLES);
    // Half of the first 2,000, evenly; then all of the rest.
    expect(times[0]).toBe(0);
    const thin = times.filter((second) => second > 0 && second <= 9_990);
    expect(new Set(thin.slice(1).map((second, place) => second - (thin[place] as number)))).toEqual(new Set([10]));
    expect(times.at(-1)).toBe((MOST_SAMPLES + 400) * 5);
    expect(
      times.slice(-390).every((second, place, all) => place === 0 || second - (all[place - 1] as number) === 5),
    ).toBe(true);
    expect(course(small).map(({ number }) => number)).toEqual(course(small).map((_stretch, place) => place));
    expect(small.world.count('course')).toBe(course(small).length);
  });
});
