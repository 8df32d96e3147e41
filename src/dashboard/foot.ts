/** The last row of a frame: a broken connection, the answer to a key, or hints for keys. */

import { KEY_GROUPS, type KeyEffect, type KeyRow, shownKeys } from './keys.ts';
import { cellsOf, clean, cut } from './terminal/cells.ts';
import { blank, span, type TextLine, type TextSpan, widthOf } from './terminal/lines.ts';
import type { Theme } from './terminal/theme.ts';
import type { Connection, DashboardScene, DashboardView } from './view.ts';

/** Keys that have no effect now: outside a muster, and during a muster. */
const IDLE_WITHOUT: ReadonlySet<KeyEffect> = new Set(['safe', 'end-muster', 'exclude', 'reinstate']);
const IDLE_WITHIN: ReadonlySet<KeyEffect> = new Set(['start-muster']);

/** Of the reason of a broken connection, at least these cells are shown. */
const LEAST_REASON = 44;

export function footLine(
  scene: DashboardScene,
  view: DashboardView,
  connection: Connection,
  columns: number,
  theme: Theme,
): TextLine {
  if (connection.is === 'broken') {
    const why = ` ${clean(connection.why)}`;
    const again = ` Trying again (${connection.tries}), q quits. `;
    const tails = [...(scene.isKnown ? [` The last known state is shown.${again}`] : []), again, ' q quits. '];
    const tail = tails.find(({ length }) => columns - length >= Math.min(cellsOf(why), LEAST_REASON)) ?? '';
    return [span(`${cut(why, columns - tail.length, theme.glyphs.dots)}${tail}`, 'broken')];
  }
  if (view.reply !== null)
    return [
      blank(1),
      span(cut(clean(view.reply.text), columns - 2, theme.glyphs.dots), view.reply.isBad ? 'critical' : 'bold'),
    ];
  const hints = hintsFor(scene, view);
  // The hint for quit is last and must not be cut.
  const quit = hints.at(-1) as KeyRow;
  const end = columns - hintWidth(quit) - 1;
  const line: TextSpan[] = [blank(1)];
  for (const row of hints.slice(0, -1))
    if (widthOf(line) + hintWidth(row) + 2 <= end) line.push(...hintOf(row), blank(2));
  return [...line, ...hintOf(quit)];
}

/** The hints: navigation first, then actions; quit is last. */
function hintsFor({ active, isKnown, elsewhere }: DashboardScene, view: DashboardView): readonly KeyRow[] {
  const idle = active === null ? IDLE_WITHOUT : IDLE_WITHIN;
  if (!isKnown) return ALWAYS;
  const worth = [...KEY_GROUPS.Look, ...KEY_GROUPS['Control room'], ...KEY_GROUPS.Time].filter(
    ({ hint, pane, effect }) =>
      hint !== undefined &&
      (pane === undefined || pane === view.pane) &&
      !idle.has(effect) &&
      (effect !== 'next-emergency' || elsewhere.length > 0),
  );
  return worth.toSorted((a, b) => Number(a.effect === 'quit') - Number(b.effect === 'quit'));
}

/** Keys that need no state of the sandbox. */
const ALWAYS = KEY_GROUPS.Look.filter(({ effect }) => effect === 'help' || effect === 'quit');

const hintOf = (row: KeyRow): TextLine => [span(`${shownKeys(row)} `, 'key'), span(row.hint ?? '', 'dim')];

const hintWidth = (row: KeyRow): number => widthOf(hintOf(row));
