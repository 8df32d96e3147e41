/** The holds of simulated time, and the replies that wait to be applied in a fixed order. */
import type { ClockHold, HoldLane, Label, Release } from './clock.ts';

interface OpenHold {
  readonly lane: HoldLane;
  readonly label: Label;
}

interface Arrival {
  readonly key: string;
  readonly task: () => void;
}

interface LaneState {
  readonly lane: HoldLane;
  open: number;
  arrivals: Arrival[];
  applying: boolean;
}

/**
 * The open holds and the buffered arrivals of every lane. It must be cheap: a run opens hundreds of thousands of holds.
 */
export class Holds {
  readonly #open = new Set<OpenHold>();
  readonly #lanes: Record<HoldLane, LaneState> = {
    uplink: emptyLane('uplink'),
    downlink: emptyLane('downlink'),
    delivery: emptyLane('delivery'),
    http: emptyLane('http'),
    engine: emptyLane('engine'),
    connect: emptyLane('connect'),
    other: emptyLane('other'),
  };
  readonly #onChange: () => void;
  readonly #run: (lane: HoldLane, task: () => void) => void;
  #buffered = 0;
  #changes = 0;

  /** `run` runs the task of an arrival; by default the task is just called. */
  constructor(onChange: () => void, run: (lane: HoldLane, task: () => void) => void = (_lane, task) => task()) {
    this.#onChange = onChange;
    this.#run = run;
  }

  /** True while a hold is open or an arrival waits. */
  get busy(): boolean {
    return this.#open.size > 0 || this.#buffered > 0;
  }

  /** Increases with every change here: two equal values mean that nothing changed in between. */
  get changes(): number {
    return this.#changes;
  }

  /** The open holds in the order in which they were opened, with their labels as texts. */
  holders(): ClockHold[] {
    return Array.from(this.#open, ({ lane, label }) => ({ lane, label: typeof label === 'string' ? label : label() }));
  }

  /** Opens a hold. The returned function releases it; a second call does nothing. */
  open(lane: HoldLane, label: Label): Release {
    const hold: OpenHold = { lane, label };
    const state = this.#lanes[lane];
    this.#open.add(hold);
    state.open++;
    this.#changed();
    return () => {
      if (!this.#open.delete(hold)) return;
      state.open--;
      this.#apply(state);
      this.#changed();
    };
  }

  /** Buffers an arrival until all holders of the lane have arrived, then applies them by key. */
  order(lane: HoldLane, key: string, task: () => void): void {
    const state = this.#lanes[lane];
    state.arrivals.push({ key, task });
    this.#buffered++;
    this.#apply(state);
    this.#changed();
  }

  /** Applies all buffered arrivals, lane by lane, so that a reply that has arrived is not lost when the clock stops. */
  applyAll(): void {
    for (const state of Object.values(this.#lanes)) {
      while (state.arrivals.length > 0 && !state.applying) this.#applyOnce(state);
    }
  }

  // An applied arrival may release its hold or cause another arrival. Both are handled after the current round.
  #apply(state: LaneState): void {
    while (!state.applying && state.arrivals.length > 0 && state.arrivals.length >= state.open) this.#applyOnce(state);
  }

  #applyOnce(state: LaneState): void {
    const round = state.arrivals.sort(byKey);
    let done = 0;
    state.arrivals = [];
    state.applying = true;
    try {
      for (const arrival of round) {
        done++;
        this.#buffered--;
        this.#run(state.lane, arrival.task);
      }
    } finally {
      // Only a task that threw leaves a remainder. It stays buffered, so that the count is right.
      if (done < round.length) state.arrivals = [...round.slice(done), ...state.arrivals];
      state.applying = false;
    }
  }

  #changed(): void {
    this.#changes++;
    this.#onChange();
  }
}

function emptyLane(lane: HoldLane): LaneState {
  return { lane, open: 0, arrivals: [], applying: false };
}

// Array.prototype.sort is stable, so equal keys keep the order of arrival.
function byKey(a: Arrival, b: Arrival): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}
