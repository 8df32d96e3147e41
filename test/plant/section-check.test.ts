/** The sentences and the compiled check are two readings of one schema. */
import { expect, test } from 'vitest';
import { check } from '../../src/contract/check.ts';
import { checkSection, didYouMean, placeIn } from '../../src/plant/mistakes.ts';
import { SiteFileSchema } from '../../src/plant/site-schema.ts';

const SITE = { name: 'X', origin: [1, 2], zones: { A: { type: 'building', box: [0, 0, 1, 1] } } };
const FILES: unknown[] = [
  { part: 'X', site: SITE },
  { part: 'X', site: { ...SITE, location: null, boundary: [0, 0, 9, 9] } },
  {
    part: 'X',
    site: {
      ...SITE,
      boundary: [
        [0, 0],
        [9, 0],
        [9, 9],
      ],
    },
    workers: { a: { pace: '1..2', distance: 4 } },
  },
  { part: 'X', site: SITE, contract: { scopes: 'all', contractors: null }, crowd: { c: { count: 3 } } },
  { part: 'X', site: SITE, contract: { scopes: ['alerts:read'] }, service: { fall_prompt: '1m30s' } },
  null,
  [],
  {},
  { part: 'X' },
  { part: ' ', site: SITE },
  { part: 'X', site: { ...SITE, boundary: [0, 0, 9] } },
  { part: 'X', site: { ...SITE, zones: { A: { type: 'shed', box: [0, 0, 1, 1] } } } },
  { part: 'X', site: { ...SITE, zones: { A: { type: 'building', box: [0, 0, 1, '1'] } } } },
  { part: 'X', site: SITE, workers: { a: { pace: 'fast' } } },
  { part: 'X', site: SITE, workers: { a: { distance: '4 miles' } } },
  { part: 'X', site: SITE, contract: { scopes: 'some' } },
  { part: 'X', site: SITE, crowd: { c: { count: 1.5 } } },
  { part: 'X', site: SITE, service: { fall_prompt: '90' } },
  { part: 'X', site: SITE, service: { heat: { index_c: 900 } } },
  { part: 'X', site: SITE, extra: 1 },
];

test('what one of them refuses the other refuses too', () => {
  const silent = { mistake: () => {}, warning: () => {} };
  const outcomes = FILES.map((file) => {
    let mistakes = 0;
    checkSection(SiteFileSchema, file, placeIn({ ...silent, mistake: () => mistakes++ }));
    return mistakes === 0;
  });
  expect(outcomes).toEqual(FILES.map((file) => check(SiteFileSchema, file).ok));
  expect(outcomes.filter((isSound) => isSound)).toHaveLength(5);
});

test('a section comes back without what is wrong in it', () => {
  const reported: string[] = [];
  const report = { mistake: (path: readonly unknown[]) => reported.push(path.join('/')), warning: () => {} };
  const file = {
    part: 'X',
    site: { ...SITE, privacy_mode: 'none', zones: { A: { type: 'building', box: [0, 0, 1] } } },
    extra: 1,
  };
  expect(checkSection(SiteFileSchema, file, placeIn(report))).toMatchObject({
    part: 'X',
    site: { name: 'X', privacy_mode: undefined, zones: { A: { type: 'building', box: undefined } } },
  });
  expect(reported.sort()).toEqual(['extra', 'site/privacy_mode', 'site/zones/A/box']);
});

test('a suggestion is the nearest word, or else the list of a few', () => {
  expect(didYouMean('fowklift', ['forklift', 'crane'])).toBe(' Did you mean "forklift"?');
  expect(didYouMean('boat', ['forklift', 'crane'])).toBe(' Write forklift or crane.');
  const types = ['sos', 'fall_detected', 'restricted_zone_entry', 'forbidden_zone_entry'];
  expect(didYouMean('fall', types)).toBe(' Did you mean "fall_detected"?');
  expect(didYouMean('zone-entry', types)).toBe(' Did you mean "restricted_zone_entry" or "forbidden_zone_entry"?');
  expect(
    didYouMean(
      'boat',
      Array.from({ length: 15 }, (_, i) => `vehicle ${i}`),
    ),
  ).toBe('');
});
