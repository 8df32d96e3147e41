/** Stored documents: what every document of a kind has is never missing. */
import { expect, test } from 'vitest';
import { sha256Hex } from '../../../../src/base/ids.ts';
import { DEFAULT_THRESHOLDS } from '../../../../src/plant/thresholds.ts';
import { type Documents, KINDS, type Kind, type Site } from '../../../../src/service/domain/world/documents.ts';
import { completed, IncompleteDocument, STORED } from '../../../../src/service/domain/world/stored-documents.ts';
import { MIGRATIONS, newestOf } from '../../../../src/service/store/sqlite/schema.ts';
import { SITE, SmallWorld, START_MUSTER } from '../small-world.ts';

const small = new SmallWorld();
small.do(START_MUSTER);
const { world } = small;

const without = <T extends object>(object: T, name: string): T =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name)) as T;

test.each([
  ...Object.keys(DEFAULT_THRESHOLDS).map((name) => [name, (site: Site) => without(site.thresholds, name)] as const),
  ...Object.keys(DEFAULT_THRESHOLDS.heat).map(
    (name) =>
      [`heat ${name}`, ({ thresholds }: Site) => ({ ...thresholds, heat: without(thresholds.heat, name) })] as const,
  ),
])('a site without the threshold %s is damaged', (_name, thresholdsOf) => {
  const site = world.need('site', SITE);
  expect(() => completed('site', { ...site, thresholds: thresholdsOf(site) })).toThrow(IncompleteDocument);
});

test('a document that lacks nothing is the same object', () => {
  for (const kind of KINDS) for (const document of world.all(kind)) expect(completed(kind, document)).toBe(document);
});

const documents = KINDS.flatMap((kind): [Kind, Documents[Kind]][] => {
  const [document] = world.all(kind);
  return document === undefined ? [] : [[kind, document]];
});

test.each(documents)('a stored %s without one of its fields is damaged', (kind, document) => {
  for (const name of Object.keys(document))
    expect(() => completed(kind, without(document, name)), name).toThrow(IncompleteDocument);
});

test('a change of the stored fields raises the numbers of both schemas and of snapshots', () => {
  // If this fails, raise the numbers (SQLite 8, Postgres 7, snapshots 5), then write the new digest here.
  const digest = sha256Hex(JSON.stringify(STORED)).slice(0, 12);
  expect({ schema: newestOf(MIGRATIONS), digest }).toEqual({ schema: 8, digest: 'f3f53005aab0' });
});
