/** The lives of a sandbox: a reset, or the load of a snapshot, stops one world and starts the next in the same folder, at the same addresses. [decisions 9] */

import { asError } from '../../base/assert.ts';
import { type Started, startParts } from '../../base/parts.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { later, nextTurn } from '../../base/time/timers.ts';
import type { Notice } from '../../contract/notices.ts';
import type { ReplacedWorld } from '../../service/api/route.ts';
import { type Rejection, reject } from '../../service/domain/changes.ts';
import type { StoredRow } from '../../service/store/state-rows.ts';
import type { SandboxOptions } from '../options/options.ts';
import type { LifeControl, SandboxPart, SandboxParts } from '../parts/parts.ts';

/** `ground`: the parts that outlast all lives. */
interface PartsOfLives {
  readonly ground: readonly SandboxPart[];
  readonly life: readonly SandboxPart[];
}

/** Wait between two attempts to load the world again; wall ms. */
const AGAIN_MS = 500;

type NoticeListener = (notice: Notice) => void;

export class Lives implements LifeControl {
  readonly #options: SandboxOptions;
  readonly #list: readonly SandboxPart[];
  readonly #ground: Started<SandboxParts>;
  #life: Started<SandboxParts>;
  readonly #listeners = new Map<NoticeListener, () => void>();
  #renewing: Promise<unknown> | null = null;
  #stopping: Promise<void> | null = null;

  private constructor(options: SandboxOptions, list: readonly SandboxPart[], ground: Started<SandboxParts>) {
    this.#options = options;
    this.#list = list;
    this.#ground = ground;
    this.#life = ground;
  }

  static async start(options: SandboxOptions, { ground: list, life }: PartsOfLives): Promise<Lives> {
    const ground = await startParts<SandboxParts>(list, { options, warnings: [] });
    const lives = new Lives(options, life, ground);
    try {
      await lives.#begin(options);
    } catch (error) {
      await ground.stop().catch(() => {});
      throw error;
    }
    return lives;
  }

  /** The parts of the present life. */
  get parts(): SandboxParts {
    return this.#life.parts;
  }

  /** The listener is called in all lives. */
  listen(listener: NoticeListener): () => void {
    this.#listeners.set(listener, this.parts.engine.listen({ notice: listener }));
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
      await this.#life.stop();
    } finally {
      await this.#ground.stop();
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
    const { port } = this.parts.api;
    await this.#life.stop().catch(() => {});
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
    const { engine } = this.parts as Partial<SandboxParts>;
    engine?.suspend(why);
  }

  /** Emits a notice in the present life, if there is one. */
  notify(notice: { readonly kind: 'nodes-changed'; readonly detail: string }): void {
    const { engine } = this.parts as Partial<SandboxParts>;
    engine?.notify({ ...notice, at: formatInstant(engine.clock.now()) });
  }

  async #replace(rows: readonly StoredRow[]): Promise<ReplacedWorld> {
    const { api, broker, opened, limits } = this.parts;
    const finish = api.handOver();
    try {
      await this.#life.stop();
      await opened.store.replaceState(rows);
      // Only a reset, which has no rows, restores the initial limits.
      if (rows.length === 0) limits.clear();
      // The port becomes free when its handle is closed, on a later tick of the event loop.
      await new Promise<void>((resolve) => nextTurn(resolve));
      // A stored world continues at its own time.
      const { start, ...asStored } = this.#options;
      const options = rows.length === 0 && start !== undefined ? { ...asStored, start } : asStored;
      await this.#begin({ ...options, port: api.port, mqttPort: broker.port });
    } catch (error) {
      // A partially started sandbox must not continue.
      this.#options.onBroken?.(asError(error));
      throw error;
    }
    this.#listenAgain();
    return { clock: this.parts.engine.clock.state(), finish };
  }

  #listenAgain(): void {
    const { engine } = this.parts as Partial<SandboxParts>;
    if (engine === undefined) return;
    for (const listener of this.#listeners.keys()) this.#listeners.set(listener, engine.listen({ notice: listener }));
  }

  async #begin(options: SandboxOptions): Promise<void> {
    const { parts } = this.#ground;
    this.#life = await startParts(this.#list, { ...parts, options, warnings: [...parts.warnings], lives: this });
  }
}
