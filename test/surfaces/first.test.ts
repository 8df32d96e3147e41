/** Panel, dashboard and report begin with the same person, have one place for each, and one word for who was not safe. [decisions 4, "One answer on every surface"] */
import { expect, test } from 'vitest';
import { StreamProjection } from '../../src/service/api/stream/stream-projection.ts';
import { afterSnapshot, EMPTY_STATE, type StreamState } from '../../src/watching/state/state.ts';
import { compareFirst, type SeenLists } from './first.ts';
import { comparePlaces } from './places.ts';
import { SurfaceWorld } from './world.ts';

/** More of them where the time is taken. */
const WORLDS = Number(process.env['SURFACE_WORLDS'] ?? 3);

/** Plays in several worlds. `look` returns what a stream shows that is opened then. */
async function inWorlds(
  name: string,
  play: (world: SurfaceWorld, where: string, look: () => StreamState) => Promise<void>,
): Promise<void> {
  for (let seed = 1; seed <= WORLDS; seed++) {
    const world = await SurfaceWorld.make(`${name} ${seed}`);
    const projection = new StreamProjection(world.world, { panelUrl: '/panel' }, () => ({ viewer: null, scopes: [] }));
    await play(world, `world ${seed}`, () => afterSnapshot(EMPTY_STATE, projection.snapshot(world.clock), 0));
    await world.stop();
  }
}

test('every list of panel, dashboard and report begins with the person who is to be helped first', async () => {
  const seen: SeenLists = { waiting: 0, words: 0 };
  await inWorlds('first', async (world, where, look) => {
    const compare = (when: string): void => compareFirst(world.world, look(), `${where}, ${when}`, seen);
    await world.emergency();
    compare('in the emergency');
    await world.endMusters();
    compare('after it');
    for (let acts = 0; acts < 6; acts++) await world.acts();
    compare('later');
  });
  expect(Math.min(seen.waiting, seen.words)).toBeGreaterThan(2 * WORLDS);
});

test('each list of alerts and of people has the same place for a person, who has walked on since', async () => {
  const seen = { places: 0, moved: 0 };
  await inWorlds('places', async (world, where, look) => {
    const compare = (when: string): void => comparePlaces(world.world, look(), `${where}, ${when}`, seen);
    await world.emergency();
    compare('in the emergency');
    for (let minutes = 0; minutes < 6; minutes++) {
      await world.moves();
      await world.clock.advance(120_000);
      compare(`${minutes} moves later`);
    }
    await world.endMusters();
    compare('after it');
  });
  expect(Math.min(seen.places, seen.moved)).toBeGreaterThan(10 * WORLDS);
});
