/** The lives of a sandbox: a reset, or the load of a snapshot, stops one world and starts the next in the same folder, at the same addresses. [decisions 9] */

import { asError, assert, Outage } from '../../base/assert.ts';
import { Stops, started } from '../../base/stops.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { later, nextTurn } from '../../base/time/timers.ts';
import type { Notice } from '../../contract/notices.ts';
import type { ReplacedWorld } from '../../service/api/route.ts';
import { type Rejection, reject } from '../../service/domain/changes.ts';
import type { StoredRow } from '../../service/store/state-rows.ts';
import type { SandboxOptions } from '../options/options.ts';
import { beginLife, type SandboxLife } from '../parts/life.ts';
import { type LifeControl, openGround, type SandboxGround } from '../parts/storage.ts';

/** Wait between two attempts to load the world again; wall ms. */
const AGAIN_MS = 500;

/** Tries to get the port of the life before, and the wait between them; wall ms. */
const MOST_PORT_TRIES = 50;
const PORT_AGAIN_MS = 100;

type NoticeListener = (notice: Notice) => void;

export class Lives implements LifeControl {
  readonly #options: SandboxOptions;
  readonly #ground: SandboxGround;
  readonly #underground: Stops;
  /** How to stop the present life. */
  #stops = new Stops();
  #life: SandboxLife | null = null;
  readonly #listeners = new Map<NoticeListener, () => void>();
  #renewing: Promise<unknown> | null = null;
  #stopping: Promise<void> | null = null;

  private constructor(options: SandboxOptions, ground: SandboxGround, underground: Stops) {
    this.#options = options;
    this.#ground = ground;
    this.#underground = underground;
  }

  static start(options: SandboxOptions): Promise<Lives> {
    return started(new Stops(), async (stops) => {
      const lives = new Lives(options, { ...(await openGround(options, stops)), options }, stops);
      await lives.#begin(options);
      return lives;
    });
  }

  /** The present life. While one world replaces another, that of the old one. */
  get now(): SandboxLife {
    assert(this.#life !== null, 'The sandbox has started.');
    return this.#life;
  }

  /** The listener is called in all lives. */
  listen(listener: NoticeListener): () => void {
    this.#listeners.set(listener, this.now.engine.listen({ notice: listener }));
    return () => {
      this.#listeners.get(listener)?.();
      this.#listeners.delete(listener);
    };
  }

  /** Idempotent. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    await this.#renewing?.catch(() => {});
    try {
      await this.#stops.stop();
    } finally {
      await this.#underground.stop();
    }
  }

  /**
   * Replaces the world: by the one that these rows describe, or, without rows, by the initial one. Only one replacement
   * runs at a time. Rejected if the clock belongs to the caller.
   */
  async renew(rows: readonly StoredRow[]): Promise<ReplacedWorld | Rejection> {
    if (this.#options.clock !== undefined)
      return reject('action_refused', 'This sandbox uses the clock of a run, which cannot be reset.');
    if (this.#stopping !== null) return reject('action_refused', 'The sandbox is stopping.');
    // A second request would be cut off when the old API stops.
    if (this.#renewing !== null) return reject('action_refused', 'Another reset or load is in progress. Try again.');
    const renewing = this.#replace(rows);
    this.#renewing = renewing;
    try {
      return await renewing;
    } finally {
      this.#renewing = null;
    }
  }

  /**
   * Called when a node can no longer follow the world of the other nodes. The world is loaded again, at the same
   * address, as soon as the database and the broker allow it.
   */
  beginAgain(error: Error): void {
    if (this.#stopping !== null || this.#renewing !== null) return;
    this.notify({ kind: 'nodes-changed', detail: `${error.message} This node loads the world again.` });
    this.#renewing = this.#again().finally(() => {
      this.#renewing = null;
    });
  }

  async #again(): Promise<void> {
    const { port } = this.now.api;
    await this.#stops.stop().catch(() => {});
    while (this.#stopping === null) {
      await new Promise<void>((resolve) => later(AGAIN_MS, resolve));
      try {
        await this.#begin({ ...this.#options, port });
        break;
      } catch (error) {
        this.#options.onNotBegun?.(asError(error));
      }
    }
    this.#listenAgain();
  }

  /** Refuses all commands for this reason for the time being; null: commands are accepted again. */
  suspend(why: string | null): void {
    this.#life?.engine.suspend(why);
  }

  /** Emits a notice in the present life, if there is one. */
  notify(notice: { readonly kind: 'nodes-changed'; readonly detail: string }): void {
    const engine = this.#life?.engine;
    engine?.notify({ ...notice, at: formatInstant(engine.clock.now()) });
  }

  async #replace(rows: readonly StoredRow[]): Promise<ReplacedWorld> {
    const { api, broker, opened, limits } = this.now;
    const finish = api.handOver();
    try {
      await this.#stops.stop();
      await opened.store.replaceState(rows);
      // Only a reset, which has no rows, restores the initial limits.
      if (rows.length === 0) limits.clear();
      // The port becomes free when its handle is closed, on a later tick of the event loop.
      await new Promise<void>((resolve) => nextTurn(resolve));
      // A stored world continues at its own time.
      const { start, ...asStored } = this.#options;
      const options = rows.length === 0 && start !== undefined ? { ...asStored, start } : asStored;
      await this.#beginAtPorts({ ...options, port: api.port, mqttPort: broker.port });
    } catch (error) {
      // A partially started sandbox must not continue.
      this.#options.onBroken?.(asError(error));
      throw error;
    }
    this.#listenAgain();
    return { clock: this.now.engine.clock.state(), finish };
  }

  /**
   * Begins at the ports of the life before. They were free for a moment, and any connection of another program may have got one as
   * its own end, so a taken port is tried again for some seconds.
   */
  async #beginAtPorts(options: SandboxOptions): Promise<void> {
    for (let tries = 1; ; tries++)
      try {
        return await this.#begin(options);
      } catch (error) {
        const isTaken = error instanceof Outage && error.code === 'port_taken';
        if (!isTaken || tries === MOST_PORT_TRIES || this.#stopping !== null) throw error;
        await new Promise<void>((resolve) => later(PORT_AGAIN_MS, resolve));
      }
  }

  #listenAgain(): void {
    const { engine } = this.now;
    for (const listener of this.#listeners.keys()) this.#listeners.set(listener, engine.listen({ notice: listener }));
  }

  async #begin(options: SandboxOptions): Promise<void> {
    const stops = new Stops();
    const ground = { ...this.#ground, options, warnings: [...this.#ground.warnings] };
    this.#life = await started(stops, () => beginLife(ground, this, stops));
    this.#stops = stops;
  }
}
