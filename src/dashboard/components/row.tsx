/** One line of a frame, and several. */
import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import { inAscii, type TextLine, type TextSpan } from '../lines.ts';
import type { Theme } from '../theme.ts';

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
