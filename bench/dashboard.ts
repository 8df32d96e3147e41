/** What the terminal dashboard costs with 2,000 people: a frame, against cells that are only compared; and on a terminal of its own, beside a sandbox in an evacuation. */

import { EventEmitter } from 'node:events';
import type { FrameState } from '../src/dashboard/components/frame.tsx';
import { counterLines, titleLine } from '../src/dashboard/panes/banner.ts';
import { mapLines } from '../src/dashboard/panes/map.ts';
import { LISTED_PANES } from '../src/dashboard/panes/panes.ts';
import { theme } from '../src/dashboard/terminal/theme.ts';
import { sceneOf } from '../src/dashboard/view.ts';
import { createElement, DashboardFrame, frameText, render } from '../test/dashboard/drawn.ts';
import { viewer, worldOf } from '../test/dashboard/harbour.ts';
import { crowded, PEOPLE } from './crowd.ts';
import { figures } from './figures.ts';
import { crowdedSandbox, OnTerminal, pause } from './on-terminal.ts';
import { packed } from './packed.ts';
import { measured } from './table.ts';

const FRAMES = 300;
const SIZE = { columns: 120, rows: 40 };
/** Four frames a second at most, in at most 12 % of a core. */
const BUDGET_MS = 30;

export async function benchDashboard(): Promise<void> {
  benchFrame();
  await benchOnTerminal();
}

function benchFrame(): void {
  const dark = theme('dark');
  const worlds = Array.from({ length: 10 }, (_, step) => worldOf(crowded(step * 3)));
  const view = viewer({ theme: 'dark' });
  const shown = (n: number): FrameState => ({
    world: worlds[n % worlds.length]!,
    view,
    connection: { is: 'open' },
    at: n * 100,
  });
  const timed = (draw: (n: number) => void): number[] =>
    Array.from({ length: FRAMES }, (_, n) => {
      const begun = performance.now();
      draw(n);
      return performance.now() - begun;
    });
  const derived = figures(timed((n) => derive(shown(n), dark)));
  const first = figures(timed((n) => void frameText(shown(n), SIZE, dark)).slice(0, STARTS));
  const redraw = mounted(dark);
  redraw(shown(0));
  const drawn = figures(timed((n) => redraw(shown(n))));
  redraw(null);
  measured({
    what: `a frame of ${PEOPLE} people that all moved`,
    value: drawn.median,
    unit: 'ms',
    bare: derived.median,
    aim: { of: 'value', most: BUDGET_MS },
  });
  console.log(
    `dashboard: a frame of ${PEOPLE} people that all moved ${drawn.median.toFixed(1)} ms (p99 ${drawn.p99.toFixed(1)}; ${drawn.median <= BUDGET_MS ? 'within' : 'OVER'} ${BUDGET_MS}), ${(drawn.median / derived.median).toFixed(1)} times its pure derivation (${derived.median.toFixed(1)} ms); mounted anew ${first.median.toFixed(1)} ms`,
  );
}

/** Draws frames as the open dashboard does: into components that are mounted. Null unmounts them. */
function mounted(look: ReturnType<typeof theme>): (shown: FrameState | null) => void {
  const stdout = Object.assign(new EventEmitter(), { ...SIZE, isTTY: true, write: () => true });
  const element = (shown: FrameState) => createElement(DashboardFrame, { ...shown, size: SIZE, theme: look });
  let app: ReturnType<typeof render> | null = null;
  return (shown) => {
    if (shown === null) return app?.unmount();
    if (app !== null) return app.rerender(element(shown));
    app = render(element(shown), { stdout: stdout as unknown as NodeJS.WriteStream, debug: true, patchConsole: false });
  };
}

/** What a frame of 120 x 40 shows, without Ink. */
function derive({ world, view, connection, at }: FrameState, dark: ReturnType<typeof theme>): void {
  const scene = sceneOf(world, view, at);
  titleLine(scene, view, connection, SIZE.columns, dark);
  counterLines(scene, view, SIZE.columns, dark);
  mapLines(scene, view, dark, { width: 60, height: 23 });
  LISTED_PANES.points.rows(scene, view, { width: 55, height: 4 }, dark);
  LISTED_PANES.people.rows(scene, view, { width: 55, height: 17 }, dark);
  LISTED_PANES.alerts.rows(scene, view, { width: 60, height: 8 }, dark);
  LISTED_PANES.webhooks.rows(scene, view, { width: 55, height: 8 }, dark);
}

/** On the three sites of the default world; some 2,000 of them on the first. */
const WATCHES = 3_700;
const WATCHED_MS = 30_000;
const STARTS = 5;
const PRESSES = 20;
/** A program on a terminal that does nothing until a key is pressed. */
const EMPTY = `process.stdin.setRawMode(true).once('data', () => process.exit()); process.stdout.write('ready')`;
const BUDGET = { cpu: 12, kbPerS: 60, mb: 220, firstMs: 900, keyMs: 100 };

async function benchOnTerminal(): Promise<void> {
  const product = packed();
  const sandbox = await crowdedSandbox(product.bin, WATCHES);
  const args = [product.bin, 'dashboard', '--data-dir', sandbox.folder];
  await sandbox.act({ action: 'start_muster', site: 'Terminal Puerto Alerce', kind: 'tsunami', by: 'Bench' });
  const bare: number[] = [];
  const first: number[] = [];
  const peopled: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const empty = new OnTerminal(['-e', EMPTY]);
    bare.push(await empty.shows('ready'));
    await empty.quit();
    const terminal = new OnTerminal(args);
    first.push(await terminal.shows('SANDBOX'));
    peopled.push(await terminal.shows('EVACUATING'));
    await terminal.quit();
  }
  const terminal = new OnTerminal(args);
  await terminal.shows('EVACUATING');
  // The people must be on their way.
  await pause(WATCHED_MS * 2);
  const [bytes, before] = [terminal.bytes, terminal.costs()];
  await pause(WATCHED_MS);
  const [after, kb] = [terminal.costs(), (terminal.bytes - bytes) / 1024];
  const keys: number[] = [];
  for (let press = 0; press < PRESSES; press += 1) {
    keys.push(await terminal.shows('show this help', '?'));
    await terminal.shows('Missing', '?');
  }
  await terminal.quit();
  await sandbox.stop();
  product.remove();
  const seconds = WATCHED_MS / 1_000;
  const tell = (what: string, value: number, unit: string, budget: number): string => {
    measured({ what: what === '' ? 'on a terminal' : what, value, unit, aim: { of: 'value', most: budget } });
    return `${what} ${value.toFixed(value < 10 ? 1 : 0)} ${unit} (${value <= budget ? 'within' : 'OVER'} ${budget})`;
  };
  console.log(
    `dashboard on a terminal of 120 x 40: ${[
      tell('', (100 * (after.cpuS - before.cpuS)) / seconds, '% of a core', BUDGET.cpu).trim(),
      tell('', kb / seconds, 'KB/s', BUDGET.kbPerS).trim(),
      tell('', after.rssMb, 'MB', BUDGET.mb).trim(),
      `${tell('first frame', least(first), 'ms', BUDGET.firstMs)} and ${least(peopled).toFixed(0)} ms with everybody on it, where an empty Node takes ${least(bare).toFixed(0)} ms`,
      tell('key to paint', figures(keys).median, 'ms', BUDGET.keyMs),
    ].join(', ')}`,
  );
}

/** Of several starts the one that was disturbed least. */
const least = (values: readonly number[]): number => Math.min(...values);
