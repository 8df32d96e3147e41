/** Frames drawn by Ink with colours, as text and on an emulated terminal. */
import type { FrameState } from '../../src/dashboard/components/frame.tsx';
import type { ScreenSize } from '../../src/dashboard/terminal/lines.ts';
import type { Theme } from '../../src/dashboard/terminal/theme.ts';
import { withInk } from '../../src/dashboard/terminal/with-ink.ts';
import { Glass } from './glass.ts';

export const { render } = await withInk(() => import('ink'));
export const { createElement } = await withInk(() => import('react'));
export const { DashboardFrame, frameText } = await withInk(() => import('../../src/dashboard/components/frame.tsx'));

export async function glassOf(shown: FrameState, size: ScreenSize, theme: Theme): Promise<Glass> {
  const glass = new Glass(size.columns, size.rows);
  await glass.write('\x1b[?7l');
  await glass.write(frameText(shown, size, theme).join('\n'));
  return glass;
}
