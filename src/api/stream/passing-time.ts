/** Visibility that ends by time: a position becomes too old to be listed, or an unveil request expires. [decisions 4, Passing time] */
import { type Clock, type Instant, LANE } from '../../base/time/clock.ts';
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
  /** Keys of the pending timers. */
  readonly #set = new Set<string>();

  constructor(world: World, clock: Clock, ended: (workerId: string) => void) {
    this.#world = world;
    this.#clock = clock;
    this.#ended = ended;
    for (const { id } of world.all('device')) this.reported(id);
    for (const { id } of world.all('unveiling')) this.unveiled(id);
  }

  /** To be called when a watch has reported. */
  reported(deviceId: string): void {
    this.#follow(`position ${deviceId}`, {
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
    this.#follow(`unveiling ${workerId}`, {
      until: () => this.#world.get('unveiling', workerId)?.until ?? null,
      whose: () => workerId,
    });
  }

  #follow(key: string, watched: { until: () => Instant | null; whose: () => string | null }): void {
    if (this.#set.has(key)) return;
    const due = watched.until();
    if (due === null || due <= this.#clock.now()) return;
    this.#set.add(key);
    this.#clock.at(due, { lane: LANE.rest, actor: key }, () => {
      this.#set.delete(key);
      const later = watched.until();
      if (later !== null && later > this.#clock.now()) return this.#follow(key, watched);
      const workerId = watched.whose();
      if (workerId !== null) this.#ended(workerId);
    });
  }
}
