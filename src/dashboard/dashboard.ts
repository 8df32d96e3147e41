/** The dashboard at work: stream in, keys in, frames out; at most ten a second, and only when something changed. */
import { later, monotonicMs, wallMs } from '../base/timers.ts';
import { afterChange, afterSnapshot, EMPTY_WORLD, musterOf, type World } from '../watching/world.ts';
import { type Cast, cast } from './cast.ts';
import { frame } from './frame.ts';
import { keysOf } from './keys.ts';
import { obey } from './obey.ts';
import { FLASH_MS } from './panes/alerts.ts';
import type { Size } from './paper.ts';
import type { Door } from './pass.ts';
import { press } from './press.ts';
import { sceneOf, siteOf } from './rows.ts';
import { Screen, type Sink } from './screen.ts';
import { listen } from './stream.ts';
import { type MapMode, type Theme, type ThemeName, theme } from './theme.ts';
import { type Client, type Connection, firstView, type Order, type View } from './view.ts';

/** A terminal, as Node's streams are one. */
export interface Terminal extends Sink {
  /** Cells; it may change. */
  size(): Size;
  /** Keys, as the terminal sends them. The answer ends it. */
  onInput(take: (text: string) => void): () => void;
  onResize(take: () => void): () => void;
}

export interface DashboardOptions {
  /** Asked before each try to connect; it may throw. */
  readonly find: () => Door;
  readonly terminal: Terminal;
  readonly theme: ThemeName;
  readonly ascii: boolean;
  readonly map?: MapMode;
  /** Whose name stands in actions. */
  readonly operator: string;
  /** Through whose eyes; as `find` says how to enter. */
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

/** Wall ms between two frames at least. */
const FRAME_MS = 100;
/** And after a key; a key that is held down is no reason to paint each of its repeats. */
const KEY_MS = 15;
/** So long the answer to a key stands at the foot; wall ms. */
const SAID_MS = 5_000;
/** What counts down is drawn so often. */
const TICK_MS = 1_000;

/** `137/212 safe`, for whoever looks at the window's title only. */
function titleOf(world: World, view: View): string {
  const site = siteOf(world, view);
  const muster = site === null ? null : musterOf(world, site.id);
  const { name } = site ?? { name: 'sandbox' };
  return muster?.status === 'active'
    ? `${muster.totals.safe}/${muster.totals.expected} safe, ${name}`
    : `sandbox, ${name}`;
}

export function openDashboard(options: DashboardOptions): Dashboard {
  const { terminal, find, browse = () => false } = options;
  let world: World = EMPTY_WORLD;
  let view: View = firstView(options);
  let connection: Connection = { is: 'opening' };
  let brokenAt: number | null = null;
  let paintedAt = Number.NEGATIVE_INFINITY;
  let planned: (() => void) | null = null;
  let isClosed = false;
  let quit: (by: 'q' | 'ctrl-c') => void = () => {};
  const quitted = new Promise<'q' | 'ctrl-c'>((resolve) => {
    quit = resolve;
  });

  const startedAt = monotonicMs();
  const recording: Cast | null =
    options.record === undefined
      ? null
      : cast(options.record, terminal.size(), wallMs() / 1_000, () => (monotonicMs() - startedAt) / 1_000);
  const screen = new Screen({
    write: (text) => {
      terminal.write(text);
      recording?.output(text);
    },
  });
  const themes = new Map<string, Theme>();
  const themeOf = (): Theme => {
    const key = `${view.theme} ${view.ascii}`;
    const known =
      themes.get(key) ??
      theme(view.theme, { ascii: view.ascii, ...(options.map === undefined ? {} : { map: options.map }) });
    themes.set(key, known);
    return known;
  };

  const paint = (): void => {
    planned = null;
    if (isClosed) return;
    const at = monotonicMs();
    paintedAt = at;
    const look = themeOf();
    screen.title(titleOf(world, view));
    screen.paint(frame({ world, view, connection, at: brokenAt ?? at }, terminal.size(), look), look);
  };
  const soon = (afterMs = FRAME_MS): void => {
    if (planned !== null || isClosed) return;
    planned = later(paintedAt + afterMs - monotonicMs(), paint);
  };
  /** Whoever presses a key waits for it. */
  const atOnce = (): void => {
    planned?.();
    planned = null;
    soon(KEY_MS);
  };

  let stopSaid = () => {};
  const unsay = (): void => {
    stopSaid();
    if (view.said === null) return;
    stopSaid = later(SAID_MS, () => {
      view = { ...view, said: null };
      soon();
    });
  };

  let stopFlash = () => {};
  const flash = (): void => {
    stopFlash();
    stopFlash = later(FLASH_MS, () => soon());
  };

  const carryOut = async (order: Order): Promise<void> => {
    const said = await obey(order, { find, browse, copy: (text) => screen.copy(text) });
    view = { ...view, said };
    unsay();
    soon();
  };

  const endings = [
    terminal.onInput((text) => {
      for (const key of keysOf(text)) {
        const at = monotonicMs();
        const pressed = press(key, view, sceneOf(world, view, at), world, at);
        view = pressed.view;
        if (!view.truth && world.truth.size > 0) world = { ...world, truth: new Map() };
        stream.reopen({ truth: view.truth });
        if (pressed.order !== null) void carryOut(pressed.order);
        if (pressed.quits) quit(key === 'ctrl-c' ? 'ctrl-c' : 'q');
      }
      unsay();
      atOnce();
    }),
    terminal.onResize(() => {
      screen.forget();
      recording?.resized(terminal.size());
      soon();
    }),
  ];
  screen.enter();
  const stream = listen(find, {
    snapshot: (snapshot) => {
      world = afterSnapshot(world, snapshot, monotonicMs());
      soon();
    },
    change: (change) => {
      const { raised } = world;
      world = afterChange(world, change, monotonicMs());
      // What flashes must stop to.
      if (world.raised !== raised) flash();
      soon();
    },
    connection: (next) => {
      // What the time is now, nobody knows.
      brokenAt = next.is === 'broken' ? (brokenAt ?? monotonicMs()) : null;
      connection = next;
      soon();
    },
  });
  let stopTick = () => {};
  const tick = (): void => {
    stopTick = later(TICK_MS, () => {
      soon();
      tick();
    });
  };
  tick();

  return {
    quit: quitted,
    close: () => {
      if (isClosed) return;
      isClosed = true;
      stopTick();
      stopSaid();
      stopFlash();
      planned?.();
      stream.close();
      for (const end of endings) end();
      screen.leave();
    },
  };
}
