/** Sheets over the panes: the details of a row, the help, and questions. */

import { Box } from 'ink';
import type { ReactNode } from 'react';
import { KEY_GROUPS, type KeyRow, shownKeys } from '../keys.ts';
import { type Details, detailLines, detailsOf } from '../panes/details.ts';
import { charactersOf, clean, cut } from '../terminal/cells.ts';
import { insideOf } from '../terminal/layout.ts';
import type { ScreenSize } from '../terminal/lines.ts';
import type { ViewQuestion } from '../view.ts';
import { useSheetKeys } from './keys.tsx';
import { Lines, type ScenePaneProps } from './list-pane.tsx';
import { Cell, Row, Styled, useTheme } from './look.tsx';
import { PaneFrame } from './pane.tsx';

interface SheetProps {
  readonly size: ScreenSize;
  readonly width: number;
  /** Rows inside the border. */
  readonly height: number;
  readonly title: string;
  readonly children: readonly ReactNode[];
}

/** A sheet is centred. It covers the content below, but never the title bar, which shows emergencies at other sites. */
function Sheet({ size, width, height, title, children }: SheetProps): ReactNode {
  const area = { width, height: Math.min(size.rows - 1, height + 2) };
  const left = Math.max(0, Math.floor((size.columns - width) / 2));
  const top = Math.max(1, Math.floor((size.rows - area.height) / 2));
  return (
    <Box position="absolute" marginLeft={left} marginTop={top}>
      <PaneFrame area={area} title={title} hint="Esc closes" focused>
        {Array.from({ length: area.height - 2 }, (_, n) => (
          // Each row is as wide as the sheet, as Ink does not erase what is below.
          // biome-ignore lint/suspicious/noArrayIndexKey: a row of the sheet is the same row whatever it shows.
          <Filled key={n} width={width - 2}>
            {children[n] ?? null}
          </Filled>
        ))}
      </PaneFrame>
    </Box>
  );
}

/** A row over blanks. */
function Filled({ width, children }: { readonly width: number; readonly children: ReactNode }): ReactNode {
  return (
    <Box height={1} width={width}>
      <Styled>{' '.repeat(width)}</Styled>
      <Box position="absolute">{children}</Box>
    </Box>
  );
}

/** The details over the panes, on a terminal without room beside them. */
export function DetailsSheet({ details, size }: { readonly details: Details; readonly size: ScreenSize }): ReactNode {
  const theme = useTheme();
  const width = Math.min(size.columns - 4, 76);
  const lines = detailLines(details, { width: width - 2, height: size.rows - 3 }, theme);
  return (
    <Sheet size={size} width={width} height={lines.length} title={details.title}>
      {lines.map((line, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row of the sheet is the same row whatever it shows.
        <Row key={n} line={line} />
      ))}
    </Sheet>
  );
}

/** The details of the chosen row of the focused pane, beside the panes. */
export function Inspector({ area, scene, view }: ScenePaneProps): ReactNode {
  const theme = useTheme();
  const details = detailsOf(scene, view);
  const { title = 'Details' } = details ?? {};
  return (
    <PaneFrame area={area} title={title} hint={view.isDetailOpen ? 'Esc closes' : ''}>
      {details === null ? null : <Lines lines={detailLines(details, insideOf(area), theme)} />}
    </PaneFrame>
  );
}

/** Width of a column of the help, in cells. */
const HELP_COLUMN = 48;

/** The key map, on as many pages as necessary. */
export function HelpSheet({ page, size }: { readonly page: number; readonly size: ScreenSize }): ReactNode {
  useSheetKeys(true);
  const columns = size.columns >= HELP_COLUMN * 2 + 2 ? 2 : 1;
  const width = Math.min(size.columns, HELP_COLUMN * columns + 2);
  const step = Math.floor((width - 2) / columns);
  const all = helpRows();
  const rows = Math.min(Math.ceil(all.length / columns), size.rows - 3);
  const pages = Math.ceil(all.length / (rows * columns));
  const shown = ((page % pages) + pages) % pages;
  const from = shown * rows * columns;
  return (
    <Sheet size={size} width={width} height={rows} title={pages === 1 ? 'Keys' : `Keys ${shown + 1}/${pages}  PgDn`}>
      {Array.from({ length: rows }, (_, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row of the sheet is the same row whatever it shows.
        <Box key={n}>
          {Array.from({ length: columns }, (__, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column of the sheet is the same column whatever it shows.
            <HelpCell key={column} row={all[from + column * rows + n] ?? ''} width={step} />
          ))}
        </Box>
      ))}
    </Sheet>
  );
}

/** The names of the groups, each followed by its keys. */
const helpRows = (): (KeyRow | string)[] =>
  Object.entries(KEY_GROUPS).flatMap(([group, keys]) => [group, ...keys.filter((key) => key.isForReader !== true)]);

function HelpCell({ row, width }: { readonly row: KeyRow | string; readonly width: number }): ReactNode {
  const { isAscii } = useTheme();
  if (typeof row === 'string') return <Cell width={width} tone="focus">{` ${row}`}</Cell>;
  const keys = isAscii ? shownKeys(row).replace(/[↑↓←→] /, '') : shownKeys(row);
  return (
    <>
      <Cell width={13} tone="key">{`  ${keys}`}</Cell>
      <Cell width={width - 13}>{row.help}</Cell>
    </>
  );
}

interface QuestionSheetProps {
  readonly question: ViewQuestion;
  readonly operator: string;
  readonly size: ScreenSize;
}

export function QuestionSheet({ question, operator, size }: QuestionSheetProps): ReactNode {
  useSheetKeys(true);
  const width = Math.min(size.columns - 4, 72);
  const line = (key: string, text: string, tone: 'bold' | 'plain' | 'dim' = 'plain'): ReactNode => (
    <Cell key={key} width={width - 2} gap={0} tone={tone}>{` ${text}`}</Cell>
  );
  const rows =
    question.kind === 'choice'
      ? [
          ...question.lines.map((text, n) => line(text, text, n === 0 ? 'bold' : 'plain')),
          line('as', `as ${operator}`, 'dim'),
          null,
          <Choices key="choices" choices={question.choices} />,
        ]
      : [
          line('label', question.label, 'bold'),
          <TextField key="field" text={question.text} width={width - 2} />,
          line('as', `as ${operator}`, 'dim'),
          null,
          line('keys', 'Enter confirms, Esc cancels.', 'dim'),
        ];
  return (
    <Sheet size={size} width={width} height={rows.length} title={question.title}>
      {rows}
    </Sheet>
  );
}

function Choices({ choices }: Pick<ViewQuestion & { kind: 'choice' }, 'choices'>): ReactNode {
  return (
    <Box paddingLeft={1} columnGap={3}>
      {choices.map(({ key, label }) => (
        <Box key={key} columnGap={1}>
          <Styled tone="key">{key}</Styled>
          <Styled>{label}</Styled>
        </Box>
      ))}
    </Box>
  );
}

/** The field shows the end of a long text. */
function TextField({ text, width }: { readonly text: string; readonly width: number }): ReactNode {
  const room = width - 5;
  const shown = cut(charactersOf(clean(text)).toReversed().join(''), room, '');
  return (
    <Box paddingLeft={1}>
      <Styled>{`> ${charactersOf(shown).toReversed().join('')}`}</Styled>
      <Styled tone="focus">_</Styled>
    </Box>
  );
}
