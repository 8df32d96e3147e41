/** Content of a pane. */
import type { TextLine } from '../lines.ts';

export interface PaneLines {
  readonly title: string;
  readonly hint: string;
  readonly lines: readonly TextLine[];
}

/** Cells inside the border. */
export interface Room {
  readonly width: number;
  readonly height: number;
}
