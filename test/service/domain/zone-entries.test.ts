import { describe, expect, test } from 'vitest';
import { SmallWorld, T0 } from './small-world.ts';

/** A restricted zone 60 m by 40 m and a forbidden one, both east of the dock. */
function guarded(): SmallWorld {
  const small = new SmallWorld();
  small.zone('Tank farm', 'restricted', [300, 0, 360, 40]);
  small.zone('Flare pad', 'forbidden', [400, 0, 460, 40]);
  small.zone('Cabinet', 'restricted', [500, 0, 504, 4]);
  return small;
}

const zoneId = (small: SmallWorld, name: string): string => {
  for (const zone of small.world.all('zone')) if (zone.name === name) return zone.id;
  throw new Error(name);
};

const inside = [330, 20] as const;
const outside = [330, 60] as const;

const entries = (small: SmallWorld) => small.alerts().filter(({ type }) => type.endsWith('zone_entry'));

function permit(small: SmallWorld, zone: string, part: { until?: number; reference?: string } = {}): string {
  small.do({
    type: 'open-permit',
    workerId: small.workerId(1),
    zoneId: zoneId(small, zone),
    until: part.until ?? null,
    reference: part.reference ?? 'WP-118',
  });
  return [...small.world.all('permit')].at(-1)?.id as string;
}

describe('entering a restricted zone', () => {
  test('is believed at the second fix running, and raises one alert of medium severity that names the zone', () => {
    const small = guarded();
    small.at(1, ...inside);
    expect(entries(small)).toEqual([]);
    small.now += 10_000;
    small.at(1, ...inside);
    expect(small.alert('restricted_zone_entry')).toMatchObject({
      severity: 'medium',
      zone: { name: 'Tank farm' },
      details: { zone_type: 'restricted', permit_reference: null },
      location: { masked: false },
      createdAt: T0 + 10_000,
    });
    expect(small.eventTypes()).toEqual(['alert.created']);
  });

  test.each([
    ['a fix outside between two inside', [inside, outside, inside]],
    ['two fixes that are not deeper inside than their uncertainty', [[330, 2] as const, [330, 2] as const]],
    ['fixes on the way past it', [[330, 43] as const, [345, 43] as const, [359, 43] as const]],
  ])('is not believed after %s', (_, path) => {
    const small = guarded();
    for (const [x, y] of path) small.at(1, x, y);
    expect(entries(small)).toEqual([]);
  });

  test.each([
    [19.9, 1],
    [20.1, 1],
    [null, 0],
  ])('with an uncertainty of %s m in the middle of 40 m raises %i alerts', (uncertaintyM, count) => {
    const small = guarded();
    small.at(1, ...inside, { uncertaintyM });
    small.at(1, ...inside, { uncertaintyM });
    expect(entries(small)).toHaveLength(count);
  });

  test('narrower than twice the uncertainty counts the point itself', () => {
    const small = guarded();
    small.at(1, 500.5, 0.5, { uncertaintyM: 5 });
    small.at(1, 500.5, 0.5, { uncertaintyM: 5 });
    expect(small.alert('restricted_zone_entry').zone).toMatchObject({ name: 'Cabinet' });
  });

  test('a fix of unknown uncertainty says nothing: it neither makes nor breaks two running', () => {
    const small = guarded();
    small.at(1, ...inside);
    small.at(1, ...outside, { uncertaintyM: null });
    small.at(1, ...inside);
    expect(entries(small)).toHaveLength(1);
  });

  test('two fixes of one message count as two running', () => {
    const small = guarded();
    const fixes = [small.fix(...inside), small.fix(...inside)].map((fix) => ({ ...fix, worn: true }));
    small.do({ type: 'report-position', deviceId: small.device(1), fixes });
    expect(entries(small)).toHaveLength(1);
  });

  test('fixes that are more than 5 min old move nobody, so they raise nothing', () => {
    const small = guarded();
    const at = small.now - 5 * 60_000 - 1;
    small.at(1, ...inside, { at });
    small.at(1, ...inside, { at });
    expect(entries(small)).toEqual([]);
  });

  test('with a permit in force for that zone raises nothing; a permit for another zone does not help', () => {
    const small = guarded();
    permit(small, 'Tank farm');
    small.at(1, ...inside);
    small.at(1, ...inside);
    expect(entries(small)).toEqual([]);
    small.at(1, 502, 2, { uncertaintyM: 1 });
    small.at(1, 502, 2, { uncertaintyM: 1 });
    expect(entries(small)).toHaveLength(1);
  });

  test('by somebody inactive, or with a watch out of service, raises nothing', () => {
    const small = guarded();
    small.do({ type: 'change-worker', workerId: small.workerId(1), isActive: false });
    small.do({ type: 'change-device', deviceId: small.device(2), status: 'maintenance' });
    for (const n of [1, 2]) for (let i = 0; i < 3; i++) small.at(n, ...inside);
    expect(entries(small)).toEqual([]);
  });
});

describe('staying inside', () => {
  test('raises no second alert, also after the first was resolved; going out and coming back does', () => {
    const small = guarded();
    for (let i = 0; i < 5; i++) small.at(1, ...inside);
    small.update(small.alert('restricted_zone_entry'), 'resolved');
    for (let i = 0; i < 5; i++) small.at(1, ...inside);
    expect(entries(small)).toHaveLength(1);
    small.at(1, ...outside);
    small.at(1, ...inside);
    small.at(1, ...inside);
    expect(entries(small).map(({ status }) => status)).toEqual(['resolved', 'unacknowledged']);
  });

  test('does not end on the border: who has left is outside by more than the uncertainty', () => {
    const small = guarded();
    small.at(1, ...inside);
    small.at(1, ...inside);
    small.update(small.alert('restricted_zone_entry'), 'resolved');
    small.at(1, 330, 42);
    small.at(1, ...inside);
    small.at(1, ...inside);
    expect(entries(small)).toHaveLength(1);
  });

  test('coming back while the alert is open adds a line to it', () => {
    const small = guarded();
    small.at(1, ...inside);
    small.at(1, ...inside);
    small.at(1, ...outside);
    small.at(1, ...inside);
    small.at(1, ...inside);
    expect(small.alert('restricted_zone_entry').timeline).toHaveLength(2);
  });

  test('in another zone at once has an alert of its own: one open alert per worker and zone', () => {
    const small = guarded();
    small.zone('Pump pit', 'restricted', [320, 10, 340, 30]);
    small.at(1, ...inside);
    small.at(1, ...inside);
    expect(
      entries(small)
        .map(({ zone }) => zone?.name)
        .sort(),
    ).toEqual(['Pump pit', 'Tank farm']);
    small.at(2, ...inside);
    small.at(2, ...inside);
    expect(entries(small)).toHaveLength(4);
  });
});

describe('a forbidden zone', () => {
  test.each([
    ['without a permit', null],
    ['with one, whose reference it tells', 'WP-118'],
  ])('raises an alert of high severity %s', (_, reference) => {
    const small = guarded();
    if (reference !== null) permit(small, 'Flare pad', { reference });
    small.at(1, 430, 20);
    small.at(1, 430, 20);
    expect(small.alert('forbidden_zone_entry')).toMatchObject({
      severity: 'high',
      zone: { name: 'Flare pad' },
      details: { zone_type: 'forbidden', permit_reference: reference },
    });
  });
});

describe('on an on-demand site', () => {
  test('an entry below the unveiling severity names its zone, and withholds the point', () => {
    const small = guarded();
    const site = small.world.need('site', '00000000-0000-4000-8000-000000000010');
    small.world.put('site', { ...site, privacyMode: 'on_demand', unveilMinSeverity: 'high' });
    small.at(1, ...inside);
    small.at(1, ...inside);
    expect(small.alert('restricted_zone_entry')).toMatchObject({
      zone: { name: 'Tank farm' },
      location: null,
      locationWithheld: true,
    });
  });
});

describe('a permit that ends', () => {
  const running = () => {
    const small = guarded();
    const permitId = permit(small, 'Tank farm', { until: T0 + 60_000 });
    small.at(1, ...inside);
    small.at(1, ...inside);
    return { small, permitId };
  };

  test.each([
    ['by time', 'expire-permit', 'permit_expired_inside'],
    ['by a person', 'close-permit', 'permit_closed_inside'],
  ] as const)('%s while its holder is inside is told with its reference', (_, type, alert) => {
    const { small, permitId } = running();
    if (type === 'expire-permit') small.now = T0 + 60_000;
    small.do({ type, permitId });
    expect(small.alert(alert)).toMatchObject({
      severity: 'medium',
      zone: { name: 'Tank farm' },
      details: { zone_type: 'restricted', permit_reference: 'WP-118' },
    });
    small.at(1, ...inside);
    small.at(1, ...inside);
    expect(entries(small)).toEqual([]);
  });

  test('while its holder is outside raises nothing, and the next entry is one without a permit', () => {
    const { small, permitId } = running();
    small.at(1, ...outside);
    small.do({ type: 'close-permit', permitId });
    expect(small.alerts()).toEqual([]);
    small.at(1, ...inside);
    small.at(1, ...inside);
    expect(entries(small)).toHaveLength(1);
  });

  test('is reported also while another permit for the zone is in force: it is of this one', () => {
    const { small, permitId } = running();
    permit(small, 'Tank farm', { reference: 'WP-119' });
    small.do({ type: 'close-permit', permitId });
    expect(small.alert('permit_closed_inside').details).toMatchObject({ permit_reference: 'WP-118' });
  });

  test('cannot be closed again', () => {
    const { small, permitId } = running();
    small.do({ type: 'close-permit', permitId });
    expect(small.do({ type: 'close-permit', permitId })).toMatchObject({ rejected: true, code: 'action_refused' });
    expect(small.alerts()).toHaveLength(1);
  });

  test('has one open alert of its own beside those of other permits', () => {
    const { small, permitId } = running();
    small.do({ type: 'close-permit', permitId });
    const second = permit(small, 'Tank farm', { reference: 'WP-120' });
    small.do({ type: 'close-permit', permitId: second });
    expect(small.alerts('permit_closed_inside').map(({ details }) => details)).toMatchObject([
      { permit_reference: 'WP-118' },
      { permit_reference: 'WP-120' },
    ]);
  });
});

describe('a permit', () => {
  test('opened without a reference gets the next number of the site', () => {
    const small = guarded();
    permit(small, 'Tank farm');
    const zone = zoneId(small, 'Flare pad');
    small.do({ type: 'open-permit', workerId: small.workerId(2), zoneId: zone, until: null });
    expect([...small.world.all('permit')].map(({ reference }) => reference)).toEqual(['WP-118', 'WP-119']);
  });

  test('opened again under its reference lasts until the new end', () => {
    const small = guarded();
    permit(small, 'Tank farm', { until: T0 + 1_000 });
    permit(small, 'Tank farm', { until: T0 + 9_000 });
    expect([...small.world.all('permit')]).toMatchObject([{ until: T0 + 9_000 }]);
  });

  test('a permit that would end before it begins is refused', () => {
    const small = guarded();
    const command = { type: 'open-permit', workerId: small.workerId(1), until: T0 } as const;
    expect(small.do({ ...command, zoneId: zoneId(small, 'Tank farm') })).toMatchObject({ code: 'action_refused' });
  });
});
