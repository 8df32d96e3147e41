/** The figures of `sandbox drill` as aligned tables and a curve in characters, for 80 columns and more. [cli] */
import { compared, type DrillFigures } from '../../proving/drill/figures.ts';
import { type FigureTable, tablesOf } from '../../proving/drill/tables.ts';
import {
  ABOUT_INTERVALS,
  COMPARED_HEAD,
  comparedCells,
  dominantText,
  HOW_TO_READ,
  intervalText,
  NOWHERE,
  neverText,
  timeText,
  titleOf,
} from '../../proving/drill/words.ts';
import { filled } from '../fitted.ts';
import { colourOf, outLine } from '../output.ts';
import { entryColumns } from '../verdict.ts';

/** From this width on, tables have additional columns. */
const WIDE = 100;
const WIDEST = 120;

/** Maximum number of queues in a table. The worst come first. */
const MOST_QUEUES = 8;

type TextRow = readonly string[];

/** Prints one layout, or two layouts next to each other. */
export function printDrill(layouts: readonly DrillFigures[], seed: string, runsRequested: number): void {
  const paint = colourOf(process.stdout);
  const width = Math.min(WIDEST, entryColumns(process.stdout));
  const isWide = width >= WIDE;
  const heading = (text: string): void => {
    outLine('');
    outLine(paint('bold', text));
  };
  const table = (title: string, head: TextRow, rows: readonly TextRow[]): void => {
    if (rows.length === 0) return;
    outLine('');
    const [first = '', ...lines] = figureLines([title, ...head], rows, width);
    outLine(paint('bold', first));
    for (const line of lines) outLine(line);
  };
  const [first, second] = layouts;
  if (first === undefined) return;
  const letters = second === undefined ? [''] : ['A', 'B'];
  for (const [i, figures] of layouts.entries()) {
    const letter = letters[i] === '' ? '' : `${letters[i]}  `;
    outLine(paint('bold', `${letter}${titleOf(figures, seed, runsRequested)}`));
    if (second !== undefined) outLine(paint('dim', `   ${figures.layout.label}`));
  }
  outLine(paint('dim', HOW_TO_READ));
  outLine(paint('dim', ABOUT_INTERVALS));
  if (second === undefined)
    table(
      'From the alarm',
      ['median', 'interval', '95th', ...(isWide ? ['interval', '5th'] : []), ''],
      overallRows(first, isWide),
    );
  else {
    const { all, zones } = compared(first, second);
    table(
      'From the alarm',
      COMPARED_HEAD,
      all.map((row) => [row.name ?? '', ...comparedCells(row)]),
    );
    table(
      '90 % safe, by zone at the alarm',
      COMPARED_HEAD,
      zones.map((row) => [row.name ?? NOWHERE, ...comparedCells(row)]),
    );
  }
  for (const [i, figures] of layouts.entries()) {
    const letter = letters[i] === '' ? '' : `${letters[i]}  `;
    if (second !== undefined) heading(`${letter}${figures.layout.planned.name}`);
    outLine('');
    for (const line of filled('', dominantText(figures), width, 0)) outLine(line);
    outLine('');
    for (const line of curveLines(figures, width, lastS(layouts))) outLine(line);
    const { points, zones, unsafe, unseen, queues } = tablesOf(figures);
    for (const { title, head, rows } of [
      without(points, isWide ? ['100 %'] : ['went on', '50 %', '100 %'], ['use']),
      without(zones, isWide ? [] : ['last']),
      ...[unsafe, unseen, cutQueues(queues)],
    ])
      table(title, head, rows);
  }
}

/** What the verdict says of a drill: the times of all layouts, each under the name that the table has. */
export function drillFacts(layouts: readonly DrillFigures[]): string[] {
  const [first] = layouts;
  return (first?.timed ?? []).slice(0, -1).map(({ name }, i) => {
    const times = layouts.map(({ timed }) => timeText(timed[i]?.spread.median ?? null));
    return `${name} ${times.length === 1 ? times[0] : times.map((time, n) => `${'AB'[n]} ${time}`).join(', ')}`;
  });
}

/** The table without columns that have no room, and with no names of columns that are clear. */
function without({ title, head, rows }: FigureTable, left: readonly string[], unnamed: readonly string[] = []) {
  const isKept = (_: string, column: number): boolean => !left.includes(head[column - 1] ?? '');
  return {
    title,
    head: head.filter((name) => !left.includes(name)).map((name) => (unnamed.includes(name) ? '' : name)),
    rows: rows.map((row) => row.filter(isKept)),
  };
}

const overallRows = ({ timed, runs }: DrillFigures, isWide: boolean): TextRow[] =>
  timed.map(({ name, spread, median, p95 }) => [
    name,
    ...[timeText(spread.median), intervalText(median), timeText(spread.p95)],
    ...(isWide ? [intervalText(p95), timeText(spread.p5)] : []),
    neverText(spread, runs.length),
  ]);

function cutQueues(queues: FigureTable): FigureTable {
  const more = queues.rows.length - MOST_QUEUES;
  const rest = more > 0 ? [[`and ${more} more`, ...queues.head.map(() => '')]] : [];
  return { ...queues, rows: [...queues.rows.slice(0, MOST_QUEUES), ...rest] };
}

/** Aligns the columns. The first column is left-aligned and is cut if necessary; the others are right-aligned. */
function figureLines(head: TextRow, rows: readonly TextRow[], width: number): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => lengthOf(row[column] ?? ''))));
  const others = widths.slice(1).reduce((sum, one) => sum + one + 2, 0);
  const room = Math.max(12, Math.min(widths[0] ?? 0, width - others - 2));
  return all.map((row) => {
    const cells = row.slice(1).map((cell, i) => `  ${' '.repeat((widths[i + 1] ?? 0) - lengthOf(cell))}${cell}`);
    return `  ${cut(row[0] ?? '', room)}${cells.join('')}`.trimEnd();
  });
}

const lengthOf = (text: string): number => [...text].length;

function cut(text: string, room: number): string {
  const characters = [...text];
  if (characters.length <= room) return text.padEnd(room + text.length - characters.length);
  return `${characters.slice(0, room - 1).join('')}…`;
}

const CURVE_ROWS = 8;
const EIGHTHS = '▁▂▃▄▅▆▇█';
const AXIS_WIDTH = 9;

const lastS = (layouts: readonly DrillFigures[]): number =>
  Math.max(...layouts.map(({ curve }) => curve.at(-1)?.s ?? 0));

/** The median share of safe people over time. Each row is an eighth of the people. */
function curveLines({ curve }: DrillFigures, width: number, endS: number): string[] {
  const minutes = Math.max(1, Math.ceil(endS / 60));
  const columns = Math.min(width, 96) - AXIS_WIDTH - 2;
  const step = TICK_MINUTES.find((one) => minutes / one <= columns / 8) ?? 60;
  const shareAt = (column: number): number =>
    curve.findLast(({ s }) => s <= ((column + 1) * minutes * 60) / columns)?.median ?? 0;
  const rows = Array.from({ length: CURVE_ROWS }, (_, row) => {
    const bottom = 100 - ((row + 1) * 100) / CURVE_ROWS;
    const cells = Array.from({ length: columns }, (__, column) => {
      const eighths = Math.floor((8 * CURVE_ROWS * (shareAt(column) - bottom)) / 100);
      return eighths <= 0 ? ' ' : EIGHTHS[Math.min(8, eighths) - 1];
    });
    const label = row % 2 === 0 ? `${100 - (row * 100) / CURVE_ROWS} %` : '';
    return `  ${label.padStart(AXIS_WIDTH - 3)}│${cells.join('')}`.trimEnd();
  });
  const axis = Array.from({ length: columns }, () => '─');
  const labels = Array.from({ length: columns + 6 }, () => ' ');
  for (let minute = step; minute <= minutes; minute += step) {
    const column = Math.min(columns - 1, Math.round((minute * columns) / minutes) - 1);
    axis[column] = '┴';
    const text = `${minute} min`;
    for (const [i, character] of [...text].entries()) labels[Math.max(0, column - text.length + 1) + i] = character;
  }
  const indent = ' '.repeat(AXIS_WIDTH - 1);
  return [...rows, `${indent}└${axis.join('')}`, `${indent} ${labels.join('').trimEnd()}`];
}

const TICK_MINUTES = [1, 2, 5, 10, 15, 30] as const;
