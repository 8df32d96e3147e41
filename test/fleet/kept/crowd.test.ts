/** A crowd that is kept and resumed: those who wait at a door keep their places, and the door its bucket. [decisions 9, a restart] */
import { expect, it } from 'vitest';
import { check } from '../../../src/contract/check.ts';
import { KeptPerson, KeptSite } from '../../../src/fleet/kept/documents.ts';
import { WalkingPeople } from '../../../src/fleet/people/site-people.ts';
import { isWhole } from '../../helpers/whole.ts';
import { PLAIN, Play, point, room, SECOND, START, scattered } from '../guidelines/hand-made.ts';

const FLOORS = [
  { name: 'Ground', heightM: 0 },
  { name: 'Top', heightM: 6 },
];

/** A hundred people of two floors, who leave by two doors of different width. */
function house(): Play {
  const zones = [
    room(
      'House',
      [0, 0, 20, 12],
      [
        [20, 6, 0.9],
        [0, 6, 1.4],
      ],
      { floors: FLOORS, stairs: [{ at: [4, 6], widthM: 1 }] },
    ),
    point('Point', [60, -10, 90, 20], { capacity: 70 }),
    point('Other point', [60, 60, 90, 90]),
  ];
  const people = scattered(100, [0, 0, 20, 12], '1').map((at, i) => ({
    at,
    zone: 'House',
    floor: i % 3 === 0 ? 'Top' : 'Ground',
  }));
  return new Play(zones, people, '1', { ...PLAIN, start: { mu: 2.5, sigma: 0.8, mostMs: 60 * SECOND } });
}

/** A new process reads what was written of each person when they changed last. */
function resumed(
  { site, persons, people }: Play,
  documents: ReadonlyMap<number, string>,
  second: number,
): WalkingPeople {
  const fresh = new WalkingPeople(site, persons, '1', START + second * SECOND, undefined, PLAIN);
  const kept = check(KeptSite, JSON.parse(JSON.stringify({ ...people.keptSite(), shown: [] })));
  if (!kept.ok) throw new Error(JSON.stringify(kept.errors));
  fresh.resumeSite(kept.value);
  for (const [i, text] of documents) {
    const person = check(KeptPerson, JSON.parse(text));
    if (!person.ok) throw new Error(JSON.stringify(person.errors));
    fresh.resume(i, person.value, 0);
  }
  return fresh;
}

it('goes on as if nothing had been, second by second, whenever it is cut', () => {
  for (const cut of isWhole ? [3, 12, 25, 41, 60, 85] : [25, 60]) {
    const play = house();
    const documents = new Map<number, string>();
    const write = (who: readonly number[]): void => {
      for (const i of who) documents.set(i, JSON.stringify({ ...play.people.kept(i), senses: null }));
    };
    write(play.persons.map((_, i) => i));
    play.alarm();
    for (let second = 1; second <= cut; second++) {
      play.at(0, second);
      // Nothing is written for some seconds, and then what has changed.
      if (second % 7 === 0 || second === cut) write(play.people.takeTouched());
    }
    const other = resumed(play, documents, cut);
    expect(other.queues()).toEqual(play.people.queues());
    if (cut === 25) expect(other.queues().length).toBeGreaterThan(1);
    for (let second = cut; second <= cut + 200; second++) {
      const now = START + second * SECOND;
      const all = play.persons.map((_, i) => i);
      expect([second, ...all.flatMap((i) => [...other.at(i, now), other.activity(i)])]).toEqual([
        second,
        ...all.flatMap((i) => [...play.at(i, second), play.people.activity(i)]),
      ]);
    }
  }
});

it('reads a memory of before there were queues: whoever stands before a door joins there again', () => {
  const play = house();
  play.alarm();
  play.at(0, 30);
  const documents = new Map<number, string>();
  for (const [i] of play.persons.entries()) {
    const { crossing: _, ...person } = play.people.kept(i);
    documents.set(i, JSON.stringify({ ...person, senses: null }));
  }
  const other = resumed(play, documents, 30);
  const now = START + 32 * SECOND;
  other.advanceTo(now);
  expect(other.queues().length).toBeGreaterThan(0);
  other.advanceTo(START + 400 * SECOND);
  expect(play.persons.filter((_, i) => other.activity(i) === 'at_point').length).toBeGreaterThan(95);
});
