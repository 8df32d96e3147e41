/** The frame around a pane: its number, its title, a hint at the right; brighter where the keys go. */
import type { Paper } from './paper.ts';
import { cut } from './paper.ts';
import type { Theme } from './theme.ts';

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Draws the box and answers what is inside of it. */
export function box(
  paper: Paper,
  area: Area,
  theme: Theme,
  { title, hint = '', focused = false }: { title: string; hint?: string; focused?: boolean },
): Area {
  const { x, y, width, height } = area;
  const [nw, ne, se, sw, across, down] = theme.glyphs.box;
  const role = focused ? 'focus' : 'outline';
  for (let row = y + 1; row < y + height - 1; row += 1) {
    paper.set(x, row, down, role);
    paper.set(x + width - 1, row, down, role);
  }
  paper.write(x, y, `${nw}${across.repeat(Math.max(0, width - 2))}${ne}`, role);
  paper.write(x, y + height - 1, `${sw}${across.repeat(Math.max(0, width - 2))}${se}`, role);
  const name = cut(` ${title} `, width - 4, theme.glyphs.dots);
  paper.write(x + 2, y, name, focused ? 'focus' : 'bold', x + width - 2);
  const room = width - 6 - [...name].length;
  const tail = hint === '' ? '' : ` ${hint} `;
  if (tail !== '' && [...tail].length <= room) paper.write(x + width - 2 - [...tail].length, y, tail, 'dim');
  return { x: x + 1, y: y + 1, width: Math.max(0, width - 2), height: Math.max(0, height - 2) };
}

/** The first row to show, so that the chosen one is on view. */
export function scrolled(chosen: number, count: number, room: number): number {
  if (count <= room || chosen < room - 1) return 0;
  return Math.min(chosen - room + 2, count - room);
}
