/** The first failure of the storage, kept until there is an engine to stop. */

/** Latches the first failure of the storage, which may come before there is an engine to stop. */
export class StorageAlarm {
  #failure: Error | null = null;
  #listener: ((error: Error) => void) | null = null;

  raise(error: Error): void {
    this.#failure ??= error;
    this.#listener?.(error);
  }

  /** Calls back at once if a failure was already raised. */
  onRaised(listener: (error: Error) => void): void {
    this.#listener = listener;
    if (this.#failure !== null) listener(this.#failure);
  }
}
