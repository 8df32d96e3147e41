/** The default world is what the command line promises, sentence by sentence. [cli, default world] */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { distance, isSimpleRing, pointInPolygon, polygonArea, signedDistance } from '../../src/base/geometry/shapes.ts';
import { SCOPES, ZONE_TYPES } from '../../src/contract/enumerations.ts';
import { isWatchSerial } from '../../src/contract/watch-topics.ts';
import { DEFAULT_PLANTS } from '../../src/plant/default-plants.ts';
import { defaultWorld, peopleFor } from '../../src/plant/default-world.ts';
import type { Plan, PlannedSite, PlannedZone } from '../../src/plant/plan.ts';
import { readSiteFile } from '../../src/plant/site-file.ts';
import { defaultPlants, siteFileText } from './read-default-plants.ts';

const world = defaultWorld('1');
const [first, second] = world.organizations;
const [continuous, onDemand] = first!.sites;
const third = second!.sites[0]!;
const sitesOf = (plan: Plan): PlannedSite[] => plan.organizations.flatMap((organization) => organization.sites);
const sites = sitesOf(world);
const people = sites.flatMap((site) => site.workers);
const zones = sites.flatMap((site) => site.zones);
const points = (site: PlannedSite | undefined): PlannedZone[] =>
  site?.zones.filter((zone) => zone.type === 'assembly_point') ?? [];
const sizes = (plan: Plan): number[] => sitesOf(plan).map((site) => site.workers.length);

describe('the default world has', () => {
  test('two companies', () => {
    expect(world.organizations).toHaveLength(2);
  });

  test('a first one with two sites, one continuous and one on_demand, names in its contract, all scopes', () => {
    expect(first!.sites.map((site) => site.privacyMode)).toEqual(['continuous', 'on_demand']);
    expect(first!.contract).toMatchObject({ includeWorkerNames: true, scopes: SCOPES, contractors: null });
    expect(first!.contract.technicalContact).toMatch(/@.+\.example$/);
  });

  test('a second one with one site, no names, scoped to one contractor', () => {
    expect(second!.sites).toHaveLength(1);
    expect(second!.contract.includeWorkerNames).toBe(false);
    expect(second!.contract.contractors).toHaveLength(1);
  });

  test('on the continuous site a ground point that serves general but not tsunami', () => {
    const ground = points(continuous).filter((zone) => !zone.assemblyPoint?.vertical);
    const serves = ground.map((zone) => zone.assemblyPoint?.serves);
    expect(serves).toContainEqual(['general', 'earthquake']);
    expect(serves.some((kinds) => kinds?.includes('general') && kinds.includes('tsunami'))).toBe(true);
  });

  test('there a vertical one with refuge floors, whose lowest is the height to be at', () => {
    const [tower] = points(continuous).filter((zone) => zone.assemblyPoint?.vertical);
    const refuges = tower!.floors.filter((floor) => floor.refuge).map((floor) => floor.heightM);
    expect(tower!.assemblyPoint?.serves).toContain('tsunami');
    expect(tower!.assemblyPoint?.elevationM).not.toBeNull();
    expect(refuges.length).toBeGreaterThan(0);
    expect(tower!.assemblyPoint?.minHeightM).toBe(Math.min(...refuges));
  });

  test('there a privacy zone', () => {
    expect(continuous!.zones.map((zone) => zone.type)).toContain('privacy');
  });

  test('on the on_demand site unveiling from high on, a forbidden and a privacy zone, points with elevation and capacity', () => {
    expect(onDemand!.unveilMinSeverity).toBe('high');
    expect(onDemand!.zones.map((zone) => zone.type)).toEqual(expect.arrayContaining(['forbidden', 'privacy']));
    expect(points(onDemand).length).toBeGreaterThan(1);
    for (const { assemblyPoint } of points(onDemand)) {
      expect(assemblyPoint?.elevationM).toBeGreaterThan(1000);
      expect(assemblyPoint?.capacity).toBeGreaterThan(30);
    }
  });

  test('in the second company workers of other contractors besides those its client may see, and its own', () => {
    const employers = new Map<string | null, number>();
    for (const { contractor } of third.workers) employers.set(contractor, (employers.get(contractor) ?? 0) + 1);
    const [seen] = second!.contract.contractors!;
    expect(employers.get(seen!)).toBeGreaterThanOrEqual(3);
    expect(employers.get(null)).toBeGreaterThan(0);
    expect([...employers.keys()].filter((name) => name !== null && name !== seen).length).toBeGreaterThanOrEqual(2);
  });

  test('every zone type, buildings with floors and doors', () => {
    expect(new Set(zones.map((zone) => zone.type))).toEqual(new Set(ZONE_TYPES));
    const storeys = zones.filter((zone) => zone.type === 'building').map((zone) => zone.floors.length);
    expect(Math.max(...storeys)).toBeGreaterThanOrEqual(3);
    for (const { ring, doors } of zones) {
      for (const { at } of doors) expect(signedDistance(at, ring)).toBe(0);
    }
  });

  test('permits on every site, each for a guarded zone and somebody of that site', () => {
    for (const site of sites) {
      const guarded = site.zones.filter(({ type }) => type === 'restricted' || type === 'forbidden');
      const ids = site.workers.map((worker) => worker.externalId);
      expect(site.permits.length).toBeGreaterThan(2);
      for (const permit of site.permits) {
        expect(guarded.map((zone) => zone.name)).toContain(permit.zone);
        expect(ids).toContain(permit.worker);
      }
    }
  });

  test('vehicles on every site, each with a driver of its own', () => {
    for (const site of sites) {
      const drivers = site.vehicles.map((vehicle) => vehicle.driver);
      expect(site.vehicles.length).toBeGreaterThan(1);
      expect(new Set(drivers).size).toBe(drivers.length);
      for (const driver of drivers) expect(site.workers.map((worker) => worker.externalId)).toContain(driver);
    }
  });

  test('60, 30 and 20 workers with watches', () => {
    expect(sizes(world)).toEqual([60, 30, 20]);
  });

  test('exactly two spare watches a site, with workers, and not the first that one tries', () => {
    for (const site of sites) {
      expect(site.workers.filter((worker) => !worker.watch.emulated)).toHaveLength(2);
      expect(site.workers[0]?.watch.emulated).toBe(true);
    }
  });

  test('a plan for general and earthquake of 15 min, and for a tsunami of 20 to 30 min where there is a coast', () => {
    for (const { plan } of sites) expect(plan).toMatchObject({ general: 900_000, earthquake: 900_000 });
    expect(sites.map(({ plan }) => (plan.tsunami ?? 0) / 60_000)).toEqual([20, 0, 25]);
  });

  test('a point to serve each kind of each plan', () => {
    for (const site of sites) {
      for (const kind of Object.keys(site.plan)) {
        expect(points(site).some((zone) => zone.assemblyPoint?.serves.includes(kind as 'general'))).toBe(true);
      }
    }
  });
});

describe('the people of the default world', () => {
  test('have names, external ids and serials that nobody else has', () => {
    for (const plan of [world, defaultWorld('7', { watches: 3000 })]) {
      const all = sitesOf(plan).flatMap((site) => site.workers);
      for (const of of [
        all.map((worker) => worker.externalId),
        all.map((worker) => worker.name),
        all.map((worker) => worker.watch.serial),
      ]) {
        expect(new Set(of).size).toBe(all.length);
      }
      expect(all.every((worker) => isWatchSerial(worker.watch.serial))).toBe(true);
    }
    expect([people[0]?.externalId, people[0]?.watch.serial]).toEqual(['W-001', 'SIM-0001']);
  });

  test.each([
    '1',
    '2',
    '42',
    'ci',
  ])('begin inside their zone, in a guarded one only with a permit (seed %s)', (seed) => {
    for (const site of sitesOf(defaultWorld(seed, { watches: 400 }))) {
      for (const { at, zone: name, externalId } of site.workers) {
        const zone = site.zones.find((one) => one.name === name)!;
        expect(signedDistance(at, zone.ring)).toBeGreaterThan(0);
        for (const other of site.zones.filter((one) => pointInPolygon(at, one.ring))) {
          expect(other.name).toBe(name);
          if (other.type !== 'restricted' && other.type !== 'forbidden') continue;
          expect(site.permits).toContainEqual(expect.objectContaining({ worker: externalId, zone: name }));
        }
      }
    }
  });

  test('are at a contractor’s service in four cases of ten', () => {
    for (const { workers } of sites) {
      const share = workers.filter((worker) => worker.contractor !== null).length / workers.length;
      expect(share).toBeGreaterThan(0.3);
      expect(share).toBeLessThan(0.5);
    }
    expect(new Set(continuous!.workers.map((worker) => worker.contractor)).size).toBe(4);
  });

  test('walk, charge and wear their watches as people do', () => {
    const paces = people.map((worker) => worker.pace);
    const mean = paces.reduce((sum, pace) => sum + pace, 0) / paces.length;
    expect(mean).toBeGreaterThan(1.24);
    expect(mean).toBeLessThan(1.44);
    for (const { pace, batteryPct, behave } of people) {
      expect(pace >= 0.5 && pace <= 2.2).toBe(true);
      expect(Number.isInteger(batteryPct) && batteryPct >= 55 && batteryPct <= 100).toBe(true);
      expect(behave).toBe('auto');
    }
    const unknown = people.filter((worker) => worker.worn === 'unknown').length;
    expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThan(12);
    expect(people.filter((worker) => worker.worn === 'off')).toEqual([]);
    expect(new Set(people.map((worker) => worker.watch.model)).size).toBeGreaterThan(1);
    expect(new Set(people.map((worker) => worker.role)).size).toBeGreaterThan(12);
  });
});

describe('the plants', () => {
  test('are drawn soundly: names once, simple rings of some size, within 2 km of the origin', () => {
    expect(new Set(sites.map((site) => site.name)).size).toBe(3);
    for (const site of sites) {
      expect(new Set(site.zones.map((zone) => zone.name.toLowerCase())).size).toBe(site.zones.length);
      for (const { ring } of site.zones) {
        expect(isSimpleRing(ring)).toBe(true);
        expect(polygonArea(ring)).toBeGreaterThan(500);
        for (const corner of ring) expect(distance(corner, [0, 0])).toBeLessThan(2000);
      }
    }
  });

  test('are some hundred metres across', () => {
    for (const site of sites) {
      const corners = site.zones.flatMap((zone) => zone.ring);
      const across = Math.max(...corners.map((a) => Math.max(...corners.map((b) => distance(a, b)))));
      expect(across).toBeGreaterThan(300);
      expect(across).toBeLessThan(1500);
    }
  });

  test('have no zone that reaches into another', () => {
    for (const site of sites) {
      for (const [i, a] of site.zones.entries()) {
        for (const b of site.zones.slice(i + 1))
          expect([a.name, b.name, reaches(a, b) || reaches(b, a)]).toEqual([a.name, b.name, false]);
      }
    }
  });
});

/** Whether a point on a's border, metre by metre, is inside b, or a's middle is. */
function reaches(a: PlannedZone, b: PlannedZone): boolean {
  return a.ring.some((from, i) => {
    const to = a.ring[(i + 1) % a.ring.length]!;
    const steps = Math.ceil(distance(from, to));
    return Array.from({ length: steps }, (_, step) => step / steps).some(
      (t) => signedDistance([from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])], b.ring) > 0.01,
    );
  });
}

describe('the seed', () => {
  test('makes the same world again', () => {
    expect(defaultWorld('1')).toEqual(world);
  });

  test('changes the people and not the plants', () => {
    const other = defaultWorld('2');
    const plants = (plan: Plan) => sitesOf(plan).map((site) => ({ ...site, workers: [], permits: [], vehicles: [] }));
    expect(plants(other)).toEqual(plants(world));
    const names = new Set(people.map((worker) => worker.name));
    const kept = sitesOf(other).flatMap((site) => site.workers.filter((worker) => names.has(worker.name)));
    expect(kept.length).toBeLessThan(3);
  });
});

describe('the number of watches', () => {
  test.each([
    [10_000, [5455, 2727, 1818]],
    [1000, [545, 273, 182]],
    [111, [61, 30, 20]],
    [110, [60, 30, 20]],
    [55, [30, 15, 10]],
    [9, [3, 3, 3]],
    [1, [3, 3, 3]],
  ])('%i is split by site', (watches, split) => {
    const plan = defaultWorld('1', { watches });
    expect(sizes(plan)).toEqual(split);
    for (const site of sitesOf(plan)) expect(site.workers.filter((worker) => !worker.watch.emulated)).toHaveLength(2);
  });

  test('may grow without changing anybody who was there', () => {
    const more = defaultWorld('1', { watches: 500 });
    for (const [i, site] of sitesOf(more).entries()) {
      expect(site.workers.slice(0, sites[i]!.workers.length)).toEqual(sites[i]!.workers);
      expect(site.permits).toEqual(sites[i]!.permits);
      expect(site.vehicles).toEqual(sites[i]!.vehicles);
    }
  });

  test('out of bounds is a mistake of the caller', () => {
    expect(() => defaultWorld('1', { watches: 100_001 })).toThrow('A world has 1 to 100000 watches, not 100001.');
    expect(() => defaultWorld('1', { watches: 0 })).toThrow('not 0');
  });

  test('of ten thousand is planned in a moment', () => {
    const before = process.cpuUsage();
    defaultWorld('3', { watches: 10_000 });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(1500);
  });
});

describe('a site of the user’s own', () => {
  const file = (rest: string) =>
    readSiteFile(
      `part: P\nsite: {name: Mine, origin: [1, 2], zones: {Yard: {type: work_area, box: [0, 0, 90, 90]}}}\n${rest}`,
      'mine.yaml',
    );

  test('without people gets those of the seed', () => {
    const plan = defaultWorld('1', { site: file('').plan! });
    expect(sizes(plan)).toEqual([60, 30, 20]);
    expect(sitesOf(plan)[0]).toMatchObject({ name: 'Mine', permits: [], vehicles: [] });
    expect(sitesOf(plan).slice(1)).toEqual(sites.slice(1));
  });

  test('with people keeps them, gets two spares besides, and nobody gets an id that they have', () => {
    const { plan: site } = file('workers:\n  ana: {external_id: W-001}\n  "0061": {external_id: X}\n');
    const plan = defaultWorld('1', { site: site!, contract: { includeWorkerNames: false } });
    const mine = sitesOf(plan)[0]!.workers;
    expect(mine.map((worker) => worker.externalId)).toEqual(['W-001', 'X', 'W-002', 'W-003']);
    expect(mine.map((worker) => worker.watch.emulated)).toEqual([true, true, false, false]);
    const all = sitesOf(plan).flatMap((one) => one.workers);
    expect(new Set(all.map((worker) => worker.externalId)).size).toBe(all.length);
    expect(new Set(all.map((worker) => worker.watch.serial)).size).toBe(all.length);
    expect(plan.organizations[0]?.contract.includeWorkerNames).toBe(false);
  });

  test('is filled by peopleFor alone, from the number that is asked for', () => {
    const site = file('').plan!;
    const ten = peopleFor(site, 10, '1', 5);
    expect(ten.map((worker) => worker.externalId).slice(0, 2)).toEqual(['W-005', 'W-006']);
    expect(ten.every((worker) => worker.zone === 'Yard' && pointInPolygon(worker.at, site.zones[0]!.ring))).toBe(true);
    expect(peopleFor(site, 5, '1', 5)).toEqual(ten.slice(0, 5));
  });
});

describe('the plants of the default world are site files', () => {
  test('the generated form of the site files is current', () => {
    const generated = readFileSync(new URL('../../src/plant/default-plants.json', import.meta.url), 'utf8');
    // To mend it: node --import tsx test/generated/write.ts
    expect(JSON.parse(generated)).toEqual(defaultPlants());
    expect(Object.keys(JSON.parse(generated))).toEqual(DEFAULT_PLANTS);
  });

  test.each(DEFAULT_PLANTS)('%s, without a mistake or a warning', (name) => {
    const { mistakes, warnings } = readSiteFile(siteFileText(name), name);
    expect([...mistakes, ...warnings]).toEqual([]);
  });

  test.each(['1', '7'])('a copy of the first makes the same world of seed %s', (seed) => {
    const { plan, crew, contract } = readSiteFile(siteFileText('terminal-puerto-alerce'), 'copy.yaml');
    expect(defaultWorld(seed, { site: plan!, crew, contract })).toEqual(defaultWorld(seed));
  });

  test('a copy with another crew has other people', () => {
    const { plan, crew } = readSiteFile(
      siteFileText('terminal-puerto-alerce').replace('count: 60', 'count: 12'),
      'copy.yaml',
    );
    const [site] = sitesOf(defaultWorld('1', { site: plan!, crew }));
    expect(site!.workers).toHaveLength(12);
    expect(site!.permits).toHaveLength(6);
  });
});
