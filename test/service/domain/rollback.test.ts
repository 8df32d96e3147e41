/** A transaction, or one command of it, that is taken back leaves no trace: the world is what it was, in every table and index. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { World } from '../../../src/service/domain/world/world.ts';
import { isWhole } from '../../helpers/whole.ts';
import { MusterWorld } from './musters/muster-world.ts';
import { type Step, scenarios } from './musters/random-steps.ts';
import { SmallWorld } from './small-world.ts';
import { pictureOf } from './world-picture.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? (isWhole ? 30 : 15));

/** With everybody whom the scenarios name. */
function peopled(): MusterWorld {
  const small = new MusterWorld();
  for (const n of [4, 5]) small.worker(n, `Person ${n}`);
  small.world.commit();
  return small;
}

/** The scenario goes on in one transaction: nothing of it is committed. */
function inOneTurn(small: MusterWorld, scenario: readonly Step[]): void {
  small.world.commit = () => {};
  for (const step of scenario) step(small);
  Reflect.deleteProperty(small.world, 'commit');
}

const random = fc.tuple(scenarios, scenarios, scenarios);

describe('a transaction that is taken back', () => {
  test('leaves the world as it was, whatever was in it', () => {
    fc.assert(
      fc.property(random, ([before, kept, undone]) => {
        const small = peopled();
        for (const step of before) step(small);
        const committed = pictureOf(small.world);
        inOneTurn(small, kept);
        const savepoint = small.world.savepoint();
        const picture = pictureOf(small.world);
        inOneTurn(small, undone);
        small.world.rollbackTo(savepoint);
        expect(pictureOf(small.world)).toEqual(picture);
        small.world.rollback();
        expect(pictureOf(small.world)).toEqual(committed);
      }),
      { numRuns: RUNS, seed: 3 },
    );
  });

  test('has the indexes of a world that was loaded from its documents', () => {
    fc.assert(
      fc.property(random, ([before, kept, undone]) => {
        const small = peopled();
        for (const step of before) step(small);
        const savepoint = small.world.savepoint();
        inOneTurn(small, undone);
        small.world.rollbackTo(savepoint);
        inOneTurn(small, kept);
        small.world.commit();
        const loaded = new World();
        for (const [kind, documents] of Object.entries(pictureOf(small.world).tables))
          for (const document of documents) loaded.load(kind as 'alert', document as never);
        expect(pictureOf(loaded)).toEqual(pictureOf(small.world));
      }),
      { numRuns: RUNS, seed: 4 },
    );
  });

  test('brings removed documents back to their place among the others', () => {
    const small = new SmallWorld();
    const order = () => [...small.world.all('worker')].map(({ name }) => name);
    const before = order();
    small.world.remove('worker', small.workerId(1));
    small.world.put('worker', { ...small.world.need('worker', small.workerId(2)), name: 'Other' });
    expect([order(), small.world.count('worker')]).toEqual([['Other', 'Eva Mar'], 2]);
    small.world.rollback();
    expect([order(), small.world.count('worker')]).toEqual([before, 3]);
  });

  test('unhears positions, and keeps the contact that came meanwhile', () => {
    const small = new SmallWorld();
    const id = small.device(1);
    const before = small.world.telemetry(id);
    small.world.putTelemetry({ ...before, batteryPct: 12, lastContactAt: small.now + 1 });
    small.world.contact(id, small.now + 5);
    small.world.rollback();
    expect(small.world.telemetry(id)).toEqual({ ...before, lastContactAt: small.now + 5 });
    small.world.commit();
    small.world.putTelemetry({ ...before, batteryPct: 12 });
    small.world.rollback();
    expect(small.world.telemetry(id).batteryPct).toBe(before.batteryPct);
  });

  test('a watch that was never heard before is unheard again', () => {
    const small = new SmallWorld();
    const id = small.device(3);
    small.world.putTelemetry({ ...small.world.telemetry(id), batteryPct: 12 });
    small.world.rollback();
    expect([...small.world.all('telemetry')].some((telemetry) => telemetry.id === id)).toBe(false);
  });
});
