/** Work permits and stays: in force until when, ended by whom, and what fixes on the border mean. [decisions 5] */
import { describe, expect, test } from 'vitest';
import { isInForce, permitDue, permitInForce } from '../../../../src/service/domain/zones/permits.ts';
import { addQuarry, QUARRY } from '../../api/second-company.ts';
import { SmallWorld, T0 } from '../small-world.ts';

const UNKNOWN = '00000000-0000-4000-8000-00000000ffff';

function guarded(): SmallWorld {
  const small = new SmallWorld();
  small.zone('Tank farm', 'restricted', [300, 0, 360, 40]);
  small.zone('Flare pad', 'forbidden', [400, 0, 460, 40]);
  return small;
}

const zoneId = (small: SmallWorld, name: string): string => {
  for (const zone of small.world.all('zone')) if (zone.name === name) return zone.id;
  throw new Error(name);
};

interface PermitFields {
  readonly n?: number;
  readonly zone?: string;
  readonly reference?: string;
  readonly until?: number | null;
}

const open = (small: SmallWorld, { n = 1, zone = 'Tank farm', until = null, ...rest }: PermitFields = {}) =>
  small.do({ type: 'open-permit', workerId: small.workerId(n), zoneId: zoneId(small, zone), until, ...rest });

const permits = (small: SmallWorld) => [...small.world.all('permit')];
const references = (small: SmallWorld) => permits(small).map(({ reference }) => reference);

describe('a permit', () => {
  const permit = { id: 'p', siteId: 's', workerId: 'w', zoneId: 'z', reference: 'WP-1', until: null, endedAt: null };

  test.each([
    ['without an end', {}, true, null],
    ['before its end', { until: T0 + 1 }, true, T0 + 1],
    ['at its end', { until: T0 }, false, T0],
    ['after its end', { until: T0 - 1 }, false, T0 - 1],
    ['after it was closed', { until: T0 + 1, endedAt: T0 - 5 }, false, null],
  ])('%s', (_words, part, inForce, due) => {
    expect([isInForce({ ...permit, ...part }, T0), permitDue({ ...permit, ...part })]).toEqual([inForce, due]);
  });

  test('is for one worker and one zone', () => {
    const small = guarded();
    open(small, { until: T0 + 1_000 });
    const inForce = (n: number, zone: string, now = T0) =>
      permitInForce(small.world, small.workerId(n), zoneId(small, zone), now)?.reference ?? null;
    expect(inForce(1, 'Tank farm')).toBe('WP-1');
    expect([inForce(2, 'Tank farm'), inForce(1, 'Flare pad'), inForce(1, 'Tank farm', T0 + 1_000)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('without a reference gets the number after the highest of its site', () => {
    const small = guarded();
    addQuarry(small);
    small.world.put('permit', { ...permit, siteId: QUARRY.site, reference: 'WP-900' });
    open(small);
    open(small, { n: 2, reference: 'HOT/12/7' });
    open(small, { n: 2, reference: '99 bottles' });
    open(small, { n: 3, reference: 'WP-3' });
    open(small);
    expect(references(small).slice(1)).toEqual(['WP-1', 'HOT/12/7', '99 bottles', 'WP-3', 'WP-8']);
  });

  test('opened again goes on only for the same worker, zone and reference, and while it is in force', () => {
    const small = guarded();
    open(small, { reference: 'WP-5', until: T0 + 1_000 });
    open(small, { n: 2, reference: 'WP-5' });
    open(small, { zone: 'Flare pad', reference: 'WP-5' });
    open(small, { reference: 'WP-6' });
    expect(permits(small)).toHaveLength(4);
    small.now += 1_000;
    open(small, { reference: 'WP-5' });
    expect(permits(small).map(({ until, endedAt }) => [until, endedAt])).toEqual([
      [T0 + 1_000, null],
      ...Array.from({ length: 4 }, () => [null, null]),
    ]);
    open(small, { reference: 'WP-5', until: small.now + 60_000 });
    expect(permits(small)).toHaveLength(5);
    expect(permits(small).at(-1)?.until).toBe(small.now + 60_000);
  });

  test('is refused for who or what is not there, on another site, or in the past', () => {
    const small = guarded();
    addQuarry(small);
    const ask = (workerId: string, zone: string, until: number | null = null) =>
      small.do({ type: 'open-permit', workerId, zoneId: zone, until });
    const farm = zoneId(small, 'Tank farm');
    expect(ask(UNKNOWN, farm)).toMatchObject({ code: 'not_found' });
    expect(ask(small.workerId(1), UNKNOWN)).toMatchObject({ code: 'not_found' });
    expect(ask(small.workerId(1), QUARRY.zone)).toMatchObject({ code: 'action_refused' });
    expect(ask(small.workerId(1), farm, T0)).toMatchObject({ code: 'action_refused' });
    expect(ask(small.workerId(1), farm, T0 + 1)).toMatchObject({ permitId: permits(small)[0]?.id });
  });

  test('ends once', () => {
    const small = guarded();
    open(small, { until: T0 + 1_000 });
    const permitId = permits(small)[0]?.id as string;
    expect(small.do({ type: 'close-permit', permitId: UNKNOWN })).toMatchObject({ code: 'not_found' });
    expect(small.do({ type: 'expire-permit', permitId: UNKNOWN })).toMatchObject({ code: 'action_refused' });
    small.now += 1_000;
    expect(small.do({ type: 'close-permit', permitId })).toMatchObject({ code: 'action_refused' });
    expect(small.do({ type: 'expire-permit', permitId })).toMatchObject({ permitId });
    expect(permits(small)[0]?.endedAt).toBe(T0 + 1_000);
    expect(small.do({ type: 'expire-permit', permitId })).toMatchObject({ code: 'action_refused' });
    expect(small.alerts()).toEqual([]);
  });

  test.each<[string, (small: SmallWorld) => void, number]>([
    ['is inside', () => {}, 1],
    ['has left the plant', (small) => small.world.remove('worker', small.workerId(1)), 0],
    [
      'has no watch any more',
      (small) => {
        small.world.put('worker', { ...small.world.need('worker', small.workerId(1)), deviceId: null });
      },
      0,
    ],
    ['was in a zone that is gone', (small) => small.world.remove('zone', zoneId(small, 'Tank farm')), 0],
    [
      'was in a zone that is guarded no more',
      (small) => {
        const zone = small.world.need('zone', zoneId(small, 'Tank farm'));
        small.world.put('zone', { ...zone, type: 'work_area' });
      },
      0,
    ],
  ])('a closed permit is an alert only while its holder is inside; here the holder %s', (_words, happens, alerts) => {
    const small = guarded();
    open(small);
    for (let fixes = 0; fixes < 2; fixes++) small.at(1, 330, 20);
    expect(small.alerts()).toEqual([]);
    happens(small);
    const permitId = permits(small)[0]?.id as string;
    expect(small.do({ type: 'close-permit', permitId })).toMatchObject({ permitId });
    expect(permits(small)[0]?.endedAt).toBe(T0);
    expect(small.alerts('permit_closed_inside')).toHaveLength(alerts);
  });
});

describe('a stay', () => {
  const stays = (small: SmallWorld) => [...small.world.all('stay')];

  /** The zone is 40 m wide from y = 0; a fix knows itself by 4 m. */
  const at = (small: SmallWorld, y: number, uncertaintyM: number | null = 4) => small.at(1, 330, y, { uncertaintyM });

  test('begins with the second fix by at least the uncertainty inside, and says so with the first entry', () => {
    const small = guarded();
    for (const y of [3.9, 3.9, 4.1]) at(small, y);
    expect(stays(small)).toEqual([]);
    small.now += 1_000;
    at(small, 4.1);
    const [deviceId, zone] = [small.device(1), zoneId(small, 'Tank farm')];
    expect(stays(small)).toEqual([{ id: `${deviceId}/${zone}`, deviceId, zoneId: zone, since: T0 + 1_000 }]);
    expect(small.world.telemetry(deviceId).entering).toEqual([]);
  });

  test.each([
    ['on the border', [0], 4, true],
    ['outside within the uncertainty', [-3.9], 4, true],
    ['outside beyond it', [-4.1], 4, false],
    ['outside by a fix that does not know itself', [-60], null, true],
    ['outside by a fix that knows itself worse than the zone is wide', [-0.1], 21, false],
    ['inside by such a fix', [0.1], 21, true],
  ] as const)('with a fix %s goes on: %s', (_words, [y], uncertaintyM, goesOn) => {
    const small = guarded();
    for (const inside of [20, 20]) at(small, inside);
    at(small, y, uncertaintyM);
    expect(stays(small)).toHaveLength(goesOn ? 1 : 0);
  });

  test.each([
    ['half as wide as twice the uncertainty: the point itself', 20.1, 1],
    ['just as wide as twice the uncertainty: the uncertainty', 20, 0],
  ])('in a zone %s', (_words, uncertaintyM, count) => {
    const small = guarded();
    for (const y of [5, 5]) at(small, y, uncertaintyM);
    expect(stays(small)).toHaveLength(count);
  });

  test('in a zone that is gone ends with the next fix', () => {
    const small = guarded();
    for (const y of [20, 20]) at(small, y);
    small.world.remove('zone', zoneId(small, 'Tank farm'));
    at(small, 20);
    expect(stays(small)).toEqual([]);
  });

  test('a stay that ends and begins again in one message has one alert with a line for each entry, and one event', () => {
    const small = guarded();
    const fixes = [20, 20, 60, 20, 20, 60, 20, 20].map((y) => ({ ...small.fix(330, y), worn: true }));
    const report = () => small.do({ type: 'report-position', deviceId: small.device(1), fixes });
    report();
    expect(small.alert('restricted_zone_entry').timeline).toHaveLength(3);
    at(small, 60);
    report();
    expect(small.alert('restricted_zone_entry').timeline).toHaveLength(6);
    expect([small.eventTypes(), stays(small).length]).toEqual([['alert.created'], 1]);
  });

  test('in two zones after each other in one message is an alert of each', () => {
    const small = guarded();
    const fixes = [330, 330, 430, 430, 330, 330].map((x) => ({ ...small.fix(x, 20), worn: true }));
    small.do({ type: 'report-position', deviceId: small.device(1), fixes });
    expect(small.alerts().map(({ type, timeline }) => [type, timeline.map(({ what }) => what)])).toEqual([
      ['restricted_zone_entry', ['Entered Tank farm', 'Entered Tank farm']],
      ['forbidden_zone_entry', ['Entered Flare pad']],
    ]);
  });
});
