/** Who is in which point and since when, fix by fix; what contradicts a declaration; and what the system recommends. [decisions 6] */
import { describe, expect, test } from 'vitest';
import { bearing, distance } from '../../../../src/base/geometry/shapes.ts';
import { idFrom } from '../../../../src/base/ids.ts';
import { isExpected, lastDue } from '../../../../src/service/domain/musters/count.ts';
import {
  exclusionOf,
  leastHeightM,
  mayChangeStays,
  staysAfter,
  validPoints,
} from '../../../../src/service/domain/musters/inside.ts';
import { recommended, serves, targetsOf } from '../../../../src/service/domain/musters/steer.ts';
import type { PointStay, Zone } from '../../../../src/service/domain/world/documents.ts';
import type { Fix } from '../../../../src/service/domain/world/embedded.ts';
import { SITE, T0 } from '../small-world.ts';
import { BY, MusterWorld } from './muster-world.ts';

const UNKNOWN = '00000000-0000-4000-8000-00000000ffff';
const siteOf = (small: MusterWorld) => small.world.need('site', SITE);

const uncertainBy3 = ([x, y]: readonly number[]) => [x!, y!, { uncertaintyM: 3 }] as const;

describe('a stay at a point', () => {
  type Where = readonly [x: number, y: number, part?: Partial<Fix>];

  /** Gate A is 40 m by 40 m from (300, 0); what is left, after fixes 5 s apart, of a stay that began there at T0. */
  const remaining = (fixes: readonly Where[], { inside = true, from = 10 } = {}) => {
    const small = new MusterWorld();
    let stays: PointStay[] = inside ? [{ pointId: small.pointId('Gate A'), since: T0 }] : [];
    for (const [n, [x, y, part]] of fixes.entries())
      stays = staysAfter(small.world, siteOf(small), stays, small.fix(x, y, part), T0 + (from + 5 * n) * 1_000);
    return stays.map(({ since }) => (since - T0) / 1_000);
  };

  test.each<[string, Where, readonly number[]]>([
    ['begins when the first fix arrives', [320, 20], [5]],
    ['begins by one that is uncertain by 50 m', [320, 20, { uncertaintyM: 50 }], [5]],
    ['begins by none that is worse', [320, 20, { uncertaintyM: 50.1 }], []],
    ['begins by none that does not know itself', [320, 20, { uncertaintyM: null }], []],
    ['does not begin outside', [341, 20], []],
  ])('%s', (_words, fix, since) => {
    expect(remaining([fix], { inside: false, from: 5 })).toEqual(since);
  });

  test.each<[string, readonly Where[], boolean]>([
    ['goes on by a fix inside', [[321, 21]], true],
    ['goes on by a fix that does not know itself', [[321, 21, { uncertaintyM: null }]], true],
    ['goes on by one fix outside within twice its uncertainty', [[346, 20, { uncertaintyM: 3 }]], true],
    ['ends by one fix outside beyond that', [[346.1, 20, { uncertaintyM: 3 }]], false],
    ['goes on by any number outside within their uncertainty', Array(9).fill([343, 20, { uncertaintyM: 3 }]), true],
    ['ends by two running beyond their uncertainty', Array(2).fill([343.1, 20, { uncertaintyM: 3 }]), false],
    [
      'goes on where one between them is inside',
      [
        [344, 20],
        [339, 20],
        [344, 20],
      ].map(uncertainBy3),
      true,
    ],
    [
      'goes on where one between them is uncertain',
      [
        [344, 20],
        [342, 20],
        [344, 20],
      ].map(uncertainBy3),
      true,
    ],
    ['goes on outside within a worse uncertainty', [[441, 20, { uncertaintyM: 51 }]], true],
    ['ends outside beyond twice that', [[443, 20, { uncertaintyM: 51 }]], false],
    ['goes on outside within 50 m of an unknown uncertainty', Array(9).fill([390, 20, { uncertaintyM: null }]), true],
    ['ends outside beyond that', [[390.1, 20, { uncertaintyM: null }]], false],
    ['ends outside by a fix that is exact', [[340.1, 20, { uncertaintyM: 0 }]], false],
  ])('of a person who has arrived %s', (_words, fixes, stays) => {
    expect(remaining(fixes)).toEqual(stays ? [0] : []);
  });

  test('begins anew with the next fix inside, where one outside comes before ten seconds are over', () => {
    expect(remaining([[341, 20]], { from: 9 })).toEqual([]);
    expect(
      remaining(
        [
          [341, 20],
          [339, 20],
        ].map(uncertainBy3),
        { from: 5 },
      ),
    ).toEqual([10]);
    expect(remaining([[341, 20, { uncertaintyM: null }]], { from: 5 })).toEqual([0]);
  });

  test('at a point that does not serve has no time of arrival: it ends as that of a person who has arrived', () => {
    const small = new MusterWorld();
    small.start();
    small.exclude('Gate A');
    const before = [{ pointId: small.pointId('Gate A'), since: T0 }];
    const stays = (x: number) => staysAfter(small.world, siteOf(small), before, small.fix(x, 20), T0 + 5_000);
    expect([stays(341).length, stays(390).length]).toEqual([1, 0]);
  });

  test('is of each point that holds the fix, and of no other zone', () => {
    const small = new MusterWorld();
    small.point('Gate B', [310, 10, 380, 60], ['general']);
    small.zone('Gate house', 'building', [300, 0, 340, 40]);
    const stays = (x: number, y: number) =>
      staysAfter(small.world, siteOf(small), [], small.fix(x, y), T0).map(
        ({ pointId }) => small.world.need('zone', pointId).name,
      );
    expect([stays(320, 20), stays(350, 50), stays(305, 5), stays(350, 20), stays(700, 700)]).toEqual([
      ['Gate A', 'Gate B'],
      ['Gate B'],
      ['Gate A'],
      ['Gate B'],
      [],
    ]);
  });

  test('may change by a fix in the bounds of a point, or while there is one', () => {
    const small = new MusterWorld();
    const may = (x: number, y: number, stays: { pointId: string; since: number }[] = []) =>
      mayChangeStays(small.world, siteOf(small), { stays }, small.fix(x, y));
    const around = [may(299, 20), may(341, 20), may(320, -1), may(320, 41), may(100, 60)];
    expect([may(301, 1), may(339, 39), ...around]).toEqual([true, true, false, false, false, false, false]);
    expect(may(100, 60, [{ pointId: 'x', since: T0 }])).toBe(true);
    expect(mayChangeStays(small.world, siteOf(small), { stays: undefined } as never, small.fix(100, 60))).toBe(false);
  });

  test('at a point that is no rectangle is within its border', () => {
    const small = new MusterWorld();
    const gate = small.zoneOf('Gate A');
    const ring: Zone['ring'] = [
      [300, 0],
      [340, 0],
      [300, 40],
    ];
    small.world.put('zone', { ...gate, ring });
    const inside = (x: number, y: number) =>
      staysAfter(small.world, siteOf(small), [], small.fix(x, y), T0).length === 1;
    expect([inside(305, 5), inside(335, 35)]).toEqual([true, false]);
  });

  const point = {
    serves: [],
    elevationM: null,
    elevationSource: null,
    vertical: true,
    capacity: null,
    minHeightM: null,
  };
  const floor = (heightM: number, refuge: boolean) => ({ name: `${heightM}`, heightM, refuge });

  test.each<[string, object, Zone['floors'], number | null]>([
    ['nothing where nothing is said', {}, [], null],
    ['nothing where no floor is a refuge', {}, [floor(4, false)], null],
    ['the lowest floor that is one', {}, [floor(4, false), floor(12, true), floor(8, true)], 8],
    ['what is said, before the floors', { minHeightM: 10 }, [floor(8, true)], 10],
    ['the ground, where that is said', { minHeightM: 0 }, [floor(8, true)], 0],
  ])('high enough is %s', (_words, part, floors, least) => {
    expect(leastHeightM({ ...new MusterWorld().zoneOf('Tower'), assemblyPoint: { ...point, ...part }, floors })).toBe(
      least,
    );
  });

  test.each<[string, boolean, number | null, boolean, (number | null)?]>([
    ['vertical, below its least height by more than 2 m', true, 7.9, false],
    ['vertical, below it by 2 m', true, 8, true],
    ['vertical, where the watch asserts no height', true, null, true],
    ['not vertical, whatever its least height', false, 0, true],
    ['vertical without a least height, below the ground', true, -3, true, null],
  ])('at a point that is %s follows from the height', (_words, vertical, heightM, inside, minHeightM = 10) => {
    const small = new MusterWorld();
    const tower = small.zoneOf('Tower');
    small.world.put('zone', { ...tower, assemblyPoint: { ...point, vertical, minHeightM } });
    const height = heightM === null ? null : { heightM, uncertaintyM: 1, building: null, floor: null };
    const fix = small.fix(425, 25, { height });
    expect(staysAfter(small.world, siteOf(small), [], fix, T0)).toHaveLength(inside ? 1 : 0);
  });

  /** The tower has its refuge at 10 m, and one floor above it that is not marked; least height as said, or that floor. */
  const heightStays = (
    heights: readonly (readonly [heightM: number, floor: string | null])[],
    { inside = false, minHeightM = null as number | null } = {},
  ) => {
    const small = new MusterWorld();
    const tower = small.zoneOf('Tower');
    const floors = [floor(4, false), floor(10, true), floor(14, false)];
    small.world.put('zone', { ...tower, assemblyPoint: { ...point, minHeightM }, floors });
    let stays: PointStay[] = inside ? [{ pointId: tower.id, since: T0 }] : [];
    for (const [n, [heightM, name]] of heights.entries()) {
      const height = { heightM, uncertaintyM: 0.7, building: null, floor: name };
      stays = staysAfter(small.world, siteOf(small), stays, small.fix(425, 25, { height }), T0 + 10_000 + n * 5_000);
    }
    return stays.length === 1;
  };

  test.each<[string, number, string | null, number | null, boolean]>([
    ['on the refuge floor, whatever the height', 5, '10', null, true],
    ['on a floor above it', 5, '14', null, true],
    ['on a floor below it', 7.9, '4', null, false],
    ['on a floor below it, high enough by height', 8, '4', null, true],
    ['on a floor that the site does not know', 7.9, 'Attic', null, false],
    ['on no floor, too low', 7.9, null, null, false],
    ['on the refuge floor, below a least height that is higher', 10, '10', 13, true],
  ])('at a vertical point begins or not %s', (_words, heightM, name, minHeightM, stays) => {
    expect(heightStays([[heightM, name]], { minHeightM })).toBe(stays);
  });

  test.each<[string, readonly number[], boolean]>([
    ['goes on too low by no more than twice the uncertainty', [6.6], true],
    ['ends too low by more', [6.5], false],
    ['goes on too low by no more than the uncertainty, any number of times', [7.3, 7.3, 7.3], true],
    ['ends too low by more, twice running', [7.2, 7.2], false],
    ['goes on where a fix between them is high enough', [7.2, 8, 7.2], true],
  ])('at a vertical point %s', (_words, heights, stays) => {
    expect(
      heightStays(
        heights.map((heightM) => [heightM, null]),
        { inside: true },
      ),
    ).toBe(stays);
  });
});

describe('targets', () => {
  test('are the points that serve the kind, by name; valid are those that are not excluded', () => {
    const small = new MusterWorld();
    const names = (kind: 'general' | 'tsunami') => targetsOf(small.world, SITE, kind).map(({ name }) => name);
    expect([names('general'), names('tsunami')]).toEqual([
      ['Gate A', 'Hill North'],
      ['Hill North', 'Tower'],
    ]);
    expect([serves(small.zoneOf('Dock'), 'general'), serves(small.zoneOf('Tower'), 'general')]).toEqual([false, false]);
    small.start();
    small.exclude('Gate A');
    const muster = small.muster();
    expect([...validPoints(muster)]).toEqual([small.pointId('Hill North')]);
    expect([
      exclusionOf(muster, small.pointId('Gate A'))?.by,
      exclusionOf(muster, small.pointId('Hill North')),
    ]).toEqual([BY, undefined]);
  });
});

describe('a count', () => {
  test.each([
    [0, 0],
    [4_999, 0],
    [5_000, 5_000],
    [12_345, 10_000],
    [-7_000, 0],
  ])('%i ms after the start is the one that was due after %i', (later, due) => {
    expect(lastDue({ ...new MusterWorld().start() }, T0 + later)).toBe(T0 + due);
  });

  test('expects who was last seen on the border of the site twelve hours ago, and no unknown watch', () => {
    const small = new MusterWorld();
    const worker = small.world.need('worker', small.workerId(1));
    const now = T0 + 12 * 3_600_000;
    const expects = (part: object, at = now) => isExpected(small.world, siteOf(small), { ...worker, ...part }, at);
    expect([expects({}), expects({}, now + 1), expects({ deviceId: UNKNOWN }), expects({ deviceId: null })]).toEqual([
      ...[true, false, false, false],
    ]);
    expect(expects({ isActive: false })).toBe(false);
  });

  test('goes on with who has left the register, or has no watch any more', () => {
    const small = new MusterWorld();
    small.start();
    small.world.remove('worker', small.workerId(1));
    const luis = small.world.need('worker', small.workerId(2));
    small.world.put('worker', { ...luis, deviceId: null });
    small.wait(5);
    // There is no contact with them since the service began, which is longer ago than 90 s.
    expect(small.figures()).toEqual({ expected: 3, no_signal: 2, pending: 1 });
    expect(small.muster().contractors).toEqual(['Norte SL']);
  });

  test('names contractors once, sorted', () => {
    const small = new MusterWorld();
    for (const [n, contractor] of [
      [7, 'Zeta'],
      [8, 'Alfa'],
      [9, 'Zeta'],
    ] as const) {
      small.worker(n, `Person ${n}`, contractor);
      small.at(n, 50, 50);
    }
    expect(small.start().contractors).toEqual(['Alfa', 'Norte SL', 'Zeta']);
  });

  test('keeps contractors up to date without an event where no figure changes', () => {
    const small = new MusterWorld();
    small.start();
    const reported = small.musterEvents().length;
    small.do({ type: 'change-worker', workerId: small.workerId(1), contractor: 'Sur SL' });
    small.wait(5);
    expect(small.muster().contractors).toEqual(['Norte SL', 'Sur SL']);
    small.do({ type: 'change-worker', workerId: small.workerId(1), contractor: 'Tar SL' });
    small.wait(5);
    expect(small.muster().contractors).toEqual(['Norte SL', 'Tar SL']);
    small.do({ type: 'change-worker', workerId: small.workerId(1), contractor: 'Este SL' });
    small.wait(5);
    // No figure changed, so the course has the start alone.
    expect(small.world.indexes.courseOfMuster.of(small.muster().id).values()).toMatchObject([
      { samples: { length: 1 } },
    ]);
    expect([small.muster().contractors, small.musterEvents().length]).toEqual([['Este SL', 'Norte SL'], reported]);
  });

  test.each<[string, (small: MusterWorld) => void, string, string | null]>([
    ['on the way into a point counts there with their call', (small) => small.goes(1, 'gate'), 'help', 'Gate A'],
    [
      'who declared at a wrong point, and was seen elsewhere',
      (small) => {
        small.declare(1, 'Tower');
        small.goes(1, 'nowhere');
      },
      'help',
      'Tower',
    ],
    [
      'who was marked where it is excluded now',
      (small) => {
        small.mark(1, 'Gate A');
        small.exclude('Gate A');
      },
      'help',
      'Gate A',
    ],
    ['who is nowhere', () => {}, 'help', null],
  ])('finds who calls for help and %s', (_words, happens, status, at) => {
    const small = new MusterWorld();
    small.start();
    small.help(1, 'trapped');
    happens(small);
    small.wait(5);
    const person = small.person(1);
    expect([person.status, person.helpReason, person.point && small.world.need('zone', person.point.id).name]).toEqual([
      status,
      'trapped',
      at,
    ]);
  });

  test('has who is in a good point and a wrong one at once as safe after ten seconds, and at the wrong one before', () => {
    const small = new MusterWorld();
    small.point('Gate B', [310, 10, 330, 30], ['tsunami']);
    small.start();
    small.goes(1, 'gate');
    small.wait(5);
    expect(small.person(1)).toMatchObject({
      status: 'wrong_point',
      point: { id: small.pointId('Gate B'), valid: false },
    });
    small.wait(5);
    expect(small.person(1)).toMatchObject({ status: 'safe', point: { id: small.pointId('Gate A'), valid: true } });
  });

  test('counts everybody at a point, and who is safe without one at none', () => {
    const small = new MusterWorld();
    small.start();
    for (const n of [1, 2]) small.goes(n, 'gate');
    small.mark(3);
    small.wait(10);
    expect(small.muster().safeAt).toEqual({ [small.pointId('Gate A')]: 2, [small.pointId('Hill North')]: 0 });
    expect(small.figures()).toEqual({ expected: 3, safe: 3 });
  });

  test('expects who does not wear the watch as well', () => {
    const small = new MusterWorld();
    small.start();
    for (const n of [1, 2]) {
      const fixes = [{ ...small.fix(100, 60), worn: false }];
      small.do({ type: 'report-position', deviceId: small.device(n), fixes });
    }
    small.wait(5);
    expect(small.figures()).toEqual({ expected: 3, not_worn: 2, pending: 1 });
  });

  test('knows at which point somebody is, and whether it is a good one, though their status stays', () => {
    const small = new MusterWorld();
    small.start();
    const at = () => small.person(1).point;
    const gate = small.pointId('Gate A');
    small.goes(1, 'gate');
    small.wait(5);
    expect([small.person(1).status, at()]).toEqual(['pending', { id: gate, valid: true }]);
    small.goes(1, 'nowhere');
    small.wait(5);
    expect([small.person(1).status, at()]).toEqual(['pending', null]);
    small.declare(1, 'Gate A');
    small.goes(1, 'nowhere');
    small.wait(5);
    small.exclude('Gate A');
    small.wait(5);
    expect([small.person(1).status, at()]).toEqual(['pending', { id: gate, valid: false }]);
  });

  test('writes nothing anew of who still calls for help, whether they have arrived or not', () => {
    const small = new MusterWorld();
    const { id } = small.start();
    for (const n of [1, 2]) small.help(n, 'trapped');
    small.goes(1, 'gate');
    small.wait(10);
    expect(small.person(1)).toMatchObject({ status: 'safe', helpReason: null });
    expect(small.person(2)).toMatchObject({ status: 'help', helpReason: 'trapped' });
    small.now += 5_000;
    expect(small.do({ type: 'count-muster', musterId: id })).toEqual({ changes: [] });
  });

  test('believes a position before a declaration, and a declaration before a mark', () => {
    const small = new MusterWorld();
    small.start();
    small.mark(1, 'Hill North');
    small.declare(1, 'Gate A');
    small.wait(5);
    expect(small.person(1).point?.id).toBe(small.pointId('Gate A'));
    small.goes(1, 'hill');
    small.wait(5);
    expect(small.person(1)).toMatchObject({ status: 'safe', point: { id: small.pointId('Hill North') } });
  });
});

describe('what a watch tells', () => {
  const unworn = (small: MusterWorld) => {
    small.world.put('device', { ...small.world.need('device', small.device(1)), workerId: null });
  };

  test('is dropped where nobody wears it', () => {
    const small = new MusterWorld();
    small.start();
    unworn(small);
    for (const decision of [small.help(1), small.declare(1, 'Gate A')])
      expect(decision).toMatchObject({ dropped: 'the watch has no worker', changes: [{ kind: 'uplink-heard' }] });
    small.at(1, 20, 20);
    expect(small.alerts()).toEqual([]);
  });

  test('of a point that is not there, or none, is dropped', () => {
    const small = new MusterWorld();
    small.start();
    const hill = small.zoneOf('Hill North');
    small.world.put('zone', { ...hill, siteId: UNKNOWN });
    for (const pointId of [UNKNOWN, hill.id, small.pointId('Dock')])
      expect(small.do({ type: 'declare-at-point', pointId, ...small.uplink(1) })).toMatchObject({
        dropped: 'the site has no such assembly point',
      });
    expect(small.person(1).declared).toBeNull();
  });

  test('of help answers its alert; the reason that is known stays', () => {
    const small = new MusterWorld();
    const { id } = small.start();
    const uplink = small.uplink(1);
    const first = small.do({ type: 'report-help', reason: 'helping', ...uplink });
    expect(first).toMatchObject({ alertId: idFrom('test', 'alert', 'evacuation_help', uplink.uplinkId) });
    small.now += 1_000;
    const decision = small.help(1, 'injured');
    const alert = small.alert('evacuation_help');
    expect(decision).toMatchObject({ alertId: alert.id });
    expect(alert).toMatchObject({ details: { reason: 'injured', muster_id: id }, modifiedAt: T0 + 1_000 });
    expect(alert.timeline.at(-1)).toMatchObject({ at: T0 + 1_000, what: 'Cannot evacuate: injured', by: 'Ana Ruiz' });
  });

  test.each([
    ['50 m from the edge', 250.1, false],
    ['further away', 249.9, true],
  ])('of a position %s is judged against the declaration', (_words, x, contradicted) => {
    const small = new MusterWorld();
    small.start();
    small.declare(1, 'Gate A');
    small.at(1, x, 20);
    expect(small.person(1).declared).toEqual({ pointId: small.pointId('Gate A'), at: T0, contradicted });
  });

  test('of a position contradicts nothing without a declaration, and anything where the point is gone', () => {
    const small = new MusterWorld();
    small.start();
    small.goes(1, 'nowhere');
    expect(small.person(1).declared).toBeNull();
    small.declare(1, 'Gate A');
    small.world.remove('zone', small.pointId('Gate A'));
    small.goes(1, 'gate');
    expect(small.person(1).declared?.contradicted).toBe(true);
  });

  test('is expected from now on where they are on the site; of another site never', () => {
    const small = new MusterWorld();
    small.worker(9, 'Nia Sol');
    small.worker(10, 'Far Off');
    small.start();
    small.at(9, 40, 40);
    small.at(10, 40, 40);
    small.world.put('worker', { ...small.world.need('worker', small.workerId(10)), siteId: UNKNOWN });
    expect(small.declare(9, 'Gate A')).not.toHaveProperty('dropped');
    expect(small.declare(10, 'Gate A')).toMatchObject({ dropped: 'the worker is not expected in the muster' });
  });
});

describe('an exclusion is recommended', () => {
  /** Hill North’s own point is at (625, 425). */
  const HILL = [625, 425] as const;
  const recommendedAt = (
    [x, y]: readonly [number, number],
    { radiusM = 10, fromDeg = 270, speedMs = 4, zone = null as string | null } = {},
  ) => {
    const small = new MusterWorld({ site: { wind: { fromDeg, speedMs } } });
    const { latitude, longitude } = small.fix(x, y);
    const ref = zone === null ? null : { id: zone === 'gone' ? UNKNOWN : small.pointId(zone), name: zone };
    const origin = { latitude, longitude, radiusM, label: null, zone: ref };
    return recommended(small.world, siteOf(small), { origin }, small.zoneOf('Hill North'));
  };

  test.each<[string, boolean, boolean]>([
    ['999 m straight downwind', recommendedAt([HILL[0] - 999, HILL[1]]), true],
    ['1,000 m and more', recommendedAt([HILL[0] - 1_000.1, HILL[1]]), false],
    ['44.9 degrees to the left', recommendedAt([HILL[0] - 500, HILL[1] - 499]), true],
    ['45.1 degrees to the left', recommendedAt([HILL[0] - 500, HILL[1] - 502]), false],
    ['44.9 degrees to the right', recommendedAt([HILL[0] - 500, HILL[1] + 499]), true],
    ['45.1 degrees to the right', recommendedAt([HILL[0] - 500, HILL[1] + 502]), false],
    ['by a breath of wind', recommendedAt([HILL[0] - 500, HILL[1]], { speedMs: 0.1 }), true],
    ['not by calm air', recommendedAt([HILL[0] - 500, HILL[1]], { speedMs: 0 }), false],
    ['across north, from the west of it', recommendedAt([HILL[0] + 100, HILL[1] - 500], { fromDeg: 170 }), true],
    ['across north, from the east of it', recommendedAt([HILL[0] - 100, HILL[1] - 500], { fromDeg: 190 }), true],
    ['by a north wind', recommendedAt([HILL[0], HILL[1] + 500], { fromDeg: 0 }), true],
    ['not against a north wind', recommendedAt([HILL[0], HILL[1] - 500], { fromDeg: 0 }), false],
    ['within the radius, upwind', recommendedAt([HILL[0] + 99, HILL[1]], { radiusM: 100 }), true],
    ['not beyond it, upwind', recommendedAt([HILL[0] + 101, HILL[1]], { radiusM: 100 }), false],
    [
      'within the radius from the edge of a zone',
      recommendedAt([100, 60], { zone: 'Dock', radiusM: 525, fromDeg: 90 }),
      true,
    ],
    ['not beyond it', recommendedAt([100, 60], { zone: 'Dock', radiusM: 520, fromDeg: 90 }), false],
    ['in the zone itself', recommendedAt([630, 430], { zone: 'Hill North', radiusM: 0, fromDeg: 90 }), true],
    [
      'from the point where the zone is gone',
      recommendedAt([HILL[0] + 99, HILL[1]], { zone: 'gone', radiusM: 100 }),
      true,
    ],
  ])('%s', (_words, is, expected) => {
    expect(is).toBe(expected);
  });

  test('by the wind as it is known, from a zone up to 1 km from its edge', () => {
    const small = new MusterWorld({ site: { wind: null } });
    const { latitude, longitude } = small.fix(100, 60);
    const dock = small.zoneOf('Dock');
    const origin = { latitude, longitude, radiusM: 10, label: null, zone: { id: dock.id, name: dock.name } };
    const hill = small.zoneOf('Hill North');
    const angle = bearing([100, 60], [...HILL]);
    const is = (wind: { fromDeg: number; speedMs: number } | null | undefined) =>
      recommended(small.world, { ...siteOf(small), wind } as never, { origin }, hill);
    expect([
      is(null),
      is(undefined),
      is({ fromDeg: angle + 180, speedMs: 1 }),
      is({ fromDeg: angle, speedMs: 1 }),
    ]).toEqual([...[false, false, true, false]]);
    expect(distance([200, 120], [...HILL])).toBeLessThan(1_000);
  });
});
