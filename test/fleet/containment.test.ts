/** A watch that throws leaves the fleet, a person whose step throws stands still, and all others go on. */
import { expect, test } from 'vitest';
import { type Clock, LANE } from '../../src/base/time/clock.ts';
import { realClock } from '../../src/base/time/clocks.ts';
import { musterTopic } from '../../src/contract/watch.ts';
import type { DialLink } from '../../src/fleet/connection/link.ts';
import type { FleetPermit, FleetSite, SitePerson } from '../../src/fleet/people/ground/site.ts';
import { WalkingPeople } from '../../src/fleet/people/site-people.ts';
import { fleetBench } from '../helpers/fleet-bench.ts';
import { deviceIdOf, ORIGIN, SITE, START, serialOf } from '../helpers/watch-world.ts';

const BROKEN = serialOf(2);

/** The link of one watch throws at some call from a moment on. */
function breaking(at: 'send' | 'linkReceived', from: () => boolean): (dial: DialLink) => DialLink {
  return (dial) => (wish, listener) => {
    if (wish.serial !== BROKEN) return dial(wish, listener);
    const fail = () => {
      if (from()) throw new Error(`${at} fails`);
    };
    const link = dial(wish, {
      linkUp: () => listener.linkUp(),
      linkDown: (why, how) => listener.linkDown(why, how),
      linkReceived: (topic, payload) => {
        if (at !== 'linkReceived') return listener.linkReceived(topic, payload);
        // No broker sends this: a message without a payload at all.
        if (from()) listener.linkReceived(musterTopic(SITE), undefined as unknown as Buffer);
        else listener.linkReceived(topic, payload);
      },
    });
    return {
      send: (...message) => {
        if (at === 'send') fail();
        link.send(...message);
      },
      ping: (answered) => link.ping(answered),
      break: () => link.break(),
      leave: () => link.leave(),
    };
  };
}

const later = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => clock.at(START + ms, { lane: LANE.expectation, actor: 'test' }, resolve));

test('a watch whose report throws leaves the fleet, and the others report on', async () => {
  let broken = false;
  const { fleet, plant, clock, fleetNotices } = await fleetBench({
    watches: 4,
    through: breaking('send', () => broken),
  });
  const contactOf = (n: number) => plant.world.telemetry(deviceIdOf(serialOf(n))).lastContactAt ?? 0;
  clock.start();
  await later(clock, 60_000);
  broken = true;
  const before = [1, 2, 3, 4].map(contactOf);
  await later(clock, 240_000);
  expect(fleetNotices).toMatchObject([{ kind: 'watch-failed', serial: BROKEN, why: 'Error: send fails' }]);
  expect([1, 3, 4].map((n) => contactOf(n) - (before[n - 1] as number) > 100_000)).toEqual([true, true, true]);
  expect(contactOf(2) - (before[1] as number)).toBeLessThan(100_000);
  expect(fleet.views().map(({ serial }) => serial)).toEqual([1, 3, 4].map(serialOf));
  expect([fleet.emulates(BROKEN), fleet.failure(BROKEN)]).toEqual([false, 'Error: send fails']);
});

test('what a watch cannot bear to hear ends its part alone', async () => {
  let broken = false;
  const { fleet, fleetNotices, clock } = await fleetBench({
    watches: 3,
    through: breaking('linkReceived', () => broken),
  });
  clock.start();
  await later(clock, 10_000);
  broken = true;
  for (const serial of [serialOf(1), BROKEN]) await fleet.perform(serial, { do: 'fall', answers: 'never' });
  await later(clock, 20_000);
  expect(fleetNotices).toMatchObject([{ kind: 'watch-failed', serial: BROKEN }]);
  expect(fleet.views().map(({ serial, shown }) => [serial, shown.prompt !== null])).toEqual([
    [serialOf(1), true],
    [serialOf(3), false],
  ]);
});

test('an action at which a watch throws is an error of that action, and the next is refused with why', async () => {
  let broken = false;
  const { fleet } = await fleetBench({ clock: realClock(), watches: 2, through: breaking('send', () => broken) });
  broken = true;
  await expect(fleet.perform(BROKEN, { do: 'sos', with: 'watch_button' })).rejects.toThrow('send fails');
  expect(await fleet.perform(BROKEN, { do: 'sos', with: 'watch_button' })).toEqual({
    refused: `The watch ${BROKEN} is not emulated.`,
  });
  expect(await fleet.perform(serialOf(1), { do: 'sos', with: 'watch_button' })).toMatchObject({ done: 'sent' });
});

test('a person whose next step throws stands still, and the others walk on', () => {
  const square = [
    [0, 0],
    [100, 0],
    [100, 100],
    [0, 100],
  ] as const;
  const site: FleetSite = { id: SITE, origin: ORIGIN, boundary: square, zones: [], vehicles: [] };
  const failed: [string | null, string][] = [];
  let broken = false;
  const permit = {
    zone: 'Pit',
    get until(): number | null {
      if (broken) throw new Error('no such permit');
      return null;
    },
  };
  const person = (serial: string, permits: readonly FleetPermit[] = []): SitePerson => ({
    serial,
    at: [50, 50],
    area: square,
    pace: 1.2,
    behave: 'auto',
    permits,
  });
  const people = new WalkingPeople(
    site,
    [person('a'), person('b', [permit]), person('c')],
    'seed',
    START,
    (serial, error) => failed.push([serial, error.message]),
  );
  broken = true;
  people.advanceTo(START + 60 * 60_000);
  expect(failed).toEqual([['b', 'no such permit']]);
  const travelled = [0, 1, 2].map((i) => people.at(i, START + 60 * 60_000).join() !== '50,50');
  expect([travelled[0], travelled[2]]).toEqual([true, true]);
});
