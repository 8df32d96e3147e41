/** One frame: the layout that fits the terminal, the lines of each pane, and the overlays. */

import { Box, renderToString } from 'ink';
import type { ReactNode } from 'react';
import { isOpen } from '../../watching/people.ts';
import { footLine } from '../foot.ts';
import { KEY_GROUPS, type KeyRow, shownKeys } from '../keys.ts';
import { type Area, type Layout, LEAST, layoutOf, type PaneLines } from '../layout.ts';
import { blank, cell, clean, cut, row, type ScreenSize, span, type TextLine, type TextSpan } from '../lines.ts';
import { alertLines, alertsPaneLines } from '../panes/alerts.ts';
import { counterLines, titleLine } from '../panes/banner.ts';
import { type Details, detailsOf } from '../panes/details.ts';
import { mapPaneLines } from '../panes/map.ts';
import { peopleLines } from '../panes/people.ts';
import { pointLines, pointRowsOf, pointsPaneLines } from '../panes/points.ts';
import { webhookLines, webhooksPaneLines } from '../panes/webhooks.ts';
import type { DashboardState } from '../store.ts';
import type { Theme } from '../theme.ts';
import { type DashboardScene, type DashboardView, type Pane as PaneName, sceneOf, type ViewQuestion } from '../view.ts';
import { insideOf, Pane, Row, Rows } from './pane.tsx';

export type FrameState = Omit<DashboardState, 'size'>;

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

// The five panes, and the one with tabs for small terminals.

interface ScenePaneProps {
  readonly area: Area;
  readonly scene: DashboardScene;
  readonly view: DashboardView;
  readonly theme: Theme;
}

type LinesOf = (scene: DashboardScene, view: DashboardView, theme: Theme, room: Area) => PaneLines;

const paneOf =
  (name: PaneName, linesOf: LinesOf) =>
  ({ area, scene, view, theme }: ScenePaneProps): ReactNode => (
    <Pane area={area} focused={view.pane === name} theme={theme} {...linesOf(scene, view, theme, insideOf(area))} />
  );

const MapPane = paneOf('map', mapPaneLines);
const PointsPane = paneOf('points', pointsPaneLines);
export const PeoplePane = paneOf('people', peopleLines);
const AlertsPane = paneOf('alerts', alertsPaneLines);
const WebhooksPane = paneOf('webhooks', webhooksPaneLines);

/** Alerts, webhooks or points. */
export function TabsPane({ area, scene, view, theme }: ScenePaneProps): ReactNode {
  const open = scene.alerts.filter(isOpen).length;
  const failing = scene.destinations.filter(({ failing_since }) => failing_since !== null).length;
  const shown = view.pane === 'points' || view.pane === 'webhooks' ? view.pane : 'alerts';
  const name = (pane: PaneName, text: string): string => (pane === shown ? `[${text}]` : text);
  const title = [
    name('alerts', `4 Alerts ${open}`),
    name('webhooks', `5 Webhooks${failing > 0 ? ` ${theme.glyphs.rescue}${failing}` : ''}`),
    name('points', '2 Points'),
  ].join(` ${theme.glyphs.box[5]} `);
  const linesOf = { points: pointLines, webhooks: webhookLines, alerts: alertLines }[shown];
  const lines = linesOf(scene, view, theme, insideOf(area));
  return <Pane area={area} title={title} hint="Tab next" focused={view.pane === shown} lines={lines} theme={theme} />;
}

interface OverlayProps {
  readonly size: ScreenSize;
  readonly theme: Theme;
}

interface SheetProps extends OverlayProps {
  readonly width: number;
  /** Rows inside the border. */
  readonly height: number;
  readonly title: string;
  readonly lines: readonly TextLine[];
}

/** Centred; it covers what is below. */
function Sheet({ size, width, height, title, lines, theme }: SheetProps): ReactNode {
  const area = { width, height: Math.min(size.rows, height + 2) };
  const left = Math.max(0, Math.floor((size.columns - width) / 2));
  const top = Math.max(0, Math.floor((size.rows - area.height) / 2));
  const whole = Array.from({ length: height }, (_, n) => row(width - 2, lines[n] ?? []));
  return (
    <Box position="absolute" marginLeft={left} marginTop={top}>
      <Pane area={area} title={title} hint="Esc closes" focused lines={whole} theme={theme} />
    </Box>
  );
}

// Overlays: the details of a row, the help, a question.

function DetailsSheet({ details, size, theme }: OverlayProps & { readonly details: Details }): ReactNode {
  const width = Math.min(size.columns - 4, 76);
  const room = width - 14;
  const url = theme.isAscii ? undefined : details.lines.find(([label]) => label === 'panel')?.[1];
  const lines = details.lines.flatMap(([label, text]): TextLine[] => {
    const pieces = clean(text).match(new RegExp(`.{1,${room}}`, 'gu')) ?? [''];
    return pieces.map((piece, n) => [blank(1), cell(n === 0 ? label : '', 11, 'dim'), linked(piece, url)]);
  });
  const [first = []] = lines;
  const titled = [first.map((piece, n) => (n === 2 ? { ...piece, role: 'bold' as const } : piece)), ...lines.slice(1)];
  return <Sheet size={size} width={width} height={lines.length} title={details.title} lines={titled} theme={theme} />;
}

const linked = (text: string, url: string | undefined): TextSpan =>
  url?.includes(text) === true ? { text, role: 'plain', url } : span(text);

/** The key map, on as many pages as it needs. */
function HelpSheet({ page, size, theme }: OverlayProps & { readonly page: number }): ReactNode {
  const columnWidth = 56;
  const columns = size.rows < 42 && size.columns >= columnWidth * 2 - 34 ? 2 : 1;
  const width = Math.min(size.columns, columns === 2 ? columnWidth * 2 : columnWidth + 4);
  const step = Math.floor((width - 2) / columns);
  const all = helpLines(step, theme);
  const rows = Math.min(Math.ceil(all.length / columns), size.rows - 2);
  const pages = Math.ceil(all.length / (rows * columns));
  const shown = ((page % pages) + pages) % pages;
  const from = shown * rows * columns;
  const lines = Array.from({ length: rows }, (_, n) =>
    Array.from({ length: columns }, (__, column) => row(step, all[from + column * rows + n] ?? [])).flat(),
  );
  const title = pages === 1 ? 'Keys' : `Keys ${shown + 1}/${pages}  PgDn`;
  return <Sheet size={size} width={width} height={rows} title={title} lines={lines} theme={theme} />;
}

function helpLines(width: number, theme: Theme): TextLine[] {
  const lineOf = (key: KeyRow): TextLine => {
    const keys = theme.isAscii ? shownKeys(key).replace(/[↑↓←→] /, '') : shownKeys(key);
    return [blank(2), cell(keys, 10, 'key'), span(cut(key.help, width - 13, theme.glyphs.dots))];
  };
  return Object.entries(KEY_GROUPS).flatMap(([group, keys]) => [
    [blank(1), span(group, 'focus')],
    ...keys.filter(({ isForReader }) => isForReader !== true).map(lineOf),
  ]);
}

function QuestionSheet({
  question,
  operator,
  size,
  theme,
}: OverlayProps & { readonly question: ViewQuestion; readonly operator: string }): ReactNode {
  const width = Math.min(size.columns - 4, 72);
  const cutTo = (text: string): string => cut(text, width - 4, theme.glyphs.dots);
  const as: TextLine = [blank(1), span(cutTo(`as ${operator}`), 'dim')];
  const lines: TextLine[] =
    question.kind === 'choice'
      ? [
          ...question.lines.map((line, n): TextLine => [blank(1), span(cutTo(line), n === 0 ? 'bold' : 'plain')]),
          as,
          [],
          [blank(1), ...question.choices.flatMap(({ key, label }) => [span(`${key} `, 'key'), span(`${label}   `)])],
        ]
      : [
          [blank(1), span(cutTo(question.label), 'bold')],
          [blank(1), span(`> ${[...question.text].slice(-(width - 6)).join('')}`), span('_', 'focus')],
          as,
          [],
          [blank(1), span('Enter does it, Esc leaves it', 'dim')],
        ];
  return <Sheet size={size} width={width} height={lines.length} title={question.title} lines={lines} theme={theme} />;
}
