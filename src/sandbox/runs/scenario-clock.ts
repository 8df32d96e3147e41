/** The sandbox's clock as a scenario uses it: time is shared, so a scenario cannot stop or change it, and its timers end with the scenario. */
import type { Cancel, Clock, DueKey, HoldLane, Instant, Label, Release } from '../../base/time/clock.ts';

export class ScenarioClock implements Clock {
  readonly #clock: Clock;
  readonly #open = new Set<() => void>();
  #over = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get mode(): Clock['mode'] {
    return this.#clock.mode;
  }

  get simulatesClients(): boolean {
    return this.#clock.simulatesClients;
  }

  get behindMs(): number {
    return this.#clock.behindMs;
  }

  get ordering(): boolean {
    return this.#clock.ordering;
  }

  now = (): Instant => this.#clock.now();
  wall = (): number => this.#clock.wall();
  lagSince = (instant: Instant): number => this.#clock.lagSince(instant);
  clientTime = (): Instant => this.#clock.clientTime();
  monotonic = (): number => this.#clock.monotonic();
  holders: Clock['holders'] = () => this.#clock.holders();
  state: Clock['state'] = () => this.#clock.state();
  arrive = (): void => this.#clock.arrive();
  hurry = (until: Instant): void => this.#clock.hurry(until);

  at(due: Instant, key: DueKey, task: () => void): Cancel {
    return this.#while((done) => this.#clock.at(due, key, () => done(task)));
  }

  afterWall(delayMs: number, task: () => void, options?: { unref?: boolean }): Cancel {
    return this.#while((done) => this.#clock.afterWall(delayMs, () => done(task), options));
  }

  soon(task: () => void): void {
    this.#clock.soon(() => this.#over || task());
  }

  hold(lane: HoldLane, label: Label): Release {
    return this.#while(() => this.#clock.hold(lane, label));
  }

  ordered(lane: HoldLane, key: string, task: () => void): void {
    this.#clock.ordered(lane, key, () => this.#over || task());
  }

  // The sandbox already contains the exceptions of all its tasks, including those of a scenario.
  contain(): void {}

  // A scenario cannot advance shared time: it waits for the same duration instead.
  async advance(): Promise<void> {}
  correct(): void {}
  setSpeed(): void {}
  pause(): void {}
  handOver(): void {}
  resume(): void {}
  start(): void {}

  /** Ends the scenario: its scheduled tasks do not run any more. */
  stop(): void {
    this.#over = true;
    for (const end of [...this.#open]) end();
  }

  /** Starts a task that ends by itself, by its owner, or with the scenario. */
  #while(begin: (done: (task: () => void) => void) => () => void): () => void {
    if (this.#over) return () => {};
    const forget = () => this.#open.delete(end);
    const undo = begin((task) => {
      forget();
      task();
    });
    const end = () => {
      forget();
      undo();
    };
    this.#open.add(end);
    return end;
  }
}
