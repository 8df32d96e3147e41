/** The dashboard at work: stream in, keys in, frames out. */
import { render } from 'ink';
import { later, monotonicMs, wallMs } from '../base/timers.ts';
import { afterChange, afterSnapshot, musterOf, type StreamState } from '../watching/state.ts';
import { type Cast, cast } from './cast.ts';
import { App } from './components/app.tsx';
import { FrameOutput } from './frame-output.ts';
import { layoutOf, pageRowsOf } from './layout.ts';
import { obey } from './obey.ts';
import { FLASH_MS } from './panes/alerts.ts';
import { pointRowsOf } from './panes/points.ts';
import type { Door } from './pass.ts';
import { press } from './press.ts';
import { sceneOf, siteOf } from './rows.ts';
import { type DashboardState, DashboardStore } from './store.ts';
import { listen } from './stream.ts';
import { AlternateScreen, copyTo, type Sink, sizeOf, type Terminal } from './terminal.ts';
import { type MapMode, type Theme, type ThemeName, theme } from './theme.ts';
import { type Client, firstView, type Order, type View } from './view.ts';

export interface DashboardOptions {
  /** Called before each attempt to connect; it may throw. */
  readonly find: () => Door;
  readonly terminal: Terminal;
  readonly theme: ThemeName;
  readonly ascii: boolean;
  readonly map?: MapMode;
  /** Whose name stands in actions. */
  readonly operator: string;
  /** Through whose eyes; `find` says how to enter. */
  readonly as?: Client | null;
  /** Opens an address outside of the terminal; false: it cannot. */
  readonly browse?: (url: string) => boolean;
  /** Where the recording goes. */
  readonly record?: Sink;
}

export interface Dashboard {
  /** Settles when the viewer quits; by Ctrl-C or by q. */
  readonly quit: Promise<'q' | 'ctrl-c'>;
  /** The terminal is as before; may be called twice, and from anywhere. */
  close(): void;
}

/** Time that the answer to a key stands at the foot; wall ms. */
const SAID_MS = 5_000;
/** Countdowns are drawn this often; wall ms. */
const TICK_MS = 1_000;

/** Opens it on the alternate screen. [cli] */
export function openDashboard(options: DashboardOptions): Dashboard {
  const { find, browse = () => false } = options;
  const recording = recordingOf(options);
  const { terminal } = options;
  const sink: Sink = {
    write: (text) => {
      terminal.stdout.write(text);
      recording?.output(text);
    },
  };
  const screen = new AlternateScreen(sink);
  const output = new FrameOutput(sink, sizeOf(terminal));
  const store = new DashboardStore(firstView(options), sizeOf(terminal));
  const themeOf = themesOf(options.map);
  const timers = new Timers();
  let isClosed = false;
  let quit: (by: 'q' | 'ctrl-c') => void = () => {};
  const quitted = new Promise<'q' | 'ctrl-c'>((resolve) => {
    quit = resolve;
  });

  const unsay = (): void => {
    if (store.now.view.said === null) return timers.stop('said');
    timers.start('said', SAID_MS, () => store.set({ view: { ...store.now.view, said: null } }));
  };
  const carryOut = async (order: Order): Promise<void> => {
    const said = await obey(order, { find, browse, copy: (text) => copyTo(sink, text) });
    if (isClosed) return;
    store.set({ view: { ...store.now.view, said } });
    unsay();
  };
  const onKey = (key: string): void => {
    const at = monotonicMs();
    const { world, view, size } = store.now;
    const scene = sceneOf(world, view, at);
    const pageRows = pageRowsOf(layoutOf(size, pointRowsOf(scene)), view.pane);
    const pressed = press(key, view, scene, world, at, pageRows);
    const seen = !pressed.view.truth && world.truth.size > 0 ? { ...world, truth: new Map() } : world;
    store.set({ view: pressed.view, world: seen });
    stream.reopen({ truth: pressed.view.truth });
    if (pressed.order !== null) void carryOut(pressed.order);
    if (pressed.quits) quit(key === 'ctrl-c' ? 'ctrl-c' : 'q');
    unsay();
    store.drawAtOnce();
  };

  screen.enter();
  const app = render(<App store={store} themeOf={themeOf} onKey={onKey} />, {
    stdin: terminal.stdin,
    stdout: output as unknown as NodeJS.WriteStream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  const stopTitle = store.subscribe(() => {
    // The console of Linux has no window, and prints what it does not know.
    if (!store.now.view.ascii) screen.title(titleOf(store.now.world, store.now.view));
  });
  const onResize = (): void => {
    const size = sizeOf(terminal);
    recording?.resized(size);
    store.set({ size });
    output.resize(size);
    store.drawAtOnce();
  };
  terminal.stdout.on('resize', onResize);
  const stream = listen(find, {
    snapshot: (snapshot) => store.set({ world: afterSnapshot(store.now.world, snapshot, monotonicMs()) }),
    change: (change) => {
      const { world } = store.now;
      const next = afterChange(world, change, monotonicMs());
      store.set({ world: next });
      // What flashes must stop to.
      if (next.raised !== world.raised) timers.start('flash', FLASH_MS, () => store.draw());
    },
    connection: (connection) => store.set({ connection }),
  });
  const tick = (): void =>
    timers.start('tick', TICK_MS, () => {
      store.draw();
      tick();
    });
  tick();

  return {
    quit: quitted,
    close: () => {
      if (isClosed) return;
      isClosed = true;
      timers.stopAll();
      stopTitle();
      store.stop();
      stream.close();
      terminal.stdout.off('resize', onResize);
      output.end();
      app.unmount();
      screen.leave();
    },
  };
}

function recordingOf({ record, terminal }: DashboardOptions): Cast | null {
  const startedAt = monotonicMs();
  return record === undefined
    ? null
    : cast(record, sizeOf(terminal), wallMs() / 1_000, () => (monotonicMs() - startedAt) / 1_000);
}

/** Each theme is made once. */
function themesOf(map: MapMode | undefined): (state: DashboardState) => Theme {
  const themes = new Map<string, Theme>();
  return ({ view }) => {
    const key = `${view.theme} ${view.ascii}`;
    const known = themes.get(key) ?? theme(view.theme, { ascii: view.ascii, ...(map === undefined ? {} : { map }) });
    themes.set(key, known);
    return known;
  };
}

/** `137/212 safe`, for a viewer who sees only the title of the window. */
function titleOf(world: StreamState, view: View): string {
  const site = siteOf(world, view);
  const muster = site === null ? null : musterOf(world, site.id);
  const { name } = site ?? { name: 'sandbox' };
  return muster?.status === 'active'
    ? `${muster.totals.safe}/${muster.totals.expected} safe, ${name}`
    : `sandbox, ${name}`;
}

/** Named timers; starting one again replaces it. */
class Timers {
  readonly #running = new Map<string, () => void>();

  start(name: string, ms: number, task: () => void): void {
    this.stop(name);
    this.#running.set(name, later(ms, task));
  }

  stop(name: string): void {
    this.#running.get(name)?.();
    this.#running.delete(name);
  }

  stopAll(): void {
    for (const name of [...this.#running.keys()]) this.stop(name);
  }
}
