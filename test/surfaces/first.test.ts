/** Panel, dashboard and report begin with the same person, have one place for each, and one word for who was not safe. [decisions 4, "One answer on every surface"] */
import { expect, test } from 'vitest';
import { ChangeLog } from '../../src/service/api/stream/change-log.ts';
import { afterSnapshot, EMPTY_STATE } from '../../src/watching/state/state.ts';
import { compareFirst, type SeenLists } from './first.ts';
import { comparePlaces } from './places.ts';
import { SurfaceReader } from './reader.ts';
import { SurfaceWorld } from './world.ts';

/** More of them where the time is taken. */
const WORLDS = Number(process.env['SURFACE_WORLDS'] ?? 6);

test('every list of panel, dashboard and report begins with the person who is to be helped first', async () => {
  const seen: SeenLists = { waiting: 0, words: 0 };
  for (let seed = 1; seed <= WORLDS; seed++) {
    const world = await SurfaceWorld.make(`first ${seed}`);
    const { engine, past } = world.harness;
    const log = new ChangeLog(engine, world.clock);
    const reader = new SurfaceReader(engine, world.clock, log, past, () => ({ viewer: null, scopes: [] }));
    const compare = (when: string): void =>
      compareFirst(world.world, afterSnapshot(EMPTY_STATE, reader.snapshot(), 0), `world ${seed}, ${when}`, seen);
    await world.emergency();
    compare('in the emergency');
    await world.endMusters();
    compare('after it');
    for (let acts = 0; acts < 6; acts++) await world.acts();
    compare('later');
    reader.end();
    await world.stop();
  }
  expect(Math.min(seen.waiting, seen.words)).toBeGreaterThan(2 * WORLDS);
});

test('each list of alerts and of people has the same place for a person, who has walked on since', async () => {
  const seen = { places: 0, moved: 0 };
  for (let seed = 1; seed <= WORLDS; seed++) {
    const world = await SurfaceWorld.make(`places ${seed}`);
    const { engine, past } = world.harness;
    const log = new ChangeLog(engine, world.clock);
    const reader = new SurfaceReader(engine, world.clock, log, past, () => ({ viewer: null, scopes: [] }));
    const compare = (when: string): void =>
      comparePlaces(world.world, afterSnapshot(EMPTY_STATE, reader.snapshot(), 0), `world ${seed}, ${when}`, seen);
    await world.emergency();
    compare('in the emergency');
    for (let minutes = 0; minutes < 6; minutes++) {
      await world.moves();
      await world.clock.advance(120_000);
      compare(`${minutes} moves later`);
    }
    await world.endMusters();
    compare('after it');
    reader.end();
    await world.stop();
  }
  expect(Math.min(seen.places, seen.moved)).toBeGreaterThan(10 * WORLDS);
});
