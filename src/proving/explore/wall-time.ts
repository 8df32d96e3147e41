/** Where the wall time of a search goes: each moment counts once, for what the scenario then waited for. */
import { monotonicMs } from '../../base/time/timers.ts';
import { type OnRunWait, RUN_WAITS, type RunWait } from '../../scenario/model/run-wait.ts';

/**
 * Wall ms by what was waited for. `sandbox_work`: nothing was waited for outside of the process. The processor is also busy
 * during other waits.
 */
export type WallTimeShares = Readonly<Record<RunWait | 'sandbox_work', number>>;

export class WallTime {
  readonly #nowMs: () => number;
  readonly #open = new Map<RunWait, number>();
  readonly #ms = new Map<RunWait | 'sandbox_work', number>();
  #plays = 0;
  #sinceMs = 0;

  constructor(nowMs: () => number = monotonicMs) {
    this.#nowMs = nowMs;
  }

  /** Begins a play. The returned function ends it. */
  begin(): () => void {
    this.#pass();
    this.#plays++;
    return once(() => {
      this.#pass();
      this.#plays--;
    });
  }

  readonly onWait: OnRunWait = (what) => {
    this.#pass();
    this.#open.set(what, (this.#open.get(what) ?? 0) + 1);
    return once(() => {
      this.#pass();
      this.#open.set(what, (this.#open.get(what) ?? 0) - 1);
    });
  };

  get shares(): WallTimeShares {
    return sharesOf((what) => Math.round(this.#ms.get(what) ?? 0));
  }

  /** Of several waits at a time, the first of the list counts. Time between two plays does not count. */
  #pass(): void {
    const nowMs = this.#nowMs();
    const what = RUN_WAITS.find((one) => (this.#open.get(one) ?? 0) > 0) ?? 'sandbox_work';
    if (this.#plays > 0) this.#ms.set(what, (this.#ms.get(what) ?? 0) + nowMs - this.#sinceMs);
    this.#sinceMs = nowMs;
  }
}

const NAMES: Readonly<Record<RunWait | 'sandbox_work', string>> = {
  retry_after: 'Retry-After',
  patience: 'patience',
  after_delivery: 'calls after a delivery',
  probe: 'probes',
  delivery: 'deliveries to your system',
  wake: 'wake calls',
  system: 'start and reset of your system',
  sandbox: 'start and stop of sandboxes',
  sandbox_work: 'work of sandboxes',
};

/** What the wall time was spent on, longest first, with its share in percent; without what took less than half a percent. */
export function namedWallTime(
  shares: WallTimeShares,
): { readonly name: string; readonly ms: number; readonly pct: number }[] {
  const allMs = Object.values(shares).reduce((sum, ms) => sum + ms, 0);
  return [...RUN_WAITS, 'sandbox_work' as const]
    .map((what) => ({
      name: NAMES[what],
      ms: shares[what],
      pct: Math.round((100 * shares[what]) / Math.max(1, allMs)),
    }))
    .filter(({ pct }) => pct > 0)
    .toSorted((a, b) => b.ms - a.ms);
}

/** Adds up what several searches waited for. */
export const summedWallTime = (all: readonly WallTimeShares[]): WallTimeShares =>
  sharesOf((what) => all.reduce((sum, one) => sum + one[what], 0));

const sharesOf = (msOf: (what: RunWait | 'sandbox_work') => number): WallTimeShares =>
  Object.fromEntries([...RUN_WAITS, 'sandbox_work' as const].map((what) => [what, msOf(what)])) as WallTimeShares;

function once(task: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    task();
  };
}
