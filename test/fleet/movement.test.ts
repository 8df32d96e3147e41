/** People who are put, sent, undressed of their watch and cut off, as the service receives it. [decisions 9, watch-protocol] */
import { describe, expect, it } from 'vitest';
import { boxRing, frame } from '../../src/base/geometry/shapes.ts';
import type { Notice } from '../../src/contract/notices.ts';
import type { FleetWatch } from '../../src/fleet/fleet.ts';
import type { Command } from '../../src/service/domain/commands.ts';
import { fleetBench } from '../helpers/fleet-bench.ts';
import { deviceIdOf, ORIGIN, type Plant, SITE, START, serialOf } from '../helpers/watch-world.ts';
import { isWhole } from '../helpers/whole.ts';

const OWN = serialOf(1);
const SHED = {
  name: 'Shed',
  type: 'building',
  ring: boxRing(100, 0, 140, 40),
  floors: [
    { name: 'Ground', heightM: 0 },
    { name: 'Gallery', heightM: 5.5 },
  ],
  doors: [{ at: [100, 20], widthM: 2 }],
} as const;
const sites = [{ id: SITE, origin: ORIGIN, boundary: boxRing(-400, -400, 400, 400), zones: [SHED], vehicles: [] }];

type Report = Extract<Command, { type: 'report-position' }>['fixes'][number] & { readonly receivedAt: number };

/** A bench that keeps every fix the engine accepted. */
async function benchOf(each: Partial<FleetWatch> = {}, watches = 1) {
  const reports: Report[] = [];
  const onPlant = ({ engine }: Plant): void => {
    const submitWithCallback = engine.submitWithCallback.bind(engine);
    engine.submitWithCallback = (command: Command, answer) => {
      if (command.type === 'report-position')
        reports.push(...command.fixes.map((fix) => ({ ...fix, receivedAt: engine.clock.now() })));
      submitWithCallback(command, answer);
    };
  };
  const bench = await fleetBench({ watches, each, onPlant, sites });
  const telemetry = () => bench.plant.world.telemetry(deviceIdOf(OWN));
  return { ...bench, reports, telemetry, where: () => frame(ORIGIN).toMetres(telemetry().fix as never) };
}

describe('somebody who is put', () => {
  it('is heard there at once, and again within a second, with their floor', async () => {
    const { fleet, reports, later, where } = await benchOf();
    await later(3_400);
    const before = reports.length;
    const floor = { building: 'Shed', floor: 'Gallery', heightM: 5.5 };
    expect(await fleet.perform(OWN, { do: 'put', at: { point: [120, 20] }, floor })).toEqual({
      done: 'sent',
      at: START + 3_400,
    });
    expect(where()).toEqual([expect.closeTo(120, 1), expect.closeTo(20, 1)]);
    await later(4_500);
    const received = reports.slice(before).map(({ receivedAt, height }) => ({ receivedAt, height }));
    const height = { heightM: 5.5, uncertaintyM: expect.any(Number), building: 'Shed', floor: 'Gallery' };
    expect(received).toEqual([
      { receivedAt: START + 3_400, height },
      { receivedAt: START + 4_000, height },
    ]);
    expect(fleet.whereIs(OWN)).toEqual([120, 20]);
    expect(fleet.whereIs('nobody')).toBeNull();
  });

  it('out of coverage is kept and said later', async () => {
    const { fleet } = await benchOf();
    await fleet.perform(OWN, { do: 'signal', is: 'lost', kind: 'network' });
    expect(await fleet.perform(OWN, { do: 'put', at: { point: [1, 2] } })).toMatchObject({ done: 'buffered' });
  });

  it('and lives a life of their own goes on with it after a while', async () => {
    const { fleet, later } = await benchOf({ behave: 'auto' });
    await fleet.perform(OWN, { do: 'put', at: { point: [190, 190] } });
    await later(119_000);
    expect(fleet.whereIs(OWN)).toEqual([190, 190]);
    await later(1_200_000);
    expect(fleet.whereIs(OWN)).not.toEqual([190, 190]);
  });
});

describe('somebody who is sent', () => {
  it('walks round a building and in by its door, at the pace that is told', async () => {
    const { fleet, later } = await benchOf();
    await fleet.perform(OWN, { do: 'put', at: { point: [90, 20] } });
    await fleet.perform(OWN, { do: 'move', to: { point: [150, 20] }, pace: 2 });
    await later(15_000);
    const [x, y] = fleet.whereIs(OWN)!;
    expect(x > 100 && x < 140 && y > 0 && y < 40).toBe(false);
    await later(60_000);
    expect(fleet.whereIs(OWN)).toEqual([150, 20]);
    await fleet.perform(OWN, { do: 'move', to: { point: [120, 20] }, via: [{ point: [90, 20] }], pace: 2 });
    await later(200_000);
    expect(fleet.whereIs(OWN)).toEqual([120, 20]);
  });

  it('in a vehicle is reported in it until something else is told', async () => {
    const { fleet, later, telemetry } = await benchOf();
    await fleet.perform(OWN, { do: 'move', to: { point: [60, 10] }, inVehicle: true });
    await later(30_000);
    expect(telemetry().fix).toMatchObject({ inVehicle: true });
    expect(fleet.views()[0]).toMatchObject({ at: [60, 10], inVehicle: true });
    await fleet.perform(OWN, { do: 'put', at: { point: [60, 12] } });
    expect(telemetry().fix).toMatchObject({ inVehicle: false });
  });
});

it('a told position holds until the person next moves', async () => {
  const { fleet, later, telemetry } = await benchOf({ behave: 'auto' });
  const reported = {
    point: [50, 60],
    uncertaintyM: 40,
    source: 'network',
    heightM: 9,
    building: 'Shed',
    floor: null,
  } as const;
  await fleet.perform(OWN, { do: 'position', ...reported });
  await later(60_000);
  const fix = { uncertaintyM: 40, source: 'network', height: { heightM: 9, building: 'Shed', floor: null } };
  expect(telemetry().fix).toMatchObject({ ...fix, at: expect.toSatisfy((at: number) => at > START + 40_000) });
  await fleet.perform(OWN, { do: 'move', to: { point: [50, 200] } });
  await later(80_000);
  expect(telemetry().fix).toMatchObject({ source: 'gps', height: null });
});

it('a watch that is taken off lies where it was while its wearer walks on, until it is on again', async () => {
  const { fleet, later, telemetry, where } = await benchOf();
  expect(await fleet.perform(OWN, { do: 'wear', is: 'off' })).toMatchObject({ done: 'sent' });
  expect(telemetry()).toMatchObject({ worn: false });
  await fleet.perform(OWN, { do: 'move', to: { point: [10, 60] } });
  await later(120_000);
  expect(where()).toEqual([expect.closeTo(10, 1), expect.closeTo(10, 1)]);
  expect(fleet.views()[0]).toMatchObject({ at: [10, 60], worn: false });
  await fleet.perform(OWN, { do: 'wear', is: 'unknown' });
  expect(telemetry()).toMatchObject({ worn: null });
  expect(where()).toEqual([expect.closeTo(10, 1), expect.closeTo(60, 1)]);
  await fleet.perform(OWN, { do: 'wear', is: 'on' });
  expect(telemetry()).toMatchObject({ worn: true });
});

it('a clock that is off stamps everything that the watch says', async () => {
  const { fleet, plant, reports, later } = await benchOf();
  await fleet.perform(OWN, { do: 'clock-skew', ms: -90_000 });
  await fleet.perform(OWN, { do: 'put', at: { point: [1, 1] } });
  expect(reports.at(-1)).toMatchObject({ at: START - 90_000, receivedAt: START });
  await fleet.perform(OWN, { do: 'sos', with: 'watch_button' });
  await later(5_000);
  await fleet.perform(OWN, { do: 'press-ack' });
  expect([...plant.world.all('alert')]).toMatchObject([{ workerAcknowledgedAt: START - 85_000 }]);
});

describe('radio holes', () => {
  const offline = (notice: Notice) => notice.kind === 'watch-offline';

  it('come and go, and what was kept comes after them, oldest first', async () => {
    const { fleet, plant, later, reports } = await benchOf({}, 2);
    await fleet.perform(OWN, { do: 'radio-holes', is: 'on', everyMs: 300_000 });
    const hours = isWhole ? 3 : 1.5;
    await later(hours * 3_600_000);
    expect(plant.notices.filter(offline).length).toBeGreaterThan(10);
    await fleet.perform(OWN, { do: 'radio-holes', is: 'off' });
    const late = reports.filter(({ at, receivedAt }) => receivedAt - at > 10_000);
    expect(late.length).toBeGreaterThan(20);
    // The clock is right, and no fix of the two watches is lost or out of order.
    const times = reports.filter((_, n) => n > 1).map(({ at }) => at);
    expect(times.length).toBeGreaterThan(2 * hours * 360 - 20);
    const outages = new Map<number, number[]>();
    for (const { at, receivedAt } of late) outages.set(receivedAt, [...(outages.get(receivedAt) ?? []), at]);
    for (const kept of outages.values()) expect(kept).toEqual([...kept].sort((a, b) => a - b));
    expect([...plant.world.all('alert')]).toEqual([]);
    const before = plant.notices.filter(offline).length;
    await later((isWhole ? 4 : 1) * 3_600_000);
    expect(plant.notices.filter(offline).length).toBe(before);
  });

  it('are equal for equal seeds', async () => {
    const times: string[] = [];
    for (let run = 0; run < 2; run++) {
      const { fleet, plant, later } = await benchOf();
      await fleet.perform(OWN, { do: 'radio-holes', is: 'on', everyMs: 60_000 });
      await later(1_800_000);
      times.push(JSON.stringify(plant.notices.filter(offline)));
    }
    expect(times[0]).toBe(times[1]);
    expect(times[0]!.length).toBeGreaterThan(100);
  });
});

describe('an empty battery', () => {
  it('is reported, and then the watch is silent until it has some charge again', async () => {
    const { fleet, plant, later, telemetry } = await benchOf();
    await fleet.perform(OWN, { do: 'battery', pct: 1, drain: 60 });
    await later(90_000);
    expect(telemetry().batteryPct).toBe(0);
    expect(fleet.views()[0]).toMatchObject({ connected: false, batteryPct: 0 });
    expect(await fleet.perform(OWN, { do: 'sos', with: 'watch_button' })).toMatchObject({ done: 'buffered' });
    expect(await fleet.perform(OWN, { do: 'signal', is: 'back', kind: 'both' })).toEqual({
      refused: expect.stringContaining('empty'),
    });
    await later(900_000);
    expect([...plant.world.all('alert')].map(({ type }) => type)).toEqual(['low_battery', 'device_offline']);
    await fleet.perform(OWN, { do: 'battery', pct: 50, drain: 0 });
    await later(960_000);
    expect(fleet.views()[0]).toMatchObject({ connected: true, batteryPct: 50 });
    expect([...plant.world.all('alert')].map(({ type }) => type)).toContain('sos');
  });
});
