/** Whether the engine can write now, and the reply to a change that it could not write, which states only what is known. */
import { type Rejection, reject } from '../domain/changes.ts';
import type { Command } from '../domain/commands.ts';
import { isOutcomeUnknown, StorageFull } from './store-port.ts';

export class StorageState {
  #broken: Error | null = null;
  #full: StorageFull | null = null;
  #suspended: string | null = null;

  /** Set if the storage cannot be trusted any more, or if the engine has stopped. */
  get broken(): Error | null {
    return this.#broken;
  }

  /** Set if the last write was refused: there is no room, or the database is unavailable. */
  get full(): StorageFull | null {
    return this.#full;
  }

  break(error: Error): void {
    this.#broken ??= error;
  }

  /** `why`: a sentence; null to accept commands again. */
  suspend(why: string | null): void {
    this.#suspended = why;
  }

  refused(error: StorageFull): void {
    this.#full = error;
  }

  written(): void {
    this.#full = null;
  }

  /**
   * The refusal of a command before it is tried; null if it may be tried. A suspended engine still settles the
   * deliveries in flight: before that, it cannot hand their destinations to another engine.
   */
  refusal({ type }: Command): Rejection | null {
    if (this.#broken !== null)
      return unavailable('The storage of the sandbox has failed, and nothing more is taken. Nothing was changed.');
    return this.#suspended === null || type === 'settle-delivery'
      ? null
      : unavailable(`${this.#suspended} Nothing was changed; try again.`);
  }

  /** Throws if a change would be refused now. */
  check(): void {
    if (this.#broken !== null) throw this.#broken;
    if (this.#suspended !== null) throw new StorageFull(this.#suspended);
  }
}

/** The reply to a command whose transaction the store refused. */
export const failedWrite = (error: Error): Rejection =>
  isOutcomeUnknown(error)
    ? unavailable(
        'The storage failed while this was written, so it is not known whether it was changed. After a restart of the sandbox, read it again before you repeat the change.',
      )
    : unavailable('The sandbox cannot write to its storage now. Nothing was changed; try again.');

const unavailable = (detail: string): Rejection => reject('storage_unavailable', detail);
