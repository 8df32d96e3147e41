/** What is found without a scan: in order, in groups, and of what is open, active or waiting alone. [decisions 1, 5, 6] */
import { describe, expect, test } from 'vitest';
import { MusterWorld } from '../musters/muster-world.ts';
import { ORG, SITE, SmallWorld } from '../small-world.ts';

const NORTH = '00000000-0000-4000-8000-000000000011';

describe('the indexes', () => {
  test('find alerts of a company by age, and the open ones of a worker and of a subject', () => {
    const small = new SmallWorld();
    const { indexes } = small.world;
    small.sos(1);
    small.now += 1;
    small.fall(1);
    small.now += 1;
    small.sos(2);
    const types = (alerts: readonly { readonly type: string }[]) => alerts.map(({ type }) => type);
    const open = (n: number) => types(indexes.openAlertsOfWorker.of(small.workerId(n)).values());
    expect(types(indexes.alerts.of(ORG).values())).toEqual(['sos', 'fall_detected', 'sos']);
    expect([open(1), open(2), open(3)]).toEqual([['sos', 'fall_detected'], ['sos'], []]);
    const [first] = small.alerts('sos');
    expect(indexes.openAlertId(first?.subject as string)).toBe(first?.id);
    small.update(first as NonNullable<typeof first>, 'resolved');
    expect([open(1), indexes.openAlertId(first?.subject as string)]).toEqual([['fall_detected'], undefined]);
    expect(indexes.alerts.of(ORG).length).toBe(3);
    // Asking for a group makes none.
    expect([...indexes.openAlertsOfWorker.keys()].sort()).toEqual([small.workerId(1), small.workerId(2)]);
  });

  test('have site-wide alerts of no worker', () => {
    const small = new SmallWorld();
    small.do({
      type: 'report-hazard',
      siteId: SITE,
      hazard: 'earthquake',
      official: false,
      magnitude: 5,
      distanceKm: 80,
      feltAtSite: true,
      eta: null,
    });
    expect([...small.world.indexes.openAlertsOfWorker.keys()]).toEqual([]);
  });

  test('have open calls of who cannot evacuate by site, and no other alert', () => {
    const small = new MusterWorld();
    small.start();
    small.sos(1);
    small.help(1);
    small.help(2);
    const calls = () => small.world.indexes.openHelpOfSite.of(SITE).values();
    expect(
      calls()
        .map(({ worker }) => worker?.name)
        .sort(),
    ).toEqual(['Ana Ruiz', 'Luis Paz']);
    small.update(small.alerts('evacuation_help')[0] as never, 'resolved');
    expect(calls()).toHaveLength(1);
  });

  test('move what changes its group, and forget what is removed', () => {
    const small = new SmallWorld();
    const { world } = small;
    const names = (siteId: string) =>
      world.indexes.workersOfSite
        .of(siteId)
        .values()
        .map(({ name }) => name);
    const worker = world.need('worker', small.workerId(2));
    world.put('worker', { ...worker, siteId: NORTH });
    expect([names(SITE), names(NORTH)]).toEqual([['Ana Ruiz', 'Eva Mar'], ['Luis Paz']]);
    expect(world.indexes.workersOfOrganization.of(ORG).length).toBe(3);
    world.remove('worker', worker.id);
    expect([names(NORTH), world.indexes.workersOfOrganization.of(ORG).length]).toEqual([[], 2]);
  });

  test('find a watch by its serial, which may change', () => {
    const small = new SmallWorld();
    const { world } = small;
    const device = world.need('device', small.device(1));
    world.put('device', { ...device, serial: 'SIM-9', siteId: NORTH });
    expect([world.indexes.deviceId('SIM-1'), world.indexes.deviceId('SIM-9')]).toEqual([undefined, device.id]);
    expect(
      world.indexes.devicesOfSite
        .of(NORTH)
        .values()
        .map(({ serial }) => serial),
    ).toEqual(['SIM-9']);
    expect(world.indexes.devicesOfOrganization.of(ORG).length).toBe(3);
    world.remove('device', device.id);
    expect(world.indexes.deviceId('SIM-9')).toBeUndefined();
    expect([world.indexes.devicesOfSite.of(NORTH).length, world.indexes.devicesOfOrganization.of(ORG).length]).toEqual([
      0, 2,
    ]);
  });

  test('have zones by name, which may change', () => {
    const small = new SmallWorld();
    const names = () =>
      small.world.indexes.zonesOfSite
        .of(SITE)
        .values()
        .map(({ name }) => name);
    small.zone('Annex', 'work_area', [0, 0, 5, 5]);
    expect(names()).toEqual(['Annex', 'Canteen', 'Dock']);
    const [annex] = small.world.indexes.zonesOfSite.of(SITE).values();
    small.world.put('zone', { ...(annex as NonNullable<typeof annex>), name: 'East annex' });
    expect(names()).toEqual(['Canteen', 'Dock', 'East annex']);
    small.world.remove('zone', annex?.id as string);
    expect(names()).toEqual(['Canteen', 'Dock']);
  });

  test('have deliveries that wait, the urgent first, and no others', () => {
    const small = new SmallWorld();
    const id = small.subscribe();
    const waiting = () =>
      small.world.indexes.waitingOfDestination
        .of(id)
        .values()
        .map(({ priority }) => priority);
    small.do({ type: 'request-call', voiceNote: false, ...small.uplink(1) });
    small.sos(1);
    small.now += 1;
    small.sos(2);
    expect(waiting()).toEqual([0, 0, 2]);
    const [delivery] = small.world.indexes.waitingOfDestination.of(id).values();
    small.world.put('delivery', { ...(delivery as NonNullable<typeof delivery>), state: 'delivered' });
    expect(waiting()).toEqual([0, 2]);
  });

  test('have the active muster of each site, and those whom it expects', () => {
    const small = new MusterWorld();
    const { indexes } = small.world;
    expect([indexes.activeMuster(SITE), [...indexes.activeMusters()]]).toEqual([undefined, []]);
    const { id } = small.start();
    expect([indexes.activeMuster(SITE)?.id, indexes.expectedIn(id).size]).toEqual([id, 3]);
    small.world.put('muster', { ...small.muster(), phase: 'inspecting' });
    expect(indexes.activeMuster(SITE)?.phase).toBe('inspecting');
    small.end();
    expect([indexes.activeMuster(SITE), indexes.expectedIn(id).size]).toEqual([undefined, 0]);
    small.now += 1;
    const second = small.start();
    expect(
      indexes.musters
        .of(ORG)
        .values()
        .map((one) => one.id),
    ).toEqual([id, second.id]);
    expect([...indexes.activeMusters()].map((one) => one.id)).toEqual([second.id]);
  });
});
