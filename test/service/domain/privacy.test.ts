/** What the veil and privacy zones let through of a position, and which zone is reported for a person. [spec 2 Location, Site, decisions 4] */
import { describe, expect, test } from 'vitest';
import { frame } from '../../../src/base/geometry/shapes.ts';
import {
  hidingZone,
  insideSite,
  pointOf,
  positionVisible,
  shownLocation,
  unveils,
  zoneAt,
  zonesOf,
} from '../../../src/service/domain/privacy/places.ts';
import { ORIGIN, SITE, SmallWorld, T0 } from './small-world.ts';

const MINUTE = 60_000;
const NORTH = '00000000-0000-4000-8000-000000000011';

/** The canteen, a privacy zone, is 30 m by 30 m from (270, 150); a hut is in it, and one half in it. */
function places(): SmallWorld {
  const small = new SmallWorld();
  small.zone('Hut', 'building', [280, 160, 284, 164]);
  small.zone('Quay', 'work_area', [0, 0, 50, 50]);
  small.zone('Annex', 'work_area', [290, 150, 330, 180]);
  return small;
}

const siteOf = (small: SmallWorld) => small.world.need('site', SITE);

describe('a position', () => {
  const [CENTRE_X, CENTRE_Y] = [285, 165];

  test.each([
    ['inside a privacy zone', [272, 152], 3, true],
    ['inside one, though its uncertainty is not known', [272, 152], null, true],
    ['outside, within its uncertainty of one to the west', [260.1, 165], 10, true],
    ['outside to the east', [309.9, 165], 10, true],
    ['outside to the south', [285, 140.1], 10, true],
    ['outside to the north', [285, 189.9], 10, true],
    ['outside by more than that to the west', [259.5, 165], 10, false],
    ['outside by more than that to the east', [310.5, 165], 10, false],
    ['outside by more than that to the south', [285, 139.5], 10, false],
    ['outside by more than that to the north', [285, 190.5], 10, false],
    ['outside past a corner, nearer than that along each side', [262, 142], 10, false],
    ['outside, though its uncertainty is not known', [269.9, 165], null, false],
  ] as const)('%s (%j, ±%s m) is masked: %s', (_words, [x, y], uncertaintyM, masked) => {
    const small = places();
    const fix = small.fix(x, y, {
      uncertaintyM,
      height: { heightM: 4, uncertaintyM: 1, building: 'Hut', floor: null },
      at: T0 - 5,
    });
    expect(hidingZone(small.world, siteOf(small), fix)?.name).toBe(masked ? 'Canteen' : undefined);
    const shown = shownLocation(small.world, siteOf(small), fix);
    const { latitude, longitude, source, height } = fix;
    const centre = frame(ORIGIN).toDegrees([CENTRE_X, CENTRE_Y]);
    expect(shown).toEqual(
      masked
        ? { ...centre, uncertaintyM: null, source: 'zone', masked: true, at: T0 - 5, height: null }
        : { latitude, longitude, uncertaintyM, source, masked: false, at: T0 - 5, height },
    );
  });

  test.each([
    ['the smallest zone that holds the point', [20, 20], 'Quay'],
    ['the larger one outside of the smaller', [100, 100], 'Dock'],
    ['the privacy zone before a smaller one in it', [282, 162], 'Canteen'],
    ['the privacy zone before one that it overlaps', [295, 165], 'Canteen'],
    ['the privacy zone within the uncertainty', [301, 165], 'Canteen'],
    ['the other zone further away', [320, 165], 'Annex'],
    ['none', [600, 600], null],
  ] as const)('is in %s at %j', (_words, [x, y], name) => {
    const small = places();
    expect(zoneAt(small.world, siteOf(small), small.fix(x, y))?.name ?? null).toBe(name);
  });

  test('is on the site inside of its boundary and on it', () => {
    const small = places();
    const on = (x: number, y: number) => insideSite(siteOf(small), small.fix(x, y));
    expect([on(-499, 0), on(999, 999), on(-501, 0), on(0, 1_001)]).toEqual([true, true, false, false]);
    const [x, y] = pointOf(siteOf(small), small.fix(123, -45));
    expect([x, y]).toEqual([expect.closeTo(123, 1), expect.closeTo(-45, 1)]);
    expect(zonesOf(small.world, SITE).map(({ name }) => name)).toEqual(['Annex', 'Canteen', 'Dock', 'Hut', 'Quay']);
  });
});

describe('the veil', () => {
  const veiled = () => new SmallWorld({ site: { privacyMode: 'on_demand', unveilMinSeverity: 'high' } });
  const visible = (small: SmallWorld) => positionVisible(small.world, siteOf(small), small.workerId(1), small.now);

  test.each([
    ['continuous', 'low', true],
    ['on_demand', 'medium', false],
    ['on_demand', 'high', true],
    ['on_demand', 'critical', true],
  ] as const)('%s is lifted by an alert of severity %s: %s', (privacyMode, severity, lifted) => {
    const small = new SmallWorld({ site: { privacyMode, unveilMinSeverity: 'high' } });
    expect(unveils(siteOf(small), severity)).toBe(lifted);
  });

  test.each<[string, (small: SmallWorld) => void, boolean]>([
    ['without cause', () => {}, false],
    [
      'with an open alert below the severity',
      (small) => small.do({ type: 'request-call', voiceNote: false, ...small.uplink(1) }),
      false,
    ],
    ['with an open alert at or above it', (small) => small.sos(1), true],
    [
      'with one that somebody took charge of',
      (small) => {
        small.sos(1);
        small.update(small.alert('sos'), 'acknowledged');
      },
      true,
    ],
    [
      'once it is resolved',
      (small) => {
        small.sos(1);
        small.update(small.alert('sos'), 'resolved');
      },
      false,
    ],
    ['with an alert of somebody else', (small) => small.sos(2), false],
    [
      'with an alert below the severity beside one at it',
      (small) => {
        small.sos(1);
        small.do({ type: 'request-call', voiceNote: false, ...small.uplink(1) });
      },
      true,
    ],
    [
      'on another site than the alert’s',
      (small) => {
        small.sos(1);
        const alert = small.alert('sos');
        small.world.put('alert', { ...alert, site: { id: NORTH, name: 'North' } });
      },
      false,
    ],
    [
      'with a request that was approved for somebody else',
      (small) => small.do({ type: 'unveil', workerId: small.workerId(2), by: 'Lead', until: T0 + MINUTE }),
      false,
    ],
  ])('shows or hides somebody %s', (_words, happens, shown) => {
    const small = veiled();
    happens(small);
    expect(visible(small)).toBe(shown);
  });

  test('is never down on a site that shows positions always', () => {
    expect(visible(new SmallWorld())).toBe(true);
  });

  test.each([
    ['somebody unknown', SITE, T0 + MINUTE, 'not_found'],
    ['a time that has passed', null, T0 - 1, 'action_refused'],
    ['no time at all', null, T0, 'action_refused'],
  ] as const)('is not lifted on request for %s', (_words, workerId, until, code) => {
    const small = veiled();
    const decision = small.do({ type: 'unveil', workerId: workerId ?? small.workerId(1), by: 'Lead', until });
    expect(decision).toMatchObject({ rejected: true, code });
    expect([visible(small), small.world.count('unveiling')]).toEqual([false, 0]);
  });
});
