/** What a pane shows: its title, a hint beside it, and its lines. */
import type { TextLine } from '../lines.ts';

export interface PaneLines {
  readonly title: string;
  readonly hint: string;
  readonly lines: readonly TextLine[];
}

/** Cells inside of a pane's border. */
export interface Room {
  readonly width: number;
  readonly height: number;
}
