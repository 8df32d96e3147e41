/** Failed attempts at the token endpoint, per client id within a minute. [decisions 3] */

const FAILURES_PER_MINUTE = 20;
const MINUTE_MS = 60_000;

/** Bounds the memory that invented ids can take. The oldest id is dropped. */
const MAX_IDS = 1_000;
const MAX_ID_CHARACTERS = 200;

export class FailedAttempts {
  readonly #times = new Map<string, number[]>();

  /** Returns the milliseconds until the next attempt is checked, or 0 if it is checked now. */
  waitMs(id: string, now: number): number {
    const times = this.#recent(id, now);
    return times.length < FAILURES_PER_MINUTE ? 0 : (times[0] as number) + MINUTE_MS - now;
  }

  add(id: string, now: number): void {
    const times = [...this.#recent(id, now), now].slice(-FAILURES_PER_MINUTE);
    this.#times.delete(keyOf(id));
    this.#times.set(keyOf(id), times);
    if (this.#times.size > MAX_IDS) this.#times.delete(this.#times.keys().next().value as string);
  }

  #recent(id: string, now: number): number[] {
    return (this.#times.get(keyOf(id)) ?? []).filter((at) => at > now - MINUTE_MS);
  }
}

const keyOf = (id: string): string => id.slice(0, MAX_ID_CHARACTERS);
