/** Overlays: the details of a row, the help, a question. */
import { Box } from 'ink';
import type { ReactNode } from 'react';
import { KEY_GROUPS, type KeyRow, shownKeys } from '../keys.ts';
import { blank, cell, clean, cut, row, type ScreenSize, span, type TextLine, type TextSpan } from '../lines.ts';
import type { Details } from '../panes/details.ts';
import type { Theme } from '../theme.ts';
import type { ViewQuestion } from '../view.ts';
import { Pane } from './pane.tsx';

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

export function DetailsSheet({ details, size, theme }: OverlayProps & { readonly details: Details }): ReactNode {
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
export function HelpSheet({ page, size, theme }: OverlayProps & { readonly page: number }): ReactNode {
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

export function QuestionSheet({
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
