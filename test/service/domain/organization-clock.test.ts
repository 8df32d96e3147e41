/** Events and modifications of one organization strictly increase, over all of its sites, whatever the clock says. [decisions 1, 5, 6] */
import { describe, expect, test } from 'vitest';
import type { AlertEvent } from '../../../src/contract/events.ts';
import { addQuarry, QUARRY } from '../api/second-company.ts';
import { ORG, SITE, SmallWorld, START_MUSTER, T0 } from './small-world.ts';

const NORTH = '00000000-0000-4000-8000-000000000011';

/** Worker 3 works at a second site of the same company. */
function twoSites(): SmallWorld {
  const small = new SmallWorld();
  const { world } = small;
  world.put('site', { ...world.need('site', SITE), id: NORTH, name: 'North plant' });
  world.put('worker', { ...world.need('worker', small.workerId(3)), siteId: NORTH });
  world.put('device', { ...world.need('device', small.device(3)), siteId: NORTH });
  world.commit();
  return small;
}

const createdAt = (small: SmallWorld) => small.events.map((event) => event.createdAt - T0);
const modified = (small: SmallWorld) => small.alerts().map(({ modifiedAt }) => modifiedAt - T0);

describe('of one organization', () => {
  test('events at two sites in one millisecond have a millisecond each', () => {
    const small = twoSites();
    for (const n of [1, 3, 2]) small.sos(n);
    expect(createdAt(small)).toEqual([0, 1, 2]);
    expect(small.events.map(({ siteId }) => siteId)).toEqual([SITE, NORTH, SITE]);
  });

  test('alerts that change in one millisecond have a modification each, and its event says the same', () => {
    const small = twoSites();
    for (const n of [1, 3]) small.sos(n);
    small.update(small.alerts()[0] as never, 'acknowledged');
    expect(modified(small)).toEqual([2, 1]);
    const reported = small.events.map(({ body }) => (JSON.parse(body) as AlertEvent).data.alert.date_last_modified);
    expect(reported.map((at) => Date.parse(at) - T0)).toEqual([0, 1, 2]);
  });

  test('two alerts that one command changes are modified one after the other', () => {
    const small = twoSites();
    small.fall(1);
    const [prompt] = small.world.all('prompt');
    small.now += 30_000;
    small.do({ type: 'expire-prompt', promptId: (prompt as { id: string }).id });
    expect([small.alert('fall_detected').modifiedAt, small.alert('sos').modifiedAt]).toEqual([
      T0 + 30_000,
      T0 + 30_001,
    ]);
    expect(small.alert('sos').createdAt).toBe(T0 + 30_000);
  });

  test('a line in the timeline is no modification', () => {
    const small = twoSites();
    small.sos(1);
    const { modifiedAt } = small.alert('sos');
    small.now += 5_000;
    small.sos(1);
    expect(small.alert('sos')).toMatchObject({ modifiedAt, timeline: [{}, {}] });
    expect(small.world.need('organizationClock', ORG).lastModifiedAt).toBe(modifiedAt);
  });

  test('both go on where they were when the clock went back, and a delivery does not wait for its time', () => {
    const small = twoSites();
    small.subscribe();
    small.sos(1);
    small.now -= 3_600_000;
    small.sos(3);
    small.update(small.alerts()[0] as never, 'acknowledged');
    expect(createdAt(small)).toEqual([0, 1, 2]);
    expect(modified(small)).toEqual([2, 1]);
    expect([...small.world.all('delivery')].map(({ due }) => due - small.now)).toEqual([3_600_000, 1_000, 1_000]);
  });

  test('the event of a count carries its due time, or the next free millisecond after the last event', () => {
    const small = twoSites();
    small.do(START_MUSTER);
    small.at(2, 30, 30);
    small.now = T0 + 5_200;
    const [muster] = [...small.world.all('muster')];
    small.do({ type: 'count-muster', musterId: muster?.id as string });
    // Made 200 ms late, and yet of when it was due.
    expect(createdAt(small)).toEqual([0, 5_000]);
    small.at(3, 30, 30);
    small.world.put('worker', { ...small.world.need('worker', small.workerId(3)), siteId: SITE });
    small.world.put('device', { ...small.world.need('device', small.device(3)), siteId: SITE });
    small.now = T0 + 10_000;
    small.sos(1);
    small.now = T0 + 10_300;
    small.do({ type: 'count-muster', musterId: muster?.id as string });
    // An SOS elsewhere has the millisecond already.
    expect(createdAt(small)).toEqual([0, 5_000, 10_000, 10_001]);
  });

  test('a test event takes no time of the log', () => {
    const small = twoSites();
    small.do({ type: 'test-destination', destinationId: small.subscribe(), nonce: 'n' });
    small.sos(1);
    expect(small.events.map(({ listed, createdAt: at }) => [listed, at - T0])).toEqual([
      [false, 0],
      [true, 0],
    ]);
  });
});

test('another organization has a clock of its own', () => {
  const small = twoSites();
  addQuarry(small);
  small.sos(1);
  small.do({ type: 'report-sos', trigger: 'watch_button', ...small.uplink(1), deviceId: QUARRY.device });
  expect(createdAt(small)).toEqual([0, 0]);
  expect(modified(small)).toEqual([0, 0]);
});
