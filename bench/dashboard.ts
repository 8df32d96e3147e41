/** What a frame of the terminal dashboard costs with 2,000 people: derived and painted, against cells that are only compared. */

import { frame } from '../src/dashboard/frame.ts';
import { Paper } from '../src/dashboard/paper.ts';
import { Screen } from '../src/dashboard/screen.ts';
import { theme } from '../src/dashboard/theme.ts';
import { viewer, worldOf } from '../test/dashboard/harbour.ts';
import { crowded, PEOPLE } from './crowd.ts';
import { figures } from './figures.ts';

const FRAMES = 300;
const SIZE = { columns: 120, rows: 40 };
/** Ten frames a second at most, in at most 12 % of a core. */
const BUDGET_MS = 12;

export function benchDashboard(): void {
  const dark = theme('dark');
  const worlds = Array.from({ length: 10 }, (_, step) => worldOf(crowded(step * 3)));
  let written = 0;
  const sink = {
    write: (text: string): void => {
      written += Buffer.byteLength(text);
    },
  };
  const timed = (screen: Screen, draw: (n: number) => Paper): number[] =>
    Array.from({ length: FRAMES }, (_, n) => {
      const begun = performance.now();
      screen.paint(draw(n), dark);
      return performance.now() - begun;
    });
  const bare = figures(timed(new Screen(sink), () => new Paper(SIZE)));
  written = 0;
  const view = viewer({ theme: 'dark' });
  const ours = figures(
    timed(new Screen(sink), (n) =>
      frame({ world: worlds[n % worlds.length]!, view, connection: { is: 'open' }, at: n * 100 }, SIZE, dark),
    ),
  );
  console.log(
    `dashboard: a frame of ${PEOPLE} people that all moved ${ours.median.toFixed(2)} ms (p99 ${ours.p99.toFixed(1)}; ${ours.median <= BUDGET_MS ? 'within' : 'OVER'} ${BUDGET_MS}), ${(ours.median / bare.median).toFixed(0)} times an empty one, ${(written / FRAMES / 1024).toFixed(1)} KB each`,
  );
}
