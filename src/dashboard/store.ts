/** The state of the dashboard, and when it is redrawn: at most a few times per second, and soon after a key press. */
import { later, monotonicMs } from '../base/time/timers.ts';
import { EMPTY_STATE, type StreamState } from '../watching/state/state.ts';
import type { ScreenSize } from './terminal/lines.ts';
import type { Connection, DashboardView } from './view.ts';

/** Minimum wall ms between two frames: a frame with 2,000 moving people takes about 20 ms. */
const FRAME_MS = 250;
/** The same after a key press: a key that is held down does not need a frame for each repetition. */
const KEY_MS = 30;

/** The data from which a frame is drawn. */
export interface DashboardState {
  readonly world: StreamState;
  readonly view: DashboardView;
  readonly connection: Connection;
  /** Monotonic ms of the frame; the simulated clock is extrapolated to this time. */
  readonly at: number;
  readonly size: ScreenSize;
}

export class DashboardStore {
  #state: DashboardState;
  /** Monotonic ms at which the stream broke: simulated time after it is unknown. */
  #brokenAt: number | null = null;
  /** The state of the last frame; a new object for each frame. */
  #frame: DashboardState;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #planned: (() => void) | null = null;
  #isStopped = false;
  readonly #listeners = new Set<() => void>();

  constructor(view: DashboardView, size: ScreenSize) {
    this.#state = { world: EMPTY_STATE, view, connection: { is: 'opening' }, at: monotonicMs(), size };
    this.#frame = this.#state;
  }

  /** The newest state, drawn or not. */
  get now(): DashboardState {
    return this.#state;
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly frame = (): DashboardState => this.#frame;

  set(change: Partial<Omit<DashboardState, 'at'>>): void {
    this.#state = { ...this.#state, ...change };
    if (change.connection !== undefined)
      this.#brokenAt = change.connection.is === 'broken' ? (this.#brokenAt ?? monotonicMs()) : null;
    this.draw();
  }

  /** Schedules a frame, sooner after a key press. */
  draw(afterMs = FRAME_MS): void {
    if (this.#isStopped || (this.#planned !== null && afterMs === FRAME_MS)) return;
    this.#planned?.();
    this.#planned = later(Math.max(0, this.#drawnAt + afterMs - monotonicMs()), () => this.#draw());
  }

  drawAtOnce(): void {
    this.draw(KEY_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#planned?.();
    this.#listeners.clear();
  }

  #draw(): void {
    this.#planned = null;
    const at = monotonicMs();
    this.#drawnAt = at;
    this.#frame = { ...this.#state, at: this.#brokenAt ?? at };
    for (const listener of this.#listeners) listener();
  }
}
