/** People who are kept and resumed live on as those who were never interrupted, second by second, whenever they were kept. [decisions 9, a restart] */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distance } from '../../../src/base/geometry/shapes.ts';
import { check } from '../../../src/contract/check.ts';
import { KeptPerson } from '../../../src/fleet/kept/documents.ts';
import { STUCK_BY } from '../../../src/fleet/people/people.ts';
import { WalkingPeople } from '../../../src/fleet/people/site-people.ts';
import { isWhole } from '../../helpers/whole.ts';
import { type NoticeFields, notice } from '../people/musters.ts';
import { type PeopledSite, peopled, peopledSites, START } from '../people/plants.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** What happens to the people of a site from outside. */
type Happening =
  | { readonly is: 'muster'; readonly fields: NoticeFields }
  | { readonly is: 'hold'; readonly i: number; readonly cause: (typeof STUCK_BY)[number] }
  | { readonly is: 'free'; readonly i: number }
  | { readonly is: 'free-all' }
  | { readonly is: 'move'; readonly i: number; readonly to: readonly [number, number] }
  | { readonly is: 'put'; readonly i: number; readonly to: readonly [number, number] }
  | { readonly is: 'low-battery'; readonly i: number };
interface At {
  readonly at: number;
  readonly what: Happening;
}

function happen({ people, ...site }: PeopledSite, { at, what: drawn }: At): void {
  const what = 'i' in drawn ? { ...drawn, i: drawn.i % site.persons.length } : drawn;
  switch (what.is) {
    case 'muster':
      return people.onMuster(notice({ people, ...site }, what.fields), at);
    case 'hold':
      return people.hold(what.i, what.cause, at);
    case 'free':
      return people.free(what.i, at);
    case 'free-all':
      for (const i of site.persons.keys()) people.free(i, at);
      return;
    case 'move':
      return people.moveTo(what.i, [what.to], {}, at);
    case 'put':
      return people.put(what.i, what.to, null, false, at);
    case 'low-battery':
      return people.seeLowBattery(what.i);
  }
}

/** The documents on a disk: only of those who changed, as old as their last change. */
class Disk {
  readonly #persons = new Map<number, string>();

  write({ people }: PeopledSite, who: readonly number[] = people.takeTouched()): void {
    for (const i of who) this.#persons.set(i, JSON.stringify({ ...people.kept(i), senses: null }));
  }

  /** A new process reads them. */
  resume({ site, persons, people: before }: PeopledSite, now: number, gapMs: number): WalkingPeople {
    const people = new WalkingPeople(site, persons, '1', now + gapMs);
    people.resumeSite(JSON.parse(JSON.stringify(before.keptSite())));
    for (const [i, text] of this.#persons) {
      const checked = check(KeptPerson, JSON.parse(text));
      if (!checked.ok) throw new Error(JSON.stringify(checked.errors));
      people.resume(i, checked.value, gapMs);
    }
    return people;
  }
}

/** All that can be seen of everybody. */
const seen = ({ persons }: PeopledSite, people: WalkingPeople, now: number) =>
  persons.map((_, i) => [
    ...people.at(i, now),
    people.activity(i),
    people.inVehicle(i),
    people.docked(i, now),
    people.heightAt(i, people.at(i, now)),
    JSON.stringify(people.takeActs(i)),
  ]);

const kinds = fc.constantFrom('general' as const, 'earthquake' as const, 'tsunami' as const);
const personIndex = fc.integer({ min: 0, max: 59 });
const somewhere = fc.tuple(fc.integer({ min: -150, max: 150 }), fc.integer({ min: -150, max: 150 }));
const happenings: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ is: fc.constant('hold' as const), i: personIndex, cause: fc.constantFrom(...STUCK_BY) }),
  fc.record({ is: fc.constant('free' as const), i: personIndex }),
  fc.constant({ is: 'free-all' as const }),
  fc.record({ is: fc.constant('move' as const), i: personIndex, to: somewhere }),
  fc.record({ is: fc.constant('put' as const), i: personIndex, to: somewhere }),
  fc.record({ is: fc.constant('low-battery' as const), i: personIndex }),
);
/** A muster with changes on its way, and its end or none; and what else happens to people. Milliseconds from the start. */
const course = fc.record({
  kind: kinds,
  alarm: fc.integer({ min: 0, max: 20 * MINUTE }),
  changes: fc.array(fc.integer({ min: SECOND, max: 12 * MINUTE }), { maxLength: 2 }),
  ends: fc.boolean(),
  others: fc.array(fc.tuple(fc.integer({ min: 0, max: 50 * MINUTE }), happenings), { maxLength: 12 }),
  /** How long after a happening it is written behind; nothing is written between that and the cut but the last second. */
  written: fc.integer({ min: SECOND, max: 3 * SECOND }),
  /** When the power goes: seconds after one of the happenings, or after the start. */
  after: fc.integer({ min: 0, max: 20 }),
  cut: fc.integer({ min: 1, max: 300 }),
});

type Course = typeof course extends fc.Arbitrary<infer C> ? C : never;

function happeningsOf({ kind, alarm, changes, ends, others }: Course): At[] {
  const list: At[] = [{ at: START + alarm, what: { is: 'muster', fields: { kind } } }];
  let at = START + alarm;
  for (const [n, after] of changes.entries()) {
    at += after;
    const fields = { kind, revision: n + 2, excluded: n % 2 === 0 ? ['Gate A'] : ['Cerro Mirador'] };
    list.push({ at, what: { is: 'muster', fields } });
  }
  if (ends)
    list.push({
      at: at + 8 * MINUTE,
      what: { is: 'muster', fields: { kind, revision: changes.length + 1, status: 'completed' } },
    });
  for (const [after, what] of others) list.push({ at: START + after, what });
  return list.sort((a, b) => a.at - b.at);
}

describe('people who are kept', () => {
  it('live on as if nothing had been, from whatever was written, as old as it may be', () => {
    let compared = 0;
    fc.assert(
      fc.property(course, (drawn) => {
        const site = peopledSites('1', 60)[0]!;
        const disk = new Disk();
        disk.write(
          site,
          site.persons.map((_, i) => i),
        );
        const all = happeningsOf(drawn);
        const first = all[drawn.after % all.length]?.at ?? START;
        const cut = Math.ceil(first / SECOND) * SECOND + drawn.cut * SECOND;
        // What nobody has taken up yet is not kept: a watch receives the muster again when it is connected.
        const happenings = all.map(({ at, what }) =>
          what.is === 'muster' && at < cut && at > cut - SECOND ? { at: cut, what } : { at, what },
        );
        const writes = happenings.map(({ at }) => at + drawn.written).filter((at) => at < cut);
        const steps = [...happenings.filter(({ at }) => at < cut), ...writes.map((at) => ({ at, what: null }))];
        for (const { at, what } of steps.sort((a, b) => a.at - b.at)) {
          if (what !== null) happen(site, { at, what });
          else {
            site.people.advanceTo(at);
            disk.write(site);
            for (const i of site.persons.keys()) site.people.takeActs(i);
          }
        }
        site.people.advanceTo(cut);
        disk.write(site);
        const resumed = { ...site, people: disk.resume(site, cut, 0) };
        const later = happenings.filter(({ at }) => at >= cut);
        for (let now = cut; now <= cut + 15 * MINUTE; now += 20 * SECOND) {
          for (; later[0] !== undefined && later[0].at <= now; later.shift()) {
            happen(site, later[0]);
            happen(resumed, later[0]);
          }
          expect(seen(resumed, resumed.people, now)).toEqual(seen(site, site.people, now));
          compared += 1;
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? (isWhole ? 60 : 6)), seed: 7 },
    );
    expect(compared).toBeGreaterThan(isWhole ? 1_000 : 200);
  });

  it('stand where they stood when the time in which nobody lived is over, and do then what they would have done', () => {
    const gapMs = 7 * HOUR;
    for (const minutes of isWhole ? [1, 3, 7, 20] : [3, 20]) {
      // A permit ends by the service's clock, whether people live or not: then they would go another way.
      const site = peopled(peopledSites('1', 104)[0]!.planned, '1', { permits: [] });
      const disk = new Disk();
      disk.write(
        site,
        site.persons.map((_, i) => i),
      );
      happen(site, { at: START + MINUTE, what: { is: 'muster', fields: { kind: 'tsunami' } } });
      const cut = START + minutes * MINUTE + 2 * SECOND;
      site.people.advanceTo(cut);
      disk.write(site);
      const resumed = disk.resume(site, cut, gapMs);
      const wrong: string[] = [];
      for (let after = 0; after <= 20 * MINUTE; after += 10 * SECOND)
        for (const i of site.persons.keys()) {
          const [was, is] = [site.people.at(i, cut + after), resumed.at(i, cut + gapMs + after)];
          // The same steps, from other numbers: they are equal to a tenth of a millimetre.
          if (distance(was, is) >= 1e-4) wrong.push(`${i} after ${after} ms: ${distance(was, is)} m`);
          if (resumed.activity(i) !== site.people.activity(i))
            wrong.push(`${i} after ${after} ms: ${resumed.activity(i)}`);
        }
      expect(wrong.slice(0, 5)).toEqual([]);
    }
  });

  it('of whom the last second was lost go on from the one before, and nobody jumps', () => {
    const site = peopledSites('1', 104)[0]!;
    const disk = new Disk();
    disk.write(
      site,
      site.persons.map((_, i) => i),
    );
    happen(site, { at: START + MINUTE, what: { is: 'muster', fields: {} } });
    for (let now = START; now < START + 8 * MINUTE; now += SECOND) {
      site.people.advanceTo(now);
      disk.write(site);
    }
    const cut = START + 8 * MINUTE;
    const resumed = disk.resume(site, cut - SECOND, 0);
    for (const i of site.persons.keys()) {
      const metres = distance(site.people.at(i, cut), resumed.at(i, cut - SECOND));
      expect(metres).toBeLessThan(site.people.inVehicle(i) ? 7.1 : 2.3);
    }
  });
});
