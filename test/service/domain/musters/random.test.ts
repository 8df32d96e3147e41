/** Whatever people, watches and the control room do: what holds of every muster at every moment. [spec 2, 3, decisions 6] */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MusterEvent } from '../../../../src/contract/events.ts';
import { clientOf, viewerOf } from '../../../../src/service/domain/access/viewer.ts';
import { missingIn } from '../../../../src/service/domain/views/muster.ts';
import type { Muster } from '../../../../src/service/domain/world/documents.ts';
import { isWhole } from '../../../helpers/whole.ts';
import { ORG } from '../small-world.ts';
import { MusterWorld } from './muster-world.ts';
import { scenarios } from './random-steps.ts';

/** Scenarios; each has several musters. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? (isWhole ? 60 : 30));

test('sums hold, closed musters are frozen, revisions only grow, and nobody is safe where nobody can be', () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const small = new MusterWorld({ site: { plan: { general: 60_000 } } });
      for (const n of [4, 5]) small.worker(n, `Person ${n}`, n === 4 ? 'Sur SL' : null);
      const closed = new Map<string, string>();
      const revisions = new Map<string, number>();
      let reported = 0;
      for (const step of [(world: MusterWorld) => void world.start(), ...scenario]) {
        step(small);
        for (const muster of small.world.all('muster')) {
          expect(muster.targetsRevision).toBeGreaterThanOrEqual(revisions.get(muster.id) ?? 1);
          revisions.set(muster.id, muster.targetsRevision);
          if (muster.status === 'active') holds(small, muster);
          else {
            expect(closed.get(muster.id) ?? JSON.stringify(muster)).toBe(JSON.stringify(muster));
            closed.set(muster.id, JSON.stringify(muster));
            expect(small.world.indexes.expectedIn(muster.id).size).toBe(0);
          }
        }
        reported = followsTheRules(small, reported);
      }
    }),
    { numRuns: RUNS, seed: 6 },
  );
});

function holds(small: MusterWorld, muster: Muster): void {
  const { totals, targets, exclusions } = muster;
  const { expected, ...of } = totals;
  expect(Object.values(of).reduce((sum: number, part) => sum + (part ?? 0), 0)).toBe(expected);
  const people = [...small.world.indexes.expectedIn(muster.id).values()].filter(({ counted }) => counted);
  expect(people).toHaveLength(expected);
  const atPoints = Object.values(muster.safeAt ?? {}).reduce((sum, one) => sum + one, 0);
  expect(people.filter(({ status, point: at }) => status === 'safe' && at !== null)).toHaveLength(atPoints);
  const viewer = viewerOf(clientOf(small.world, ORG));
  expect(missingIn(small.world, muster, viewer, small.now)).toHaveLength(expected - of.safe);
  // What a person's entry says is of the last count: an exclusion since then is not in it yet.
  const servedSince = new Set(targets.map(({ id }) => id));
  for (const { status, point: at } of people) {
    if (status === 'safe' && at !== null) expect([at.valid, servedSince.has(at.id)]).toEqual([true, true]);
    if (status === 'wrong_point') expect(at?.valid).toBe(false);
    expect(['safe', 'help', 'wrong_point', 'pending', 'no_signal', 'not_worn']).toContain(status);
  }
  for (const { pointId } of exclusions) {
    const excludedAt = exclusions.find((one) => one.pointId === pointId)?.at ?? 0;
    const counted = muster.startedAt + Math.floor((small.now - muster.startedAt) / 5_000) * 5_000;
    // A count since the exclusion has nobody safe there.
    if (counted > excludedAt) expect(muster.safeAt?.[pointId] ?? 0).toBe(0);
  }
}

/** Each new event carries figures that differ from the one before where it is an update; times only grow. */
function followsTheRules(small: MusterWorld, from: number): number {
  const events = small.events.filter(({ type }) => type.startsWith('muster.'));
  for (const [place, record] of events.entries()) {
    const before = events[place - 1];
    if (place < from || before === undefined) continue;
    expect(record.createdAt).toBeGreaterThan(before.createdAt);
    const [was, is] = [before, record].map(({ body }) => (JSON.parse(body) as MusterEvent).data.muster);
    if (record.type === 'muster.updated')
      expect([is?.totals, is?.assembly_points]).not.toEqual([was?.totals, was?.assembly_points]);
  }
  return events.length;
}
