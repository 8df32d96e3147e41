/** The map pane. The canvas draws everything that needs dots, because the smallest unit of Ink is a cell. */

import type { ReactNode } from 'react';
import { mapHint, mapLines, mapTitle } from '../panes/map.ts';
import { insideOf } from '../terminal/layout.ts';
import { usePaneKeys } from './keys.tsx';
import { Lines, type ScenePaneProps } from './list-pane.tsx';
import { Cell, useTheme } from './look.tsx';
import { PaneFrame } from './pane.tsx';

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
        <Lines lines={lines} />
      )}
    </PaneFrame>
  );
}
