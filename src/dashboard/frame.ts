/** One frame: the whole screen as a sheet of cells, from what is known, what the viewer chose, and the size of the terminal. */

import type { World } from '../watching/world.ts';
import { type Area, box } from './box.ts';
import { type Deed, KEYS, type KeyRow, shownKeys } from './keys.ts';
import { alertRows, alertsPane } from './panes/alerts.ts';
import { counters, titleBar } from './panes/banner.ts';
import { detailsOf } from './panes/details.ts';
import { mapPane } from './panes/map.ts';
import { peoplePane } from './panes/people.ts';
import { pointRows, pointsPane } from './panes/points.ts';
import { webhookRows, webhooksPane } from './panes/webhooks.ts';
import { clean, cut, Paper, type Size } from './paper.ts';
import { type Scene, sceneOf } from './rows.ts';
import type { Theme } from './theme.ts';
import type { Connection, Question, View } from './view.ts';

/** Less than this is one line of text. */
const LEAST: Size = { columns: 60, rows: 16 };

export interface Shown {
  readonly world: World;
  readonly view: View;
  readonly connection: Connection;
  /** Monotonic ms: time passes between two words of the stream. */
  readonly at: number;
}

/** The frame of that size; never larger. */
export function frame({ world, view, connection, at }: Shown, size: Size, theme: Theme): Paper {
  const paper = new Paper(size);
  const scene = sceneOf(world, view, at);
  if (size.columns < LEAST.columns || size.rows < LEAST.rows) {
    tooSmall(paper, scene);
    return paper;
  }
  titleBar(paper, scene, view, connection, theme);
  if (size.columns >= 110 && size.rows >= 34) wide(paper, scene, view, theme);
  else if (size.columns >= 80 && size.rows >= 22) middle(paper, scene, view, theme);
  else narrow(paper, scene, view, theme);
  foot(paper, scene, view, connection, theme);
  if (view.isDetailOpen) details(paper, scene, view, theme);
  if (view.isHelpOpen) help(paper, theme);
  if (view.question !== null) ask(paper, view.question, view, theme);
  return paper;
}

function tooSmall(paper: Paper, { active }: Scene): void {
  const safe = active === null ? 'no muster' : `${active.totals.safe}/${active.totals.expected} safe`;
  paper.write(0, 0, cut(`too small (${LEAST.columns}x${LEAST.rows} needed): ${safe}`, paper.columns));
}

/** Five panes. */
function wide(paper: Paper, scene: Scene, view: View, theme: Theme): void {
  const { columns, rows } = paper;
  counters(paper, 2, scene, theme);
  const left = Math.round((columns * 76) / 120);
  const right = columns - left - 1;
  const low = Math.max(8, Math.round((rows * 10) / 40));
  const high = rows - 5 - low;
  const pointLines = scene.points.reduce((lines, { excluded }) => lines + (excluded === null ? 1 : 2), 0);
  const points = Math.min(Math.floor(high / 2), Math.max(3, pointLines + 3));
  mapPane(paper, { x: 0, y: 4, width: left, height: high }, scene, view, theme);
  pointsPane(paper, { x: left + 1, y: 4, width: right, height: points }, scene, view, theme);
  peoplePane(paper, { x: left + 1, y: 4 + points, width: right, height: high - points }, scene, view, theme);
  alertsPane(paper, { x: 0, y: 4 + high, width: left, height: low }, scene, view, theme);
  webhooksPane(paper, { x: left + 1, y: 4 + high, width: right, height: low }, scene, view, theme);
}

/** Map, people, and one pane for the rest. */
function middle(paper: Paper, scene: Scene, view: View, theme: Theme): void {
  const { columns, rows } = paper;
  counters(paper, 1, scene, theme);
  const low = Math.max(6, Math.round((rows * 7) / 24));
  const high = rows - 4 - low;
  const left = Math.round((columns * 45) / 80);
  mapPane(paper, { x: 0, y: 3, width: left, height: high }, scene, view, theme);
  peoplePane(paper, { x: left, y: 3, width: columns - left, height: high }, scene, view, theme);
  tabs(paper, { x: 0, y: 3 + high, width: columns, height: low }, scene, view, theme);
}

/** No map: who is missing, and one pane for the rest. */
function narrow(paper: Paper, scene: Scene, view: View, theme: Theme): void {
  const { columns, rows } = paper;
  counters(paper, 1, scene, theme);
  const low = Math.max(5, Math.floor((rows - 4) * 0.4));
  const high = rows - 4 - low;
  if (view.pane === 'map') mapPane(paper, { x: 0, y: 3, width: columns, height: high }, scene, view, theme);
  else peoplePane(paper, { x: 0, y: 3, width: columns, height: high }, scene, view, theme);
  tabs(paper, { x: 0, y: 3 + high, width: columns, height: low }, scene, view, theme);
}

function tabs(paper: Paper, area: Area, scene: Scene, view: View, theme: Theme): void {
  const open = scene.alerts.filter(({ status }) => status !== 'resolved').length;
  const failing = scene.destinations.filter(({ failing_since }) => failing_since !== null).length;
  const shown = view.pane === 'points' || view.pane === 'webhooks' ? view.pane : 'alerts';
  const name = (pane: string, text: string): string => (pane === shown ? `[${text}]` : text);
  const bar = theme.glyphs.box[5];
  const inner = box(paper, area, theme, {
    title: [
      name('alerts', `4 Alerts ${open}`),
      name('webhooks', `5 Webhooks${failing > 0 ? ` ${theme.glyphs.help}${failing}` : ''}`),
      name('points', '2 Points'),
    ].join(` ${bar} `),
    hint: 'Tab next',
    focused: view.pane === shown,
  });
  if (shown === 'points') pointRows(paper, inner, scene, view, theme);
  else if (shown === 'webhooks') webhookRows(paper, inner, scene, view, theme);
  else alertRows(paper, inner, scene, view, theme);
}

/** The last row: what was said, or the keys that are worth a press now. */
function foot(paper: Paper, { active }: Scene, view: View, connection: Connection, theme: Theme): void {
  const y = paper.rows - 1;
  if (connection.is === 'broken') {
    const text = ` ${connection.why} What is seen is the last that was told. Trying again (${connection.tries}), q quits. `;
    paper.write(0, y, cut(text, paper.columns, theme.glyphs.dots), 'broken');
    return;
  }
  if (view.said !== null) {
    paper.write(1, y, cut(view.said.text, paper.columns - 2, theme.glyphs.dots), view.said.isBad ? 'help' : 'bold');
    return;
  }
  const idle = active === null ? IDLE_WITHOUT : IDLE_WITHIN;
  const worth = KEYS.filter(
    ({ hint, pane, deed }) => hint !== undefined && (pane === undefined || pane === view.pane) && !idle.has(deed),
  );
  const hints = GROUPS.flatMap((group) => worth.filter((row) => row.group === group && row.deed !== 'quit'));
  hints.push(...worth.filter(({ deed }) => deed === 'quit'));
  // Quit stands last and must not be cut off.
  const quit = hints.at(-1) as KeyRow;
  const end = paper.columns - hintText(quit).length - 1;
  let x = 1;
  for (const row of [...hints.slice(0, -1)]) {
    if (x + hintText(row).length + 2 > end) continue;
    x = hint(paper, x, row, y) + 2;
  }
  hint(paper, x, quit, y);
}

/** Looking around comes first, then acting. */
const GROUPS = ['Look', 'Control room', 'Time'] as const;

/** What does nothing now, without a muster and within one. */
const IDLE_WITHOUT: ReadonlySet<Deed> = new Set(['safe', 'end-muster', 'exclude', 'reinstate']);
const IDLE_WITHIN: ReadonlySet<Deed> = new Set(['start-muster']);

const hintText = (row: KeyRow): string => `${shownKeys(row)} ${row.hint ?? ''}`;

function hint(paper: Paper, x: number, row: KeyRow, y: number): number {
  return paper.write(paper.write(x, y, `${shownKeys(row)} `, 'key'), y, row.hint ?? '', 'dim');
}

/** A box in the middle, with nothing of what is behind it. */
function sheet(paper: Paper, width: number, height: number, title: string, theme: Theme): Area {
  const area = {
    width: Math.min(width, paper.columns),
    height: Math.min(height, paper.rows),
    x: Math.max(0, Math.floor((paper.columns - width) / 2)),
    y: Math.max(0, Math.floor((paper.rows - height) / 2)),
  };
  for (let y = area.y; y < area.y + area.height; y += 1) paper.write(area.x, y, ' '.repeat(area.width));
  return box(paper, area, theme, { title, hint: 'Esc closes', focused: true });
}

/** A label and its text a line; what is too long goes on in the next one. */
function details(paper: Paper, scene: Scene, view: View, theme: Theme): void {
  const found = detailsOf(scene, view);
  if (found === null) return;
  const width = Math.min(paper.columns - 4, 76);
  const room = width - 14;
  const lines = found.lines.flatMap(([label, text]) => {
    const pieces = [...clean(text)].join('').match(new RegExp(`.{1,${room}}`, 'gu')) ?? [''];
    return pieces.map((piece, n) => [n === 0 ? label : '', piece] as const);
  });
  const url = theme.glyphs.mark === '>' ? undefined : found.lines.find(([label]) => label === 'panel')?.[1];
  const inner = sheet(paper, width, lines.length + 2, found.title, theme);
  for (const [n, [label, text]] of lines.slice(0, inner.height).entries()) {
    paper.write(inner.x + 1, inner.y + n, label, 'dim');
    const end = paper.write(inner.x + 12, inner.y + n, text, n === 0 ? 'bold' : 'plain', inner.x + inner.width - 1);
    if (url?.includes(text)) paper.link(inner.x + 12, inner.y + n, end, url);
  }
}

/** All of the key map. */
function help(paper: Paper, theme: Theme): void {
  const isTight = paper.rows < 40;
  const lines = (['Look', 'Time', 'Control room'] as const).flatMap((group) => [
    { keys: '', help: group },
    ...KEYS.filter((row) => row.group === group && row.isForReader !== true).map((row) => ({
      keys: shownKeys(row),
      help: row.help,
    })),
  ]);
  const columnWidth = 56;
  const columns = isTight && paper.columns >= columnWidth * 2 - 34 ? 2 : 1;
  const width = Math.min(paper.columns, columns === 2 ? Math.min(paper.columns, columnWidth * 2) : columnWidth + 4);
  const each = Math.ceil(lines.length / columns);
  const inner = sheet(paper, width, Math.min(paper.rows, each + 2), 'Keys', theme);
  const step = Math.floor(inner.width / columns);
  for (const [n, line] of lines.entries()) {
    const [column, row] = [Math.floor(n / each), n % each];
    if (row >= inner.height) continue;
    const x = inner.x + 1 + column * step;
    const end = x + step - 1;
    if (line.keys === '') paper.write(x, inner.y + row, line.help, 'focus', end);
    else {
      const keys = theme.glyphs.mark === '>' ? line.keys.replace(/[↑↓←→] /, '') : line.keys;
      paper.write(x + 1, inner.y + row, keys, 'key', end);
      paper.write(x + 11, inner.y + row, cut(line.help, end - x - 11, theme.glyphs.dots), 'plain', end);
    }
  }
}

function ask(paper: Paper, question: Question, { operator }: View, theme: Theme): void {
  const width = Math.min(paper.columns - 4, 72);
  const cutTo = (text: string): string => cut(text, width - 4, theme.glyphs.dots);
  const as = `as ${operator}`;
  if (question.kind === 'choice') {
    const inner = sheet(paper, width, question.lines.length + 5, question.title, theme);
    for (const [n, line] of question.lines.entries())
      paper.write(inner.x + 1, inner.y + n, cutTo(line), n === 0 ? 'bold' : 'plain');
    paper.write(inner.x + 1, inner.y + question.lines.length, cutTo(as), 'dim');
    let x = inner.x + 1;
    for (const { key, label } of question.choices) {
      x = paper.write(x, inner.y + question.lines.length + 2, `${key} `, 'key');
      x = paper.write(x, inner.y + question.lines.length + 2, label) + 3;
    }
    return;
  }
  const inner = sheet(paper, width, 7, question.title, theme);
  paper.write(inner.x + 1, inner.y, cutTo(question.label), 'bold');
  const shown = [...question.text].slice(-(width - 6)).join('');
  paper.write(paper.write(inner.x + 1, inner.y + 1, `> ${shown}`), inner.y + 1, '_', 'focus');
  paper.write(inner.x + 1, inner.y + 2, cutTo(as), 'dim');
  paper.write(inner.x + 1, inner.y + 4, 'Enter does it, Esc leaves it', 'dim');
}
