/** One frame: the layout that fits the terminal, and what is laid over it. */
import { Box } from 'ink';
import type { ReactNode } from 'react';
import type { World } from '../../watching/world.ts';
import { footLine } from '../foot.ts';
import { cut, type Size, span } from '../lines.ts';
import { counterLines, titleLine } from '../panes/banner.ts';
import { detailsOf } from '../panes/details.ts';
import { type Scene, sceneOf } from '../rows.ts';
import type { Theme } from '../theme.ts';
import type { Connection, View } from '../view.ts';
import { DetailsSheet, HelpSheet, QuestionSheet } from './overlays.tsx';
import { AlertsPane, MapPane, PeoplePane, PointsPane, TabsPane, WebhooksPane } from './panes.tsx';
import { Row, Rows } from './row.tsx';

/** Less than this is one line of text. */
const LEAST: Size = { columns: 60, rows: 16 };

/** All that a frame shows. */
export interface Shown {
  readonly world: World;
  readonly view: View;
  readonly connection: Connection;
  /** Monotonic ms: time passes between two events of the stream. */
  readonly at: number;
}

export interface FrameProps extends Shown {
  readonly size: Size;
  readonly theme: Theme;
}

/** Exactly `size`, or one line where that is too small. */
export function Frame({ world, view, connection, at, size, theme }: FrameProps): ReactNode {
  const scene = sceneOf(world, view, at);
  if (size.columns < LEAST.columns || size.rows < LEAST.rows)
    return <TooSmall scene={scene} size={size} theme={theme} />;
  const details = view.isDetailOpen ? detailsOf(scene, view) : null;
  const layout = { scene, view, size, theme };
  return (
    <Box width={size.columns} height={size.rows} flexDirection="column" overflow="hidden">
      <Row line={titleLine(scene, view, connection, size.columns, theme)} theme={theme} />
      <Panes {...layout} />
      <Row line={footLine(scene, view, connection, size.columns, theme)} theme={theme} />
      {details === null ? null : <DetailsSheet details={details} size={size} theme={theme} />}
      {view.isHelpOpen ? <HelpSheet size={size} theme={theme} /> : null}
      {view.question === null ? null : (
        <QuestionSheet question={view.question} operator={view.operator} size={size} theme={theme} />
      )}
    </Box>
  );
}

function TooSmall({ scene: { active }, size, theme }: Pick<LayoutProps, 'scene' | 'size' | 'theme'>): ReactNode {
  const safe = active === null ? 'no muster' : `${active.totals.safe}/${active.totals.expected} safe`;
  const text = cut(`too small (${LEAST.columns}x${LEAST.rows} needed): ${safe}`, size.columns);
  return (
    <Box width={size.columns} height={size.rows}>
      <Row line={[span(text)]} theme={theme} />
    </Box>
  );
}

interface LayoutProps {
  readonly scene: Scene;
  readonly view: View;
  readonly size: Size;
  readonly theme: Theme;
}

function Panes(props: LayoutProps): ReactNode {
  const { columns, rows } = props.size;
  if (columns >= 110 && rows >= 34) return <Wide {...props} />;
  return columns >= 80 && rows >= 22 ? <Middle {...props} /> : <Narrow {...props} />;
}

/** Five panes. */
function Wide({ scene, view, size: { columns, rows }, theme }: LayoutProps): ReactNode {
  const common = { scene, view, theme };
  const left = Math.round((columns * 76) / 120);
  const right = columns - left - 1;
  const low = Math.max(8, Math.round((rows * 10) / 40));
  const high = rows - 5 - low;
  const needed = scene.points.reduce((lines, { excluded }) => lines + (excluded === null ? 1 : 2), 0) + 3;
  const points = Math.min(Math.floor(high / 2), Math.max(3, needed));
  return (
    <>
      <Box height={3} paddingTop={1} flexShrink={0}>
        <Rows lines={counterLines(scene, columns, theme)} theme={theme} />
      </Box>
      <Box height={high} columnGap={1}>
        <MapPane area={{ width: left, height: high }} {...common} />
        <Box flexDirection="column">
          <PointsPane area={{ width: right, height: points }} {...common} />
          <PeoplePane area={{ width: right, height: high - points }} {...common} />
        </Box>
      </Box>
      <Box height={low} columnGap={1}>
        <AlertsPane area={{ width: left, height: low }} {...common} />
        <WebhooksPane area={{ width: right, height: low }} {...common} />
      </Box>
    </>
  );
}

/** Map, people, and one pane for the rest. */
function Middle({ scene, view, size: { columns, rows }, theme }: LayoutProps): ReactNode {
  const common = { scene, view, theme };
  const low = Math.max(6, Math.round((rows * 7) / 24));
  const high = rows - 4 - low;
  const left = Math.round((columns * 45) / 80);
  return (
    <>
      <Rows lines={counterLines(scene, columns, theme)} theme={theme} />
      <Box height={high}>
        <MapPane area={{ width: left, height: high }} {...common} />
        <PeoplePane area={{ width: columns - left, height: high }} {...common} />
      </Box>
      <TabsPane area={{ width: columns, height: low }} {...common} />
    </>
  );
}

/** No map unless it is chosen: who is missing, and one pane for the rest. */
function Narrow({ scene, view, size: { columns, rows }, theme }: LayoutProps): ReactNode {
  const common = { scene, view, theme };
  const low = Math.max(5, Math.floor((rows - 4) * 0.4));
  const area = { width: columns, height: rows - 4 - low };
  return (
    <>
      <Rows lines={counterLines(scene, columns, theme)} theme={theme} />
      {view.pane === 'map' ? <MapPane area={area} {...common} /> : <PeoplePane area={area} {...common} />}
      <TabsPane area={{ width: columns, height: low }} {...common} />
    </>
  );
}
