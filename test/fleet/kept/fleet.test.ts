/** A fleet that keeps its state, against the real broker: what is kept when, and what a second fleet goes on with. [decisions 9, a restart] */
import { describe, expect, it } from 'vitest';
import { idFrom, sha256Hex } from '../../../src/base/ids.ts';
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import type { Notice } from '../../../src/contract/notices.ts';
import type { MusterNotice } from '../../../src/contract/watch.ts';
import { type Fleet, type FleetWatch, startFleet } from '../../../src/fleet/fleet.ts';
import { type FleetMemory, HEAD_KEY, type MemoryChanges } from '../../../src/fleet/kept/memory.ts';
import { afterTest, type Bench, bench } from '../../helpers/broker-bench.ts';
import { deviceIdOf, fleetWatchesOf, ORIGIN, SITE, START, serialOf } from '../../helpers/watch-world.ts';

const [ANA, LUIS] = [serialOf(1), serialOf(2)];

/** A disk that can be full. */
class Disk implements FleetMemory {
  readonly texts = new Map<string, string>();
  full = false;
  /** Writes are held back until it resolves. */
  gate: Promise<void> = Promise.resolve();

  get recalled(): ReadonlyMap<string, string> {
    return new Map(this.texts);
  }

  async keep({ puts, removals }: MemoryChanges): Promise<void> {
    await this.gate;
    if (this.full) throw new Error('no space left on device');
    for (const { key, body } of puts) this.texts.set(key, body);
    for (const key of removals) this.texts.delete(key);
  }

  /** What a process that dies now leaves behind. */
  crashed(): Disk {
    const copy = new Disk();
    for (const [key, body] of this.texts) copy.texts.set(key, body);
    return copy;
  }
}

/** A muster with its one point 200 m to the north. */
const MUSTER: MusterNotice = {
  muster_id: idFrom('muster', 1),
  status: 'active',
  kind: 'general',
  phase: 'evacuating',
  revision: 1,
  deadline: null,
  points: [
    {
      id: idFrom('point', 1),
      name: 'Gate A',
      latitude: ORIGIN.latitude + 0.002,
      longitude: ORIGIN.longitude,
      vertical: false,
      status: 'available',
      serves: ['general'],
    },
  ],
};

interface Plant extends Bench {
  /** A fleet on that disk; the one before is gone without a word. */
  start(memory: Disk, each?: Partial<FleetWatch>, activeMusters?: readonly string[]): Fleet;
  later(ms: number): Promise<void>;
}

async function plant(watches = 2): Promise<Plant> {
  const clock = lockstepClock({ start: START });
  let fleet: Fleet | null = null;
  const made = await bench({ clock, watches });
  return {
    ...made,
    start(memory, each = {}, activeMusters = []) {
      // A process that is gone says nothing: its memory is not written any more.
      for (const view of fleet?.views() ?? []) fleet?.yieldWatch(view.serial);
      const started = startFleet({
        clock,
        brokerUrl: made.broker.url,
        seed: 'test',
        memory,
        activeMusters: new Set(activeMusters),
        connect: () => made.broker.connect(),
        watches: fleetWatchesOf(watches, each),
        keyOf: (serial) => `key-of-${serial}`,
      });
      fleet = started;
      afterTest(() => started.stop());
      return started;
    },
    later: (ms) => clock.advance(ms),
  };
}

const session = ({ plant: { world } }: Plant, serial = ANA): number => world.telemetry(deviceIdOf(serial)).session;
const alerts = ({ plant: { world } }: Plant, type: string) =>
  [...world.all('alert')].filter((one) => one.type === type);
const uplinksOf = ({ plant: { notices } }: Plant) =>
  notices.flatMap((notice: Notice) => (notice.kind === 'uplink-heard' ? [`${notice.serial} ${notice.event}`] : []));

describe('a session', () => {
  it('has its number on the disk before the watch connects with it, and each is one more over restarts', async () => {
    const here = await plant();
    const disk = new Disk();
    let opened = () => {};
    disk.gate = new Promise((resolve) => (opened = resolve));
    const first = here.start(disk);
    await new Promise((resolve) => here.clock.soon(() => here.clock.soon(() => resolve(null))));
    expect(here.broker.counts().connections).toBe(0);
    opened();
    await first.ready();
    expect(session(here)).toBe(1);
    for (const expected of [2, 3, 4]) {
      const crashed = disk.crashed();
      // A kill right behind the connection: the number was there before.
      await here.start(crashed).ready();
      expect(session(here)).toBe(expected);
      for (const [key, body] of crashed.texts) disk.texts.set(key, body);
    }
  });

  it('goes on in a watch that lost its signal and has it back', async () => {
    const here = await plant();
    const disk = new Disk();
    const fleet = here.start(disk);
    await fleet.ready();
    for (const expected of [2, 3, 4]) {
      await fleet.perform(ANA, { do: 'signal', is: 'lost', kind: 'network' });
      await fleet.perform(ANA, { do: 'signal', is: 'back', kind: 'network' });
      expect(session(here)).toBe(expected);
    }
    await here.start(disk.crashed()).ready();
    expect(session(here)).toBe(5);
  });
});

describe('what a watch could not send', () => {
  it('is sent once after the restart, under its own id, with the fixes that it made meanwhile', async () => {
    const here = await plant();
    const disk = new Disk();
    const fleet = here.start(disk);
    await fleet.ready();
    await fleet.perform(ANA, { do: 'signal', is: 'lost', kind: 'network' });
    const acted = await fleet.perform(ANA, { do: 'sos', with: 'watch_button' });
    expect(acted).toMatchObject({ done: 'buffered' });
    const crashed = disk.crashed();
    const second = here.start(crashed);
    await second.ready();
    await here.later(60_000);
    expect(alerts(here, 'sos')).toEqual([]);
    // Twice: what a watch kept is kept on.
    const third = here.start(crashed.crashed());
    await third.ready();
    expect(await third.perform(ANA, { do: 'signal', is: 'back', kind: 'network' })).toMatchObject({ done: 'sent' });
    expect(alerts(here, 'sos')).toHaveLength(1);
    const uplinkId = 'uplinkId' in acted ? acted.uplinkId : '';
    const uplinkIds = [...here.plant.world.all('heard')].map(({ id }) => id);
    expect(uplinkIds.filter((id) => id.includes(uplinkId as string))).toHaveLength(1);
    expect(uplinksOf(here).filter((line) => line === `${ANA} sos`)).toHaveLength(1);
  });

  it('and was heard, is not in the memory any more', async () => {
    const here = await plant();
    const disk = new Disk();
    const fleet = here.start(disk);
    await fleet.ready();
    await fleet.perform(ANA, { do: 'signal', is: 'lost', kind: 'network' });
    await fleet.perform(ANA, { do: 'call-request' });
    expect([...disk.texts.keys()].filter((key) => key.startsWith('item/'))).toHaveLength(1);
    await fleet.perform(ANA, { do: 'signal', is: 'back', kind: 'network' });
    expect([...disk.texts.keys()].filter((key) => key.startsWith('item/'))).toEqual([]);
  });
});

describe('a fall', () => {
  it('a fall that its wearer meant to answer is answered after the restart, when its prompt is shown again', async () => {
    const here = await plant();
    const disk = new Disk();
    const fleet = here.start(disk);
    await fleet.ready();
    await fleet.perform(ANA, { do: 'fall', answers: 'ok', answersAfterMs: 8_000 });
    await fleet.perform(LUIS, { do: 'fall', answers: 'never' });
    await here.later(3_000);
    await here.start(disk.crashed()).ready();
    await here.later(60_000);
    expect(alerts(here, 'sos').map(({ device }) => device?.serial)).toEqual([LUIS]);
    expect(uplinksOf(here)).toContain(`${ANA} prompt`);
  });
});

describe('a watch that somebody put on', () => {
  it.each([
    ['of a colleague', LUIS],
    ['from the stores', 'W-900'],
  ])('%s is theirs after the restart too', async (_, other) => {
    const here = await plant();
    const disk = new Disk();
    const fleet = here.start(disk);
    await fleet.ready();
    await fleet.perform(ANA, { do: 'put', at: { point: [77, 33] } });
    const key = `key-of-${other}`;
    const worker = [...here.plant.world.all('worker')].find(({ deviceId }) => deviceId === deviceIdOf(ANA))!;
    const swap = { type: 'swap-watch', workerId: worker.id, serial: other, keyHash: sha256Hex(key) } as const;
    expect(await here.plant.engine.submit(swap)).toMatchObject({ rejected: false });
    await fleet.perform(ANA, { do: 'swap', other: { serial: other, key } });
    const second = here.start(disk.crashed());
    await second.ready();
    expect(second.whereIs(other)).toEqual([77, 33]);
    expect(second.emulates(other)).toBe(true);
    expect(second.emulates(ANA)).toBe(other === LUIS);
    expect(second.views().every(({ connected }) => connected)).toBe(true);
    const third = here.start(disk.crashed());
    await third.ready();
    expect(third.whereIs(other)).toEqual([77, 33]);
  });
});

describe('a watch that is empty', () => {
  it('is dead after the restart, connects to nobody, and starts when it is charged', async () => {
    const here = await plant();
    const disk = new Disk();
    const fleet = here.start(disk);
    await fleet.ready();
    await fleet.perform(ANA, { do: 'battery', pct: 1, drain: 3_600 });
    await here.later(30_000);
    expect(fleet.views().map(({ connected }) => connected)).toEqual([false, true]);
    await fleet.keep();
    const second = here.start(disk.crashed());
    await second.ready();
    expect(second.views().map(({ connected, batteryPct }) => [connected, batteryPct > 0])).toEqual([
      [false, false],
      [true, true],
    ]);
    await second.perform(ANA, { do: 'battery', pct: 50, drain: 0 });
    await here.later(1_000);
    expect(second.views().map(({ connected }) => connected)).toEqual([true, true]);
  });
});

describe('a disk that is full', () => {
  it('lets no action be acknowledged that a kill would lose, keeps no watch away, and has it all when there is room', async () => {
    const here = await plant();
    const disk = new Disk();
    const fleet = here.start(disk);
    await fleet.ready();
    disk.full = true;
    const refused = await fleet.perform(ANA, { do: 'wear', is: 'off' });
    expect(refused).toMatchObject({ unkept: true, refused: expect.stringContaining('no space') });
    expect(await fleet.perform(LUIS, { do: 'signal', is: 'lost', kind: 'network' })).toMatchObject({ unkept: true });
    await fleet.perform(LUIS, { do: 'signal', is: 'back', kind: 'network' });
    expect(fleet.views().map(({ connected }) => connected)).toEqual([true, true]);
    disk.full = false;
    await fleet.keep();
    const second = here.start(disk.crashed());
    await second.ready();
    expect(second.views().map(({ worn }) => worn)).toEqual([false, true]);
    expect(session(here, LUIS)).toBeGreaterThan(2);
  });
});

describe('a muster that people heard of before a restart', () => {
  const atPoint = (fleet: Fleet) => fleet.truth().filter(({ activity }) => activity === 'at_point').length;
  const restartedWith = async (activeMusters: readonly string[]) => {
    const here = await plant(20);
    const disk = new Disk();
    const first = here.start(disk, { behave: 'auto' });
    await first.ready();
    here.broker.setMuster(SITE, MUSTER);
    await here.later(5_000);
    await first.keep();
    // The broker is late with it: the watches of the next process are connected before they receive the notice.
    here.broker.setMuster(SITE, null);
    return { here, next: here.start(disk.crashed(), { behave: 'auto' }, activeMusters) };
  };

  it('goes on for them, however late the broker is with it', async () => {
    const { here, next } = await restartedWith([MUSTER.muster_id]);
    await next.ready();
    await here.later(1_200_000);
    expect(atPoint(next)).toBeGreaterThan(10);
  });

  it('is over for them where the service has ended it', async () => {
    const { here, next } = await restartedWith([]);
    await next.ready();
    await here.later(1_200_000);
    expect(atPoint(next)).toBe(0);
  });
});

describe('a memory that cannot be read', () => {
  const damaged: readonly [string, (disk: Disk) => void, number, number][] = [
    ['of another version', (disk) => disk.texts.set(HEAD_KEY, '{"version":99,"at":0}'), 0, 1],
    ['without its head', (disk) => disk.texts.delete(HEAD_KEY), 0, 1],
    ['of a person', (disk) => disk.texts.set(`person/${ANA}`, '{"asOf":1}'), 1, 1],
    ['of a watch', (disk) => disk.texts.set(`watch/${ANA}`, 'not json'), 2, 1],
  ];
  it.each(damaged)('%s is reported, and whom it is about begins anew', async (_, damage, people, unreadable) => {
    const here = await plant();
    const disk = new Disk();
    const fleet = here.start(disk);
    await fleet.ready();
    for (const serial of [ANA, LUIS]) await fleet.perform(serial, { do: 'put', at: { point: [70, 70] } });
    const crashed = disk.crashed();
    damage(crashed);
    const second = here.start(crashed);
    await second.ready();
    expect(second.resumed).toMatchObject({ people });
    expect(second.resumed?.unreadable).toHaveLength(unreadable);
    expect(second.views().every(({ connected }) => connected)).toBe(true);
    expect(second.whereIs(LUIS)).toEqual(people > 0 ? [70, 70] : [11, 10]);
    // And from then on it is kept in a form that can be read.
    await second.keep();
    const third = here.start(crashed.crashed());
    await third.ready();
    expect(third.resumed).toEqual({ people: 2, unreadable: [] });
  });
});
