/** Documents of earlier versions: each later field has its value, and what every document has is never missing. */
import { expect, test } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../../../../src/plant/thresholds.ts';
import { type Documents, KINDS, type Kind, type Site } from '../../../../src/service/domain/world/documents.ts';
import { completed, IncompleteDocument } from '../../../../src/service/domain/world/stored-documents.ts';
import { SITE, SmallWorld, START_MUSTER } from '../small-world.ts';

const small = new SmallWorld();
small.do(START_MUSTER);
const { world } = small;

const without = <T extends object>(object: T, name: string): T =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name)) as T;

const THRESHOLDS = Object.keys(DEFAULT_THRESHOLDS).filter((name) => name !== 'heat');
const HEAT = Object.keys(DEFAULT_THRESHOLDS.heat);

test.each(THRESHOLDS)('a site from before the threshold %s has its default', (name) => {
  const site = world.need('site', SITE);
  const old: Site = { ...site, thresholds: without(site.thresholds, name) };
  expect(completed('site', old).thresholds).toEqual(DEFAULT_THRESHOLDS);
});

test.each(HEAT)('a site from before the heat threshold %s has its default, and keeps the others', (name) => {
  const site = world.need('site', SITE);
  const heat = { ...site.thresholds.heat, againAfterMs: 7, sunMs: 8 };
  const old: Site = { ...site, thresholds: { ...site.thresholds, heat: without(heat, name) } };
  expect(completed('site', old).thresholds.heat).toEqual({ ...heat, [name]: DEFAULT_THRESHOLDS.heat[name as 'sunMs'] });
});

test('a document that lacks nothing is the same object', () => {
  for (const kind of KINDS) for (const document of world.all(kind)) expect(completed(kind, document)).toBe(document);
});

const documents = KINDS.flatMap((kind): [Kind, Documents[Kind]][] => {
  const [document] = world.all(kind);
  return document === undefined ? [] : [[kind, document]];
});

test.each(documents)('a stored %s without a field of the first release is damaged', (kind, document) => {
  const optional: Partial<Record<Kind, readonly string[]>> = { prompt: ['fallId'], site: [] };
  for (const name of Object.keys(document).filter((one) => !optional[kind]?.includes(one)))
    expect(() => completed(kind, without(document, name)), name).toThrow(IncompleteDocument);
});
