/** The count: one status for everybody, the first that holds; the sum is always `expected`. [decisions 6] */
import { describe, expect, test } from 'vitest';
import { SITE } from '../small-world.ts';
import { AT, MusterWorld } from './muster-world.ts';

/** Worker 1 in a general muster, after what happened; the others stay pending. */
function counted(happens: (small: MusterWorld) => void): { small: MusterWorld; status: string; at: string | null } {
  const small = new MusterWorld();
  small.start();
  happens(small);
  const { status, point } = small.person(1);
  return { small, status, at: point === null ? null : small.world.need('zone', point.id).name };
}

const HOUR = 3_600_000;

describe('safe', () => {
  test.each<[string, (small: MusterWorld) => void]>([
    [
      'inside a point for 10 s',
      (small) => {
        small.goes(1, 'gate');
        small.wait(10);
      },
    ],
    [
      'inside for 10 s by a fix that is uncertain by 50 m',
      (small) => {
        small.goes(1, 'gate', { uncertaintyM: 50 });
        small.wait(10);
      },
    ],
    [
      'declared there, wherever they were seen before',
      (small) => {
        small.declare(1, 'Gate A');
        small.wait(5);
      },
    ],
    [
      'declared there and seen within 50 m of its edge since',
      (small) => {
        small.declare(1, 'Gate A');
        small.at(1, 250.1, 20);
        small.wait(5);
      },
    ],
    [
      'there already when the muster began',
      (small) => {
        small.end();
        small.goes(1, 'gate');
        small.now += 10_000;
        small.start();
      },
    ],
    [
      'at the point and silent since: the last fix does not age',
      (small) => {
        small.goes(1, 'gate');
        small.wait(3_600);
      },
    ],
    [
      'at the point although they cannot evacuate, as they said before',
      (small) => {
        small.help(1, 'trapped');
        small.goes(1, 'gate');
        small.wait(10);
      },
    ],
    [
      'at the point with the watch in the pocket',
      (small) => {
        small.do({
          type: 'report-position',
          deviceId: small.device(1),
          fixes: [{ ...small.fix(...AT.gate), worn: false }],
        });
        small.wait(10);
      },
    ],
    [
      'marked there by the control room',
      (small) => {
        small.mark(1, 'Gate A');
        small.wait(5);
      },
    ],
    [
      'while a fix that tells too little says they are a little outside',
      (small) => {
        small.goes(1, 'gate');
        small.wait(10);
        small.at(1, 360, 20, { uncertaintyM: 60 });
        small.wait(5);
      },
    ],
  ])('is who is %s', (_words, happens) => {
    const { small, status, at } = counted(happens);
    expect([status, at]).toEqual(['safe', 'Gate A']);
    expect(small.shown().totals).toMatchObject({ safe: 1 });
    expect(small.shown().assembly_points[0]).toMatchObject({ name: 'Gate A', count: 1 });
  });

  test('is who is marked without a point, at no point', () => {
    const { small, status, at } = counted((world) => {
      world.mark(1);
      world.wait(5);
    });
    expect([status, at]).toEqual(['safe', null]);
    expect(small.shown().totals).toMatchObject({ safe: 1, pending: 2 });
    expect(small.shown().assembly_points.map(({ count }) => count)).toEqual([0, 0]);
  });

  test('is nobody who is marked before the next count', () => {
    const { small, status } = counted((world) => world.mark(1));
    expect([status, small.shown().totals.safe]).toEqual(['pending', 0]);
  });

  test('needs ten seconds inside, from the arrival of the first fix', () => {
    const small = new MusterWorld();
    small.start();
    small.wait(300);
    // The watch is four minutes slow: that makes nobody safe sooner.
    small.goes(1, 'gate', { at: small.now - 240_000 });
    small.wait(9.999);
    expect(small.person(1)).toMatchObject({ status: 'pending', point: { valid: true } });
    small.wait(5);
    expect(small.person(1).status).toBe('safe');
  });

  test('begins anew for who left and came back', () => {
    const small = new MusterWorld();
    small.start();
    small.goes(1, 'gate');
    small.wait(9);
    small.goes(1, 'nowhere');
    small.goes(1, 'gate');
    small.wait(6);
    expect(small.person(1).status).toBe('pending');
    small.wait(5);
    expect(small.person(1).status).toBe('safe');
  });

  test.each([
    ['of unknown uncertainty', null],
    ['uncertain by 51 m', 51],
  ])('is nobody by fixes %s', (_words, uncertaintyM) => {
    const { status } = counted((small) => {
      small.goes(1, 'gate', { uncertaintyM });
      small.wait(30);
    });
    expect(status).toBe('pending');
  });

  test('ends when they leave the point, and not when the watch only guesses', () => {
    const { small } = counted((world) => {
      world.goes(1, 'gate');
      world.wait(10);
    });
    small.goes(1, 'nowhere', { uncertaintyM: 400 });
    small.wait(5);
    expect(small.person(1).status).toBe('safe');
    small.at(1, 251, 20, { uncertaintyM: null });
    small.wait(5);
    expect(small.person(1).status).toBe('safe');
    small.at(1, 249, 20, { uncertaintyM: null });
    small.wait(5);
    expect(small.person(1).status).toBe('pending');
  });

  test('ends when a newer position says against what they declared, for good', () => {
    const { small } = counted((world) => {
      world.declare(1, 'Gate A');
      world.wait(5);
      world.at(1, 249.9, 20);
      world.at(1, 260, 20);
      world.wait(5);
    });
    expect(small.person(1)).toMatchObject({ status: 'pending', declared: { contradicted: true } });
    small.declare(1, 'Gate A');
    small.wait(5);
    expect(small.person(1).status).toBe('safe');
  });

  test('is not ended by an old position that arrives late', () => {
    const { status } = counted((small) => {
      small.now += 600_000;
      small.declare(1, 'Gate A');
      small.goes(1, 'nowhere', { at: small.now - 300_001 });
      small.wait(5);
    });
    expect(status).toBe('safe');
  });
});

describe('a vertical point', () => {
  const tsunami = (height: number | null, floors = false): MusterWorld => {
    const small = new MusterWorld();
    if (floors) {
      const tower = small.zoneOf('Tower');
      const floor = (name: string, heightM: number, refuge: boolean) => ({ name, heightM, refuge });
      small.world.put('zone', {
        ...tower,
        assemblyPoint: { ...(tower.assemblyPoint as NonNullable<typeof tower.assemblyPoint>), minHeightM: null },
        floors: [floor('ground', 0, false), floor('2', 8, true), floor('3', 12, true)],
      });
    }
    small.start({ kind: 'tsunami' });
    const asserted = { heightM: height ?? 0, uncertaintyM: 2, building: 'Tower', floor: null };
    small.goes(1, 'tower', { height: height === null ? null : asserted });
    small.wait(10);
    return small;
  };

  test.each([
    ['2 m below its least height', 8, false, 'safe'],
    ['below that', 7.9, false, 'pending'],
    ['2 m below the lowest floor that is a refuge, where no height is given', 6, true, 'safe'],
    ['below that floor', 5.9, true, 'pending'],
    ['with no asserted height: inside counts', null, false, 'safe'],
  ] as const)('serves who is %s', (_words, height, floors, status) => {
    expect(tsunami(height, floors).person(1).status).toBe(status);
  });
});

describe('the others', () => {
  const silent = (small: MusterWorld) => small.wait(95);

  test.each<[string, (small: MusterWorld) => void, string, string | null]>([
    [
      'help',
      (small) => {
        small.help(1, 'injured');
        small.wait(5);
      },
      'help',
      null,
    ],
    [
      'help before a wrong point',
      (small) => {
        small.exclude('Gate A');
        small.goes(1, 'gate');
        small.help(1);
        small.wait(15);
      },
      'help',
      'Gate A',
    ],
    [
      'no help once the alert is resolved',
      (small) => {
        small.help(1);
        small.wait(5);
        small.update(small.alert('evacuation_help'), 'resolved');
        small.wait(5);
      },
      'pending',
      null,
    ],
    [
      'wrong_point inside a point that does not serve, at once',
      (small) => {
        small.goes(1, 'tower');
        small.wait(5);
      },
      'wrong_point',
      'Tower',
    ],
    [
      'wrong_point inside an excluded point',
      (small) => {
        small.goes(1, 'gate');
        small.wait(10);
        small.exclude('Gate A');
        small.wait(5);
      },
      'wrong_point',
      'Gate A',
    ],
    [
      'wrong_point declared at one that does not serve',
      (small) => {
        small.declare(1, 'Tower');
        small.wait(5);
      },
      'wrong_point',
      'Tower',
    ],
    [
      'wrong_point before not worn and silent',
      (small) => {
        small.goes(1, 'tower');
        silent(small);
      },
      'wrong_point',
      'Tower',
    ],
    [
      'wrong_point marked at a point that was excluded since',
      (small) => {
        small.mark(1, 'Gate A');
        small.exclude('Gate A');
        small.wait(5);
      },
      'wrong_point',
      'Gate A',
    ],
    [
      'not_worn before no_signal',
      (small) => {
        const fixes = [{ ...small.fix(...AT.nowhere), worn: false }];
        small.do({ type: 'report-position', deviceId: small.device(1), fixes });
        silent(small);
      },
      'not_worn',
      null,
    ],
    ['no_signal after 90 s without contact', silent, 'no_signal', null],
    ['pending up to then', (small) => small.wait(85), 'pending', null],
  ])('are %s', (_words, happens, status, at) => {
    const found = counted(happens);
    expect([found.status, found.at]).toEqual([status, at]);
  });

  test('a point is valid in the list where it was at the count', () => {
    const { small } = counted((world) => {
      world.goes(1, 'tower');
      world.wait(5);
    });
    expect(small.person(1).point).toEqual({ id: small.pointId('Tower'), valid: false });
    small.begin('tsunami');
    expect(small.person(1).point).toEqual({ id: small.pointId('Tower'), valid: true });
  });

  test('silence counts from the start of the service, where that is later', () => {
    const small = new MusterWorld();
    small.start();
    small.serviceStartedAt = small.now + 60_000;
    small.wait(145);
    expect(small.figures()).toEqual({ expected: 3, pending: 3 });
    small.wait(5);
    expect(small.figures()).toEqual({ expected: 3, no_signal: 3 });
  });
});

describe('expected', () => {
  test.each<[string, (small: MusterWorld) => void, number]>([
    ['those whose last position was inside the site', () => {}, 3],
    ['nobody who was never seen', (small) => small.worker(9, 'Nia Sol'), 3],
    ['nobody last seen outside', (small) => small.at(1, 5_000, 5_000), 2],
    [
      'nobody who was last seen more than 12 h ago',
      (small) => {
        small.now += 12 * HOUR + 1;
        small.at(1, 20, 20);
      },
      1,
    ],
    [
      'those seen exactly 12 h ago',
      (small) => {
        small.now += 12 * HOUR;
      },
      3,
    ],
    [
      'nobody who is not active',
      (small) => {
        const worker = small.world.need('worker', small.workerId(1));
        small.world.put('worker', { ...worker, isActive: false });
      },
      2,
    ],
    [
      'nobody whose watch is out of service',
      (small) => {
        const device = small.world.need('device', small.device(1));
        small.world.put('device', { ...device, status: 'maintenance' });
      },
      2,
    ],
    [
      'nobody without a watch',
      (small) => {
        const worker = small.world.need('worker', small.workerId(1));
        small.world.put('worker', { ...worker, deviceId: null });
      },
      2,
    ],
  ])('are %s', (_words, happens, expected) => {
    const small = new MusterWorld();
    happens(small);
    small.start();
    expect(small.shown().totals.expected).toBe(expected);
  });

  test('are also those who come in later, from the next count on', () => {
    const small = new MusterWorld();
    small.worker(9, 'Nia Sol', 'Sur SL');
    small.start();
    small.now += 1;
    small.at(9, 40, 40);
    expect(small.shown().totals.expected).toBe(3);
    small.wait(5);
    expect(small.shown().totals.expected).toBe(4);
    expect(small.muster().contractors).toEqual(['Norte SL', 'Sur SL']);
  });

  test('are also those who leave the site', () => {
    const small = new MusterWorld();
    small.start();
    small.at(1, 5_000, 5_000);
    small.wait(5);
    expect(small.figures()).toEqual({ expected: 3, pending: 3 });
  });

  test('says nothing of who spoke before the count that takes them in', () => {
    const small = new MusterWorld();
    small.worker(9, 'Nia Sol');
    small.start();
    small.at(9, 40, 40);
    small.declare(9, 'Gate A');
    expect(small.shown().totals.expected).toBe(3);
    small.wait(5);
    expect(small.figures()).toEqual({ expected: 4, safe: 1, pending: 3 });
    small.worker(10, 'Off Site');
    expect(small.declare(10, 'Gate A')).toMatchObject({ dropped: 'the worker is not expected in the muster' });
    expect(small.declare(9, 'Dock')).toMatchObject({ dropped: 'the site has no such assembly point' });
  });
});

describe('a count', () => {
  test('a count that changes nothing writes nothing and publishes nothing', () => {
    const small = new MusterWorld();
    const { id } = small.start();
    small.now += 5_000;
    const before = [small.effects.length, small.events.length];
    expect(small.do({ type: 'count-muster', musterId: id })).toEqual({ changes: [] });
    expect([small.effects.length, small.events.length]).toEqual(before);
  });

  test('writes only those of whom it says something new', () => {
    const small = new MusterWorld();
    const { id } = small.start();
    small.help(1);
    small.now += 5_000;
    const decision = small.do({ type: 'count-muster', musterId: id });
    expect(decision).toMatchObject({
      changes: [{ kind: 'muster-changed', people: [{ workerId: small.workerId(1) }] }, { kind: 'course-drawn' }],
    });
  });

  test('in which one leaves a point and another comes to it is no news, and is kept all the same', () => {
    const small = new MusterWorld();
    small.start();
    small.declare(1, 'Gate A');
    small.wait(5);
    const reported = small.musterEvents().length;
    small.goes(1, 'nowhere');
    small.declare(2, 'Gate A');
    small.wait(5);
    expect([small.person(1).status, small.person(2).status]).toEqual(['pending', 'safe']);
    expect(small.musterEvents()).toHaveLength(reported);
  });

  test('tells of another point, though the totals are the same', () => {
    const small = new MusterWorld();
    small.start();
    small.declare(1, 'Gate A');
    small.wait(5);
    small.declare(1, 'Hill North');
    small.wait(5);
    expect(small.musterEvents()).toEqual(['muster.started', 'muster.updated', 'muster.updated']);
    expect(small.shown().assembly_points.map(({ count }) => count)).toEqual([0, 1]);
  });

  test('is dated when it was due, also where it is late', () => {
    const small = new MusterWorld();
    const { id } = small.start();
    small.help(1);
    small.now += 12_345;
    small.do({ type: 'count-muster', musterId: id });
    expect(small.lastEvent()).toMatchObject({ type: 'muster.updated', created_at: '2026-10-05T06:00:10.000Z' });
  });

  test('belongs to one site: another has its own people', () => {
    const small = new MusterWorld();
    const other = '00000000-0000-4000-8000-000000000011';
    small.world.put('site', { ...small.world.need('site', SITE), id: other, name: 'Quarry' });
    const worker = small.world.need('worker', small.workerId(3));
    small.world.put('worker', { ...worker, siteId: other });
    small.start();
    expect(small.shown().totals.expected).toBe(2);
  });
});
