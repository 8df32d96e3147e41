/** One frame: the layout that fits the terminal, and the overlays. */
import { Box, renderToString } from 'ink';
import type { ReactNode } from 'react';
import type { StreamState } from '../../watching/state.ts';
import { footLine } from '../foot.ts';
import { type Layout, LEAST, layoutOf } from '../layout.ts';
import { cut, type ScreenSize, span } from '../lines.ts';
import { counterLines, titleLine } from '../panes/banner.ts';
import { detailsOf } from '../panes/details.ts';
import { pointRowsOf } from '../panes/points.ts';
import { type DashboardScene, sceneOf } from '../rows.ts';
import type { Theme } from '../theme.ts';
import type { Connection, DashboardView } from '../view.ts';
import { DetailsSheet, HelpSheet, QuestionSheet } from './overlays.tsx';
import { AlertsPane, MapPane, PeoplePane, PointsPane, TabsPane, WebhooksPane } from './panes.tsx';
import { Row, Rows } from './row.tsx';

export interface FrameState {
  readonly world: StreamState;
  readonly view: DashboardView;
  readonly connection: Connection;
  /** Monotonic ms: the simulated clock is extrapolated to it. */
  readonly at: number;
}

export interface FrameProps extends FrameState {
  readonly size: ScreenSize;
  readonly theme: Theme;
}

/** Exactly `size`, or one line where that is too small. */
export function Frame({ world, view, connection, at, size, theme }: FrameProps): ReactNode {
  const scene = sceneOf(world, view, at);
  const layout = layoutOf(size, pointRowsOf(scene));
  if (layout.kind === 'small') return <TooSmall scene={scene} size={size} theme={theme} />;
  const details = view.isDetailOpen ? detailsOf(scene, view) : null;
  return (
    <Box width={size.columns} height={size.rows} flexDirection="column" overflow="hidden">
      <Row line={titleLine(scene, view, connection, size.columns, theme)} theme={theme} />
      <Panes layout={layout} scene={scene} view={view} size={size} theme={theme} />
      <Row line={footLine(scene, view, connection, size.columns, theme)} theme={theme} />
      {details === null ? null : <DetailsSheet details={details} size={size} theme={theme} />}
      {view.isHelpOpen ? <HelpSheet page={view.helpPage} size={size} theme={theme} /> : null}
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
  readonly scene: DashboardScene;
  readonly view: DashboardView;
  readonly size: ScreenSize;
  readonly theme: Theme;
}

function Panes({ layout, ...props }: LayoutProps & { readonly layout: Exclude<Layout, { kind: 'small' }> }): ReactNode {
  const common = { scene: props.scene, view: props.view, theme: props.theme };
  const counters = <Rows lines={counterLines(props.scene, props.size.columns, props.theme)} theme={props.theme} />;
  if (layout.kind === 'wide') {
    const { map, points, people, alerts, webhooks } = layout.areas;
    return (
      <>
        <Box height={3} paddingTop={1} flexShrink={0}>
          {counters}
        </Box>
        <Box height={map.height} columnGap={1}>
          <MapPane area={map} {...common} />
          <Box flexDirection="column">
            <PointsPane area={points} {...common} />
            <PeoplePane area={people} {...common} />
          </Box>
        </Box>
        <Box height={alerts.height} columnGap={1}>
          <AlertsPane area={alerts} {...common} />
          <WebhooksPane area={webhooks} {...common} />
        </Box>
      </>
    );
  }
  const { map, people, tabs } = layout.areas;
  const isMapShown = layout.kind === 'middle' || props.view.pane === 'map';
  const arePeopleShown = layout.kind === 'middle' || props.view.pane !== 'map';
  return (
    <>
      {counters}
      <Box height={map.height}>
        {isMapShown ? <MapPane area={map} {...common} /> : null}
        {arePeopleShown ? <PeoplePane area={people} {...common} /> : null}
      </Box>
      <TabsPane area={tabs} {...common} />
    </>
  );
}

/** A frame as text, without a terminal: one string per row, with SGR sequences if chalk's colour support is on. */
export function frameText(frame: FrameState, size: ScreenSize, theme: Theme): string[] {
  const text = renderToString(<Frame {...frame} size={size} theme={theme} />, { columns: size.columns });
  const lines = text.split('\n');
  const shown = Array.from({ length: size.rows }, (_, y) => lines[y] ?? '');
  return theme.name === 'mono' ? shown.map((line) => line.trimEnd()) : shown;
}
