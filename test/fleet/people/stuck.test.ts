/** Trapped, injured and fallen people stay where they are until freed. [decisions 6] */
import { describe, expect, it } from 'vitest';
import { distance } from '../../../src/base/geometry/shapes.ts';
import type { Activity } from '../../../src/fleet/people/activity.ts';
import { insideRing } from '../../../src/fleet/people/ground/rings.ts';
import { STUCK_BY } from '../../../src/fleet/people/people.ts';
import { eachOf } from '../../helpers/each-of.ts';
import { isWhole } from '../../helpers/whole.ts';
import { inZone, notice } from './musters.ts';
import { type PeopledSite, peopled, peopledSites, START } from './plants.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const ALARM = START + 5 * MINUTE;
/** Enough that an earthquake holds some of them, and others help. */
const MANY = isWhole ? 1_000 : 400;
/** How long somebody is held, longer than what they were doing takes. */
const HELD_MS = (isWhole ? 3 : 1) * HOUR;
const POINTS = ['Gate A', 'Cerro Mirador', 'Yard Crossing'];

const terminal = (watches = isWhole ? 300 : 100, seed = '1'): PeopledSite => peopledSites(seed, watches)[0]!;

/** The first who does that at some second from then on, and that second. */
function firstWho(site: PeopledSite, doing: Activity, from: number): { i: number; now: number } {
  for (let now = from; now < from + 4 * HOUR; now += SECOND) {
    site.people.advanceTo(now);
    const i = site.persons.findIndex((_, one) => site.people.activity(one) === doing);
    if (i >= 0) return { i, now };
  }
  throw new Error(`nobody is ${doing}`);
}

const isAtPoint = ({ people }: PeopledSite, i: number, now: number): boolean =>
  people.ground.zones.some(({ name, ring }) => POINTS.includes(name) && insideRing(ring, ...people.at(i, now)));

describe('somebody who cannot leave their place', () => {
  const everyday: readonly Activity[] = ['working', 'walking', 'driving', 'climbing', 'parked', 'on_break'];
  eachOf(
    everyday.map((doing) => [doing] as const),
    3,
  )('a worker who was %s stays there as long as the cause lasts, whatever it is, and lives on when freed', (doing) => {
    for (const cause of STUCK_BY) {
      const site = terminal(isWhole ? 104 : 60);
      const { i, now } = firstWho(site, doing, START + MINUTE);
      const before = site.people.at(i, now + 300);
      site.people.hold(i, cause, now + 300);
      for (const later of [SECOND, MINUTE, HELD_MS / 3, HELD_MS]) {
        expect(site.people.at(i, now + later)).toEqual(before);
        expect(site.people.activity(i)).toBe(cause);
      }
      site.people.free(i, now + HELD_MS);
      expect(site.people.activity(i)).not.toBe(cause);
      expect(distance(site.people.at(i, now + HELD_MS), before)).toBe(0);
      const moved = Array.from({ length: 40 }, (_, n) => site.people.at(i, now + HELD_MS + n * MINUTE));
      expect(moved.some((at) => distance(at, before) > 5)).toBe(true);
    }
  });

  it.each<Activity>([
    'evacuating',
    'walking',
    'at_point',
    'climbing',
  ])('a worker who was %s in a muster stays there until freed, and then goes to a point', (doing) => {
    const site = terminal(104);
    site.people.onMuster(notice(site, { kind: doing === 'climbing' ? 'tsunami' : 'general' }), ALARM);
    const { i, now } = firstWho(site, doing, ALARM + 10 * SECOND);
    const before = site.people.at(i, now);
    site.people.hold(i, 'trapped', now);
    expect(site.people.at(i, now + 40 * MINUTE)).toEqual(before);
    site.people.free(i, now + 40 * MINUTE);
    site.people.advanceTo(now + 75 * MINUTE);
    expect(site.people.activity(i)).toBe('at_point');
  });

  it('of several causes needs all of them ended', () => {
    const site = terminal(60);
    site.people.hold(3, 'fallen', ALARM);
    site.people.hold(3, 'injured', ALARM);
    site.people.free(3, ALARM, ['fallen']);
    expect(site.people.activity(3)).toBe('injured');
    site.people.free(3, ALARM, ['trapped']);
    expect(site.people.activity(3)).toBe('injured');
    site.people.free(3, ALARM, ['trapped', 'injured']);
    expect(site.people.stuckBy(3)).toBeNull();
  });

  it('stays when the alarm comes, when targets change and when the muster ends, and goes back to work when freed after it', () => {
    const site = terminal(104);
    site.people.hold(5, 'injured', ALARM - MINUTE);
    const before = site.people.at(5, ALARM);
    site.people.onMuster(notice(site), ALARM);
    site.people.onMuster(notice(site, { revision: 2, excluded: ['Gate A'] }), ALARM + 10 * MINUTE);
    site.people.onMuster(notice(site, { revision: 2, status: 'completed' }), ALARM + 40 * MINUTE);
    expect(site.people.at(5, ALARM + 2 * HOUR)).toEqual(before);
    site.people.free(5, ALARM + 2 * HOUR);
    site.people.advanceTo(ALARM + 2 * HOUR + 10 * MINUTE);
    expect(['working', 'walking', 'parked', 'driving', 'on_break']).toContain(site.people.activity(5));
  });

  it('is a scripted worker too: freed, it stays where it is', () => {
    const site = peopled(terminal(60).planned, '1', { behave: 'scripted' });
    site.people.moveTo(2, [[0, 0]], {}, ALARM);
    site.people.hold(2, 'fallen', ALARM + 3 * SECOND);
    const before = site.people.at(2, ALARM + 3 * SECOND);
    expect(site.people.at(2, ALARM + HOUR)).toEqual(before);
    site.people.free(2, ALARM + HOUR);
    expect(site.people.at(2, ALARM + 2 * HOUR)).toEqual(before);
  });
});

describe('people whom an earthquake traps or injures', () => {
  it('call, and are where they were as long as nobody frees them; freed, they go to a point, and all others are there before', () => {
    const site = terminal(MANY);
    site.people.onMuster(notice(site, { kind: 'earthquake' }), ALARM);
    site.people.advanceTo(ALARM + SECOND);
    const held = site.persons.flatMap((_, i) => (site.people.stuckBy(i) === null ? [] : [i]));
    expect(held.length).toBeGreaterThan(5);
    const before = held.map((i) => site.people.at(i, ALARM + SECOND));
    const later = ALARM + 60 * MINUTE;
    expect(held.map((i) => site.people.at(i, later))).toEqual(before);
    const there = POINTS.reduce((sum, name) => sum + inZone(site, name, later), 0);
    expect(there).toBeGreaterThan(0.97 * (site.persons.length - held.length));
    for (const i of held) site.people.free(i, later);
    for (const i of held) expect(isAtPoint(site, i, later + 60 * MINUTE), `${i}`).toBe(true);
  });

  it('do not hold those who help them: they wait a while, and go', () => {
    const site = terminal(MANY);
    site.people.onMuster(notice(site, { kind: 'earthquake' }), ALARM);
    const helpers = new Set<number>();
    for (let now = ALARM; now < ALARM + 60 * MINUTE; now += SECOND) {
      site.people.advanceTo(now);
      for (let i = 0; i < site.persons.length; i++) if (site.people.activity(i) === 'helping') helpers.add(i);
    }
    expect(helpers.size).toBeGreaterThan(0.02 * MANY);
    expect([...helpers].filter((i) => !isAtPoint(site, i, ALARM + 60 * MINUTE))).toEqual([]);
  });

  it('are led away as slowly as they go, where their helper is still with them', () => {
    const site = terminal(MANY);
    site.people.onMuster(notice(site, { kind: 'earthquake' }), ALARM);
    const all = site.persons.map((_, i) => i);
    for (let now = ALARM; now < ALARM + 10 * MINUTE; now += SECOND) {
      const walked = new Set(all.filter((i) => site.people.activity(i) === 'walking'));
      site.people.advanceTo(now);
      const helpers = all.filter((i) => walked.has(i) && site.people.activity(i) === 'helping');
      for (const helper of helpers)
        for (const held of all) {
          const apartM = distance(site.people.at(held, now), site.people.at(helper, now));
          if (site.people.stuckBy(held) !== 'injured' || apartM > 1) continue;
          site.people.free(held, now);
          const from = site.people.at(held, now);
          for (const i of [helper, held]) {
            const metres = distance(from, site.people.at(i, now + MINUTE));
            expect(metres).toBeGreaterThan(10);
            expect(metres).toBeLessThan(0.6 * 60 * site.persons[i]!.pace);
          }
          return;
        }
    }
    throw new Error('nobody was helped by somebody who reached them');
  });

  it('go back to work with everybody else where the alarm ends before they have called', () => {
    const site = terminal(MANY);
    site.people.onMuster(notice(site, { kind: 'earthquake' }), ALARM);
    site.people.advanceTo(ALARM + 5 * SECOND);
    const held = site.persons.flatMap((_, i) => (site.people.stuckBy(i) === null ? [] : [i]));
    site.people.onMuster(notice(site, { kind: 'earthquake', status: 'cancelled' }), ALARM + 6 * SECOND);
    site.people.advanceTo(ALARM + 8 * SECOND);
    expect(held.filter((i) => site.people.stuckBy(i) !== null)).toEqual([]);
    expect(site.people.evacuating).toBe(true);
    site.people.advanceTo(ALARM + 30 * MINUTE);
    expect(site.people.evacuating).toBe(false);
  });
});
