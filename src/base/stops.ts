/** How to stop what was started: in reverse order, all of it, once. */

/** A stop must tolerate what has already ended. */
type Stop = () => unknown;

export class Stops {
  readonly #stops: Stop[] = [];
  #stopping: Promise<void> | null = null;

  /** Added when its subject has started, so that a start that fails stops what was there before. */
  add(stop: Stop): void {
    this.#stops.push(stop);
  }

  /** Every stop runs, also after one has failed; then it rejects with the first error. A second call waits for the first. */
  stop(): Promise<void> {
    this.#stopping ??= this.#all();
    return this.#stopping;
  }

  async #all(): Promise<void> {
    const errors: unknown[] = [];
    for (const stop of this.#stops.toReversed())
      try {
        await stop();
      } catch (error) {
        errors.push(error);
      }
    if (errors.length > 0) throw errors[0];
  }
}

/** Starts something. If that fails, what was started is stopped, and its error is rethrown. */
export async function started<T>(stops: Stops, start: (stops: Stops) => Promise<T>): Promise<T> {
  try {
    return await start(stops);
  } catch (error) {
    await stops.stop().catch(() => {});
    throw error;
  }
}
