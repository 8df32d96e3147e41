/** A pane with a list: the table of its rows. */

import { memo, type ReactNode } from 'react';
import { LISTED_PANES, type ListPaneName } from '../panes/panes.ts';
import { tableLines } from '../table.ts';
import { type Area, insideOf } from '../terminal/layout.ts';
import type { TextLine } from '../terminal/lines.ts';
import { chosenOf, type DashboardScene, type DashboardView } from '../view.ts';
import { usePaneKeys } from './keys.tsx';
import { Row, useTheme } from './look.tsx';
import { PaneFrame } from './pane.tsx';

export interface ScenePaneProps {
  readonly area: Area;
  readonly scene: DashboardScene;
  readonly view: DashboardView;
}

interface ListPaneProps extends ScenePaneProps {
  readonly pane: ListPaneName;
  /** Absent: those of the pane. */
  readonly title?: string;
  readonly hint?: string;
}

export function ListPane({ pane, area, scene, view, title, hint }: ListPaneProps): ReactNode {
  const theme = useTheme();
  usePaneKeys(pane, view);
  const { rows, ...own } = LISTED_PANES[pane];
  const room = insideOf(area);
  const table = { width: room.width, chosen: chosenOf(scene, view, pane), isFocused: view.pane === pane };
  return (
    <PaneFrame
      area={area}
      title={title ?? own.title(scene, view)}
      hint={hint ?? own.hint(scene, view)}
      focused={view.pane === pane}
    >
      <Lines lines={tableLines(rows(scene, view, room, theme), table, theme)} />
    </PaneFrame>
  );
}

/** Rows of the screen, of which each is drawn again only if its spans differ. */
export const Lines = ({ lines }: { readonly lines: readonly TextLine[] }): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is the same row whatever it shows.
  lines.map((line, y) => <Line key={y} line={line} />);

const Line = memo(({ line }: { readonly line: TextLine }): ReactNode => <Row line={line} />, isSameLine);

function isSameLine(
  { line: before }: { readonly line: TextLine },
  { line: after }: { readonly line: TextLine },
): boolean {
  return (
    before.length === after.length &&
    before.every((piece, place) => piece.text === after[place]?.text && piece.role === after[place]?.role)
  );
}
