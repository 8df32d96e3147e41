/** Visibility that ends by time: a position becomes too old to be listed, or an unveil request expires. [decisions 4, Passing time] */
import { type Clock, type Instant, LANE } from '../../../base/time/clock.ts';
import { POSITION_MAX_AGE_MS } from '../../domain/views/person.ts';
import type { World } from '../../domain/world/world.ts';

/**
 * Uses one timer of the clock for each watch and for each unveil request. A timer is set again when it falls due, and
 * not moved at each report, because reports are far more frequent. It commits nothing.
 */
export class PassingTime {
  readonly #world: World;
  readonly #clock: Clock;
  /** Called with the worker whose visibility has ended. */
  readonly #ended: (workerId: string) => void;
  /**
   * Watches and workers with a pending timer. They are checked for every message of a watch, before a key and closures
   * are made.
   */
  readonly #devices = new Set<string>();
  readonly #unveiledWorkers = new Set<string>();

  constructor(world: World, clock: Clock, ended: (workerId: string) => void) {
    this.#world = world;
    this.#clock = clock;
    this.#ended = ended;
    for (const { id } of world.all('device')) this.reported(id);
    for (const { id } of world.all('unveiling')) this.unveiled(id);
  }

  /** To be called when a watch has reported. */
  reported(deviceId: string): void {
    if (this.#devices.has(deviceId)) return;
    this.#follow(this.#devices, deviceId, {
      actor: `position ${deviceId}`,
      until: () => {
        const at = this.#world.get('device', deviceId) && this.#world.telemetry(deviceId).fix?.at;
        // The position is still listed at exactly that age. [decisions 1]
        return at === undefined ? null : at + POSITION_MAX_AGE_MS + 1;
      },
      whose: () => this.#world.get('device', deviceId)?.workerId ?? null,
    });
  }

  /** To be called when an unveil request was approved. */
  unveiled(workerId: string): void {
    if (this.#unveiledWorkers.has(workerId)) return;
    this.#follow(this.#unveiledWorkers, workerId, {
      actor: `unveiling ${workerId}`,
      until: () => this.#world.get('unveiling', workerId)?.until ?? null,
      whose: () => workerId,
    });
  }

  /** `pending` has the id while the timer is set. */
  #follow(pending: Set<string>, id: string, watched: WatchedVisibility): void {
    const due = watched.until();
    if (due === null || due <= this.#clock.now()) return;
    pending.add(id);
    this.#clock.at(due, { lane: LANE.rest, actor: watched.actor }, () => {
      pending.delete(id);
      const later = watched.until();
      if (later !== null && later > this.#clock.now()) return this.#follow(pending, id, watched);
      const workerId = watched.whose();
      if (workerId !== null) this.#ended(workerId);
    });
  }
}

interface WatchedVisibility {
  /** Sorts the timer among those of its instant. */
  readonly actor: string;
  readonly until: () => Instant | null;
  readonly whose: () => string | null;
}
