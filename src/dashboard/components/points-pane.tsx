/** The pane of assembly points: people and capacity of each point, and the curve of safe people. */

import { Box } from 'ink';
import { memo, type ReactNode } from 'react';
import type { AssemblyPoint } from '../../contract/resources.ts';
import { curveOf, type PointEntry, pointEntries } from '../panes/points.ts';
import { insideOf } from '../terminal/layout.ts';
import { chosenOf, type DashboardScene } from '../view.ts';
import { usePaneKeys } from './keys.tsx';
import { Cell, Mark, Styled, useTheme } from './look.tsx';
import { PaneFrame } from './pane.tsx';
import type { ScenePaneProps } from './people-pane.tsx';

export function PointsPane({ area, scene, view }: ScenePaneProps): ReactNode {
  const look = useTheme();
  const room = insideOf(area);
  const { active } = scene;
  const rows = pointEntries(scene, view, room, look.glyphs.dots).length;
  const hasCurve = active !== null && rows < room.height;
  return (
    <PaneFrame
      area={area}
      title="2 Assembly points"
      hint={active === null ? '' : `rev ${active.targets_revision}`}
      focused={view.pane === 'points'}
    >
      <PointList area={room} scene={scene} view={view} />
      {hasCurve ? (
        <Box flexGrow={1} alignItems="flex-end">
          <Curve scene={scene} width={room.width} />
        </Box>
      ) : null}
    </PaneFrame>
  );
}

/** The rows of the pane. */
export function PointList({ area, scene, view }: ScenePaneProps): ReactNode {
  const look = useTheme();
  usePaneKeys('points', view);
  const chosen = chosenOf(scene, view, 'points');
  return pointEntries(scene, view, area, look.glyphs.dots).map((entry, place) => (
    <Entry
      // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is the same row whatever it shows.
      key={place}
      entry={entry}
      width={area.width}
      isChosen={view.pane === 'points' && entry.kind === 'point' && entry.id === chosen}
    />
  ));
}

interface PointEntryProps {
  readonly entry: PointEntry;
  readonly width: number;
  readonly isChosen: boolean;
}

function Entry({ entry, width, isChosen }: PointEntryProps): ReactNode {
  switch (entry.kind) {
    case 'text':
      return <Cell width={width} gap={0} tone="dim">{` ${entry.text}`}</Cell>;
    case 'reason':
      return <Cell width={width} tone="dim">{`   ${entry.text}`}</Cell>;
    case 'point':
      return (
        <PointRow point={entry.point} wrong={entry.wrong} capacity={entry.capacity} width={width} isChosen={isChosen} />
      );
  }
}

interface PointRowProps {
  readonly point: AssemblyPoint;
  /** People who are at the point although it does not serve. */
  readonly wrong: number;
  readonly capacity: number | null;
  readonly width: number;
  readonly isChosen: boolean;
}

/** Minimum length of the bar in cells; a shorter bar is not informative. */
const LEAST_BAR = 5;

const PointRow = memo(({ point, wrong, capacity, width, isChosen }: PointRowProps): ReactNode => {
  const { glyphs } = useTheme();
  const { name, excluded } = point;
  const nameWidth = Math.max(8, Math.min(24, width - 28)) + 1;
  const count = point.count ?? 0;
  const isOver = capacity !== null && count > capacity;
  const figures = `${glyphs.safe} ${(capacity === null ? String(count) : `${count}/${capacity}`).padStart(7)} `;
  return (
    <Box height={1}>
      <Mark isChosen={isChosen} isFocused />
      <Cell width={nameWidth} tone={excluded === null ? 'plain' : 'forbidden'}>
        {name}
      </Cell>
      {excluded === null ? (
        <>
          <Styled tone={isOver ? 'critical' : 'safe'}>{figures}</Styled>
          <Fill count={count} capacity={capacity} width={width - 2 - nameWidth - figures.length} />
        </>
      ) : (
        <>
          <Styled tone="forbidden">{`${glyphs.excluded} excluded`}</Styled>
          <Styled tone="wrong_point">{wrong > 0 ? `  ${glyphs.wrong_point} ${wrong} here` : ''}</Styled>
        </>
      )}
    </Box>
  );
});

/** A bar with the occupancy of the point; beyond its capacity, the number of people above it. */
function Fill({ count, capacity, width }: { count: number; capacity: number | null; width: number }): ReactNode {
  const { glyphs } = useTheme();
  if (capacity === null || capacity === 0 || width < LEAST_BAR) return null;
  if (count > capacity)
    return (
      <Cell width={width} gap={0} tone="critical">
        {`${count - capacity} too many`}
      </Cell>
    );
  const filled = Math.min(width, Math.ceil((count * width) / capacity));
  return (
    <>
      <Styled tone="safe">{glyphs.full.repeat(filled)}</Styled>
      <Styled tone="dim">{glyphs.empty.repeat(width - filled)}</Styled>
    </>
  );
}

/**
 * The number of safe people over time. The height is their share of the expected people; it is green only when all are
 * safe.
 */
function Curve({ scene, width }: { readonly scene: DashboardScene; readonly width: number }): ReactNode {
  const { glyphs } = useTheme();
  const { active } = scene;
  if (active === null) return null;
  const { safe, expected } = active.totals;
  const [head, tail] = [' safe ', ` ${safe}/${expected}`];
  const parts = curveOf(scene, Math.max(0, width - 1 - head.length - tail.length));
  if (parts === null) return null;
  const isDone = safe === expected;
  const steps = [...glyphs.spark];
  // The top step means all people, and the bottom step means none.
  const step = (part: number): number =>
    part >= 1
      ? steps.length - 1
      : part <= 0
        ? 0
        : Math.max(1, Math.min(steps.length - 2, Math.round(part * (steps.length - 1))));
  return (
    <Box height={1}>
      <Styled tone="dim">{head}</Styled>
      <Styled tone={isDone ? 'safe' : 'pending'}>{parts.map((part) => steps[step(part)]).join('')}</Styled>
      <Styled tone={isDone ? 'safe' : 'bold'}>{tail}</Styled>
    </Box>
  );
}
