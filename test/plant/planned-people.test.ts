/** The people of a file: where they begin, who they are, and what is wrong about them. */
import { describe, expect, test } from 'vitest';
import { distance, pointInPolygon, signedDistance } from '../../src/base/geometry/shapes.ts';
import { isWatchSerial } from '../../src/contract/watch-topics.ts';
import { readSiteFile, type SiteFileOptions } from '../../src/plant/site-file.ts';

const PLANT = `part: Test
site:
  name: Test plant
  origin: [43.3610, -8.4120]
  zones:
    Dock:      {type: work_area, box: [0, 0, 200, 120]}
    Pit:       {type: restricted, box: [60, 20, 120, 100]}
    Tower:     {type: building, box: [300, 0, 340, 40], floors: [{name: Ground, height_m: 0}, {name: Top, height_m: 12}]}
    Gate A:    {type: assembly_point, box: [-40, 0, -20, 20], serves: [general]}
`;

const read = (lines: string, options: SiteFileOptions = {}) => readSiteFile(PLANT + lines, 'x.yaml', options);

const planOf = (lines: string, options: SiteFileOptions = {}) => {
  const { plan, mistakes } = read(lines, options);
  expect(mistakes).toEqual([]);
  return plan!;
};

/** The one mistake of the lines, as `word: message`. */
const reported = (lines: string): string[] => pointed(lines, read(lines).mistakes);
const warned = (lines: string): string[] => pointed(lines, read(lines).warnings);
const pointed = (lines: string, found: readonly { line: number; column: number; length: number; message: string }[]) =>
  found.map(({ line, column, length, message }) => {
    const source = (PLANT + lines).split('\n')[line - 1]!;
    return `${source.slice(column - 1, column - 1 + length)}: ${message}`;
  });

const workers = (...entries: string[]): string => `workers:\n${entries.map((entry) => `  ${entry}\n`).join('')}`;

describe('somebody begins', () => {
  const zone = (name: string) => planOf('').zones.find((one) => one.name === name)!.ring;

  test('in the zone that is named, and outside the restricted one within it', () => {
    for (let seed = 0; seed < 40; seed++) {
      const { at, zone: home } = planOf(workers('ana: {in: Dock}'), { seed: String(seed) }).workers[0]!;
      expect(home).toBe('Dock');
      expect(signedDistance(at, zone('Dock'))).toBeGreaterThan(0);
      expect(pointInPolygon(at, zone('Pit'))).toBe(false);
    }
  });

  test('at the point that is named, in the smallest zone that holds it', () => {
    const text = workers(
      'ana: {at: [90, 50], permit: WP-1}',
      'bob: {at: [310, 10], floor: Top}',
      'eva: {at: [250, 60]}',
    );
    const { workers: people, permits } = planOf(text);
    expect(people.map(({ at, zone: home, floor }) => [at, home, floor])).toEqual([
      [[90, 50], 'Pit', undefined],
      [[310, 10], 'Tower', 'Top'],
      [[250, 60], 'Dock', undefined],
    ]);
    expect(permits).toEqual([{ reference: 'WP-1', worker: 'ana', zone: 'Pit', forMs: null }]);
  });

  test('at exactly the distance from somebody who may come later in the file', () => {
    for (let seed = 0; seed < 20; seed++) {
      const text = workers(
        'luis: {near: ana, distance: 40m}',
        'ana: {in: Tower}',
        'eva: {near: luis}',
        'pau: {near: ana, distance: 0.1km}',
      );
      const people = planOf(text, { seed: String(seed) }).workers;
      const at = (id: string) => people.find(({ externalId }) => externalId === id)!.at;
      expect(distance(at('ana'), at('luis'))).toBeCloseTo(40, 6);
      expect(distance(at('eva'), at('luis'))).toBeCloseTo(10, 6);
      expect(distance(at('pau'), at('ana'))).toBeCloseTo(100, 6);
    }
  });

  test('in the first work area where nothing is said', () => {
    expect(planOf(workers('ana: {}')).workers[0]?.zone).toBe('Dock');
  });
});

describe('what the file leaves open', () => {
  test('follows from the seed and the short name, whoever else is there', () => {
    const alone = planOf(workers('ana: {in: Dock}')).workers[0]!;
    const among = planOf(workers('zoe: {in: Dock}', 'ana: {in: Dock}')).workers[1]!;
    expect(among).toEqual(alone);
    expect(planOf(workers('ana: {in: Dock}'), { seed: '2' }).workers[0]).not.toEqual(alone);
    expect(alone).toMatchObject({
      externalId: 'ana',
      contractor: null,
      role: null,
      worn: 'on',
      watch: { emulated: true },
    });
    expect(alone.name).toMatch(/^\S.+ \S/);
    expect(alone.batteryPct).toBeGreaterThanOrEqual(55);
    expect(alone.pace).toBeGreaterThanOrEqual(0.5);
  });

  test('does not change with what the file says besides', () => {
    const plain = planOf(workers('ana: {in: Dock}')).workers[0]!;
    const more = planOf(workers('ana: {in: Dock, battery: 30, pace: 1, name: Ana Ruiz}')).workers[0]!;
    expect(more).toEqual({ ...plain, batteryPct: 30, pace: 1, name: 'Ana Ruiz' });
  });

  test('makes serials that no watch has twice', () => {
    const text = workers('añá: {}', 'ana: {}', '"a b/c+#": {}', '"a b c": {}', '日本: {}', 'all: {}');
    const serials = planOf(text).workers.map(({ watch }) => watch.serial);
    expect(serials).toEqual(['SIM-ana', 'SIM-ana.2', 'SIM-a-b-c-', 'SIM-a-b-c', 'SIM--', 'SIM-all']);
    expect(serials.every(isWatchSerial)).toBe(true);
  });
});

describe('a crowd', () => {
  test('is that many people, each with a number and a pace of their own', () => {
    const { plan, byShortName } = read(
      'crowd:\n  crew: {count: 120, in: Dock, contractor: Norte SL, pace: 1.2..1.6}\n',
    );
    const people = plan!.workers;
    expect(people).toHaveLength(120);
    expect(people[0]?.externalId).toBe('crew-001');
    expect(byShortName.get('crew')).toEqual(people.map(({ externalId }) => externalId));
    expect(new Set(people.map(({ watch }) => watch.serial)).size).toBe(120);
    expect(new Set(people.map(({ pace }) => pace)).size).toBeGreaterThan(10);
    for (const { pace, contractor, zone } of people) {
      expect(pace).toBeGreaterThanOrEqual(1.2);
      expect(pace).toBeLessThanOrEqual(1.6);
      expect([contractor, zone]).toEqual(['Norte SL', 'Dock']);
    }
  });

  test('keeps its first people when more join', () => {
    const crew = (count: number) => planOf(`crowd: {crew: {count: ${count}, in: Dock}}`).workers;
    expect(crew(30).slice(0, 20)).toEqual(crew(20));
  });
});

test('a vehicle has a driver, and a place where the file says one', () => {
  const text = `${workers('ana: {in: Dock, external_id: E-1}')}vehicles:\n  f1: {type: forklift, driver: ana}\n  f2: {at: [5, 6], pace: 4}\n`;
  expect(planOf(text).vehicles).toStrictEqual([
    { name: 'f1', type: 'forklift', driver: 'E-1' },
    { name: 'f2', type: 'f2', driver: null, at: [5, 6], pace: 4 },
  ]);
});

describe('a mistake about people', () => {
  test.each([
    ['an unknown zone', workers('ana: {in: Dokc}'), 'Dokc: "Dokc" is not a zone of "Test plant". Did you mean "Dock"?'],
    [
      'a zone like no other',
      workers('ana: {in: Heliport}'),
      'Heliport: "Heliport" is not a zone of "Test plant". Write Dock, Pit, Tower or Gate A.',
    ],
    ['nobody to be near', workers('ana: {}', 'bob: {near: anna}'), 'anna: "anna" is not a worker. Did you mean "ana"?'],
    [
      'near oneself',
      workers('ana: {near: ana}'),
      'ana: "ana" is near nobody else. Write "in" or "at" for one of them.',
    ],
    [
      'a circle',
      workers('ana: {near: bob}', 'bob: {near: ana}'),
      'ana: "bob" and "ana" wait for each other. Write "in" or "at" for one of them.',
    ],
    [
      'two places',
      workers('ana: {in: Dock, at: [1, 2]}'),
      'at: A worker begins in one place: "in", "at" or "near". Delete one.',
    ],
    [
      'a distance from nobody',
      workers('ana: {in: Dock, distance: 4m}'),
      'distance: "distance" is the distance from another worker: write "near" too, or delete it.',
    ],
    [
      'a distance in words',
      workers('ana: {}', 'bob: {near: ana, distance: far}'),
      'far: "far" is not a distance. Write 40m.',
    ],
    [
      'a floor that is not there',
      workers('ana: {in: Tower, floor: Topp}'),
      'Topp: "Topp" is not a floor of "Tower". Did you mean "Top"?',
    ],
    [
      'a floor in a yard',
      workers('ana: {in: Dock, floor: Top}'),
      'Top: "Dock" has no floors. Delete "floor", or write floors there.',
    ],
    [
      'an unknown word',
      workers('ana: {worn: yes}'),
      'yes: "yes" is not a state of the watch. Write on, off or unknown.',
    ],
    [
      'an unknown behaviour',
      workers('ana: {behave: pupet}'),
      'pupet: "pupet" is not a way to behave. Did you mean "puppet"?',
    ],
    ['an unknown key', workers('ana: {rol: Welder}'), 'rol: "rol" is not a key of a worker. Did you mean "role"?'],
    ['an overfull battery', workers('ana: {battery: 120}'), '120: 120 is out of range. Write 0 to 100.'],
    ['a pace of nothing', workers('ana: {pace: 0}'), '0: 0 is out of range. Write more than 0, at most 10.'],
    [
      'a pace in words',
      workers('ana: {pace: fast}'),
      'fast: "fast" is not a pace. Write 1.3, or 1.2..1.6 for a draw, in metres per second.',
    ],
    ['a number for an id', workers('ana: {external_id: 007}'), '007: A number is not a text. Put it in quotes: "007".'],
    [
      'an id twice',
      workers('ana: {}', 'bob: {external_id: ana}'),
      'ana: "ana" is the external id of "ana" already. Write another.',
    ],
    ['another site', workers('ana: {site: Elsewhere}'), 'Elsewhere: "Elsewhere" is not a site. Write Test plant.'],
    ['nobody at all', 'workers: none\n', 'none: "none" is not a map of workers. Write workers: [none].'],
    ['a crowd without a number', 'crowd: {crew: {in: Dock}}\n', 'crew: A crowd needs "count".'],
    ['a crowd of half a person', 'crowd: {crew: {count: 0.5}}\n', '0.5: 0.5 is not a whole number.'],
    [
      'a crowd with the name of a worker',
      `${workers('ana: {external_id: E-1}')}crowd: {ana: {count: 2}}\n`,
      'ana: "ana" is already a name in "workers". Write another.',
    ],
    [
      'an unknown driver',
      `${workers('bob: {}')}vehicles: {v: {driver: bobb}}\n`,
      'bobb: "bobb" is not a worker. Did you mean "bob"?',
    ],
    [
      'a vehicle in two places',
      'vehicles: {v: {at: [1, 2], in: Dock}}\n',
      'in: A vehicle is in one place: "at" or "in". Delete one.',
    ],
  ])('%s', (_, lines, message) => {
    expect(reported(lines)).toEqual([message]);
  });
});

test('a zone with a mistake of its own does not make the people in it wrong', () => {
  const text =
    PLANT.replace('box: [0, 0, 200, 120]', 'box: [0, 0, 200]') + workers('ana: {in: Dock}', 'bob: {near: ana}');
  expect(readSiteFile(text, 'x.yaml').mistakes.map(({ message }) => message)).toEqual([
    '[0, 0, 200] is not a box. Write [x1, y1, x2, y2], metres east and north of the origin.',
  ]);
});

describe('a file is taken with a warning when', () => {
  test.each([
    [
      'somebody begins where it raises an alert',
      workers('ana: {in: Pit}'),
      'Pit: "ana" begins in the restricted zone "Pit" without a permit, which raises an alert.',
    ],
    [
      'a crowd does',
      'crowd: {crew: {count: 2, in: Pit}}\n',
      'Pit: "crew" begins in the restricted zone "Pit" without a permit, which raises an alert.',
    ],
    [
      'a permit opens nothing',
      workers('ana: {in: Dock, permit: WP-9}'),
      'WP-9: "Dock" is neither restricted nor forbidden: the permit "WP-9" opens nothing.',
    ],
    [
      'somebody is too far out to be expected in a muster',
      workers('ana: {at: [900, 900]}'),
      '[900, 900]: [900, 900] is outside the site: a muster does not expect "ana" as long as they are there.',
    ],
  ])('%s', (_, lines, message) => {
    expect(reported(lines)).toEqual([]);
    expect(warned(lines)).toEqual([message]);
  });
});
