/** What the dashboard shows now, and who redraws it when that changes: at most a few times a second, and at once after a key. */
import { later, monotonicMs } from '../base/timers.ts';
import { EMPTY_STATE, type StreamState } from '../watching/state.ts';
import type { Size } from './lines.ts';
import type { Connection, View } from './view.ts';

/** Wall ms between two frames at least: producing one costs about 15 ms. */
const FRAME_MS = 400;
/** After a key; a key that is held down does not need a frame for each of its repeats. */
const KEY_MS = 30;

/** All that a frame follows from. */
export interface DashboardState {
  readonly world: StreamState;
  readonly view: View;
  readonly connection: Connection;
  /** Monotonic ms of the frame: time passes between two events of the stream. */
  readonly at: number;
  readonly size: Size;
}

export class DashboardStore {
  #state: DashboardState;
  /** Where the stream broke; what the time is since then, nobody knows. */
  #brokenAt: number | null = null;
  /** As of the last frame: a new object for each. */
  #frame: DashboardState;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #planned: (() => void) | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(view: View, size: Size) {
    this.#state = { world: EMPTY_STATE, view, connection: { is: 'opening' }, at: monotonicMs(), size };
    this.#frame = this.#state;
  }

  /** The newest of all, drawn or not. */
  get now(): DashboardState {
    return this.#state;
  }

  /** For `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly frame = (): DashboardState => this.#frame;

  /** Changes the state; the next frame shows it. */
  set(change: Partial<Omit<DashboardState, 'at'>>): void {
    this.#state = { ...this.#state, ...change };
    if (change.connection !== undefined)
      this.#brokenAt = change.connection.is === 'broken' ? (this.#brokenAt ?? monotonicMs()) : null;
    this.draw();
  }

  /** A frame within the usual time, or within that after a key. */
  draw(afterMs = FRAME_MS): void {
    if (this.#planned !== null && afterMs === FRAME_MS) return;
    this.#planned?.();
    this.#planned = later(Math.max(0, this.#drawnAt + afterMs - monotonicMs()), () => this.#draw());
  }

  /** The viewer waits for the effect of a key. */
  drawAtOnce(): void {
    this.draw(KEY_MS);
  }

  stop(): void {
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
