/** People in a muster on the plants of the default world: who goes where and when, who turns round, who stays and who goes back. [realism 2, 7.2] */
import { describe, expect, it } from 'vitest';
import { distance, type Point } from '../../src/base/geometry/shapes.ts';
import { Draws } from '../../src/base/random/draws.ts';
import { insideRing } from '../../src/fleet/people/ground/rings.ts';
import { SHARES, temperOf, WATCH_SHARES } from '../../src/fleet/people/muster/muster-knobs.ts';
import type { MusterAct } from '../../src/fleet/people/muster/muster-part.ts';
import { isWhole } from '../helpers/whole.ts';
import { inZone, notice } from './people/musters.ts';
import { type PeopledSite, peopled, peopledSites, START } from './people/plants.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const ALARM = START + 5 * MINUTE;

/** Enough for shares of a few per cent. */
const MANY = isWhole ? 1_000 : 500;

/** The terminal with about that many people, without its point between the yards: Gate A is the nearest for most. */
function terminal(watches = isWhole ? 300 : 100, seed = '1'): PeopledSite {
  const { planned } = peopledSites(seed, watches)[0]!;
  return peopled({ ...planned, zones: planned.zones.filter(({ name }) => name !== 'Yard Crossing') }, seed);
}

const shareIn = (site: PeopledSite, names: readonly string[], now: number): number =>
  names.reduce((sum, name) => sum + inZone(site, name, now), 0) / site.persons.length;

type Done = MusterAct & { readonly i: number; readonly at: number; readonly where: Point };

const whoIsIn = ({ people, persons }: PeopledSite, name: string, now: number): number[] => {
  const { ring } = people.ground.zones.find((zone) => zone.name === name)!;
  return persons.flatMap((_, i) => (insideRing(ring, ...people.at(i, now)) ? [i] : []));
};

/** Everything that is done with watches until then, looked for each second. */
function doneUntil(site: PeopledSite, from: number, until: number): Done[] {
  const done: Done[] = [];
  for (let now = from; now <= until; now += SECOND) {
    site.people.advanceTo(now);
    for (let i = 0; i < site.persons.length; i++)
      for (const act of site.people.takeActs(i)) done.push({ ...act, i, at: now, where: site.people.at(i, now) });
  }
  return done;
}

describe('people who hear a muster', () => {
  it('go to the nearest point that serves it, most of them within 5 to 12 minutes', () => {
    for (const site of peopledSites('1', isWhole ? 500 : 200)) {
      site.people.onMuster(notice(site), ALARM);
      const points = notice(site)
        .points.filter(({ serves }) => serves.includes('general'))
        .map(({ name }) => name);
      expect(shareIn(site, points, ALARM + 5 * MINUTE)).toBeLessThan(0.9);
      expect(shareIn(site, points, ALARM + 12 * MINUTE)).toBeGreaterThan(0.88);
      expect(shareIn(site, points, ALARM + 30 * MINUTE)).toBeGreaterThan(0.97);
    }
  });

  it('in a tsunami go up the tower to its lowest floor of refuge, and nobody to a point by the sea but by mistake', () => {
    const site = terminal();
    site.people.onMuster(notice(site, { kind: 'tsunami' }), ALARM);
    const now = ALARM + 30 * MINUTE;
    expect(shareIn(site, ['Control Tower', 'Cerro Mirador'], now)).toBeGreaterThan(0.93);
    expect(shareIn(site, ['Gate A'], now)).toBeLessThan(0.05);
    const tower = site.people.ground.zones.findIndex(({ name }) => name === 'Control Tower');
    const heights = site.persons.flatMap((_, i) => {
      const height = site.people.heightAt(i, site.people.at(i, now));
      return height?.zone === tower ? [height.heightM] : [];
    });
    expect(heights.filter((heightM) => heightM === 14.4).length).toBeGreaterThan(0.9 * heights.length);
    expect(heights.length).toBeGreaterThan(20);
  });

  it('turn round within 40 seconds when their point is excluded, and are at another one later', () => {
    const site = terminal();
    site.people.onMuster(notice(site), ALARM);
    const settled = ALARM + 20 * MINUTE;
    expect(shareIn(site, ['Gate A'], settled)).toBeGreaterThan(0.5);
    const before = site.persons.map((_, i) => site.people.at(i, settled));
    site.people.onMuster(notice(site, { revision: 2, excluded: ['Gate A'] }), settled);
    const moved = (now: number) =>
      site.persons.filter((_, i) => site.people.at(i, now).some((metres, axis) => metres !== before[i]![axis])).length;
    const there = inZone(site, 'Gate A', settled);
    expect(moved(settled + 5 * SECOND)).toBeLessThan(0.1 * there);
    expect(moved(settled + 43 * SECOND)).toBeGreaterThan(0.95 * there);
    expect(shareIn(site, ['Cerro Mirador'], settled + 30 * MINUTE)).toBeGreaterThan(0.93);
    expect(shareIn(site, ['Gate A'], settled + 30 * MINUTE)).toBeLessThan(0.05);
  });

  it('stay while the zone is inspected, and are back at work some minutes after the end', () => {
    const site = terminal();
    site.people.onMuster(notice(site), ALARM);
    const inspected = ALARM + 20 * MINUTE;
    site.people.advanceTo(inspected);
    site.people.onMuster(notice(site, { phase: 'inspecting' }), inspected);
    const ended = inspected + 60 * MINUTE;
    const before = site.persons.map((_, i) => site.people.at(i, ended - 30 * MINUTE));
    const points = ['Gate A', 'Cerro Mirador'];
    expect(shareIn(site, points, ended)).toBeGreaterThan(0.97);
    expect(site.persons.filter((_, i) => site.people.at(i, ended)[0] !== before[i]![0])).toEqual([]);
    expect(site.people.evacuating).toBe(true);
    site.people.onMuster(notice(site, { status: 'completed', phase: 'inspecting' }), ended);
    expect(shareIn(site, points, ended + 25 * SECOND)).toBeGreaterThan(0.97);
    expect(shareIn(site, points, ended + 20 * MINUTE)).toBeLessThan(0.05);
    expect(site.people.evacuating).toBe(false);
    const doing = site.persons.map((_, i) => site.people.activity(i));
    expect(doing.filter((one) => one === 'working').length).toBeGreaterThan(0.3 * doing.length);
  });

  it('call for help with a reason when they cannot move or help others, and say where they are: a third of them always, all of them where they are shown no position', () => {
    const site = terminal(MANY);
    site.people.onMuster(notice(site, { kind: 'earthquake' }), ALARM);
    const pressed = doneUntil(site, ALARM, ALARM + 30 * MINUTE);
    const share = (fits: (press: MusterAct) => boolean) => pressed.filter(fits).length / site.persons.length;
    expect(share((press) => press.kind === 'help' && press.reason === 'helping')).toBeCloseTo(0.08, 1);
    expect(share((press) => press.kind === 'help' && press.reason !== 'helping')).toBeCloseTo(0.028, 1);
    expect(share((press) => press.kind === 'declare')).toBeGreaterThan(0.9);
    for (const { at, i } of pressed.filter(({ kind }) => kind === 'declare')) expect(at, `${i}`).toBeGreaterThan(ALARM);
    const unprompted = pressed.filter((press) => press.kind === 'declare' && !press.ifUnseen);
    expect(unprompted.length / site.persons.length).toBeGreaterThan(0.25);
    expect(unprompted.length / site.persons.length).toBeLessThan(0.4);
    const stuck = pressed.filter((press) => press.kind === 'help' && press.reason !== 'helping');
    expect(stuck.length).toBeGreaterThan(3);
    for (const { at } of stuck) expect(at - ALARM).toBeGreaterThanOrEqual(20 * SECOND);
  });

  it('are sometimes gone from a point again for their tools, so that a count can fall', () => {
    const site = terminal(isWhole ? 600 : 400);
    site.people.onMuster(notice(site), ALARM);
    const { ring } = site.people.ground.zones.find(({ name }) => name === 'Gate A')!;
    const inside = site.persons.map(() => false);
    let left = 0;
    for (let now = ALARM; now < ALARM + 25 * MINUTE; now += 5 * SECOND)
      for (let i = 0; i < inside.length; i++) {
        const is = insideRing(ring, ...site.people.at(i, now));
        if (inside[i] && !is) left += 1;
        inside[i] = is;
      }
    expect(left).toBeGreaterThan(2);
    expect(left).toBeLessThan(0.06 * site.persons.length);
  });

  it('drive near the point where they sit in a vehicle far from it, get out, and find the vehicle there later', () => {
    const site = terminal(104);
    site.people.onMuster(notice(site), ALARM);
    const drivers = site.site.vehicles.map(({ driver }) => site.persons.findIndex(({ serial }) => serial === driver));
    const drove = new Set<number>();
    for (let now = ALARM; now < ALARM + 20 * MINUTE; now += SECOND) {
      site.people.advanceTo(now);
      for (const i of drivers) if (site.people.inVehicle(i)) drove.add(i);
    }
    expect(drove.size).toBeGreaterThan(0);
    expect(drivers.filter((i) => site.people.inVehicle(i))).toEqual([]);
  });
});

describe('workers who take part in a muster late, or not at all', () => {
  it('a scripted worker stands where it was put', () => {
    const planned = terminal(60).planned;
    const site = peopled(planned, '1', { behave: 'scripted' });
    const before = site.persons.map((_, i) => site.people.at(i, ALARM));
    site.people.onMuster(notice(site), ALARM);
    expect(site.persons.map((_, i) => site.people.at(i, ALARM + 20 * MINUTE))).toEqual(before);
    expect(doneUntil(site, ALARM, ALARM + 20 * MINUTE)).toEqual([]);
  });

  it('a worker sent across the plant by an order goes there first; one sent by background life turns to a point at the alarm', () => {
    const far: Point = [600, 390];
    const endsAt = (isErrand: boolean) => {
      const site = terminal(60);
      const people = site.persons.flatMap((_, i) =>
        distance(site.people.at(i, ALARM - MINUTE), far) > 300 ? [i] : [],
      );
      for (const i of people) site.people.moveTo(i, [far], { isErrand }, ALARM - MINUTE);
      site.people.onMuster(notice(site), ALARM);
      let came = 0;
      for (let now = ALARM; now < ALARM + 8 * MINUTE; now += 5 * SECOND)
        came = Math.max(came, people.filter((i) => distance(site.people.at(i, now), far) < 5).length);
      return came / people.length;
    };
    expect(endsAt(false)).toBeGreaterThan(0.5);
    expect(endsAt(true)).toBe(0);
  });

  it('workers who are off shift stay away', () => {
    const site = terminal(60);
    const night = START + 16 * 60 * MINUTE;
    site.people.onMuster(notice(site), night);
    const off = (now: number) => site.persons.every((_, i) => site.people.docked(i, now));
    expect(off(night)).toBe(true);
    expect(off(night + 2 * 60 * MINUTE)).toBe(true);
  });
});

describe('a worker whose shift begins during a muster', () => {
  it('goes to a point that serves, and to work only after the end', () => {
    const site = terminal(60);
    const night = START + 16 * 60 * MINUTE;
    const morning = night + 10 * 60 * MINUTE;
    site.people.onMuster(notice(site), night);
    expect(site.persons.some((_, i) => site.people.docked(i, morning))).toBe(false);
    expect(shareIn(site, ['Gate A', 'Cerro Mirador'], morning)).toBe(1);
    site.people.onMuster(notice(site, { status: 'cancelled' }), morning);
    expect(shareIn(site, ['Gate A', 'Cerro Mirador'], morning + 20 * MINUTE)).toBeLessThan(0.1);
    expect(site.people.evacuating).toBe(false);
  });
});

describe('a worker in a muster whose targets change', () => {
  const settled = ALARM + 20 * MINUTE;
  const points = ['Gate A', 'Cerro Mirador', 'Control Tower'];

  it('leaves the point that does not serve the new kind', () => {
    const site = terminal();
    site.people.onMuster(notice(site), ALARM);
    expect(shareIn(site, ['Gate A'], settled)).toBeGreaterThan(0.9);
    site.people.onMuster(notice(site, { kind: 'tsunami', revision: 2 }), settled);
    const [gate, hill, tower] = points.map((name) => shareIn(site, [name], settled + 30 * MINUTE));
    expect(gate).toBeLessThan(0.05);
    expect(hill! + tower!).toBeGreaterThan(0.93);
    expect(tower).toBeGreaterThan(0.1);
  });

  it('stays at a point that serves the new kind too', () => {
    const site = terminal();
    const excluded = ['Gate A'];
    site.people.onMuster(notice(site, { excluded }), ALARM);
    const later = settled + 15 * MINUTE;
    expect(shareIn(site, ['Cerro Mirador'], later)).toBeGreaterThan(0.93);
    const there = whoIsIn(site, 'Cerro Mirador', later);
    const before = there.map((i) => site.people.at(i, later));
    site.people.onMuster(notice(site, { kind: 'tsunami', revision: 2, excluded }), later);
    const moved = there.filter((i, n) => distance(site.people.at(i, later + 10 * MINUTE), before[n]!) > 0);
    // Nobody but who had gone back for their tools.
    expect(moved.length).toBeLessThan(0.02 * there.length);
  });

  it('turns back under way when the nearer point is reinstated', () => {
    const site = terminal();
    site.people.onMuster(notice(site, { excluded: ['Gate A'] }), ALARM);
    const change = ALARM + 5 * MINUTE;
    expect(shareIn(site, ['Gate A'], change)).toBeLessThan(0.05);
    const arrived = shareIn(site, ['Cerro Mirador'], change);
    expect(arrived).toBeLessThan(0.7);
    site.people.onMuster(notice(site, { revision: 2 }), change);
    expect(shareIn(site, ['Gate A'], change + 15 * MINUTE)).toBeGreaterThan(0.25);
    expect(shareIn(site, ['Cerro Mirador'], change + 15 * MINUTE)).toBeGreaterThan(0.9 * arrived);
    expect(shareIn(site, points, change + 15 * MINUTE)).toBeGreaterThan(0.95);
  });

  it('waits where they are while no point serves, and goes as soon as one does', () => {
    const site = terminal(60);
    const none = ['Gate A', 'Cerro Mirador'];
    site.people.onMuster(notice(site, { excluded: none }), ALARM);
    expect(shareIn(site, none, ALARM + 15 * MINUTE)).toBeLessThan(0.1);
    site.people.onMuster(notice(site, { revision: 2, excluded: ['Gate A'] }), ALARM + 15 * MINUTE);
    expect(shareIn(site, ['Cerro Mirador'], ALARM + 45 * MINUTE)).toBeGreaterThan(0.9);
  });
});

describe('on their way', () => {
  it('people walk at most 2.2 m/s and drive at most 7, through doors and never through a wall', () => {
    const site = terminal(isWhole ? 200 : 100);
    const { people, persons } = site;
    const { zones, walled } = people.ground;
    people.onMuster(notice(site, { kind: 'tsunami' }), ALARM);
    const before = persons.map((_, i) => people.at(i, ALARM));
    const [through, fast]: string[][] = [[], []];
    for (let now = ALARM + SECOND; now <= ALARM + 20 * MINUTE; now += SECOND)
      for (let i = 0; i < before.length; i++) {
        const [from, to] = [before[i]!, people.at(i, now)];
        before[i] = to;
        const metres = distance(from, to);
        if (metres === 0) continue;
        if (metres > (people.inVehicle(i) ? 7.01 : 2.21)) fast!.push(`${persons[i]!.serial}: ${metres} m`);
        for (const wall of walled) {
          const { ring, doors, name } = zones[wall]!;
          if (insideRing(ring, ...from) === insideRing(ring, ...to)) continue;
          if (!doors.some(({ at }) => distance(at, from) < 3))
            through!.push(`${persons[i]!.serial} into or out of ${name}`);
        }
      }
    expect(fast).toEqual([]);
    expect(through).toEqual([]);
  });
});

describe('the watches of a muster', () => {
  it('are off the wrist or out of cover in the shares of the table, and come back', () => {
    const site = terminal(MANY);
    site.people.onMuster(notice(site, { kind: 'earthquake' }), ALARM);
    const done = doneUntil(site, ALARM, ALARM + 25 * MINUTE);
    const count = (kind: MusterAct['kind']) => done.filter((act) => act.kind === kind).length;
    const { off, uncovered } = WATCH_SHARES.earthquake;
    expect(count('takes-off') / site.persons.length).toBeCloseTo(off, 1);
    expect(count('cover-lost') / site.persons.length).toBeGreaterThan(0.7 * uncovered);
    expect(count('cover-lost') / site.persons.length).toBeLessThan(1.3 * uncovered);
    expect(count('cover-back')).toBe(count('cover-lost'));
    expect(count('puts-on')).toBeGreaterThan(0);
    expect(count('puts-on')).toBeLessThan(count('takes-off'));
  });

  it('lie where they were left until their wearers come back for them after the end', () => {
    const site = terminal(MANY);
    site.people.onMuster(notice(site), ALARM);
    const ended = ALARM + 25 * MINUTE;
    const before = site.persons.map((_, i) => site.people.at(i, ALARM));
    const done = doneUntil(site, ALARM, ended);
    const back = new Set(done.flatMap(({ kind, i }) => (kind === 'puts-on' ? [i] : [])));
    const left = done.flatMap(({ kind, i }) => (kind === 'takes-off' && !back.has(i) ? [i] : []));
    expect(left.length).toBeGreaterThan(3);
    site.people.onMuster(notice(site, { status: 'completed' }), ended);
    const later = doneUntil(site, ended, ended + 30 * MINUTE);
    expect(
      later
        .filter(({ kind }) => kind === 'puts-on')
        .map(({ i }) => i)
        .sort(),
    ).toEqual([...left].sort());
    for (const { i, at, kind, where } of later) {
      if (kind !== 'puts-on') continue;
      expect(at - ended).toBeGreaterThan(30 * SECOND);
      expect(distance(where, before[i]!)).toBeLessThan(3);
    }
    expect(site.people.evacuating).toBe(false);
  });
});

describe('the siren', () => {
  it('says nothing new twice, nothing old, and nothing of a muster that has ended', () => {
    const site = terminal(60);
    const at = ALARM;
    const tracks = (say: (now: number) => void): Point[] => {
      const other = terminal(60);
      other.people.onMuster(notice(other, { revision: 2, excluded: ['Gate A'] }), at);
      say(at);
      return other.persons.map((_, i) => other.people.at(i, at + 15 * MINUTE));
    };
    const calm = tracks(() => {});
    const noisy = terminal(60);
    noisy.people.onMuster(notice(noisy, { revision: 2, excluded: ['Gate A'] }), at);
    noisy.people.onMuster(notice(noisy), at + SECOND);
    noisy.people.onMuster(notice(noisy, { revision: 2, excluded: ['Gate A'] }), at + 2 * SECOND);
    expect(noisy.persons.map((_, i) => noisy.people.at(i, at + 15 * MINUTE))).toEqual(calm);
    site.people.onMuster(notice(site), at);
    site.people.onMuster(notice(site, { status: 'cancelled' }), at + SECOND);
    site.people.advanceTo(at + 10 * MINUTE);
    site.people.onMuster(notice(site), at + 10 * MINUTE);
    expect(site.people.evacuating).toBe(false);
  });
});

describe('chance', () => {
  it('gives the shares of the table', () => {
    const serials = Array.from({ length: 20_000 }, (_, n) => `P-${n}`);
    const draws = new Draws('shares', 'muster', serials);
    const seen = new Map<string, number>();
    for (let i = 0; i < serials.length; i++) {
      const { behaviour } = temperOf(draws, i, 'general');
      seen.set(behaviour, (seen.get(behaviour) ?? 0) + 1 / serials.length);
    }
    for (const [behaviour, share] of Object.entries(SHARES.general))
      expect(Math.abs((seen.get(behaviour) ?? 0) - share), behaviour).toBeLessThan(0.005);
  });

  it('gives start delays of 10, 30 and about 100 seconds to the first tenth, the half and nine tenths of an ordinary crew', () => {
    const serials = Array.from({ length: 20_000 }, (_, n) => `P-${n}`);
    const draws = new Draws('delays', 'muster', serials);
    const delays = serials.map((_, i) => temperOf(draws, i, 'general').startMs / 1000).sort((a, b) => a - b);
    const at = (share: number) => delays[Math.floor(share * delays.length)]!;
    expect(at(0.1)).toBeCloseTo(10, -1);
    expect(at(0.5)).toBeGreaterThan(28);
    expect(at(0.5)).toBeLessThan(42);
    // 12 of 100 make their machine safe first.
    expect(at(0.9)).toBeGreaterThan(98);
    expect(at(0.9)).toBeLessThan(180);
  });

  it('is not touched by who looks when, nor by one more worker', () => {
    const watched = terminal(60);
    const alone = terminal(60);
    for (const site of [watched, alone]) site.people.onMuster(notice(site), ALARM);
    for (let now = ALARM; now < ALARM + 15 * MINUTE; now += 700) watched.people.at(now % watched.persons.length, now);
    const end = ALARM + 15 * MINUTE;
    const places = ({ people, persons }: PeopledSite) =>
      new Map(persons.map(({ serial }, i) => [serial, people.at(i, end)]));
    expect(places(watched)).toEqual(places(alone));
    const { planned } = alone;
    const fewer = peopled({ ...planned, workers: planned.workers.slice(1) }, '1');
    fewer.people.onMuster(notice(fewer), ALARM);
    const all = places(alone);
    for (const [serial, at] of places(fewer)) expect(at).toEqual(all.get(serial));
  });
});
