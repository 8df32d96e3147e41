/** A stream that stays open, folded as the dashboard and the panel fold it, and what a new one shows at the same instant. */

import type { Clock } from '../../src/base/time/clock.ts';
import type { StreamChange, StreamSnapshot } from '../../src/contract/stream.ts';
import { EventReader } from '../../src/dashboard/stream.ts';
import type { ChangeLog } from '../../src/service/api/stream/change-log.ts';
import { StreamProjection, type StreamViewer } from '../../src/service/api/stream/stream-projection.ts';
import { Subscriber } from '../../src/service/api/stream/subscriber.ts';
import type { Engine } from '../../src/service/engine/engine.ts';
import { afterChange, afterSnapshot, EMPTY_STATE, type StreamState } from '../../src/watching/state/state.ts';
import type { ApiHarness } from '../service/api/harness.ts';

/** Longer wall delays are pings. */
const LONGEST_FLUSH_MS = 1_000;

/** The same clock, whose wall timers run when they are asked to. */
function withHeldTimers(clock: Clock): { readonly clock: Clock; readonly run: () => void } {
  const waiting = new Set<() => void>();
  const afterWall: Clock['afterWall'] = (delayMs, task) => {
    if (delayMs <= LONGEST_FLUSH_MS) waiting.add(task);
    return () => void waiting.delete(task);
  };
  const held = new Proxy(clock, {
    get: (target, key) => {
      if (key === 'afterWall') return afterWall;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const run = (): void => {
    for (const task of [...waiting]) {
      waiting.delete(task);
      task();
    }
  };
  return { clock: held, run };
}

export class SurfaceReader {
  readonly #eye: StreamProjection;
  readonly #clock: Clock;
  readonly #log: ChangeLog;
  readonly #timers: ReturnType<typeof withHeldTimers>;
  #subscriber: Subscriber;
  #messages = new EventReader();
  #lastId: number | null = null;
  state: StreamState = EMPTY_STATE;
  /** Called after each change of the state, with the state before it. */
  changed: (before: StreamState, change: StreamChange) => void = () => {};

  constructor(engine: Engine, clock: Clock, log: ChangeLog, past: ApiHarness['past'], look: () => StreamViewer) {
    this.#clock = clock;
    this.#log = log;
    this.#timers = withHeldTimers(clock);
    this.#eye = new StreamProjection(engine.world, { panelUrl: '/panel' }, look, { ...past, log });
    this.#subscriber = this.#open(null);
  }

  #open(after: number | null): Subscriber {
    this.#messages = new EventReader();
    const sink = { write: (text: string) => this.#take(text), onDrain: () => {} };
    const subscriber = new Subscriber(this.#log, this.#eye, this.#timers.clock, sink);
    subscriber.begin(after);
    return subscriber;
  }

  #take(text: string): boolean {
    for (const { id, event, data } of this.#messages.take(text)) {
      if (id !== null && id !== undefined) this.#lastId = Number(id);
      const before = this.state;
      const change = event === 'snapshot' ? null : (JSON.parse(data) as StreamChange);
      this.state =
        change === null ? afterSnapshot(before, JSON.parse(data) as StreamSnapshot, 0) : afterChange(before, change, 0);
      if (change !== null) this.changed(before, change);
    }
    return true;
  }

  /** What was to leave within a second leaves now. */
  flush(): void {
    this.#timers.run();
  }

  /** The connection breaks off with unsent changes, and the reader resumes after the last message that it has. */
  resume(): void {
    this.#subscriber.end();
    this.#subscriber = this.#open(this.#lastId);
  }

  end(): void {
    this.#subscriber.end();
  }

  /** What a stream that is opened now shows. */
  snapshot(): StreamSnapshot {
    return this.#eye.snapshot(this.#clock);
  }
}
