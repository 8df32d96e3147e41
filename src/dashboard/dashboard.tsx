/** The open dashboard: it processes the stream and key presses, and writes frames. */

import { render, useInput } from 'ink';
import { type ReactNode, useSyncExternalStore } from 'react';
import { later, monotonicMs } from '../base/time/timers.ts';
import { emergenciesOf, emergencyCount } from '../watching/state/emergencies.ts';
import { afterChange, afterSnapshot, musterOf, type StreamState } from '../watching/state/state.ts';
import { DashboardFrame } from './components/frame.tsx';
import { KeyContext } from './components/keys.tsx';
import { obey } from './obey.ts';
import { FLASH_MS } from './panes/alerts.ts';
import { pointRowsOf } from './panes/points.ts';
import { type DashboardPart, openParts } from './parts.ts';
import type { SandboxAccess } from './pass.ts';
import { press } from './press.ts';
import { type DashboardState, DashboardStore } from './store.ts';
import { type OpenStream, openStream } from './stream.ts';
import { FrameOutput } from './terminal/frame-output.ts';
import { layoutOf, pageRowsOf } from './terminal/layout.ts';
import { type MouseEvent, mouseEventOf, pointed } from './terminal/mouse.ts';
import { type AsciinemaCast, recordingOf } from './terminal/recording.ts';
import { AlternateScreen, copyTo, type JobControl, sizeOf, type Terminal, type TextSink } from './terminal/terminal.ts';
import { type MapMode, type TerminalColours, type Theme, type ThemeName, theme } from './terminal/theme.ts';
import {
  type DashboardScene,
  type DashboardView,
  firstView,
  sceneOf,
  siteOf,
  type ViewedClient,
  type ViewOrder,
  withSite,
} from './view.ts';

export interface DashboardOptions {
  /** Called before each attempt to connect; it may throw. */
  readonly find: () => SandboxAccess;
  readonly terminal: Terminal;
  readonly theme: ThemeName;
  readonly ascii: boolean;
  readonly map?: MapMode;
  /** The colours and the ground of the terminal. */
  readonly colours?: TerminalColours;
  /** Named as the actor in actions. */
  readonly operator: string;
  /** The client whose view is shown; `find` has its credentials. */
  readonly as?: ViewedClient | null;
  /** Opens an address outside the terminal; returns false if that is not possible. */
  readonly browse?: (url: string) => boolean;
  /** Gets the recording. */
  readonly record?: TextSink;
  /** True if clicks and the wheel are used; default: false. */
  readonly mouse?: boolean;
  /** Absent: Ctrl-Z does nothing. */
  readonly jobs?: JobControl;
}

export interface Dashboard {
  /** Resolves when the viewer quits, with Ctrl-C or q. */
  readonly quit: Promise<'q' | 'ctrl-c'>;
  /** Restores the terminal; idempotent. */
  close(): void;
}

/** How long the reply to a key stays in the last row; wall ms. */
const REPLY_MS = 5_000;
/** Countdowns are redrawn at this interval; wall ms. */
const TICK_MS = 1_000;
/** If the process was not stopped, the screen is restored after this time; wall ms. */
const RESUME_MS = 100;

/** Opens the dashboard on the alternate screen. [cli] */
export function openDashboard(options: DashboardOptions): Dashboard {
  const controller = new DashboardController(options);
  const close = openParts(controller.parts);
  return { quit: controller.quit, close };
}

/** The state of an open dashboard, and its reactions to keys, to the mouse, to the stream and to the terminal. */
class DashboardController {
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
  #stopJobs = (): void => {};

  constructor(options: DashboardOptions) {
    const { terminal } = options;
    this.quit = new Promise((resolve) => {
      this.#resolveQuit = resolve;
    });
    this.#options = options;
    this.#terminal = terminal;
    this.#recording = recordingOf(options.record, sizeOf(terminal));
    this.#sink = {
      write: (text) => {
        terminal.stdout.write(text);
        this.#recording?.output(text);
      },
    };
    this.#screen = new AlternateScreen(this.#sink, { mouse: options.mouse === true });
    this.#output = new FrameOutput(this.#sink, sizeOf(terminal));
    this.#store = new DashboardStore(firstView(options), sizeOf(terminal));
  }

  /**
   * The screen starts first, because frames are drawn on it; the stream and the timers start last, because they cause
   * frames.
   */
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
      {
        name: 'job control',
        start: () => {
          this.#stopJobs = this.#options.jobs?.onContinue(this.#resume) ?? (() => {});
        },
        stop: () => this.#stopJobs(),
      },
      { name: 'stream', start: () => this.#openStream(), stop: () => this.#stream?.close() },
      { name: 'timers', start: () => this.#tick(), stop: () => this.#timers.stopAll() },
    ];
  }

  #startFrames(): void {
    const themeOf = themesOf(this.#options);
    const app = render(
      <App
        store={this.#store}
        themeOf={themeOf}
        onKey={(key) => this.#press(key)}
        onMouse={(event) => this.#point(event)}
      />,
      {
        stdin: this.#terminal.stdin,
        stdout: this.#output as unknown as NodeJS.WriteStream,
        debug: true,
        exitOnCtrlC: false,
        patchConsole: false,
      },
    );
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
      snapshot: (snapshot) => {
        const world = afterSnapshot(store.now.world, snapshot, monotonicMs());
        store.set({ world, view: withSite(store.now.view, world) });
      },
      change: (change) => {
        const { world } = store.now;
        const next = afterChange(world, change, monotonicMs());
        store.set({ world: next });
        // One more frame is drawn, without the highlight.
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
    if (key === 'ctrl-z') return this.#suspend();
    const { world, view } = this.#store.now;
    this.#pressIn(sceneOf(world, view, monotonicMs()), key);
  }

  #point(event: MouseEvent): void {
    const { world, view, size } = this.#store.now;
    const scene = sceneOf(world, view, monotonicMs());
    const { view: next, keys } = pointed(event, view, scene, size);
    this.#store.set({ view: next });
    for (const key of keys) this.#pressIn(scene, key);
    this.#store.drawAtOnce();
  }

  #pressIn(scene: DashboardScene, key: string): void {
    const at = monotonicMs();
    const { world, view, size } = this.#store.now;
    const pageRows = pageRowsOf(layoutOf(size, pointRowsOf(scene), view), view.pane);
    const pressed = press(key, view, scene, world, at, pageRows);
    const seen = !pressed.view.truth && world.truth.size > 0 ? { ...world, truth: new Map() } : world;
    this.#store.set({ view: pressed.view, world: seen });
    this.#stream?.reopen({ truth: pressed.view.truth });
    if (pressed.order !== null) void this.#carryOut(pressed.order);
    if (pressed.quits) this.#resolveQuit(key === 'ctrl-c' ? 'ctrl-c' : 'q');
    this.#clearReplyLater();
    this.#store.drawAtOnce();
  }

  /** Suspends the process as in a shell: the terminal is restored first, and `fg` brings the screen back. */
  #suspend(): void {
    const { jobs } = this.#options;
    if (jobs === undefined) return;
    this.#output.pause();
    this.#screen.leave();
    const { stdin } = this.#terminal;
    stdin.setRawMode(false);
    // Node stops reading at this event. A read in the background would stop the process.
    stdin.emit('pause');
    jobs.stop();
    // If there is no shell that could continue the process, it was not stopped, so the screen must come back by itself.
    this.#timers.start('resume', RESUME_MS, this.#resume);
  }

  /** Also called after the process was stopped by another program and the shell has changed the terminal. */
  #resume = (): void => {
    this.#timers.stop('resume');
    if (this.#options.jobs?.isForeground() === false) return;
    this.#screen.leave();
    this.#screen.enter();
    // Node sets the mode only if it differs from the mode that Node set last, so the mode is switched off first.
    const { stdin } = this.#terminal;
    stdin.setRawMode(false);
    stdin.setRawMode(true);
    // Begins to read again.
    stdin.read(0);
    this.#output.resume();
    this.#resize();
  };

  async #carryOut(order: ViewOrder): Promise<void> {
    const { find, browse = () => false } = this.#options;
    const reply = await obey(order, { find, browse, copy: (text) => copyTo(this.#sink, text) });
    this.#store.set({ view: { ...this.#store.now.view, reply } });
    this.#clearReplyLater();
  }

  #clearReplyLater(): void {
    const store = this.#store;
    if (store.now.view.reply === null) return this.#timers.stop('reply');
    this.#timers.start('reply', REPLY_MS, () => store.set({ view: { ...store.now.view, reply: null } }));
  }
}

/** Returns themes, memoised by name and glyphs. */
function themesOf({ map, colours }: Pick<DashboardOptions, 'map' | 'colours'>): (state: DashboardState) => Theme {
  const themes = new Map<string, Theme>();
  return ({ view }) => {
    const key = `${view.theme} ${view.ascii}`;
    const known =
      themes.get(key) ?? theme(view.theme, { ascii: view.ascii, ...colours, ...(map === undefined ? {} : { map }) });
    themes.set(key, known);
    return known;
  };
}

/** The title of the window, such as `137/212 safe`, for a viewer who sees only the title. */
function titleOf(world: StreamState, view: DashboardView): string {
  const site = siteOf(world, view);
  const muster = site === null ? null : musterOf(world, site.id);
  if (site === null) return 'sandbox';
  const others = emergencyCount(emergenciesOf(world).filter((one) => one.site.id !== site.id));
  const elsewhere = others === 0 ? '' : `, ${others} elsewhere`;
  return muster?.status === 'active'
    ? `${muster.totals.safe}/${muster.totals.expected} safe${elsewhere}, ${site.name}`
    : `sandbox${elsewhere}, ${site.name}`;
}

/**
 * Named timers. Starting a timer again replaces it; after `stopAll` none starts, because an order may still be running.
 */
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

// The root component: it displays the store's state as a frame, and translates Ink's keys to names of the key map.

interface AppProps {
  readonly store: DashboardStore;
  readonly themeOf: (state: DashboardState) => Theme;
  readonly onKey: (key: string) => void;
  readonly onMouse: (event: MouseEvent) => void;
}

function App({ store, themeOf, onKey, onMouse }: AppProps): ReactNode {
  const state = useDashboard(store);
  useInput((input) => {
    const event = mouseEventOf(input);
    if (event !== null) onMouse(event);
  });
  return (
    <KeyContext value={onKey}>
      <DashboardFrame {...state} theme={themeOf(state)} />
    </KeyContext>
  );
}

/** The state of the last frame. */
const useDashboard = (store: DashboardStore): DashboardState => useSyncExternalStore(store.subscribe, store.frame);
