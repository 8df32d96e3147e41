/** The theme of a frame, and the elements with styled text of which every pane consists. */

import { Box, Text } from 'ink';
import { createContext, type ReactNode, useContext } from 'react';
import { clean, cut, inAscii, narrowed } from '../terminal/cells.ts';
import type { TextLine } from '../terminal/lines.ts';
import { type Role, type Theme, theme } from '../terminal/theme.ts';

export const ThemeContext = createContext<Theme>(theme('mono'));

export const useTheme = (): Theme => useContext(ThemeContext);

/** True below an open sheet, whose edge may cut a wide character into two. */
export const CoveredContext = createContext(false);

interface StyledProps {
  /** The role that gives the style. */
  readonly tone?: Role | undefined;
  /** Target of a hyperlink, in terminals that support it. */
  readonly url?: string | undefined;
  readonly children: string;
}

/** Text in the style of its role, cleaned of control sequences. */
export function Styled({ tone = 'plain', url, children }: StyledProps): ReactNode {
  const look = useTheme();
  const isCovered = useContext(CoveredContext);
  return (
    <Text wrap="truncate-end" {...look.styles[tone]}>
      {linked(written(children, look, isCovered), url)}
    </Text>
  );
}

function written(text: string, { isAscii }: Theme, isCovered: boolean): string {
  const words = clean(text);
  return isAscii ? inAscii(words) : isCovered ? narrowed(words) : words;
}

const linked = (words: string, url: string | undefined): string =>
  url !== undefined && /^https?:\/\/[\x21-\x7e]+$/.test(url) ? `\x1b]8;;${url}\x07${words}\x1b]8;;\x07` : words;

interface CellProps extends StyledProps {
  /** Width in cells, including the gap. */
  readonly width: number;
  /** Blank cells after the text. */
  readonly gap?: number;
  readonly isRight?: boolean;
}

/** A column of a row: its text is cut at the end. Empty if the width is 0. */
export function Cell({ width, gap = 1, isRight = false, tone, url, children }: CellProps): ReactNode {
  const { glyphs } = useTheme();
  if (width <= 0) return null;
  return (
    <Box
      width={width}
      flexShrink={0}
      justifyContent={isRight ? 'flex-end' : 'flex-start'}
      paddingRight={isRight ? gap : 0}
    >
      <Styled tone={tone} url={url}>
        {cut(clean(children), width - gap, glyphs.dots)}
      </Styled>
    </Box>
  );
}

/** Marks the chosen row of a list, brightly if the list has the focus. */
export function Mark({ isChosen, isFocused }: { readonly isChosen: boolean; readonly isFocused: boolean }): ReactNode {
  const { glyphs } = useTheme();
  return (
    <Cell width={1} gap={0} tone={isFocused ? 'focus' : 'dim'}>
      {isChosen ? glyphs.mark : ' '}
    </Cell>
  );
}

/** A line of spans, such as a row of the map. */
export function Row({ line }: { readonly line: TextLine }): ReactNode {
  const look = useTheme();
  const isCovered = useContext(CoveredContext);
  return (
    <Text wrap="truncate-end">
      {line.map(({ text, role, url }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the spans of a line have no identity but their place.
        <Text key={place} {...look.styles[role]}>
          {linked(written(text, look, isCovered), url)}
        </Text>
      ))}
    </Text>
  );
}
