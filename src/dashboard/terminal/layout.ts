/** The panes that fit into a terminal, and their sizes. */

import type { DashboardView, Pane } from '../view.ts';
import type { ScreenSize } from './lines.ts';

export interface Area {
  readonly width: number;
  readonly height: number;
}

/** The area inside the border of a pane. */
export const insideOf = ({ width, height }: Area): Area => ({
  width: Math.max(0, width - 2),
  height: Math.max(0, height - 2),
});

/** Smaller terminals show a single line of text. */
export const LEAST: ScreenSize = { columns: 60, rows: 16 };

/** The details of the chosen row beside the panes. `over`: the pane whose place it takes; null: it has its own. */
interface DockedInspector {
  readonly over: 'alerts' | 'webhooks' | null;
  readonly area: Area;
}

/** `tabs` shows the panes without a separate area. `inspector` is null if the details are a sheet, or closed. */
export type Layout =
  | {
      readonly kind: 'wide';
      readonly areas: Readonly<Record<Pane, Area>>;
      readonly inspector: DockedInspector | null;
    }
  | {
      readonly kind: 'middle' | 'narrow';
      readonly areas: Readonly<Record<'map' | 'people' | 'tabs', Area>>;
      readonly inspector: DockedInspector | null;
    }
  | { readonly kind: 'small' };

/** From this number of columns the details are beside the panes, and not a sheet over them. */
const DOCKED_COLUMNS = 100;
/** From this number of columns they have a column of their own, which is always open. */
const OWN_COLUMN = 160;
const INSPECTOR_COLUMNS = 48;

const CLOSED = { isDetailOpen: false, pane: 'people' } as const;

/** `pointRows`: number of rows that the assembly points need. */
export function layoutOf(
  { columns, rows }: ScreenSize,
  pointRows: number,
  { isDetailOpen, pane }: Pick<DashboardView, 'isDetailOpen' | 'pane'> = CLOSED,
): Layout {
  if (columns < LEAST.columns || rows < LEAST.rows) return { kind: 'small' };
  if (columns >= OWN_COLUMN && rows >= 34) {
    const layout = wide(columns - INSPECTOR_COLUMNS - 1, rows, pointRows);
    const height = layout.areas.map.height + layout.areas.alerts.height;
    return { ...layout, inspector: { over: null, area: { width: INSPECTOR_COLUMNS, height } } };
  }
  if (columns >= 110 && rows >= 34) {
    const layout = wide(columns, rows, pointRows);
    const over = pane === 'webhooks' ? 'alerts' : 'webhooks';
    return isDetailOpen ? { ...layout, inspector: { over, area: layout.areas[over] } } : layout;
  }
  if (columns < 80 || rows < 22) return narrow(columns, rows);
  const layout = middle(columns, rows);
  if (!isDetailOpen || columns < DOCKED_COLUMNS) return layout;
  const { height } = layout.areas.tabs;
  const width = Math.ceil(columns / 2);
  const tabs = { width: columns - width, height };
  return { ...layout, areas: { ...layout.areas, tabs }, inspector: { over: null, area: { width, height } } };
}

/** Five panes. */
function wide(columns: number, rows: number, pointRows: number): Layout & { readonly kind: 'wide' } {
  const left = Math.round((columns * 62) / 120);
  const right = columns - left - 1;
  const low = Math.max(8, Math.round((rows * 10) / 40));
  const high = rows - 5 - low;
  const points = Math.min(Math.floor(high / 2), Math.max(3, pointRows + 3));
  return {
    kind: 'wide',
    inspector: null,
    areas: {
      map: { width: left, height: high },
      points: { width: right, height: points },
      people: { width: right, height: high - points },
      alerts: { width: left, height: low },
      webhooks: { width: right, height: low },
    },
  };
}

/** The map, the people, and one pane for the others. */
function middle(columns: number, rows: number): Layout & { readonly kind: 'middle' | 'narrow' } {
  const low = Math.max(6, Math.round((rows * 7) / 24));
  const high = rows - 4 - low;
  const left = Math.round(columns * 0.45);
  return {
    kind: 'middle',
    inspector: null,
    areas: {
      map: { width: left, height: high },
      people: { width: columns - left, height: high },
      tabs: { width: columns, height: low },
    },
  };
}

/** The map or the people, and one pane for the others. */
function narrow(columns: number, rows: number): Layout {
  const low = Math.max(5, Math.floor((rows - 4) * 0.4));
  const area = { width: columns, height: rows - 4 - low };
  return { kind: 'narrow', inspector: null, areas: { map: area, people: area, tabs: { width: columns, height: low } } };
}

/** A pane on the screen. */
interface PlacedPane {
  readonly pane: Pane;
  /** Distance from the left and from the top, in cells. */
  readonly left: number;
  readonly top: number;
  readonly area: Area;
}

/** The positions of the panes, for the mouse. `pane`: the focused pane; small terminals do not show all panes. */
export function placedPanes(layout: Layout, pane: Pane): readonly PlacedPane[] {
  switch (layout.kind) {
    case 'small':
      return [];
    case 'wide': {
      const { map, points, people, alerts, webhooks } = layout.areas;
      const [top, right] = [WIDE_HEAD, map.width + 1];
      const low = top + map.height;
      const placed: readonly PlacedPane[] = [
        { pane: 'map', left: 0, top, area: map },
        { pane: 'points', left: right, top, area: points },
        { pane: 'people', left: right, top: top + points.height, area: people },
        { pane: 'alerts', left: 0, top: low, area: alerts },
        { pane: 'webhooks', left: right, top: low, area: webhooks },
      ];
      return placed.filter((one) => one.pane !== layout.inspector?.over);
    }
    case 'middle':
    case 'narrow': {
      const { map, people, tabs } = layout.areas;
      const low: PlacedPane = { pane: tabOf(pane), left: 0, top: HEAD + map.height, area: tabs };
      const left = layout.kind === 'middle' ? map.width : 0;
      const high: readonly PlacedPane[] = [
        { pane: 'map', left: 0, top: HEAD, area: map },
        { pane: 'people', left, top: HEAD, area: people },
      ];
      return layout.kind === 'middle'
        ? [...high, low]
        : [...high.filter((one) => (one.pane === 'map') === (pane === 'map')), low];
    }
  }
}

/** Rows above the panes. */
const HEAD = 3;
const WIDE_HEAD = 4;

/** The pane that a small terminal shows below the people. */
export const tabOf = (pane: Pane): 'alerts' | 'webhooks' | 'points' =>
  pane === 'points' || pane === 'webhooks' ? pane : 'alerts';

/** The rows of a pane, minus one row that stays visible when paging. */
export function pageRowsOf(layout: Layout, pane: Pane): number {
  if (layout.kind === 'small') return 1;
  const areas: Readonly<Partial<Record<Pane | 'tabs', Area>>> = layout.areas;
  const { height } = areas[pane === 'map' ? 'people' : pane] ?? areas.tabs ?? { height: 0 };
  return Math.max(1, height - 3);
}
