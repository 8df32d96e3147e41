/** Since when a person has their status, and when they were safe for the first time: by the counts. [decisions 6] */
import { describe, expect, test } from 'vitest';
import { linesOf } from '../../../../src/service/domain/musters/roll-rows.ts';
import { T0 } from '../small-world.ts';
import { MusterWorld } from './muster-world.ts';

const seconds = (at: number | null): number | null => (at === null ? null : (at - T0) / 1_000);

/** Worker 1, a general muster that began at second 0, and how they stand: status, since, first safe. */
const ROWS: [string, (small: MusterWorld) => void, string, number, number | null][] = [
  ['has not moved', (small) => small.wait(30), 'pending', 0, null],
  [
    'came to a point, from the count that found them there for ten seconds',
    (small) => {
      small.goes(1, 'gate');
      small.wait(60);
    },
    'safe',
    10,
    10,
  ],
  [
    'left again',
    (small) => {
      small.goes(1, 'gate');
      small.wait(12);
      small.goes(1, 'nowhere');
      small.wait(30);
    },
    'pending',
    15,
    10,
  ],
  [
    'left and came back: anew since then, but safe for the first time before',
    (small) => {
      small.goes(1, 'gate');
      small.wait(12);
      small.goes(1, 'nowhere');
      small.wait(8);
      small.goes(1, 'gate');
      small.wait(30);
    },
    'safe',
    30,
    10,
  ],
  [
    'was marked by the control room, from the next count',
    (small) => {
      small.wait(6);
      small.mark(1);
      small.wait(30);
    },
    'safe',
    10,
    10,
  ],
  [
    'declared',
    (small) => {
      small.declare(1, 'Gate A');
      small.wait(30);
    },
    'safe',
    5,
    5,
  ],
  [
    'declared and was contradicted',
    (small) => {
      small.declare(1, 'Gate A');
      small.wait(6);
      small.at(1, 249.9, 20);
      small.wait(30);
    },
    'pending',
    10,
    5,
  ],
  [
    'went on from one point to another: safe all the time',
    (small) => {
      small.goes(1, 'gate');
      small.wait(10);
      small.declare(1, 'Hill North');
      small.goes(1, 'hill');
      small.wait(30);
    },
    'safe',
    10,
    10,
  ],
  [
    'was at a point that was excluded',
    (small) => {
      small.goes(1, 'gate');
      small.wait(11);
      small.exclude('Gate A');
      small.wait(30);
    },
    'wrong_point',
    15,
    10,
  ],
  [
    'was at a point that was excluded and reinstated',
    (small) => {
      small.goes(1, 'gate');
      small.wait(11);
      small.exclude('Gate A');
      small.wait(10);
      small.reinstate('Gate A');
      small.wait(30);
    },
    'safe',
    25,
    10,
  ],
  [
    'was at a point that does not serve the new kind: at once',
    (small) => {
      small.goes(1, 'gate');
      small.wait(12);
      small.begin('tsunami');
      small.wait(30);
    },
    'wrong_point',
    12,
    10,
  ],
  [
    'could not evacuate, and gave the reason later',
    (small) => {
      small.help(1);
      small.wait(8);
      small.help(1, 'trapped');
      small.wait(30);
    },
    'help',
    5,
    null,
  ],
  ['fell silent', (small) => small.wait(120), 'no_signal', 90, null],
];

describe('the count knows since when', () => {
  test.each(ROWS)('for who %s', (_words, happens, status, since, firstSafe) => {
    const small = new MusterWorld();
    small.start();
    happens(small);
    const person = small.person(1);
    expect([person.status, seconds(person.since), seconds(person.firstSafeAt)]).toEqual([status, since, firstSafe]);
    // What is written down at the end is the same.
    small.end();
    const [line] = linesOf(small.world.need('roll', small.muster().id));
    expect([line?.status, seconds(line?.since ?? null), seconds(line?.firstSafeAt ?? null)]).toEqual([
      status,
      since,
      firstSafe,
    ]);
  });

  test('for who was at a point before it began', () => {
    const small = new MusterWorld();
    small.goes(1, 'gate');
    small.now += 10_000;
    small.start();
    expect(small.person(1)).toMatchObject({ status: 'safe', since: T0 + 10_000, firstSafeAt: T0 + 10_000 });
  });

  test('for who came in later', () => {
    const small = new MusterWorld();
    small.worker(9, 'Nia Sol');
    small.start();
    small.wait(7);
    small.goes(9, 'gate');
    small.wait(5);
    expect(small.person(9)).toMatchObject({ status: 'pending', since: T0 + 10_000, firstSafeAt: null });
    small.wait(10);
    expect(small.person(9)).toMatchObject({ status: 'safe', since: T0 + 20_000, firstSafeAt: T0 + 20_000 });
  });

  test('and nothing of who said something before the count that takes them in', () => {
    const small = new MusterWorld();
    small.worker(9, 'Nia Sol');
    small.start();
    small.at(9, 40, 40);
    small.declare(9, 'Gate A');
    expect(small.person(9)).toMatchObject({ counted: false, since: null, firstSafeAt: null });
  });
});
