/** The frame of a pane: title and hint in its border, which is highlighted if the pane has the focus. */

import { Box, type BoxProps } from 'ink';
import type { ReactNode } from 'react';
import { cellsOf, clean, cut } from '../terminal/cells.ts';
import type { Area } from '../terminal/layout.ts';
import { span, type TextLine } from '../terminal/lines.ts';
import type { Role, Theme } from '../terminal/theme.ts';
import { Row, useTheme } from './look.tsx';

type BoxStyle = Exclude<BoxProps['borderStyle'], string | undefined>;

interface PaneProps {
  readonly area: Area;
  readonly title: string;
  readonly hint?: string;
  readonly focused?: boolean;
  /** Rows; at most the number that fits inside the border. */
  readonly children?: ReactNode;
}

export function PaneFrame({ area, title, hint = '', focused = false, children }: PaneProps): ReactNode {
  const look = useTheme();
  const { color, dimColor } = look.styles[focused ? 'focus' : 'outline'];
  const border = borderOf(look.glyphs.box);
  return (
    <Box flexDirection="column" width={area.width} height={area.height} flexShrink={0}>
      <Row line={titleLine(area, title, hint, focused, look)} />
      <Box
        key={border.topLeft}
        borderStyle={border}
        borderTop={false}
        {...(color === undefined ? {} : { borderColor: color })}
        {...(dimColor === undefined ? {} : { borderDimColor: dimColor })}
        width={area.width}
        height={area.height - 1}
        flexDirection="column"
      >
        {children}
      </Box>
    </Box>
  );
}

const borders = new Map<string, BoxStyle>();

/**
 * Returns the same object for the same set of glyphs, because Ink loses the missing top border when the object changes.
 */
function borderOf([topLeft, topRight, bottomRight, bottomLeft, across, down]: Theme['glyphs']['box']): BoxStyle {
  const known = borders.get(topLeft);
  if (known !== undefined) return known;
  const sides = { top: across, bottom: across, left: down, right: down };
  const border = { topLeft, topRight, bottomRight, bottomLeft, ...sides };
  borders.set(topLeft, border);
  return border;
}

/** The title line is exactly as wide as the pane; the hint is omitted if the title needs its space. */
function titleLine(area: Area, title: string, hint: string, focused: boolean, { glyphs }: Theme): TextLine {
  const [topLeft, topRight, , , across] = glyphs.box;
  const role: Role = focused ? 'focus' : 'outline';
  const name = span(cut(` ${clean(title)} `, area.width - 4, glyphs.dots), focused ? 'focus' : 'bold');
  const room = area.width - 4 - cellsOf(name.text);
  const tail = hint === '' || cellsOf(hint) + 4 > room ? '' : ` ${hint} `;
  const between = across.repeat(Math.max(0, room - cellsOf(tail)));
  return [span(topLeft + across, role), name, span(between, role), span(tail, 'dim'), span(across + topRight, role)];
}
