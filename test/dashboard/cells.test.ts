/** Text in cells: true widths, cuts, and ids that never look equal. */
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { codesOf } from '../../src/dashboard/codes.ts';
import { cellsOf, charactersOf, clean, cut, cutMiddle, inAscii } from '../../src/dashboard/terminal/cells.ts';
import { theme } from '../../src/dashboard/terminal/theme.ts';
import { eachOf } from '../helpers/each-of.ts';
import { isWhole } from '../helpers/whole.ts';
import { frameText } from './drawn.ts';
import { MUSTERING, QUIET, viewer, worldOf } from './harbour.ts';

const NAMES = [
  '王小明',
  'José Núñez',
  'हिन्दी नाम',
  'กำแพง',
  '👩‍🚒 Ana',
  '👍🏽👍🏽👍🏽',
  '🇪🇸 Rey',
  'עִבְרִית',
  'e\u0301\u0301\u0301\u0301\u0301\u0301\u0301lan',
  '\u0301leading',
  '\u202eturned\u202c',
  'ㅤㅤfiller',
  '한국어 이름',
  '𝔉𝔯𝔞𝔨',
];
/** fast-check needs a second of processor time for each of its own lists of all of Unicode. */
const CHARACTERS = isWhole ? 'grapheme' : fc.constantFrom(...NAMES.flatMap(charactersOf));
/** Half of a surrogate pair is none. */
const codePoint = (n: number): string => String.fromCodePoint(n < 0xd800 ? n : n + 0x800);
const CODE_POINTS = isWhole ? 'binary' : fc.integer({ min: 0, max: 0x10_f7ff }).map(codePoint);
const anyText = fc.oneof(
  fc.constantFrom(...NAMES),
  fc.string({ unit: CHARACTERS, maxLength: 30 }),
  fc.string({ unit: CODE_POINTS, maxLength: 20 }),
);

describe('a text', () => {
  test('is as wide as a terminal shows it, and safe to write', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = clean(text);
        expect(cellsOf(shown)).toBe(stringWidth(shown));
        expect(shown).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });

  test('is cut to its width, between characters as a person sees them', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 20 }), (text, width) => {
        const shown = clean(text);
        for (const cut_ of [cut(shown, width), cutMiddle(shown, width), cut(shown, width, '...')])
          expect(cellsOf(cut_)).toBeLessThanOrEqual(width);
        const [beginning] = cut(shown, width).split('…') as [string];
        expect(shown.startsWith(beginning)).toBe(true);
      }),
    );
    expect(cut('王小明', 4)).toBe('王…');
    expect(charactersOf('👩‍🚒e\u0301')).toEqual(['👩‍🚒', 'e\u0301']);
  });

  test('in ASCII keeps its width', () => {
    for (const name of NAMES) expect(inAscii(clean(name))).toMatch(/^[\x20-\x7e]*$/);
    expect(inAscii('Núñez 王')).toBe('Nunez ??');
  });
});

describe('ids', () => {
  const look = { isAscii: false, dots: '…' };
  const anyId = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.nat(99_999_999).map((n) => `CONTRACTOR-PLANT-7-${n}-WEST`),
    fc.constantFrom('A☂1', 'A☃1', '  A 1', 'A 1', null),
  );

  test('of two workers never look equal, in any theme', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.uuid(), anyId), { maxLength: 40 }), fc.boolean(), (pairs, isAscii) => {
        const workers = [...new Map(pairs.map(([id, external_id]) => [id, { id, external_id }])).values()];
        const codes = codesOf(workers, { isAscii, dots: isAscii ? '...' : '…' });
        const shown = workers.map(({ id }) => codes.of(id));
        expect(new Set(shown).size).toBe(workers.length);
        for (const code of shown) expect(cellsOf(code)).toBeLessThanOrEqual(codes.width);
      }),
    );
  });

  test('are cut in the middle, and shown as far as they differ', () => {
    const codes = codesOf(
      [1, 2].map((n) => ({ id: String(n), external_id: `ACME-0000${n}-NIGHT-SHIFT` })),
      look,
    );
    expect([codes.of('1'), codes.of('2')]).toEqual(
      ['ACME-00001…HIFT', 'ACME-00002…HIFT'].map((_, n) => codes.of(String(n + 1))),
    );
    expect(codes.of('1')).not.toBe(codes.of('2'));
    expect(codes.width).toBeLessThan('ACME-00001-NIGHT-SHIFT'.length);
  });
});

describe('every frame', () => {
  const named = (snapshot: typeof MUSTERING) =>
    worldOf({
      ...snapshot,
      sites: snapshot.sites.map((site) => ({
        ...site,
        name: '北港 North',
        zones: site.zones.map((zone, n) => ({ ...zone, name: `${NAMES[n % NAMES.length]} yard` })),
      })),
      workers: snapshot.workers.map((worker, n) => ({
        ...worker,
        name: NAMES[n % NAMES.length]!,
        external_id: n % 3 === 0 ? null : n % 3 === 1 ? `${NAMES[n % NAMES.length]}-${n}` : worker.external_id,
      })),
    });

  eachOf(
    [
      [80, 24],
      [200, 60],
      [120, 40],
      [60, 20],
    ] as const,
    4,
  )('has rows of exactly its width with wide names, at %i x %i', (columns, rows) => {
    for (const world of [named(MUSTERING), named(QUIET)])
      for (const view of [
        viewer(),
        viewer({ isGrouped: true }),
        viewer({ isDetailOpen: true }),
        viewer({ pane: 'map' }),
      ]) {
        const lines = frameText({ world, view, connection: { is: 'open' }, at: 0 }, { columns, rows }, theme('mono'));
        for (const line of lines) {
          expect([line, stringWidth(line) <= columns]).toEqual([line, true]);
          // A row of a pane ends with its border.
          if (/^[│╭╰]/.test(line)) expect([line, stringWidth(line)]).toEqual([line, columns]);
        }
      }
  });
});
