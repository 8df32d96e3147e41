/** The frame of a pane: title and hint, highlighted if the pane has the focus. */

import { Box, type BoxProps, Text } from 'ink';
import type { ReactNode } from 'react';
import type { Area } from '../layout.ts';
import { cut, inAscii, span, type TextLine, type TextSpan } from '../lines.ts';
import type { Role, Theme } from '../theme.ts';

type BoxStyle = Exclude<BoxProps['borderStyle'], string | undefined>;

/** The area inside the border. */
export const insideOf = ({ width, height }: Area): Area => ({
  width: Math.max(0, width - 2),
  height: Math.max(0, height - 2),
});

export interface PaneProps {
  readonly area: Area;
  readonly title: string;
  readonly hint?: string;
  readonly focused?: boolean;
  readonly lines: readonly TextLine[];
  readonly theme: Theme;
}

export function Pane({ area, title, hint = '', focused = false, lines, theme }: PaneProps): ReactNode {
  const role: Role = focused ? 'focus' : 'outline';
  const { color, dimColor } = theme.styles[role];
  const border = borderOf(theme.glyphs.box);
  return (
    <Box flexDirection="column" width={area.width} height={area.height} flexShrink={0}>
      <Row line={titleLine({ area, title, hint, focused, theme })} theme={theme} />
      <Box
        key={border.topLeft}
        borderStyle={border}
        borderTop={false}
        {...(color === undefined ? {} : { borderColor: color })}
        {...(dimColor === undefined ? {} : { borderDimColor: dimColor })}
        width={area.width}
        height={area.height - 1}
        overflow="hidden"
      >
        <Rows lines={lines.slice(0, insideOf(area).height)} theme={theme} />
      </Box>
    </Box>
  );
}

const borders = new Map<string, BoxStyle>();

/** One object per set of glyphs: Ink forgets the missing top border when the object changes. */
function borderOf([topLeft, topRight, bottomRight, bottomLeft, across, down]: Theme['glyphs']['box']): BoxStyle {
  const known = borders.get(topLeft) ?? {
    ...{ topLeft, topRight, bottomRight, bottomLeft, top: across, bottom: across, left: down, right: down },
  };
  borders.set(topLeft, known);
  return known;
}

function titleLine({ area, title, hint, focused, theme }: Required<Omit<PaneProps, 'lines'>>): TextLine {
  const [topLeft, topRight, , , across] = theme.glyphs.box;
  const role: Role = focused ? 'focus' : 'outline';
  const name = span(cut(` ${title} `, area.width - 4, theme.glyphs.dots), focused ? 'focus' : 'bold');
  const room = area.width - 4 - [...name.text].length;
  const tail = hint === '' || [...hint].length + 4 > room ? '' : ` ${hint} `;
  const between = across.repeat(Math.max(0, room - [...tail].length));
  return [span(topLeft + across, role), name, span(between, role), span(tail, 'dim'), span(across + topRight, role)];
}

/** One line of a frame, and several. */
export function Row({ line, theme }: { readonly line: TextLine; readonly theme: Theme }): ReactNode {
  return (
    <Text wrap="truncate-end">
      {line.map((piece, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line have no identity but their place.
        <Text key={place} {...theme.styles[piece.role]}>
          {shown(piece, theme)}
        </Text>
      ))}
    </Text>
  );
}

export function Rows({ lines, theme }: { readonly lines: readonly TextLine[]; readonly theme: Theme }): ReactNode {
  return (
    <Box flexDirection="column">
      {lines.map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is the same row whatever it shows.
        <Row key={place} line={line} theme={theme} />
      ))}
    </Box>
  );
}

function shown({ text, url }: TextSpan, { isAscii }: Theme): string {
  const words = isAscii ? inAscii(text) : text;
  return url !== undefined && /^https?:\/\/[\x21-\x7e]+$/.test(url) ? `\x1b]8;;${url}\x07${words}\x1b]8;;\x07` : words;
}
