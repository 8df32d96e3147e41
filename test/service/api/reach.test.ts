/** No duration leads out of the years 0 to 9999, wherever one is accepted: found in the schemas, so new fields are covered. [decisions 1] */
import { describe, expect, test } from 'vitest';
import { parseInstant } from '../../../src/base/time/instants.ts';
import { ACTION_NAMES, ACTIONS, actionBody, actionExample } from '../../../src/contract/actions.ts';
import { Duration } from '../../../src/contract/shapes.ts';
import { RateLimiter } from '../../../src/service/api/access/limits.ts';
import { outOfReach } from '../../../src/service/api/requests/reach.ts';
import { allRoutes } from '../../../src/service/api/routes/all.ts';
import { type Place, placesOf, type Schema, withRaw } from '../../product/extremes.ts';
import { T0 } from '../domain/small-world.ts';

const isDuration = ({ pattern = '' }: Schema): boolean => pattern.includes('\\d{1,6}d)?');

/** Places where a duration may stand, alone or as one of several forms. */
const durationsIn = (schema: Schema): Place[] =>
  placesOf(schema).filter(({ schema: one }) => [one, ...(one.anyOf ?? [])].some(isDuration));

const bodies = [
  ...ACTION_NAMES.map((name) => [name, actionBody(name) as Schema, actionExample(name)] as const),
  ...allRoutes(new RateLimiter()).flatMap(({ method, path, body }) =>
    body === undefined ? [] : [[`${method} ${path}`, body as Schema, {}] as const],
  ),
];
const places = bodies.flatMap(([name, schema, base]) =>
  durationsIn(schema).map((place) => [name, `/${place.path.join('/')}`, schema, base, place] as const),
);

describe('a duration', () => {
  test('stands at as many places as the catalogue has', () => {
    expect(isDuration(Duration as Schema)).toBe(true);
    expect(places.map(([name, pointer]) => `${name} ${pointer}`)).toContain('hazard /eta');
    expect(places.length).toBeGreaterThanOrEqual(14);
    expect(Object.keys(ACTIONS).length).toBe(ACTION_NAMES.length);
  });

  test.each(
    places,
  )('of %s %s is refused where it leads too far, and taken where it does not', (_name, pointer, schema, base, {
    path,
  }) => {
    const refused = (raw: string, now: number) =>
      outOfReach(schema as never, JSON.parse(withRaw(base, path, JSON.stringify(raw))), now)
        .map((one) => one.pointer)
        .filter((one) => one === pointer);
    const tooFar = ['99999999h', '999999d999999999h999999999m999999999s999999999ms', '3000000d'];
    for (const duration of tooFar) expect(refused(duration, T0)).toEqual([pointer]);
    for (const duration of ['0s', '1h30m', '36500d']) expect(refused(duration, T0)).toEqual([]);
    // Exactly as far as can be written, and a millisecond further.
    const [first, last] = [
      parseInstant('0000-01-01T00:00:00Z') as number,
      parseInstant('9999-12-31T23:59:59.999Z') as number,
    ];
    const ends = [refused('1000ms', last - 1_000), refused('1001ms', last - 1_000)];
    const begins = [refused('1000ms', first + 1_000), refused('1001ms', first + 1_000)];
    // How long something has lasted leads back; everything else leads on.
    expect([ends, begins]).toEqual(
      pointer === '/sun'
        ? [
            [[], []],
            [[], [pointer]],
          ]
        : [
            [[], [pointer]],
            [[], []],
          ],
    );
  });

  test('with a minus sign leads back', () => {
    const schema = actionBody('device');
    const refused = (clock_skew: string) => outOfReach(schema, { action: 'device', who: 'W-1', clock_skew }, T0).length;
    expect([
      refused('-99999999h'),
      refused('-700000d'),
      refused('700000d'),
      refused('-800000d'),
      refused('3000000d'),
    ]).toEqual([1, 0, 0, 1, 1]);
  });

  test('beside a time is looked at, and the time itself is not one', () => {
    const schema = actionBody('hazard');
    const refused = (eta: string) => outOfReach(schema, { action: 'hazard', kind: 'earthquake', eta }, T0).length;
    expect([refused('9999-12-31T23:59:59.999Z'), refused('15m'), refused('3000000d')]).toEqual([0, 0, 1]);
  });
});
