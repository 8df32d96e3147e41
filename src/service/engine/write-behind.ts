/** Write-behind of telemetry and the audit log, at most one second of wall time late. Their last second may be lost; an SOS must not be. */
import type { Cancel, Clock, Instant } from '../../base/time/clock.ts';
import type { ClockReading, Telemetry } from '../domain/world/documents.ts';
import type { World } from '../domain/world/world.ts';
import { type Batch, emptyBatch, type RequestRecord, StorageFull, type Store } from './store-port.ts';

const LATE_MS = 1_000;

/** The most log rows in memory: a disk that stays full must not fill the memory. */
const MAX_REQUESTS = 20_000;

/**
 * The number of log rows that are written at once, before the second is over. The rows of a whole second would be old
 * objects when they are written, and their texts would be made all at the same time: 8 MB at 17,000 requests a second.
 */
const ROWS_AT_ONCE = 500;

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
    // Without telemetry, which a later report may replace within the second. Equal, not above: after a refused write
    // the rows wait for the next second, and not for each further request.
    if (this.#requests.length === ROWS_AT_ONCE && !this.#stopped) void this.#enqueue(() => this.#write([]));
    this.wake();
  }

  /** Requests a write, since there is something to write. */
  wake(): void {
    if (this.#timer !== null || this.#stopped) return;
    this.#timer = this.#clock.afterWall(LATE_MS, () => {
      this.#timer = null;
      void this.flush();
    });
  }

  flush(): Promise<void> {
    return this.#enqueue(() => this.#write(this.#world.takeTelemetry()));
  }

  #enqueue(write: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(write);
    return this.#writing;
  }

  /** Writes a little, to check if the store accepts it; throws its error. Includes the world's document, since a shared store omits a reading alone. */
  async probe(): Promise<void> {
    const reading = readingAt(this.#clock.now(), this.#clock.wall(), this.#world);
    const meta = this.#world.get('meta', 'meta');
    const puts: Batch['puts'] = [
      ...(meta === undefined ? [] : [{ kind: 'meta' as const, id: meta.id, document: meta }]),
      { kind: 'clock', id: reading.id, document: reading },
    ];
    await this.#store.commit({ ...emptyBatch(), puts });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.();
    this.#timer = null;
    await this.flush();
  }

  async #write(telemetry: readonly Telemetry[]): Promise<void> {
    const requests = this.#requests;
    if (telemetry.length + requests.length === 0) return;
    this.#requests = [];
    const now = this.#clock.now();
    const reading = readingAt(now, this.#clock.wall(), this.#world);
    const puts: Batch['puts'] = [
      ...telemetry.map((document) => ({ kind: 'telemetry' as const, id: document.id, document })),
      { kind: 'clock', id: reading.id, document: reading },
    ];
    try {
      await this.#store.commit({ ...emptyBatch(), puts, requests });
    } catch (error) {
      // Kept for the next attempt. The telemetry is marked again, so that the next write includes it.
      this.#requests = [...requests, ...this.#requests].slice(0, MAX_REQUESTS);
      this.#world.keepTelemetry(telemetry.map(({ id }) => id));
      if (error instanceof StorageFull) this.wake();
      this.#trouble(error as Error);
    }
  }
}

/** `strayMs` stays the same: it is a part of the offset from then on. */
function readingAt(now: Instant, wall: number, world: World): ClockReading {
  const { strayMs } = world.get('clock', 'clock') ?? {};
  const reading = { id: 'clock', now, offsetMs: now - wall } as const;
  return strayMs === undefined ? reading : { ...reading, strayMs };
}
