/** One frame: the layout that fits the terminal, the panes, and the sheets over them. */

import { stripVTControlCharacters } from 'node:util';
import { Box, renderToString } from 'ink';
import type { ReactNode } from 'react';
import { PERSON_TERMS, SEVERITY_TERMS } from '../../contract/resources/vocabulary.ts';
import { emergencyCount } from '../../watching/state/emergencies.ts';
import { isOpenCritical } from '../../watching/state/people.ts';
import { footLine } from '../foot.ts';
import { alertsTab } from '../panes/alerts.ts';
import { counterLines } from '../panes/banner.ts';
import { detailsOf } from '../panes/details.ts';
import { pointRowsOf } from '../panes/points.ts';
import { failingCount } from '../panes/webhooks.ts';
import type { DashboardState } from '../store.ts';
import { cut } from '../terminal/cells.ts';
import { type Layout, LEAST, layoutOf, tabOf } from '../terminal/layout.ts';
import type { ScreenSize } from '../terminal/lines.ts';
import type { Theme } from '../terminal/theme.ts';
import { type DashboardScene, type DashboardView, type Pane as PaneName, sceneOf } from '../view.ts';
import { useDashboardKeys, useSheetKeys } from './keys.tsx';
import { ListPane, type ScenePaneProps } from './list-pane.tsx';
import { CoveredContext, Row, Styled, ThemeContext, useTheme } from './look.tsx';
import { MapPane } from './map-pane.tsx';
import { DetailsSheet, HelpSheet, Inspector, QuestionSheet } from './sheets.tsx';
import { TitleBar } from './title-bar.tsx';

export type FrameState = Omit<DashboardState, 'size'>;

interface FrameProps extends FrameState {
  readonly size: ScreenSize;
  readonly theme: Theme;
}

/** A frame of exactly `size`, or a single line if that is too small. */
export function DashboardFrame({ world, view, connection, at, size, theme }: FrameProps): ReactNode {
  const scene = sceneOf(world, view, at);
  const layout = layoutOf(size, pointRowsOf(scene), view);
  const isDocked = layout.kind !== 'small' && layout.inspector !== null;
  const details = view.isDetailOpen && !isDocked ? detailsOf(scene, view) : null;
  useDashboardKeys(view);
  useSheetKeys(view.isFiltering);
  return (
    <ThemeContext value={theme}>
      {layout.kind === 'small' ? (
        <TooSmall scene={scene} size={size} />
      ) : (
        <Box width={size.columns} height={size.rows} flexDirection="column">
          <TitleBar scene={scene} view={view} connection={connection} columns={size.columns} />
          <CoveredContext value={details !== null || view.isHelpOpen || view.question !== null}>
            <Panes layout={layout} scene={scene} view={view} size={size} />
          </CoveredContext>
          <Row line={footLine(scene, view, connection, size.columns, theme)} />
          {details === null ? null : <DetailsSheet details={details} size={size} />}
          {view.isHelpOpen ? <HelpSheet page={view.helpPage} size={size} /> : null}
          {view.question === null ? null : (
            <QuestionSheet question={view.question} operator={view.operator} size={size} />
          )}
        </Box>
      )}
    </ThemeContext>
  );
}

/** Emergencies come first, as the line may be cut. */
function TooSmall({ scene, size }: Pick<LayoutProps, 'scene' | 'size'>): ReactNode {
  const { glyphs } = useTheme();
  const { active, alerts, elsewhere, rescue, isKnown } = scene;
  const critical = alerts.filter(isOpenCritical).length;
  const others = emergencyCount(elsewhere);
  const parts = [
    rescue > 0 ? `${rescue} ${PERSON_TERMS.rescue.word}` : '',
    critical > 0 ? `${critical} ${SEVERITY_TERMS.critical.word}` : '',
    others > 0 ? `${others} elsewhere` : '',
    active === null ? '' : `${active.totals.safe}/${active.totals.expected} ${PERSON_TERMS.safe.word}`,
    `too small: ${LEAST.columns}x${LEAST.rows} needed`,
  ];
  const text = isKnown ? parts.filter((part) => part !== '').join(', ') : (parts.at(-1) as string);
  return (
    <Box width={size.columns} height={size.rows}>
      <Styled tone={rescue + critical + others > 0 ? 'rescue' : 'plain'}>{cut(text, size.columns, glyphs.dots)}</Styled>
    </Box>
  );
}

interface LayoutProps {
  readonly scene: DashboardScene;
  readonly view: DashboardView;
  readonly size: ScreenSize;
}

function Panes({ layout, ...props }: LayoutProps & { readonly layout: Exclude<Layout, { kind: 'small' }> }): ReactNode {
  const { scene, view } = props;
  if (layout.kind === 'wide') {
    const { map, points, people, alerts, webhooks } = layout.areas;
    const { inspector } = layout;
    const shown = inspector === null ? null : <Inspector area={inspector.area} scene={scene} view={view} />;
    return (
      <>
        <Box height={3} paddingTop={1} flexShrink={0}>
          <Counters {...props} />
        </Box>
        <Box height={map.height + alerts.height} columnGap={1}>
          <Box flexDirection="column">
            <Box height={map.height} columnGap={1}>
              <MapPane area={map} scene={scene} view={view} />
              <Box flexDirection="column">
                <ListPane pane="points" area={points} scene={scene} view={view} />
                <ListPane pane="people" area={people} scene={scene} view={view} />
              </Box>
            </Box>
            <Box height={alerts.height} columnGap={1}>
              {inspector?.over === 'alerts' ? (
                shown
              ) : (
                <ListPane pane="alerts" area={alerts} scene={scene} view={view} />
              )}
              {inspector?.over === 'webhooks' ? (
                shown
              ) : (
                <ListPane pane="webhooks" area={webhooks} scene={scene} view={view} />
              )}
            </Box>
          </Box>
          {inspector?.over === null ? shown : null}
        </Box>
      </>
    );
  }
  const { map, people, tabs } = layout.areas;
  const isMapShown = layout.kind === 'middle' || view.pane === 'map';
  const arePeopleShown = layout.kind === 'middle' || view.pane !== 'map';
  return (
    <>
      <Counters {...props} />
      <Box height={map.height}>
        {isMapShown ? <MapPane area={map} scene={scene} view={view} /> : null}
        {arePeopleShown ? <ListPane pane="people" area={people} scene={scene} view={view} /> : null}
      </Box>
      <Box height={tabs.height}>
        <TabsPane area={tabs} scene={scene} view={view} />
        {layout.inspector === null ? null : <Inspector area={layout.inspector.area} scene={scene} view={view} />}
      </Box>
    </>
  );
}

function Counters({ scene, view, size }: LayoutProps): ReactNode {
  const [counters, bar] = counterLines(scene, view, size.columns, useTheme());
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Row line={counters} />
      <Row line={bar} />
    </Box>
  );
}

/** The pane that shows alerts, webhooks or points. */
export function TabsPane({ area, scene, view }: ScenePaneProps): ReactNode {
  const look = useTheme();
  const failing = scene.isKnown ? failingCount(scene) : 0;
  const shown = tabOf(view.pane);
  const name = (pane: PaneName, text: string): string => (pane === shown ? `[${text}]` : text);
  const title = [
    name('alerts', alertsTab(scene, look)),
    name('webhooks', `5 Webhooks${failing > 0 ? ` ${look.glyphs.failed}${failing}` : ''}`),
    name('points', '2 Points'),
  ].join(` ${look.glyphs.box[5]} `);
  return <ListPane pane={shown} area={area} scene={scene} view={view} title={title} hint="Tab next" />;
}

/** A frame as text, without a terminal: one string per row, with SGR sequences if chalk's colour support is on. */
function frameLines(frame: FrameState, size: ScreenSize, theme: Theme): string[] {
  const text = renderToString(<DashboardFrame {...frame} size={size} theme={theme} />, { columns: size.columns });
  const lines = text.split('\n');
  return Array.from({ length: size.rows }, (_, y) => lines[y] ?? '');
}

/** As `frameLines`; in the theme without colours, only plain text. */
export function frameText(frame: FrameState, size: ScreenSize, theme: Theme): string[] {
  const lines = frameLines(frame, size, theme);
  return theme.name === 'mono' ? lines.map((line) => stripVTControlCharacters(line).trimEnd()) : lines;
}
