/** The open dashboard: stream in, keys in, frames out. */

import { render, useInput } from 'ink';
import { type ReactNode, useSyncExternalStore } from 'react';
import { later, monotonicMs, wallMs } from '../base/timers.ts';
import { afterChange, afterSnapshot, musterOf, type StreamState } from '../watching/state.ts';
import { Frame } from './components/frame.tsx';
import { FrameOutput } from './frame-output.ts';
import { keyNamesOf } from './keys.ts';
import { layoutOf, pageRowsOf } from './layout.ts';
import type { ScreenSize } from './lines.ts';
import { obey } from './obey.ts';
import { FLASH_MS } from './panes/alerts.ts';
import { pointRowsOf } from './panes/points.ts';
import type { SandboxDoor } from './pass.ts';
import { press } from './press.ts';
import { type DashboardState, DashboardStore } from './store.ts';
import { type OpenStream, openStream } from './stream.ts';
import { AlternateScreen, copyTo, sizeOf, type Terminal, type TextSink } from './terminal.ts';
import { type MapMode, type Theme, type ThemeName, theme } from './theme.ts';
import { type DashboardView, firstView, sceneOf, siteOf, type ViewedClient, type ViewOrder } from './view.ts';

export interface DashboardOptions {
  /** Called before each attempt to connect; it may throw. */
  readonly find: () => SandboxDoor;
  readonly terminal: Terminal;
  readonly theme: ThemeName;
  readonly ascii: boolean;
  readonly map?: MapMode;
  /** Whose name stands in actions. */
  readonly operator: string;
  /** Through whose eyes; `find` says how to enter. */
  readonly as?: ViewedClient | null;
  /** Opens an address outside of the terminal; false: it cannot. */
  readonly browse?: (url: string) => boolean;
  /** Where the recording goes. */
  readonly record?: TextSink;
}

export interface Dashboard {
  /** Settles when the viewer quits, by Ctrl-C or by q. */
  readonly quit: Promise<'q' | 'ctrl-c'>;
  /** Restores the terminal; idempotent. */
  close(): void;
}

/** Time that the answer to a key stays in the last row; wall ms. */
const SAID_MS = 5_000;
/** Countdowns are redrawn at this interval; wall ms. */
const TICK_MS = 1_000;

/** Opens it on the alternate screen. [cli] */
export function openDashboard(options: DashboardOptions): Dashboard {
  const desk = new Desk(options);
  const close = openParts(desk.parts);
  return { quit: desk.quit, close };
}

/** The state of an open dashboard, and its reactions to keys, to the stream and to the terminal. */
class Desk {
  readonly quit: Promise<'q' | 'ctrl-c'>;
  #resolveQuit: (by: 'q' | 'ctrl-c') => void = () => {};
  readonly #options: DashboardOptions;
  readonly #terminal: Terminal;
  readonly #recording: AsciinemaCast | null;
  readonly #sink: TextSink;
  readonly #screen: AlternateScreen;
  readonly #output: FrameOutput;
  readonly #store: DashboardStore;
  readonly #timers = new Timers();
  #stream: OpenStream | null = null;
  #stopFrames = (): void => {};
  #stopTitle = (): void => {};

  constructor(options: DashboardOptions) {
    const { terminal } = options;
    this.quit = new Promise((resolve) => {
      this.#resolveQuit = resolve;
    });
    this.#options = options;
    this.#terminal = terminal;
    this.#recording = recordingOf(options);
    this.#sink = {
      write: (text) => {
        terminal.stdout.write(text);
        this.#recording?.output(text);
      },
    };
    this.#screen = new AlternateScreen(this.#sink);
    this.#output = new FrameOutput(this.#sink, sizeOf(terminal));
    this.#store = new DashboardStore(firstView(options), sizeOf(terminal));
  }

  /** The screen comes first, as frames are drawn on it; the stream and the timers last, as they cause frames. */
  get parts(): readonly DashboardPart[] {
    const { stdout } = this.#terminal;
    return [
      { name: 'screen', start: () => this.#screen.enter(), stop: () => this.#screen.leave() },
      { name: 'frames', start: () => this.#startFrames(), stop: () => this.#stopFrames() },
      { name: 'title', start: () => this.#startTitle(), stop: () => this.#stopTitle() },
      {
        name: 'resizing',
        start: () => stdout.on('resize', this.#resize),
        stop: () => stdout.off('resize', this.#resize),
      },
      { name: 'stream', start: () => this.#openStream(), stop: () => this.#stream?.close() },
      { name: 'timers', start: () => this.#tick(), stop: () => this.#timers.stopAll() },
    ];
  }

  #startFrames(): void {
    const themeOf = themesOf(this.#options.map);
    const app = render(<App store={this.#store} themeOf={themeOf} onKey={(key) => this.#press(key)} />, {
      stdin: this.#terminal.stdin,
      stdout: this.#output as unknown as NodeJS.WriteStream,
      debug: true,
      exitOnCtrlC: false,
      patchConsole: false,
    });
    this.#stopFrames = () => {
      this.#store.stop();
      this.#output.end();
      app.unmount();
    };
  }

  #startTitle(): void {
    const store = this.#store;
    this.#stopTitle = store.subscribe(() => {
      // The Linux console has no window title, and prints the sequence as text.
      if (!store.now.view.ascii) this.#screen.title(titleOf(store.now.world, store.now.view));
    });
  }

  #openStream(): void {
    const store = this.#store;
    this.#stream = openStream(this.#options.find, {
      snapshot: (snapshot) => store.set({ world: afterSnapshot(store.now.world, snapshot, monotonicMs()) }),
      change: (change) => {
        const { world } = store.now;
        const next = afterChange(world, change, monotonicMs());
        store.set({ world: next });
        // One more frame, without the highlight.
        if (next.raised !== world.raised) this.#timers.start('flash', FLASH_MS, () => store.draw());
      },
      connection: (connection) => store.set({ connection }),
    });
  }

  #tick(): void {
    this.#timers.start('tick', TICK_MS, () => {
      this.#store.draw();
      this.#tick();
    });
  }

  #resize = (): void => {
    const size = sizeOf(this.#terminal);
    this.#recording?.resized(size);
    this.#store.set({ size });
    this.#output.resize(size);
    this.#store.drawAtOnce();
  };

  #press(key: string): void {
    const at = monotonicMs();
    const { world, view, size } = this.#store.now;
    const scene = sceneOf(world, view, at);
    const pageRows = pageRowsOf(layoutOf(size, pointRowsOf(scene)), view.pane);
    const pressed = press(key, view, scene, world, at, pageRows);
    const seen = !pressed.view.truth && world.truth.size > 0 ? { ...world, truth: new Map() } : world;
    this.#store.set({ view: pressed.view, world: seen });
    this.#stream?.reopen({ truth: pressed.view.truth });
    if (pressed.order !== null) void this.#carryOut(pressed.order);
    if (pressed.quits) this.#resolveQuit(key === 'ctrl-c' ? 'ctrl-c' : 'q');
    this.#clearSaidLater();
    this.#store.drawAtOnce();
  }

  async #carryOut(order: ViewOrder): Promise<void> {
    const { find, browse = () => false } = this.#options;
    const said = await obey(order, { find, browse, copy: (text) => copyTo(this.#sink, text) });
    this.#store.set({ view: { ...this.#store.now.view, said } });
    this.#clearSaidLater();
  }

  #clearSaidLater(): void {
    const store = this.#store;
    if (store.now.view.said === null) return this.#timers.stop('said');
    this.#timers.start('said', SAID_MS, () => store.set({ view: { ...store.now.view, said: null } }));
  }
}

function recordingOf({ record, terminal }: DashboardOptions): AsciinemaCast | null {
  const startedAt = monotonicMs();
  return record === undefined
    ? null
    : cast(record, sizeOf(terminal), wallMs() / 1_000, () => (monotonicMs() - startedAt) / 1_000);
}

/** Memoised by name and glyphs. */
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
function titleOf(world: StreamState, view: DashboardView): string {
  const site = siteOf(world, view);
  const muster = site === null ? null : musterOf(world, site.id);
  const { name } = site ?? { name: 'sandbox' };
  return muster?.status === 'active'
    ? `${muster.totals.safe}/${muster.totals.expected} safe, ${name}`
    : `sandbox, ${name}`;
}

/** Named timers: starting one again replaces it, and after `stopAll` none starts, as an order may still be under way. */
class Timers {
  readonly #running = new Map<string, () => void>();
  #isStopped = false;

  start(name: string, ms: number, task: () => void): void {
    this.stop(name);
    if (this.#isStopped) return;
    this.#running.set(name, later(ms, task));
  }

  stop(name: string): void {
    this.#running.get(name)?.();
    this.#running.delete(name);
  }

  stopAll(): void {
    this.#isStopped = true;
    for (const name of [...this.#running.keys()]) this.stop(name);
  }
}

// Parts that start in order and stop in reverse, so that the terminal is restored whatever fails. Synchronous, unlike `base/parts`: an exit handler cannot wait.

export interface DashboardPart {
  readonly name: string;
  start(): void;
  stop(): void;
}

/** If a start throws, the parts before it are stopped. Returns an idempotent stop, which goes on past a part that throws. */
export function openParts(parts: readonly DashboardPart[]): () => void {
  const running: DashboardPart[] = [];
  const stop = (): void => {
    const failures: Error[] = [];
    for (let part = running.pop(); part !== undefined; part = running.pop())
      try {
        part.stop();
      } catch (cause) {
        failures.push(new Error(`The dashboard's ${part.name} did not stop.`, { cause }));
      }
    if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
  };
  for (const part of parts)
    try {
      part.start();
      running.push(part);
    } catch (error) {
      stop();
      throw error;
    }
  return stop;
}

// A recording for `asciinema play`: version 2 of its format, one line for each write.

interface AsciinemaCast {
  output(text: string): void;
  resized(size: ScreenSize): void;
}

/** `seconds` since the start; `startedAt` is Unix seconds. */
export function cast(sink: TextSink, size: ScreenSize, startedAt: number, seconds: () => number): AsciinemaCast {
  const write = (line: unknown): void => sink.write(`${JSON.stringify(line)}\n`);
  write({
    version: 2,
    width: size.columns,
    height: size.rows,
    timestamp: Math.floor(startedAt),
    title: 'sandbox dashboard',
    env: { TERM: 'xterm-256color' },
  });
  const at = (): number => Math.round(seconds() * 1e6) / 1e6;
  return {
    output: (text) => write([at(), 'o', text]),
    resized: ({ columns, rows }) => write([at(), 'r', `${columns}x${rows}`]),
  };
}

// The root component: the store's state as a frame, and Ink's keys in names of the key map.

interface AppProps {
  readonly store: DashboardStore;
  readonly themeOf: (state: DashboardState) => Theme;
  readonly onKey: (key: string) => void;
}

function App({ store, themeOf, onKey }: AppProps): ReactNode {
  const state = useDashboard(store);
  useInput((input, key) => {
    for (const name of keyNamesOf(input, key)) onKey(name);
  });
  return <Frame {...state} theme={themeOf(state)} />;
}

/** The state of the last frame. */
const useDashboard = (store: DashboardStore): DashboardState => useSyncExternalStore(store.subscribe, store.frame);
