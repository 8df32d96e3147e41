/** Whether the engine can write now, and the reply to a change that it could not write: the reply does not say more than is known. */
import { type Rejection, reject } from '../domain/changes.ts';
import type { Command } from '../domain/commands.ts';
import { isOutcomeUnknown, StorageFull } from './store-port.ts';

export class StorageState {
  #broken: Error | null = null;
  #full: StorageFull | null = null;
  #suspended: string | null = null;

  /** The storage cannot be trusted any more, or the engine has stopped. */
  get broken(): Error | null {
    return this.#broken;
  }

  /** The last write was refused: there is no room, or the database is away. */
  get full(): StorageFull | null {
    return this.#full;
  }

  break(error: Error): void {
    this.#broken ??= error;
  }

  /** `why`: a sentence; null: commands are taken again. */
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
   * The answer to a command before anything of it is tried; null: it may be tried. A suspended engine settles the deliveries that are
   * under way: until then it cannot give their destinations to another one.
   */
  refusal({ type }: Command): Rejection | null {
    if (this.#broken !== null)
      return unavailable('The storage of the sandbox has failed, and nothing more is taken. Nothing was changed.');
    return this.#suspended === null || type === 'settle-delivery'
      ? null
      : unavailable(`${this.#suspended} Nothing was changed; try again.`);
  }

  /** Throws where a change would be refused now. */
  check(): void {
    if (this.#broken !== null) throw this.#broken;
    if (this.#suspended !== null) throw new StorageFull(this.#suspended);
  }
}

/** The answer to a command whose transaction the store did not take. */
export const failedWrite = (error: Error): Rejection =>
  isOutcomeUnknown(error)
    ? unavailable(
        'The storage failed while this was written, so it is not known whether it was changed. After a restart of the sandbox, read it again before you repeat the change.',
      )
    : unavailable('The sandbox cannot write to its storage now. Nothing was changed; try again.');

const unavailable = (detail: string): Rejection => reject('storage_unavailable', detail);
