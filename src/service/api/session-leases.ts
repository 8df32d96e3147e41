/** Leases of session destinations: a destination is deleted if the `listen` command that renews it was killed. [decisions 9, cli listen] */
import type { Engine } from '../engine/engine.ts';

/**
 * After a start of the sandbox, a `listen` command that still runs must renew its lease within this time; milliseconds
 * of wall time.
 */
const REJOIN_MS = 60_000;

export class SessionLeases {
  readonly #engine: Engine;
  /** Cancels the timers, by destination. */
  readonly #timers = new Map<string, () => void>();
  /**
   * True if several processes serve one database. A renewal may then reach another process, so each renewal is stored.
   */
  readonly isShared: boolean;

  constructor(engine: Engine, { isShared = false } = {}) {
    this.#engine = engine;
    this.isShared = isShared;
  }

  /**
   * Begins a lease for every session of an earlier run of the sandbox, within which it must be renewed; milliseconds of
   * wall time.
   */
  begin(rejoinMs = REJOIN_MS): void {
    for (const { id, session } of this.#engine.world.all('destination'))
      if (session !== undefined && !this.#timers.has(id)) this.#endAfter(id, rejoinMs, () => {});
  }

  /**
   * Deletes the destination after this wall time in milliseconds, unless it is renewed before. If null, it has no
   * lease.
   */
  renew(destinationId: string, leaseMs: number | null): void {
    this.#timers.get(destinationId)?.();
    this.#timers.delete(destinationId);
    if (leaseMs !== null) this.#endAfter(destinationId, leaseMs, () => this.renew(destinationId, leaseMs));
  }

  /** `renewed` is called instead when another process stored a renewal meanwhile. */
  #endAfter(destinationId: string, ms: number, renewed: () => void): void {
    const joinedAt = this.#joinedAt(destinationId);
    const expire = () => {
      this.#timers.delete(destinationId);
      if (this.#joinedAt(destinationId) === joinedAt) this.#end(destinationId);
      else renewed();
    };
    this.#timers.set(destinationId, this.#engine.clock.afterWall(ms, expire));
  }

  /** Cancels every timer. Idempotent. */
  stop(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #joinedAt(destinationId: string): number | undefined {
    return this.#engine.world.get('destination', destinationId)?.session?.joinedAt;
  }

  #end(destinationId: string): void {
    // A rejection means that the destination was deleted meanwhile.
    this.#engine
      .submit({ type: 'delete-destination', destinationId })
      .catch((error: Error) =>
        this.#engine.failures.report({ part: 'delivery', what: `the end of the session ${destinationId}`, error }),
      );
  }
}
