/** A frame as text, without a terminal: for `--once`, for pictures and for tests. */
import { renderToString } from 'ink';
import { Frame, type FrameState } from './components/frame.tsx';
import type { ScreenSize } from './lines.ts';
import type { Theme } from './theme.ts';

/** One string per row, with SGR sequences if chalk's colour support is on. */
export function frameText(frame: FrameState, size: ScreenSize, theme: Theme): string[] {
  const text = renderToString(<Frame {...frame} size={size} theme={theme} />, { columns: size.columns });
  const lines = text.split('\n');
  const shown = Array.from({ length: size.rows }, (_, y) => lines[y] ?? '');
  return theme.name === 'mono' ? shown.map((line) => line.trimEnd()) : shown;
}
