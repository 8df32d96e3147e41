/** People on the plants of the default world: how fast, where along, what they do by day and night, and that looking changes nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distance, type Point } from '../../../src/base/geometry/shapes.ts';
import type { Activity } from '../../../src/fleet/people/activity.ts';
import { clearance, insideRing } from '../../../src/fleet/people/ground/rings.ts';
import { WalkingPeople } from '../../../src/fleet/people/site-people.ts';
import { defaultWorld } from '../../../src/plant/default-world.ts';
import { isWhole } from '../../helpers/whole.ts';
import { type PeopledSite, peopled, peopledSites, START } from './plants.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Plays for a while, and samples everybody each `everyMs`. */
function play(
  { people, persons }: PeopledSite,
  ms: number,
  everyMs: number,
  look: (i: number, at: Point, now: number) => void,
): void {
  for (let now = START; now <= START + ms; now += everyMs) {
    for (let i = 0; i < persons.length; i++) look(i, people.at(i, now), now);
  }
}

describe('people', () => {
  it('have the paces of a crowd: normal around 1.34 m/s, cut to 0.5..2.2', () => {
    const paces = defaultWorld('1', { watches: isWhole ? 10_000 : 3_000 })
      .organizations.flatMap(({ sites }) => sites)
      .flatMap(({ workers }) => workers.map(({ pace }) => pace));
    const mean = paces.reduce((sum, pace) => sum + pace, 0) / paces.length;
    const sd = Math.sqrt(paces.reduce((sum, pace) => sum + (pace - mean) ** 2, 0) / paces.length);
    expect(mean).toBeCloseTo(1.34, 1);
    expect(sd).toBeCloseTo(0.26, 1);
    expect(Math.min(...paces)).toBeGreaterThanOrEqual(0.5);
    expect(Math.max(...paces)).toBeLessThanOrEqual(2.2);
  });

  it('go through no wall but by its doors, into no water, near no zone that they may not enter, and on foot not faster than 3 m/s', () => {
    for (const site of peopledSites()) {
      const { people, persons, site: plan } = site;
      const { zones, walled, guarded, water } = people.ground;
      const before = persons.map(({ at }) => at);
      const near: string[] = [];
      const crossed: string[] = [];
      const wet: string[] = [];
      let fastest = 0;
      play(site, (isWhole ? 12 : 1) * HOUR, SECOND, (i, at) => {
        const from = before[i]!;
        before[i] = at;
        if (from[0] === at[0] && from[1] === at[1]) return;
        if (!people.inVehicle(i)) fastest = Math.max(fastest, distance(from, at));
        const { serial, permits = [] } = persons[i]!;
        for (const wall of walled) {
          const { ring, doors, name } = zones[wall]!;
          if (insideRing(ring, ...from) === insideRing(ring, ...at)) continue;
          const [door] = doors.map((one) => distance(one.at, at)).sort((a, b) => a - b);
          if ((door ?? 99) > 3) crossed.push(`${serial} through ${name} at ${at}`);
        }
        if (water.some((ring) => insideRing(ring, ...at))) wet.push(`${serial} at ${at}`);
        for (const zone of guarded) {
          const { ring, name } = zones[zone]!;
          if (permits.some((permit) => permit.zone === name)) continue;
          // Who begins nearer than the berth goes away from there.
          const started = clearance(ring, ...persons[i]!.at);
          if (clearance(ring, ...at, 25) < Math.min(24.9, started - 0.5)) near.push(`${serial} by ${name} at ${at}`);
        }
      });
      expect(crossed.slice(0, 5)).toEqual([]);
      expect(near.slice(0, 5)).toEqual([]);
      expect(wet.slice(0, 5)).toEqual([]);
      expect(fastest).toBeGreaterThan(0.5);
      expect(fastest).toBeLessThan(3);
      expect(plan.boundary.length).toBeGreaterThan(2);
    }
  });

  it('leave a zone before their permit ends, and do not come back', () => {
    const [terminal] = peopledSites('1', isWhole ? undefined : 60);
    const { people, persons, planned } = terminal!;
    const tanks = people.ground.zones.findIndex(({ name }) => name === 'Tank Farm');
    const inside = persons.flatMap((person, i) => {
      const [permit] = person.permits ?? [];
      return person.zone === 'Tank Farm' && permit?.until != null ? [{ i, until: permit.until }] : [];
    });
    expect(inside.length).toBeGreaterThan(0);
    expect(planned.name).toContain('Terminal');
    const depth = (i: number, now: number) => clearance(people.ground.zones[tanks]!.ring, ...people.at(i, now));
    expect(inside.every(({ i }) => depth(i, START) < 0)).toBe(true);
    for (const { i, until } of inside) {
      for (let now = until - MINUTE; now < until + 12 * HOUR; now += 10 * MINUTE)
        expect(depth(i, now)).toBeGreaterThan(20);
    }
  });

  it('work, rest, go off shift after 10 to 12 hours, and are back about 12 hours later', () => {
    for (const site of peopledSites('1', isWhole ? undefined : 24)) {
      const { people, persons } = site;
      const seen = persons.map(() => new Map<Activity, number>());
      const wrong: string[] = [];
      const off: number[] = persons.map(() => 0);
      const back: number[] = persons.map(() => 0);
      play(site, 26 * HOUR, 30 * SECOND, (i, _at, now) => {
        const activity = people.activity(i);
        seen[i]!.set(activity, (seen[i]!.get(activity) ?? 0) + 30 * SECOND);
        if (activity === 'off_shift' && off[i] === 0) off[i] = now;
        if (activity !== 'off_shift' && off[i]! > 0 && back[i] === 0) back[i] = now;
        if (people.docked(i, now) !== (activity === 'off_shift')) wrong.push(persons[i]!.serial);
      });
      expect(wrong).toEqual([]);
      for (let i = 0; i < persons.length; i++) {
        expect(off[i]! - START).toBeGreaterThan(10 * HOUR);
        expect(off[i]! - START).toBeLessThan(12.5 * HOUR);
        expect(back[i]! - off[i]!).toBeGreaterThan(11.7 * HOUR);
        expect(back[i]! - off[i]!).toBeLessThan(12.3 * HOUR);
        const rested = seen[i]!.get('on_break') ?? 0;
        expect(rested).toBeGreaterThan(2 * 15 * MINUTE);
        expect(rested).toBeLessThan(5 * 30 * MINUTE);
        expect(seen[i]!.get('walking') ?? 0).toBeGreaterThan(30 * MINUTE);
      }
    }
  });

  it('with a vehicle drive it at its pace, get out, and find it where they left it', () => {
    const [terminal] = peopledSites();
    const { people, persons, site } = terminal!;
    const drivers = site.vehicles.map(({ driver }) => persons.findIndex(({ serial }) => serial === driver));
    expect(drivers.length).toBe(5);
    const before = persons.map(({ at }) => at);
    const [driven, walked, strange] = [new Set<number>(), new Set<number>(), new Set<number>()];
    let fastest = 0;
    play(terminal!, (isWhole ? 4 : 2) * HOUR, SECOND, (i, at) => {
      const metres = distance(before[i]!, at);
      before[i] = at;
      if (people.inVehicle(i) && !drivers.includes(i)) strange.add(i);
      fastest = Math.max(fastest, metres);
      if (!drivers.includes(i)) return;
      if (people.inVehicle(i) && metres > 2.4) driven.add(i);
      if (!people.inVehicle(i) && metres > 0) walked.add(i);
    });
    expect(strange.size).toBe(0);
    expect(fastest).toBeLessThan(7.1);
    expect(driven.size).toBe(5);
    expect(walked.size).toBe(5);
  });

  it('are where they are, whoever looks and when', () => {
    const [calm] = peopledSites('1', 9);
    calm!.people.advanceTo(START + HOUR);
    const truth = calm!.persons.map((_, i) => calm!.people.at(i, START + HOUR));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: HOUR }), { maxLength: 40 }), fc.nat(), (times, who) => {
        const { people, persons, planned } = peopled(calm!.planned);
        expect(planned).toBe(calm!.planned);
        for (const ms of times.sort((a, b) => a - b)) people.at(who % persons.length, START + ms);
        expect(persons.map((_, i) => people.at(i, START + HOUR))).toEqual(truth);
      }),
      { numRuns: isWhole ? 30 : 6 },
    );
  });

  it('of equal seeds walk equal tracks, and one more changes nobody else’s', () => {
    const [one, same, other] = [peopledSites('7', 30), peopledSites('7', 30), peopledSites('8', 30)];
    const tracks = (site: PeopledSite, count: number) =>
      Array.from({ length: count }, (_, i) =>
        (isWhole ? [1, 2, 3, 6, 9] : [1, 3]).map((h) => site.people.at(i, START + h * HOUR)),
      );
    for (const [n, site] of one.entries()) {
      const count = site.persons.length;
      expect(tracks(site, count)).toEqual(tracks(same[n]!, count));
      expect(tracks(site, count)).not.toEqual(tracks(other[n]!, count));
      const { planned, persons, site: plan } = site;
      const joined = [...persons, { ...persons[0]!, serial: 'NEW-1' }];
      const people = new WalkingPeople(plan, joined, '7', START);
      expect(tracks({ ...site, people }, count)).toEqual(tracks(peopled(planned, '7'), count));
    }
  });
});

describe('a scripted worker', () => {
  const [terminal] = peopledSites();
  const site = terminal!.site;
  const scripted = (at: Point) =>
    new WalkingPeople(site, [{ serial: 'P', at, area: [at], pace: 1.5, behave: 'scripted' }], '1', START);

  it('stands until told, and walks round a building', () => {
    // West and east of the workshop, whose walls are at x 345 and 425.
    const people = scripted([330, 70]);
    expect(people.at(0, START + 9 * HOUR)).toEqual([330, 70]);
    people.moveTo(0, [[440, 70]], { pace: 2 }, START + 9 * HOUR);
    let metres = 0;
    let before: Point = [330, 70];
    for (let s = 1; s <= 120; s++) {
      const at = people.at(0, START + 9 * HOUR + s * SECOND);
      metres += distance(before, at);
      before = at;
      if (at[0] > 345 && at[0] < 425) expect(at[1] < 60 || at[1] > 120).toBe(true);
    }
    expect(before).toEqual([440, 70]);
    expect(metres).toBeGreaterThan(112);
    expect(metres).toBeLessThan(120);
  });

  it('goes in by a door, through the points that it is given, at the pace that it is given', () => {
    const people = scripted([330, 50]);
    people.moveTo(
      0,
      [
        [330, 100],
        [400, 110],
      ],
      { pace: 2 },
      START + 250,
    );
    expect(people.at(0, START + 250 + 10 * SECOND)).toEqual([330, 70]);
    expect(people.at(0, START + 250 + 25 * SECOND)).toEqual([330, 100]);
    expect(people.at(0, START + 2 * MINUTE)).toEqual([400, 110]);
    expect(people.activity(0)).toBe('standing');
  });

  it('drives where it is told to, and is aboard until it is told otherwise', () => {
    const people = scripted([330, 50]);
    people.moveTo(0, [[330, 100]], { inVehicle: true }, START);
    expect(people.activity(0)).toBe('driving');
    expect(people.at(0, START + 4 * SECOND)).toEqual([330, 70]);
    expect(people.inVehicle(0)).toBe(true);
    people.at(0, START + MINUTE);
    expect(people.inVehicle(0)).toBe(true);
    people.put(0, [10, 10], null, false, START + MINUTE);
    expect(people.inVehicle(0)).toBe(false);
  });
});
