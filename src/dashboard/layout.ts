/** The panes that fit a terminal, and their sizes. */
import type { ScreenSize, TextLine } from './lines.ts';
import type { Pane } from './view.ts';

export interface Area {
  readonly width: number;
  readonly height: number;
}

/** What a pane shows. */
export interface PaneLines {
  readonly title: string;
  readonly hint: string;
  readonly lines: readonly TextLine[];
}

/** Smaller terminals get one line of text. */
export const LEAST: ScreenSize = { columns: 60, rows: 16 };

/** `tabs` shows the panes that have no area of their own. */
export type Layout =
  | { readonly kind: 'wide'; readonly areas: Readonly<Record<Pane, Area>> }
  | { readonly kind: 'middle' | 'narrow'; readonly areas: Readonly<Record<'map' | 'people' | 'tabs', Area>> }
  | { readonly kind: 'small' };

/** `pointRows`: rows that the assembly points need. */
export function layoutOf({ columns, rows }: ScreenSize, pointRows: number): Layout {
  if (columns < LEAST.columns || rows < LEAST.rows) return { kind: 'small' };
  if (columns >= 110 && rows >= 34) return wide(columns, rows, pointRows);
  return columns >= 80 && rows >= 22 ? middle(columns, rows) : narrow(columns, rows);
}

/** Five panes. */
function wide(columns: number, rows: number, pointRows: number): Layout {
  const left = Math.round((columns * 67) / 120);
  const right = columns - left - 1;
  const low = Math.max(8, Math.round((rows * 10) / 40));
  const high = rows - 5 - low;
  const points = Math.min(Math.floor(high / 2), Math.max(3, pointRows + 3));
  return {
    kind: 'wide',
    areas: {
      map: { width: left, height: high },
      points: { width: right, height: points },
      people: { width: right, height: high - points },
      alerts: { width: left, height: low },
      webhooks: { width: right, height: low },
    },
  };
}

/** Map, people, and one pane for the rest. */
function middle(columns: number, rows: number): Layout {
  const low = Math.max(6, Math.round((rows * 7) / 24));
  const high = rows - 4 - low;
  const left = Math.round(columns / 2);
  return {
    kind: 'middle',
    areas: {
      map: { width: left, height: high },
      people: { width: columns - left, height: high },
      tabs: { width: columns, height: low },
    },
  };
}

/** Map or people, and one pane for the rest. */
function narrow(columns: number, rows: number): Layout {
  const low = Math.max(5, Math.floor((rows - 4) * 0.4));
  const area = { width: columns, height: rows - 4 - low };
  return { kind: 'narrow', areas: { map: area, people: area, tabs: { width: columns, height: low } } };
}

/** Rows of a pane, minus one that stays in view when paging. */
export function pageRowsOf(layout: Layout, pane: Pane): number {
  if (layout.kind === 'small') return 1;
  const areas: Readonly<Partial<Record<Pane | 'tabs', Area>>> = layout.areas;
  const { height } = areas[pane === 'map' ? 'people' : pane] ?? areas.tabs ?? { height: 0 };
  return Math.max(1, height - 3);
}
