/** The map pane. The canvas draws everything that needs dots, because the smallest unit of Ink is a cell. */

import { memo, type ReactNode } from 'react';
import { mapHint, mapLines, mapTitle } from '../panes/map.ts';
import { insideOf } from '../terminal/layout.ts';
import type { TextLine } from '../terminal/lines.ts';
import { usePaneKeys } from './keys.tsx';
import { Cell, Row, useTheme } from './look.tsx';
import { PaneFrame } from './pane.tsx';
import type { ScenePaneProps } from './people-pane.tsx';

export function MapPane({ area, scene, view }: ScenePaneProps): ReactNode {
  const look = useTheme();
  usePaneKeys('map', view);
  const room = insideOf(area);
  const lines = mapLines(scene, view, look, room);
  return (
    <PaneFrame
      area={area}
      title={mapTitle(view, look)}
      hint={mapHint(scene, view, look, room)}
      focused={view.pane === 'map'}
    >
      {lines === null ? (
        <Cell width={room.width} gap={0} tone="dim">
          {scene.isKnown ? ' There is no site to draw.' : ''}
        </Cell>
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row of the map is the same row whatever it shows.
        lines.map((line, y) => <MapRow key={y} line={line} />)
      )}
    </PaneFrame>
  );
}

/** A row is drawn again only if its spans differ. */
const MapRow = memo(({ line }: { readonly line: TextLine }): ReactNode => <Row line={line} />, isSameLine);

function isSameLine(
  { line: before }: { readonly line: TextLine },
  { line: after }: { readonly line: TextLine },
): boolean {
  return (
    before.length === after.length &&
    before.every((piece, place) => piece.text === after[place]?.text && piece.role === after[place]?.role)
  );
}
