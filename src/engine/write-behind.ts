/** Telemetry and the audit log, at most one second of wall time late: losing their last second is allowed, losing an SOS is not. */
import type { Cancel, Clock } from '../base/clock.ts';
import type { World } from '../domain/world/world.ts';
import { type Batch, emptyBatch, type RequestRecord, StorageFull, type Store } from './store-port.ts';

const LATE_MS = 1_000;

/** A disk that stays full must not fill the memory with log rows. */
const MAX_REQUESTS = 20_000;

export class WriteBehind {
  readonly #clock: Clock;
  readonly #world: World;
  readonly #store: Store;
  readonly #trouble: (error: Error) => void;
  #requests: RequestRecord[] = [];
  #timer: Cancel | null = null;
  #writing: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(clock: Clock, world: World, store: Store, trouble: (error: Error) => void) {
    this.#clock = clock;
    this.#world = world;
    this.#store = store;
    this.#trouble = trouble;
  }

  request(record: RequestRecord): void {
    if (this.#requests.length < MAX_REQUESTS && !this.#stopped) this.#requests.push(record);
    this.wake();
  }

  /** Something waits to be written. */
  wake(): void {
    if (this.#timer !== null || this.#stopped) return;
    this.#timer = this.#clock.afterWall(LATE_MS, () => {
      this.#timer = null;
      void this.flush();
    });
  }

  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.();
    this.#timer = null;
    await this.flush();
  }

  async #write(): Promise<void> {
    const telemetry = this.#world.takeTelemetry();
    const requests = this.#requests;
    if (telemetry.length + requests.length === 0) return;
    this.#requests = [];
    const now = this.#clock.now();
    const reading = { id: 'clock' as const, now, offsetMs: now - this.#clock.wall() };
    const puts: Batch['puts'] = [
      ...telemetry.map((document) => ({ kind: 'telemetry' as const, id: document.id, document })),
      { kind: 'clock', id: reading.id, document: reading },
    ];
    try {
      await this.#store.commit({ ...emptyBatch(), puts, requests });
    } catch (error) {
      // Kept for the next try; the telemetry is in memory and goes with its next change.
      this.#requests = [...requests, ...this.#requests].slice(0, MAX_REQUESTS);
      this.#world.keepTelemetry(telemetry.map(({ id }) => id));
      if (error instanceof StorageFull) this.wake();
      this.#trouble(error as Error);
    }
  }
}
