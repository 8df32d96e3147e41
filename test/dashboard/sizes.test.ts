/** What no size of the terminal and no crowd may hide or cut: people to rescue, full points, labels and counters. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StreamPerson, StreamSnapshot } from '../../src/contract/stream.ts';
import { counterLines } from '../../src/dashboard/panes/banner.ts';
import { mapLines } from '../../src/dashboard/panes/map.ts';
import { theme } from '../../src/dashboard/terminal/theme.ts';
import { type DashboardView, PANES, sceneOf } from '../../src/dashboard/view.ts';
import { isWhole } from '../helpers/whole.ts';
import { GATE, HILL, MUSTERING, person, viewer, worldOf } from './harbour.ts';

const [muster] = MUSTERING.musters;
const looks = [theme('mono'), theme('mono', { ascii: true }), theme('mono', { map: 'block' })] as const;
const runs = { numRuns: isWhole ? 1_000 : 100 };

const at = fc.record({ x: fc.integer({ min: -40, max: 640 }), y: fc.integer({ min: -30, max: 330 }) });
const status = fc.constantFrom('safe', 'pending', 'no_signal', 'not_worn', 'wrong_point', 'help');

/** The points without an exclusion, and with these people. */
const pointsWith = (counts: Readonly<Record<string, number>>) =>
  muster!.assembly_points.map((point) => ({ ...point, excluded: null, count: counts[point.id] ?? 0 }));

const anyWorld = fc
  .record({
    rescue: fc.array(at, { maxLength: 4 }),
    others: fc.array(fc.record({ at, status, many: fc.integer({ min: 1, max: 6 }) }), { maxLength: 6 }),
    counts: fc.record({ [GATE]: fc.integer({ min: 0, max: 40 }), [HILL]: fc.integer({ min: 0, max: 160 }) }),
    pane: fc.constantFrom(...PANES),
    look: fc.constantFrom(...looks),
  })
  .map(({ rescue, others, counts, ...rest }) => {
    let n = 0;
    const next = () => (n = (n % 24) + 1);
    const toRescue = rescue.map((where) => person({ n: next(), ...where, fares: 'help', help: 'trapped' }));
    const crowd = others.flatMap(({ at: where, status: fares, many }) =>
      Array.from({ length: many }, () => person({ n: next(), ...where, fares, help: 'helping' })),
    );
    const musters = [{ ...muster!, assembly_points: pointsWith(counts) }];
    const snapshot: StreamSnapshot = { ...MUSTERING, musters, alerts: [] };
    return { toRescue, crowd, snapshot, ...rest };
  });
const anyRoom = fc.record({ width: fc.integer({ min: 20, max: 150 }), height: fc.integer({ min: 5, max: 50 }) });

const drawn = (
  snapshot: StreamSnapshot,
  people: readonly StreamPerson[],
  room: { width: number; height: number },
  look: (typeof looks)[number],
  change: Partial<DashboardView> = {},
): string[] => {
  const view = viewer(change);
  // The first of several entries of one worker counts.
  const unique = [...people.toReversed()].reduce(
    (known, one) => known.set(one.worker_id, one),
    new Map<string, StreamPerson>(),
  );
  const lines =
    mapLines(sceneOf(worldOf({ ...snapshot, people: [...unique.values()] }), view, 0), view, look, room) ?? [];
  return lines.map((line) => line.map(({ text }) => text).join(''));
};

const cellsWith = (lines: readonly string[], glyph: string): string[] =>
  lines.flatMap((line, y) => [...line].flatMap((character, x) => (character === glyph ? [`${x} ${y}`] : [])));

test('nothing on the map covers somebody to rescue', () => {
  fc.assert(
    fc.property(anyWorld, anyRoom, ({ toRescue, crowd, snapshot, pane, look }, room) => {
      const alone = drawn(snapshot, toRescue, room, look, { pane: 'webhooks' });
      const all = drawn(snapshot, [...toRescue, ...crowd], room, look, { pane });
      const glyph = look.glyphs.rescue;
      const shown = new Set(cellsWith(all, glyph));
      expect(cellsWith(alone, glyph).filter((cell) => !shown.has(cell))).toEqual([]);
    }),
    runs,
  );
});

test('no crowd hides the label of a full point', () => {
  // Three people at every few metres, around both points.
  const crowd = [GATE, HILL].flatMap((_, side) =>
    Array.from({ length: 25 * 9 * 3 }, (__, n) =>
      person({
        n: 100 + side * 1_000 + n,
        x: 430 + (n % 25) * 7,
        y: (side === 0 ? 0 : 165) + (Math.floor(n / 25) % 9) * 14,
        fares: 'pending',
      }),
    ),
  );
  const workers = crowd.map(({ worker_id: id }) => ({ ...MUSTERING.workers[0]!, id, external_id: id }));
  const room = fc.record({ width: fc.integer({ min: 20, max: 80 }), height: fc.integer({ min: 5, max: 40 }) });
  const counts = fc.record({ [GATE]: fc.integer({ min: 0, max: 2_000 }), [HILL]: fc.integer({ min: 0, max: 2_000 }) });
  fc.assert(
    fc.property(counts, room, fc.constantFrom(...looks), (many, size, look) => {
      const points = pointsWith(many);
      const snapshot = { ...MUSTERING, workers, musters: [{ ...muster!, assembly_points: points }] };
      const map = drawn(snapshot, crowd, size, look, { pane: 'webhooks' }).join('\n');
      for (const { id, count } of points)
        if (count >= (id === GATE ? 20 : 80)) expect(map).toMatch(new RegExp(`\\[(?:Gate A |Hill )?${count}\\]`));
    }),
    { numRuns: isWhole ? 200 : 8 },
  );
});

test('labels are whole, or not there', () => {
  const names = new Set(['Container', 'Yard', 'Tank', 'Farm', 'Flare', 'Gate', 'A', 'Hill', 'W']);
  fc.assert(
    fc.property(anyWorld, anyRoom, ({ toRescue, crowd, snapshot, pane }, room) => {
      const map = drawn(snapshot, [...toRescue, ...crowd], room, looks[0], { pane }).join('\n');
      expect((map.match(/[A-Za-z]+/g) ?? []).filter((word) => !names.has(word))).toEqual([]);
      const codes = map.match(/W-\d*(?:\+\d+)?/g) ?? [];
      expect(codes.filter((code) => !/^W-0\d\d(?:\+\d+)?$/.test(code))).toEqual([]);
      expect(map.match(/\[[^\]]*$|^[^[]*\]/gm) ?? []).toEqual([]);
    }),
    runs,
  );
});

test('every size keeps the whole number of people to rescue, beside whole counters', () => {
  const count = fc.integer({ min: 0, max: 9_999 });
  const totals = fc.record({
    safe: count,
    help: count,
    wrong_point: count,
    pending: count,
    no_signal: count,
    not_worn: count,
  });
  const columns = fc.integer({ min: 60, max: 220 });
  fc.assert(
    fc.property(totals, fc.integer({ min: 1, max: 2_000 }), columns, (counts, rescue, width) => {
      const expected = Object.values(counts).reduce((sum, one) => sum + one, 0);
      const world = worldOf({ ...MUSTERING, musters: [{ ...muster!, totals: { ...counts, expected } }] });
      const scene = { ...sceneOf(world, viewer(), 0), rescue };
      const [line] = counterLines(scene, viewer(), width, looks[0]);
      const text = line.map((span) => span.text).join('');
      expect([text, text.length]).toEqual([text, width]);
      expect(text).toMatch(new RegExp(`▲ ?${rescue} (?:to rescue|rescue) $`));
      const { safe, help, wrong_point, pending, no_signal, not_worn } = counts;
      expect(text).toMatch(
        new RegExp(
          `● ?${safe}\\D.*△ ?${help}\\D.*◆ ?${wrong_point}\\D.*▹ ?${pending}\\D.*◇ ?${no_signal}\\D.*◌ ?${not_worn}\\D`,
        ),
      );
    }),
    runs,
  );
});
