/** The last row of a frame: a broken connection, the answer to a key, or hints for keys. */
import { KEY_GROUPS, type KeyDeed, type KeyRow, shownKeys } from './keys.ts';
import { blank, cut, span, type TextLine, type TextSpan, widthOf } from './lines.ts';
import type { Theme } from './theme.ts';
import type { Connection, DashboardScene, DashboardView } from './view.ts';

/** Keys without an effect now, outside of a muster and in one. */
const IDLE_WITHOUT: ReadonlySet<KeyDeed> = new Set(['safe', 'end-muster', 'exclude', 'reinstate']);
const IDLE_WITHIN: ReadonlySet<KeyDeed> = new Set(['start-muster']);

export function footLine(
  scene: DashboardScene,
  view: DashboardView,
  connection: Connection,
  columns: number,
  theme: Theme,
): TextLine {
  if (connection.is === 'broken') {
    const text = ` ${connection.why} What is seen is the last that was told. Trying again (${connection.tries}), q quits. `;
    return [span(cut(text, columns, theme.glyphs.dots), 'broken')];
  }
  if (view.said !== null)
    return [blank(1), span(cut(view.said.text, columns - 2, theme.glyphs.dots), view.said.isBad ? 'critical' : 'bold')];
  const hints = hintsFor(scene, view);
  // Quit is last and must not be cut off.
  const quit = hints.at(-1) as KeyRow;
  const end = columns - hintWidth(quit) - 1;
  const line: TextSpan[] = [blank(1)];
  for (const row of hints.slice(0, -1))
    if (widthOf(line) + hintWidth(row) + 2 <= end) line.push(...hintOf(row), blank(2));
  return [...line, ...hintOf(quit)];
}

/** Looking around comes first, then acting; quit is last. */
function hintsFor({ active }: DashboardScene, view: DashboardView): readonly KeyRow[] {
  const idle = active === null ? IDLE_WITHOUT : IDLE_WITHIN;
  const worth = [...KEY_GROUPS.Look, ...KEY_GROUPS['Control room'], ...KEY_GROUPS.Time].filter(
    ({ hint, pane, deed }) => hint !== undefined && (pane === undefined || pane === view.pane) && !idle.has(deed),
  );
  return worth.toSorted((a, b) => Number(a.deed === 'quit') - Number(b.deed === 'quit'));
}

const hintOf = (row: KeyRow): TextLine => [span(`${shownKeys(row)} `, 'key'), span(row.hint ?? '', 'dim')];

const hintWidth = (row: KeyRow): number => widthOf(hintOf(row));
