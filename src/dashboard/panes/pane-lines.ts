/** What a pane shows: its title, a hint beside it, and its lines. */
import type { Line } from '../lines.ts';

export interface PaneLines {
  readonly title: string;
  readonly hint: string;
  readonly lines: readonly Line[];
}

/** Cells inside of a pane's border. */
export interface Room {
  readonly width: number;
  readonly height: number;
}
