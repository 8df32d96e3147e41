/** The mouse in the terminal: its sequences (SGR 1006), and the effect of a click or the wheel on the view. */

import { LISTED_PANES } from '../panes/panes.ts';
import { pointRowsOf } from '../panes/points.ts';
import type { DashboardScene, DashboardView, Pane } from '../view.ts';
import { insideOf, layoutOf, placedPanes } from './layout.ts';
import type { ScreenSize } from './lines.ts';
import { theme } from './theme.ts';

/** Switches reports of buttons and wheel on, with positions beyond column 223. */
export const MOUSE_ON = '\x1b[?1000h\x1b[?1006h';
export const MOUSE_OFF = '\x1b[?1006l\x1b[?1000l';

export interface MouseEvent {
  /** `other`: a release, another button, or a movement. */
  readonly kind: 'click' | 'wheel-up' | 'wheel-down' | 'other';
  /** Distance from the left and from the top, in cells. */
  readonly x: number;
  readonly y: number;
}

/** The bits of Shift, Alt and Ctrl. */
const MODIFIERS = 4 | 8 | 16;

/** Parses Ink's input, in which the escape character is missing; returns null if it is not a mouse event. */
export function mouseEventOf(input: string): MouseEvent | null {
  const [, code, column, row, end] = /^\x1b?\[<(\d+);(\d+);(\d+)([Mm])$/.exec(input) ?? [];
  if (code === undefined) return null;
  const place = { x: Number(column) - 1, y: Number(row) - 1 };
  const button = Number(code) & ~MODIFIERS;
  if (end === 'm') return { kind: 'other', ...place };
  const kind = ({ 0: 'click', 64: 'wheel-up', 65: 'wheel-down' } as const)[button] ?? 'other';
  return { kind, ...place };
}

/** Which row is where does not depend on the theme. */
const PLAIN = theme('mono');

/** Rows per step of the wheel. */
const WHEEL_ROWS = 3;

/** The effect of the event: another focused pane and chosen row, and key presses for everything else. */
export function pointed(
  event: MouseEvent,
  view: DashboardView,
  scene: DashboardScene,
  size: ScreenSize,
): { readonly view: DashboardView; readonly keys: readonly string[] } {
  const unchanged = { view, keys: [] };
  if (event.kind === 'other' || view.question !== null) return unchanged;
  const wheel = event.kind === 'wheel-up' ? 'up' : 'down';
  if (view.isHelpOpen) return event.kind === 'click' ? unchanged : { view, keys: [`page${wheel}`] };
  const layout = layoutOf(size, pointRowsOf(scene), view);
  const place = placedPanes(layout, view.pane).find(
    ({ left, top, area }) =>
      event.x >= left && event.x < left + area.width && event.y >= top && event.y < top + area.height,
  );
  if (place === undefined) return unchanged;
  const { pane, top, area } = place;
  if (event.kind !== 'click') {
    // The wheel zooms the map; in other panes it moves through rows.
    const keys = pane === 'map' ? [wheel === 'up' ? '+' : '-'] : new Array<string>(WHEEL_ROWS).fill(wheel);
    return { view: { ...view, pane }, keys };
  }
  const id = idAt(scene, view, pane, insideOf(area), event.y - top - 1);
  const chosen = id === null ? view.chosen : { ...view.chosen, [pane]: id };
  return { view: { ...view, pane, chosen, isFiltering: false }, keys: [] };
}

/** Returns the id of the row at that line of the pane; null if there is none. */
function idAt(
  scene: DashboardScene,
  view: DashboardView,
  pane: Pane,
  room: { readonly width: number; readonly height: number },
  line: number,
): string | null {
  return pane === 'map' ? null : (LISTED_PANES[pane].rows(scene, view, room, PLAIN)[line]?.id ?? null);
}
