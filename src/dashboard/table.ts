/** The rows of every pane as cells: the table draws them in the width that there is, and the screen reader speaks them. */
import { cellsOf, clean, cut } from './terminal/cells.ts';
import { blank, span, type TextLine, type TextSpan } from './terminal/lines.ts';
import type { Role, Theme } from './terminal/theme.ts';

/** One cell of a row. */
export interface RowCell {
  /** Forms of the text, the longest first: the longest that fits is shown. */
  readonly text: readonly string[];
  /** The words for the screen reader; empty: nothing is spoken. */
  readonly spoken: string;
  /** The meaning, which gives the colour. */
  readonly token: Role;
  /** A column with a higher priority gets its width first, and is omitted later. */
  readonly priority: number;
  /** The text may be cut to this width; absent: it is shown in one of its forms, or omitted. */
  readonly least?: number;
  readonly isRight?: boolean;
  /** Free width goes into the column. */
  readonly grows?: boolean;
  /**
   * Absent where a sentence about a change says it in another way or leaves it out: its state, how long ago it was, or the counters
   * that do not decide.
   */
  readonly part?: 'state' | 'age' | 'rest';
}

export interface PaneRow {
  /** The id of what a click chooses; null: none. */
  readonly id: string | null;
  /** Rows of one kind share the widths of their columns. */
  readonly kind: string;
  readonly cells: readonly RowCell[];
  /** The whole row is highlighted. */
  readonly isNew?: boolean;
}

/** A column of a pane: what its cell says of an item. */
export interface Column<Item, Context> extends Omit<RowCell, 'text' | 'spoken' | 'token'> {
  readonly cell: (item: Item, context: Context) => CellContent;
}

/** Absent `spoken`: the longest text. */
type CellContent = readonly [text: string | readonly string[], token: Role, spoken?: string];

/** The cells of an item, one for each column. */
export const cellsFor = <Item, Context>(
  columns: readonly Column<Item, Context>[],
  item: Item,
  context: Context,
): RowCell[] =>
  columns.map(({ cell: contentOf, ...form }) => {
    const [content, token, spoken] = contentOf(item, context);
    const text = typeof content === 'string' ? [content] : content;
    return { ...form, text, token, spoken: spoken ?? text[0] ?? '' };
  });

/** A row of one text. */
export const textRow = (text: string, token: Role = 'dim', id: string | null = null): PaneRow => ({
  id,
  kind: 'text',
  cells: [{ text: [text], spoken: text, token, priority: 1, least: 1 }],
});

/** The row as a sentence; `without`: the parts that are left out. */
export function spokenRow({ cells }: Pick<PaneRow, 'cells'>, ...without: RowCell['part'][]): string {
  const words = cells.filter(({ part, spoken }) => spoken !== '' && (part === undefined || !without.includes(part)));
  return words
    .map(({ spoken }) => spoken)
    .join(', ')
    .replace(/[.:]?$/, '.');
}

/** From this width on, a blank separates the rows from the border. */
const WITH_MARGIN = 50;
/** Cells between two columns. */
const GAP = 1;
/** More free width than this would tear a row apart. */
const MOST_GROWTH = 12;

/** The texts of cells of which all have the same form: the first in which they fit into the room, with a gap before each; or the last. */
export function alikeTexts(cells: readonly RowCell[], room: number, gap: number): string[] {
  const many = Math.max(0, ...cells.map(({ text }) => text.length));
  const forms = Array.from({ length: many }, (_, form) => cells.map(({ text }) => text[form] ?? text.at(-1) ?? ''));
  const fits = (texts: readonly string[]): boolean => texts.reduce((sum, text) => sum + cellsOf(text) + gap, 0) < room;
  return forms.find(fits) ?? forms.at(-1) ?? [];
}

interface TableView {
  readonly width: number;
  readonly chosen: string | null;
  readonly isFocused: boolean;
}

/** The lines of the rows, each of `width` cells, of which the first marks the chosen row. */
export function tableLines(
  rows: readonly PaneRow[],
  { width, chosen, isFocused }: TableView,
  theme: Theme,
): TextLine[] {
  const widths = new Map<string, readonly number[]>();
  for (const { kind } of rows)
    if (!widths.has(kind))
      widths.set(
        kind,
        columnWidths(
          rows.filter((row) => row.kind === kind),
          width - 1 - (width >= WITH_MARGIN && kind !== 'text' ? 1 : 0),
        ),
      );
  return rows.map((row) => {
    const isChosen = row.id !== null && row.id === chosen && row.kind !== 'text';
    const mark = span(isChosen ? theme.glyphs.mark : ' ', isFocused ? 'focus' : 'dim');
    return [mark, ...lineOf(row, widths.get(row.kind) ?? [], width - 1, theme)];
  });
}

function lineOf({ cells, isNew }: PaneRow, widths: readonly number[], width: number, theme: Theme): TextLine {
  const spans: TextSpan[] = [];
  let used = 0;
  for (const [place, { text, token, isRight = false }] of cells.entries()) {
    const room = widths[place] ?? 0;
    if (room <= 0) continue;
    const role: Role = isNew === true ? 'selected' : token;
    if (used > 0) spans.push(blank(GAP, isNew === true ? role : 'plain'));
    const shown = text.find((form) => cellsOf(clean(form)) <= room) ?? text.at(-1) ?? '';
    const written = cut(clean(shown), room, theme.glyphs.dots);
    const pad = ' '.repeat(Math.max(0, room - cellsOf(written)));
    spans.push({ text: isRight ? `${pad}${written}` : `${written}${pad}`, role });
    used += room + (used > 0 ? GAP : 0);
  }
  return [...spans, blank(width - used, isNew === true ? 'selected' : 'plain')];
}

interface ColumnForm {
  readonly priority: number;
  readonly grows: boolean;
  /** Smallest and largest useful width. */
  readonly least: number;
  readonly most: number;
  /** The width that most rows need: one long text does not take it from the other columns. */
  readonly usual: number;
  /** The widths of the forms, the longest first, if the text is never cut; null: every width is of use. */
  readonly steps: readonly number[] | null;
}

/**
 * The width of each column; 0: it is omitted. Columns of low priority are omitted until the others have their smallest
 * width. The rest goes to the columns by priority: texts that would be cut have their usual width first, then words have
 * their longer forms, then the longest texts. What is still free goes to the columns that grow.
 */
function columnWidths(rows: readonly PaneRow[], width: number): number[] {
  const forms = Array.from({ length: rows[0]?.cells.length ?? 0 }, (_, place) => formOf(rows, place));
  const shown = new Set([...forms.keys()].filter((place) => (forms[place] as ColumnForm).most > 0));
  const byPriority = [...shown].sort((a, b) => priorityOf(b) - priorityOf(a));
  function priorityOf(place: number): number {
    return (forms[place] as ColumnForm).priority;
  }
  const needed = (): number =>
    [...shown].reduce((sum, place) => sum + (forms[place] as ColumnForm).least, Math.max(0, shown.size - 1) * GAP);
  for (const place of byPriority.toReversed()) if (shown.size > 1 && needed() > width) shown.delete(place);
  const widths = forms.map(({ least }, place) => (shown.has(place) ? least : 0));
  let rest = width - needed();
  const widen = (isCut: boolean, widthOf: (form: ColumnForm) => number): void => {
    for (const place of byPriority) {
      const form = forms[place] as ColumnForm;
      if (!shown.has(place) || (form.steps === null) !== isCut) continue;
      const before = widths[place] as number;
      const room = Math.max(before, Math.min(before + rest, widthOf(form)));
      widths[place] = form.steps?.find((step) => step <= room) ?? room;
      rest -= (widths[place] as number) - before;
    }
  };
  widen(true, ({ usual }) => usual);
  widen(false, ({ most }) => most);
  widen(true, ({ most }) => most);
  const growing = byPriority
    .filter((place) => shown.has(place) && (forms[place] as ColumnForm).grows)
    .sort((a, b) => a - b);
  const last = growing.at(-1);
  if (last === undefined || rest <= 0) return widths;
  const each = Math.min(MOST_GROWTH, Math.floor(rest / growing.length));
  for (const place of growing) widths[place] = (widths[place] as number) + each;
  widths[last] = (widths[last] as number) + rest - each * growing.length;
  return widths;
}

/** The part of the rows whose texts are usual. */
const MOST_ROWS = 0.8;

function formOf(rows: readonly PaneRow[], place: number): ColumnForm {
  let [shortest, most, priority, grows] = [0, 0, 0, false];
  let least: number | undefined;
  const lengthsOf: number[][] = [];
  for (const { cells } of rows) {
    const one = cells[place];
    if (one === undefined) continue;
    const lengths = one.text.map((form) => cellsOf(clean(form)));
    lengthsOf.push(lengths);
    shortest = Math.max(shortest, lengths.at(-1) ?? 0);
    most = Math.max(most, lengths[0] ?? 0);
    priority = Math.max(priority, one.priority);
    grows ||= one.grows === true;
    if (one.least !== undefined) least = Math.max(least ?? 0, one.least);
  }
  const longest = lengthsOf.map(([first = 0]) => first).sort((a, b) => a - b);
  const usual = longest[Math.ceil(longest.length * MOST_ROWS) - 1] ?? most;
  if (least !== undefined) return { priority, grows, most, usual, least: Math.min(shortest, least), steps: null };
  const many = Math.max(0, ...lengthsOf.map(({ length }) => length));
  const steps = Array.from({ length: many }, (_, form) =>
    Math.max(...lengthsOf.map((lengths) => lengths[form] ?? lengths.at(-1) ?? 0)),
  );
  return { priority, grows, most, usual, least: shortest, steps };
}

/** A list from `from` on: what fits into `room` rows, and the number of the others. */
interface ListWindow<Item> {
  readonly shown: readonly Item[];
  /** Null: all are shown. */
  readonly more: string | null;
}

/**
 * The items around the chosen one. With hidden items, one of the rows has their number, unless there is only one row.
 * `many`: the number that an item stands for.
 */
export function windowOf<Item extends { readonly id: string }>(
  items: readonly Item[],
  chosen: string | null,
  room: number,
  many: (item: Item) => number = () => 1,
): ListWindow<Item> {
  if (items.length <= room || room < 1) return { shown: items.slice(0, Math.max(0, room)), more: null };
  const height = Math.max(1, room - 1);
  const place = items.findIndex(({ id }) => id === chosen);
  // The row after the chosen one is visible too, if there is room.
  const last = place + (height > 1 ? 1 : 0);
  const from = Math.max(0, Math.min(last - height + 1, items.length - height));
  const countOf = (some: readonly Item[]): number => some.reduce((sum, item) => sum + many(item), 0);
  const below = countOf(items.slice(from + height));
  const more = below > 0 ? `${below} more` : `end of ${countOf(items)}`;
  return { shown: items.slice(from, from + height), more: room < 2 ? null : more };
}
